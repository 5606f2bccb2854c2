//! Records as their bytes come, a few at a time: no more of a record is in memory than its header.
//!
//! | file | what |
//! |---|---|
//! | `lines` | the lines of any file |
//! | `fasta` | FASTA |
//! | `fastq` | FASTQ |
//! | `detect` | which of them a file is |

mod detect;
mod fasta;
mod fastq;
mod lines;

use super::Format;
use super::source::Source;
use crate::error::InputFault;
use crate::{Error, Result, memory};
use fasta::Fasta;
use fastq::Fastq;
use lines::Lines;

/// Takes records as they are found.
pub(super) trait Visitor {
    /// The next record of a FASTA or FASTQ file begins in this line, counted from 1.
    fn line(&mut self, _: u64) -> Result<()> {
        Ok(())
    }

    /// A record begins: its header without the mark and the line end, which a line has not, and where it is in the file.
    fn begin(&mut self, header: &[u8], place: u64) -> Result<()>;

    /// Symbols of the record, as many as there are by now, without line ends and, but for lines, without blanks.
    fn symbols(&mut self, symbols: &[u8]) -> Result<()>;

    /// Qualities of a FASTQ record, which come after its symbols, as many as there are by now.
    fn quality(&mut self, _: &[u8]) -> Result<()> {
        Ok(())
    }

    /// The record ends; for lines, with these bytes.
    fn end(&mut self, line_end: &[u8]) -> Result<()>;
}

/// Finds the records of one input.
pub(super) enum Parser {
    Lines(Lines),
    Fasta(Fasta),
    Fastq(Fastq),
}

impl Parser {
    /// Of an input whose next line has this number, from 1.
    pub fn new(format: Format, source: &Source, line: u64) -> Self {
        match format {
            Format::Lines => Self::Lines(Lines::default()),
            Format::Fasta => Self::Fasta(Fasta::new(source, line)),
            Format::Fastq => Self::Fastq(Fastq::new(source, line)),
        }
    }

    /// Lines, before which so many bytes of the file were left out.
    pub fn lines_after(place: u64) -> Self {
        Self::Lines(Lines::after(place))
    }

    /// Takes the next bytes.
    pub fn take(&mut self, bytes: &[u8], visitor: &mut impl Visitor) -> Result<()> {
        match self {
            Self::Lines(lines) => lines.take(bytes, visitor),
            Self::Fasta(fasta) => fasta.take(bytes, visitor),
            Self::Fastq(fastq) => fastq.take(bytes, visitor),
        }
    }

    /// Takes the end of the input.
    pub fn finish(&mut self, visitor: &mut impl Visitor) -> Result<()> {
        match self {
            Self::Lines(lines) => lines.finish(visitor),
            Self::Fasta(fasta) => fasta.finish(visitor),
            Self::Fastq(fastq) => fastq.finish(visitor),
        }
    }
}

/// The byte order mark of UTF-8, which is no symbol at the start of a file.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// How long the byte order mark is at the start of a file: 0 where there is none.
pub(super) fn mark(head: &[u8]) -> usize {
    if head.starts_with(MARK) { MARK.len() } else { 0 }
}

/// Whether more bytes can tell whether there is one.
pub(super) fn may_be_mark(head: &[u8]) -> bool {
    head.len() < MARK.len() && MARK.starts_with(head)
}

/// A byte order mark and blanks at the start of a file.
pub(super) fn blanks(head: &[u8]) -> usize {
    let mark = mark(head);
    mark + head[mark..].iter().take_while(|byte| byte.is_ascii_whitespace()).count()
}

/// Returns the number, from 1, of the line behind the first bytes of a file.
pub(super) fn line_behind(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64 + 1
}

/// A header line as far as it has come.
#[derive(Default)]
struct Header {
    bytes: Vec<u8>,
    /// Whether there is a carriage return in it that is not at its end.
    has_bare_return: bool,
}

impl Header {
    /// Adds bytes before the line's end, until there is a bare carriage return: then it is not a header.
    fn add(&mut self, bytes: &[u8]) -> Result<()> {
        let held = self.bytes.ends_with(b"\r") && !bytes.is_empty();
        self.has_bare_return |= held || memchr::memchr(b'\r', bytes).is_some_and(|at| at + 1 < bytes.len());
        if !self.has_bare_return {
            memory::reserve(&mut self.bytes, bytes.len(), "the header of a record")?;
            self.bytes.extend_from_slice(bytes);
        }
        Ok(())
    }

    /// All of it, at the line's end.
    fn line(&self) -> &[u8] {
        self.bytes.strip_suffix(b"\r").unwrap_or(&self.bytes)
    }

    fn clear(&mut self) {
        self.bytes.clear();
        self.has_bare_return = false;
    }
}

fn bare_return(source: &Source) -> Error {
    let reason = "the lines end in a bare carriage return; convert them first: tr '\\r' '\\n'";
    source.wrong(InputFault::LineEnds, reason)
}

/// Passes on the symbols of a line, or of a part of one, without blanks. Returns their number.
fn symbols_of(line: &[u8], mut take: impl FnMut(&[u8]) -> Result<()>) -> Result<u64> {
    // All are looked at, as that is done many at a time.
    if !line.iter().fold(false, |found, byte| found | byte.is_ascii_whitespace()) {
        return take(line).map(|()| line.len() as u64);
    }
    let mut count = 0;
    for part in line.split(u8::is_ascii_whitespace).filter(|part| !part.is_empty()) {
        take(part)?;
        count += part.len() as u64;
    }
    Ok(count)
}
