//! The trait that members implement: it takes a band of the rows of a table through the columns.

use super::border::Border;
use crate::error::Result;
use crate::pairwise::columns::{Direction, LcsColumn};
use crate::pairwise::cuts::{Cuts, Part};
use crate::pairwise::differences::Differences;

/// An engine that holds two strings and takes bands of the rows of their tables through the
/// columns.
pub(crate) trait Bands: Cuts {
    /// The last column of a band.
    type Column: Steps;

    /// Returns the row granularity: every band but the table's last has a multiple of this many
    /// rows. `rows` is about this engine's part of the table.
    fn unit(&self, rows: u64, columns: u64) -> u64;

    /// Returns the number of rows that it takes through the columns of such a table at once. With
    /// more rows it takes the first ones to the last column before it begins with others, and the
    /// band below waits for these.
    fn at_once(&self, _rows: u64, _columns: u64) -> u64 {
        u64::MAX
    }

    /// Returns the least number of rows of a band that it computes at full speed.
    fn full_rows(&self, rows: u64, columns: u64) -> u64;

    /// Returns true if a band waits for carries in [`Border::take`] alone, so that the time of its
    /// waiting is known.
    fn knows_waiting(&self) -> bool {
        true
    }

    /// Estimates the seconds of a band of `rows` rows through `columns` columns.
    fn seconds(&self, rows: u64, columns: u64) -> f64;

    /// Estimates the seconds of [`Cuts::value`] of such a table.
    fn seconds_alone(&self, rows: u64, columns: u64) -> f64 {
        self.seconds(rows, columns)
    }

    /// Computes a corner of a table with the threads or kernels of the whole table, to measure the
    /// engine's speed: all of `columns`, and as many of `rows` as that takes. The border has no
    /// neighbours. Returns the estimated seconds.
    ///
    /// # Errors
    /// As [`band`](Self::band).
    fn rehearse(&self, rows: &Part, columns: &Part, border: &mut Border<'_>) -> Result<f64> {
        let m = rows.range.len() as u64;
        let n = columns.range.len() as u64;
        let rows = rows.split(self.full_rows(m, n) as usize).0;
        self.band(&rows, columns, Direction::Forward, border)?;
        Ok(self.seconds(rows.range.len() as u64, n))
    }

    /// Computes the last column of a band of rows. Row 0 of the band is the last row of the band
    /// above it, whose carries come from the border; those of the band's last row go there.
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage) for parts that are not in the strings,
    /// [`Error::Member`](crate::Error::Member) when another member has failed; others when the
    /// engine's device fails.
    fn band(&self, rows: &Part, columns: &Part, direction: Direction, border: &mut Border<'_>) -> Result<Self::Column>;
}

/// A column's differences from row to row.
pub(crate) trait Steps: Send + Sync {
    /// 1 if greater values are better, -1 if smaller ones are.
    const BETTER: i64;

    /// Returns the difference from row i to row i + 1.
    fn step(&self, i: usize) -> i64;

    /// Returns the difference from the first row to the last.
    fn rise(&self) -> i64;
}

impl Steps for LcsColumn {
    const BETTER: i64 = 1;

    fn step(&self, i: usize) -> i64 {
        LcsColumn::step(self, i).into()
    }

    fn rise(&self) -> i64 {
        self.last() as i64
    }
}

impl Steps for Differences {
    const BETTER: i64 = -1;

    fn step(&self, i: usize) -> i64 {
        Differences::step(self, i)
    }

    fn rise(&self) -> i64 {
        Differences::rise(self, 0..self.rows())
    }
}
