//! A row of the table of algorithms: a way to compute LCS on the processor.

use crate::job::Progress;
use crate::pairwise::columns::{Column, Direction};
use crate::pairwise::rows::CpuRow;

/// The last column of the table of rows and columns, filled from the end that the direction says. The last argument is called with the
/// number of cells done since its last call.
pub type LastColumn = fn(&[u8], &[u8], Direction, Progress<'_>) -> Column;

/// A way to compute LCS on the processor.
pub type CpuAlgorithm = CpuRow<LastColumn>;
