//! A row of the table of algorithms: a way to compute the last column of an edit distance table.

use crate::algorithm::About;
use crate::pairwise::column::Direction;
use crate::pairwise::differences::{Differences, FirstColumn};
use crate::pairwise::problem::Progress;
use crate::text::Equality;

/// An edit distance table.
#[derive(Debug, Clone, Copy)]
pub struct Table<'t> {
    /// The string whose prefixes are the rows.
    pub rows: &'t [u8],
    /// The string whose prefixes are the columns.
    pub cols: &'t [u8],
    /// The end of both strings at which filling starts.
    pub direction: Direction,
    /// Its first column.
    pub first: FirstColumn,
    /// Which symbols are equal.
    pub equality: &'t Equality,
}

impl Table<'_> {
    /// m × n.
    pub fn cells(&self) -> u64 {
        (self.rows.len() as u64).saturating_mul(self.cols.len() as u64)
    }
}

/// A way to compute the last column of an edit distance table on the processor.
#[derive(Debug)]
pub struct CpuAlgorithm {
    /// Its name, source, cost and limits.
    pub about: About,
    /// The last column of a table. The other argument is called with the number of cells done since its last call.
    pub last_column: fn(&Table<'_>, Progress<'_>) -> Differences,
}
