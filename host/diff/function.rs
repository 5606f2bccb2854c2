//! The line that the head of a hunk shows: the last one before it that a function begins with.

use super::layout::Layout;
use crate::text::Units;
use std::io::{self, Write};

/// Bytes of a line that are shown at most.
const MOST: usize = 40;

/// The lines that the heads of hunks show, found from the first hunk to the last: each line is looked at once.
pub(super) struct Headings<'h> {
    units: &'h Units<'h>,
    layout: &'h Layout<'h>,
    /// Lines that have been looked at.
    searched: usize,
    found: Option<usize>,
}

/// True if a line begins as a function does in C: with a letter, `_` or `$`.
fn is_c_function(line: &[u8]) -> bool {
    let first = line.utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next());
    first.is_some_and(|c| c.is_alphabetic() || c == '_' || c == '$')
}

impl<'h> Headings<'h> {
    pub fn new(units: &'h Units<'h>, layout: &'h Layout<'h>) -> Self {
        Self { units, layout, searched: 0, found: None }
    }

    /// Ends the head of a hunk that begins at `at`: with the line that it is to show, if there is one.
    pub fn end_head(&mut self, out: &mut dyn Write, at: usize) -> io::Result<()> {
        let Layout { shows_functions, function_lines, .. } = self.layout;
        if *shows_functions || function_lines.is_some() {
            let begins = |line: &[u8]| {
                *shows_functions && is_c_function(line) || function_lines.is_some_and(|test| test.passes(line))
            };
            let line = |i: &usize| begins(self.units.get(*i).strip_suffix(b"\n").unwrap_or(self.units.get(*i)));
            self.found = (self.searched..at).rev().find(line).or(self.found);
            self.searched = self.searched.max(at);
        }
        if let Some(found) = self.found {
            let line = self.units.get(found).strip_suffix(b"\n").unwrap_or(self.units.get(found));
            let is_space = |byte: &u8| matches!(byte, b' ' | 9..=13);
            let start = line.iter().position(|byte| !is_space(byte)).unwrap_or(line.len());
            let line = line.get(start..).unwrap_or_default();
            let line = line.get(..MOST).unwrap_or(line);
            let end = line.iter().rposition(|byte| !is_space(byte)).map_or(0, |last| last + 1);
            out.write_all(b" ")?;
            out.write_all(line.get(..end).unwrap_or_default())?;
        }
        out.write_all(b"\n")
    }
}
