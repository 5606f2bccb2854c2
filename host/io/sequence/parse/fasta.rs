//! FASTA: a header line that starts with '>', then lines of symbols, up to the next such line. A
//! line that starts with ';' is a comment, wherever it is.

use super::cut::Cut;
use super::line::{Header, bare_return, pass_symbols};
use super::unwrap::unwrap;
use super::visitor::Visitor;
use crate::Result;
use crate::error::InputFault;
use crate::io::sequence::source::Source;

pub(in crate::io::sequence) struct Fasta {
    source: Source,
    at: At,
    header: Header,
    /// True if a record has begun.
    within: bool,
    /// Number of the line, 1-based.
    line: u64,
}

/// Symbols that are joined before they are passed on.
const JOINED: usize = 1 << 12;

/// Parser state.
#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    LineStart,
    Header,
    Comment,
    Line,
}

impl At {
    fn behind(cut: Cut) -> Self {
        if cut.within_line { Self::Line } else { Self::LineStart }
    }
}

impl Fasta {
    /// Parses a file whose next line has the number `line`.
    pub fn new(source: &Source, line: u64) -> Self {
        Self { source: source.clone(), at: At::LineStart, header: Header::default(), within: false, line }
    }

    /// Returns a parser for the lines of a record after a cut. Its line numbers count from 0.
    pub fn within(source: &Source, cut: Cut) -> Self {
        Self { within: true, at: At::behind(cut), ..Self::new(source, 0) }
    }

    /// Returns the number of the next line or, within a line, of this line, if a parser of
    /// [`within`](Self::within) would parse the next bytes alike.
    pub fn handover(&self, cut: Cut) -> Option<u64> {
        (self.within && self.at == At::behind(cut)).then_some(self.line)
    }

    /// Adds to the line numbers.
    pub fn skip_lines(&mut self, lines: u64) {
        self.line += lines;
    }

    /// Parses the next bytes.
    pub fn take(&mut self, bytes: &[u8], visitor: &mut impl Visitor) -> Result<()> {
        let mut rest = bytes;
        let mut joined = [0; JOINED];
        while let Some(&first) = rest.first() {
            match first {
                b'>' if self.at == At::LineStart => {
                    self.end(visitor)?;
                    self.at = At::Header;
                    rest = &rest[1..];
                    continue;
                }
                b';' if self.at == At::LineStart => self.at = At::Comment,
                _ => {}
            }
            if self.within && matches!(self.at, At::LineStart | At::Line) {
                let done = unwrap(rest, &mut joined);
                if done.taken > 0 {
                    if done.symbols > 0 {
                        visitor.symbols(&joined[..done.symbols])?;
                    }
                    self.line += done.lines;
                    self.at = if rest[done.taken - 1] == b'\n' { At::LineStart } else { At::Line };
                    rest = &rest[done.taken..];
                    continue;
                }
            }
            let end = memchr::memchr(b'\n', rest);
            let line = &rest[..end.unwrap_or(rest.len())];
            match self.at {
                At::Header => {
                    self.header.add(line)?;
                    if self.header.has_bare_return {
                        return Err(bare_return(&self.source));
                    }
                    if end.is_some() {
                        self.begin(visitor)?;
                    }
                }
                At::Comment => {}
                At::LineStart | At::Line => {
                    let symbols = pass_symbols(line, |symbols| visitor.symbols(symbols))?;
                    if symbols > 0 && !self.within {
                        let reason = format!(
                            "line {} has symbols before the first header line, which starts with '>'",
                            self.line
                        );
                        return Err(self.source.wrong(InputFault::Malformed, reason));
                    }
                    self.at = At::Line;
                }
            }
            let Some(end) = end else { break };
            self.at = At::LineStart;
            self.line += 1;
            rest = &rest[end + 1..];
        }
        Ok(())
    }

    pub fn finish(&mut self, visitor: &mut impl Visitor) -> Result<()> {
        if self.at == At::Header {
            self.begin(visitor)?;
        }
        self.end(visitor)
    }

    fn begin(&mut self, visitor: &mut impl Visitor) -> Result<()> {
        visitor.line(self.line)?;
        visitor.begin(self.header.line(), 0)?;
        self.header.clear();
        self.within = true;
        Ok(())
    }

    fn end(&mut self, visitor: &mut impl Visitor) -> Result<()> {
        if std::mem::take(&mut self.within) { visitor.end(b"") } else { Ok(()) }
    }
}
