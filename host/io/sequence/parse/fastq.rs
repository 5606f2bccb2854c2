//! FASTQ with records of four lines: '@' and a header, symbols, '+', and a quality for each symbol.

use super::{Header, Visitor, bare_return, symbols_of};
use crate::error::InputFault;
use crate::io::sequence::source::Source;
use crate::{Error, Result};

/// Blanks at a file's end that are held back at most.
const HELD: usize = 1 << 16;

pub(in super::super) struct Fastq {
    source: Source,
    record: Record,
    /// Blanks that come next if anything follows them, and do not count at the file's end.
    held: Vec<u8>,
    /// Whether the last line with anything in it has its end.
    has_end: bool,
}

impl Fastq {
    pub fn new(source: &Source) -> Self {
        Self {
            source: source.clone(),
            record: Record { first_line: 1, ..Record::default() },
            held: Vec::new(),
            has_end: false,
        }
    }

    /// Takes the next bytes. The last line's end is taken at once, so that a record ends with it; blanks behind it wait for what
    /// follows, since blank lines at a file's end are no record that is cut short.
    pub fn take(&mut self, bytes: &[u8], visitor: &mut impl Visitor) -> Result<()> {
        let solid = bytes.iter().rposition(|byte| !byte.is_ascii_whitespace()).map_or(0, |last| last + 1);
        if solid > 0 {
            self.has_end = false;
        }
        let end = if self.has_end { None } else { memchr::memchr(b'\n', &bytes[solid..]) };
        let (now, later) = bytes.split_at(end.map_or(solid, |end| solid + end + 1));
        if !now.is_empty() {
            self.take_held(visitor)?;
            self.lines(now, visitor)?;
            self.has_end |= end.is_some();
        }
        self.held.extend_from_slice(later);
        if self.held.len() > HELD { self.take_held(visitor) } else { Ok(()) }
    }

    fn take_held(&mut self, visitor: &mut impl Visitor) -> Result<()> {
        let held = std::mem::take(&mut self.held);
        self.lines(&held, visitor)
    }

    /// Takes the end of the file. One of the blank lines there counts: a record without symbols ends with it.
    pub fn finish(&mut self, visitor: &mut impl Visitor) -> Result<()> {
        if self.has_end && self.held.contains(&b'\n') {
            self.lines(b"\n", visitor)?;
        }
        match self.record.line {
            Line::Quality => self.end(visitor),
            _ if !self.record.has_bytes => Ok(()),
            line => {
                let at = self.record.first_line + line as u64;
                let reason = format!("the file ends within the FASTQ record at line {at}; it may be cut short");
                Err(self.source.wrong(InputFault::CutShort, reason))
            }
        }
    }

    fn lines(&mut self, text: &[u8], visitor: &mut impl Visitor) -> Result<()> {
        let mut rest = text;
        while !rest.is_empty() {
            let end = memchr::memchr(b'\n', rest);
            self.record.take(&rest[..end.unwrap_or(rest.len())], visitor)?;
            let Some(end) = end else { break };
            if self.record.line == Line::Quality {
                self.end(visitor)?;
            } else {
                self.record.next_line(visitor)?;
            }
            rest = &rest[end + 1..];
        }
        Ok(())
    }

    /// Ends a record, if it is right.
    fn end(&mut self, visitor: &mut impl Visitor) -> Result<()> {
        let record = &self.record;
        if let Some(fault) = record.fault() {
            return Err(self.complaint(fault));
        }
        visitor.end(b"")?;
        self.record.next_record();
        Ok(())
    }

    fn complaint(&self, fault: Fault) -> Error {
        let line = self.record.first_line;
        let (fault, reason) = match fault {
            Fault::Start => (InputFault::Malformed, format!("line {line} should start a FASTQ record with '@'")),
            Fault::Separator => (
                InputFault::Malformed,
                format!("line {} should be the '+' line of a FASTQ record of four lines", line + 2),
            ),
            Fault::Lengths => (
                InputFault::CutShort,
                format!(
                    "the FASTQ record at line {line} has sequence and quality of different lengths; it may be cut short"
                ),
            ),
            Fault::BareReturn => return bare_return(&self.source),
        };
        self.source.wrong(fault, reason)
    }
}

/// What can be wrong with a record of four lines.
enum Fault {
    Start,
    Separator,
    Lengths,
    BareReturn,
}

/// The lines of a record.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Line {
    #[default]
    Header,
    Sequence,
    Separator,
    Quality,
}

/// A record as far as it has come. What is wrong with it is told at its end: if it has none, that is what is wrong.
#[derive(Default)]
struct Record {
    /// The number of its first line, from 1.
    first_line: u64,
    /// Where it is now.
    line: Line,
    /// Bytes of the line, and the last of them.
    len: u64,
    last: u8,
    header: Header,
    /// Whether there is anything in its lines.
    has_bytes: bool,
    starts_right: bool,
    has_separator: bool,
    /// Bytes of the sequence line.
    sequence: u64,
}

impl Record {
    fn next_record(&mut self) {
        let mut header = std::mem::take(&mut self.header);
        header.clear();
        *self = Self { first_line: self.first_line + 4, header, ..Self::default() };
    }

    /// Takes a piece of a line.
    fn take(&mut self, piece: &[u8], visitor: &mut impl Visitor) -> Result<()> {
        let (Some(&first), Some(&last)) = (piece.first(), piece.last()) else { return Ok(()) };
        self.has_bytes = true;
        let starts = self.len == 0;
        match self.line {
            Line::Header => {
                self.starts_right |= starts && first == b'@';
                if self.starts_right {
                    self.header.add(&piece[usize::from(starts)..])?;
                }
            }
            Line::Sequence if self.is_right() => symbols_of(piece, visitor)?,
            Line::Separator => self.has_separator |= starts && first == b'+',
            Line::Quality => visitor.quality(piece.strip_suffix(b"\r").unwrap_or(piece))?,
            Line::Sequence => {}
        }
        self.len += piece.len() as u64;
        self.last = last;
        Ok(())
    }

    /// Goes to the next line, which is not another record's.
    fn next_line(&mut self, visitor: &mut impl Visitor) -> Result<()> {
        match self.line {
            Line::Header => {
                if self.is_right() {
                    visitor.line(self.first_line)?;
                    visitor.begin(self.header.line(), 0)?;
                }
                self.line = Line::Sequence;
            }
            Line::Sequence => {
                self.sequence = self.symbols();
                self.line = Line::Separator;
            }
            Line::Separator | Line::Quality => self.line = Line::Quality,
        }
        self.len = 0;
        Ok(())
    }

    /// Whether its header is one.
    fn is_right(&self) -> bool {
        self.starts_right && !self.header.has_bare_return
    }

    /// Bytes of the line without a carriage return at its end.
    fn symbols(&self) -> u64 {
        self.len - u64::from(self.len > 0 && self.last == b'\r')
    }

    /// What is wrong with it, at its end.
    fn fault(&self) -> Option<Fault> {
        if !self.starts_right {
            Some(Fault::Start)
        } else if !self.has_separator {
            Some(Fault::Separator)
        } else if self.sequence != self.symbols() {
            Some(Fault::Lengths)
        } else {
            self.header.has_bare_return.then_some(Fault::BareReturn)
        }
    }
}
