//! The rows of `FILE.fai`, made from the bytes of a file as they arrive.
//!
//! A record can be indexed if all its lines but the last have one length, and no line has blanks.
//! The rules are those of `samtools faidx`, except that comments in FASTA are refused (samtools
//! takes them for symbols), and that records without symbols have a row.

use super::fai::Row;
use crate::error::InputFault;
use crate::io::sequence::Format;
use crate::io::sequence::source::Source;
use crate::{Error, Result, memory};

/// Makes rows from the lines of a file.
pub(super) struct Rows {
    source: Source,
    /// Format, once the first line that is not blank is there.
    format: Option<Format>,
    at: At,
    /// The row of the current record.
    row: Row,
    /// Number of qualities that the record still needs.
    missing: u64,
    line: Line,
    /// Number of the line, 1-based.
    number: u64,
    /// Offset of the next byte.
    place: u64,
}

/// Allowed content of the next line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    /// A header.
    Between,
    /// Symbols of a record.
    Symbols,
    /// Anything but symbols: a line was shorter than the others.
    Behind,
    /// Qualities.
    Qualities,
}

/// The current line so far.
#[derive(Debug, Default)]
struct Line {
    first: Option<u8>,
    /// Number of bytes without the line feed.
    len: u64,
    /// True if the last byte is a carriage return.
    ends_in_return: bool,
    /// True if a byte is not a visible ASCII character, except for a carriage return at the end.
    has_blank: bool,
    /// The line itself, if it is a header.
    header: Vec<u8>,
}

impl Line {
    fn add(&mut self, bytes: &[u8]) -> Result<()> {
        let Some(&last) = bytes.last() else { return Ok(()) };
        let first = *self.first.get_or_insert(bytes[0]);
        self.has_blank |= self.ends_in_return;
        self.ends_in_return = last == b'\r';
        let inner = if self.ends_in_return { &bytes[..bytes.len() - 1] } else { bytes };
        self.has_blank |= !inner.iter().fold(true, |all, byte| all & byte.is_ascii_graphic());
        self.len += bytes.len() as u64;
        if matches!(first, b'>' | b'@') {
            memory::reserve(&mut self.header, bytes.len(), "the header of a record")?;
            self.header.extend_from_slice(bytes);
        }
        Ok(())
    }

    /// Returns the number of bytes without the line end.
    fn symbols(&self) -> u64 {
        self.len - u64::from(self.ends_in_return)
    }

    fn is_blank(&self) -> bool {
        self.symbols() == 0
    }
}

impl Rows {
    pub fn new(source: &Source) -> Self {
        Self {
            source: source.clone(),
            format: None,
            at: At::Between,
            row: Row::default(),
            missing: 0,
            line: Line::default(),
            number: 1,
            place: 0,
        }
    }

    /// Takes the next bytes, and passes completed rows on.
    ///
    /// # Errors
    /// [`Error::Input`] if a record cannot be indexed; errors of `pass`.
    pub fn take(&mut self, bytes: &[u8], mut pass: impl FnMut(Row) -> Result<()>) -> Result<()> {
        let mut rest = bytes;
        while let Some(end) = memchr::memchr(b'\n', rest) {
            self.line.add(&rest[..end])?;
            self.place += end as u64 + 1;
            self.end_line(&mut pass)?;
            rest = &rest[end + 1..];
        }
        self.place += rest.len() as u64;
        self.line.add(rest)
    }

    /// Takes the end of the file.
    ///
    /// # Errors
    /// As [`take`](Self::take).
    pub fn finish(&mut self, mut pass: impl FnMut(Row) -> Result<()>) -> Result<()> {
        if self.line.len > 0 {
            self.end_line(&mut pass)?;
        }
        match (self.format, self.at) {
            (None, _) => Err(self.source.wrong(InputFault::Empty, "the file is empty; nothing can be indexed")),
            (_, At::Between) => Ok(()),
            (Some(Format::Fasta), _) => pass(std::mem::take(&mut self.row)),
            _ => Err(self.source.wrong(InputFault::CutShort, "the file ends within its last record")),
        }
    }

    fn end_line(&mut self, pass: &mut impl FnMut(Row) -> Result<()>) -> Result<()> {
        let line = std::mem::take(&mut self.line);
        if self.format.is_none() {
            self.format = match line.first {
                _ if line.is_blank() => None,
                Some(b'>') => Some(Format::Fasta),
                Some(b'@') => Some(Format::Fastq),
                _ => {
                    let reason = "neither FASTA (starts with '>') nor FASTQ ('@'), so it cannot be indexed";
                    return Err(self.source.wrong(InputFault::NoFormat, reason));
                }
            };
        }
        match self.format {
            None => {}
            Some(Format::Fastq) => self.end_fastq_line(line, pass)?,
            Some(_) => self.end_fasta_line(line, pass)?,
        }
        self.number += 1;
        Ok(())
    }

    fn end_fasta_line(&mut self, line: Line, pass: &mut impl FnMut(Row) -> Result<()>) -> Result<()> {
        match line.first {
            Some(b'>') => {
                if self.at != At::Between {
                    pass(std::mem::take(&mut self.row))?;
                }
                self.begin(&line);
                Ok(())
            }
            _ if line.is_blank() => {
                if self.at == At::Symbols {
                    self.at = At::Behind;
                }
                Ok(())
            }
            Some(b';') => Err(self.wrong("is a comment, which an index cannot have")),
            _ => self.add_symbols(&line),
        }
    }

    fn end_fastq_line(&mut self, line: Line, pass: &mut impl FnMut(Row) -> Result<()>) -> Result<()> {
        match (self.at, line.first) {
            (At::Between, _) if line.is_blank() => Ok(()),
            (At::Between, Some(b'@')) => {
                self.begin(&line);
                Ok(())
            }
            (At::Between, _) => Err(self.wrong("should start a FASTQ record with '@'")),
            (At::Symbols | At::Behind, Some(b'+')) if self.row.len > 0 => {
                self.row.qualities = Some(self.place);
                self.missing = self.row.len;
                self.at = At::Qualities;
                Ok(())
            }
            (At::Symbols | At::Behind, Some(b'@')) => {
                Err(self.wrong("starts a record before the '+' line of the last"))
            }
            (At::Symbols | At::Behind, _) if line.is_blank() || self.row.len == 0 && line.first == Some(b'+') => {
                Err(self.wrong("is in a record that has an empty line"))
            }
            (At::Symbols | At::Behind, _) => self.add_symbols(&line),
            (At::Qualities, _) => {
                let Row { bases, width, .. } = self.row;
                let is_last = line.symbols() == self.missing;
                let is_full = line.symbols() == bases && line.len + 1 == width;
                if line.has_blank || !(is_last && line.symbols() <= bases || is_full && self.missing > bases) {
                    return Err(self.wrong("has qualities in other lengths than the lines of symbols"));
                }
                self.missing -= line.symbols();
                if self.missing == 0 {
                    self.at = At::Between;
                    pass(std::mem::take(&mut self.row))?;
                }
                Ok(())
            }
        }
    }

    /// Begins a record with its header line.
    fn begin(&mut self, line: &Line) {
        let name = line.header[1..].split(u8::is_ascii_whitespace).find(|word| !word.is_empty()).unwrap_or_default();
        self.row = Row { name: name.to_vec(), offset: self.place, ..Row::default() };
        self.at = At::Symbols;
    }

    /// Adds a line of symbols.
    fn add_symbols(&mut self, line: &Line) -> Result<()> {
        let symbols = line.symbols();
        let width = line.len + 1;
        match self.at {
            At::Between => return Err(self.wrong("has symbols before the first header line")),
            At::Behind => return Err(self.wrong("comes after a shorter line of the same record")),
            At::Symbols | At::Qualities => {}
        }
        if line.has_blank {
            return Err(self.wrong("has blanks or other characters that are not visible ASCII"));
        }
        if self.row.len == 0 {
            self.row.bases = symbols;
            self.row.width = width;
        } else if symbols > self.row.bases || width > self.row.width {
            return Err(self.wrong("is longer than the lines before it in the same record"));
        }
        if symbols < self.row.bases || width < self.row.width {
            self.at = At::Behind;
        }
        self.row.len += symbols;
        Ok(())
    }

    fn wrong(&self, what: &str) -> Error {
        let name = String::from_utf8_lossy(&self.row.name);
        let record = if self.at == At::Between { String::new() } else { format!(" (record '{name}')") };
        self.source
            .wrong(InputFault::Malformed, format!("line {} {what}{record}, so it cannot be indexed", self.number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the index of a text that arrives in pieces.
    fn index(text: &str, piece: usize) -> std::result::Result<String, String> {
        let mut rows = Rows::new(&Source::new("x", "x"));
        let mut index = Vec::new();
        let mut pass = |row: Row| row.write(&mut index).map_err(|fault| Source::new("x", "x").io(fault));
        let mut take = || {
            text.as_bytes().chunks(piece).try_for_each(|piece| rows.take(piece, &mut pass))?;
            rows.finish(&mut pass)
        };
        take().map_err(|error: Error| error.to_string())?;
        Ok(String::from_utf8(index).unwrap())
    }

    #[test]
    fn rows_are_those_that_samtools_writes() {
        for (text, expected) in [
            // The examples of the manual page faidx(5).
            (
                ">one\nATGCATGCATGCATGCATGCATGCATGCAT\nGCATGCATGCATGCATGCATGCATGCATGC\nATGCAT\n>two another chromosome\nATGCATGCATGCAT\nGCATGCATGCATGC\n",
                "one\t66\t5\t30\t31\ntwo\t28\t98\t14\t15\n",
            ),
            (
                ">one\r\nATGCATGCATGCATGCATGCATGCATGCAT\r\nGCATGCATGCATGCATGCATGCATGCATGC\r\nATGCAT\r\n>two another chromosome\r\nATGCATGCATGCAT\r\nGCATGCATGCATGC\r\n",
                "one\t66\t6\t30\t32\ntwo\t28\t103\t14\t16\n",
            ),
            (
                "@fastq1\nATGCATGCATGCATGCATGCATGCATGCAT\nGCATGCATGCATGCATGCATGCATGCATGC\nATGCAT\n+\nFFFA@@FFFFFFFFFFHHB:::@BFFFFGG\nHIHIIIIIIIIIIIIIIIIIIIIIIIFFFF\n8011<<\n@fastq2\nATGCATGCATGCAT\nGCATGCATGCATGC\n+\nIIA94445EEII==\n=>IIIIIIIIICCC\n",
                "fastq1\t66\t8\t30\t31\t79\nfastq2\t28\t156\t14\t15\t188\n",
            ),
            (">a\nACGT", "a\t4\t3\t4\t5\n"),
            ("\n>a\nACGT\nACGT\nA\n\n\n> b c\n\n>c\n", "a\t9\t4\t4\t5\nb\t0\t24\t0\t0\nc\t0\t28\t0\t0\n"),
        ] {
            for piece in [1, 2, 7, 1000] {
                assert_eq!(index(text, piece).as_deref(), Ok(expected), "{text}");
            }
        }
    }

    #[test]
    fn records_with_uneven_lines_are_refused() {
        for (text, reason) in [
            ("", "the file is empty"),
            ("\n\n", "the file is empty"),
            ("ACGT\n", "neither FASTA"),
            ("\u{feff}>a\nACGT\n", "neither FASTA"),
            (">a\nAC\nACGT\n", "line 3 is longer"),
            (">a\nACGT\nAC\nACGT\n", "line 4 comes after a shorter line of the same record (record 'a')"),
            (">a\nACGT\n\nACGT\n", "line 4 comes after a shorter line"),
            (">a\r\nACGT\r\nACGT\nACGT\n", "line 4 comes after a shorter line"),
            (">a\nACGT\nACGT\r\n", "line 3 is longer"),
            (">a\nAC T\n", "line 2 has blanks"),
            (">a\nAC\rT\n", "line 2 has blanks"),
            (">a\nACGT\n;x\n", "line 3 is a comment"),
            ("@a\nACGT\n+\nIII\n", "line 4 has qualities in other lengths"),
            ("@a\nACGT\n+\nIIIII\n", "line 4 has qualities in other lengths"),
            ("@a\nACGT\nAC\n+\nII\nIIII\n", "line 5 has qualities in other lengths"),
            ("@a\nACGT\n", "the file ends within its last record"),
            ("@a\nACGT\n+\n", "the file ends within its last record"),
            ("@a\n\n+\n\n", "line 2 is in a record that has an empty line"),
            ("@a\nACGT\n@b\n", "line 3 starts a record before"),
            ("@a\nACGT\n+\nIIII\nACGT\n", "line 5 should start a FASTQ record"),
        ] {
            for piece in [1, 3, 1000] {
                let error = index(text, piece).unwrap_err();
                assert!(error.contains(reason), "{text:?}: {error}");
            }
        }
    }
}
