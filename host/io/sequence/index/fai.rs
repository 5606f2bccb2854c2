//! A row of `FILE.fai`: where a record's symbols are, and how long its lines are.

use std::io::{self, Write};

/// A row. Its lines have `bases` symbols in `width` bytes, except for the last one, which may be
/// shorter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Row {
    pub name: Vec<u8>,
    /// Number of symbols.
    pub len: u64,
    /// Offset of the first symbol in the decompressed file, in bytes.
    pub offset: u64,
    /// Number of symbols of a line; 0 for a record without symbols.
    pub bases: u64,
    /// Number of bytes of a line, with its end.
    pub width: u64,
    /// Offset of the first quality, in a FASTQ file.
    pub qualities: Option<u64>,
}

impl Row {
    /// Parses a line of an index: five fields, or six for FASTQ, separated by tabs.
    pub fn parse(line: &[u8]) -> Option<Self> {
        let fields: Vec<&[u8]> = line.trim_ascii_end().split(|&byte| byte == b'\t').collect();
        let number = |at: usize| std::str::from_utf8(fields.get(at)?).ok()?.parse().ok();
        if !(5..=6).contains(&fields.len()) {
            return None;
        }
        Some(Self {
            name: fields[0].to_vec(),
            len: number(1)?,
            offset: number(2)?,
            bases: number(3)?,
            width: number(4)?,
            qualities: if fields.len() == 6 { Some(number(5)?) } else { None },
        })
    }

    /// Writes the line.
    pub fn write(&self, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
        let Self { name, len, offset, bases, width, qualities } = self;
        out.write_all(name)?;
        write!(out, "\t{len}\t{offset}\t{bases}\t{width}")?;
        if let Some(qualities) = qualities {
            write!(out, "\t{qualities}")?;
        }
        out.write_all(b"\n")
    }

    /// Returns the offset of a symbol, or `None` if the row has no symbols or the offset overflows.
    pub fn offset_of(&self, symbol: u64) -> Option<u64> {
        let lines = symbol.checked_div(self.bases)?;
        self.offset.checked_add(lines.checked_mul(self.width)?)?.checked_add(symbol % self.bases)
    }

    /// Returns the line end that the lengths show, or `None` if they show another, or no symbols.
    pub fn line_end(&self) -> Option<&'static [u8]> {
        if self.bases == 0 {
            return None;
        }
        match self.width.checked_sub(self.bases)? {
            1 => Some(b"\n"),
            2 => Some(b"\r\n"),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_as_they_are_written() {
        for line in ["chr1\t248956422\t112\t70\t71\n", "r\t4\t3\t4\t5\t10\n", "\t0\t2\t0\t0\n"] {
            let mut written = Vec::new();
            Row::parse(line.as_bytes()).unwrap().write(&mut written).unwrap();
            assert_eq!(written, line.as_bytes());
        }
        for line in ["", "chr1", "chr1\t1\t2\t3", "chr1\t1\t2\t3\tx", "chr1\t1\t2\t3\t-4", "a\t1\t2\t3\t4\t5\t6"] {
            assert_eq!(Row::parse(line.as_bytes()), None, "{line}");
        }
    }

    #[test]
    fn offsets_skip_line_ends() {
        let row = Row { len: 100, offset: 10, bases: 4, width: 6, ..Row::default() };
        assert_eq!([0, 3, 4, 9].map(|symbol| row.offset_of(symbol)), [10, 13, 16, 23].map(Some));
        assert_eq!(row.line_end(), Some(&b"\r\n"[..]));
        assert_eq!(Row { bases: 0, width: 1, ..row.clone() }.line_end(), None);
        assert_eq!(Row { width: u64::MAX, ..row.clone() }.offset_of(9), None);
        assert_eq!(Row { bases: 0, ..row }.offset_of(0), None);
    }
}
