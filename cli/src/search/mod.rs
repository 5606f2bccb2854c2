//! `carrywave search`
//!
//! | file | what |
//! |---|---|
//! | `arguments` | the options, with grep's names where grep has them |
//! | `borders` | options for hits at the ends of records: anchors, overhang |
//! | `file` | the search of one file |
//! | `files` | the files to search |
//! | `side_by_side` | files of a folder, searched side by side |
//! | `session` | the state of a call, shared by all files, and the progress bar |
//! | `ready`, `symbols` | searches kept for the next file; their patterns: characters or bytes |
//! | `lines`, `wanted` | lines that match |
//! | `line_printer` | output of lines and their context |
//! | `records` | individual hits, in FASTA and FASTQ and for BED and JSON |
//! | `without_hits` | records without a hit |
//! | `whole` | hits in a file as one text |
//! | `output` | standard output, and the formats of hits |
//! | `lengths` | names and lengths of records, for the head of a SAM file |
//! | `regular` | a note about patterns that look like regular expressions |

mod arguments;
mod borders;
mod file;
mod files;
mod lengths;
mod line_printer;
mod lines;
mod output;
mod ready;
mod records;
mod regular;
mod session;
mod side_by_side;
mod symbols;
mod wanted;
mod whole;
mod without_hits;

pub use arguments::Arguments;

use crate::shared::engine::GpuArguments;
use crate::shared::errors::is_wrong_call;
use crate::shared::notes::{is_stdin, note};
use crate::shared::parts::{Part, ReportAtEnd, during};
use crate::shared::patterns::{GivenPattern, InFile, no_pattern, read_patterns};
use crate::shared::progress::FileBar;
use arguments::OutputFormat;
use carrywave::error::UsageFault;
use carrywave::job::Recorder;
use carrywave::{Error, Result};
use file::{Outcome, search};
use files::Files;
use output::Out;
use ready::Searches;
use session::Session;
use side_by_side::{Searched, Turn, Turns};
use std::ffi::{OsStr, OsString};
use std::io;
use std::process::ExitCode;

/// Runs the command. The exit code says if anything matched.
pub fn run(arguments: &Arguments, gpus: GpuArguments) -> Result<ExitCode> {
    arguments.check()?;
    let Input { patterns, files } = input(arguments)?;
    gpus.check(arguments.engine.engine, arguments.algorithm)?;
    let engine = during(Part::Open, || gpus.open(arguments.engine.engine))?;
    let bar = FileBar::default();
    let on_progress = |symbols| bar.add(symbols);
    let recorder = Recorder::new();
    let _report = ReportAtEnd(&recorder);
    let files = Files::new(&arguments.files, files)?;
    let mut out = Out::new(arguments, files.have_names())?;
    let session = Session {
        arguments,
        patterns: &patterns,
        engine: engine.as_deref(),
        has_colors: out.has_colors(),
        bar: &bar,
        on_progress: &on_progress,
        recorder: log::log_enabled!(log::Level::Info).then_some(&recorder),
    };
    let mut searches = Searches::default();
    if arguments.most() == 0 && !arguments.files.files_without_match {
        return Ok(ExitCode::from(1));
    }
    if arguments.format == Some(OutputFormat::Sam) && !arguments.prints_no_hits() {
        out.sam_head(lengths::references(arguments, &files), patterns.iter().map(|pattern| &pattern.name[..]))?;
    }
    let mut found = false;
    let mut failed = false;
    let hidden = FileBar::hidden();
    let beside = Session { bar: &hidden, on_progress: &|_| (), recorder: None, ..session };
    let mut turns = Turns::new(&beside, out.style(), files.each());
    while let Some(Turn { file, searched }) = turns.next() {
        let searched = match (&file, searched) {
            (Ok(_), Some(Searched { outcome, output })) => {
                let shown = if turns.waits() { Out::show } else { Out::append };
                shown(&mut out, &output).map(|()| outcome)
            }
            (Ok(file), None) => search(&session, &mut searches, file, &mut out),
            (Err(reason), _) => Ok(Outcome::Failed(reason.clone())),
        };
        let message = match searched {
            Ok(Outcome::Nothing) => continue,
            Ok(Outcome::Found) if arguments.files.quiet => return Ok(ExitCode::SUCCESS),
            Ok(Outcome::Found) => {
                found = true;
                continue;
            }
            Ok(Outcome::Failed(reason)) => reason,
            // The reader of standard output has closed it.
            Err(Error::Io { source, .. }) if source.kind() == io::ErrorKind::BrokenPipe => {
                return Ok(ExitCode::SUCCESS);
            }
            // An error of the call applies to every file.
            Err(error) if is_wrong_call(&error) => return Err(error),
            // As in grep, an error of one file does not stop the search of the others.
            Err(error) => error.to_string(),
        };
        failed = true;
        if !arguments.no_messages {
            out.flush()?;
            note(&message);
        }
    }
    out.flush()?;
    if let Some(report) = recorder.report() {
        log::info!("search: {report}");
    }
    if !found && !failed {
        regular::note_regular(arguments, &patterns);
    }
    Ok(ExitCode::from(if failed { 2 } else { u8::from(!found) }))
}

/// Input of a call.
struct Input<'a> {
    patterns: Vec<GivenPattern>,
    /// Names of the files.
    files: &'a [OsString],
}

fn input(arguments: &Arguments) -> Result<Input<'_>> {
    let mut patterns = Vec::new();
    let mut add = |typed: &OsStr| {
        let symbols = typed.as_encoded_bytes();
        // As in grep, each line is a pattern.
        let several = if arguments.whole { vec![symbols] } else { symbols.split(|&symbol| symbol == b'\n').collect() };
        patterns.extend(several.into_iter().map(GivenPattern::typed));
    };
    let mut files = &arguments.words[..];
    if arguments.expressions.is_empty() && arguments.patterns.is_empty() {
        let Some((pattern, rest)) = arguments.words.split_first() else {
            let how =
                "PATTERN is missing; give it as the first argument, several with -e, or a file with -f (see --help)";
            return Err(UsageFault::Empty.error(how));
        };
        add(pattern);
        files = rest;
    }
    arguments.expressions.iter().for_each(|pattern| add(pattern));
    if arguments.patterns.iter().any(|file| is_stdin(file.as_os_str()))
        && (files.is_empty() || files.iter().any(|file| is_stdin(file)))
    {
        return Err(UsageFault::Combination
            .error("standard input cannot be both the pattern file and a text; use a file for one of them"));
    }
    for path in &arguments.patterns {
        let found = read_patterns(path, &mut patterns)?;
        // As in grep, an empty pattern file matches nothing. A file of empty lines matches
        // everything in grep; here it is refused.
        if found == InFile::None && patterns.is_empty() {
            return Err(no_pattern(path));
        }
    }
    Ok(Input { patterns, files })
}
