//! A row of the table of algorithms: an algorithm for an LCS of two sequences of tokens on the
//! processor.

use crate::algorithm::About;
use crate::error::Result;
use crate::lcs::items::plan::{Matches, MatchesPlan};

/// An algorithm for an LCS of two sequences of tokens on the processor.
pub struct CpuAlgorithm {
    /// Name, source, cost and limits.
    pub about: About,
    /// Finds the matches; `None` if they would take more steps than the plan's budget.
    pub matches: fn(&MatchesPlan<'_>) -> Result<Option<Matches>>,
}
