//! Lines: each ends with '
//! ', and a '\r' before that is dropped; the last line may lack its end.

use super::visitor::Visitor;
use crate::Result;

#[derive(Default)]
pub(in crate::io::sequence) struct Lines {
    /// True if a line has begun.
    within: bool,
    /// True if its last byte is a '\r' that has not been passed on: it is a symbol unless the line
    /// ends here.
    has_return: bool,
    /// Number of bytes so far.
    place: u64,
}

impl Lines {
    /// Returns a parser for a file from byte `place` on.
    pub fn after(place: u64) -> Self {
        Self { place, ..Self::default() }
    }

    pub fn take(&mut self, bytes: &[u8], visitor: &mut impl Visitor) -> Result<()> {
        let mut rest = bytes;
        while let Some(&first) = rest.first() {
            if !self.within {
                visitor.begin(b"", self.place)?;
                self.within = true;
            }
            if std::mem::take(&mut self.has_return) {
                if first == b'\n' {
                    self.end(b"\r\n", visitor)?;
                    self.place += 1;
                    rest = &rest[1..];
                    continue;
                }
                visitor.symbols(b"\r")?;
            }
            let end = memchr::memchr(b'\n', rest);
            let line = &rest[..end.unwrap_or(rest.len())];
            let symbols = line.strip_suffix(b"\r").unwrap_or(line);
            self.has_return = symbols.len() < line.len();
            if !symbols.is_empty() {
                visitor.symbols(symbols)?;
            }
            self.place += line.len() as u64;
            let Some(end) = end else { break };
            self.end(if self.has_return { b"\r\n" } else { b"\n" }, visitor)?;
            self.place += 1;
            rest = &rest[end + 1..];
        }
        Ok(())
    }

    pub fn finish(&mut self, visitor: &mut impl Visitor) -> Result<()> {
        if !self.within {
            return Ok(());
        }
        self.end(if self.has_return { b"\r" } else { b"" }, visitor)
    }

    fn end(&mut self, line_end: &[u8], visitor: &mut impl Visitor) -> Result<()> {
        (self.within, self.has_return) = (false, false);
        visitor.end(line_end)
    }
}
