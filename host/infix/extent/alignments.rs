//! The best part for many errors: follows all alignments with that number of errors at once.
//!
//! A forward pass computes G in Myers' blocks, only where it is at most d (see
//! [`cut_off`](crate::infix::cut_off)). A backward pass then follows all alignments with d errors,
//! column by column: the cells of any of them, each with the fewest gaps from there to its end.
//!
//! ```text
//! text            j - 1     j
//!                   ·       ·
//! pattern  i - 1  · ▒ ───── · ·     A cell with the value v comes from
//!                   │ ╲     │       - the diagonal, if the symbols match, or if v - 1 is there
//!          i      · ▒ ─── ▓ ▒ ·       (a substitution);
//!                   ·       ·       - the left, if v - 1 is there (one more symbol in the text:
//!                                     a gap);
//!                                   - above, if v - 1 is there (one symbol less: a gap).
//! ```
//!
//! Time O((m + d) ⌈d / 32⌉) for the forward pass, and the same again if there are too many columns
//! to keep. The backward pass visits only the cells of alignments, a few per column.

use super::reader::Reader;
use super::size::Extent;
use crate::infix::cut_off::{self, KeptColumns};

/// Finds the best part of `text` from the start of reading on with `errors` errors, the fewest of
/// any part. `None` if no part has that number.
pub(super) fn best(reader: &Reader, text: &[u8], errors: u32) -> Option<Extent> {
    let m = reader.pattern.len();
    let last = text.len().min(m + errors as usize);
    let mut search = Alignments { reader, text, errors: i64::from(errors), cells: Vec::new(), best: None };
    cut_off::backwards(
        &reader.matches,
        m,
        errors,
        last,
        |number| reader.symbol(text, number),
        |column, columns, kept| match column {
            0 => search.first_column(columns),
            _ => search.step(column, columns, kept),
        },
    );
    search.best
}

/// A cell of some alignment.
#[derive(Debug, Clone, Copy)]
struct Cell {
    row: usize,
    /// G.
    errors: i64,
    /// The rest of the best alignment: the number of gaps from here on, and the length of the
    /// whole.
    rest: Extent,
}

/// Alignments with the fewest errors, followed backwards.
struct Alignments<'s> {
    reader: &'s Reader,
    text: &'s [u8],
    errors: i64,
    /// Cells of a column, from the last row up.
    cells: Vec<Cell>,
    best: Option<Extent>,
}

impl Alignments<'_> {
    /// Moves from a column's cells to those of the column before. `columns` holds this column as
    /// number `kept`, and the column before it.
    fn step(&mut self, column: usize, columns: &KeptColumns, kept: usize) {
        let m = self.reader.pattern.len();
        let here = columns.get(kept);
        let left = columns.get(kept - 1);
        if here.last_row(m) == Some(self.errors) {
            let rest = Extent { gaps: 0, length: column as u64 };
            self.cells.insert(0, Cell { row: m, errors: self.errors, rest });
        }
        if self.cells.is_empty() {
            return;
        }
        let words = self.reader.matches.mask(self.reader.symbol(self.text, column - 1));
        let mut left_values = left.values(m);
        let mut next: Vec<Cell> = Vec::with_capacity(self.cells.len() + 1);
        let mut cells = std::mem::take(&mut self.cells).into_iter().peekable();
        let mut above: Option<Cell> = None;
        loop {
            // The next cell upwards: reached from the column after, from the cell below, or from
            // both.
            let cell = match (above.take(), cells.peek()) {
                (Some(one), Some(other)) if one.row == other.row => {
                    let rest = one.rest.or(other.rest);
                    cells.next();
                    Cell { rest, ..one }
                }
                (Some(one), _) => one,
                (None, Some(_)) => match cells.next() {
                    Some(cell) => cell,
                    None => break,
                },
                (None, None) => break,
            };
            let gap = Extent { gaps: cell.rest.gaps + 1, ..cell.rest };
            if cell.row == 0 {
                // All symbols up to here are insertions.
                let gaps = cell.rest.gaps + column as u32;
                self.keep(Extent { gaps, ..cell.rest });
                continue;
            }
            if left_values.at(cell.row, column - 1) == Some(cell.errors - 1) {
                add(&mut next, Cell { errors: cell.errors - 1, rest: gap, ..cell });
            }
            let row = cell.row - 1;
            if words[row / 64] >> (row % 64) & 1 == 1 {
                add(&mut next, Cell { row, ..cell });
            } else if left_values.at(row, column - 1) == Some(cell.errors - 1) {
                add(&mut next, Cell { row, errors: cell.errors - 1, ..cell });
            }
            if here.rises(row) {
                above = Some(Cell { row, errors: cell.errors - 1, rest: gap });
            }
        }
        self.cells = next;
    }

    /// Handles column 0, where G\[i\]\[0\] = i: the first i symbols of the pattern are deleted.
    fn first_column(&mut self, columns: &KeptColumns) {
        if columns.get(0).last_row(self.reader.pattern.len()) == Some(self.errors) {
            self.keep(Extent { gaps: self.errors as u32, length: 0 });
        }
        for cell in std::mem::take(&mut self.cells) {
            self.keep(Extent { gaps: cell.rest.gaps + cell.row as u32, ..cell.rest });
        }
    }

    fn keep(&mut self, found: Extent) {
        self.best = Some(self.best.map_or(found, |best| best.or(found)));
    }
}

/// Adds a cell above the others, or merges it with the last one if both are in the same row.
fn add(cells: &mut Vec<Cell>, cell: Cell) {
    match cells.last_mut() {
        Some(last) if last.row == cell.row => last.rest = last.rest.or(cell.rest),
        _ => cells.push(cell),
    }
}
