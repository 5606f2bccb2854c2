//! Files that are compressed: which way, by their first bytes, and gzip undone.

use std::io::{self, BufRead, Read};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::memory;
use flate2::bufread::GzDecoder;

/// A compressed file, by its first bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Compression {
    Gzip,
    /// One that is not read: its name, and the command that undoes it.
    Other(&'static str, &'static str),
}

/// First bytes that tell.
pub(super) const MAGIC: u64 = 6;

impl Compression {
    pub fn of(magic: &[u8]) -> Option<Self> {
        match magic {
            [0x1f, 0x8b, ..] => Some(Self::Gzip),
            [b'B', b'Z', b'h', b'1'..=b'9', ..] => Some(Self::Other("bzip2", "bzip2 -dc")),
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Some(Self::Other("xz", "xz -dc")),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Self::Other("zstd", "zstd -dc")),
            [b'P', b'K', 3, 4, ..] => Some(Self::Other("zip", "unzip -p")),
            _ => None,
        }
    }
}

/// What gzip files have in them: one member after the other, and zeros behind the last, as tapes and some programs leave them.
pub(super) enum Members<R> {
    In(Box<GzDecoder<R>>),
    /// Behind a member.
    Behind(R),
    Done,
}

impl<R: BufRead> Members<R> {
    pub fn new(packed: R) -> Self {
        Self::In(Box::new(GzDecoder::new(packed)))
    }
}

impl<R: BufRead> Read for Members<R> {
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
                Self::Behind(mut packed) => {
                    let found = loop {
                        match packed.fill_buf() {
                            Ok(found) => break found,
                            Err(fault) if fault.kind() == io::ErrorKind::Interrupted => {}
                            Err(fault) => {
                                *self = Self::Behind(packed);
                                return Err(fault);
                            }
                        }
                    };
                    if found.is_empty() {
                        return Ok(0);
                    }
                    let zeros = found.iter().take_while(|byte| **byte == 0).count();
                    match found.get(zeros) {
                        Some(0x1f) if zeros == 0 => *self = Self::In(Box::new(GzDecoder::new(packed))),
                        Some(_) => {
                            return Err(io::Error::new(io::ErrorKind::InvalidData, "it is followed by something else"));
                        }
                        None => {
                            packed.consume(zeros);
                            *self = Self::Behind(packed);
                        }
                    }
                }
                Self::Done => return Ok(0),
            }
        }
    }
}

/// What is known of a file that a parser reads.
#[derive(Debug, Default)]
pub(super) struct Watch {
    /// The reading error, of which a parser keeps only the text.
    fault: Mutex<Option<io::Error>>,
    /// Bytes since the last record.
    unfinished: AtomicU64,
}

impl Watch {
    /// The reading error, if there was one.
    pub fn fault(&self) -> Option<io::Error> {
        self.fault.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Says that the parser has come to the end of a record.
    pub fn record(&self) {
        self.unfinished.store(0, Ordering::Relaxed);
    }
}

/// Bytes of a record for which nobody asks whether there is memory.
const UNASKED: u64 = 32 << 20;

/// The bytes of a file, watched.
pub(super) struct Watched {
    pub inner: Box<dyn Read + Send>,
    pub watch: Arc<Watch>,
    /// Whether the one who reads keeps records in memory and has no error for the lack of it, as needletail: a record goes to a
    /// buffer that grows by 8 MiB.
    pub kept_whole: bool,
}

impl Read for Watched {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let unfinished = self.watch.unfinished.load(Ordering::Relaxed);
        let there = !self.kept_whole
            || unfinished < UNASKED
            || memory::check::<u8>((unfinished + UNASKED) as usize, "a record").is_ok();
        let read = if there { self.inner.read(buffer) } else { Err(io::ErrorKind::OutOfMemory.into()) };
        match &read {
            Ok(count) => drop(self.watch.unfinished.fetch_add(*count as u64, Ordering::Relaxed)),
            Err(fault) if fault.kind() == io::ErrorKind::Interrupted => {}
            Err(fault) => {
                // An io::Error cannot be cloned; its system number, where it has one, says the most.
                let copy = match fault.raw_os_error() {
                    Some(number) => io::Error::from_raw_os_error(number),
                    None => io::Error::new(fault.kind(), fault.to_string()),
                };
                *self.watch.fault.lock().unwrap_or_else(PoisonError::into_inner) = Some(copy);
            }
        }
        read
    }
}

/// Blanks at a file's end that are held back at most.
const HELD: usize = 1 << 16;

/// A text without the blank lines at its end but one, which a parser of FASTQ would take for a record that is cut short.
pub(super) struct WithoutBlankEnd<R> {
    inner: R,
    /// Blanks that come next, if anything follows them.
    held: Vec<u8>,
    /// How many of what comes next have to be given out.
    given: usize,
    done: bool,
}

impl<R: Read> WithoutBlankEnd<R> {
    pub fn new(inner: R) -> Self {
        Self { inner, held: Vec::new(), given: 0, done: false }
    }
}

impl<R: Read> Read for WithoutBlankEnd<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.given == 0 && !self.done {
            let before = self.held.len();
            self.held.resize(before + buffer.len().clamp(1, HELD), 0);
            let read = self.inner.read(&mut self.held[before..]);
            self.held.truncate(before + *read.as_ref().unwrap_or(&0));
            if read? == 0 {
                self.done = true;
                // The last line's end, and one blank line: a record without symbols ends with it.
                let mut ends = memchr::memchr_iter(b'\n', &self.held);
                let (first, second) = (ends.next(), ends.next());
                self.held.truncate(first.map_or(0, |end| end + 1));
                self.held.extend(second.map(|_| b'\n'));
                self.given = self.held.len();
            } else {
                let blanks = self.held.iter().rev().take_while(|byte| byte.is_ascii_whitespace()).count();
                self.given = if blanks > HELD { self.held.len() } else { self.held.len() - blanks };
            }
        }
        let count = self.given.min(buffer.len());
        buffer[..count].copy_from_slice(&self.held[..count]);
        self.held.drain(..count);
        self.given -= count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reader that gives a few bytes at a time.
    struct Slowly<'t>(&'t [u8], usize);

    impl Read for Slowly<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = self.1.min(buffer.len()).min(self.0.len());
            buffer[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    #[test]
    fn blank_ends() {
        for (text, expected) in [
            ("", ""),
            ("a", "a"),
            ("a\nb", "a\nb"),
            ("a\n", "a\n"),
            ("a\n\n", "a\n\n"),
            ("a\n\n\n\n", "a\n\n"),
            ("a\r\n\r\n\r\n", "a\r\n\n"),
            ("a\n\n\n\nb \n \n\n", "a\n\n\n\nb \n\n"),
            ("\n\n\n", "\n\n"),
            ("a  ", "a"),
        ] {
            for step in 1..5 {
                for size in 1..4 {
                    let mut reader = WithoutBlankEnd::new(Slowly(text.as_bytes(), step));
                    let (mut found, mut buffer) = (Vec::new(), vec![0; size]);
                    while let count @ 1.. = reader.read(&mut buffer).unwrap() {
                        found.extend_from_slice(&buffer[..count]);
                    }
                    assert_eq!(String::from_utf8(found).unwrap(), expected, "{text:?}, {step}, {size}");
                }
            }
        }
        let many = [b"a".to_vec(), vec![b'\n'; 3 * HELD], b"b".to_vec()].concat();
        let mut found = Vec::new();
        WithoutBlankEnd::new(&many[..]).read_to_end(&mut found).unwrap();
        assert!(found == many);
    }
}
