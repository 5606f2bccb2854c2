//! The heading of a hunk: the last line before it that begins as a function does in C.

use super::layout::Layout;
use std::io::{self, Write};

/// Finds the headings of a text's hunks, in order.
pub(super) struct Headings<'t> {
    text: &'t [u8],
    /// Bytes of the text before the last hunk.
    searched: usize,
    /// Heading of the last hunk.
    last: Option<&'t [u8]>,
}

impl<'t> Headings<'t> {
    pub fn new(text: &'t [u8]) -> Self {
        Self { text, searched: 0, last: None }
    }

    /// The line before byte `start`, where a line starts, that begins with a letter, `_` or `$`: at most `most` bytes of it, without the white
    /// space at its end. `None` if there is no such line.
    ///
    /// Callers go through the hunks in order, so no line is searched twice.
    fn before(&mut self, start: usize, most: usize) -> Option<&'t [u8]> {
        let begins =
            |line: &&[u8]| line.first().is_some_and(|&byte| byte.is_ascii_alphabetic() || b"_$".contains(&byte));
        let new = self.text.get(self.searched..start).unwrap_or_default();
        self.last = new.rsplit(|&byte| byte == b'\n').find(begins).or(self.last);
        self.searched = self.searched.max(start);
        let line = self.last?;
        Some(line.get(..most).unwrap_or(line).trim_ascii_end())
    }

    /// Ends the first line of a hunk that begins at byte `start`: with its heading, if the layout shows functions.
    pub fn end_head(&mut self, out: &mut dyn Write, layout: &Layout<'_>, start: usize) -> io::Result<()> {
        if layout.shows_functions
            && let Some(line) = self.before(start, layout.heading_bytes)
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

    #[test]
    fn the_last_line_that_begins_with_a_letter() {
        let text = b"1\none  \n 2\n_two\n3\n$three, and more\n";
        let mut headings = Headings::new(text);
        let found = [0, 2, 8, 11, 16, 18, 35].map(|start| headings.before(start, 6));
        assert_eq!(found, [None, None, Some(&b"one"[..]), Some(b"one"), Some(b"_two"), Some(b"_two"), Some(b"$three")]);
    }
}
