//! Prints lines and their context, as grep does.

use super::arguments::{Arguments, BinaryFiles, ContextLines};
use super::output::{FileName, Line, Out};
use carrywave::Result;
use carrywave::search::Hit;
use rayon::prelude::*;
use std::collections::VecDeque;

/// Size in bytes of the chunks searched for a NUL: the buffer size of GNU grep.
pub const CHUNK: usize = 96 << 10;

/// Size in bytes of the pieces that threads take.
const PIECE: usize = 1 << 20;

/// Result for the lines of a file.
#[derive(Default)]
pub struct LinesFound {
    /// Number of selected lines.
    pub count: u64,
    /// True if the lines were not printed because the file has a NUL byte.
    pub is_binary: bool,
}

/// A line to print as context if a line after it is selected.
struct Before {
    number: u64,
    place: u64,
    symbols: Vec<u8>,
    hits: Vec<Hit>,
}

/// Prints selected lines and their context, as grep does.
pub struct LinePrinter<'p, 'a> {
    pub arguments: &'p Arguments,
    name: &'p FileName,
    pub out: &'p mut Out<'a>,
    pub found: LinesFound,
    pub has_nul: bool,
    /// Number of lines in previous parts.
    pub lines: u64,
    /// Candidates for context before the next selected line.
    before: VecDeque<Before>,
    /// Number of lines still to print as context after a selected line.
    after: usize,
    /// Number of the last printed line.
    last: Option<u64>,
}

impl<'p, 'a> LinePrinter<'p, 'a> {
    pub fn new(arguments: &'p Arguments, name: &'p FileName, out: &'p mut Out<'a>) -> Self {
        Self {
            arguments,
            name,
            out,
            found: LinesFound::default(),
            has_nul: false,
            lines: 0,
            before: VecDeque::new(),
            after: 0,
            last: None,
        }
    }

    /// Returns true if lines without hits currently matter.
    pub fn needs_lines_without_hits(&self) -> bool {
        self.arguments.lines.invert_match
            || self.after > 0
            || self.arguments.context().is_some_and(|context| context.before > 0)
    }

    /// Returns true if the output has line numbers, or needs them to separate groups of lines.
    fn needs_numbers(&self) -> bool {
        self.arguments.lines.line_number || self.arguments.context().is_some()
    }

    /// Looks for a NUL byte at least up to the position `to`, if the output depends on it.
    pub fn look_for_nul(&mut self, text: &[u8], looked: &mut usize, to: usize) {
        if !self.nul_matters() {
            return;
        }
        while *looked < to && !self.has_nul {
            let end = text.len().min(*looked + CHUNK);
            self.has_nul = memchr::memchr(0, &text[*looked..end]).is_some();
            *looked = end;
        }
    }

    /// Looks for a NUL byte in the rest of a text, by all threads.
    pub fn look_for_nul_in_rest(&mut self, rest: &[u8]) {
        let has_nul = |piece| memchr::memchr(0, piece).is_some();
        self.has_nul |= self.nul_matters() && !self.has_nul && rest.par_chunks(PIECE).any(has_nul);
    }

    fn nul_matters(&self) -> bool {
        match self.arguments.binary_files() {
            BinaryFiles::WithoutMatch => true,
            BinaryFiles::Binary => !self.arguments.prints_no_hits(),
            BinaryFiles::Text => false,
        }
    }

    /// Adds the lines of a text to those of previous parts, if their number matters.
    pub fn count_lines(&mut self, text: &[u8]) {
        if self.needs_numbers() {
            let line_feeds = |piece| memchr::memchr_iter(b'\n', piece).count() as u64;
            self.lines += text.par_chunks(PIECE).map(line_feeds).sum::<u64>();
        }
    }

    /// Processes the next line. Returns false if the rest of the file does not matter.
    pub fn take(&mut self, line: &Line<'_>) -> Result<bool> {
        let ContextLines { before, after } = self.arguments.context().unwrap_or_default();
        let is_full = self.found.count >= self.arguments.most();
        if !is_full && line.hits.is_empty() == self.arguments.lines.invert_match {
            self.found.count += 1;
            if !self.arguments.prints_no_hits() {
                if self.has_nul && self.arguments.binary_files() == BinaryFiles::Binary {
                    self.found.is_binary = true;
                    return Ok(false);
                }
                self.print_with_context(line)?;
                self.after = after;
            }
            return Ok(self.found.count < self.arguments.most() || self.after > 0);
        }
        if self.after > 0 {
            self.after -= 1;
            self.print(line, false)?;
            return Ok(!is_full || self.after > 0);
        }
        if before > 0 && !self.arguments.prints_no_hits() {
            if self.before.len() == before {
                self.before.pop_front();
            }
            let &Line { number, place, symbols, hits } = line;
            self.before.push_back(Before { number, place, symbols: symbols.to_vec(), hits: hits.to_vec() });
        }
        Ok(!is_full)
    }

    fn print_with_context(&mut self, line: &Line<'_>) -> Result<()> {
        let first = self.before.front().map_or(line.number, |first| first.number);
        if self.arguments.context().is_some() && self.last.is_none_or(|last| last + 1 < first) {
            self.out.group_separator()?;
        }
        for Before { number, place, symbols, hits } in std::mem::take(&mut self.before) {
            self.print(&Line { number, place, symbols: &symbols, hits: &hits }, false)?;
        }
        self.print(line, true)
    }

    fn print(&mut self, line: &Line<'_>, is_taken: bool) -> Result<()> {
        self.last = Some(line.number);
        self.out.line(self.name, line, is_taken)
    }
}
