//! Decodes files of several members, such as gzip and bzip2 files.

use bzip2::bufread::BzDecoder;
use flate2::bufread::GzDecoder;
use std::io::{self, BufRead, Read};

/// Decoder of one member of a file.
pub(super) trait Member<R>: Read {
    /// The first byte of a member.
    const FIRST: u8;

    fn new(packed: R) -> Self;

    /// Returns the input, at the first byte after the member.
    fn into_inner(self) -> R;
}

impl<R: BufRead> Member<R> for GzDecoder<R> {
    const FIRST: u8 = 0x1f;

    fn new(packed: R) -> Self {
        Self::new(packed)
    }

    fn into_inner(self) -> R {
        self.into_inner()
    }
}

impl<R: BufRead> Member<R> for BzDecoder<R> {
    const FIRST: u8 = b'B';

    fn new(packed: R) -> Self {
        Self::new(packed)
    }

    fn into_inner(self) -> R {
        self.into_inner()
    }
}

/// Decodes gzip and bzip2 files: one member after the other, then zeros up to the end, as tapes and
/// some programs write them.
pub(super) enum Members<M, R> {
    In(Box<M>),
    /// Before the first member or after a member.
    Behind(R),
    Done,
}

impl<R: BufRead, M: Member<R>> Members<M, R> {
    pub fn new(packed: R) -> Self {
        Self::Behind(packed)
    }
}

impl<R: BufRead, M: Member<R>> Read for Members<M, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match std::mem::replace(self, Self::Done) {
                Self::In(mut member) => {
                    let read = member.read(buffer);
                    let at_end = matches!(read, Ok(0)) && !buffer.is_empty();
                    *self = if at_end { Self::Behind(member.into_inner()) } else { Self::In(member) };
                    if !at_end {
                        return read;
                    }
                }
                Self::Behind(mut packed) => match behind(&mut packed, Some(M::FIRST)) {
                    Ok(true) => *self = Self::In(Box::new(M::new(packed))),
                    Ok(false) => return Ok(0),
                    Err(fault) => {
                        *self = Self::Behind(packed);
                        return Err(fault);
                    }
                },
                Self::Done => return Ok(0),
            }
        }
    }
}

/// Returns true if another member follows, which starts with the byte `first`. Skips zeros up to
/// the end of the file.
pub(super) fn behind(packed: &mut impl BufRead, first: Option<u8>) -> io::Result<bool> {
    let mut skipped = false;
    loop {
        let found = match packed.fill_buf() {
            Err(fault) if fault.kind() == io::ErrorKind::Interrupted => continue,
            found => found?,
        };
        let zeros = found.iter().take_while(|byte| **byte == 0).count();
        match found.get(zeros) {
            None if found.is_empty() => return Ok(false),
            None => packed.consume(zeros),
            Some(byte) if zeros == 0 && !skipped && first.is_none_or(|first| first == *byte) => return Ok(true),
            Some(_) => {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "other data follows the compressed data"));
            }
        }
        skipped = true;
    }
}
