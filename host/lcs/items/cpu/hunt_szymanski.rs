//! The LCS of two sequences that have few pairs of equal symbols: J. W. Hunt and T. G. Szymanski, A
//! fast algorithm for computing longest common subsequences (1977).
//!
//! An LCS is a longest chain of matches (i, j), with i and j both ascending. Row by row, `ends[k]`
//! is the least column where a chain of k + 1 matches can end. A match in column j extends the
//! longest chain that ends before j by one. So it replaces the first end that is not before j,
//! which is found by binary search:
//!
//! ```text
//! A = b a c,  B = a b c a          row b: columns 1        ends  1
//!                                  row a: columns 3, 0     ends  0 3
//!                                  row c: column 2         ends  0 2
//! ```
//!
//! A row takes its columns from the last one back, so that it adds at most one match to a chain.
//! The longest chain here has two matches: a, c.
//!
//! **Cost** for r pairs of equal symbols: O(m + n + r log n) time, and 12 bytes for each match that
//! replaces or adds an end, at most r matches.

use super::algorithm::CpuAlgorithm;
use crate::algorithm::About;
use crate::alignment::Run;
use crate::error::Result;
use crate::lcs::items::plan::{Matches, MatchesPlan};
use crate::memory;
use crate::threads;

/// The algorithm's entry.
pub const ALGORITHM: CpuAlgorithm = CpuAlgorithm {
    about: About::new(
        "hunt-szymanski",
        "longest chains of pairs of equal tokens, if there are few pairs",
        "Hunt, Szymanski 1977",
        "m + n + r log n, and 12 r bytes, for r pairs of equal tokens",
    ),
    matches,
};

/// Stands for the match before the first one of a chain.
const NONE: u32 = u32::MAX;

/// Finds the matches, unless there are more pairs than can be numbered.
fn matches(plan: &MatchesPlan<'_>) -> Result<Option<Matches>> {
    let most = plan.pairs.max(plan.tokens());
    if most >= u64::from(NONE) {
        return Err(ALGORITHM
            .about
            .unsupported(format!("supports up to 2^32 - 2 items and pairs of equal items, but there are {most}")));
    }
    lcs(plan.a, plan.b, plan.kinds as usize).map(|runs| Some(runs.into()))
}

/// A match that ends a chain, and the match before it in the chain.
#[derive(Clone, Copy)]
struct Match {
    i: u32,
    j: u32,
    before: u32,
}

/// Finds an LCS as maximal runs in ascending order. The symbols must be below `symbols`; the
/// sequences must be shorter than 2^32, and have fewer than 2^32 pairs of equal symbols.
///
/// # Errors
/// [`Error::Memory`](crate::Error::Memory).
fn lcs(a: &[u32], b: &[u32], symbols: usize) -> Result<Vec<Run>> {
    // Positions of each symbol in B: those of symbol s are at starts[s] to starts[s + 1].
    memory::check::<u32>(symbols.saturating_add(b.len()), "the places of symbols")?;
    let mut starts = vec![0u32; symbols + 1];
    for &symbol in b {
        starts[symbol as usize + 1] += 1;
    }
    for s in 0..symbols {
        starts[s + 1] += starts[s];
    }
    let (mut places, mut next) = (vec![0u32; b.len()], starts.clone());
    for (j, &symbol) in (0..).zip(b) {
        let place = &mut next[symbol as usize];
        places[*place as usize] = j;
        *place += 1;
    }
    // For the chains of each length: the column of the last match, and the match.
    let mut ends = Vec::<u32>::new();
    let mut lasts = Vec::<u32>::new();
    let mut matches = Vec::<Match>::new();
    for (i, &symbol) in (0u32..).zip(a) {
        if i.is_multiple_of(1 << 12) {
            threads::check();
        }
        let start = starts[symbol as usize] as usize;
        let end = starts[symbol as usize + 1] as usize;
        let mut longest = ends.len();
        for &j in places[start..end].iter().rev() {
            let length = ends[..longest].partition_point(|&end| end < j);
            // The following columns are smaller than this one, and so are their positions in
            // `ends`.
            longest = (length + 1).min(ends.len());
            if ends.get(length) == Some(&j) {
                continue;
            }
            let before = length.checked_sub(1).map_or(NONE, |before| lasts[before]);
            let last = matches.len() as u32;
            memory::reserve(&mut matches, 1, "the matches of chains")?;
            matches.push(Match { i, j, before });
            match ends.get_mut(length) {
                Some(end) => (*end, lasts[length]) = (j, last),
                None => {
                    ends.push(j);
                    lasts.push(last);
                    longest = ends.len();
                }
            }
        }
    }
    let mut runs: Vec<Run> = Vec::new();
    let mut at = lasts.last().copied();
    while let Some(&Match { i, j, before }) = at.and_then(|at| matches.get(at as usize)) {
        match runs.last_mut() {
            Some(run) if (run.a_start, run.b_start) == (u64::from(i) + 1, u64::from(j) + 1) => {
                *run = Run { a_start: i.into(), b_start: j.into(), len: run.len + 1 };
            }
            _ => runs.push(Run { a_start: i.into(), b_start: j.into(), len: 1 }),
        }
        at = (before != NONE).then_some(before);
    }
    runs.reverse();
    Ok(runs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alignment::runs::CommonSubsequence;
    use crate::pairwise::recurrence::lcs_length;

    #[test]
    fn chains_are_longest_common_subsequences() {
        let mut random = fastrand::Rng::with_seed(3);
        for round in 0..1500 {
            let symbols = [1, 2, 5, 30, 256][round % 5];
            let most = if round % 20 == 0 { 300 } else { 40 };
            let mut text = || (0..random.usize(..most)).map(|_| random.u32(..symbols)).collect::<Vec<u32>>();
            let (a, b) = (text(), text());
            let runs = lcs(&a, &b, symbols as usize).unwrap();
            let bytes = |text: &[u32]| text.iter().map(|&s| s as u8).collect::<Vec<u8>>();
            let lcs = CommonSubsequence::new(runs.clone(), a.len() as u64, b.len() as u64).unwrap();
            assert_eq!(lcs.runs(), runs, "runs are maximal");
            lcs.verify(&bytes(&a), &bytes(&b)).unwrap();
            let expected = lcs_length(&a, &b);
            assert_eq!(lcs.len(), expected, "{a:?} {b:?}");
        }
    }
}
