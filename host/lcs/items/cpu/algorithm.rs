//! A row of the table of algorithms: a way to an LCS of two sequences of tokens on the processor.

use crate::algorithm::About;
use crate::alignment::Run;
use crate::error::Result;
use crate::lcs::items::plan::Plan;

/// A way to an LCS of two sequences of tokens on the processor.
pub struct CpuAlgorithm {
    /// Its name, source, cost and limits.
    pub about: About,
    /// The matches, in order; `None` if they would take more steps than the plan's budget.
    pub runs: fn(&Plan<'_>) -> Result<Option<Vec<Run>>>,
}
