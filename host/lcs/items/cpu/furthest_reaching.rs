//! The LCS by furthest-reaching paths (Myers 1986), where differences are few. One thread's.

use super::algorithm::CpuAlgorithm;
use crate::algorithm::About;
use crate::alignment::Run;
use crate::error::Result;
use crate::lcs::items::plan::Plan;
use crate::pairwise::furthest;

/// The algorithm's entry.
pub const ALGORITHM: CpuAlgorithm = CpuAlgorithm {
    about: About::new(
        "furthest-reaching",
        "paths from both ends, the furthest for each number of insertions and deletions",
        "Myers 1986",
        "(m + n) D, expected m + n + D², for D insertions and deletions",
    ),
    runs,
};

/// The matches. No step is taken where it is certain that the budget would not do.
fn runs(plan: &Plan<'_>) -> Result<Option<Vec<Run>>> {
    let Plan { a, b, differences, budget, .. } = *plan;
    match furthest::least_steps(a, b, differences) {
        steps if steps > budget.first.max(budget.most) => Ok(None),
        _ => Ok(furthest::runs(a, b, budget)),
    }
}
