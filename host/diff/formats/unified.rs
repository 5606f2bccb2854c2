//! The unified format: hunks of lines, each with a mark: ` ` common, `-` deleted, `+` inserted.

use super::heading::Headings;
use super::hunks::Piece;
use super::layout::{Flag, Layout, Role};
use crate::diff::changes::Diff;
use std::io::{self, Write};
use std::ops::Range;

/// Formats a range as its first line, 1-based, and its number of lines unless that is 1; an empty
/// range as the line before it.
fn lines(range: &Range<usize>) -> String {
    match range.len() {
        0 => format!("{},0", range.start),
        1 => range.end.to_string(),
        len => format!("{},{len}", range.start + 1),
    }
}

impl Diff<'_> {
    /// Prints the unified format, with a header if the layout has one. As in the
    /// [example](crate::diff).
    ///
    /// # Errors
    /// Errors of writing to `out`.
    pub fn write_unified(&self, out: &mut dyn Write, layout: &Layout<'_>) -> io::Result<()> {
        if self.is_empty() {
            return Ok(());
        }
        layout.header(out, ["--- ", "+++ "])?;
        let mut headings = Headings::new(self.a.text(), layout);
        for hunk in self.hunks(layout.context) {
            let place = format!("@@ -{} +{} @@", lines(&hunk.a), lines(&hunk.b));
            layout.colored(out, Role::Place, |out| out.write_all(place.as_bytes()))?;
            headings.end_head(out, self.a.start(hunk.a.start))?;
            for piece in self.pieces(&hunk) {
                match piece {
                    Piece::Common { a, .. } => {
                        for line in self.a.slice(a) {
                            layout.line(out, Role::Common, Flag::Joined(b' '), line)?;
                        }
                    }
                    Piece::Change(change) => {
                        for line in self.a.slice(change.a.clone()) {
                            layout.line(out, Role::Deleted, Flag::Joined(b'-'), line)?;
                        }
                        for line in self.b.slice(change.b.clone()) {
                            layout.line(out, Role::Inserted, Flag::Joined(b'+'), line)?;
                        }
                    }
                }
            }
        }
        Ok(())
    }
}
