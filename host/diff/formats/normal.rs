//! The normal format, the default of POSIX and GNU diff: the positions of each change, its deleted
//! lines and its inserted lines.

use super::layout::{Flag, Layout, Role};
use crate::diff::changes::Diff;
use std::io::{self, Write};
use std::ops::Range;

/// Formats a range as its first and last line, 1-based; an empty range as the line before it.
pub(super) fn lines(range: &Range<usize>) -> String {
    if range.len() <= 1 { range.end.to_string() } else { format!("{},{}", range.start + 1, range.end) }
}

/// Returns the letter of the edit from A to B: append, change or delete.
pub(super) fn letter(a: &Range<usize>, b: &Range<usize>) -> char {
    match (a.is_empty(), b.is_empty()) {
        (true, _) => 'a',
        (_, true) => 'd',
        _ => 'c',
    }
}

impl Diff<'_> {
    /// Prints the normal format: `2c2`, `< two`, `---`, `> 2`. It has neither header nor context.
    /// As in the [example](crate::diff).
    ///
    /// # Errors
    /// Errors of writing to `out`.
    pub fn write_normal(&self, out: &mut dyn Write, layout: &Layout<'_>) -> io::Result<()> {
        for change in self.changes.iter().filter(|change| !change.is_ignored) {
            let place = format!("{}{}{}", lines(&change.a), letter(&change.a, &change.b), lines(&change.b));
            layout.colored(out, Role::Place, |out| out.write_all(place.as_bytes()))?;
            out.write_all(b"\n")?;
            for line in self.a.slice(change.a.clone()) {
                layout.line(out, Role::Deleted, Flag::Apart(b'<'), line)?;
            }
            if !change.a.is_empty() && !change.b.is_empty() {
                out.write_all(b"---\n")?;
            }
            for line in self.b.slice(change.b.clone()) {
                layout.line(out, Role::Inserted, Flag::Apart(b'>'), line)?;
            }
        }
        Ok(())
    }
}
