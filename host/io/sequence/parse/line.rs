//! Header lines, and lines of symbols without blanks, for FASTA and FASTQ.

use crate::error::InputFault;
use crate::io::sequence::source::Source;
use crate::{Error, Result, memory};

/// Bytes of a header line so far.
#[derive(Default)]
pub(super) struct Header {
    bytes: Vec<u8>,
    /// True if it has a carriage return before its end.
    pub(super) has_bare_return: bool,
}

impl Header {
    /// Adds bytes before the line's end. Stops at a bare carriage return, since the line is then
    /// not a header.
    #[inline]
    pub(super) fn add(&mut self, bytes: &[u8]) -> Result<()> {
        let held = self.bytes.ends_with(b"\r") && !bytes.is_empty();
        self.has_bare_return |= held || memchr::memchr(b'\r', bytes).is_some_and(|at| at + 1 < bytes.len());
        if !self.has_bare_return {
            memory::reserve(&mut self.bytes, bytes.len(), "the header of a record")?;
            self.bytes.extend_from_slice(bytes);
        }
        Ok(())
    }

    /// Returns the whole header, at the end of the line.
    #[inline]
    pub(super) fn line(&self) -> &[u8] {
        self.bytes.strip_suffix(b"\r").unwrap_or(&self.bytes)
    }

    #[inline]
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.has_bare_return = false;
    }
}

/// Returns the error for lines that end in a bare carriage return.
pub(super) fn bare_return(source: &Source) -> Error {
    let reason = "the lines end in a bare carriage return; convert them first: tr '\\r' '\\n'";
    source.wrong(InputFault::LineEnds, reason)
}

/// Passes the symbols of a line, or of a part of a line, to `take`, without blanks. Returns their
/// number.
pub(super) fn pass_symbols(line: &[u8], mut take: impl FnMut(&[u8]) -> Result<()>) -> Result<u64> {
    // Looks at all bytes without stopping early, which vectorises.
    if line.iter().fold(u8::MAX, |least, &byte| least.min(byte)) > b' ' {
        return take(line).map(|()| line.len() as u64);
    }
    let mut count = 0;
    for part in line.split(u8::is_ascii_whitespace).filter(|part| !part.is_empty()) {
        take(part)?;
        count += part.len() as u64;
    }
    Ok(count)
}
