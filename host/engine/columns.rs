//! What Hirschberg's recursion asks of an engine: last columns of LCS tables of parts of two strings.

use super::cpu::{bit_parallel, dp};
use crate::error::{Error, Result};
use crate::lcs::column::{Column, Direction};
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
    if middle.is_some_and(|middle| middle == 0 || middle >= columns.range.len()) {
        return Err(Error::Usage(format!("{columns:?} has no two halves at {middle:?}")));
    }
    Ok(())
}

/// An engine that holds two strings.
pub trait Columns: Sync {
    /// The last column of the LCS table of two parts that are not empty, forwards.
    ///
    /// # Errors
    /// [`Error::Usage`] for parts that are not in the strings; others when the engine's device fails.
    fn column(&self, rows: &Part, columns: &Part) -> Result<Column>;

    /// The last columns of the two tables that Hirschberg's split needs: of `rows` and the first `middle` columns
    /// forwards, and of `rows` and the other columns backwards. Neither half is empty. The two may run at the same time.
    ///
    /// # Errors
    /// As [`column`](Self::column).
    fn halves(&self, rows: &Part, columns: &Part, middle: usize) -> Result<(Column, Column)>;
}

/// A way of the CPU engine to compute a last column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CpuAlgorithm {
    /// Dynamic programming in two rows.
    Dp,
    /// Crochemore's bit-vectors.
    BitParallel,
}

/// The CPU engine, on two strings.
pub struct CpuColumns<'s> {
    /// A and B.
    pub strings: [&'s [u8]; 2],
    /// How.
    pub algorithm: CpuAlgorithm,
    /// Told the number of cells done since the last call.
    pub progress: &'s (dyn Fn(u64) + Sync),
}

impl CpuColumns<'_> {
    fn compute(&self, rows: &Part, columns: &Part, direction: Direction) -> Column {
        let text = |part: &Part| &self.strings[part.side as usize][part.range.clone()];
        match self.algorithm {
            CpuAlgorithm::BitParallel => bit_parallel::last_column(text(rows), text(columns), direction, self.progress),
            CpuAlgorithm::Dp => {
                let column = dp::last_column(text(rows), text(columns), direction);
                (self.progress)(rows.range.len() as u64 * columns.range.len() as u64);
                column
            }
        }
    }
}

impl Columns for CpuColumns<'_> {
    fn column(&self, rows: &Part, columns: &Part) -> Result<Column> {
        check(rows, columns, None, self.strings.map(<[u8]>::len))?;
        Ok(self.compute(rows, columns, Direction::Forward))
    }

    fn halves(&self, rows: &Part, columns: &Part, middle: usize) -> Result<(Column, Column)> {
        check(rows, columns, Some(middle), self.strings.map(<[u8]>::len))?;
        let (before, after) = columns.split(middle);
        Ok(rayon::join(
            || self.compute(rows, &before, Direction::Forward),
            || self.compute(rows, &after, Direction::Backward),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_that_are_not_in_the_strings_are_refused() {
        let engine = CpuColumns { strings: [b"ACGT", b"AC"], algorithm: CpuAlgorithm::Dp, progress: &|_| () };
        let part = |side, range| Part { side, range };
        let (a, b) = (part(Side::A, 0..4), part(Side::B, 0..2));
        assert_eq!(engine.column(&a, &b).map(|c| c.last()).ok(), Some(2));
        assert!(engine.column(&part(Side::A, 0..5), &b).is_err());
        assert!(engine.column(&a, &part(Side::B, 1..1)).is_err());
        assert!(engine.halves(&a, &b, 1).is_ok());
        for middle in [0, 2, 3] {
            assert!(engine.halves(&a, &b, middle).is_err(), "{middle}");
        }
    }
}
