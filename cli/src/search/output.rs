//! Output of hits: as in grep, as FASTA or FASTQ, as BED and as JSON.

use super::arguments::{Arguments, Color, OutputFormat};
use crate::shared::aligned_hit::{AlignedHit, Errors, HitSource};
use crate::shared::output::{stdout, stdout_error};
use crate::shared::sam::{Reads, Reference, sam_head};
use crate::shared::table::Field;
use carrywave::Result;
use carrywave::io::output::Visible;
use carrywave::search::{Found, Hit, PatternAlignment};
use carrywave::text::parts::Fastq;
use std::ffi::OsStr;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::ops::Range;

/// Name of a file.
pub struct FileName {
    /// The name as readable text.
    pub shown: String,
    /// The name as bytes, for other programs.
    bytes: Vec<u8>,
}

impl FileName {
    pub fn new(file: &OsStr, label: &str) -> Self {
        let file = if file == "-" { OsStr::new(label) } else { file };
        Self { shown: file.to_string_lossy().into_owned(), bytes: file.as_encoded_bytes().to_vec() }
    }
}

/// A line of a file.
pub struct Line<'l> {
    /// Number of the line, 1-based.
    pub number: u64,
    /// Offset of the line in the file.
    pub place: u64,
    /// Symbols without the line feed. A carriage return counts as a symbol.
    pub symbols: &'l [u8],
    /// Hits, ordered by start. They may overlap.
    pub hits: &'l [Hit],
}

/// A hit, and the data printed with it.
pub struct Occurrence<'f> {
    pub file: &'f str,
    /// Name of the record, or `None` for a line, a whole file or an unnamed record.
    pub record: Option<&'f str>,
    /// Number of the line, 1-based.
    pub line: Option<usize>,
    /// Origin of positions, added to the hit's: the record's offset in the file for lines, the
    /// region's start for a region, otherwise 0.
    pub base: u64,
    pub hit: &'f Hit,
    /// Name of the pattern.
    pub pattern: &'f str,
    /// Symbols of the pattern, as given.
    pub symbols: &'f [u8],
    /// Qualities of the pattern, if it is a FASTQ read.
    pub qualities: Option<&'f [u8]>,
    /// True for nucleotides.
    pub nucleotides: bool,
}

/// A record to print.
pub struct RecordText<'r> {
    /// Name of the record, or `None` if it has none.
    pub name: Option<&'r str>,
    /// Header and qualities of a FASTQ record.
    pub fastq: Option<&'r Fastq>,
    pub symbols: &'r [u8],
}

/// Part of a text that a hit covers, with its alignment.
pub struct AlignedPart<'f> {
    pub part: &'f [u8],
    pub alignment: &'f PatternAlignment,
    /// Number of symbols of the record, for PAF.
    pub record_len: Option<u64>,
}

/// Items to print for a file in formats other than lines.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Printed {
    /// Nothing but the count, at the end.
    Nothing,
    /// Records as FASTA or FASTQ.
    Records,
    /// Matching parts only.
    Parts,
    /// Hits.
    Hits(OutputFormat),
}

impl Printed {
    pub fn new(arguments: &Arguments) -> Self {
        match arguments.format {
            _ if arguments.prints_no_hits() => Self::Nothing,
            Some(format) if format.prints_hits() => Self::Hits(format),
            None if !arguments.only_matching && !arguments.byte_offset && !arguments.lines.invert_match => {
                Self::Hits(OutputFormat::Bed)
            }
            _ if arguments.only_matching => Self::Parts,
            _ => Self::Records,
        }
    }

    /// Returns true if alignments are printed.
    pub fn is_aligned(self, arguments: &Arguments) -> bool {
        match self {
            Self::Hits(format) => format != OutputFormat::Bed || arguments.cigar,
            Self::Nothing | Self::Records | Self::Parts => false,
        }
    }
}

/// Maximum number of continuation bytes of a UTF-8 character.
pub const LONGEST: u64 = 3;

/// Extends a part of a UTF-8 text to whole characters, since no terminal shows half of one.
pub fn whole_characters(text: &[u8], part: Range<usize>) -> Range<usize> {
    let continues = |at: &usize| text.get(*at).is_some_and(|byte| byte & 0xc0 == 0x80);
    let before = (part.start.saturating_sub(LONGEST as usize)..=part.start).rev().take_while(continues).count();
    let after = (part.end..).take(LONGEST as usize).take_while(continues).count();
    let whole = part.start.saturating_sub(before)..part.end + after;
    if !part.is_empty() && whole != part && std::str::from_utf8(&text[whole.clone()]).is_ok() { whole } else { part }
}

/// The destination of output.
enum Sink {
    Stdout(BufWriter<io::StdoutLock<'static>>),
    Memory(Vec<u8>),
}

/// Maximum output in memory, in bytes: up to 32 files per thread have output in memory.
const MOST_IN_MEMORY: usize = 1 << 17;

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stdout(stdout) => stdout.write(bytes),
            Self::Memory(memory) if memory.len() + bytes.len() > MOST_IN_MEMORY => {
                Err(io::Error::other("the output is too long for memory"))
            }
            Self::Memory(memory) => memory.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stdout(stdout) => stdout.flush(),
            Self::Memory(_) => Ok(()),
        }
    }
}

/// The appearance of output.
#[derive(Clone, Copy)]
pub struct Style<'a> {
    arguments: &'a Arguments,
    /// True if lines begin with the file name.
    with_file: bool,
    colors: bool,
}

/// Standard output or output in memory, and its appearance.
pub struct Out<'a> {
    to: Sink,
    style: Style<'a>,
    /// True if a line of any file was printed.
    has_lines: bool,
    /// Names of the reads in SAM.
    reads: Reads,
}

/// Colours as in grep: of matches, file names, numbers and separators.
const MATCH: &str = "\x1b[01;31m\x1b[K";
const NAME: &str = "\x1b[35m\x1b[K";
const NUMBER: &str = "\x1b[32m\x1b[K";
const SEPARATOR: &str = "\x1b[36m\x1b[K";
const RESET: &str = "\x1b[m\x1b[K";

impl<'a> Out<'a> {
    pub fn new(arguments: &'a Arguments, several: bool) -> Result<Self> {
        let stdout = stdout()?;
        let colors = match arguments.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => {
                stdout.is_terminal() && anstream::AutoStream::choice(&stdout) != anstream::ColorChoice::Never
            }
        };
        let files = &arguments.files;
        let with_file = files.with_filename || several && !files.no_filename;
        let to = Sink::Stdout(BufWriter::with_capacity(1 << 16, stdout));
        Ok(Self { to, style: Style { arguments, with_file, colors }, has_lines: false, reads: Reads::default() })
    }

    /// Returns output in memory; writing more than [`MOST_IN_MEMORY`] bytes is an error.
    pub fn in_memory(style: Style<'a>) -> Self {
        Self { to: Sink::Memory(Vec::new()), style, has_lines: false, reads: Reads::default() }
    }

    /// Returns the output in memory.
    pub fn into_bytes(self) -> Vec<u8> {
        match self.to {
            Sink::Memory(memory) => memory,
            Sink::Stdout(_) => Vec::new(),
        }
    }

    /// Returns the appearance.
    pub fn style(&self) -> Style<'a> {
        self.style
    }

    /// Writes the output of a file, and all output before it, before a later file is searched.
    pub fn show(&mut self, output: &[u8]) -> Result<()> {
        self.append(output)?;
        self.flush()
    }

    /// Writes the output of a file.
    pub fn append(&mut self, output: &[u8]) -> Result<()> {
        written(self.to.write_all(output))
    }

    /// Returns true if matches are coloured.
    pub fn has_colors(&self) -> bool {
        self.style.colors
    }

    pub fn flush(&mut self) -> Result<()> {
        written(self.to.flush())
    }

    fn colored(&mut self, color: &str, text: &[u8]) -> io::Result<()> {
        if !self.style.colors || text.is_empty() {
            return self.to.write_all(text);
        }
        self.to.write_all(color.as_bytes())?;
        self.to.write_all(text)?;
        self.to.write_all(RESET.as_bytes())
    }

    fn field(&mut self, color: &str, text: &str, separator: &[u8]) -> io::Result<()> {
        self.colored(color, Visible(text).to_string().as_bytes())?;
        self.colored(SEPARATOR, separator)
    }

    /// Writes a file name and the separator after it.
    fn name(&mut self, name: &FileName, separator: &[u8]) -> io::Result<()> {
        if self.style.arguments.files.null {
            self.colored(NAME, &name.bytes)?;
            return self.to.write_all(b"\0");
        }
        self.colored(NAME, Visible(&name.shown).to_string().as_bytes())?;
        if separator == b"\n" { self.to.write_all(separator) } else { self.colored(SEPARATOR, separator) }
    }

    /// Ends a line.
    fn end(&mut self) -> io::Result<()> {
        self.to.write_all(b"\n")?;
        if self.style.arguments.lines.line_buffered { self.to.flush() } else { Ok(()) }
    }

    /// Prints the name of a file alone.
    pub fn only_name(&mut self, name: &FileName) -> Result<()> {
        written(self.name(name, b"\n"))?;
        if self.style.arguments.lines.line_buffered { self.flush() } else { Ok(()) }
    }

    pub fn count(&mut self, name: &FileName, count: u64) -> Result<()> {
        let write = |out: &mut Self| {
            if out.style.with_file {
                out.name(name, b":")?;
            }
            write!(out.to, "{count}")?;
            out.end()
        };
        written(write(self))
    }

    /// Prints the separator between groups of lines, unless no line was printed before.
    pub fn group_separator(&mut self) -> Result<()> {
        let arguments = self.style.arguments;
        if !self.has_lines || arguments.lines.no_group_separator {
            return Ok(());
        }
        written(self.colored(SEPARATOR, arguments.lines.group_separator.as_encoded_bytes()).and_then(|()| self.end()))
    }

    /// Writes the fields before a line, or before a part that begins at `place`.
    fn head(&mut self, name: &FileName, line: &Line<'_>, place: u64, separator: &[u8]) -> io::Result<()> {
        if self.style.with_file {
            self.name(name, separator)?;
        }
        if self.style.arguments.lines.line_number {
            self.field(NUMBER, &line.number.to_string(), separator)?;
        }
        if self.style.arguments.byte_offset {
            self.field(NUMBER, &place.to_string(), separator)?;
        }
        Ok(())
    }

    /// Prints a selected line or a context line; with -o, its matches only.
    pub fn line(&mut self, name: &FileName, line: &Line<'_>, is_taken: bool) -> Result<()> {
        self.has_lines = true;
        let separator: &[u8] = if is_taken { b":" } else { b"-" };
        // Matches count in selected lines. With -v, they count in context lines instead, which are
        // the matching ones.
        let hits = if is_taken != self.style.arguments.lines.invert_match { line.hits } else { &[] };
        let mut write = || {
            if self.style.arguments.only_matching {
                for hit in hits {
                    let part = whole_characters(line.symbols, hit.start as usize..hit.end as usize);
                    self.head(name, line, line.place + hit.start, separator)?;
                    self.colored(MATCH, &line.symbols[part])?;
                    self.end()?;
                }
                return Ok(());
            }
            self.head(name, line, line.place, separator)?;
            self.marked(line.symbols, hits.iter())?;
            self.end()
        };
        written(write())
    }

    /// Writes symbols with matches marked.
    fn marked<'h>(&mut self, symbols: &[u8], hits: impl Iterator<Item = &'h Hit>) -> io::Result<()> {
        let mut done = 0;
        // Hits are ordered by start, and may overlap.
        for hit in hits {
            let part = whole_characters(symbols, hit.start as usize..hit.end as usize);
            let start = part.start.max(done);
            let end = part.end.max(start);
            self.to.write_all(&symbols[done..start])?;
            self.colored(MATCH, &symbols[start..end])?;
            done = end;
        }
        self.to.write_all(&symbols[done..])
    }

    /// Prints the record of hits, which are all of one record. Prints nothing without hits.
    pub fn record_of(&mut self, hits: &[Found]) -> Result<()> {
        let Some(first) = hits.first() else { return Ok(()) };
        let symbols = first.record().unwrap_or_default();
        let len = symbols.len() as u64;
        let within = |found: &Found| {
            let hit = found.hit;
            // A hit in a circular record may run over the origin.
            let rest = (hit.end > len).then(|| Hit { start: 0, end: (hit.end - len).min(len), ..hit });
            [Some(Hit { end: hit.end.min(len), ..hit }), rest]
        };
        let mut hits: Vec<Hit> = hits.iter().flat_map(within).flatten().collect();
        hits.sort_unstable();
        self.record(&RecordText { name: first.name(), fastq: first.fastq(), symbols }, &hits)
    }

    /// Prints a record as FASTA, or with its header and qualities if it is FASTQ.
    pub fn record(&mut self, record: &RecordText<'_>, hits: &[Hit]) -> Result<()> {
        let &RecordText { name, fastq, symbols } = record;
        let mut write = || {
            let Some(fastq) = fastq else {
                writeln!(self.to, ">{}", Visible(name.unwrap_or("")))?;
                self.marked(symbols, hits.iter())?;
                return self.end();
            };
            writeln!(self.to, "@{}", Visible(&String::from_utf8_lossy(&fastq.header)))?;
            self.marked(symbols, hits.iter())?;
            self.to.write_all(b"\n+\n")?;
            self.to.write_all(&fastq.quality)?;
            self.end()
        };
        written(write())
    }

    /// Prints a matching part alone.
    pub fn part(&mut self, name: &FileName, of: &Occurrence<'_>, part: &[u8]) -> Result<()> {
        let mut write = || {
            if self.style.with_file {
                self.name(name, b":")?;
            }
            if let Some(name) = of.record {
                self.field(NAME, name, b":")?;
            }
            if self.style.arguments.byte_offset {
                self.field(NUMBER, &(of.base + of.hit.start).to_string(), b":")?;
            }
            self.colored(MATCH, part)?;
            self.end()
        };
        written(write())
    }

    /// Prints a hit with its alignment.
    pub fn aligned(&mut self, format: OutputFormat, of: &Occurrence<'_>, aligned: &AlignedPart<'_>) -> Result<()> {
        let &AlignedPart { part, alignment, record_len } = aligned;
        let hit = AlignedHit {
            pattern: of.pattern,
            pattern_symbols: of.symbols,
            qualities: of.qualities,
            target: of.record.unwrap_or(of.file),
            start: of.base + of.hit.start,
            end: of.base + of.hit.end,
            strand: of.hit.strand,
            beyond: of.hit.beyond,
            part,
            alignment,
        };
        match format {
            OutputFormat::Json => {
                let errors = Errors::Errors(of.hit.errors);
                let source = HitSource { file: of.file, record: of.record, line: of.line };
                written(hit.write_json(&mut self.to, &source, errors))?;
            }
            OutputFormat::Sam => written(self.reads.write(&mut self.to, of.hit.pattern, &hit, of.nucleotides))?,
            OutputFormat::Paf => written(hit.write_paf(&mut self.to, record_len.unwrap_or(0)))?,
            OutputFormat::Align => written(hit.write_blocks(&mut self.to))?,
            OutputFormat::Bed | OutputFormat::Text => return self.bed(of, Some(&hit.cigar())),
        }
        if self.style.arguments.lines.line_buffered { self.flush() } else { Ok(()) }
    }

    /// Writes the SAM head, and names the reads after the patterns.
    pub fn sam_head<'n>(&mut self, records: Vec<Reference>, patterns: impl IntoIterator<Item = &'n str>) -> Result<()> {
        self.reads = Reads::new(patterns);
        written(self.to.write_all(&sam_head(records)?))
    }

    pub fn bed(&mut self, of: &Occurrence<'_>, cigar: Option<&str>) -> Result<()> {
        let start = of.base + of.hit.start;
        let end = of.base + of.hit.end;
        let name = Field(of.record.unwrap_or(of.file));
        let pattern = Field(of.pattern);
        let errors = of.hit.errors;
        let sign = of.hit.strand.sign();
        let mut write = || {
            write!(self.to, "{name}\t{start}\t{end}\t{pattern}\t{errors}\t{sign}")?;
            if let Some(cigar) = cigar {
                write!(self.to, "\t{cigar}")?;
            }
            self.end()
        };
        written(write())
    }
}

fn written(outcome: io::Result<()>) -> Result<()> {
    outcome.map_err(stdout_error)
}

/// Returns the error for a file without records that a format requires.
pub fn refuse_lines(format: OutputFormat, name: &FileName) -> String {
    let option = if format == OutputFormat::Sam { "sam" } else { "paf" };
    format!("{}: --format {option} needs FASTA or FASTQ records; use bed, json or align for other files", name.shown)
}
