//! The alignment of a hit with many errors: all alignments with that number at once.
//!
//! A forward pass computes the edit distance of the pattern's first i symbols and the part's first
//! j, in Myers' blocks, only where it is at most d (see [`cut_off`](crate::infix::cut_off)). A
//! backward pass then goes from the last column to the first, only through cells of alignments with
//! d errors. For each cell it keeps the next step of the best alignment: the one with the fewest
//! gaps, and among those the first in order. Following these steps from the first cell gives the
//! alignment.
//!
//! ```text
//!                text ──▶
//! pattern   ╲ · · · · ·          ╲ ─ │   the cells that alignments with d errors go through,
//!    │      · ╲ ─ ╲ · ·                  and the step that the best one takes
//!    ▼      · │ · · ╲ ·
//!           · ╲ ─ ─ · ╲
//! ```
//!
//! A cell's step is known once the steps of the cells to its right and below it are known. So
//! columns are taken from the last one back, and each from its last row up.
//!
//! The forward pass takes O(n ⌈d / 32⌉) time, twice if there are too many columns to keep. The
//! backward pass takes time for each cell, a few per column in random strings.

use super::steps::Steps;
use crate::infix::cut_off::{self, KeptColumns};
use crate::text::Pattern;

/// Upper bound on the cells: 128 MiB.
pub(super) const MAX_CELLS: usize = 1 << 24;

/// Next step of an alignment, in the order of preference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Move {
    /// A symbol of the pattern alone.
    OfPattern,
    /// A symbol of the text alone.
    OfText,
    /// A symbol of each; also at the end, with no symbols left.
    Pair,
}

/// A cell of some alignment.
#[derive(Debug, Clone, Copy)]
struct Cell {
    row: usize,
    /// Edit distance of the symbols before the cell.
    errors: i64,
    /// Fewest gaps of the symbols after the cell, and the first step that leads to them.
    rest: (u32, Move),
}

/// Returns the first alignment among those with the fewest gaps, for a pattern that is not empty
/// and limits only on the number of errors. `None` if its edit distance from the part is not
/// `errors`, or if there would be more cells than `most`.
pub(super) fn align(pattern: &Pattern, part: &[u8], errors: u32, most: usize) -> Option<Steps> {
    let m = pattern.len();
    let n = part.len();
    let matches = pattern.match_words();
    let mut cells = Cells { m, column: Vec::new(), moves: Vec::new(), ends: Vec::with_capacity(n + 1) };
    let symbol = |number: usize| part[number];
    cut_off::backwards(&matches, m, errors, n, symbol, |j, columns, kept| {
        if j == n && columns.get(kept).last_row(m) == Some(i64::from(errors)) {
            cells.column.push(Cell { row: m, errors: errors.into(), rest: (0, Move::Pair) });
        }
        if cells.moves.len() <= most {
            let words = j.checked_sub(1).map(|before| matches.mask(part[before]));
            cells.step(j, words, columns, kept);
        }
    });
    if cells.moves.len() > most {
        return None;
    }
    let mut steps = Steps::default();
    let mut i = 0;
    let mut j = 0;
    while (i, j) != (m, n) {
        match cells.at(i, n - j)? {
            Move::OfPattern => {
                steps.pattern_alone(i);
                i += 1;
            }
            Move::OfText => {
                steps.text_alone(j);
                j += 1;
            }
            Move::Pair => {
                steps.pair(i, j, pattern.classes()[i].contains(part[j]));
                (i, j) = (i + 1, j + 1);
            }
        }
    }
    Some(steps)
}

/// Cells of all columns, from the last column back, and in each column from its last row up.
struct Cells {
    /// Number of rows.
    m: usize,
    /// Cells of the next column.
    column: Vec<Cell>,
    /// Row and step of each cell.
    moves: Vec<(u32, Move)>,
    /// End of each column's cells.
    ends: Vec<usize>,
}

impl Cells {
    /// Takes the cells of column j, and moves to those of the column before. The symbol between the
    /// two columns matches in the rows of `words`; column 0 has no such symbol. `columns` holds
    /// this column as number `kept`, and the column before it.
    fn step(&mut self, j: usize, words: Option<&[u64]>, columns: &KeptColumns, kept: usize) {
        let here = columns.get(kept);
        let mut left = kept.checked_sub(1).map(|before| columns.get(before).values(self.m));
        let mut next: Vec<Cell> = Vec::with_capacity(self.column.len() + 1);
        let mut cells = std::mem::take(&mut self.column).into_iter().peekable();
        let mut above: Option<Cell> = None;
        loop {
            // The next cell upwards: reached from later columns, from the cell below, or from both.
            let cell = match (above.take(), cells.peek()) {
                (Some(one), Some(other)) if one.row == other.row => {
                    let rest = one.rest.min(other.rest);
                    cells.next();
                    Cell { rest, ..one }
                }
                (Some(one), _) => one,
                (None, _) => match cells.next() {
                    Some(cell) => cell,
                    None => break,
                },
            };
            let Cell { row, errors, rest: (gaps, step) } = cell;
            self.moves.push((row as u32, step));
            let before = errors - 1;
            if let (Some(left), Some(words)) = (&mut left, words) {
                if left.at(row, j - 1) == Some(before) {
                    add(&mut next, Cell { row, errors: before, rest: (gaps + 1, Move::OfText) });
                }
                if let Some(row) = row.checked_sub(1) {
                    if words[row / 64] >> (row % 64) & 1 == 1 {
                        add(&mut next, Cell { row, errors, rest: (gaps, Move::Pair) });
                    } else if left.at(row, j - 1) == Some(before) {
                        add(&mut next, Cell { row, errors: before, rest: (gaps, Move::Pair) });
                    }
                }
            }
            if let Some(row) = row.checked_sub(1)
                && here.rises(row)
            {
                above = Some(Cell { row, errors: before, rest: (gaps + 1, Move::OfPattern) });
            }
        }
        self.column = next;
        self.ends.push(self.moves.len());
    }

    /// Returns the step from row i, in the column with this number, counted from the last one.
    fn at(&self, i: usize, column: usize) -> Option<Move> {
        let start = column.checked_sub(1).map_or(0, |before| self.ends[before]);
        let moves = &self.moves[start..self.ends[column]];
        let at = moves.binary_search_by(|&(row, _)| i.cmp(&(row as usize))).ok()?;
        Some(moves[at].1)
    }
}

/// Adds a cell above the others, or merges it with the last one if both are in the same row.
fn add(cells: &mut Vec<Cell>, cell: Cell) {
    match cells.last_mut() {
        Some(last) if last.row == cell.row => last.rest = last.rest.min(cell.rest),
        _ => cells.push(cell),
    }
}
