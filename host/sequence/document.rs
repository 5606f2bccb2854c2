//! A whole file: its lines, or all records of a FASTA or FASTQ file, side by side in memory.

use super::{Kind, Source, Watched, kind};
use crate::Result;
use needletail::parser::{FastaReader, FastqReader, FastxReader};
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::ops::Range;
use std::path::Path;

/// Bytes that tell the format; the first lines of a FASTQ file fit, but for the longest reads.
const HEAD: usize = 1 << 16;

/// What the parts of a [`Document`] are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// The lines of any file, without their line ends.
    Lines,
    /// The records of a FASTA file.
    Fasta,
    /// The records of a FASTQ file.
    Fastq,
}

/// A file in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Document {
    /// What the records are.
    pub format: Format,
    /// Of [`Format::Lines`] the bytes of the file, decompressed; of the others the symbols of all records, one after the
    /// other, without line ends and blanks.
    pub symbols: Vec<u8>,
    /// Where each record is in the symbols.
    pub records: Vec<Range<usize>>,
    /// The records' names, the headers up to the first blank; lines have none.
    pub names: Vec<String>,
}

impl Document {
    /// From bytes: every line a record.
    pub fn lines(symbols: Vec<u8>) -> Self {
        let mut records = Vec::new();
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', &symbols) {
            records.push(start..end);
            start = end + 1;
        }
        if start < symbols.len() {
            records.push(start..symbols.len());
        }
        // Lines that end in CR LF have neither.
        for record in &mut records {
            if symbols[record.clone()].ends_with(b"\r") {
                record.end -= 1;
            }
        }
        Self { format: Format::Lines, symbols, records, names: Vec::new() }
    }

    /// What the first record's symbols are.
    pub fn kind(&self) -> Kind {
        match (self.format, self.records.first()) {
            (Format::Lines, _) => Kind::Bytes,
            (_, Some(first)) => kind(&self.symbols[first.start..first.end.min(first.start + HEAD)]),
            (_, None) => Kind::Nucleotide,
        }
    }
}

/// Reads all of the file at `path`, `-` being standard input, decompressing gzip.
///
/// A file that starts with '>' is FASTA, one that starts with '@' and has a '+' line is FASTQ; any other has lines,
/// whatever its bytes are. With `raw`, every file has lines, and is not decompressed. O(file) in time and memory.
///
/// # Errors
/// [`Error::Io`](crate::Error::Io) when the file cannot be read, and [`Error::Input`](crate::Error::Input) when it is cut
/// short, damaged or compressed with something else.
pub fn read_document(path: impl AsRef<Path>, raw: bool) -> Result<Document> {
    let path = path.as_ref();
    if path == Path::new("-") {
        return read(&Source::new("standard input", "stdin"), io::stdin(), raw);
    }
    let source = Source::new(path, "");
    let file = File::open(path).map_err(|fault| source.io(fault))?;
    if file.metadata().map_err(|fault| source.io(fault))?.is_dir() {
        return Err(source.wrong("this is a directory; give a file in it"));
    }
    read(&source, file, raw)
}

fn read(source: &Source, mut input: impl Read + Send + 'static, raw: bool) -> Result<Document> {
    if raw {
        let mut symbols = Vec::new();
        input.read_to_end(&mut symbols).map_err(|fault| source.io(fault))?;
        return Ok(Document::lines(symbols));
    }
    source.decompressed(input, |bytes| parts(source, bytes))
}

fn parts(source: &Source, mut bytes: Watched) -> Result<Document> {
    let mut head = Vec::new();
    bytes.by_ref().take(HEAD as u64).read_to_end(&mut head).map_err(|fault| source.io(fault))?;
    let blanks = if head.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let blanks = blanks + head[blanks..].iter().take_while(|b| b.is_ascii_whitespace()).count();
    let format = format(&head[blanks..]);
    if format == Format::Lines {
        bytes.read_to_end(&mut head).map_err(|fault| source.io(fault))?;
        return Ok(Document::lines(head));
    }
    let bytes = Cursor::new(head.split_off(blanks)).chain(bytes);
    let mut reader: Box<dyn FastxReader> = match format {
        Format::Fastq => Box::new(FastqReader::new(bytes)),
        // needletail takes a header without a line after it for a cut file, at the end only.
        _ => Box::new(FastaReader::new(bytes.chain(&b"\n\n"[..]))),
    };
    let mut document = Document { format, symbols: Vec::new(), records: Vec::new(), names: Vec::new() };
    while let Some(record) = reader.next() {
        let record = record.map_err(|fault| source.malformed(&fault))?;
        if record.id().contains(&b'\r') {
            return Err(source.wrong("the lines end in a bare carriage return; convert them first: tr '\\r' '\\n'"));
        }
        let start = document.symbols.len();
        let symbols = record.raw_seq().split(u8::is_ascii_whitespace);
        symbols.for_each(|part| document.symbols.extend_from_slice(part));
        document.records.push(start..document.symbols.len());
        let header = String::from_utf8_lossy(record.id());
        document.names.push(header.split_whitespace().next().unwrap_or("").to_owned());
    }
    Ok(document)
}

/// By the first bytes, after blanks.
fn format(head: &[u8]) -> Format {
    match head.first() {
        Some(b'>') => Format::Fasta,
        Some(b'@') => {
            let mut lines = head.split(|&byte| byte == b'\n').skip(2);
            match lines.next() {
                Some(separator) if separator.starts_with(b"+") => Format::Fastq,
                // A read so long that the line is not in sight.
                None if head.len() >= HEAD / 2 => Format::Fastq,
                _ => Format::Lines,
            }
        }
        _ => Format::Lines,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(content: &[u8]) -> Document {
        read(&Source::new("x", "x"), Cursor::new(content.to_vec()), false).unwrap()
    }

    fn texts(document: &Document) -> Vec<&str> {
        document.records.iter().map(|r| std::str::from_utf8(&document.symbols[r.clone()]).unwrap()).collect()
    }

    #[test]
    fn lines_of_any_file() {
        for (content, expected) in [
            ("", &[][..]),
            ("\n", &[""]),
            ("a\r\nb\n\nc", &["a", "b", "", "c"]),
            ("@someone\nhello\nthere\n", &["@someone", "hello", "there"]),
            ("@someone", &["@someone"]),
        ] {
            let document = document(content.as_bytes());
            assert_eq!((document.format, texts(&document)), (Format::Lines, expected.to_vec()), "{content:?}");
            assert_eq!(document.symbols, content.as_bytes());
        }
    }

    #[test]
    fn records_of_sequences() {
        let fasta = document(b"\n>one first\nAC GT\r\nAC\n>two\n\n>three\nGG");
        assert_eq!((fasta.format, texts(&fasta)), (Format::Fasta, vec!["ACGTAC", "", "GG"]));
        assert_eq!(fasta.names, ["one", "two", "three"]);
        assert_eq!(fasta.kind(), Kind::Nucleotide);
        let fastq = document(b"@r1\nACGT\n+\nIIII\n@r2\nAC\n+\nII\n");
        assert_eq!((fastq.format, texts(&fastq)), (Format::Fastq, vec!["ACGT", "AC"]));
        let long = [b"@r\n".to_vec(), vec![b'A'; 2 * HEAD], b"\n+\n".to_vec(), vec![b'I'; 2 * HEAD]].concat();
        assert_eq!(document(&long).symbols.len(), 2 * HEAD);
    }
}
