//! `carrywave diff`
//!
//! | file | what |
//! |---|---|
//! | `words` | a call's words, parsed as by GNU diff |
//! | `arguments` | the options, with GNU diff's names where GNU diff has them |
//! | `format` | the output format that the options choose |
//! | `pairs` | pairs of files, folders and their entries |
//! | `folders`, `glob` | the entries of two folders, and the patterns of names to skip |
//! | `side_by_side` | files of two folders, compared side by side |
//! | `side` | a file: its metadata and its text |
//! | `texts` | comparison and output for two files |
//! | `basic_regex` | the regular expressions of `-I` and `-F` |
//! | `paginate` | pages, by `pr` |
//! | `session` | the state of a call: its options, and the lines printed at the end |
//! | `git` | git's calls of an external diff program: words, patch headers, settings, exit code |
//! | `patches` | the patches of a file that git passes |
//! | `header` | names and times in the header |

mod arguments;
mod basic_regex;
mod folders;
mod format;
mod git;
mod glob;
mod header;
mod paginate;
mod pairs;
mod patches;
mod session;
mod side;
mod side_by_side;
mod texts;
mod words;

pub use arguments::Arguments;

use crate::shared::engine::GpuArguments;
use crate::shared::output::{open_output, print, stdout, write_to};
use crate::shared::parts::{Part, ReportAtEnd, during};
use crate::shared::process::start_threads;
use arguments::{Color, only_value};
use basic_regex::any_of;
use carrywave::Result;
use carrywave::diff::{LineTest, Palette};
use carrywave::error::UsageFault;
use carrywave::io::output::OutputFile;
use carrywave::job::Recorder;
use folders::Excluded;
use regex::bytes::RegexSet;
use session::{Outcome, Session};
use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal};
use std::process::ExitCode;
use std::sync::Arc;

/// Rewrites the program's arguments for its parser: inserts `--` before git's words, and expands
/// GNU diff's option names.
///
/// `words_of` returns the positional words among the arguments of `carrywave diff`, or `None` if
/// the arguments are wrong.
pub fn respelled(given: Vec<OsString>, words_of: impl Fn(&[OsString]) -> Option<Vec<OsString>>) -> Vec<OsString> {
    let read = |arguments: Vec<OsString>| words::read(arguments.into_iter()).arguments;
    read(git::guarded(given, |arguments| words_of(&read(arguments.to_vec()))))
}

/// Runs the command. The exit code says if there is a difference.
pub fn run(arguments: &Arguments, threads: Option<usize>, gpus: GpuArguments) -> Result<ExitCode> {
    let change = git::Change::parse(&arguments.words);
    let format = arguments.format(change.is_some())?;
    if let [path] = &arguments.words[..] {
        // git calls the program in this form for an unmerged file, which does not have two
        // versions.
        if std::env::var_os("GIT_DIFF_PATH_COUNTER").is_some() {
            print(|out| out.write_all(&[b"* Unmerged path ", path.as_encoded_bytes(), b"\n"].concat()))?;
            return Ok(ExitCode::from(git::Settings::read().exit_code(path, true)));
        }
    }
    let pairs = if change.is_some() { Vec::new() } else { pairs(arguments)? };
    let labels = &arguments.formats.label;
    if labels.len() > 2 {
        return Err(UsageFault::Mismatch.error("more than two --label; give at most one for each file"));
    }
    only_value("--starting-file", &arguments.files.starting_file)?;
    only_value("--width", &arguments.formats.width)?;
    let output = arguments.file.as_deref().map(open_output).transpose()?;
    let settings = change.is_some().then(git::Settings::read);
    let colors = has_colors(arguments, output.is_some(), settings.as_ref());
    let palette = arguments.formats.palette.as_ref();
    let palette = palette.map_or(Some(Palette::USUAL), |text| Palette::parse(text.as_encoded_bytes()));
    let functions = expressions(&arguments.formats.show_function_line)?;
    let ignored = expressions(&arguments.ignored.ignore_matching_lines)?;
    let is_for_git = change.is_some();
    // As with git's own hunk head expressions, those of -F replace git's rule.
    let has_git_s_rule = is_for_git && (functions.is_none() || arguments.formats.show_c_function);
    let is_function = |line: &[u8]| has_git_s_rule && git::is_function(line) || matches(functions.as_ref(), line);
    let is_ignored = |line: &[u8]| matches(ignored.as_ref(), line);
    gpus.check(arguments.engine.engine, arguments.algorithm)?;
    let engine = during(Part::Open, || gpus.open(arguments.engine.engine))?;
    let recorder = Recorder::new();
    let _report = ReportAtEnd(&recorder);
    let mut comparison = arguments.comparison(is_for_git, format.context())?.recorder(&recorder);
    if ignored.is_some() {
        comparison = comparison.ignore_lines(LineTest::new(&is_ignored));
    }
    if let Some(engine) = &engine {
        comparison = comparison.on(&**engine);
    }
    let mut session = Session {
        arguments,
        format,
        style: arguments.style(is_for_git)?,
        comparison,
        excluded: Excluded::new(&arguments.files)?,
        colors: colors && palette.is_some(),
        palette: palette.as_ref().unwrap_or(&Palette::USUAL),
        complains_of_palette: colors && palette.is_none(),
        function_lines: (is_for_git || functions.is_some()).then(|| LineTest::new(&is_function)),
        tab_size: arguments.tab_size()?,
        labels: [0, 1].map(|side| labels.get(side).map(|label| label.as_encoded_bytes().to_vec())),
        options: options(arguments, is_for_git),
        counts: Vec::new(),
        last: Vec::new(),
        // An explicit number of threads is checked, whatever the files.
        threads: threads.map(|threads| start_threads(Some(threads)).map(Arc::new)).transpose()?,
        settings: settings.unwrap_or_default(),
        patch: None,
        open: Vec::new(),
    };
    if output.is_none() {
        drop(stdout()?);
    }
    let outcome = printed(&mut session, change.as_ref(), &pairs, output)?;
    Ok(exit_code(outcome, change.as_ref(), &session.settings))
}

/// Compares the pairs, or the change that git passes, and prints the result.
fn printed<'j>(
    session: &mut Session<'j>,
    change: Option<&'j git::Change>,
    pairs: &[[&OsStr; 2]],
    output: Option<OutputFile>,
) -> Result<Outcome> {
    let mut outcome = Ok(Outcome::Same);
    let written = write_to(output, |out| {
        outcome = match change {
            Some(change) => session.change(change, out),
            None => session.each(pairs, out),
        };
        // Lines that are not part of the pages.
        out.write_all(&session.last)?;
        match &outcome {
            // This error keeps the output file from appearing; the caller returns the error in
            // `outcome`.
            Err(_) => Err(io::Error::other("not done")),
            Ok(_) => session.stat(out),
        }
    });
    let outcome = outcome?;
    written?;
    Ok(outcome)
}

/// Returns the exit code of an outcome: that of GNU diff or, if git calls, the code that git's
/// settings choose.
fn exit_code(outcome: Outcome, change: Option<&git::Change>, settings: &git::Settings) -> ExitCode {
    ExitCode::from(match (outcome, change) {
        (Outcome::Trouble, _) => 2,
        (_, Some(change)) => settings.exit_code(change.name(), outcome == Outcome::Different),
        (_, None) => u8::from(outcome == Outcome::Different),
    })
}

/// Returns the options as given, without git's words.
fn options(arguments: &Arguments, is_for_git: bool) -> Vec<OsString> {
    let mut words: Vec<OsString> = std::env::args_os().collect();
    if is_for_git {
        words.truncate(words.len().saturating_sub(arguments.words.len()));
    }
    words::read(words.into_iter()).options
}

/// Compiles the regular expressions of an option, or returns `None` if there are none.
fn expressions(patterns: &[OsString]) -> Result<Option<RegexSet>> {
    if patterns.is_empty() { Ok(None) } else { any_of(patterns).map(Some) }
}

/// Returns true if one of the expressions matches a line.
fn matches(expressions: Option<&RegexSet>, line: &[u8]) -> bool {
    expressions.is_some_and(|expressions| expressions.is_match(line))
}

/// Returns the pairs of files and folders to compare.
fn pairs(arguments: &Arguments) -> Result<Vec<[&OsStr; 2]>> {
    let words = arguments.words.iter().map(OsString::as_os_str);
    let from = only_value("--from-file", &arguments.files.from_file)?;
    let to = only_value("--to-file", &arguments.files.to_file)?;
    match (from, to, &arguments.words[..]) {
        (Some(_), Some(_), _) => {
            Err(UsageFault::Combination.error("--from-file and --to-file exclude each other; give one"))
        }
        (Some(from), None, _) => Ok(words.map(|word| [from, word]).collect()),
        (None, Some(to), _) => Ok(words.map(|word| [word, to]).collect()),
        (None, None, [a, b]) => Ok(vec![[a, b]]),
        (None, None, [] | [_]) => {
            Err(UsageFault::Empty.error("a file is missing; give two files or folders: carrywave diff A B"))
        }
        (None, None, words) => {
            Err(UsageFault::Mismatch.error(format!("got {} files or folders; give two", words.len())))
        }
    }
}

/// Returns true if the output is coloured. `settings` are git's, if git calls.
fn has_colors(arguments: &Arguments, has_output: bool, settings: Option<&git::Settings>) -> bool {
    match (arguments.formats.color, settings) {
        (Color::Always, _) => true,
        (Color::Never, _) => false,
        (Color::Auto, Some(settings)) => !has_output && settings.colors(io::stdout().is_terminal()),
        (Color::Auto, None) => {
            !has_output
                && io::stdout().is_terminal()
                && anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never
        }
    }
}
