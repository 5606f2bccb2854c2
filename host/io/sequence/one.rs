//! Reads one record of a file.

use super::chunks::{Division, Feed};
use super::kind::Letters;
use super::parse::{Parser, Visitor, blanks, line_behind, may_be_mark};
use super::source::{Bytes, HEAD, Source, open};
use super::{Case, Clipped, Format, Kind, Sequence};
use crate::error::{InputFault, UsageFault};
use crate::{Result, memory};
use std::fmt;
use std::path::Path;

/// Number of names that an error lists; further records are only counted.
const LISTED: usize = 20;
/// Number of records that an error counts; a file of reads may have billions.
const COUNTED: u64 = 100_000;

/// Options of [`read`].
///
/// ```
/// use carrywave::io::sequence::{Case, ReadOptions, read};
///
/// let sequence =
///     read("data/humanMito.fa", &ReadOptions::default().record("humanMito").case(Case::Ignore))?;
/// assert_eq!(sequence.symbols.len(), 16_571);
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[must_use]
pub struct ReadOptions {
    raw: bool,
    keep_compressed: bool,
    record: Option<String>,
    case: Case,
}

impl ReadOptions {
    /// Sets whether to use the decompressed bytes as the string, whatever the format. The default
    /// is false. See the [example](Self).
    pub fn raw(self, raw: bool) -> Self {
        Self { raw, ..self }
    }

    /// Sets whether to leave a compressed file compressed. The default is false. See the
    /// [example](Self).
    pub fn keep_compressed(self, keep_compressed: bool) -> Self {
        Self { keep_compressed, ..self }
    }

    /// Selects a record by its name (the header up to the first space) or its whole header line, or
    /// by its number, 1-based, if no record has that name. The default is the only record. See the
    /// [example](Self).
    pub fn record(self, name: impl Into<String>) -> Self {
        Self { record: Some(name.into()), ..self }
    }

    /// Sets the rule for upper and lower case. The default is [`Case::Auto`]. See the
    /// [example](Self).
    pub fn case(self, case: Case) -> Self {
        Self { case, ..self }
    }
}

/// Reads one string from the file at `path` (`-` is standard input). See the
/// [example](ReadOptions).
///
/// The choice is never silent: if the file has more than one record, [`ReadOptions::record`] must
/// identify exactly one. Only one record is kept in memory at a time. O(file).
///
/// # Errors
/// [`Error::Io`](crate::Error::Io) if the file cannot be read;
/// [`Error::Usage`](crate::Error::Usage) with [`UsageFault::Combination`] for options that exclude
/// each other; and [`Error::Input`](crate::Error::Input) if no record or several records qualify,
/// or the file is truncated or neither FASTA nor FASTQ.
pub fn read(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Sequence> {
    if options.raw && options.record.is_some() {
        return Err(UsageFault::Combination.error("a raw file has no records; choose raw or a record, not both"));
    }
    let mut bytes = Bytes::new(open(path.as_ref())?, options.keep_compressed)?;
    if options.raw {
        let mut symbols = Vec::new();
        bytes.read_all(&mut symbols)?;
        return Ok(Sequence::new(&bytes.source.name, symbols, Kind::Bytes).with_case(options.case));
    }
    record(bytes, options)
}

/// Returns the requested record.
fn record(mut bytes: Bytes, options: &ReadOptions) -> Result<Sequence> {
    let is_known = |head: &[u8]| match head.get(blanks(head)) {
        None => false,
        Some(b';') => Format::detect(head).is_some(),
        Some(_) => !may_be_mark(head),
    };
    let mut head = bytes.head(is_known)?;
    bytes.source.refuse_utf_16(&head)?;
    let start = blanks(&head);
    let mut line = line_behind(&head[..start]);
    head.drain(..start);
    let mut buffer = vec![0; HEAD];
    // There are more blanks than fit into the head.
    while head.is_empty() {
        let count = bytes.read(&mut buffer)?;
        if count == 0 {
            return Err(bytes.source.wrong(InputFault::Empty, "the file is empty; a FASTA or FASTQ record is needed"));
        }
        let blank = buffer[..count].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        line += line_behind(&buffer[..blank]) - 1;
        head.extend_from_slice(&buffer[blank..count]);
    }
    let format = match head[0] {
        b'>' => Format::Fasta,
        b';' if Format::detect_whole(&head) == Format::Fasta => Format::Fasta,
        b'@' => Format::Fastq,
        other => {
            let start = other.escape_ascii();
            let reason = format!("neither FASTA (starts with '>') nor FASTQ ('@'): the file starts with '{start}'");
            return Err(bytes.source.wrong(InputFault::NoFormat, reason));
        }
    };
    let wanted = options.record.as_deref();
    let number = wanted.and_then(|wanted| wanted.parse::<u64>().ok());
    let mut choice = Choice {
        wanted,
        number,
        names: Names::default(),
        matches: Vec::new(),
        takes: None,
        named: None,
        numbered: None,
    };
    let mut parser = Parser::new(format, &bytes.source, line);
    let source = bytes.source.clone();
    let mut feed = Feed::new(bytes, format, Division::new);
    feed.parse_head(&head, &mut parser, &mut choice)?;
    while !choice.is_hopeless() {
        if !feed.parse_next(&mut parser, &mut choice)? {
            parser.finish(&mut choice)?;
            break;
        }
    }
    Ok(choice.sequence(&source)?.with_case(options.case))
}

/// Keeps the requested record, and the names of all.
struct Choice<'o> {
    wanted: Option<&'o str>,
    /// The request as a number, if it is one.
    number: Option<u64>,
    names: Names,
    /// Numbers of the records that have the requested name, 1-based.
    matches: Vec<u64>,
    /// The criterion that selects the current record, or `None` to skip it.
    takes: Option<By>,
    /// The first record with the requested name.
    named: Option<Record>,
    /// The record with the requested number, unless it also has the name.
    numbered: Option<Record>,
}

/// Criterion for a record.
#[derive(Clone, Copy)]
enum By {
    Name,
    Number,
}

/// Name and symbols of a record.
#[derive(Default)]
struct Record {
    name: String,
    symbols: Vec<u8>,
}

impl Choice<'_> {
    /// Returns true if there are certainly too many records, and enough have been counted for the
    /// error.
    fn is_hopeless(&self) -> bool {
        self.wanted.is_none() && self.names.count >= COUNTED
    }

    fn sequence(self, source: &Source) -> Result<Sequence> {
        let names = &self.names;
        let taken = match (self.matches.len(), self.named, self.numbered) {
            (1, named, _) => named,
            (0, _, numbered) => numbered,
            _ => None,
        };
        match (self.wanted, self.matches.len()) {
            _ if taken.is_some() => {
                let Record { name, symbols } = taken.unwrap_or_default();
                let mut letters = Letters::new();
                letters.add(&symbols);
                let guess = letters.guess();
                let name = if name.is_empty() { source.name.clone() } else { name };
                Ok(Sequence { kind_is_certain: guess.certain, ..Sequence::new(name, symbols, guess.kind) })
            }
            (None, _) => {
                Err(source.wrong(InputFault::SeveralRecords, format!("several records: choose one of {names}")))
            }
            (Some(wanted), 0) => {
                let reason = format!("no record '{}' in {names}", Clipped(wanted, 60));
                Err(source.wrong(InputFault::NoSuchRecord, reason))
            }
            (Some(wanted), matches) => {
                let wanted = Clipped(wanted, 60);
                let mut numbers: Vec<String> = self.matches.iter().take(LISTED).map(u64::to_string).collect();
                if matches > LISTED {
                    numbers.push("others".into());
                }
                let last = numbers.pop().unwrap_or_default();
                let numbers = format!("{} and {last}", numbers.join(", "));
                let reason = format!(
                    "{matches} records are called '{wanted}': numbers {numbers}; give one of the numbers, or the whole \
                     header line"
                );
                Err(source.wrong(InputFault::SameNames, reason))
            }
        }
    }
}

impl Visitor for Choice<'_> {
    fn begin(&mut self, header: &[u8], _: u64) -> Result<()> {
        let header = String::from_utf8_lossy(header);
        let header = header.trim();
        let name = header.split_whitespace().next().unwrap_or("");
        if self.is_hopeless() {
            return Ok(());
        }
        self.names.add(name);
        let record = || Some(Record { name: name.to_owned(), symbols: Vec::new() });
        self.takes = None;
        if self.wanted.is_none_or(|wanted| wanted == name || wanted.trim() == header) {
            memory::reserve(&mut self.matches, 1, "the numbers of records")?;
            self.matches.push(self.names.count);
            if self.matches.len() == 1 {
                (self.takes, self.named) = (Some(By::Name), record());
            }
        } else if self.number == Some(self.names.count) {
            (self.takes, self.numbered) = (Some(By::Number), record());
        }
        Ok(())
    }

    fn symbols(&mut self, symbols: &[u8]) -> Result<()> {
        let record = match self.takes {
            Some(By::Name) => &mut self.named,
            Some(By::Number) => &mut self.numbered,
            None => return Ok(()),
        };
        if let Some(record) = record {
            memory::reserve(&mut record.symbols, symbols.len(), "the symbols of a record")?;
            record.symbols.extend_from_slice(symbols);
        }
        Ok(())
    }

    fn end(&mut self, _: &[u8]) -> Result<()> {
        Ok(())
    }
}

/// Summary of a file's records: "3 records: a, b, c".
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
