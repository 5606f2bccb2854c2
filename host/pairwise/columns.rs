//! What Hirschberg's recursion asks of an engine: where to cut tables of parts of two strings; and last columns of LCS tables.

use super::column::{Column, Direction};
use super::differences::{Differences, FirstColumn};
use crate::device::Timings;
use crate::error::{Error, Result};
use std::ops::Range;

/// One of the two strings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The first.
    A,
    /// The second.
    B,
}

/// A part of one of the two strings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Of which string.
    pub side: Side,
    /// Its positions.
    pub range: Range<usize>,
}

impl Part {
    /// The first `middle` symbols, and the others.
    pub fn split(&self, middle: usize) -> (Part, Part) {
        let at = self.range.start + middle.min(self.range.len());
        let part = |range| Part { side: self.side, range };
        (part(self.range.start..at), part(at..self.range.end))
    }
}

/// Makes sure that two parts lie in strings of these lengths, and that neither they nor their halves are empty.
///
/// # Errors
/// [`Error::Usage`] when they do not.
pub fn check(rows: &Part, columns: &Part, middle: Option<usize>, lengths: [usize; 2]) -> Result<()> {
    for part in [rows, columns] {
        let length = lengths[part.side as usize];
        if part.range.is_empty() || part.range.end > length {
            return Err(Error::Usage(format!("{part:?} is not a part of {length} symbols")));
        }
    }
    middle.map_or(Ok(()), |middle| check_middle(columns, middle))
}

/// Makes sure that neither half is empty.
fn check_middle(columns: &Part, middle: usize) -> Result<()> {
    if middle == 0 || middle >= columns.range.len() {
        return Err(Error::Usage(format!("{columns:?} has no two halves at {middle}")));
    }
    Ok(())
}

/// A question of Hirschberg's recursion: the first `middle` columns belong to which first rows?
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CutRequest {
    /// The rows, at least one.
    pub rows: Part,
    /// The columns, at least two.
    pub columns: Part,
    /// Columns before the cut: at least one, and less than all.
    pub middle: usize,
}

/// The answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    /// Rows before the cut: the least i that maximises L1\[i\] + L2\[m - i\], or, of edit distances, minimises D1\[i\] + D2\[m - i\].
    pub row: usize,
    /// That sum: the length of an LCS of the rows and the columns, or their edit distance.
    pub length: u64,
}

/// A question about two strings that are similar: as [`CutRequest`], of strings whose distance should be no more than `most`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BandRequest {
    /// The cut.
    pub cut: CutRequest,
    /// The distance, at most: a path of this cost stays near the diagonal, and only what it can reach is computed.
    pub most: u64,
}

/// The answer: a path of the least cost among those that stay near the diagonal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BandCut {
    /// The row in which it crosses the cut.
    pub row: usize,
    /// What it costs before the cut and after it. If both together are no more than the request's `most`, it is a cheapest of all.
    pub costs: [u64; 2],
}

/// What Hirschberg's recursion asks of an engine that holds two strings.
pub trait Cuts: Sync {
    /// The cuts of many subproblems, that do not depend on one another.
    ///
    /// # Errors
    /// [`Error::Usage`] for parts that are not in the strings; others when the engine's device fails.
    fn cuts(&self, requests: &[CutRequest]) -> Result<Vec<Cut>>;

    /// The value of the whole table of two parts that are not empty: the length of an LCS, or the edit distance.
    ///
    /// # Errors
    /// As [`cuts`](Self::cuts).
    fn value(&self, rows: &Part, columns: &Part) -> Result<u64>;

    /// The cuts of subproblems of similar strings, if the engine can leave out what is far from the diagonal, has the memory for that at
    /// once, and should take no more than a share of the full tables' time, from 0 to 1.
    ///
    /// # Errors
    /// As [`cuts`](Self::cuts).
    fn in_bands(&self, _requests: &[BandRequest], _share: f64) -> Result<Option<Vec<BandCut>>> {
        Ok(None)
    }

    /// Where a device's time went so far: nothing where there is no device.
    fn timings(&self) -> Timings {
        Timings::default()
    }
}

impl<C: Cuts + ?Sized> Cuts for Box<C> {
    fn cuts(&self, requests: &[CutRequest]) -> Result<Vec<Cut>> {
        (**self).cuts(requests)
    }

    fn value(&self, rows: &Part, columns: &Part) -> Result<u64> {
        (**self).value(rows, columns)
    }

    fn timings(&self) -> Timings {
        (**self).timings()
    }

    fn in_bands(&self, requests: &[BandRequest], share: f64) -> Result<Option<Vec<BandCut>>> {
        (**self).in_bands(requests, share)
    }
}

/// An engine that holds two strings, and computes last columns of edit distance tables.
pub trait EditColumns: Cuts {
    /// The last column of the edit distance table of two parts that are not empty, filled from the ends that the direction says, with
    /// this first column.
    ///
    /// # Errors
    /// As [`cuts`](Cuts::cuts).
    fn edit_column(&self, rows: &Part, columns: &Part, direction: Direction, first: FirstColumn)
    -> Result<Differences>;
}

/// An engine that holds two strings, and computes last columns of LCS tables.
pub trait Columns: Cuts {
    /// The last column of the LCS table of two parts that are not empty, filled from the ends that the direction says.
    ///
    /// # Errors
    /// [`Error::Usage`] for parts that are not in the strings; others when the engine's device fails.
    fn directed_column(&self, rows: &Part, columns: &Part, direction: Direction) -> Result<Column>;

    /// The same, forwards.
    ///
    /// # Errors
    /// As [`directed_column`](Self::directed_column).
    fn column(&self, rows: &Part, columns: &Part) -> Result<Column> {
        self.directed_column(rows, columns, Direction::Forward)
    }

    /// The last columns of the two tables that Hirschberg's split needs: of `rows` and the first `middle` columns
    /// forwards, and of `rows` and the other columns backwards. Neither half is empty. The two may run at the same time.
    ///
    /// # Errors
    /// As [`column`](Self::column).
    fn halves(&self, rows: &Part, columns: &Part, middle: usize) -> Result<(Column, Column)> {
        check_middle(columns, middle)?;
        let (before, after) = columns.split(middle);
        let (forward, backward) = rayon::join(
            || self.directed_column(rows, &before, Direction::Forward),
            || self.directed_column(rows, &after, Direction::Backward),
        );
        Ok((forward?, backward?))
    }

    /// The cut of a subproblem, from both of its columns.
    ///
    /// # Errors
    /// As [`column`](Self::column).
    fn cut(&self, request: &CutRequest) -> Result<Cut> {
        let (forward, backward) = self.halves(&request.rows, &request.columns, request.middle)?;
        Ok(best_cut(&forward, &backward))
    }
}

/// The cut that two halves ask for.
pub(crate) fn best_cut(forward: &Column, backward: &Column) -> Cut {
    let m = forward.rows();
    // Relative to i = 0, so that L2[m] need not be summed first.
    let (mut best, mut row, mut sum) = (0i64, 0, 0i64);
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
        let (l1, l2) = ([0, 0, 1, 2, 2], [0, 1, 1, 2, 2]);
        // L1[i] + L2[4 - i]: 2, 2, 2, 3, 2.
        assert_eq!(best_cut(&Column::from_lengths(&l1), &Column::from_lengths(&l2)), Cut { row: 3, length: 3 });
        let flat = Column::from_lengths(&[0, 0, 0]);
        assert_eq!(best_cut(&flat, &flat), Cut { row: 0, length: 0 });
    }
}
