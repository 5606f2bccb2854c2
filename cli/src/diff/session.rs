//! The state of a call: its options, and the lines printed at the end.

use super::arguments::Arguments;
use super::folders::Excluded;
use super::format::Format;
use super::git::{Patch, Settings};
use super::side::{Identity, Side};
use crate::shared::output::stdout_error;
use crate::shared::process::start_threads;
use carrywave::Result;
use carrywave::diff::{Comparison, Counts, LineTest, Palette, write_stat};
use carrywave::io::output::Visible;
use rayon::ThreadPool;
use std::ffi::OsString;
use std::io::{self, Write};
use std::sync::Arc;

/// Columns of the file table, as in git.
const STAT_WIDTH: usize = 80;

/// Result of a comparison, from the best to the worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    Same,
    Different,
    Trouble,
}

/// State of a call: its options, and the lines printed at the end.
pub struct Session<'j> {
    pub arguments: &'j Arguments,
    pub format: Format,
    /// Format without -q. As in GNU diff, this format determines the output for identical files.
    pub style: Format,
    pub comparison: Comparison<'j>,
    pub excluded: Excluded,
    pub colors: bool,
    pub palette: &'j Palette,
    /// True if the palette is invalid. A note about it comes with the first printed difference.
    pub complains_of_palette: bool,
    /// Test for the lines shown in hunk heads, with `-F`.
    pub function_lines: Option<LineTest<'j>>,
    pub tab_size: usize,
    /// Labels that replace the file names in headers and messages.
    pub labels: [Option<Vec<u8>>; 2],
    /// Options as given, which GNU diff repeats before each pair of files of two folders.
    pub options: Vec<OsString>,
    /// Rows of the `--stat` table.
    pub counts: Vec<Counts>,
    /// Lines printed after all pages.
    pub last: Vec<u8>,
    /// The compute threads, once they have been started.
    pub threads: Option<Arc<ThreadPool>>,
    /// Settings for `git diff`, used if git calls.
    pub settings: Settings,
    /// Patch of the file that git passes, if git calls.
    pub patch: Option<Patch<'j>>,
    /// Identities of the folder pairs being compared, from the outermost one on.
    pub open: Vec<[Option<Identity>; 2]>,
}

impl Session<'_> {
    /// Returns the compute threads; the first call starts them.
    pub fn threads(&mut self) -> Result<Arc<ThreadPool>> {
        let threads = match &self.threads {
            Some(threads) => Arc::clone(threads),
            None => Arc::new(start_threads(None)?),
        };
        self.threads = Some(Arc::clone(&threads));
        Ok(threads)
    }

    /// Prints the file table.
    pub fn stat(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if self.counts.is_empty() {
            return Ok(());
        }
        self.counts.iter_mut().for_each(|counts| counts.name = Visible(&counts.name).to_string());
        write_stat(out, &self.counts, STAT_WIDTH, self.colors)
    }

    /// Prints a line about files, unless the format is for programs. With pages, the line is
    /// printed after all pages.
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

    /// Reports files without a difference as identical, if the options request it.
    pub fn same(&mut self, a: &Side, b: &Side, out: &mut dyn Write) -> Result<Outcome> {
        if self.arguments.formats.report_identical_files {
            self.message(out, &[b"Files ", a.title(), b" and ", b.title(), b" are identical"])?;
        }
        Ok(Outcome::Same)
    }

    /// Reports that files differ.
    pub fn differ(&mut self, a: &Side, b: &Side, out: &mut dyn Write) -> Result<Outcome> {
        self.message(out, &[b"Files ", a.title(), b" and ", b.title(), b" differ"])?;
        Ok(Outcome::Different)
    }

    /// Returns the lines before the difference of two files: git's, if git calls and the format is
    /// neither a script nor a list for programs; otherwise nothing.
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
