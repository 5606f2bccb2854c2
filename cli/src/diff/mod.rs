//! `carrywave diff`
//!
//! | file | what |
//! |---|---|
//! | `arguments` | the options, which are GNU diff's where it has them |
//! | `folders` | the entries of two folders |
//! | `git` | git's call of an external diff program: its words, heads of patches, settings and exit code |
//! | `header` | names and times in the header |

mod arguments;
mod folders;
mod git;
mod header;

use super::engine::GpuArguments;
use super::process::{start_threads, stdout_is_closed};
use super::progress::{LINES, bar};
use super::strings::write;
use super::{json, note, open_output, print};
pub use arguments::Arguments;
use arguments::{Color, Format, Unit};
use carrywave::diff::{Columns, Comparison, Counts, Diff, Layout, write_stat};
use carrywave::io::output::Visible;
use carrywave::io::sequence::read_bytes;
use carrywave::{Error, Result};
use folders::{Excluded, entries};
pub use git::guarded;
use header::{header, quoted};
use std::ffi::{OsStr, OsString};
use std::fs::Metadata;
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

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
difference, 1 differences, 2 an error; where git calls, 1 only with its setting diff.trustExitCode.";

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
    comparison: Comparison<'j>,
    excluded: Excluded,
    colors: bool,
    /// The options as they were given, which GNU diff repeats before each pair of files of two folders.
    options: Vec<u8>,
    /// The lines of `--stat` so far.
    counts: Vec<Counts>,
    /// The threads that compute, once they have been started.
    threads: Option<rayon::ThreadPool>,
    /// The settings for `git diff`, which count where git calls.
    settings: git::Settings,
    /// Patch of the file that git names, in git's call.
    patch: Option<git::Patch<'j>>,
    /// The folders that are being compared, from the outermost one on.
    open: Vec<[Option<Identity>; 2]>,
}

/// What tells a file from all others: its device and its number there.
type Identity = (u64, u64);

/// A file to compare.
struct Side {
    path: PathBuf,
    /// Its name as it is told.
    name: Vec<u8>,
    /// What the header says in place of name and time.
    label: Option<Vec<u8>>,
    /// None if it is not there and counts as empty.
    about: Option<About>,
}

/// What the system says of a file.
struct About {
    metadata: Option<Metadata>,
    time: SystemTime,
}

impl Side {
    fn new(path: &Path) -> Result<Self> {
        let about = if path.as_os_str() == "-" {
            let metadata = std::fs::metadata("/dev/stdin").ok();
            let time = metadata.as_ref().filter(|about| about.is_file()).and_then(|about| about.modified().ok());
            About { metadata: None, time: time.unwrap_or_else(SystemTime::now) }
        } else {
            let metadata = std::fs::metadata(path).map_err(|source| Error::Io { path: path.into(), source })?;
            let time = metadata.modified().unwrap_or(UNIX_EPOCH);
            About { metadata: Some(metadata), time }
        };
        Ok(Self {
            path: path.into(),
            name: path.as_os_str().as_encoded_bytes().to_vec(),
            label: None,
            about: Some(about),
        })
    }

    /// One that is not there.
    fn absent(path: &Path) -> Self {
        Self { path: path.into(), name: path.as_os_str().as_encoded_bytes().to_vec(), label: None, about: None }
    }

    fn metadata(&self) -> Option<&Metadata> {
        self.about.as_ref()?.metadata.as_ref()
    }

    /// What tells it from all other files; nothing where the system does not say.
    fn identity(&self) -> Option<Identity> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            self.metadata().map(|about| (about.dev(), about.ino()))
        }
        #[cfg(not(unix))]
        None
    }

    fn is_folder(&self) -> bool {
        self.metadata().is_some_and(Metadata::is_dir)
    }

    fn read(&self) -> Result<Vec<u8>> {
        let fault = |source| Error::Io { path: self.path.clone(), source };
        match &self.about {
            None => Ok(Vec::new()),
            Some(About { metadata: None, .. }) => {
                let mut text = Vec::new();
                io::stdin().lock().read_to_end(&mut text).map_err(fault)?;
                Ok(text)
            }
            Some(_) => read_bytes(&self.path),
        }
    }

    /// What kind of file it is.
    fn kind(&self) -> &'static str {
        let Some(about) = self.metadata() else { return "regular empty file" };
        if about.is_dir() {
            "directory"
        } else if about.is_file() {
            if about.len() == 0 { "regular empty file" } else { "regular file" }
        } else {
            special(about)
        }
    }

    fn header(&self) -> Vec<u8> {
        match &self.label {
            Some(label) => label.clone(),
            None => header(&self.name, self.about.as_ref().map_or(UNIX_EPOCH, |about| about.time)),
        }
    }

    /// The name for JSON and for the table of files.
    fn shown(&self) -> String {
        String::from_utf8_lossy(self.label.as_deref().unwrap_or(&self.name)).into_owned()
    }
}

/// What kind of file it is that is neither regular nor a folder.
fn special(about: &Metadata) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        let kind = about.file_type();
        if kind.is_fifo() {
            return "fifo";
        } else if kind.is_socket() {
            return "socket";
        } else if kind.is_char_device() {
            return "character special file";
        } else if kind.is_block_device() {
            return "block special file";
        }
    }
    let _ = about;
    "weird file"
}

/// Runs the command; the exit code tells whether there is a difference.
pub fn run(arguments: &Arguments, threads: Option<usize>, gpus: GpuArguments) -> Result<ExitCode> {
    let change = git::Change::of(&arguments.words);
    let format = arguments.format(change.is_some())?;
    if let [path] = &arguments.words[..] {
        // So git calls for a file that is not merged yet, of which it has no two versions.
        if std::env::var_os("GIT_DIFF_PATH_COUNTER").is_some() {
            print(|out| out.write_all(&[b"* Unmerged path ", path.as_encoded_bytes(), b"\n"].concat()))?;
            return Ok(ExitCode::from(git::Settings::read().exit_code(path, true)));
        }
        return Err(Error::Usage("give two files or folders: carrywave diff A B".into()));
    }
    if change.is_none() && arguments.words.len() != 2 {
        return Err(Error::Usage(format!("there are {} files or folders; give two", arguments.words.len())));
    }
    if arguments.formats.label.len() > 2 {
        return Err(Error::Usage("there are two files, and more than two --label".into()));
    }
    let output = arguments.file.as_deref().map(open_output).transpose()?;
    let settings = if change.is_some() { git::Settings::read() } else { git::Settings::default() };
    let colors = match arguments.formats.color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto if change.is_some() => output.is_none() && settings.colors(io::stdout().is_terminal()),
        Color::Auto => {
            output.is_none()
                && io::stdout().is_terminal()
                && anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never
        }
    };
    let engine = gpus.open(arguments.engine.engine)?;
    let comparison = arguments.comparison();
    let mut job = Job {
        arguments,
        format,
        comparison: engine.as_ref().map_or(comparison, |engine| comparison.on(&**engine)),
        excluded: Excluded::new(&arguments.files.exclude, &arguments.files.exclude_from)?,
        colors,
        options: options(&arguments.words),
        counts: Vec::new(),
        // A number that was given is checked, whatever the files.
        threads: threads.map(|threads| start_threads(Some(threads))).transpose()?,
        settings,
        patch: None,
        open: Vec::new(),
    };
    if output.is_none() && stdout_is_closed() {
        drop(super::stdout()?);
    }
    let mut outcome = Ok(Outcome::Same);
    let written = write(output, |out| {
        outcome = match &change {
            Some(change) => job.change(change, out),
            None => job.words(&arguments.words, out),
        };
        if outcome.is_ok() && !job.counts.is_empty() {
            job.counts.iter_mut().for_each(|counts| counts.name = Visible(&counts.name).to_string());
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
    Ok(match (outcome, &change) {
        (Outcome::Trouble, _) => ExitCode::from(2),
        (_, Some(change)) => ExitCode::from(job.settings.exit_code(change.name(), outcome == Outcome::Different)),
        (Outcome::Same, None) => ExitCode::SUCCESS,
        (Outcome::Different, None) => ExitCode::from(1),
    })
}

/// Columns of the table of files, as in git.
const STAT_WIDTH: usize = 80;

/// The options among the words of the call, each after a space, quoted as for a shell.
fn options(files: &[OsString]) -> Vec<u8> {
    let mut words: Vec<OsString> = std::env::args_os().skip_while(|word| word != "diff").skip(1).collect();
    // Of equal words the last ones are the files.
    for file in files.iter().rev() {
        if let Some(at) = words.iter().rposition(|word| word == file) {
            words.remove(at);
        }
    }
    let mut text = Vec::new();
    for word in words.iter().filter(|word| *word != "--") {
        let word = word.as_encoded_bytes();
        text.push(b' ');
        let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_./,:+@%".contains(byte);
        if !word.is_empty() && word.iter().all(is_plain) {
            text.extend(word);
        } else {
            text.push(b'\'');
            for &byte in word {
                if byte == b'\'' { text.extend(b"'\\''") } else { text.push(byte) }
            }
            text.push(b'\'');
        }
    }
    text
}

/// What cannot be written, as an error that says where.
fn unwritten(source: io::Error) -> Error {
    Error::Io { path: "standard output".into(), source }
}

impl<'j> Job<'j> {
    /// Compares what the call names.
    fn words(&mut self, words: &[OsString], out: &mut dyn Write) -> Result<Outcome> {
        let [a, b] = words else { return Ok(Outcome::Same) };
        if a == "-" && b == "-" {
            // Both are the same.
            return Ok(Outcome::Same);
        }
        let (mut a, mut b) = match (Side::new(Path::new(a)), Side::new(Path::new(b))) {
            (Ok(a), Ok(b)) => (a, b),
            (Err(_), Ok(b)) if self.arguments.files.new_file && a != "-" => (Side::absent(Path::new(a)), b),
            (Ok(a), Err(_)) if self.arguments.files.new_file && b != "-" => (a, Side::absent(Path::new(b))),
            (Err(error), Err(other)) => {
                note(&error.to_string());
                return Err(other);
            }
            (Err(error), _) | (_, Err(error)) => return Err(error),
        };
        let is_alone = |side: &Side| side.about.is_none();
        if (a.is_folder() || is_alone(&a)) && (b.is_folder() || is_alone(&b)) && (a.is_folder() || b.is_folder()) {
            return self.folders(&a, &b, out);
        }
        // A folder and a file: that of the same name in the folder.
        let inside = |folder: &Side, file: &Side| -> Result<Side> {
            let name = file.path.file_name().filter(|_| file.path.as_os_str() != "-");
            let name = name.ok_or_else(|| Error::Usage("standard input cannot be compared with a folder".into()))?;
            Side::new(&folder.path.join(name))
        };
        if a.is_folder() {
            a = inside(&a, &b)?;
        } else if b.is_folder() {
            b = inside(&b, &a)?;
        }
        let mut labels = self.arguments.formats.label.iter().map(|label| label.as_encoded_bytes().to_vec());
        (a.label, b.label) = (labels.next(), labels.next());
        self.files(&a, &b, &[], true, out)
    }

    /// Compares two versions of a file, as git gives them.
    fn change(&mut self, change: &git::Change<'j>, out: &mut dyn Write) -> Result<Outcome> {
        let mut worst = Outcome::Same;
        for patch in change.patches() {
            let [old, new] = patch.paths();
            let (mut old, mut new) = (Side::new(&old)?, Side::new(&new)?);
            let [a, b] = match self.format {
                Format::Stat => patch.names().map(<[u8]>::to_vec),
                Format::Json => patch.plain_labels(),
                _ => patch.labels(&self.settings),
            };
            // Messages name the file, and not where git has put its content.
            (old.name, new.name) = (a.clone(), b.clone());
            (old.label, new.label) = (Some(a), Some(b));
            let is_certain = patch.is_certain();
            self.patch = Some(patch);
            let mut outcome = self.files(&old, &new, &[], true, out)?;
            if outcome == Outcome::Same && is_certain {
                self.head(&[], false, out)?;
                outcome = Outcome::Different;
            }
            worst = worst.max(outcome);
        }
        Ok(worst)
    }

    /// Prints what is before the difference of two files: git's lines where git calls, else the words of the call.
    fn head(&self, words: &[u8], is_binary: bool, out: &mut dyn Write) -> Result<()> {
        let Some(patch) = &self.patch else { return out.write_all(words).map_err(unwritten) };
        if matches!(self.format, Format::Brief | Format::Ed | Format::Stat | Format::Json) {
            return Ok(());
        }
        let head = patch.head(&self.settings, is_binary);
        if !self.colors {
            return out.write_all(&head).map_err(unwritten);
        }
        let lines = head.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
        lines
            .flat_map(|line| [b"\x1b[1m", line, b"\x1b[0m\n"])
            .try_for_each(|part| out.write_all(part))
            .map_err(unwritten)
    }

    /// Compares the entries of two folders.
    fn folders(&mut self, a: &Side, b: &Side, out: &mut dyn Write) -> Result<Outcome> {
        let both = [a.identity(), b.identity()];
        for (side, (own, folder)) in both.iter().zip([a, b]).enumerate() {
            let is_own = |open: &[Option<Identity>; 2]| own.is_some() && open.get(side) == Some(own);
            if self.open.iter().any(is_own) {
                // By a link to a folder that it is in.
                let source = io::Error::other("this folder contains itself");
                return Err(Error::Io { path: folder.path.clone(), source });
            }
        }
        self.open.push(both);
        let outcome = self.each_entry(a, b, out);
        self.open.pop();
        outcome
    }

    fn each_entry(&mut self, a: &Side, b: &Side, out: &mut dyn Write) -> Result<Outcome> {
        let there = |side: &Side| side.about.is_some().then(|| side.path.clone());
        let (path_a, path_b) = (there(a), there(b));
        let mut worst = Outcome::Same;
        for (name, [in_a, in_b]) in entries([path_a.as_deref(), path_b.as_deref()], &self.excluded)? {
            let outcome = match self.entry(a, b, &name, [in_a, in_b], out) {
                Err(error) if is_of_input(&error) => {
                    out.flush().map_err(unwritten)?;
                    note(&error.to_string());
                    Outcome::Trouble
                }
                outcome => outcome?,
            };
            worst = worst.max(outcome);
        }
        Ok(worst)
    }

    fn entry(
        &mut self,
        a: &Side,
        b: &Side,
        name: &OsStr,
        [in_a, in_b]: [bool; 2],
        out: &mut dyn Write,
    ) -> Result<Outcome> {
        let side = |folder: &Side, is_there: bool| {
            let path = folder.path.join(name);
            if is_there { Side::new(&path) } else { Ok(Side::absent(&path)) }
        };
        let is_alone = in_a != in_b;
        let &Arguments { files: arguments::FileArguments { recursive, new_file, .. }, .. } = self.arguments;
        if is_alone && !new_file {
            let folder = if in_a { a } else { b };
            return self.only_in(folder, name, out);
        }
        let (a, b) = (side(a, in_a)?, side(b, in_b)?);
        let (folder_a, folder_b) = (a.is_folder(), b.is_folder());
        if folder_a && folder_b || is_alone && (folder_a || folder_b) {
            if recursive {
                return self.folders(&a, &b, out);
            }
            self.line(out, &[b"Common subdirectories: ", &a.name, b" and ", &b.name])?;
            return Ok(Outcome::Same);
        }
        let is_regular = |side: &Side| side.metadata().is_none_or(Metadata::is_file);
        if !is_regular(&a) || !is_regular(&b) {
            let kinds = (a.kind(), b.kind());
            self.line(
                out,
                &[
                    b"File ",
                    &a.name,
                    b" is a ",
                    kinds.0.as_bytes(),
                    b" while file ",
                    &b.name,
                    b" is a ",
                    kinds.1.as_bytes(),
                ],
            )?;
            return Ok(Outcome::Different);
        }
        let head = match self.format {
            Format::Brief | Format::Stat | Format::Json => Vec::new(),
            _ => [b"diff", &*self.options, b" ", &quoted(&a.name), b" ", &quoted(&b.name), b"\n"].concat(),
        };
        self.files(&a, &b, &head, false, out)
    }

    fn only_in(&self, folder: &Side, name: &OsStr, out: &mut dyn Write) -> Result<Outcome> {
        match self.format {
            Format::Json => {
                let path = folder.path.join(name);
                let only = Only { only: &path.to_string_lossy() };
                json(out, &only).map_err(unwritten)?;
            }
            Format::Stat => (),
            _ => self.line(out, &[b"Only in ", &folder.name, b": ", name.as_encoded_bytes()])?,
        }
        Ok(Outcome::Different)
    }

    /// Prints a line about files, but for programs.
    fn line(&self, out: &mut dyn Write, parts: &[&[u8]]) -> Result<()> {
        if matches!(self.format, Format::Json | Format::Stat) {
            return Ok(());
        }
        parts.iter().copied().chain([&b"\n"[..]]).try_for_each(|part| out.write_all(part)).map_err(unwritten)
    }

    /// Compares two files and prints the difference after `head`.
    fn files(&mut self, a: &Side, b: &Side, head: &[u8], is_given: bool, out: &mut dyn Write) -> Result<Outcome> {
        let (text_a, text_b) = if is_same_file(a, b) { (Vec::new(), Vec::new()) } else { (a.read()?, b.read()?) };
        let same_bytes = text_a == text_b;
        // What prints equal lines needs them.
        let prints_all = match self.format {
            Format::SideBySide => !self.arguments.formats.suppress_common_lines,
            Format::Json => is_given,
            _ => false,
        };
        if same_bytes && !prints_all {
            return self.same(a, b, out);
        }
        let (mut text_a, mut text_b) =
            if same_bytes && is_same_file(a, b) { (a.read()?, b.read()?) } else { (text_a, text_b) };
        let head_len = if self.patch.is_some() { git::HEAD } else { HEAD };
        let is_binary = |text: &[u8]| memchr::memchr(0, text.get(..head_len).unwrap_or(text)).is_some();
        let ignores_nothing = !self.ignores();
        if !self.arguments.files.text && (is_binary(&text_a) || is_binary(&text_b)) {
            if same_bytes {
                return self.same(a, b, out);
            }
            return self.binary(a, b, [text_a.len() as u64, text_b.len() as u64], out);
        }
        if self.format == Format::Brief && ignores_nothing {
            return self.differ(a, b, out);
        }
        let mut is_told = true;
        if self.format == Format::Ed {
            for (side, text) in [(a, &mut text_a), (b, &mut text_b)] {
                if text.last().is_some_and(|&byte| byte != b'\n') {
                    text.push(b'\n');
                    note(&format!("{}: the last line has no line feed, which ed cannot tell", side.shown()));
                    is_told = false;
                }
            }
        }
        let diff = self.compare(&text_a, &text_b)?;
        if diff.is_empty() && !prints_all {
            return if is_told { self.same(a, b, out) } else { Ok(Outcome::Trouble) };
        }
        if self.format == Format::Brief {
            return self.differ(a, b, out);
        }
        let outcome = self.print(a, b, &diff, head, out)?;
        Ok(if is_told { outcome } else { Outcome::Trouble })
    }

    /// Compares two texts, large ones on several threads.
    fn compare<'t>(&mut self, a: &'t [u8], b: &'t [u8]) -> Result<Diff<'t>> {
        let comparison = self.comparison;
        if a.len().max(b.len()) < LARGE {
            return comparison.compare(a, b);
        }
        let threads = match self.threads.take() {
            Some(threads) => threads,
            None => start_threads(None)?,
        };
        // Very many differences take time; lines are counted for the bar, which only a terminal shows.
        let lines = |text| memchr::memchr_iter(b'\n', text).count() as u64;
        let has_bar = self.arguments.unit == Unit::Lines && io::stderr().is_terminal();
        let (lines_a, lines_b) = if has_bar { (lines(a), lines(b)) } else { (0, 0) };
        let bar = bar(lines_a + lines_b, lines_b, LINES);
        let on_progress = |lines| bar.inc(lines);
        let comparison = comparison.on_progress(&on_progress);
        let diff = self.threads.insert(threads).install(|| comparison.compare(a, b));
        bar.finish_and_clear();
        diff
    }

    fn ignores(&self) -> bool {
        let ignored = &self.arguments.ignored;
        ignored.ignore_case
            || ignored.ignore_tab_expansion
            || ignored.ignore_trailing_space
            || ignored.ignore_space_change
            || ignored.ignore_all_space
            || ignored.ignore_blank_lines
            || ignored.strip_trailing_cr
    }

    fn same(&self, a: &Side, b: &Side, out: &mut dyn Write) -> Result<Outcome> {
        if self.arguments.formats.report_identical_files {
            self.line(out, &[b"Files ", &a.name, b" and ", &b.name, b" are identical"])?;
        }
        Ok(Outcome::Same)
    }

    fn differ(&self, a: &Side, b: &Side, out: &mut dyn Write) -> Result<Outcome> {
        self.line(out, &[b"Files ", &a.name, b" and ", &b.name, b" differ"])?;
        Ok(Outcome::Different)
    }

    fn binary(&mut self, a: &Side, b: &Side, bytes: [u64; 2], out: &mut dyn Write) -> Result<Outcome> {
        match self.format {
            Format::Brief => return self.differ(a, b, out),
            Format::Stat => {
                let name = Counts::name_of(&a.shown(), &b.shown());
                self.counts.push(Counts { name, inserted: 0, deleted: 0, binary: Some(bytes) });
            }
            Format::Json => json(out, &Binary { a: &a.shown(), b: &b.shown(), binary: true }).map_err(unwritten)?,
            _ => {
                // GNU diff does not repeat its options before such a line, and git has its own head.
                self.head(&[], true, out)?;
                self.line(
                    out,
                    &[
                        b"Binary files ",
                        a.label.as_ref().unwrap_or(&a.name),
                        b" and ",
                        b.label.as_ref().unwrap_or(&b.name),
                        b" differ",
                    ],
                )?;
            }
        }
        Ok(Outcome::Different)
    }

    fn print(&mut self, a: &Side, b: &Side, diff: &Diff<'_>, head: &[u8], out: &mut dyn Write) -> Result<Outcome> {
        let mut headers = [a.header(), b.header()];
        if self.patch.is_some() {
            headers = headers.map(git::ended);
        }
        let formats = &self.arguments.formats;
        let mut layout = Layout {
            context: 3,
            header: Some(headers.each_ref().map(|header| &header[..])),
            colors: self.colors,
            shows_functions: formats.show_c_function || self.patch.is_some(),
            heading_bytes: if self.patch.is_some() { git::HEADING } else { Layout::default().heading_bytes },
            columns: Columns {
                width: formats.width,
                suppress_common: formats.suppress_common_lines,
                left_only: formats.left_column,
                expand_tabs: formats.expand_tabs,
            },
        };
        if !matches!(self.format, Format::Stat | Format::Json) {
            self.head(head, false, out)?;
        }
        let outcome = if diff.is_empty() { Outcome::Same } else { Outcome::Different };
        let written = match self.format {
            Format::Normal | Format::Brief => diff.write_normal(out, &layout),
            Format::Unified(lines) => {
                layout.context = lines;
                diff.write_unified(out, &layout)
            }
            Format::Context(lines) => {
                layout.context = lines;
                diff.write_context(out, &layout)
            }
            Format::Marked(lines) => {
                layout.context = lines;
                diff.write_marked(out, &layout)
            }
            Format::SideBySide => diff.write_side_by_side(out, &layout),
            Format::Ed => diff.write_ed(out),
            Format::Json => json(out, &diff.document(&a.shown(), &b.shown(), layout.context)),
            Format::Stat => {
                let (deleted, inserted) = diff.counts();
                self.counts.push(Counts {
                    name: Counts::name_of(&a.shown(), &b.shown()),
                    inserted,
                    deleted,
                    binary: None,
                });
                Ok(())
            }
        };
        written.map_err(unwritten)?;
        Ok(outcome)
    }
}

/// Whether both are one file.
fn is_same_file(a: &Side, b: &Side) -> bool {
    a.metadata().is_some_and(Metadata::is_file) && a.identity().is_some() && a.identity() == b.identity()
}

/// Whether an error is about a file of two folders, so that the others may be better.
fn is_of_input(error: &Error) -> bool {
    matches!(error, Error::Io { path, .. } if path != Path::new("standard output"))
}

/// What JSON says of a file that is in one folder only.
#[derive(serde::Serialize)]
struct Only<'p> {
    only: &'p str,
}

/// What JSON says of files that are not text.
#[derive(serde::Serialize)]
struct Binary<'n> {
    a: &'n str,
    b: &'n str,
    binary: bool,
}
