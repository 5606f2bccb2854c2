//! `carrywave diff`
//!
//! | file | what |
//! |---|---|
//! | `words` | the words of a call, read as GNU diff reads them |
//! | `arguments` | the options, which are GNU diff's where it has them |
//! | `format` | the format that they choose |
//! | `pairs` | what is compared with what: files, folders and their entries |
//! | `folders`, `glob` | the entries of two folders, and the patterns of names that are left out |
//! | `side` | a file: what the system says of it, and its text |
//! | `texts` | two files: what they differ in, and how that is printed |
//! | `basic_regex` | the regular expressions of `-I` and `-F` |
//! | `paginate` | pages, by `pr` |
//! | `git` | the call of git for an external diff program |
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
mod side;
mod texts;
pub mod words;

use super::engine::GpuArguments;
use super::process::{start_threads, stdout_is_closed};
use super::strings::write;
use super::{note, open_output, print};
pub use arguments::Arguments;
use arguments::Color;
use basic_regex::any_of;
use carrywave::diff::{Comparison, Counts, LineTest, Palette, write_stat};
use carrywave::{Error, Result};
use folders::Excluded;
use format::{Format, only_value};
use pairs::is_of_input;
use side::{Identity, Side};
use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

/// What follows the options in the help.
const HELP: &str = "\
Examples:
  carrywave diff -u old.txt new.txt            hunks with context, for patch
  carrywave diff -ruN old new > new.patch      two folders
  carrywave diff --unit words a.md b.md        words, marked within the lines
  carrywave diff --stat -r old new             how many lines of each file differ
  GIT_EXTERNAL_DIFF='carrywave diff' git diff  as git's external diff program
  git difftool -y -x 'carrywave diff -u'       or as its difftool

The script is a shortest one of deleted and inserted lines (words, characters), unless --patience asks for fixed points. Exit codes: 0 no
difference, 1 differences, 2 an error; 0 where git asks.";

/// Bytes of a file from which on it is worth to start threads.
const LARGE: usize = 1 << 20;

/// Bytes of a file's start in which a zero byte says that it is no text.
const HEAD: usize = 4096;

/// What a comparison came to, from the best to the worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Same,
    Different,
    Trouble,
}

/// What is the same for all files.
struct Job<'j> {
    arguments: &'j Arguments,
    format: Format,
    /// The format without -q. As in GNU diff it decides about files that are the same.
    style: Format,
    comparison: Comparison<'j>,
    excluded: Excluded,
    colors: bool,
    palette: &'j Palette,
    /// True if the palette is spelt wrongly. The first difference that is printed comes with a note about it.
    complains_of_palette: bool,
    /// Test of the lines that the heads of hunks show, with `-F`.
    function_lines: Option<LineTest<'j>>,
    tab_size: usize,
    /// Names for headers and messages, in place of the files' own.
    labels: [Option<Vec<u8>>; 2],
    /// The options as they were given, which GNU diff repeats before each pair of files of two folders.
    options: Vec<OsString>,
    /// The lines of `--stat` so far.
    counts: Vec<Counts>,
    /// The lines that are printed after all pages.
    last: Vec<u8>,
    /// The threads that compute, once they have been started.
    threads: Option<rayon::ThreadPool>,
    /// The folders that are being compared, from the outermost one on.
    open: Vec<[Option<Identity>; 2]>,
}

/// Runs the command; the exit code tells whether there is a difference.
pub fn run(arguments: &Arguments, threads: Option<usize>, gpus: GpuArguments) -> Result<ExitCode> {
    let change = git::Change::of(&arguments.words);
    let format = arguments.format(change.is_some())?;
    if let [path] = &arguments.words[..] {
        // So git calls for a file that is not merged yet, of which it has no two versions.
        if std::env::var_os("GIT_DIFF_PATH_COUNTER").is_some() {
            let path = path.as_encoded_bytes();
            print(|out| out.write_all(&[b"* Unmerged path ", path, b"\n"].concat()))?;
            return Ok(ExitCode::SUCCESS);
        }
    }
    let pairs = if change.is_some() { Vec::new() } else { pairs(arguments)? };
    let labels = &arguments.formats.label;
    if labels.len() > 2 {
        return Err(Error::Usage("there are two files, and more than two --label".into()));
    }
    only_value("--starting-file", &arguments.files.starting_file)?;
    only_value("--width", &arguments.formats.width)?;
    let output = arguments.file.as_deref().map(open_output).transpose()?;
    let colors = has_colors(arguments, output.is_some());
    let palette = match &arguments.formats.palette {
        Some(text) => Palette::parse(text.as_encoded_bytes()),
        None => Some(Palette::USUAL),
    };
    let expressions = |patterns: &[OsString]| if patterns.is_empty() { Ok(None) } else { any_of(patterns).map(Some) };
    let functions = expressions(&arguments.formats.show_function_line)?;
    let ignored = expressions(&arguments.ignored.ignore_matching_lines)?;
    let [is_function, is_ignored] = [&functions, &ignored]
        .map(|set| move |line: &[u8]| set.as_ref().is_some_and(|set: &regex::bytes::RegexSet| set.is_match(line)));
    let engine = gpus.open(arguments.engine.engine)?;
    let mut comparison = arguments.comparison(change.is_some(), format.context())?;
    if ignored.is_some() {
        comparison = comparison.ignore_lines(LineTest::new(&is_ignored));
    }
    let mut job = Job {
        arguments,
        format,
        style: arguments.style(change.is_some())?,
        comparison: engine.as_ref().map_or(comparison, |engine| comparison.on(&**engine)),
        excluded: Excluded::new(&arguments.files)?,
        colors: colors && palette.is_some(),
        palette: palette.as_ref().unwrap_or(&Palette::USUAL),
        complains_of_palette: colors && palette.is_none(),
        function_lines: functions.is_some().then(|| LineTest::new(&is_function)),
        tab_size: arguments.tab_size()?,
        labels: [0, 1].map(|side| labels.get(side).map(|label| label.as_encoded_bytes().to_vec())),
        options: words::read(std::env::args_os()).options,
        counts: Vec::new(),
        last: Vec::new(),
        // A number that was given is checked, whatever the files.
        threads: threads.map(|threads| start_threads(Some(threads))).transpose()?,
        open: Vec::new(),
    };
    if output.is_none() && stdout_is_closed() {
        drop(super::stdout()?);
    }
    let mut outcome = Ok(Outcome::Same);
    let written = write(output, |out| {
        outcome = match &change {
            Some(change) => job.change(change, out),
            None => job.each(&pairs, out),
        };
        out.write_all(&job.last)?;
        if outcome.is_ok() && !job.counts.is_empty() {
            write_stat(out, &job.counts, STAT_WIDTH, colors)?;
        }
        match &outcome {
            // The file does not appear; the error is told below.
            Err(_) => Err(io::Error::other("not done")),
            Ok(_) => Ok(()),
        }
    });
    let outcome = outcome?;
    written?;
    Ok(match outcome {
        Outcome::Trouble => ExitCode::from(2),
        _ if change.is_some() => ExitCode::SUCCESS,
        Outcome::Same => ExitCode::SUCCESS,
        Outcome::Different => ExitCode::from(1),
    })
}

/// The files and folders that are compared with each other.
fn pairs(arguments: &Arguments) -> Result<Vec<[&OsStr; 2]>> {
    let words = arguments.words.iter().map(OsString::as_os_str);
    let from = only_value("--from-file", &arguments.files.from_file)?;
    let to = only_value("--to-file", &arguments.files.to_file)?;
    match (from, to, &arguments.words[..]) {
        (Some(_), Some(_), _) => Err(Error::Usage("--from-file and --to-file do not go together".into())),
        (Some(from), None, _) => Ok(words.map(|word| [from, word]).collect()),
        (None, Some(to), _) => Ok(words.map(|word| [word, to]).collect()),
        (None, None, [a, b]) => Ok(vec![[a, b]]),
        (None, None, [] | [_]) => Err(Error::Usage("give two files or folders: carrywave diff A B".into())),
        (None, None, words) => Err(Error::Usage(format!("there are {} files or folders; give two", words.len()))),
    }
}

/// True if colours are wanted.
fn has_colors(arguments: &Arguments, has_output: bool) -> bool {
    match arguments.formats.color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => {
            !has_output
                && io::stdout().is_terminal()
                && anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never
        }
    }
}

/// Columns of the table of files, as in git.
const STAT_WIDTH: usize = 80;

/// What cannot be written, as an error that says where.
fn unwritten(source: io::Error) -> Error {
    Error::Io { path: "standard output".into(), source }
}

impl Job<'_> {
    /// Compares all pairs. After a failure it reports that and goes on with the next pair.
    fn each(&mut self, pairs: &[[&OsStr; 2]], out: &mut dyn Write) -> Result<Outcome> {
        let mut worst = Outcome::Same;
        for [a, b] in pairs {
            worst = worst.max(match self.operands(a, b, out) {
                Err(error) if pairs.len() > 1 && is_of_input(&error) => {
                    out.flush().map_err(unwritten)?;
                    note(&error.to_string());
                    Outcome::Trouble
                }
                outcome => outcome?,
            });
        }
        Ok(worst)
    }

    /// Compares two versions of a file, as git gives them.
    fn change(&mut self, change: &git::Change<'_>, out: &mut dyn Write) -> Result<Outcome> {
        let [old, new] = change.files;
        let (mut old, mut new) = (Side::new(old, true)?, Side::new(new, true)?);
        let [a, b] = change.labels();
        (old.label, new.label) = (Some(a), Some(b));
        let head = match self.format {
            Format::Unified(_) | Format::Marked(_) => change.head(),
            _ => Vec::new(),
        };
        if self.format == Format::Stat {
            let [from, to] = change.names.map(|name| name.as_encoded_bytes().to_vec());
            (old.label, new.label) = (Some(from), Some(to));
        }
        let outcome = self.files(&old, &new, &head, false, out)?;
        if outcome == Outcome::Same && !head.is_empty() {
            // The mode or the name alone.
            out.write_all(&head).map_err(unwritten)?;
        }
        Ok(outcome)
    }
}
