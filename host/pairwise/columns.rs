//! Engines that compute last columns of tables, and the cut of two columns of LCS tables.

use super::column::{Column, Direction};
use super::cuts::{Cut, CutRequest, Cuts, Part, check_middle};
use super::differences::{Differences, FirstColumn};
use crate::error::Result;

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
    /// [`Error::Usage`](crate::Error::Usage) for parts that are not in the strings; others when the engine's device fails.
    fn directed_column(&self, rows: &Part, columns: &Part, direction: Direction) -> Result<Column>;

    /// The last column, filled forwards.
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
        assert_eq!(best_cut(&Column::from_lengths(&l1), &Column::from_lengths(&l2)), Cut { row: 3, length: 3 });
        let flat = Column::from_lengths(&[0, 0, 0]);
        assert_eq!(best_cut(&flat, &flat), Cut { row: 0, length: 0 });
    }
}
