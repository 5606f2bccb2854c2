//! The unified format: hunks of lines, each with a mark: ` ` in both, `-` deleted, `+` inserted.

use super::changes::Diff;
use super::hunks::Piece;
use super::layout::{Layout, Role};
use crate::text::Units;
use std::io::{self, Write};
use std::ops::Range;

/// Bytes of a function's line that are shown at most.
const MOST_OF_FUNCTION: usize = 40;

/// The first line of a range, from 1, and how many they are unless it is one; of an empty one the line before it.
fn lines(range: &Range<usize>) -> String {
    match range.len() {
        0 => format!("{},0", range.start),
        1 => range.end.to_string(),
        len => format!("{},{len}", range.start + 1),
    }
}

/// The last line before `at` that begins with a letter, `_` or `$`, after a space; nothing if there is none.
fn function<'t>(units: &Units<'t>, at: usize) -> Option<&'t [u8]> {
    let begins =
        |line: &&[u8]| line.first().is_some_and(|&byte| byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$');
    let line = (0..at).rev().map(|i| units.get(i)).find(begins)?;
    let line = line.get(..MOST_OF_FUNCTION).unwrap_or(line);
    Some(line.trim_ascii_end())
}

impl Diff<'_> {
    /// Ends the head of a hunk that begins at `at` in A: with the function that it is in, if the layout shows functions.
    pub(super) fn end_head(&self, out: &mut dyn Write, layout: &Layout<'_>, at: usize) -> io::Result<()> {
        if layout.shows_functions
            && let Some(line) = function(&self.a, at)
        {
            out.write_all(b" ")?;
            out.write_all(line)?;
        }
        out.write_all(b"\n")
    }

    /// Prints the unified format, with a header if the layout has one.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_unified(&self, out: &mut dyn Write, layout: &Layout<'_>) -> io::Result<()> {
        if self.is_empty() {
            return Ok(());
        }
        layout.header(out, ["--- ", "+++ "])?;
        for hunk in self.hunks(layout.context) {
            let place = format!("@@ -{} +{} @@", lines(&hunk.a), lines(&hunk.b));
            layout.colored(out, Role::Place, |out| out.write_all(place.as_bytes()))?;
            self.end_head(out, layout, hunk.a.start)?;
            for piece in self.pieces(&hunk) {
                match piece {
                    Piece::Common { a, .. } => {
                        for line in self.a.slice(a) {
                            layout.line(out, Role::Common, b" ", line)?;
                        }
                    }
                    Piece::Change(change) => {
                        for line in self.a.slice(change.a.clone()) {
                            layout.line(out, Role::Deleted, b"-", line)?;
                        }
                        for line in self.b.slice(change.b.clone()) {
                            layout.line(out, Role::Inserted, b"+", line)?;
                        }
                    }
                }
            }
        }
        Ok(())
    }
}
