//! A whole file: its lines, or all records of a FASTA or FASTQ file, side by side in memory.

use super::kind::{Guess, Letters};
use super::unpack::{Watched, WithoutBlankEnd};
use super::{Kind, Source, add_symbols};
use crate::text::Text;
use crate::{Result, memory};
use needletail::parser::{FastaReader, FastqReader, FastxReader};
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// Bytes that tell the format; the first lines of a FASTQ file fit, but for the longest reads.
const HEAD: usize = 1 << 16;
/// Symbols that tell what the records are, and how many of each.
const SAMPLE: (u64, usize) = (1 << 16, 1 << 12);

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
    ///
    /// # Errors
    /// [`Error::Memory`](crate::Error::Memory) for more lines than there is memory for.
    pub fn lines(symbols: Vec<u8>) -> Result<Self> {
        let mut records = Vec::new();
        let mut start = 0;
        let mut add = |record| {
            memory::reserve(&mut records, 1, "the lines of a file")?;
            records.push(record);
            Ok::<_, crate::Error>(())
        };
        for end in memchr::memchr_iter(b'\n', &symbols) {
            add(start..end)?;
            start = end + 1;
        }
        if start < symbols.len() {
            add(start..symbols.len())?;
        }
        // Lines that end in CR LF have neither.
        for record in &mut records {
            if symbols[record.clone()].ends_with(b"\r") {
                record.end -= 1;
            }
        }
        Ok(Self { format: Format::Lines, symbols, records, names: Vec::new() })
    }

    /// The symbols with their records, as jobs take them.
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage) for records that were changed, and are out of order or not within the symbols.
    pub fn text(&self) -> Result<Text<'_>> {
        Text::with_records(&self.symbols, &self.records)
    }

    /// A record's name; none for a line, and for a record whose header has none.
    pub fn name(&self, record: usize) -> Option<&str> {
        self.names.get(record).map(String::as_str).filter(|name| !name.is_empty())
    }

    /// What the records' symbols are, by the first records.
    pub fn kind(&self) -> Kind {
        self.guess().kind
    }

    /// Whether the kind can hardly be another one: nucleotides with many codes among them may be a protein.
    pub fn kind_is_certain(&self) -> bool {
        self.guess().certain
    }

    fn guess(&self) -> Guess {
        if self.format == Format::Lines {
            return Guess { kind: Kind::Bytes, certain: true };
        }
        let mut letters = Letters::new();
        for record in &self.records {
            letters.add(&self.symbols[record.start..record.end.min(record.start + SAMPLE.1)]);
            if letters.count() >= SAMPLE.0 {
                break;
            }
        }
        letters.guess()
    }
}

/// How [`read_document`] takes a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DocumentOptions {
    /// Take the bytes as lines, once decompressed, whatever they are.
    pub raw: bool,
    /// Take a compressed file as the bytes that it has.
    pub keep_compressed: bool,
}

/// Reads all of the file at `path`, `-` being standard input, decompressing gzip.
///
/// A file that starts with '>' is FASTA, one that starts with '@' and has a '+' line is FASTQ; any other has lines,
/// whatever its bytes are. O(file) in time and memory.
///
/// # Errors
/// [`Error::Io`](crate::Error::Io) when the file cannot be read, [`Error::Input`](crate::Error::Input) when it is cut
/// short, damaged or compressed with something else, and [`Error::Memory`](crate::Error::Memory) when it does not fit.
pub fn read_document(path: impl AsRef<Path>, options: DocumentOptions) -> Result<Document> {
    let path = path.as_ref();
    if path == Path::new("-") {
        return read(&Source::new("standard input", "stdin"), io::stdin(), options);
    }
    let source = Source::new(path, "");
    let file = File::open(path).map_err(|fault| source.io(fault))?;
    if file.metadata().map_err(|fault| source.io(fault))?.is_dir() {
        return Err(source.wrong("this is a directory; give a file in it"));
    }
    read(&source, file, options)
}

fn read(source: &Source, input: impl Read + Send + 'static, options: DocumentOptions) -> Result<Document> {
    source.unpacked(input, (options.raw, options.keep_compressed), |mut bytes| {
        if options.raw {
            let mut symbols = Vec::new();
            bytes.read_to_end(&mut symbols).map_err(|fault| source.io(fault))?;
            return Document::lines(symbols);
        }
        parts(source, bytes)
    })
}

fn parts(source: &Source, mut bytes: Watched) -> Result<Document> {
    let mut head = Vec::new();
    bytes.by_ref().take(HEAD as u64).read_to_end(&mut head).map_err(|fault| source.io(fault))?;
    let blanks = if head.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let blanks = blanks + head[blanks..].iter().take_while(|b| b.is_ascii_whitespace()).count();
    let format = format(&head[blanks..]);
    if format == Format::Lines {
        bytes.kept_whole = false;
        bytes.read_to_end(&mut head).map_err(|fault| source.io(fault))?;
        return Document::lines(head);
    }
    let watch = Arc::clone(&bytes.watch);
    let bytes = Cursor::new(head.split_off(blanks)).chain(bytes);
    let mut reader: Box<dyn FastxReader> = match format {
        Format::Fastq => Box::new(FastqReader::new(WithoutBlankEnd::new(bytes))),
        // needletail takes a header without a line after it for a cut file, at the end only.
        _ => Box::new(FastaReader::new(bytes.chain(&b"\n\n"[..]))),
    };
    let mut document = Document { format, symbols: Vec::new(), records: Vec::new(), names: Vec::new() };
    while let Some(record) = reader.next() {
        let record = record.map_err(|fault| source.malformed(&fault))?;
        watch.record();
        if record.id().contains(&b'\r') {
            return Err(source.wrong("the lines end in a bare carriage return; convert them first: tr '\\r' '\\n'"));
        }
        let start = document.symbols.len();
        add_symbols(&mut document.symbols, record.raw_seq())?;
        memory::reserve(&mut document.records, 1, "the records of a file")?;
        memory::reserve(&mut document.names, 1, "the names of records")?;
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
        read(&Source::new("x", "x"), Cursor::new(content.to_vec()), DocumentOptions::default()).unwrap()
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
