//! Last columns of LCS tables, one bit a row: the column, the engines that compute it, and the cut
//! from two of them.

use super::cuts::{Cut, CutRequest, Cuts, Part, check_middle};
use super::differences::{Differences, FirstColumn};
use crate::error::Result;

/// The end of the two strings where the table starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// At the first symbols: row i is the prefix of i symbols.
    Forward,
    /// At the last symbols: row i is the suffix of i symbols.
    Backward,
}

/// The last column of the LCS table of a string of m symbols (the rows) and one of n (the columns),
/// as Crochemore's bit-vector V: bit i is 0 if L\[i + 1\] = L\[i\] + 1 and 1 if L\[i + 1\] =
/// L\[i\].
///
/// It has m bits instead of m + 1 integers. Engines compute it, and Hirschberg's split needs
/// nothing else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LcsColumn {
    words: Vec<u64>,
    len: usize,
}

/// Joins words of 32 rows, the format of devices, in pairs; rows past the last never grow.
pub(crate) fn widened(words: &[u32]) -> impl Iterator<Item = u64> {
    words.chunks(2).map(|w| u64::from(w[0]) | u64::from(*w.get(1).unwrap_or(&!0)) << 32)
}

impl LcsColumn {
    /// Returns the column of m rows from its words, least significant bit first. Bits past row m
    /// are ignored; rows past the last word never grow.
    pub fn from_words(mut words: Vec<u64>, m: usize) -> Self {
        words.resize(m.div_ceil(64), !0);
        if !m.is_multiple_of(64)
            && let Some(last) = words.last_mut()
        {
            // Set like the bits of rows that never match, so that equal columns compare equal.
            *last |= !0 << (m % 64);
        }
        Self { words, len: m }
    }

    /// Returns the column of an LCS table given in full: `lengths[i]` is L\[i\], m + 1 entries
    /// starting with 0.
    pub fn from_lengths(lengths: &[u32]) -> Self {
        let m = lengths.len().saturating_sub(1);
        let mut words = vec![!0u64; m.div_ceil(64)];
        for (i, pair) in lengths.windows(2).enumerate() {
            if pair[1] > pair[0] {
                words[i / 64] &= !(1 << (i % 64));
            }
        }
        Self { words, len: m }
    }

    /// Adds rows that never grow, up to m in total.
    pub(crate) fn extended(self, m: usize) -> Self {
        Self::from_words(self.words, m)
    }

    /// Returns m, the number of rows.
    pub fn rows(&self) -> usize {
        self.len
    }

    /// Returns L\[m\], the length of the LCS of the whole strings.
    pub fn last(&self) -> usize {
        self.words.iter().map(|w| w.count_zeros() as usize).sum()
    }

    /// Returns true if L\[i + 1\] = L\[i\] + 1; false past the last row.
    pub fn step(&self, i: usize) -> bool {
        self.words.get(i / 64).is_some_and(|word| word >> (i % 64) & 1 == 0)
    }

    /// Returns L\[0\] to L\[m\].
    pub fn lengths(&self) -> Vec<usize> {
        let mut lengths = Vec::with_capacity(self.len + 1);
        let mut sum = 0;
        lengths.push(0);
        for i in 0..self.len {
            sum += usize::from(self.step(i));
            lengths.push(sum);
        }
        lengths
    }
}

/// An engine that holds two strings, and computes last columns of edit distance tables.
pub trait EditColumns: Cuts {
    /// Computes the last column of the edit distance table of two parts that are not empty, filled
    /// from the ends that `direction` gives, with the first column `first`.
    ///
    /// # Errors
    /// As [`cuts`](Cuts::cuts).
    fn edit_column(&self, rows: &Part, columns: &Part, direction: Direction, first: FirstColumn)
    -> Result<Differences>;
}

/// An engine that holds two strings, and computes last columns of LCS tables.
pub trait Columns: Cuts {
    /// Computes the last column of the LCS table of two parts that are not empty, filled from the
    /// ends that `direction` gives.
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage) for parts outside the strings; others if the engine's
    /// device fails.
    fn directed_column(&self, rows: &Part, columns: &Part, direction: Direction) -> Result<LcsColumn>;

    /// Computes the last column, filled forwards.
    ///
    /// # Errors
    /// As [`directed_column`](Self::directed_column).
    fn column(&self, rows: &Part, columns: &Part) -> Result<LcsColumn> {
        self.directed_column(rows, columns, Direction::Forward)
    }

    /// Computes the last columns of the two tables of Hirschberg's split: of `rows` and the first
    /// `middle` columns forwards, and of `rows` and the other columns backwards. Neither half is
    /// empty. The two may run at the same time.
    ///
    /// # Errors
    /// As [`column`](Self::column).
    fn halves(&self, rows: &Part, columns: &Part, middle: usize) -> Result<(LcsColumn, LcsColumn)> {
        check_middle(columns, middle)?;
        let (before, after) = columns.split(middle);
        let (forward, backward) = rayon::join(
            || self.directed_column(rows, &before, Direction::Forward),
            || self.directed_column(rows, &after, Direction::Backward),
        );
        Ok((forward?, backward?))
    }

    /// Computes the cut of a subproblem, from both of its columns.
    ///
    /// # Errors
    /// As [`column`](Self::column).
    fn cut(&self, request: &CutRequest) -> Result<Cut> {
        let (forward, backward) = self.halves(&request.rows, &request.columns, request.middle)?;
        Ok(best_cut(&forward, &backward))
    }
}

/// Returns the cut of two halves.
pub(crate) fn best_cut(forward: &LcsColumn, backward: &LcsColumn) -> Cut {
    let m = forward.rows();
    // Relative to i = 0, so that L2[m] need not be summed first.
    let mut best = 0i64;
    let mut row = 0;
    let mut sum = 0i64;
    for i in 0..m {
        sum += i64::from(forward.step(i)) - i64::from(backward.step(m - 1 - i));
        if sum > best {
            (best, row) = (sum, i + 1);
        }
    }
    Cut { row, length: (backward.last() as u64).wrapping_add_signed(best) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_row_is_the_least_of_the_best() {
        let l1 = [0, 0, 1, 2, 2];
        let l2 = [0, 1, 1, 2, 2];
        // L1[i] + L2[4 - i]: 2, 2, 2, 3, 2.
        assert_eq!(best_cut(&LcsColumn::from_lengths(&l1), &LcsColumn::from_lengths(&l2)), Cut { row: 3, length: 3 });
        let flat = LcsColumn::from_lengths(&[0, 0, 0]);
        assert_eq!(best_cut(&flat, &flat), Cut { row: 0, length: 0 });
    }
}
