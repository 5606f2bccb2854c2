//! Input: one string from a FASTA, FASTQ or raw file, from standard input, or given as it is.
//!
//! | Input | Kind | Letters |
//! |---|---|---|
//! | FASTA or FASTQ, at least 90 % A C G T U N and the rest IUPAC codes | nucleotide | upper-cased: lower case only marks repeats |
//! | other FASTA or FASTQ | protein | kept |
//! | raw files, literals | bytes | kept |
//!
//! [`read_document`] takes all records of a file, or its lines.
//!
//! [`Case`] overrides the last column. Gzip is recognised by its first bytes, whatever the file's name.

mod document;

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use flate2::read::MultiGzDecoder;
use needletail::errors::{ParseError, ParseErrorKind};
use needletail::parser::{FastaReader, FastqReader, FastxReader};

use crate::{Error, Result};

pub use document::{Document, Format, read_document};

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
    /// Take the bytes of the file as they are: no format, no decompression.
    pub raw: bool,
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
}

impl Sequence {
    /// A string from memory: `symbols` are taken as they are.
    pub fn new(name: impl Into<String>, symbols: impl Into<Vec<u8>>, kind: Kind) -> Self {
        Self { name: name.into(), symbols: symbols.into(), kind }
    }

    /// The bytes of `text`, named by its first 20 characters.
    ///
    /// ```
    /// let sequence = carrywave::sequence::Sequence::literal("kitten");
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

    fn read(&self, mut input: impl Read + Send + 'static, options: &ReadOptions) -> Result<Sequence> {
        if options.raw {
            let mut symbols = Vec::new();
            input.read_to_end(&mut symbols).map_err(|fault| self.io(fault))?;
            return Ok(Sequence::new(&self.name, symbols, Kind::Bytes).with_case(options.case));
        }
        self.decompressed(input, |bytes| self.records(bytes, options))
    }

    /// Reads what may be compressed by gzip; a failure of `read` is told with its cause.
    fn decompressed<T>(
        &self,
        mut input: impl Read + Send + 'static,
        read: impl FnOnce(Watched) -> Result<T>,
    ) -> Result<T> {
        let mut magic = Vec::new();
        input.by_ref().take(6).read_to_end(&mut magic).map_err(|fault| self.io(fault))?;
        let compression = Compression::of(&magic);
        let input = Cursor::new(magic).chain(input);
        let bytes: Box<dyn Read + Send> = match compression {
            None => Box::new(input),
            Some(Compression::Gzip) => Box::new(MultiGzDecoder::new(BufReader::new(input))),
            Some(Compression::Other(name, command)) => {
                return Err(self.wrong(format!(
                    "this is compressed with {name}, and only gzip is read; decompress it first: {command} FILE"
                )));
            }
        };
        let fault = Arc::new(Mutex::new(None));
        let bytes = Watched { inner: bytes, fault: Arc::clone(&fault) };
        read(bytes).map_err(|error| self.explain(error, fault.lock().ok().and_then(|mut f| f.take()), compression))
    }

    /// The record that is asked for, out of decompressed FASTA or FASTQ.
    fn records(&self, bytes: Watched, options: &ReadOptions) -> Result<Sequence> {
        let mut bytes = BufReader::with_capacity(1 << 16, bytes);
        let format = first_byte(&mut bytes).map_err(|fault| self.io(fault))?;
        let mut reader: Box<dyn FastxReader> = match format {
            // needletail takes a header without a line after it for a cut file, at the end only.
            Some(b'>') => Box::new(FastaReader::new(bytes.chain(&b"\n\n"[..]))),
            Some(b'@') => Box::new(FastqReader::new(bytes)),
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
                    let mut symbols = record.seq().into_owned();
                    // Blanks at line ends, which needletail leaves in.
                    symbols.retain(|symbol| !symbol.is_ascii_whitespace());
                    let name = if name.is_empty() { &self.name } else { name };
                    let kind = kind(&symbols);
                    chosen = Some(Sequence::new(name, symbols, kind));
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
        if !matches!(compression, Some(Compression::Gzip)) {
            return self.io(fault);
        }
        match fault.kind() {
            io::ErrorKind::UnexpectedEof => {
                self.wrong("the gzip data ends early, as after an interrupted download; fetch the file again")
            }
            io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => {
                self.wrong(format!("the gzip data is damaged ({fault}); fetch the file again"))
            }
            _ => self.io(fault),
        }
    }
}

/// A compressed file, by its first bytes.
#[derive(Debug, Clone, Copy)]
enum Compression {
    Gzip,
    /// One that is not read: its name, and the command that undoes it.
    Other(&'static str, &'static str),
}

impl Compression {
    fn of(magic: &[u8]) -> Option<Self> {
        match magic {
            [0x1f, 0x8b, ..] => Some(Self::Gzip),
            [b'B', b'Z', b'h', b'1'..=b'9', ..] => Some(Self::Other("bzip2", "bzip2 -dc")),
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Some(Self::Other("xz", "xz -dc")),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Self::Other("zstd", "zstd -dc")),
            [b'P', b'K', 3, 4, ..] => Some(Self::Other("zip", "unzip -p")),
            _ => None,
        }
    }
}

/// Keeps the reading error, of which needletail keeps only the text.
struct Watched {
    inner: Box<dyn Read + Send>,
    fault: Arc<Mutex<Option<io::Error>>>,
}

impl Read for Watched {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.inner.read(buffer).inspect_err(|fault| {
            if fault.kind() != io::ErrorKind::Interrupted
                && let Ok(mut kept) = self.fault.lock()
            {
                // An io::Error cannot be cloned; its system number, where it has one, says the most.
                *kept = Some(match fault.raw_os_error() {
                    Some(number) => io::Error::from_raw_os_error(number),
                    None => io::Error::new(fault.kind(), fault.to_string()),
                });
            }
        })
    }
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

/// Nucleotides are IUPAC codes and gaps only, nine in ten of them A, C, G, T, U or N.
fn kind(symbols: &[u8]) -> Kind {
    let mut counts = [0u64; 256];
    for &symbol in symbols {
        counts[usize::from(symbol.to_ascii_uppercase())] += 1;
    }
    let total = |letters: &[u8]| letters.iter().map(|&l| counts[usize::from(l)]).sum::<u64>();
    let plain = total(b"ACGTUN");
    let codes = plain + total(b"RYSWKMBDHV-");
    if codes == symbols.len() as u64 && plain * 10 >= codes * 9 { Kind::Nucleotide } else { Kind::Protein }
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
        for c in self.0.chars().take(self.1) {
            match c {
                c if c.is_control() => write!(f, "{}", c.escape_default())?,
                c => write!(f, "{c}")?,
            }
        }
        match self.0.chars().nth(self.1) {
            Some(_) => write!(f, "…"),
            None => Ok(()),
        }
    }
}
