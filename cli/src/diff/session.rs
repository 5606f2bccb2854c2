//! The state of a call: its options, and the lines that are printed at the end.

use super::arguments::Arguments;
use super::folders::Excluded;
use super::format::Format;
use super::git::{Patch, Settings};
use super::side::{Identity, Side};
use crate::shared::output::stdout_error;
use carrywave::Result;
use carrywave::diff::{Comparison, Counts, LineTest, Palette, write_stat};
use carrywave::io::output::Visible;
use std::ffi::OsString;
use std::io::{self, Write};

/// Columns of the table of files, as in git.
const STAT_WIDTH: usize = 80;

/// The result of a comparison, from the best to the worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    Same,
    Different,
    Trouble,
}

/// The state of a call: its options, and the lines that are printed at the end.
pub struct Session<'j> {
    pub arguments: &'j Arguments,
    pub format: Format,
    /// The format without -q. As in GNU diff it decides about files that are the same.
    pub style: Format,
    pub comparison: Comparison<'j>,
    pub excluded: Excluded,
    pub colors: bool,
    pub palette: &'j Palette,
    /// True if the palette is spelt wrongly. The first difference that is printed comes with a note about it.
    pub complains_of_palette: bool,
    /// Test of the lines that the heads of hunks show, with `-F`.
    pub function_lines: Option<LineTest<'j>>,
    pub tab_size: usize,
    /// Names for headers and messages, in place of the files' own.
    pub labels: [Option<Vec<u8>>; 2],
    /// The options as they were given, which GNU diff repeats before each pair of files of two folders.
    pub options: Vec<OsString>,
    /// The lines of `--stat` so far.
    pub counts: Vec<Counts>,
    /// The lines that are printed after all pages.
    pub last: Vec<u8>,
    /// The threads that compute, once they have been started.
    pub threads: Option<rayon::ThreadPool>,
    /// The settings for `git diff`, which count where git calls.
    pub settings: Settings,
    /// Patch of the file that git names, in git's call.
    pub patch: Option<Patch<'j>>,
    /// The folders that are being compared, from the outermost one on.
    pub open: Vec<[Option<Identity>; 2]>,
}

impl Session<'_> {
    /// Prints the table of files.
    pub fn stat(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if self.counts.is_empty() {
            return Ok(());
        }
        self.counts.iter_mut().for_each(|counts| counts.name = Visible(&counts.name).to_string());
        write_stat(out, &self.counts, STAT_WIDTH, self.colors)
    }

    /// Prints a line about files, but for programs; with pages it is printed after all of them.
    pub fn message(&mut self, out: &mut dyn Write, parts: &[&[u8]]) -> Result<()> {
        if self.format.is_own() {
            return Ok(());
        }
        let parts = parts.iter().copied().chain([&b"\n"[..]]);
        if self.arguments.formats.paginate {
            self.last.extend(parts.flatten());
            return Ok(());
        }
        parts.into_iter().try_for_each(|part| out.write_all(part)).map_err(stdout_error)
    }

    /// Says of files without a difference that they are identical, if that is wanted.
    pub fn same(&mut self, a: &Side, b: &Side, out: &mut dyn Write) -> Result<Outcome> {
        if self.arguments.formats.report_identical_files {
            self.message(out, &[b"Files ", a.title(), b" and ", b.title(), b" are identical"])?;
        }
        Ok(Outcome::Same)
    }

    /// Says that files differ.
    pub fn differ(&mut self, a: &Side, b: &Side, out: &mut dyn Write) -> Result<Outcome> {
        self.message(out, &[b"Files ", a.title(), b" and ", b.title(), b" differ"])?;
        Ok(Outcome::Different)
    }

    /// The lines before the difference of two files: git's where git calls and the format is no script or list for programs, else none.
    pub fn head(&self, is_binary: bool) -> Vec<u8> {
        let Some(patch) = &self.patch else { return Vec::new() };
        match self.format {
            Format::Normal | Format::Unified(_) | Format::Context(_) | Format::SideBySide | Format::Marked(_) => (),
            Format::Ed
            | Format::ForwardEd
            | Format::Rcs
            | Format::Templates(_)
            | Format::Stat
            | Format::Json
            | Format::Brief => return Vec::new(),
        }
        let head = patch.head(&self.settings, is_binary);
        if !self.colors {
            return head;
        }
        let lines = head.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
        let color = &*self.palette.header;
        let reset = &*self.palette.reset;
        lines.flat_map(|line| [b"\x1b[", color, b"m", line, b"\x1b[", reset, b"m\n"].concat()).collect()
    }
}
