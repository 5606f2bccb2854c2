//! `carrywave search`

use super::engine::{EngineArguments, GpuArguments, algorithms_help, long_help};
use super::limits::{LimitArguments, OwnLimits};
use super::progress::{SYMBOLS, bar, counter};
use super::text::{Seen, TextArguments, file_name, tell_bytes};
use super::{named, note};
use carrywave::device::Engine;
use carrywave::error::InputFault;
use carrywave::io::output::{Visible, is_visible};
use carrywave::io::sequence::{DocumentOptions, Format, Kind, PartReader, Whole, read_document};
use carrywave::search::{Algorithm, Ends, Found, Hit, Occurrences, Pattern, Search, Text, Tuning};
use carrywave::{Error, Result};
use clap::{Args, ValueEnum};
use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::ops::Range;
use std::path::PathBuf;
use std::process::ExitCode;

/// What follows the options in the help.
const HELP: &str = "\
Examples:
  carrywave search -k 2 accomodation *.txt             lines with a word, however it is spelt
  carrywave search -k 1 --rc GATTACAGATTACA genome.fa.gz   occurrences on both strands, as BED
  carrywave search -k 3 -f primers.fa reads.fastq --format json
  carrywave search --whole -c 'a signature' disk.img   as one text, which may be larger than memory

A file that starts with '>' is FASTA, one that starts with '@' and has a '+' line is FASTQ: their records are searched,
line ends left out. Any other file is searched line by line. A symbol is a byte: an error in a character outside ASCII
counts for 2 to 4. Exit codes: 0 found, 1 not found, 2 an error.";

/// Where a pattern occurs, with at most k errors.
#[derive(Debug, Args)]
#[command(override_usage = "\
carrywave search [OPTIONS] PATTERN [FILE]...
       carrywave search [OPTIONS] -f PATTERNS [FILE]...")]
#[command(after_help = HELP, after_long_help = long_help::<Occurrences>(HELP))]
pub struct Arguments {
    /// The pattern, and the files to search, plain, gz, bz2, xz or zst; none or `-` is standard input. With -f only files.
    #[arg(value_name = "PATTERN FILE", num_args = 0..)]
    words: Vec<OsString>,

    #[command(flatten)]
    limits: LimitArguments,

    /// Patterns from a file: one a line, or FASTA.
    #[arg(short = 'f', long = "file", value_name = "FILE")]
    patterns: Option<PathBuf>,

    #[command(flatten)]
    reading: TextArguments,

    /// Ignore the case of letters, also in bytes.
    #[arg(short = 'i', long)]
    ignore_case: bool,

    /// A byte of the pattern that stands for any, also in bytes.
    #[arg(long, value_name = "SYMBOL", value_parser = one_byte)]
    wildcard: Option<u8>,

    /// Search for the reverse complement too.
    #[arg(long)]
    rc: bool,

    /// Also tell hits that overlap a better one of the same pattern and strand.
    #[arg(long)]
    overlapping: bool,

    /// Which ends to tell: best, one for each occurrence; or all at which an occurrence ends, each with the best one.
    #[arg(long, default_value = "best", value_parser = named::<Ends>)]
    ends: Ends,

    /// Print only how many: lines that match, or occurrences in FASTA and FASTQ and with --whole.
    #[arg(short = 'c', long)]
    count: bool,

    /// Print only the parts that match, each on its line.
    #[arg(short = 'o', long)]
    only_matching: bool,

    /// Print before each line (with -o, each part) where it begins: in bytes from the file's start, or in symbols from the
    /// record's.
    #[arg(short = 'b', long)]
    byte_offset: bool,

    /// What to print: text (lines, or records as FASTA), bed, or json; by default text for lines and bed for FASTA and FASTQ
    /// and with --whole.
    #[arg(long, value_enum)]
    format: Option<OutputFormat>,

    /// Take every file as one text, as it is, line ends and all, and read it in parts: it may be larger than memory, and is not
    /// decompressed. Prints -c, -o, bed or json.
    #[arg(long)]
    whole: bool,

    /// Mark what matches with colours.
    #[arg(long, value_enum, default_value_t = Color::Auto)]
    color: Color,

    #[command(flatten)]
    engine: EngineArguments,

    #[arg(long, default_value = "auto", value_parser = named::<Algorithm>, help = algorithms_help::<Occurrences>())]
    algorithm: Algorithm,

    /// Options of scan, gbpr and xbitpar, as alpha=16,variant=overlapping,table=paper,segment=64: the symbols that a thread takes
    /// at a time; disjoint or overlapping scans; the match table for banks or the paper's; the symbols of a thread or warp.
    #[arg(long, value_name = "NAME=VALUE,…", default_value = "", value_parser = named::<Tuning>, hide_default_value = true)]
    tune: Tuning,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum OutputFormat {
    /// Lines that match; records that match, as FASTA.
    Text,
    /// Name, start, end, pattern, errors, strand; 0-based, half open.
    Bed,
    /// An object for each occurrence, one a line.
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Color {
    Auto,
    Always,
    Never,
}

fn one_byte(symbol: &str) -> std::result::Result<u8, String> {
    match symbol.as_bytes() {
        [byte] => Ok(*byte),
        _ => Err("a wildcard is one byte".into()),
    }
}

/// Bytes of a text that tell what it is.
const HEAD: u64 = 1 << 16;

/// Steps of 64 cells that a core takes in a minute; if there are more it is said how many.
const STEPS_A_MINUTE: u64 = 15_000_000_000;

/// What is the same for all files.
struct Job<'j> {
    arguments: &'j Arguments,
    given: &'j [Given],
    /// None for `auto`.
    engine: Option<&'j dyn Engine>,
}

impl Job<'_> {
    /// Whether any pattern may have errors.
    fn allows_errors(&self) -> bool {
        self.arguments.limits.allow_errors(self.given.iter().map(|given| &given.limits))
    }
}

/// A pattern as it was given.
struct Given {
    name: String,
    symbols: Vec<u8>,
    /// What its header says.
    limits: OwnLimits,
}

/// Runs the command; the exit code tells whether anything was found.
pub fn run(arguments: &Arguments, gpus: GpuArguments) -> Result<ExitCode> {
    let (patterns, files) = given(arguments)?;
    gpus.check(arguments.engine.engine, arguments.algorithm)?;
    let engine = gpus.open(arguments.engine.engine)?;
    let job = Job { arguments, given: &patterns, engine: engine.as_deref() };
    let files = if files.is_empty() { &[OsString::from("-")][..] } else { files };
    if files.iter().filter(|file| *file == "-").count() > 1 {
        return Err(Error::Usage("standard input, `-`, can be read once only".into()));
    }
    let mut out = Out::new(arguments, files.len() > 1)?;
    let mut found = false;
    let mut failed = false;
    for file in files {
        match search(&job, file, &mut out) {
            Ok(any) => found |= any,
            // The reader of our output has seen enough.
            Err(Error::Io { source, .. }) if source.kind() == io::ErrorKind::BrokenPipe => {
                return Ok(ExitCode::SUCCESS);
            }
            // What is wrong with the call is wrong for every file.
            Err(error) if super::is_wrong_call(&error) => return Err(error),
            // As grep does: the other files may be better.
            Err(error) => {
                out.flush()?;
                note(&error.to_string());
                failed = true;
            }
        }
    }
    out.flush()?;
    Ok(ExitCode::from(if failed { 2 } else { u8::from(!found) }))
}

/// The patterns, and the files' names.
fn given(arguments: &Arguments) -> Result<(Vec<Given>, &[OsString])> {
    let Some(path) = &arguments.patterns else {
        let Some((pattern, files)) = arguments.words.split_first() else {
            return Err(Error::Usage("give a PATTERN, or a file of them with -f".into()));
        };
        let (name, symbols) = (pattern.to_string_lossy().into_owned(), pattern.as_encoded_bytes().to_vec());
        return Ok((vec![Given { name, symbols, limits: OwnLimits::default() }], files));
    };
    if path.as_os_str() == "-" && (arguments.words.is_empty() || arguments.words.iter().any(|file| file == "-")) {
        return Err(Error::Usage("standard input cannot be both the patterns and a text".into()));
    }
    let document = read_document(path, DocumentOptions::default())?;
    let pattern = |(number, record): (usize, &Range<usize>)| {
        let symbols = document.symbols[record.clone()].to_vec();
        let name = document.name(number).map(str::to_owned);
        let name = name.unwrap_or_else(|| String::from_utf8_lossy(&symbols).into_owned());
        let limits = OwnLimits::of(&name, document.comment(number))?;
        Ok(Given { name, symbols, limits })
    };
    let all = document.records.iter().enumerate().filter(|(_, record)| !record.is_empty()).map(pattern);
    let patterns: Vec<Given> = all.collect::<Result<_>>()?;
    if patterns.is_empty() {
        let reason = "there is no pattern in this file".into();
        return Err(Error::Input { path: path.clone(), fault: InputFault::NoPattern, reason });
    }
    Ok((patterns, &arguments.words))
}

/// The patterns' classes, as the text's symbols ask for.
fn parse(arguments: &Arguments, given: &[Given], kind: Kind) -> Result<Vec<Pattern>> {
    let alphabet = arguments.reading.alphabet(kind);
    if arguments.rc && !alphabet.has_complement() {
        return Err(Error::Usage(format!("--rc takes --alphabet dna or iupac; {alphabet} has no complements")));
    }
    let rules = arguments.reading.rules(kind).wildcard(arguments.wildcard).ignore_case(arguments.ignore_case);
    let pattern = |given: &Given| arguments.limits.fix(Pattern::parse_with(&given.symbols, &rules)?, &given.limits);
    given.iter().map(pattern).collect()
}

/// Searches a file, in parts, and prints what it finds as it is found; whether that is anything.
fn search(job: &Job<'_>, file: &OsStr, out: &mut Out<'_>) -> Result<bool> {
    let &Job { arguments, given, .. } = job;
    if arguments.whole {
        return search_whole(job, file, out);
    }
    // Records that are printed are in memory as a whole; others may be of any length.
    let marks = arguments.only_matching || arguments.byte_offset;
    let whole = match arguments.format {
        Some(OutputFormat::Bed | OutputFormat::Json) => Whole::None,
        _ if arguments.count || arguments.only_matching => Whole::None,
        None if !marks => Whole::Lines,
        _ => Whole::All,
    };
    let reader = PartReader::open(file, arguments.reading.in_parts(whole))?;
    let seen = Seen::from(&reader);
    let typed = || given.iter().map(|given| &given.symbols[..]);
    let name = file_name(file);
    arguments.reading.tell_alphabet(&name, &seen, typed());
    if job.allows_errors() {
        tell_bytes(typed(), &[seen.symbols]);
    }
    let patterns = parse(arguments, given, reader.kind())?;
    let lines = reader.format() == Format::Lines;
    let print = match arguments.format {
        _ if arguments.count => Print::Nothing,
        Some(OutputFormat::Json) => Print::Json,
        Some(OutputFormat::Bed) => Print::Bed,
        None if !lines && !marks => Print::Bed,
        _ if arguments.only_matching => Print::Parts,
        _ => Print::Records,
    };
    let mut count = 0;
    with_progress(job, patterns, reader.bytes(), |search| {
        let mut hits = search.prepare()?.stream(reader);
        // Of the record that is printed next.
        let mut of_record: Vec<Found> = Vec::new();
        let mut last = None;
        while let Some(found) = hits.next() {
            let found = found?;
            let next_record = last.replace(found.hit.record) != Some(found.hit.record);
            // grep counts lines.
            count += u64::from(!lines || next_record);
            let text = Searched { file: &name, lines, patterns: given };
            match print {
                Print::Nothing => {}
                Print::Records => {
                    if next_record {
                        out.record(&text, &of_record)?;
                        of_record.clear();
                    }
                    of_record.push(found);
                    if hits.waits() {
                        out.record(&text, &of_record)?;
                        of_record.clear();
                    }
                }
                Print::Parts => {
                    let (around, part) = found.around();
                    out.part(&text.occurrence(&found), &around[whole_characters(around, part)])?;
                }
                Print::Bed => out.bed(&text.occurrence(&found))?,
                Print::Json => out.json(&text.occurrence(&found), found.symbols())?,
            }
            if hits.waits() {
                out.flush()?;
            }
        }
        Ok(())
    })?;
    if arguments.count {
        out.count(file, count)?;
    }
    Ok(count > 0)
}

/// The same with the file as one text.
fn search_whole(job: &Job<'_>, file: &OsStr, out: &mut Out<'_>) -> Result<bool> {
    let &Job { arguments, given, .. } = job;
    let lines = arguments.format == Some(OutputFormat::Text) || arguments.byte_offset && arguments.format.is_none();
    if lines && !arguments.only_matching && !arguments.count {
        return Err(Error::Usage("--whole has no lines to print: take -c, -o, --format bed or --format json".into()));
    }
    let patterns = parse(arguments, given, Kind::Bytes)?;
    let text = Text::open(file)?;
    let head = text.part(0..text.len().min(HEAD))?;
    if head.starts_with(&[0x1f, 0x8b]) && !arguments.reading.no_decompress {
        note(&format!(
            "{}: --whole searches compressed bytes as they are; decompress them first: gzip -dc",
            file_name(file)
        ));
    }
    if job.allows_errors() {
        tell_bytes(given.iter().map(|given| &given.symbols[..]), &[&head]);
    }
    if arguments.count {
        let count = with_progress(job, patterns, Some(text.len()), |search| search.count(&text))?;
        out.count(file, count)?;
        return Ok(count > 0);
    }
    let hits = with_progress(job, patterns, Some(text.len()), |search| search.hits(&text))?;
    let name = file_name(file);
    for hit in &hits {
        let occurrence =
            Occurrence { file: &name, record: None, line: None, base: 0, hit, pattern: &given[hit.pattern].name };
        match arguments.format {
            Some(OutputFormat::Json) => out.json(&occurrence, &text.part(hit.start..hit.end)?)?,
            Some(OutputFormat::Bed) => out.bed(&occurrence)?,
            _ if arguments.only_matching => out.part(&occurrence, &characters(&text, hit)?)?,
            _ => out.bed(&occurrence)?,
        }
    }
    Ok(!hits.is_empty())
}

/// What a hit in a file covers, with all of the characters at its ends.
fn characters<'t>(text: &'t Text<'_>, hit: &Hit) -> Result<Cow<'t, [u8]>> {
    let around = hit.start.saturating_sub(LONGEST)..hit.end.saturating_add(LONGEST).min(text.len());
    let (start, end) = (hit.start - around.start, hit.end - around.start);
    let bytes = text.part(around)?;
    let part = whole_characters(&bytes, start as usize..end as usize);
    Ok(bytes[part].to_vec().into())
}

/// Runs a search of so many symbols, if that is known, with a bar that shows how far it is.
fn with_progress<T>(
    job: &Job<'_>,
    patterns: Vec<Pattern>,
    symbols: Option<u64>,
    search: impl FnOnce(Search<'_>) -> Result<T>,
) -> Result<T> {
    let arguments = job.arguments;
    let strands = if arguments.rc { 2 } else { 1 };
    let symbols = symbols.map(|symbols| symbols.saturating_mul(patterns.len() as u64).saturating_mul(strands));
    // Of a long pattern with errors words of 64 rows have to be computed for each symbol: all of them at most.
    let longest = patterns.iter().map(Pattern::len).max().unwrap_or(0) as u64;
    let words = if job.allows_errors() { longest.div_ceil(64).max(1) } else { 1 };
    if let Some(symbols) = symbols
        && words > 1
        && symbols.saturating_mul(words) > STEPS_A_MINUTE
    {
        let steps = symbols.saturating_mul(words);
        note(&format!(
            "{symbols} symbols to search for a pattern of {longest}: up to {:.0} × 10^9 steps of 64 cells, some {} minutes of one core",
            steps as f64 / 1e9,
            steps.div_ceil(STEPS_A_MINUTE)
        ));
    }
    let bar = symbols.map_or_else(|| counter(SYMBOLS), |symbols| bar(symbols, words, SYMBOLS));
    let on_progress = |symbols| bar.inc(symbols);
    let own: Vec<&OwnLimits> = job.given.iter().map(|given| &given.limits).collect();
    let mut this = arguments
        .limits
        .search(patterns, &own)?
        .algorithm(arguments.algorithm)
        .tuning(arguments.tune)
        .ends(arguments.ends)
        .overlapping(arguments.overlapping)
        .both_strands(arguments.rc)
        .on_progress(&on_progress);
    if let Some(engine) = job.engine {
        this = this.on(engine);
    }
    let found = search(this);
    bar.finish_and_clear();
    found
}

/// What is printed of a file.
#[derive(Clone, Copy)]
enum Print {
    /// Only the count, at the end.
    Nothing,
    /// Lines, or records as FASTA.
    Records,
    /// Only what matches.
    Parts,
    Bed,
    Json,
}

/// A file that is searched by its records.
struct Searched<'f> {
    file: &'f str,
    lines: bool,
    patterns: &'f [Given],
}

impl<'f> Searched<'f> {
    fn occurrence(&self, found: &'f Found) -> Occurrence<'f> {
        Occurrence {
            file: self.file,
            record: found.name(),
            line: self.lines.then(|| found.hit.record + 1),
            base: if self.lines { found.place() } else { 0 },
            hit: &found.hit,
            pattern: &self.patterns[found.hit.pattern].name,
        }
    }
}

/// A hit, and what is told with it.
struct Occurrence<'f> {
    file: &'f str,
    /// The record's name; none for a line, for a whole file and for a record without one.
    record: Option<&'f str>,
    /// The line's number, from 1.
    line: Option<usize>,
    /// Where the hit's record begins, as positions are told: in the file for lines, and in itself for others.
    base: u64,
    hit: &'f Hit,
    /// The pattern's name.
    pattern: &'f str,
}

/// Bytes that a character has beside its first at most.
const LONGEST: u64 = 3;

/// A part of a text, and in UTF-8 also the rest of the characters at its ends: no terminal shows half of one.
fn whole_characters(text: &[u8], part: Range<usize>) -> Range<usize> {
    let continues = |at: &usize| text.get(*at).is_some_and(|byte| byte & 0xc0 == 0x80);
    let before = (part.start.saturating_sub(LONGEST as usize)..=part.start).rev().take_while(continues).count();
    let after = (part.end..).take(LONGEST as usize).take_while(continues).count();
    let whole = part.start.saturating_sub(before)..part.end + after;
    if !part.is_empty() && whole != part && std::str::from_utf8(&text[whole.clone()]).is_ok() { whole } else { part }
}

/// One line of `--format json`.
#[derive(serde::Serialize)]
struct Json<'f> {
    file: &'f str,
    #[serde(skip_serializing_if = "Option::is_none")]
    record: Option<&'f str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    start: u64,
    end: u64,
    strand: char,
    errors: u32,
    pattern: &'f str,
    #[serde(rename = "match")]
    part: Cow<'f, str>,
}

/// Standard output, and how it looks.
struct Out<'a> {
    to: BufWriter<io::StdoutLock<'static>>,
    arguments: &'a Arguments,
    /// Whether lines begin with the file's name.
    with_file: bool,
    colors: bool,
}

/// As grep's: what matches, a file's name, an offset, a separator.
const MATCH: &str = "\x1b[1;31m";
const NAME: &str = "\x1b[35m";
const OFFSET: &str = "\x1b[32m";
const SEPARATOR: &str = "\x1b[36m";
const RESET: &str = "\x1b[0m";

impl<'a> Out<'a> {
    fn new(arguments: &'a Arguments, with_file: bool) -> Result<Self> {
        let stdout = super::stdout()?;
        let colors = match arguments.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => {
                stdout.is_terminal() && anstream::AutoStream::choice(&stdout) != anstream::ColorChoice::Never
            }
        };
        Ok(Self { to: BufWriter::with_capacity(1 << 16, stdout), arguments, with_file, colors })
    }

    fn flush(&mut self) -> Result<()> {
        written(self.to.flush())
    }

    fn colored(&mut self, color: &str, text: &[u8]) -> io::Result<()> {
        if !self.colors || text.is_empty() {
            return self.to.write_all(text);
        }
        self.to.write_all(color.as_bytes())?;
        self.to.write_all(text)?;
        self.to.write_all(RESET.as_bytes())
    }

    fn field(&mut self, color: &str, text: &str) -> io::Result<()> {
        self.colored(color, Visible(text).to_string().as_bytes())?;
        self.colored(SEPARATOR, b":")
    }

    fn count(&mut self, file: &OsStr, count: u64) -> Result<()> {
        let write = |out: &mut Self| {
            if out.with_file {
                out.field(NAME, &file_name(file))?;
            }
            writeln!(out.to, "{count}")
        };
        written(write(self))
    }

    /// A line, or a record as FASTA, with all that matches marked: nothing without hits.
    fn record(&mut self, text: &Searched<'_>, hits: &[Found]) -> Result<()> {
        let Some(first) = hits.first() else { return Ok(()) };
        let mut write = || -> io::Result<()> {
            if !text.lines {
                writeln!(self.to, ">{}", Visible(first.name().unwrap_or("")))?;
            } else {
                if self.with_file {
                    self.field(NAME, text.file)?;
                }
                if self.arguments.byte_offset {
                    self.field(OFFSET, &first.place().to_string())?;
                }
            }
            // The reader gives whole records.
            let record = first.record().unwrap_or_default();
            let mut done = 0;
            // They are ordered by their starts, and may overlap.
            for hit in hits.iter().map(|found| &found.hit) {
                let part = whole_characters(record, hit.start as usize..hit.end as usize);
                let start = part.start.max(done);
                let end = part.end.max(start);
                self.to.write_all(&record[done..start])?;
                self.colored(MATCH, &record[start..end])?;
                done = end;
            }
            self.to.write_all(&record[done..])?;
            self.to.write_all(b"\n")
        };
        written(write())
    }

    /// Only what matches.
    fn part(&mut self, of: &Occurrence<'_>, part: &[u8]) -> Result<()> {
        let mut write = || -> io::Result<()> {
            if self.with_file {
                self.field(NAME, of.file)?;
            }
            if let Some(name) = of.record {
                self.field(NAME, name)?;
            }
            if self.arguments.byte_offset {
                self.field(OFFSET, &(of.base + of.hit.start).to_string())?;
            }
            self.colored(MATCH, part)?;
            self.to.write_all(b"\n")
        };
        written(write())
    }

    fn bed(&mut self, of: &Occurrence<'_>) -> Result<()> {
        let (start, end) = (of.base + of.hit.start, of.base + of.hit.end);
        let (name, pattern) = (Field(of.record.unwrap_or(of.file)), Field(of.pattern));
        let (errors, sign) = (of.hit.errors, of.hit.strand.sign());
        written(writeln!(self.to, "{name}\t{start}\t{end}\t{pattern}\t{errors}\t{sign}"))
    }

    fn json(&mut self, of: &Occurrence<'_>, part: &[u8]) -> Result<()> {
        let line = Json {
            file: of.file,
            record: of.record,
            line: of.line,
            start: of.base + of.hit.start,
            end: of.base + of.hit.end,
            strand: of.hit.strand.sign(),
            errors: of.hit.errors,
            pattern: of.pattern,
            part: String::from_utf8_lossy(part),
        };
        written(super::json(&mut self.to, &line))
    }
}

/// A name in a table: blanks and what a terminal acts on become `_`.
struct Field<'t>(&'t str);

impl std::fmt::Display for Field<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        use std::fmt::Write;
        let shown = |c: char| if c.is_whitespace() || !is_visible(c) { '_' } else { c };
        self.0.chars().try_for_each(|c| f.write_char(shown(c)))
    }
}

fn written(outcome: io::Result<()>) -> Result<()> {
    outcome.map_err(|source| Error::Io { path: "standard output".into(), source })
}
