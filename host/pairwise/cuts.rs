//! Cuts of tables of parts of two strings: the requests that Hirschberg's recursion makes to an
//! engine.

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
    /// Positions in the string.
    pub range: Range<usize>,
}

impl Part {
    /// Splits it into the first `middle` symbols and the others.
    pub fn split(&self, middle: usize) -> (Part, Part) {
        let at = self.range.start + middle.min(self.range.len());
        let part = |range| Part { side: self.side, range };
        (part(self.range.start..at), part(at..self.range.end))
    }
}

/// Checks that two parts lie within strings of these lengths, and that neither they nor their
/// halves are empty.
///
/// # Errors
/// [`Error::Usage`](crate::Error::Usage) if they do not.
pub fn check(rows: &Part, columns: &Part, middle: Option<usize>, lengths: [usize; 2]) -> Result<()> {
    for part in [rows, columns] {
        let length = lengths[part.side as usize];
        if part.range.is_empty() || part.range.end > length {
            return Err(UsageFault::Position.error(format!("{part:?} is not a part of {length} symbols")));
        }
    }
    middle.map_or(Ok(()), |middle| check_middle(columns, middle))
}

/// Checks that neither half is empty.
pub(super) fn check_middle(columns: &Part, middle: usize) -> Result<()> {
    if middle == 0 || middle >= columns.range.len() {
        return Err(UsageFault::Position.error(format!("{columns:?} has no two halves at {middle}")));
    }
    Ok(())
}

/// A request of Hirschberg's recursion: the number of rows that belong to the first `middle`
/// columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CutRequest {
    /// Rows, at least one.
    pub rows: Part,
    /// Columns, at least two.
    pub columns: Part,
    /// Number of columns before the cut: at least one, and not all.
    pub middle: usize,
}

/// Answer to a [`CutRequest`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    /// Rows before the cut: the least i that maximises L1\[i\] + L2\[m - i\], or for edit distances
    /// minimises D1\[i\] + D2\[m - i\].
    pub row: usize,
    /// That sum: the length of an LCS of the rows and the columns, or their edit distance.
    pub length: u64,
}

/// Like [`CutRequest`], for two similar strings whose distance should be at most `most`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BandRequest {
    /// The request for the cut.
    pub cut: CutRequest,
    /// Upper bound on the distance: a path of this cost stays near the diagonal, and only cells
    /// that it can reach are computed.
    pub most: u64,
}

/// Answer to a [`BandRequest`]: a path of the least cost among those that stay near the diagonal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BandCut {
    /// The row at the cut.
    pub row: usize,
    /// Costs before and after the cut. If their sum is at most the request's `most`, the path is a
    /// cheapest one overall.
    pub costs: [u64; 2],
}

/// An engine that holds two strings and answers the requests of Hirschberg's recursion.
pub trait Cuts: Sync {
    /// Computes the cuts of many independent subproblems.
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage) for parts outside the strings; others if the engine's
    /// device fails.
    fn cuts(&self, requests: &[CutRequest]) -> Result<Vec<Cut>>;

    /// Computes the value of the whole table of two parts that are not empty: the length of an LCS,
    /// or the edit distance.
    ///
    /// # Errors
    /// As [`cuts`](Self::cuts).
    fn value(&self, rows: &Part, columns: &Part) -> Result<u64>;

    /// Computes the cuts of subproblems of similar strings without cells far from the diagonal.
    /// `None` if the engine cannot do that, lacks the memory to do it at once, or would take more
    /// than `share` of the full tables' time, from 0 to 1.
    ///
    /// # Errors
    /// As [`cuts`](Self::cuts).
    fn in_bands(&self, _requests: &[BandRequest], _share: f64) -> Result<Option<Vec<BandCut>>> {
        Ok(None)
    }

    /// Returns the times of the device so far; zero without a device.
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
