//! The LCS by bit-vectors of tokens in Hirschberg's recursion, on all cores.

use super::algorithm::CpuAlgorithm;
use super::columns::TokenColumns;
use super::table::Tokens;
use crate::algorithm::About;
use crate::error::Result;
use crate::lcs::items::plan::{Matches, MatchesPlan};
use crate::lcs::thresholds::LEAF_CELLS;
use crate::pairwise::cuts::{Cuts, Part, Side};
use crate::pairwise::hirschberg::Recursion;

/// The algorithm's entry.
pub const ALGORITHM: CpuAlgorithm = CpuAlgorithm {
    about: About::new(
        "bit-parallel",
        "bit-vectors of tokens, in strips of 256 rows with codes of their own, in Hirschberg's recursion; on all cores",
        "Crochemore et al. 2001, Hirschberg 1975",
        "2mn / 64 word steps",
    ),
    matches,
};

fn matches(plan: &MatchesPlan<'_>) -> Result<Option<Matches>> {
    let MatchesPlan { a, b, .. } = *plan;
    let columns = TokenColumns::new([a, b], plan.kinds as usize, plan.progress);
    if plan.only_length {
        return length(&columns, plan).map(Some);
    }
    let recursion = Recursion {
        a,
        b,
        engine: &columns,
        small: &columns,
        is_large: &|_, _, _| false,
        leaf_cells: LEAF_CELLS,
        symbols: Tokens,
    };
    Ok(Some(recursion.solve()?.into()))
}

/// Computes the number of matches by an engine that holds the plan's sequences. The shorter one is
/// the rows.
pub fn length(engine: &dyn Cuts, plan: &MatchesPlan<'_>) -> Result<Matches> {
    let a = Part { side: Side::A, range: 0..plan.a.len() };
    let b = Part { side: Side::B, range: 0..plan.b.len() };
    let length = if plan.a.len() < plan.b.len() { engine.value(&a, &b) } else { engine.value(&b, &a) };
    length.map(Matches::of_length)
}
