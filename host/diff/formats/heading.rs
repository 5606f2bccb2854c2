//! The heading of a hunk: the last line before the hunk that begins a function.

use super::layout::Layout;
use std::io::{self, Write};

/// Finds the headings of a text's hunks, in order.
pub(super) struct Headings<'h> {
    text: &'h [u8],
    layout: &'h Layout<'h>,
    /// Bytes of the text before the last hunk.
    searched: usize,
    /// Heading of the last hunk.
    last: Option<&'h [u8]>,
}

/// Returns true if a line begins as a function in C does: with a letter, `_` or `$`.
fn is_c_function(line: &[u8]) -> bool {
    let first = line.utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next());
    first.is_some_and(|c| c.is_alphabetic() || c == '_' || c == '$')
}

impl<'h> Headings<'h> {
    pub fn new(text: &'h [u8], layout: &'h Layout<'h>) -> Self {
        Self { text, layout, searched: 0, last: None }
    }

    /// Returns the heading of a hunk that starts at byte `start`, the first byte of a line: without
    /// the white space around it, and at most as long as the layout allows. `None` if no line
    /// before `start` is a heading.
    ///
    /// Callers go through the hunks in order, so no line is searched twice.
    fn before(&mut self, start: usize) -> Option<&'h [u8]> {
        let Layout { shows_functions, function_lines, heading_bytes, .. } = *self.layout;
        let begins = |line: &&[u8]| {
            shows_functions && is_c_function(line) || function_lines.is_some_and(|test| test.passes(line))
        };
        let new = self.text.get(self.searched..start).unwrap_or_default();
        self.searched = self.searched.max(start);
        // The text after the last line feed is empty, and does not count as a line.
        if let Some(lines) = new.strip_suffix(b"\n") {
            self.last = lines.rsplit(|&byte| byte == b'\n').find(begins).or(self.last);
        }
        let is_space = |byte: &u8| matches!(byte, b' ' | 9..=13);
        let line = self.last?;
        let first = line.iter().position(|byte| !is_space(byte)).unwrap_or(line.len());
        let line = line.get(first..).unwrap_or_default();
        let line = line.get(..heading_bytes).unwrap_or(line);
        let end = line.iter().rposition(|byte| !is_space(byte)).map_or(0, |last| last + 1);
        line.get(..end)
    }

    /// Ends the first line of a hunk that begins at byte `start`, with its heading if the layout
    /// shows one.
    pub fn end_head(&mut self, out: &mut dyn Write, start: usize) -> io::Result<()> {
        if (self.layout.shows_functions || self.layout.function_lines.is_some())
            && let Some(line) = self.before(start)
        {
            out.write_all(b" ")?;
            out.write_all(line)?;
        }
        out.write_all(b"\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diff::line_test::LineTest;

    #[test]
    fn the_last_line_that_begins_with_a_letter() {
        let text = b"1\none  \n 2\n_two\n3\n$three, and more\n";
        let layout = Layout { shows_functions: true, heading_bytes: 6, ..Layout::default() };
        let mut headings = Headings::new(text, &layout);
        let found = [0, 2, 8, 11, 16, 18, 35].map(|start| headings.before(start));
        assert_eq!(found, [None, None, Some(&b"one"[..]), Some(b"one"), Some(b"_two"), Some(b"_two"), Some(b"$three")]);
    }

    #[test]
    fn the_last_line_that_passes_a_test() {
        let text = b"1\n  x 2\n\n3\n";
        let of = |test: &(dyn Fn(&[u8]) -> bool + Sync), shows_functions| {
            let layout = Layout { shows_functions, function_lines: Some(LineTest::new(test)), ..Layout::default() };
            let mut headings = Headings::new(text, &layout);
            [0, 2, 8, 9, 11].map(|start| headings.before(start).map(<[u8]>::to_vec))
        };
        let x = Some(b"x 2".to_vec());
        assert_eq!(of(&|line| line.ends_with(b"2"), true), [None, None, x.clone(), x.clone(), x.clone()]);
        // An empty line passes, but the end of the text before a hunk is not an empty line.
        assert_eq!(of(&|line| line.is_empty(), false), [None, None, None, Some(Vec::new()), Some(Vec::new())]);
    }
}
