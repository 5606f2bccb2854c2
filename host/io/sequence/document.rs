//! A whole file in memory: its lines, or all records of a FASTA or FASTQ file.

use super::chunks::{Division, Feed};
use super::excerpt::Excerpt;
use super::kind::{Guess, Sample};
use super::opened::{Wanted, open_records};
use super::parse::{Parser, Visitor, blanks, mark};
use super::source::Bytes;
use super::{Format, Kind};
use crate::text::Text;
use crate::threads;
use crate::{Result, memory};
use std::ops::Range;
use std::path::Path;

/// A file in memory.
///
/// ```
/// use carrywave::io::sequence::{DocumentOptions, Format, Kind, read_document};
///
/// let document = read_document("data/humanMito.fa", DocumentOptions::default())?;
/// assert_eq!(
///     (document.format, document.kind(), document.kind_is_certain()),
///     (Format::Fasta, Kind::Nucleotide, true)
/// );
/// assert_eq!(
///     (document.name(0), document.comment(0), document.line(0)),
///     (Some("humanMito"), "", 1)
/// );
/// assert_eq!(
///     carrywave::search::Search::new(carrywave::text::Pattern::literal(b"GATCACAGG"))
///         .count(document.text()?)?,
///     1
/// );
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Document {
    /// Format of the file.
    pub format: Format,
    /// Bytes of the file, decompressed, for [`Format::Lines`]; otherwise the concatenated symbols
    /// of all records, without line ends and blanks.
    pub symbols: Vec<u8>,
    /// Range of each record in the symbols.
    pub records: Vec<Range<usize>>,
    /// Names of the records: the headers up to the first blank. Empty for lines.
    pub names: Vec<String>,
    /// Header text after the name of each record. Empty for lines.
    pub comments: Vec<String>,
    /// Line number of the start of each record, 1-based. Empty for lines, where it is the record's
    /// own number.
    pub line_numbers: Vec<u64>,
    /// Qualities of a FASTQ file, one for each symbol, if [`DocumentOptions::qualities`] is set.
    pub qualities: Vec<u8>,
    /// The part of the only record, if the path chose a region.
    pub excerpt: Option<Excerpt>,
}

impl Document {
    /// Returns a document of bytes in memory; every line is a record.
    ///
    /// ```
    /// let document = carrywave::io::sequence::Document::lines(b"one\ntwo\r\n".to_vec())?;
    /// assert_eq!(document.records, [0..3, 4..7]);
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Memory`](crate::Error::Memory) if the lines do not fit into memory.
    pub fn lines(symbols: Vec<u8>) -> Result<Self> {
        Self::lines_from(symbols, 0)
    }

    /// Returns a document of lines that skips the bytes before `start`.
    fn lines_from(symbols: Vec<u8>, mut start: usize) -> Result<Self> {
        let mut records = Vec::new();
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
        // Drop the CR of lines that end in CR LF.
        for record in &mut records {
            if symbols[record.clone()].ends_with(b"\r") {
                record.end -= 1;
            }
        }
        Ok(Self { symbols, records, ..Self::empty(Format::Lines) })
    }

    fn empty(format: Format) -> Self {
        Self {
            format,
            symbols: Vec::new(),
            records: Vec::new(),
            names: Vec::new(),
            comments: Vec::new(),
            line_numbers: Vec::new(),
            qualities: Vec::new(),
            excerpt: None,
        }
    }

    /// Returns the symbols with their records, the input of jobs. See the [example](Self).
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage) with
    /// [`UsageFault::Position`](crate::error::UsageFault::Position) if the caller has changed the
    /// records so that they are out of order or outside the symbols.
    pub fn text(&self) -> Result<Text<'_>> {
        Text::with_records(&self.symbols, &self.records)
    }

    /// Returns a record's name; `None` for a line and for an empty header. See the [example](Self).
    pub fn name(&self, record: usize) -> Option<&str> {
        self.names.get(record).map(String::as_str).filter(|name| !name.is_empty())
    }

    /// Returns the text after the name in a record's header; empty for a line. See the
    /// [example](Self).
    pub fn comment(&self, record: usize) -> &str {
        self.comments.get(record).map_or("", String::as_str)
    }

    /// Returns the number of a record's first line, from 1. See the [example](Self).
    pub fn line(&self, record: usize) -> u64 {
        self.line_numbers.get(record).copied().unwrap_or(record as u64 + 1)
    }

    /// Guesses the kind of the symbols from the first records. See the [example](Self).
    pub fn kind(&self) -> Kind {
        self.guess().kind
    }

    /// Returns false if the kind is a close guess: nucleotides with many IUPAC codes may be a
    /// protein. See the [example](Self).
    pub fn kind_is_certain(&self) -> bool {
        self.guess().certain
    }

    fn guess(&self) -> Guess {
        let mut sample = Sample::new(self.format);
        for record in &self.records {
            if sample.is_full() {
                break;
            }
            sample.begin();
            sample.add(&self.symbols[record.clone()]);
        }
        sample.guess()
    }
}

/// Options of [`read_document`].
///
/// ```
/// use carrywave::io::sequence::{DocumentOptions, Format, read_document};
///
/// let options =
///     DocumentOptions::default().lines(true).qualities(false).raw(false).keep_compressed(false);
/// assert_eq!(read_document("data/humanMito.fa", options)?.format, Format::Lines);
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[must_use]
pub struct DocumentOptions {
    raw: bool,
    lines: bool,
    keep_compressed: bool,
    qualities: bool,
}

impl DocumentOptions {
    /// Sets whether to read the decompressed bytes as lines, whatever the format. The default is
    /// false. See the [example](Self).
    pub fn raw(self, raw: bool) -> Self {
        Self { raw, ..self }
    }

    /// Sets whether to read the lines of the decompressed text, even of FASTA and FASTQ. The
    /// default is false. See the [example](Self).
    pub fn lines(self, lines: bool) -> Self {
        Self { lines, ..self }
    }

    /// Sets whether to leave a compressed file compressed. The default is false. See the
    /// [example](Self).
    pub fn keep_compressed(self, keep_compressed: bool) -> Self {
        Self { keep_compressed, ..self }
    }

    /// Sets whether to keep the qualities of a FASTQ file. The default is false. See the
    /// [example](Self).
    pub fn qualities(self, qualities: bool) -> Self {
        Self { qualities, ..self }
    }
}

/// Reads the whole file at `path` (`-` is standard input) and decompresses gzip, bzip2, xz and
/// zstd. See the [example](Document).
///
/// A FASTA file starts with '>', possibly after comments, which are lines that start with ';'. A
/// FASTQ file starts with an '@' line followed by lines of letters and a '+' line, or by a line of
/// at least 8 nucleotides. Any other file is read as lines, whatever its bytes are. O(file) in time
/// and memory.
///
/// A path such as `genome.fa:chr1:1001-2000` chooses a record or a part of it
/// ([`InputPath`](super::InputPath)), as [`ReadOptions::record`](super::ReadOptions::record) does.
///
/// # Errors
/// [`Error::Io`](crate::Error::Io) if the file cannot be read;
/// [`Error::Input`](crate::Error::Input) if it is truncated, damaged, not valid FASTA or FASTQ
/// although it starts so, or compressed by another method; and
/// [`Error::Memory`](crate::Error::Memory) if it does not fit into memory.
pub fn read_document(path: impl AsRef<Path>, options: DocumentOptions) -> Result<Document> {
    let wanted =
        Wanted { record: None, is_text: options.raw || options.lines, keep_compressed: options.keep_compressed };
    let input = open_records(path.as_ref(), wanted)?;
    whole(Bytes::new(input, options.keep_compressed)?, options, Division::new)
}

/// Reads the whole of an input, divided among threads by `divide`.
pub(super) fn whole(
    mut bytes: Bytes,
    options: DocumentOptions,
    divide: impl FnOnce(&Bytes) -> Option<Division>,
) -> Result<Document> {
    let known = bytes.known;
    let mut head = bytes.head(|head| options.raw || known.is_some() || Format::detect(head).is_some())?;
    if !options.raw {
        bytes.source.refuse_utf_16(&head)?;
    }
    let format = bytes.format(&head, options.raw || options.lines)?;
    if format == Format::Lines {
        bytes.read_all(&mut head)?;
        let start = if options.raw { 0 } else { mark(&head) };
        return Document::lines_from(head, start);
    }
    let (left_out, head) = head.split_at(blanks(&head));
    let line = bytes.first_line(left_out);
    let mut parser = Parser::new(format, &bytes.source, line);
    let mut visitor = Records { document: Document::empty(format), keeps_qualities: options.qualities };
    let mut feed = Feed::new(bytes, format, divide);
    feed.parse_head(head, &mut parser, &mut visitor)?;
    while feed.parse_next(&mut parser, &mut visitor)? {
        threads::check();
    }
    parser.finish(&mut visitor)?;
    Ok(Document { excerpt: known.and_then(|known| known.excerpt), ..visitor.document })
}

/// Collects records into a document.
struct Records {
    document: Document,
    keeps_qualities: bool,
}

impl Visitor for Records {
    fn line(&mut self, number: u64) -> Result<()> {
        memory::reserve(&mut self.document.line_numbers, 1, "the lines of records")?;
        self.document.line_numbers.push(number);
        Ok(())
    }

    fn begin(&mut self, header: &[u8], _: u64) -> Result<()> {
        memory::reserve(&mut self.document.records, 1, "the records of a file")?;
        memory::reserve(&mut self.document.names, 1, "the names of records")?;
        memory::reserve(&mut self.document.comments, 1, "the headers of records")?;
        let start = self.document.symbols.len();
        self.document.records.push(start..start);
        let header = String::from_utf8_lossy(header);
        let header = header.trim_start();
        let (name, comment) = header.split_once(char::is_whitespace).unwrap_or((header, ""));
        self.document.names.push(name.to_owned());
        self.document.comments.push(comment.trim().to_owned());
        Ok(())
    }

    fn symbols(&mut self, symbols: &[u8]) -> Result<()> {
        memory::reserve(&mut self.document.symbols, symbols.len(), "the symbols of a file")?;
        self.document.symbols.extend_from_slice(symbols);
        Ok(())
    }

    fn quality(&mut self, qualities: &[u8]) -> Result<()> {
        if self.keeps_qualities {
            memory::reserve(&mut self.document.qualities, qualities.len(), "the qualities of a file")?;
            self.document.qualities.extend_from_slice(qualities);
        }
        Ok(())
    }

    fn end(&mut self, _: &[u8]) -> Result<()> {
        if let Some(record) = self.document.records.last_mut() {
            record.end = self.document.symbols.len();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::source::{HEAD, Input, Source};
    use super::*;
    use std::io::Cursor;

    fn document(content: &[u8]) -> Document {
        let read = Box::new(Cursor::new(content.to_vec()));
        let input = Input { source: Source::new("x", "x"), read, waits: false, file: None, known: None };
        whole(Bytes::new(input, false).unwrap(), DocumentOptions::default(), |_| None).unwrap()
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
            ("\u{feff}", &[]),
            ("\u{feff}\n", &[""]),
            ("\u{feff}a\nb\u{feff}", &["a", "b\u{feff}"]),
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
        assert_eq!([0, 1, 2].map(|record| fasta.line(record)), [2, 5, 7]);
        assert_eq!(fasta.kind(), Kind::Nucleotide);
        let fastq = document(b"@r1\nACGT\n+\nIIII\n@r2\nAC\n+\nII\n");
        assert_eq!((fastq.format, texts(&fastq)), (Format::Fastq, vec!["ACGT", "AC"]));
        assert_eq!([0, 1].map(|record| fastq.line(record)), [1, 5]);
        let fastq = document(b"\n\n@r1\nACGT\nAC\n+r1\n@III\n\n+I\n@r2\n\n+\n\n@r3\r\nGG\r\n+\r\nI\r\nI");
        assert_eq!((fastq.format, texts(&fastq)), (Format::Fastq, vec!["ACGTAC", "", "GG"]));
        assert_eq!([0, 1, 2].map(|record| fastq.line(record)), [3, 10, 14]);
        let fasta = document(b"; of\n;>x\n>one\n;a comment\nAC\n;\nGT\n>two");
        assert_eq!((fasta.format, texts(&fasta)), (Format::Fasta, vec!["ACGT", ""]));
        assert_eq!([0, 1].map(|record| fasta.line(record)), [3, 8]);
        let long = [b"@r\n".to_vec(), vec![b'A'; 2 * HEAD], b"\n+\n".to_vec(), vec![b'I'; 2 * HEAD]].concat();
        assert_eq!(document(&long).symbols.len(), 2 * HEAD);
    }
}
