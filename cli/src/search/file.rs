//! The search of one file.

use super::arguments::{Arguments, BinaryFiles, OutputFormat};
use super::output::{FileName, Out, refuse_lines};
use super::ready::Searches;
use super::session::Session;
use super::symbols::FileKind;
use super::{line_printer, lines, records, whole, without_hits};
use crate::shared::notes::{is_due, note, note_bytes};
use crate::shared::parts::{Part, during};
use crate::shared::patterns::GivenPattern;
use crate::shared::text_arguments::Seen;
use carrywave::Result;
use carrywave::device::EngineKind;
use carrywave::error::UsageFault;
use carrywave::io::output::Shortened;
use carrywave::io::sequence::{Format, PartReader};
use std::ffi::OsStr;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Unit of the size of a part of a text, in symbols: large enough that computing dominates, and
/// small enough for the caches and for little memory when every line has hits.
const PART: usize = 1 << 20;

/// Symbols in a part of a pipe, for one thread: hits may be everywhere, and the pipe may be
/// endless.
const PIPE_PART: usize = PART / 2;

/// Maximum symbols of a part for the CPU. Up to four parts are in memory at a time.
const MOST_PART: usize = 16 << 20;

/// Symbols of a part for a GPU, for few patterns and for more.
const GPU_PART: usize = 8 << 20;
const MOST_GPU_PART: usize = 24 << 20;

/// Symbols of a split record that a part repeats: as many as the search usually needs of the part
/// before.
const REPEATED: usize = 1 << 14;

/// Result of searching a file.
pub enum Outcome {
    Nothing,
    Found,
    /// The file was not searched; holds the reason.
    Failed(String),
}

/// Searches a file in parts, and prints hits as they are found.
pub fn search<'s>(
    session: &Session<'s>,
    searches: &mut Searches<'s>,
    file: &OsStr,
    out: &mut Out<'_>,
) -> Result<Outcome> {
    let &Session { arguments, patterns: given, .. } = session;
    let name = FileName::new(file, &arguments.files.label);
    if arguments.whole && given.is_empty() {
        return print_summary(arguments, &name, 0, out);
    }
    if arguments.whole {
        let count = whole::search_whole(session, file, &name, out)?;
        return print_summary(arguments, &name, count, out);
    }
    let mut reader = open(session, file, false)?;
    let mut ready = searches.get(session, FileKind::new(session, &reader));
    // A folder may hold files of all formats. If an option applies to lines only, or a pattern is
    // invalid for records, FASTA and FASTQ files are searched by their raw lines. A pipe cannot be
    // read again.
    if ready.is_err()
        && reader.format() != Format::Lines
        && arguments.files.is_recursive()
        && file != "-"
        && is_file(Path::new(file))
    {
        reader = open(session, file, true)?;
        ready = searches.get(session, FileKind::new(session, &reader));
    }
    let lines = reader.format() == Format::Lines;
    let seen = Seen::from(&reader);
    let typed = || given.iter().map(|given| &given.symbols[..]);
    arguments.reading.note_alphabet(&name.shown, &seen, typed());
    let head = &seen.symbols[..seen.symbols.len().min(line_printer::CHUNK)];
    let is_utf_16 = head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff");
    if lines
        && is_utf_16
        && head.contains(&0)
        && arguments.binary_files() == BinaryFiles::Binary
        && !arguments.no_messages
    {
        let how = "UTF-16 text, searched byte by byte; to search its characters, convert it first: iconv -f UTF-16 -t UTF-8 FILE";
        note(&format!("{}: {how}", name.shown));
    }
    if lines && arguments.binary_files() == BinaryFiles::WithoutMatch && memchr::memchr(0, head).is_some() {
        return print_summary(arguments, &name, 0, out);
    }
    if let Some(reason) = refused(arguments, &reader, &name) {
        // A folder may hold files of all formats.
        return if arguments.files.is_recursive() {
            Ok(Outcome::Failed(reason))
        } else {
            Err(UsageFault::Combination.error(reason))
        };
    }
    let ready = match ready {
        // A folder may hold files of all formats.
        Err(error) if !lines && arguments.files.is_recursive() => {
            return Ok(Outcome::Failed(format!("{}: {error}", name.shown)));
        }
        ready => ready?,
    };
    // Without patterns, no line matches.
    if given.is_empty() && !arguments.lines.invert_match {
        return print_summary(arguments, &name, 0, out);
    }
    if session.allows_errors() && !arguments.reading.asks_for_bytes() {
        if ready.has_characters {
            note_bytes_of_some(given);
        } else {
            note_bytes(typed(), &[seen.symbols]);
        }
    }
    if !lines && arguments.lines.invert_match {
        let count = without_hits::search(session, ready, reader, out)?;
        return print_summary(arguments, &name, count, out);
    }
    if !reader.lines_are_together() {
        let count = records::search(session, ready, reader, &name, out)?;
        return print_summary(arguments, &name, count, out);
    }
    let longest = ready.longest;
    let found = session.with_bar(longest, reader.bytes(), || lines::search(session, ready, reader, &name, out))?;
    if found.is_binary {
        out.flush()?;
        note(&format!("{}: binary file matches", name.shown));
    }
    print_summary(arguments, &name, found.count, out)
}

/// Returns why a file cannot be searched with the options of the call, or `None` if it can.
fn refused(arguments: &Arguments, reader: &PartReader, name: &FileName) -> Option<String> {
    let is_circular = arguments.borders.circular;
    let shown = &name.shown;
    if reader.format() == Format::Lines {
        let format = arguments.format.filter(|format| format.needs_records());
        let circular = || is_circular.then(|| format!("{shown}: --circular needs FASTA or FASTQ records"));
        return format.map(|format| refuse_lines(format, name)).or_else(circular);
    }
    let is_region = is_circular && reader.excerpt().is_some();
    is_region
        .then(|| format!("{shown}: a region of a record is not circular; remove --circular, or name the whole record"))
}

/// Notes, once per run, the patterns that are compared byte by byte while others are compared by
/// characters.
fn note_bytes_of_some(given: &[GivenPattern]) {
    static NOTED: AtomicBool = AtomicBool::new(false);
    let mut of_bytes = given.iter().filter(|given| given.as_text().is_none());
    let Some(first) = of_bytes.next() else { return };
    if !is_due(&NOTED) {
        return;
    }
    let others = match of_bytes.count() {
        0 => String::new(),
        1 => " (so is another pattern)".into(),
        others => format!(" (so are {others} other patterns)"),
    };
    note(&format!("pattern {} is not valid UTF-8, so it is compared byte by byte{others}", Shortened(&first.name)));
}

/// Returns true for a regular file, which can be read again, unlike a pipe.
fn is_file(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|about| about.is_file())
}

/// Opens a reader that returns whole records or lines if the output needs them, and parts of any
/// length otherwise.
fn open(session: &Session<'_>, file: &OsStr, raw: bool) -> Result<PartReader> {
    let &Session { arguments, patterns: given, engine, .. } = session;
    let prints_records = match arguments.format {
        _ if arguments.prints_no_hits() || arguments.only_matching => false,
        // A PAF line has the length of its record.
        Some(format) => matches!(format, OutputFormat::Text | OutputFormat::Paf),
        None => arguments.byte_offset || arguments.lines.invert_match,
    };
    let whole = prints_records
        || arguments.lines.line_regexp
        || arguments.lines.invert_match
        || arguments.borders.need_whole_records(given)
        || given.iter().any(GivenPattern::may_share_codes);
    let options = arguments.reading.in_parts().whole(whole).fastq(prints_records);
    let options = options.lines_together(arguments.prints_lines()).short_lines_together(arguments.counts_lines());
    let is_gpu = engine.is_some_and(|engine| engine.kind() == EngineKind::Gpu);
    let symbols = match given.len() {
        0..16 if is_gpu => GPU_PART,
        _ if is_gpu => MOST_GPU_PART,
        patterns => part(rayon::current_num_threads(), patterns),
    };
    let options = options.symbols(symbols).symbols_of_pipe(PIPE_PART).repeated(REPEATED);
    let options = if raw { options.raw(true) } else { options };
    during(Part::Read, || PartReader::open(file, options))
}

/// Returns the number of symbols of a part for the CPU. Few patterns take less time than reading,
/// which is fastest if four parts fit the caches. Many patterns take more time, also for each part.
fn part(threads: usize, patterns: usize) -> usize {
    let for_threads = threads.min(4 + patterns / 8);
    MOST_PART.min(PART.saturating_mul(for_threads + patterns / 64))
}

/// Prints the summary of a file: its name or its number of matches.
fn print_summary(arguments: &Arguments, name: &FileName, count: u64, out: &mut Out<'_>) -> Result<Outcome> {
    let files = &arguments.files;
    match count {
        _ if files.quiet => {}
        0 if files.files_without_match => out.only_name(name)?,
        1.. if files.files_with_matches => out.only_name(name)?,
        _ if arguments.first_match_decides() => {}
        _ if arguments.count => out.count(name, count)?,
        _ => {}
    }
    Ok(if count > 0 { Outcome::Found } else { Outcome::Nothing })
}
