//! The LCS by furthest-reaching paths (Myers 1986), if there are few differences. Runs on one
//! thread.

use super::algorithm::CpuAlgorithm;
use crate::algorithm::About;
use crate::error::Result;
use crate::lcs::items::plan::{Matches, MatchesPlan};
use crate::pairwise::furthest;

/// The algorithm's entry.
pub const ALGORITHM: CpuAlgorithm = CpuAlgorithm {
    about: About::new(
        "furthest-reaching",
        "the furthest-reaching path from each end for each number of insertions and deletions",
        "Myers 1986",
        "(m + n) D, expected m + n + D², for D insertions and deletions",
    ),
    matches,
};

/// Finds the matches. Takes no step if the budget certainly does not suffice.
fn matches(plan: &MatchesPlan<'_>) -> Result<Option<Matches>> {
    let MatchesPlan { a, b, differences, budget, .. } = *plan;
    match furthest::least_steps(a, b, differences) {
        steps if steps > budget.first.max(budget.most) => Ok(None),
        _ => Ok(furthest::runs(a, b, budget).map(Matches::from)),
    }
}
