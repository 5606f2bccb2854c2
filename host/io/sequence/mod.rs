//! Input: one string from a FASTA, FASTQ or raw file, from standard input, or given as it is.
//!
//! | Input | Kind | Letters |
//! |---|---|---|
//! | FASTA or FASTQ, at least 90 % A C G T U N | nucleotide | upper-cased: lower case only marks repeats |
//! | FASTA or FASTQ of IUPAC codes, half of them A C G T U N | nucleotide | upper-cased |
//! | other FASTA or FASTQ | protein | kept |
//! | raw files, literals | bytes | kept |
//!
//! [`read_document`] takes all records of a file, or its lines.
//!
//! [`Case`] overrides the last column. Gzip is recognised by its first bytes, whatever the file's name.

mod document;
mod kind;
mod unpack;

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use needletail::errors::{ParseError, ParseErrorKind};
use needletail::parser::{FastaReader, FastqReader, FastxReader};

use crate::io::output::Visible;
use crate::{Error, Result, memory};
use kind::Letters;
use unpack::{Compression, MAGIC, Members, Watch, Watched, WithoutBlankEnd};

pub use document::{Document, DocumentOptions, Format, read_document};

/// Names that an error lists before it only counts.
const LISTED: usize = 20;
/// Records that are counted for an error; a file of reads may have billions.
const COUNTED: u64 = 100_000;

/// What the symbols of a [`Sequence`] are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// DNA or RNA; an empty record counts as one.
    Nucleotide,
    /// A FASTA or FASTQ record that is not DNA or RNA.
    Protein,
    /// Bytes of no known meaning.
    Bytes,
}

/// Whether upper and lower case of an ASCII letter are the same symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Case {
    /// The same in nucleotides, different elsewhere.
    #[default]
    Auto,
    /// Different.
    Keep,
    /// The same: every ASCII letter is upper-cased.
    Ignore,
}

/// How [`read`] takes a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReadOptions {
    /// Take the bytes as they are, once decompressed: no format.
    pub raw: bool,
    /// Take a compressed file as the bytes that it has.
    pub keep_compressed: bool,
    /// The record to take: its name (the header up to the first space) or its whole header line.
    pub record: Option<String>,
    /// Whether case matters.
    pub case: Case,
}

/// A string to compare, with its name.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sequence {
    /// The record's name, else the file's; never with line ends in it from a FASTA or FASTQ file.
    pub name: String,
    /// One byte per symbol.
    pub symbols: Vec<u8>,
    /// What the symbols are.
    pub kind: Kind,
    /// Whether the kind can hardly be another one: nucleotides with many codes among them may be a protein.
    pub kind_is_certain: bool,
}

impl Sequence {
    /// A string from memory: `symbols` are taken as they are.
    pub fn new(name: impl Into<String>, symbols: impl Into<Vec<u8>>, kind: Kind) -> Self {
        Self { name: name.into(), symbols: symbols.into(), kind, kind_is_certain: true }
    }

    /// The bytes of `text`, named by its first 20 characters.
    ///
    /// ```
    /// let sequence = carrywave::io::sequence::Sequence::literal("kitten");
    /// assert_eq!((sequence.name.as_str(), sequence.symbols.len()), ("kitten", 6));
    /// ```
    pub fn literal(text: &str) -> Self {
        Self::new(Clipped(text, 20).to_string(), text, Kind::Bytes)
    }

    /// Upper-cases the letters if `case` and the kind ask for it. O(n).
    pub fn with_case(mut self, case: Case) -> Self {
        if case == Case::Ignore || (case == Case::Auto && self.kind == Kind::Nucleotide) {
            self.symbols.make_ascii_uppercase();
        }
        self
    }
}

/// Makes U a T in two strings of nucleotides of which one has U and the other T, in each case: RNA beside DNA. Two strings of RNA stay
/// as they are. O(m + n).
pub fn unify_uracil(a: &mut Sequence, b: &mut Sequence) {
    let has = |letter: u8| {
        [&a.symbols, &b.symbols].iter().any(|symbols| memchr::memchr2(letter, letter | 0x20, symbols).is_some())
    };
    if a.kind == Kind::Nucleotide && b.kind == Kind::Nucleotide && has(b'U') && has(b'T') {
        for symbol in a.symbols.iter_mut().chain(&mut b.symbols) {
            // T is U but for one bit, in both cases.
            if symbol.eq_ignore_ascii_case(&b'U') {
                *symbol ^= b'U' ^ b'T';
            }
        }
    }
}

/// Reads one string from the file at `path`, `-` being standard input.
///
/// No record is chosen silently: with more than one in the file, [`ReadOptions::record`] has to
/// name one, and that one only. One record is kept in memory at a time. O(file).
///
/// # Errors
/// [`Error::Io`] when the file cannot be read, [`Error::Usage`] for options that exclude each
/// other, and [`Error::Input`] when the content is not as asked for: no record or more than one
/// that could be meant, a file cut short, neither FASTA nor FASTQ.
pub fn read(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Sequence> {
    let path = path.as_ref();
    if options.raw && options.record.is_some() {
        return Err(Error::Usage("a raw file has no records: give either --raw or a record".into()));
    }
    if path == Path::new("-") {
        let source = Source::new("standard input", "stdin");
        return source.read(io::stdin(), options);
    }
    let name = path.file_name().unwrap_or(path.as_os_str());
    let source = Source::new(path, &name.to_string_lossy());
    let file = File::open(path).map_err(|fault| source.io(fault))?;
    if file.metadata().map_err(|fault| source.io(fault))?.is_dir() {
        return Err(source.wrong("this is a directory; give a file in it"));
    }
    source.read(file, options)
}

/// Where the bytes come from, for messages.
struct Source {
    path: PathBuf,
    name: String,
}

impl Source {
    fn new(path: impl Into<PathBuf>, name: &str) -> Self {
        Self { path: path.into(), name: name.into() }
    }

    fn wrong(&self, reason: impl Into<String>) -> Error {
        Error::Input { path: self.path.clone(), reason: reason.into() }
    }

    fn io(&self, source: io::Error) -> Error {
        Error::Io { path: self.path.clone(), source }
    }

    fn read(&self, input: impl Read + Send + 'static, options: &ReadOptions) -> Result<Sequence> {
        self.unpacked(input, (options.raw, options.keep_compressed), |mut bytes| {
            if options.raw {
                let mut symbols = Vec::new();
                bytes.read_to_end(&mut symbols).map_err(|fault| self.io(fault))?;
                return Ok(Sequence::new(&self.name, symbols, Kind::Bytes).with_case(options.case));
            }
            self.records(bytes, options)
        })
    }

    /// Reads what may be compressed by gzip, records or raw; a failure of `read` is told with its cause.
    fn unpacked<T>(
        &self,
        mut input: impl Read + Send + 'static,
        (raw, keep_compressed): (bool, bool),
        read: impl FnOnce(Watched) -> Result<T>,
    ) -> Result<T> {
        let mut magic = Vec::new();
        input.by_ref().take(MAGIC).read_to_end(&mut magic).map_err(|fault| self.io(fault))?;
        let compression = Compression::of(&magic).filter(|_| !keep_compressed);
        let input = Cursor::new(magic).chain(input);
        let inner: Box<dyn Read + Send> = match compression {
            None => Box::new(input),
            Some(Compression::Gzip) => Box::new(Members::new(BufReader::new(input))),
            Some(Compression::Other(name, command)) => {
                return Err(self.wrong(format!(
                    "this is compressed with {name}, and only gzip is read; decompress it first ({command} FILE), or take it as it is with --no-decompress"
                )));
            }
        };
        let watch = Arc::new(Watch::default());
        let bytes = Watched { inner, watch: Arc::clone(&watch), kept_whole: !raw };
        read(bytes).map_err(|error| self.explain(error, watch.fault(), compression))
    }

    /// The record that is asked for, out of decompressed FASTA or FASTQ.
    fn records(&self, bytes: Watched, options: &ReadOptions) -> Result<Sequence> {
        let watch = Arc::clone(&bytes.watch);
        let mut bytes = BufReader::with_capacity(1 << 16, bytes);
        let format = first_byte(&mut bytes).map_err(|fault| self.io(fault))?;
        let mut reader: Box<dyn FastxReader> = match format {
            // needletail takes a header without a line after it for a cut file, at the end only.
            Some(b'>') => Box::new(FastaReader::new(bytes.chain(&b"\n\n"[..]))),
            Some(b'@') => Box::new(FastqReader::new(WithoutBlankEnd::new(bytes))),
            Some(other) => {
                return Err(self.wrong(format!(
                    "neither FASTA (first byte '>') nor FASTQ ('@'), it starts with '{}'; use --raw to compare its bytes",
                    other.escape_ascii()
                )));
            }
            None => {
                return Err(self.wrong("the file is empty: it has no FASTA or FASTQ record"));
            }
        };

        let mut names = Names::default();
        let mut matches = 0u64;
        let mut chosen = None;
        while let Some(record) = reader.next() {
            let record = record.map_err(|fault| self.malformed(&fault))?;
            watch.record();
            if record.id().contains(&b'\r') {
                return Err(self.wrong("the lines end in a bare carriage return; convert them first: tr '\\r' '\\n'"));
            }
            let header = String::from_utf8_lossy(record.id());
            let header = header.trim();
            let name = header.split_whitespace().next().unwrap_or("");
            names.add(name);
            let wanted = match &options.record {
                None => names.count == 1,
                Some(wanted) => wanted == name || wanted.trim() == header,
            };
            if wanted {
                matches += 1;
                if matches == 1 {
                    let mut symbols = Vec::new();
                    add_symbols(&mut symbols, record.raw_seq())?;
                    let name = if name.is_empty() { &self.name } else { name };
                    let mut letters = Letters::new();
                    letters.add(&symbols);
                    let guess = letters.guess();
                    chosen =
                        Some(Sequence { kind_is_certain: guess.certain, ..Sequence::new(name, symbols, guess.kind) });
                }
            }
            if options.record.is_none() && names.count > 1 {
                chosen = None;
                if names.count == COUNTED {
                    break;
                }
            }
        }
        match (&options.record, chosen) {
            (_, Some(sequence)) if matches == 1 => Ok(sequence.with_case(options.case)),
            (None, _) => Err(self.wrong(format!("name one with --record-a or --record-b, of {names}"))),
            (Some(wanted), None) => Err(self.wrong(format!("no record '{}' in {names}", Clipped(wanted, 60)))),
            (Some(wanted), Some(_)) => Err(self.wrong(format!(
                "{matches} records are called '{}'; give the whole header line of one",
                Clipped(wanted, 60)
            ))),
        }
    }

    /// What the parser found wrong, in a line.
    fn malformed(&self, fault: &ParseError) -> Error {
        let line = fault.position.line;
        self.wrong(match fault.kind {
            ParseErrorKind::UnexpectedEnd => {
                format!("the file ends within the FASTQ record at line {line}; it may be cut short")
            }
            ParseErrorKind::InvalidSeparator => format!(
                "line {line} should be the '+' line of a FASTQ record of four lines; if this is no FASTQ, use --raw"
            ),
            ParseErrorKind::UnequalLengths => format!(
                "the FASTQ record at line {line} has sequence and quality of different lengths; it may be cut short"
            ),
            ParseErrorKind::InvalidStart => {
                format!("line {line} should start a FASTQ record with '@'; if this is no FASTQ, use --raw")
            }
            _ => fault.to_string(),
        })
    }

    /// Prefers the reading error that a parser's complaint comes from.
    fn explain(&self, error: Error, fault: Option<io::Error>, compression: Option<Compression>) -> Error {
        let Some(fault) = fault else { return error };
        match (fault.kind(), compression) {
            (io::ErrorKind::UnexpectedEof, Some(Compression::Gzip)) => {
                self.wrong("the gzip data ends early, as after an interrupted download; fetch the file again")
            }
            (io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput, Some(Compression::Gzip)) => {
                self.wrong(format!("the gzip data is damaged ({fault}); fetch the file again"))
            }
            _ => self.io(fault),
        }
    }
}

/// Adds the symbols of a record's lines, without line ends and blanks.
fn add_symbols(symbols: &mut Vec<u8>, lines: &[u8]) -> Result<()> {
    memory::reserve(symbols, lines.len(), "the symbols of a file")?;
    lines.split(u8::is_ascii_whitespace).for_each(|part| symbols.extend_from_slice(part));
    Ok(())
}

/// Skips a byte order mark and blank lines, which needletail takes for an unknown format, and
/// shows the byte after them.
fn first_byte(bytes: &mut impl BufRead) -> io::Result<Option<u8>> {
    if bytes.fill_buf()?.starts_with(b"\xef\xbb\xbf") {
        bytes.consume(3);
    }
    loop {
        let found = bytes.fill_buf()?;
        if found.is_empty() {
            return Ok(None);
        }
        let blanks = found.iter().take_while(|b| b.is_ascii_whitespace()).count();
        let first = found.get(blanks).copied();
        bytes.consume(blanks);
        if first.is_some() {
            return Ok(first);
        }
    }
}

/// The records of a file: "3 records: a, b, c".
#[derive(Default)]
struct Names {
    listed: Vec<String>,
    count: u64,
}

impl Names {
    fn add(&mut self, name: &str) {
        self.count += 1;
        if self.listed.len() < LISTED {
            self.listed.push(match name {
                "" => "(no name)".into(),
                name => Clipped(name, 60).to_string(),
            });
        }
    }
}

impl fmt::Display for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let least = if self.count == COUNTED { "at least " } else { "" };
        let plural = if self.count == 1 { "" } else { "s" };
        write!(f, "{least}{} record{plural}: {}", self.count, self.listed.join(", "))?;
        match self.count - self.listed.len() as u64 {
            0 => Ok(()),
            more => write!(f, " and {least}{more} more"),
        }
    }
}

/// The first characters of a text, on one line and safe for a terminal.
struct Clipped<'a>(&'a str, usize);

impl fmt::Display for Clipped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = self.0.char_indices().nth(self.1).map_or(self.0.len(), |(at, _)| at);
        let rest = if end < self.0.len() { "…" } else { "" };
        write!(f, "{}{rest}", Visible(&self.0[..end]))
    }
}
