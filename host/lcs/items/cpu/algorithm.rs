//! A row of the table of algorithms: an algorithm for an LCS of two sequences of tokens on the
//! processor.

use crate::algorithm::About;
use crate::alignment::Run;
use crate::error::Result;
use crate::lcs::items::plan::MatchesPlan;

/// An algorithm for an LCS of two sequences of tokens on the processor.
pub struct CpuAlgorithm {
    /// Name, source, cost and limits.
    pub about: About,
    /// Finds the matches, in order; `None` if they would take more steps than the plan's budget.
    pub runs: fn(&MatchesPlan<'_>) -> Result<Option<Vec<Run>>>,
}
