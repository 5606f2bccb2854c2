//! A visitor that records the records of a piece of an input, to be played to another visitor.

use super::parse::Visitor;
use crate::{Result, memory};

/// Calls of a [`Visitor`], with their arguments.
#[derive(Default)]
pub(super) struct Recording {
    calls: Vec<Call>,
    headers: Vec<u8>,
    symbols: Vec<u8>,
    qualities: Vec<u8>,
}

/// A call of a visitor. Its argument begins at the end of the argument of the last such call.
#[derive(Clone, Copy)]
enum Call {
    Line(u64),
    /// The number is the end of the argument.
    Begin(usize),
    Symbols(usize),
    Quality(usize),
    End,
}

impl Recording {
    /// Removes all calls and keeps the memory.
    pub fn clear(&mut self) {
        self.calls.clear();
        self.headers.clear();
        self.symbols.clear();
        self.qualities.clear();
    }

    /// Makes the same calls again, with line numbers that are higher by `lines`.
    pub fn play(&self, lines: u64, visitor: &mut impl Visitor) -> Result<()> {
        let mut header = 0;
        let mut symbol = 0;
        let mut quality = 0;
        for &call in &self.calls {
            match call {
                Call::Line(line) => visitor.line(lines + line)?,
                Call::Begin(end) => visitor.begin(&self.headers[std::mem::replace(&mut header, end)..end], 0)?,
                Call::Symbols(end) => visitor.symbols(&self.symbols[std::mem::replace(&mut symbol, end)..end])?,
                Call::Quality(end) => visitor.quality(&self.qualities[std::mem::replace(&mut quality, end)..end])?,
                Call::End => visitor.end(b"")?,
            }
        }
        Ok(())
    }

    fn add(&mut self, call: Call) -> Result<()> {
        // Symbols and qualities come in pieces, which are joined.
        match (self.calls.last_mut(), call) {
            (Some(Call::Symbols(last)), Call::Symbols(end)) => *last = end,
            (Some(Call::Quality(last)), Call::Quality(end)) => *last = end,
            _ => {
                memory::reserve(&mut self.calls, 1, "the records of a part")?;
                self.calls.push(call);
            }
        }
        Ok(())
    }
}

/// Records FASTA and FASTQ records: they have no place, and no line ends.
impl Visitor for Recording {
    fn line(&mut self, number: u64) -> Result<()> {
        self.add(Call::Line(number))
    }

    fn begin(&mut self, header: &[u8], _: u64) -> Result<()> {
        memory::reserve(&mut self.headers, header.len(), "the header of a record")?;
        self.headers.extend_from_slice(header);
        self.add(Call::Begin(self.headers.len()))
    }

    fn symbols(&mut self, symbols: &[u8]) -> Result<()> {
        memory::reserve(&mut self.symbols, symbols.len(), "a part of a text")?;
        self.symbols.extend_from_slice(symbols);
        self.add(Call::Symbols(self.symbols.len()))
    }

    fn quality(&mut self, quality: &[u8]) -> Result<()> {
        memory::reserve(&mut self.qualities, quality.len(), "the qualities of a record")?;
        self.qualities.extend_from_slice(quality);
        self.add(Call::Quality(self.qualities.len()))
    }

    fn end(&mut self, _: &[u8]) -> Result<()> {
        self.add(Call::End)
    }
}
