//! FASTQ: '@' and a header, lines of symbols, a '+' line, and lines of qualities until there is one
//! for each symbol. In most files each is one line.

use super::line::{Header, bare_return, pass_symbols};
use super::visitor::Visitor;
use crate::error::InputFault;
use crate::io::sequence::source::Source;
use crate::{Error, Result};

pub(in crate::io::sequence) struct Fastq {
    source: Source,
    at: At,
    /// True before the first byte of a line.
    starts_line: bool,
    /// Number of the line, 1-based.
    line: u64,
    header: Header,
    /// Number of the record's first line.
    first_line: u64,
    symbols: u64,
    qualities: u64,
}

/// The role of a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    /// Blank line, or header of the next record.
    Between,
    Header,
    Sequence,
    Separator,
    Quality,
}

/// Faults of a record.
enum Fault {
    Start,
    Separator,
    Lengths,
    End,
}

impl Fastq {
    /// Parses a file whose next line has the number `line`.
    pub fn new(source: &Source, line: u64) -> Self {
        Self {
            source: source.clone(),
            at: At::Between,
            starts_line: true,
            line,
            header: Header::default(),
            first_line: line,
            symbols: 1,
            qualities: 1,
        }
    }

    /// Returns the number of the next line, if a new parser would parse what follows alike: between
    /// two records.
    pub fn handover(&self) -> Option<u64> {
        (self.starts_line && self.at == At::Between).then_some(self.line)
    }

    /// Adds to the line numbers.
    pub fn skip_lines(&mut self, lines: u64) {
        self.line += lines;
        self.first_line += lines;
    }

    /// Parses the next bytes. A record ends with its last quality, without waiting for the next
    /// line.
    pub fn take(&mut self, bytes: &[u8], visitor: &mut impl Visitor) -> Result<()> {
        let mut rest = bytes;
        while let Some(&first) = rest.first() {
            if std::mem::take(&mut self.starts_line) && self.start_line(first)? {
                rest = &rest[1..];
            }
            let end = memchr::memchr(b'\n', rest);
            self.piece(&rest[..end.unwrap_or(rest.len())], visitor)?;
            let Some(end) = end else { break };
            self.end_line(visitor)?;
            rest = &rest[end + 1..];
        }
        Ok(())
    }

    /// Parses the end of the file.
    pub fn finish(&mut self, visitor: &mut impl Visitor) -> Result<()> {
        match self.at {
            At::Between => Ok(()),
            At::Quality if self.qualities == self.symbols => visitor.end(b""),
            At::Separator if self.symbols == 0 => visitor.end(b""),
            At::Quality => Err(self.complaint(Fault::Lengths)),
            At::Header | At::Sequence | At::Separator => Err(self.complaint(Fault::End)),
        }
    }

    /// Checks the first byte of a line. Returns true for the '@' of a header.
    fn start_line(&mut self, first: u8) -> Result<bool> {
        match (self.at, first) {
            (At::Between, b'@') => {
                (self.at, self.first_line) = (At::Header, self.line);
                (self.symbols, self.qualities) = (0, 0);
                self.header.clear();
                return Ok(true);
            }
            (At::Sequence, b'+') => self.at = At::Separator,
            // The next header follows: the '+' line is missing.
            (At::Sequence, b'@' | b'>') => return Err(self.complaint(Fault::Separator)),
            _ => {}
        }
        Ok(false)
    }

    /// Parses a piece of a line.
    fn piece(&mut self, piece: &[u8], visitor: &mut impl Visitor) -> Result<()> {
        match self.at {
            At::Between if !piece.trim_ascii().is_empty() => {
                // After a read without symbols, these bytes are its qualities.
                Err(self.complaint(if self.symbols == 0 { Fault::Lengths } else { Fault::Start }))
            }
            At::Between | At::Separator => Ok(()),
            At::Header => {
                self.header.add(piece)?;
                if self.header.has_bare_return { Err(bare_return(&self.source)) } else { Ok(()) }
            }
            At::Sequence => {
                self.symbols += pass_symbols(piece, |symbols| visitor.symbols(symbols))?;
                Ok(())
            }
            At::Quality => {
                self.qualities += pass_symbols(piece, |qualities| visitor.quality(qualities))?;
                if self.qualities > self.symbols { Err(self.complaint(Fault::Lengths)) } else { Ok(()) }
            }
        }
    }

    fn end_line(&mut self, visitor: &mut impl Visitor) -> Result<()> {
        match self.at {
            At::Header => {
                visitor.line(self.first_line)?;
                visitor.begin(self.header.line(), 0)?;
                self.at = At::Sequence;
            }
            At::Separator => self.at = At::Quality,
            At::Between | At::Sequence | At::Quality => {}
        }
        if self.at == At::Quality && self.qualities == self.symbols {
            visitor.end(b"")?;
            self.at = At::Between;
        }
        self.starts_line = true;
        self.line += 1;
        Ok(())
    }

    fn complaint(&self, fault: Fault) -> Error {
        let &Self { line, first_line, symbols, qualities, .. } = self;
        let (fault, reason) = match fault {
            Fault::Start => (InputFault::Malformed, format!("line {line} should start a FASTQ record with '@'")),
            Fault::Separator => (
                InputFault::Malformed,
                format!("the FASTQ record at line {first_line} has no '+' line before line {line}"),
            ),
            Fault::Lengths => (
                InputFault::CutShort,
                if qualities > symbols || symbols == 0 {
                    format!(
                        "the FASTQ record at line {first_line} has {symbols} symbols, but more qualities in line {line}"
                    )
                } else {
                    format!(
                        "the file ends within the FASTQ record at line {first_line}, with {qualities} qualities for {symbols} symbols; \
                         it may be cut short"
                    )
                },
            ),
            Fault::End => (
                InputFault::CutShort,
                format!("the file ends within the FASTQ record at line {first_line}; it may be cut short"),
            ),
        };
        self.source.wrong(fault, reason)
    }
}
