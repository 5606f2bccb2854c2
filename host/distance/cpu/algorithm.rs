//! A row of the table of algorithms: a way to compute edit distances on the processor.

use crate::job::Progress;
use crate::pairwise::columns::Direction;
use crate::pairwise::differences::{Differences, FirstColumn};
use crate::pairwise::rows::CpuRow;
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

/// The last column of a table. The other argument is called with the number of cells done since its last call.
pub type LastColumn = fn(&Table<'_>, Progress<'_>) -> Differences;

/// A way to compute edit distances on the processor.
pub type CpuAlgorithm = CpuRow<LastColumn>;
