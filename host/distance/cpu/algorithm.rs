//! A row of the table of algorithms: an algorithm that computes edit distances on the processor.

use crate::job::Progress;
use crate::pairwise::columns::Direction;
use crate::pairwise::differences::{Differences, FirstColumn};
use crate::pairwise::rows::CpuRow;
use crate::text::Equality;

/// An edit distance table.
#[derive(Debug, Clone, Copy)]
pub struct DistanceTable<'t> {
    /// The string whose prefixes are the rows.
    pub rows: &'t [u8],
    /// The string whose prefixes are the columns.
    pub cols: &'t [u8],
    /// The end of both strings at which filling starts.
    pub direction: Direction,
    /// First column of the table.
    pub first: FirstColumn,
    /// Equality of symbols.
    pub equality: &'t Equality,
}

impl DistanceTable<'_> {
    /// Returns the number of cells, m × n.
    pub fn cells(&self) -> u64 {
        (self.rows.len() as u64).saturating_mul(self.cols.len() as u64)
    }
}

/// Computes the last column of a table. The callback gets the number of cells done since its last
/// call.
pub type LastColumn = fn(&DistanceTable<'_>, Progress<'_>) -> Differences;

/// An algorithm that computes edit distances on the processor.
pub type CpuAlgorithm = CpuRow<LastColumn>;
