//! A row of the table of algorithms: a way to compute the last column of an LCS table.

use crate::algorithm::About;
use crate::pairwise::column::{Column, Direction};
use crate::pairwise::problem::Progress;

/// A way to compute the last column of an LCS table on the processor.
#[derive(Debug)]
pub struct CpuAlgorithm {
    /// Its name, source, cost and limits.
    pub about: About,
    /// The last column of the table of rows and columns, filled from the end that the direction says. The last argument is called with the
    /// number of cells done since its last call.
    pub last_column: fn(&[u8], &[u8], Direction, Progress<'_>) -> Column,
}
