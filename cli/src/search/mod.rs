//! `carrywave search`
//!
//! | file | what |
//! |---|---|
//! | `arguments` | the options, which are grep's where grep has them |
//! | `files` | which files are searched |
//! | `lengths` | names and lengths of records, for the head of a SAM file |
//! | `lines` | the lines of a file that match, with those around them |
//! | `words` | whole words |
//! | `symbols` | whether characters or bytes are compared, and the patterns of them |
//! | `records` | occurrences one by one, in FASTA and FASTQ and for BED and JSON |
//! | `ready` | searches that are kept for the next file |
//! | `output` | how they are printed |
//! | `regular` | a note about what looks like a regular expression |

mod arguments;
mod files;
mod lengths;
mod lines;
mod output;
mod ready;
mod records;
mod regular;
mod symbols;
mod words;

use super::engine::GpuArguments;
use super::limits::OwnLimits;
use super::note;
use super::text::{Seen, tell_bytes};
pub use arguments::Arguments;
use arguments::{BinaryFiles, OutputFormat};
use carrywave::device::{Engine, EngineKind};
use carrywave::error::InputFault;
use carrywave::io::output::Shortened;
use carrywave::io::sequence::{DocumentOptions, Format, PartReader, read_document};
use carrywave::search::Pattern;
use carrywave::text::characters::CODES;
use carrywave::{Error, Result};
use files::Files;
use output::{FileName, Out};
use ready::{Progress, Searches};
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use symbols::FileKind;

/// What follows the options in the help.
const HELP: &str = "\
Examples:
  carrywave search -k 2 accomodation *.txt             lines with a word, however it is spelt
  carrywave search -k 1 --rc GATTACAGATTACA genome.fa.gz   occurrences on both strands, as BED
  carrywave search -k 3 -f primers.fa reads.fastq --format json
  carrywave search -k 2 --rc --format align GATTACAGATTACA genome.fa   each occurrence with its errors
  carrywave search --whole -c 'a signature' disk.img   as one text, which may be larger than memory

A file that starts with '>' is FASTA, one that starts with '@' and has a '+' line is FASTQ: their records are searched,
line ends left out. Any other file is searched line by line, and a symbol is a character (--bytes: a byte); places are bytes.
Exit codes: 0 found, 1 not found, 2 an error.";

/// Steps of 64 cells that a core takes in a minute; if there are more it is said how many.
const STEPS_A_MINUTE: u64 = 15_000_000_000;

/// Symbols of a part of a text, for each thread: so many that computing them is most of the work, and so few that they stay in the caches and
/// that hits which are in every line take little memory.
const PART: usize = 1 << 20;

/// The same of what is read from a pipe, whose parts are as many as one thread takes: hits may be everywhere, and the pipe without an end.
const PIPE_PART: usize = PART / 2;

/// Patterns for which a part has as many symbols more.
const PATTERNS_A_PART: usize = 64;

/// Symbols of a part at most: up to four parts are in memory at a time.
const MOST_PART: usize = 24 << 20;

/// What is the same for all files.
struct Job<'j> {
    arguments: &'j Arguments,
    given: &'j [Given],
    /// None for `auto`.
    engine: Option<&'j dyn Engine>,
    /// Whether what matches is marked.
    has_colors: bool,
    progress: &'j Progress,
    /// Tells that of more symbols.
    on_progress: &'j (dyn Fn(u64) + Sync),
}

impl Job<'_> {
    /// Whether any pattern may have errors.
    fn allows_errors(&self) -> bool {
        self.arguments.limits.allow_errors(self.given.iter().map(|given| &given.limits))
    }
}

/// A pattern as it was given.
pub struct Given {
    pub name: String,
    pub symbols: Vec<u8>,
    /// A quality for each symbol, if it is a read of FASTQ.
    pub qualities: Option<Vec<u8>>,
    /// What its header says.
    limits: OwnLimits,
    /// The file that it is from, and the line in which it begins there.
    place: Option<(Arc<str>, u64)>,
}

impl Given {
    /// What is wrong with it, and where it is.
    pub fn wrong(&self, error: Error) -> Error {
        let Some((file, line)) = &self.place else { return error };
        match error {
            Error::Usage(reason) => Error::Usage(format!("{file}:{line}: pattern {}: {reason}", Shortened(&self.name))),
            Error::Pattern { reason, .. } => {
                Error::Usage(format!("{file}:{line}: pattern {} {reason}", Shortened(&self.name)))
            }
            error => error,
        }
    }
}

/// What is wrong with one of several patterns, and where that is.
fn wrong(given: &[Given], error: Error) -> Error {
    match &error {
        Error::Pattern { number, .. } => match given.get(*number) {
            Some(pattern) => pattern.wrong(error),
            None => error,
        },
        // Of what is too long the longest is.
        Error::Unsupported { algorithm, reason } => match given.iter().max_by_key(|pattern| pattern.symbols.len()) {
            Some(Given { name, symbols, place: Some((file, line)), .. }) => Error::Unsupported {
                algorithm: algorithm.clone(),
                reason: format!(
                    "{reason}; the longest pattern is {}, {file}:{line}, with {} symbols",
                    Shortened(name),
                    symbols.len()
                ),
            },
            _ => error,
        },
        _ => error,
    }
}

impl Given {
    /// The pattern as text, if it is UTF-8.
    fn as_text(&self) -> Option<&str> {
        std::str::from_utf8(&self.symbols).ok()
    }

    /// Returns true if the pattern may have more kinds of characters than there are codes: records are then searched as a whole.
    fn may_share_codes(&self) -> bool {
        self.symbols.iter().filter(|&&symbol| symbol >= 0xc0).count() > CODES
    }

    /// A pattern that was typed.
    pub fn typed(symbols: &[u8]) -> Self {
        let name = String::from_utf8_lossy(symbols).into_owned();
        Self { name, symbols: symbols.to_vec(), qualities: None, limits: OwnLimits::default(), place: None }
    }
}

/// Runs the command; the exit code tells whether anything was found.
pub fn run(arguments: &Arguments, gpus: GpuArguments) -> Result<ExitCode> {
    arguments.check()?;
    let (patterns, files) = given(arguments)?;
    gpus.check(arguments.engine.engine, arguments.algorithm)?;
    let engine = gpus.open(arguments.engine.engine)?;
    let progress = Progress::default();
    let on_progress = |symbols| progress.add(symbols);
    let files = Files::new(&arguments.files, files)?;
    let mut out = Out::new(arguments, files.have_names())?;
    let job = Job {
        arguments,
        given: &patterns,
        engine: engine.as_deref(),
        has_colors: out.has_colors(),
        progress: &progress,
        on_progress: &on_progress,
    };
    let mut searches = Searches::default();
    if arguments.most() == 0 && !arguments.files.files_without_match {
        return Ok(ExitCode::from(1));
    }
    if arguments.format == Some(OutputFormat::Sam) && !arguments.prints_no_hits() {
        out.sam_head(lengths::of_records(arguments, &files), patterns.iter().map(|pattern| &pattern.name[..]))?;
    }
    let mut found = false;
    let mut failed = false;
    for file in files.each() {
        let searched = match &file {
            Ok(file) => search(&job, &mut searches, file, &mut out),
            Err(reason) => Ok(Outcome::Failed(reason.clone())),
        };
        let message = match searched {
            Ok(Outcome::Nothing) => continue,
            Ok(Outcome::Found) if arguments.files.quiet => return Ok(ExitCode::SUCCESS),
            Ok(Outcome::Found) => {
                found = true;
                continue;
            }
            Ok(Outcome::Failed(reason)) => reason,
            // The reader of our output has seen enough.
            Err(Error::Io { source, .. }) if source.kind() == io::ErrorKind::BrokenPipe => {
                return Ok(ExitCode::SUCCESS);
            }
            // What is wrong with the call is wrong for every file.
            Err(error) if super::is_wrong_call(&error) => return Err(error),
            // As grep does: the other files may be better.
            Err(error) => error.to_string(),
        };
        failed = true;
        if !arguments.files.no_messages {
            out.flush()?;
            note(&message);
        }
    }
    out.flush()?;
    if !found && !failed {
        regular::tell(arguments, &patterns);
    }
    Ok(ExitCode::from(if failed { 2 } else { u8::from(!found) }))
}

/// The patterns, and the files' names.
fn given(arguments: &Arguments) -> Result<(Vec<Given>, &[OsString])> {
    let mut patterns = Vec::new();
    let mut add = |typed: &OsStr| {
        let symbols = typed.as_encoded_bytes();
        // A line of several is a pattern, as in grep.
        let several = if arguments.whole { vec![symbols] } else { symbols.split(|&symbol| symbol == b'\n').collect() };
        patterns.extend(several.into_iter().map(Given::typed));
    };
    let mut files = &arguments.words[..];
    if arguments.expressions.is_empty() && arguments.patterns.is_empty() {
        let Some((pattern, rest)) = arguments.words.split_first() else {
            let how = "give a PATTERN, with -e several, or a file of them with -f; --help tells all options";
            return Err(Error::Usage(how.into()));
        };
        add(pattern);
        files = rest;
    }
    arguments.expressions.iter().for_each(|pattern| add(pattern));
    let is_stdin = |file: &Path| file.as_os_str() == "-";
    if arguments.patterns.iter().any(|file| is_stdin(file))
        && (files.is_empty() || files.iter().any(|file| file == "-"))
    {
        return Err(Error::Usage("standard input cannot be both the patterns and a text".into()));
    }
    for path in &arguments.patterns {
        let found = read_patterns(path, &mut patterns)?;
        // An empty file finds nothing, as in grep. A file with only empty lines matches everything in grep, and is refused here.
        if found == InFile::None && patterns.is_empty() {
            return Err(no_pattern(path));
        }
    }
    Ok((patterns, files))
}

/// The content of a file of patterns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InFile {
    /// Patterns.
    Some,
    /// No line and no record with symbols; lines without symbols are left out.
    None,
    /// Nothing at all.
    Nothing,
}

/// Names of reads without symbols that a message lists.
const LISTED: usize = 3;

/// Adds the patterns that are in a file. Lines and records without symbols are left out; a note names such records.
pub fn read_patterns(path: &Path, patterns: &mut Vec<Given>) -> Result<InFile> {
    let document = read_document(path, DocumentOptions::default().qualities(true))?;
    let file: Arc<str> = if path == Path::new("-") { "standard input".into() } else { path.to_string_lossy().into() };
    let before = patterns.len();
    let mut without_symbols = Vec::new();
    for (number, record) in document.records.iter().enumerate() {
        if record.is_empty() {
            without_symbols.push(number);
            continue;
        }
        let symbols = document.symbols[record.clone()].to_vec();
        let name = document.name(number).map(str::to_owned);
        let name = name.unwrap_or_else(|| String::from_utf8_lossy(&symbols).into_owned());
        let qualities = document.qualities.get(record.clone()).filter(|qualities| !qualities.is_empty());
        let place = Some((file.clone(), document.line(number)));
        let given =
            Given { name, symbols, qualities: qualities.map(<[u8]>::to_vec), limits: OwnLimits::default(), place };
        let limits = OwnLimits::of(document.comment(number)).map_err(|error| given.wrong(error))?;
        patterns.push(Given { limits, ..given });
    }
    if document.format != Format::Lines && !without_symbols.is_empty() {
        let name = |&number: &usize| {
            let name = document.name(number).unwrap_or("without a name");
            format!("{} in line {}", Shortened(name), document.line(number))
        };
        let mut names: Vec<String> = without_symbols.iter().take(LISTED).map(name).collect();
        if without_symbols.len() > LISTED {
            names.push(format!("{} more", without_symbols.len() - LISTED));
        }
        note(&format!("{file}: patterns without symbols are left out: {}", names.join(", ")));
    }
    Ok(match patterns.len() - before {
        0 if document.symbols.is_empty() && document.records.is_empty() => InFile::Nothing,
        0 => InFile::None,
        _ => InFile::Some,
    })
}

/// Returns the error of a file without patterns.
pub fn no_pattern(path: &Path) -> Error {
    let reason = "there is no pattern in this file".into();
    Error::Input { path: path.into(), fault: InputFault::NoPattern, reason }
}

/// What a file came to.
enum Outcome {
    Nothing,
    Found,
    /// It was not searched, and why.
    Failed(String),
}

/// Searches a file, in parts, and prints what it finds as it is found.
fn search<'j>(job: &Job<'j>, searches: &mut Searches<'j>, file: &OsStr, out: &mut Out<'_>) -> Result<Outcome> {
    let &Job { arguments, given, .. } = job;
    let name = FileName::new(file, &arguments.files.label);
    if arguments.whole && given.is_empty() {
        return tell(arguments, &name, 0, out);
    }
    if arguments.whole {
        let count = records::search_whole(job, file, &name, out)?;
        return tell(arguments, &name, count, out);
    }
    let mut reader = open(job, file, false)?;
    let mut ready = searches.of(job, FileKind::of(job, &reader));
    // In a folder there may be files of all kinds, and an option may be about lines, or a pattern may be none of records: these are searched as the
    // lines that they are written in. What came through a pipe cannot be read again.
    if ready.is_err()
        && reader.format() != Format::Lines
        && arguments.files.is_recursive()
        && file != "-"
        && is_file(Path::new(file))
    {
        reader = open(job, file, true)?;
        ready = searches.of(job, FileKind::of(job, &reader));
    }
    let lines = reader.format() == Format::Lines;
    let seen = Seen::from(&reader);
    let typed = || given.iter().map(|given| &given.symbols[..]);
    arguments.reading.tell_alphabet(&name.shown, &seen, typed());
    let head = &seen.symbols[..seen.symbols.len().min(lines::CHUNK)];
    let is_utf_16 = head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff");
    if lines
        && is_utf_16
        && head.contains(&0)
        && arguments.binary_files() == BinaryFiles::Binary
        && !arguments.files.no_messages
    {
        let how = "this is text in UTF-16, searched byte by byte; convert it first: iconv -f UTF-16 -t UTF-8 FILE";
        note(&format!("{}: {how}", name.shown));
    }
    if lines && arguments.binary_files() == BinaryFiles::WithoutMatch && memchr::memchr(0, head).is_some() {
        return tell(arguments, &name, 0, out);
    }
    if lines && let Some(format) = arguments.format.filter(|format| format.needs_records()) {
        let reason = records::refuse_lines(format, &name);
        // In a folder there may be files of all kinds.
        return if arguments.files.is_recursive() { Ok(Outcome::Failed(reason)) } else { Err(Error::Usage(reason)) };
    }
    let ready = match ready {
        // In a folder there may be files of all kinds.
        Err(error) if !lines && arguments.files.is_recursive() => {
            return Ok(Outcome::Failed(format!("{}: {error}", name.shown)));
        }
        ready => ready?,
    };
    // Without patterns no line matches.
    if given.is_empty() && !(lines && arguments.lines.invert_match) {
        return tell(arguments, &name, 0, out);
    }
    if job.allows_errors() && !arguments.reading.asks_for_bytes() {
        if ready.has_characters() {
            tell_bytes_of_some(given);
        } else {
            tell_bytes(typed(), &[seen.symbols]);
        }
    }
    if !lines || !tells_lines(arguments) {
        let count = records::search(job, ready, reader, &name, out)?;
        return tell(arguments, &name, count, out);
    }
    let longest = ready.longest();
    let outcome = with_progress(job, longest, reader.bytes(), || lines::search(job, ready, reader, &name, out))?;
    if outcome.is_binary {
        out.flush()?;
        note(&format!("{}: binary file matches", name.shown));
    }
    tell(arguments, &name, outcome.count, out)
}

/// Says, once, which patterns are compared byte by byte where others are of characters.
fn tell_bytes_of_some(given: &[Given]) {
    static TOLD: AtomicBool = AtomicBool::new(false);
    let mut of_bytes = given.iter().filter(|given| given.as_text().is_none());
    let Some(first) = of_bytes.next() else { return };
    if TOLD.swap(true, Ordering::Relaxed) {
        return;
    }
    let others = match of_bytes.count() {
        0 => String::new(),
        1 => " (so is another pattern)".into(),
        others => format!(" (so are {others} other patterns)"),
    };
    note(&format!("pattern {} is no UTF-8: it is compared byte by byte{others}", Shortened(&first.name)));
}

/// Whether each line is looked at as a whole: it has to be in memory.
fn tells_lines(arguments: &Arguments) -> bool {
    match arguments.format {
        Some(format) if format.tells_occurrences() => false,
        _ => !arguments.prints_no_hits() || arguments.lines.invert_match || arguments.lines.word_regexp,
    }
}

/// Whether it is a file that can be read again, and not a pipe.
fn is_file(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|about| about.is_file())
}

/// A reader that gives as a whole what is printed as a whole; the rest may be of any length.
fn open(&Job { arguments, given, engine, .. }: &Job<'_>, file: &OsStr, raw: bool) -> Result<PartReader> {
    let prints_records = match arguments.format {
        _ if arguments.prints_no_hits() || arguments.only_matching => false,
        // PAF says how long a record is.
        Some(format) => matches!(format, OutputFormat::Text | OutputFormat::Paf),
        None => arguments.byte_offset,
    };
    let whole = prints_records || arguments.lines.line_regexp || given.iter().any(Given::may_share_codes);
    let options =
        arguments.reading.in_parts().whole(whole).lines_together(tells_lines(arguments)).fastq(prints_records);
    let is_gpu = engine.is_some_and(|engine| engine.kind() == EngineKind::Gpu);
    let symbols = match () {
        () if is_gpu => MOST_PART,
        () => MOST_PART.min(PART.saturating_mul(rayon::current_num_threads() + given.len() / PATTERNS_A_PART)),
    };
    let options = options.symbols(symbols).symbols_of_pipe(PIPE_PART);
    PartReader::open(file, if raw { options.raw(true) } else { options })
}

/// Prints what is told of a file as a whole.
fn tell(arguments: &Arguments, name: &FileName, count: u64, out: &mut Out<'_>) -> Result<Outcome> {
    let files = &arguments.files;
    match count {
        _ if files.quiet => {}
        0 if files.files_without_match => out.only_name(name)?,
        1.. if files.files_with_matches => out.only_name(name)?,
        _ if arguments.asks_whether() => {}
        _ if arguments.count => out.count(name, count)?,
        _ => {}
    }
    Ok(if count > 0 { Outcome::Found } else { Outcome::Nothing })
}

/// Positions of the longest pattern.
fn longest(patterns: &[Pattern]) -> u64 {
    patterns.iter().map(Pattern::len).max().unwrap_or(0) as u64
}

/// Runs a search of so many symbols, if that is known, for patterns of which the longest has so many, with a bar that shows how far it is.
fn with_progress<T>(
    job: &Job<'_>,
    longest: u64,
    symbols: Option<u64>,
    search: impl FnOnce() -> Result<T>,
) -> Result<T> {
    let arguments = job.arguments;
    let strands = if arguments.rc { 2 } else { 1 };
    let symbols = symbols.map(|symbols| symbols.saturating_mul(job.given.len() as u64).saturating_mul(strands));
    // Of a long pattern with errors words of 64 rows have to be computed for each symbol: all of them at most.
    let is_band = arguments.lines.line_regexp;
    let words = if job.allows_errors() && !is_band { longest.div_ceil(64).max(1) } else { 1 };
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
    job.progress.begin(symbols, words);
    let found = search();
    job.progress.end();
    found.map_err(|error| wrong(job.given, error))
}
