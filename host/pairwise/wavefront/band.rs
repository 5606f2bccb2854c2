//! The diagonals of a table that paths of a known cost can reach.

use std::ops::Range;

/// Diagonals (column minus row) that the paths of some cost can reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReachableDiagonals {
    /// At most 0.
    least: i64,
    /// At least 0.
    greatest: i64,
}

impl ReachableDiagonals {
    /// Returns the band of paths that cost at most `most`, through a table of m × n; `None` if the
    /// lengths differ by more.
    pub fn new(m: u64, n: u64, most: u64) -> Option<Self> {
        let shift = n.cast_signed() - m.cast_signed();
        let spare = (most.checked_sub(shift.unsigned_abs())? / 2).min(m + n).cast_signed();
        Some(Self { least: shift.min(0) - spare, greatest: shift.max(0) + spare })
    }

    /// Returns the number of columns of a strip beyond the number of its rows.
    pub fn reach(&self) -> u64 {
        (self.greatest - self.least).cast_unsigned()
    }

    /// Returns the number of rows, out of m, that have any of n columns.
    pub fn rows(&self, m: u64, n: u64) -> u64 {
        m.min(n + self.least.unsigned_abs())
    }

    /// Returns the columns of some rows, out of n: whole tiles, except for the last.
    pub fn columns(&self, rows: Range<u64>, n: u64, tile: u64) -> Range<u64> {
        let start = rows.start.saturating_sub(self.least.unsigned_abs()) / tile * tile;
        let end = (rows.end + self.greatest.cast_unsigned()).next_multiple_of(tile);
        start.min(n)..end.min(n)
    }
}
