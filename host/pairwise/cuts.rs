//! Cuts of tables of parts of two strings: the requests of Hirschberg's recursion to an engine.

use crate::device::Timings;
use crate::error::{Result, UsageFault};
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
    /// The string.
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
/// [`Error::Usage`](crate::Error::Usage) when they do not.
pub fn check(rows: &Part, columns: &Part, middle: Option<usize>, lengths: [usize; 2]) -> Result<()> {
    for part in [rows, columns] {
        let length = lengths[part.side as usize];
        if part.range.is_empty() || part.range.end > length {
            return Err(UsageFault::Position.error(format!("{part:?} is not a part of {length} symbols")));
        }
    }
    middle.map_or(Ok(()), |middle| check_middle(columns, middle))
}

/// Makes sure that neither half is empty.
pub(super) fn check_middle(columns: &Part, middle: usize) -> Result<()> {
    if middle == 0 || middle >= columns.range.len() {
        return Err(UsageFault::Position.error(format!("{columns:?} has no two halves at {middle}")));
    }
    Ok(())
}

/// A question of Hirschberg's recursion: how many rows belong to the first `middle` columns?
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
    /// The row at the cut.
    pub row: usize,
    /// Its costs before and after the cut. If both together are no more than the request's `most`, it is a cheapest of all.
    pub costs: [u64; 2],
}

/// An engine that holds two strings and answers the requests of Hirschberg's recursion.
pub trait Cuts: Sync {
    /// The cuts of many subproblems, that do not depend on one another.
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage) for parts that are not in the strings; others when the engine's device fails.
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

    /// Times of the device so far; zero without a device.
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
