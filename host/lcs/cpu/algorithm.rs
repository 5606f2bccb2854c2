//! A row of the table of algorithms: an algorithm for LCS tables on the processor.

use crate::job::Progress;
use crate::pairwise::columns::{Direction, LcsColumn};
use crate::pairwise::rows::CpuRow;

/// Computes the last column of the table of rows and columns, filled from the end that the
/// direction gives. The callback gets the number of cells done since its last call.
pub type LastColumn = fn(&[u8], &[u8], Direction, Progress<'_>) -> LcsColumn;

/// An algorithm for LCS tables on the processor.
pub type CpuAlgorithm = CpuRow<LastColumn>;
