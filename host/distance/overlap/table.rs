//! The table of the scores of overlaps, and the best overlap from its last row and column.
//!
//! The table S is kept as the differences of neighbours (Suzuki, Kasahara 2018):
//!
//! ```text
//!   u(i, j) = S(i, j) - S(i - 1, j) + 3      0 to 8     x = max(8 or 4, u(i, j - 1), v(i - 1, j))
//!   v(i, j) = S(i, j) - S(i, j - 1) + 3      0 to 8     u(i, j) = x - v(i - 1, j)
//!                                                       v(i, j) = x - u(i, j - 1)
//! ```
//!
//! The ends of overlaps are in the last row and column of a table with free ends. The start is
//! found in the table of both strings read backwards from the end, whose borders cost gaps.

use super::found::Overlap;
use crate::error::{Error, Result};
use crate::pairwise::columns::Direction;
use std::ops::Range;

/// Cost of an edit in scores.
const EDIT: u64 = 4;

/// Difference that is stored as 0: the score of a symbol that only one string has is -3.
pub const OFFSET: u8 = 3;

/// Left and upper border of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Border {
    /// All scores are 0.
    Free,
    /// Each symbol is one that only one string has.
    Gaps,
}

impl Border {
    /// Returns the stored difference from symbol to symbol.
    pub const fn difference(self) -> u8 {
        match self {
            Self::Free => OFFSET,
            Self::Gaps => 0,
        }
    }
}

/// Stored differences of the scores at a table's end.
pub struct LastDifferences {
    /// Along the last column, m of them.
    pub column: Vec<u8>,
    /// Along the last row, n of them.
    pub row: Vec<u8>,
}

/// An engine that computes tables of scores of two strings.
pub trait Tables {
    /// Computes the table of a part of A and a part of B.
    ///
    /// # Errors
    /// Errors of the engine's device and of memory.
    fn last_differences(
        &self,
        a: Range<usize>,
        b: Range<usize>,
        direction: Direction,
        border: Border,
    ) -> Result<LastDifferences>;
}

/// A cell in the last row or the last column.
struct Cell {
    /// Number of symbols of A before the cell's lower right corner.
    i: usize,
    /// Number of symbols of B.
    j: usize,
    score: i64,
}

impl LastDifferences {
    /// Calls `each` with the cells of the last row and the last column.
    fn for_each_cell(&self, border: Border, mut each: impl FnMut(Cell)) {
        let m = self.column.len();
        let n = self.row.len();
        let difference = |stored: u8| i64::from(stored) - i64::from(OFFSET);
        let mut score = difference(border.difference()) * m as i64;
        each(Cell { i: m, j: 0, score });
        for (j, &stored) in (1..).zip(&self.row) {
            score += difference(stored);
            each(Cell { i: m, j, score });
        }
        score = difference(border.difference()) * n as i64;
        each(Cell { i: 0, j: n, score });
        for (i, &stored) in (1..).zip(&self.column) {
            score += difference(stored);
            each(Cell { i, j: n, score });
        }
    }
}

/// Returns the best overlap of strings of m and n symbols. If several have the greatest score, it
/// is the one that ends first in B, then first in A; of these, the one that starts first in A, then
/// first in B.
pub fn best(tables: &impl Tables, m: usize, n: usize) -> Result<Overlap> {
    let mut end = Cell { i: m, j: 0, score: 0 };
    if m > 0 && n > 0 {
        let last = tables.last_differences(0..m, 0..n, Direction::Forward, Border::Free)?;
        last.for_each_cell(Border::Free, |cell| {
            if cell.score > end.score || cell.score == end.score && (cell.j, cell.i) < (end.j, end.i) {
                end = cell;
            }
        });
    }
    if end.score <= 0 {
        return Ok(Overlap { score: 0, distance: 0, a: m as u64..m as u64, b: 0..0 });
    }
    // More symbols than these would cost more than the score: the distance is at least the
    // difference of the lengths.
    let longest = |own: usize, other: usize| {
        let gaps = (5 * other as u64).saturating_sub(end.score.unsigned_abs()) / 3;
        own.min(usize::try_from(gaps).unwrap_or(usize::MAX))
    };
    let part_of_a = end.i - longest(end.i, end.j)..end.i;
    let part_of_b = end.j - longest(end.j, end.i)..end.j;
    let mut start: Option<(usize, usize)> = None;
    let last = tables.last_differences(part_of_a, part_of_b, Direction::Backward, Border::Gaps)?;
    last.for_each_cell(Border::Gaps, |cell| {
        let (i, j) = (end.i - cell.i, end.j - cell.j);
        if cell.score == end.score && (i == 0 || j == 0) {
            start = Some(start.map_or((i, j), |known| known.min((i, j))));
        }
    });
    let Some((i, j)) = start else { return Err(Error::Verification("an overlap without a start".into())) };
    let symbols = (end.i - i + end.j - j) as u64;
    let score = end.score.unsigned_abs();
    Ok(Overlap {
        score,
        distance: symbols.saturating_sub(score) / EDIT,
        a: i as u64..end.i as u64,
        b: j as u64..end.j as u64,
    })
}
