//! Decompression: detects the method from the first bytes of a file.

use super::bgzf::Bgzf;
use crate::memory;
use bzip2::bufread::BzDecoder;
use flate2::bufread::GzDecoder;
use lzma_rust2::XzReader;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::error::Error as _;
use std::fmt;
use std::io::{self, BufRead, BufReader, Read};

/// Buffer size of a decompressor, in bytes.
const BUFFER: usize = 1 << 16;

/// Number of first bytes that identify a method.
const START: usize = 6;

/// Compression of a file, as its first bytes show it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Compression {
    /// A method that this module decompresses.
    Read(Method),
    /// A method that it does not decompress: its name, and a command that does.
    Refused { name: &'static str, command: &'static str },
}

/// Method of compression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Method {
    Gzip,
    Bzip2,
    Xz,
    Zstd,
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Gzip => "gzip",
            Self::Bzip2 => "bzip2",
            Self::Xz => "xz",
            Self::Zstd => "zstd",
        })
    }
}

impl Compression {
    pub fn detect(start: &[u8]) -> Option<Self> {
        match start {
            [0x1f, 0x8b, ..] => Some(Self::Read(Method::Gzip)),
            [b'B', b'Z', b'h', b'1'..=b'9', ..] => Some(Self::Read(Method::Bzip2)),
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Some(Self::Read(Method::Xz)),
            // A zstd frame, or a skippable frame, which some programs write first.
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(Self::Read(Method::Zstd)),
            [b'P', b'K', 3, 4, ..] => Some(Self::Refused { name: "zip", command: "unzip -p" }),
            _ => None,
        }
    }

    /// Reads the first bytes of an input, only as many as needed to identify a method, so that it
    /// does not wait for a pipe that has given a short line. If the input is a decompressor, reads
    /// up to a buffer of what else it has ready, because readers take a short read for the end of
    /// the available data.
    pub fn start(input: &mut impl Read, is_decompressed: bool) -> io::Result<Vec<u8>> {
        let (mut start, mut len) = (vec![0; if is_decompressed { BUFFER } else { START }], 0);
        while len < START && Self::may_be(&start[..len]) {
            match input.read(&mut start[len..]) {
                Ok(0) => break,
                Ok(count) => len += count,
                Err(fault) if fault.kind() == io::ErrorKind::Interrupted => {}
                Err(fault) => return Err(fault),
            }
        }
        start.truncate(len);
        Ok(start)
    }

    /// Returns true if the bytes may be the start of a compressed file.
    fn may_be(start: &[u8]) -> bool {
        let starts: [&[u8]; 5] =
            [&[0x1f, 0x8b], b"BZh1", &[0xfd, b'7', b'z', b'X', b'Z', 0], &[0x28, 0xb5, 0x2f, 0xfd], b"PK\x03\x04"];
        let skipped = matches!(start, [0x50..=0x5f, rest @ ..] if [0x2a, 0x4d, 0x18].starts_with(rest));
        skipped || starts.iter().any(|full| full.starts_with(start))
    }
}

/// Returns the contents of a compressed file, which may consist of several streams. Up to `threads`
/// threads besides the caller decompress BGZF.
pub(super) fn unpacked(method: Method, packed: impl Read + Send + 'static, threads: usize) -> Box<dyn Read + Send> {
    if method == Method::Gzip && threads > 0 {
        return match Bgzf::start(packed, threads, more_members) {
            Ok(bgzf) => Box::new(bgzf),
            Err(packed) => unpacked_gzip(packed),
        };
    }
    let buffered = |packed| BufReader::with_capacity(BUFFER, packed);
    match method {
        Method::Gzip => unpacked_gzip(packed),
        Method::Bzip2 => Box::new(Members::<BzDecoder<_>, _>::new(buffered(packed))),
        Method::Xz => Box::new(XzReader::new_mem_limit(buffered(packed), true, (most_memory() >> 10) as u32)),
        Method::Zstd => Box::new(Frames::new(buffered(packed))),
    }
}

/// Returns the contents of a gzip file of any kind.
fn unpacked_gzip(packed: impl Read + Send + 'static) -> Box<dyn Read + Send> {
    Box::new(Members::<GzDecoder<_>, _>::new(BufReader::with_capacity(BUFFER, packed)))
}

/// Returns the contents of the members that follow a member of a gzip file, if any do.
fn more_members(packed: impl Read + Send + 'static) -> Box<dyn Read + Send> {
    Box::new(Members::<GzDecoder<_>, _>::Behind(BufReader::with_capacity(BUFFER, packed)))
}

/// Returns the upper bound on the window of a decompressor, which a file's header declares: 2 GiB,
/// or less if memory is short.
fn most_memory() -> u64 {
    let there = |bits: &u32| memory::check::<u8>(1 << bits, "a decompressor").is_ok();
    1 << (20..=31).rev().find(there).unwrap_or(20)
}

/// Decoder of one member of a file.
trait Member<R>: Read {
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
enum Members<M, R> {
    In(Box<M>),
    /// After a member.
    Behind(R),
    Done,
}

impl<R: BufRead, M: Member<R>> Members<M, R> {
    fn new(packed: R) -> Self {
        Self::In(Box::new(M::new(packed)))
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
fn behind(packed: &mut impl BufRead, first: Option<u8>) -> io::Result<bool> {
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

/// Decodes zstd files, frame by frame.
struct Frames<R> {
    packed: R,
    decoder: FrameDecoder,
    in_frame: bool,
}

impl<R: BufRead> Frames<R> {
    fn new(packed: R) -> Self {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(most_memory());
        Self { packed, decoder, in_frame: false }
    }

    /// Begins the next frame that is not skippable. Returns false at the end of the file.
    fn begin(&mut self) -> io::Result<bool> {
        while behind(&mut self.packed, None)? {
            match self.decoder.reset(&mut self.packed) {
                Ok(()) => {
                    self.in_frame = true;
                    return Ok(true);
                }
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame { length, .. })) => {
                    let skipped = io::copy(&mut self.packed.by_ref().take(length.into()), &mut io::sink())?;
                    if skipped < length.into() {
                        return Err(io::ErrorKind::UnexpectedEof.into());
                    }
                }
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::BadMagicNumber(_))) => {
                    return Err(io::Error::new(io::ErrorKind::InvalidData, "other data follows the compressed data"));
                }
                Err(fault) => return Err(reading_error(fault)),
            }
        }
        Ok(false)
    }
}

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.in_frame || self.begin()? {
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                let block = self.decoder.decode_blocks(&mut self.packed, BlockDecodingStrategy::UptoBlocks(1));
                block.map_err(reading_error)?;
            }
            let count = self.decoder.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            let stored = self.decoder.get_checksum_from_data();
            if stored.is_some() && stored != self.decoder.get_calculated_checksum() {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "its checksum does not match"));
            }
            self.in_frame = false;
        }
        Ok(0)
    }
}

/// Converts an error of the zstd decoder; returns the error of its input if that is the cause.
fn reading_error(fault: FrameDecoderError) -> io::Error {
    let mut cause = fault.source();
    while let Some(inner) = cause {
        if let Some(inner) = inner.downcast_ref::<io::Error>() {
            return inner.raw_os_error().map_or_else(|| inner.kind().into(), io::Error::from_raw_os_error);
        }
        cause = inner.source();
    }
    io::Error::new(io::ErrorKind::InvalidData, fault)
}
