//! The LCS by bit-vectors of tokens in Hirschberg's recursion, on all cores.

use super::algorithm::CpuAlgorithm;
use super::columns::TokenColumns;
use super::table::Tokens;
use crate::algorithm::About;
use crate::alignment::Run;
use crate::error::Result;
use crate::lcs::items::plan::MatchesPlan;
use crate::lcs::thresholds::LEAF_CELLS;
use crate::pairwise::hirschberg::Recursion;

/// The algorithm's entry.
pub const ALGORITHM: CpuAlgorithm = CpuAlgorithm {
    about: About::new(
        "bit-parallel",
        "bit-vectors of tokens, in strips of 256 rows with codes of their own, in Hirschberg's recursion; on all cores",
        "Crochemore et al. 2001, Hirschberg 1975",
        "2mn / 64 word steps",
    ),
    runs,
};

fn runs(plan: &MatchesPlan<'_>) -> Result<Option<Vec<Run>>> {
    let MatchesPlan { a, b, .. } = *plan;
    let columns = TokenColumns::new([a, b], plan.kinds as usize, plan.progress);
    let recursion = Recursion {
        a,
        b,
        engine: &columns,
        small: &columns,
        is_large: &|_, _, _| false,
        leaf_cells: LEAF_CELLS,
        symbols: Tokens,
    };
    recursion.solve().map(Some)
}
