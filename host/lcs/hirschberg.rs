//! Hirschberg's recursion (1975): an LCS in linear space, from nothing but last columns of LCS tables.
//!
//! ```text
//!            columns          The longer string is the rows, the shorter the columns. The shorter is cut in the middle;
//!          left  right        the table of its left half runs forwards, that of its right half backwards. A longest
//!        +------+------+      common subsequence crosses the cut at a row i that maximises
//!   rows |  ↘   |      |      L1[i] + L2[m - i]; the two corners that remain are solved the same way.
//!        |----- i      |
//!        |      |   ↖  |      Work: mn for the first cut, half of that at each further level: 2mn in all.
//!        +------+------+
//! ```
//!
//! Written once for every engine. Equal first and last symbols are matched without any table; small tables are solved
//! whole. Ties go to the least i, so every engine gives the same subsequence.

use super::column::Column;
use super::result::Run;
use crate::engine::columns::{Columns, Part, Side};
use crate::engine::cpu::bit_table;
use crate::error::Result;
use std::ops::Range;

/// Two strings and how to compute on them.
pub(crate) struct Recursion<'s> {
    pub a: &'s [u8],
    pub b: &'s [u8],
    /// Takes the large columns.
    pub engine: &'s dyn Columns,
    /// Takes the others.
    pub small: &'s dyn Columns,
    /// Whether a column of m × n cells is large.
    pub is_large: &'s (dyn Fn(u64, u64) -> bool + Sync),
    /// Up to this many cells a table is solved whole.
    pub leaf_cells: u64,
}

impl Recursion<'_> {
    /// The runs of an LCS of the whole strings, in order.
    pub fn solve(&self) -> Result<Vec<Run>> {
        self.part(0..self.a.len(), 0..self.b.len())
    }

    fn part(&self, mut a: Range<usize>, mut b: Range<usize>) -> Result<Vec<Run>> {
        let mut runs = Vec::new();
        let run = |a_start: usize, b_start: usize, len: usize| Run {
            a_start: a_start as u64,
            b_start: b_start as u64,
            len: len as u64,
        };
        let texts = |a: &Range<usize>, b: &Range<usize>| (&self.a[a.clone()], &self.b[b.clone()]);

        let (x, y) = texts(&a, &b);
        let prefix = x.iter().zip(y).take_while(|(x, y)| x == y).count();
        if prefix > 0 {
            runs.push(run(a.start, b.start, prefix));
        }
        (a.start, b.start) = (a.start + prefix, b.start + prefix);
        let (x, y) = texts(&a, &b);
        let suffix = x.iter().rev().zip(y.iter().rev()).take_while(|(x, y)| x == y).count();
        (a.end, b.end) = (a.end - suffix, b.end - suffix);

        runs.extend(self.middle(&a, &b)?);
        if suffix > 0 {
            runs.push(run(a.end, b.end, suffix));
        }
        Ok(runs)
    }

    /// Two parts that differ in their first and in their last symbols.
    fn middle(&self, a: &Range<usize>, b: &Range<usize>) -> Result<Vec<Run>> {
        if a.is_empty() || b.is_empty() {
            return Ok(Vec::new());
        }
        let (x, y) = (&self.a[a.clone()], &self.b[b.clone()]);
        let at = |i: usize, j: usize| Run { a_start: (a.start + i) as u64, b_start: (b.start + j) as u64, len: 1 };
        if let [only] = x {
            return Ok(y.iter().position(|s| s == only).map(|j| at(0, j)).into_iter().collect());
        }
        if let [only] = y {
            return Ok(x.iter().position(|s| s == only).map(|i| at(i, 0)).into_iter().collect());
        }
        let cells = x.len() as u64 * y.len() as u64;
        if cells <= self.leaf_cells {
            let shifted =
                |r: Run| Run { a_start: r.a_start + a.start as u64, b_start: r.b_start + b.start as u64, ..r };
            return Ok(bit_table::lcs(x, y).into_iter().map(shifted).collect());
        }

        let (a_part, b_part) = (Part { side: Side::A, range: a.clone() }, Part { side: Side::B, range: b.clone() });
        let large = (self.is_large)(x.len() as u64, y.len() as u64);
        let engine = if large { self.engine } else { self.small };
        let (a_cut, b_cut) = if x.len() >= y.len() {
            let middle = y.len() / 2;
            let (forward, backward) = engine.halves(&a_part, &b_part, middle)?;
            (best_row(&forward, &backward), middle)
        } else {
            let middle = x.len() / 2;
            let (forward, backward) = engine.halves(&b_part, &a_part, middle)?;
            (middle, best_row(&forward, &backward))
        };
        let (a_cut, b_cut) = (a.start + a_cut, b.start + b_cut);
        let (first, second) =
            rayon::join(|| self.part(a.start..a_cut, b.start..b_cut), || self.part(a_cut..a.end, b_cut..b.end));
        let mut runs = first?;
        runs.extend(second?);
        Ok(runs)
    }
}

/// The least i that maximises L1\[i\] + L2\[m - i\].
fn best_row(forward: &Column, backward: &Column) -> usize {
    let m = forward.rows();
    // Relative to i = 0, so that L2[m] need not be summed first.
    let (mut best, mut best_row, mut sum) = (0i64, 0, 0i64);
    for i in 0..m {
        sum += i64::from(forward.step(i)) - i64::from(backward.step(m - 1 - i));
        if sum > best {
            (best, best_row) = (sum, i + 1);
        }
    }
    best_row
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_row_is_the_least_of_the_best() {
        let (l1, l2) = ([0, 0, 1, 2, 2], [0, 1, 1, 2, 2]);
        // L1[i] + L2[4 - i]: 2, 2, 2, 3, 2.
        assert_eq!(best_row(&Column::from_lengths(&l1), &Column::from_lengths(&l2)), 3);
        let flat = Column::from_lengths(&[0, 0, 0]);
        assert_eq!(best_row(&flat, &flat), 0);
    }
}
