//! The context format: for each hunk the lines of A, then those of B, with marks: `!` changed, `-`
//! deleted, `+` inserted.

use super::heading::Headings;
use super::hunks::Piece;
use super::layout::{Flag, Layout, Role};
use super::normal::lines;
use crate::diff::changes::Diff;
use std::io::{self, Write};

impl Diff<'_> {
    /// Prints the context format, with a header if the layout has one. As in the
    /// [example](crate::diff).
    ///
    /// # Errors
    /// Errors of writing to `out`.
    pub fn write_context(&self, out: &mut dyn Write, layout: &Layout<'_>) -> io::Result<()> {
        if self.is_empty() {
            return Ok(());
        }
        layout.header(out, ["*** ", "--- "])?;
        let mut headings = Headings::new(self.a.text(), layout);
        for hunk in self.hunks(layout.context) {
            out.write_all(b"***************")?;
            headings.end_head(out, self.a.start(hunk.a.start))?;
            let marks = [("***", "****", b'-', Role::Deleted), ("---", "----", b'+', Role::Inserted)];
            let sides = [(&self.a, &hunk.a), (&self.b, &hunk.b)];
            for (side, (((before, after, own, role), (units, range)), is_there)) in
                marks.into_iter().zip(sides).zip(hunk.has()).enumerate()
            {
                let place = format!("{before} {} {after}", lines(range));
                layout.colored(out, Role::Place, |out| out.write_all(place.as_bytes()))?;
                out.write_all(b"\n")?;
                if !is_there {
                    continue;
                }
                for piece in self.pieces(&hunk) {
                    let (mark, part) = match piece {
                        Piece::Common { a, b } => (b' ', if side == 0 { a } else { b }),
                        Piece::Change(change) => {
                            let is_both = !change.a.is_empty() && !change.b.is_empty();
                            (
                                if is_both { b'!' } else { own },
                                if side == 0 { change.a.clone() } else { change.b.clone() },
                            )
                        }
                    };
                    for line in units.slice(part) {
                        layout.line(out, role, Flag::Apart(mark), line)?;
                    }
                }
            }
        }
        Ok(())
    }
}
