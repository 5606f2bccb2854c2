//! Comparison of two files: their texts, their differences, and the output.

use super::arguments::Unit;
use super::format::Format;
use super::git;
use super::header::quoted;
use super::paginate::paginated;
use super::session::{Outcome, Session};
use super::side::{Side, is_same_file};
use super::words::quoted_for_shell;
use crate::shared::json::write_json;
use crate::shared::notes::note;
use crate::shared::output::stdout_error;
use crate::shared::parts::{Part, during};
use crate::shared::progress::{LINES, bar};
use carrywave::Result;
use carrywave::diff::{Columns, Counts, Diff, Layout, Tabs, UnitCounts};
use std::io::{self, IsTerminal, Write};

/// Minimum file size in bytes for several threads.
const LARGE: usize = 1 << 20;

/// Number of bytes searched for a zero byte at the start of a file. A file with a zero byte is
/// binary.
const HEAD: usize = 4096;

/// Two files to compare.
#[derive(Clone, Copy)]
pub struct FilePair<'p> {
    pub a: &'p Side,
    pub b: &'p Side,
    /// True for entries of two folders.
    pub is_entry: bool,
}

impl Session<'_> {
    /// Reads both files of a pair, large ones by all threads.
    fn read(&mut self, pair: FilePair<'_>) -> Result<[Vec<u8>; 2]> {
        let FilePair { a, b, .. } = pair;
        if is_same_file(a, b) {
            let text = a.read()?;
            return Ok([text.clone(), text]);
        }
        let is_large = a.bytes().max(b.bytes()) >= LARGE as u64;
        let both = || (a.read(), b.read());
        match if is_large { self.threads()?.install(both) } else { both() } {
            (Err(error), Err(other)) => {
                note(&error.to_string());
                Err(other)
            }
            (a, b) => Ok([a?, b?]),
        }
    }

    /// Compares two files and prints the difference, after git's lines if git calls or, for entries
    /// of folders, after a line with both names.
    pub fn files(&mut self, pair: FilePair<'_>, out: &mut dyn Write) -> Result<Outcome> {
        let outcome = self.texts(pair, out)?;
        if outcome == Outcome::Same { self.same(pair.a, pair.b, out) } else { Ok(outcome) }
    }

    /// Returns true if files without a difference are also printed.
    fn prints_equal(&self, pair: FilePair<'_>) -> bool {
        self.format.prints_common(&self.arguments.formats) || self.format == Format::Json && !pair.is_entry
    }

    fn texts(&mut self, pair: FilePair<'_>, out: &mut dyn Write) -> Result<Outcome> {
        let FilePair { a, b, .. } = pair;
        if is_same_file(a, b) && !self.prints_equal(pair) {
            return Ok(Outcome::Same);
        }
        let [mut text_a, mut text_b] = self.read(pair)?;
        let head_len = if self.patch.is_some() { git::HEAD } else { HEAD };
        let is_binary = |text: &[u8]| memchr::memchr(0, text.get(..head_len).unwrap_or(text)).is_some();
        if !self.arguments.files.text && (is_binary(&text_a) || is_binary(&text_b)) {
            return match text_a == text_b {
                true => Ok(Outcome::Same),
                false => self.binary(a, b, [text_a.len() as u64, text_b.len() as u64], out),
            };
        }
        if self.arguments.ignored.strip_trailing_cr && self.arguments.unit == Unit::Lines {
            [&mut text_a, &mut text_b].into_iter().for_each(strip_returns);
        }
        let mut unended = Vec::new();
        // Also for -q beside -e, unless the comparison of bytes suffices.
        let formats = &self.arguments.formats;
        if (formats.ed || formats.forward_ed) && (self.format != Format::Brief || self.ignores()) {
            for (side, text) in [(a, &mut text_a), (b, &mut text_b)] {
                if text.last().is_some_and(|&byte| byte != b'\n') {
                    text.push(b'\n');
                    unended.push(side);
                }
            }
        }
        let outcome = self.compared(pair, [&text_a, &text_b], out)?;
        if unended.is_empty() {
            return Ok(outcome);
        }
        out.flush().map_err(stdout_error)?;
        for side in unended {
            note(&format!(
                "{}: the last line has no line feed, and an ed script cannot express that",
                String::from_utf8_lossy(side.title())
            ));
        }
        Ok(Outcome::Trouble)
    }

    fn compared(&mut self, pair: FilePair<'_>, [text_a, text_b]: [&[u8]; 2], out: &mut dyn Write) -> Result<Outcome> {
        let FilePair { a, b, .. } = pair;
        let prints_equal = self.prints_equal(pair);
        if text_a == text_b && !prints_equal {
            return Ok(Outcome::Same);
        }
        if self.format == Format::Brief && !self.ignores() {
            return self.differ(a, b, out);
        }
        let diff = self.compare(text_a, text_b)?;
        let outcome = if diff.is_empty() { Outcome::Same } else { Outcome::Different };
        match self.format {
            _ if diff.is_empty() && !prints_equal => Ok(outcome),
            Format::Brief => self.differ(a, b, out),
            _ => {
                during(Part::Write, || self.print(pair, &diff, out))?;
                Ok(outcome)
            }
        }
    }

    /// Compares two texts. Large texts use several threads.
    fn compare<'t>(&mut self, a: &'t [u8], b: &'t [u8]) -> Result<Diff<'t>> {
        if a.len().max(b.len()) < LARGE {
            return self.comparison.compare(a, b);
        }
        let threads = self.threads()?;
        // Many differences take time. Lines are counted for the progress bar, which only a terminal
        // shows.
        let lines = |text| memchr::memchr_iter(b'\n', text).count() as u64;
        let has_bar = self.arguments.unit == Unit::Lines && io::stderr().is_terminal();
        let (lines_a, lines_b) = if has_bar { (lines(a), lines(b)) } else { (0, 0) };
        let bar = bar(lines_a + lines_b, lines_b, LINES);
        let on_progress = |lines| bar.inc(lines);
        let comparison = self.comparison.clone().on_progress(&on_progress);
        let diff = threads.install(|| comparison.compare(a, b));
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
            || !ignored.ignore_matching_lines.is_empty()
    }

    fn binary(&mut self, a: &Side, b: &Side, bytes: [u64; 2], out: &mut dyn Write) -> Result<Outcome> {
        match self.format {
            Format::Brief => return self.differ(a, b, out),
            Format::Stat => {
                let name = stat_name(a, b);
                self.counts.push(Counts { name, inserted: 0, deleted: 0, binary: Some(bytes) });
            }
            Format::Json => {
                write_json(out, &Binary { a: &a.shown(), b: &b.shown(), binary: true }).map_err(stdout_error)?
            }
            _ => {
                let head = self.head(true);
                self.message(out, &[&head, b"Binary files ", a.title(), b" and ", b.title(), b" differ"])?;
            }
        }
        Ok(Outcome::Different)
    }

    fn print(&mut self, pair: FilePair<'_>, diff: &Diff<'_>, out: &mut dyn Write) -> Result<()> {
        let FilePair { a, b, is_entry } = pair;
        if std::mem::take(&mut self.complains_of_palette) {
            note("--palette is invalid, so the output has no colours; an example is ad=32:de=1;31");
        }
        let mut headers = [a.header(), b.header()];
        if self.patch.is_some() {
            headers = headers.map(git::ended);
        }
        let formats = &self.arguments.formats;
        let layout = Layout {
            context: if self.format == Format::Json { 3 } else { self.format.context() },
            header: Some(headers.each_ref().map(|header| &header[..])),
            colors: self.colors,
            palette: self.palette,
            // The function lines include git's own rule.
            shows_functions: formats.show_c_function && self.patch.is_none(),
            function_lines: self.function_lines,
            heading_bytes: if self.patch.is_some() { git::HEADING } else { Layout::default().heading_bytes },
            tabs: Tabs { size: self.tab_size, expand: formats.expand_tabs, initial: formats.initial_tab },
            suppress_blank_empty: formats.suppress_blank_empty,
            columns: Columns {
                width: formats.width.first().copied().unwrap_or(Columns::default().width),
                suppress_common: formats.suppress_common_lines,
                left_only: formats.left_column,
            },
        };
        match self.format {
            Format::Json => {
                return write_json(out, &diff.document(&a.shown(), &b.shown(), layout.context)).map_err(stdout_error);
            }
            Format::Stat => {
                let UnitCounts { deleted, inserted } = diff.counts();
                self.counts.push(Counts { name: stat_name(a, b), inserted, deleted, binary: None });
                return Ok(());
            }
            _ => (),
        }
        // Templates print nothing for two empty files.
        if matches!(self.format, Format::Templates(_)) && diff.a().is_empty() && diff.b().is_empty() {
            return Ok(());
        }
        let command = || {
            let names = [a, b].map(|side| quoted(side.title()));
            [b"diff", &*quoted_for_shell(&self.options), b" ", &names[0], b" ", &names[1]].concat()
        };
        if formats.paginate {
            let mut text = self.head(false);
            self.write_format(diff, &layout, &mut text).map_err(stdout_error)?;
            return out.write_all(&paginated(&text, &command())?).map_err(stdout_error);
        }
        out.write_all(&self.head(false)).map_err(stdout_error)?;
        if is_entry {
            out.write_all(&[&command()[..], b"\n"].concat()).map_err(stdout_error)?;
        }
        self.write_format(diff, &layout, out).map_err(stdout_error)
    }

    fn write_format(&self, diff: &Diff<'_>, layout: &Layout<'_>, out: &mut dyn Write) -> io::Result<()> {
        match &self.format {
            Format::Unified(_) => diff.write_unified(out, layout),
            Format::Context(_) => diff.write_context(out, layout),
            Format::Marked(_) => diff.write_marked(out, layout),
            Format::SideBySide => diff.write_side_by_side(out, layout),
            Format::Ed => diff.write_ed(out, layout),
            Format::ForwardEd => diff.write_forward_ed(out, layout),
            Format::Rcs => diff.write_rcs(out, layout),
            Format::Templates(templates) => diff.write_by_templates(out, templates, layout),
            Format::Normal | Format::Brief | Format::Json | Format::Stat => diff.write_normal(out, layout),
        }
    }
}

/// Returns the name for the file table. As in git, an absent file is /dev/null.
fn stat_name(a: &Side, b: &Side) -> String {
    let [a, b] = [a, b].map(|side| if side.is_absent() { "/dev/null".to_owned() } else { side.shown() });
    Counts::name_of(&a, &b)
}

/// Removes carriage returns before line feeds.
fn strip_returns(text: &mut Vec<u8>) {
    if memchr::memchr(b'\r', text).is_none() {
        return;
    }
    let lines = text.split_inclusive(|&byte| byte == b'\n');
    let stripped = lines.flat_map(|line| match line.strip_suffix(b"\r\n") {
        Some(text) => [text, b"\n"],
        None => [line, b""],
    });
    *text = stripped.flatten().copied().collect();
}

/// JSON for binary files.
#[derive(serde::Serialize)]
struct Binary<'n> {
    a: &'n str,
    b: &'n str,
    binary: bool,
}
