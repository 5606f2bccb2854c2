//! The tokens that both sequences have. The others match nothing, and are left out.

use crate::alignment::Run;
use crate::error::Result;
use crate::{memory, threads};
use rayon::prelude::*;

/// Number of tokens that a thread takes at a time.
const TASK: usize = 1 << 16;

/// The tokens that both sequences have, renumbered without gaps.
pub(super) struct Kept {
    pub a: KeptOfOne,
    pub b: KeptOfOne,
    /// Number of different tokens.
    pub kinds: u32,
    /// Number of pairs of equal tokens, one of each sequence.
    pub pairs: u64,
    /// Lower bound on the insertions and deletions: the sum of the tokens that one sequence has
    /// more often than the other.
    pub differences: u64,
}

/// The tokens of a slice that the other slice has too, and their positions.
pub(super) struct KeptOfOne {
    pub tokens: Vec<u32>,
    pub places: Vec<usize>,
}

/// Returns the greatest token; 0 if there is none.
pub(super) fn greatest(a: &[u32], b: &[u32]) -> u32 {
    let of = |tokens: &[u32]| tokens.par_iter().with_min_len(TASK).copied().max().unwrap_or_default();
    threads::run(|| of(a).max(of(b)))
}

/// Returns the tokens that both slices have, found by all threads. `most` is an upper bound on the
/// tokens.
pub(super) fn kept(a: &[u32], b: &[u32], most: usize) -> Result<Kept> {
    threads::run(|| kept_by_threads(a, b, most))
}

fn kept_by_threads(a: &[u32], b: &[u32], most: usize) -> Result<Kept> {
    memory::check::<[u32; 3]>(most + 1, "the kinds of tokens")?;
    let count = |tokens: &[u32]| {
        let mut counts = vec![0u32; most + 1];
        for &token in tokens {
            if let Some(count) = counts.get_mut(token as usize) {
                *count = count.saturating_add(1);
            }
        }
        counts
    };
    let (of_a, of_b) =
        if a.len().min(b.len()) < TASK { (count(a), count(b)) } else { rayon::join(|| count(a), || count(b)) };
    // The new number of each token; `ALONE` if only one side has it.
    const ALONE: u32 = u32::MAX;
    let mut kinds = 0u32;
    let mut pairs = 0u64;
    let mut differences = 0u64;
    let mut numbers = of_a;
    for (number, &of_b) in numbers.iter_mut().zip(&of_b) {
        let of_both = u64::from(*number) * u64::from(of_b);
        differences += if of_both == 0 { 0 } else { number.abs_diff(of_b).into() };
        *number = if of_both == 0 { ALONE } else { kinds };
        kinds += u32::from(of_both > 0);
        pairs = pairs.saturating_add(of_both);
    }
    let of = |tokens: &[u32]| -> Result<KeptOfOne> {
        let number = |token: u32| numbers.get(token as usize).copied().filter(|&number| number != ALONE);
        // Both lists, and the lists of each thread that they are joined from.
        memory::check::<[(u32, usize); 2]>(tokens.len(), "tokens and their places")?;
        let own = |(place, &token): (usize, &u32)| Some((number(token)?, place));
        let (tokens, places) = tokens.par_iter().enumerate().with_min_len(TASK).filter_map(own).unzip();
        Ok(KeptOfOne { tokens, places })
    };
    Ok(Kept { a: of(a)?, b: of(b)?, kinds, pairs, differences })
}

/// Adds runs of kept tokens at their original positions, relative to `from`.
pub(super) fn put_back(found: &[Run], [a, b]: [&KeptOfOne; 2], from: usize, runs: &mut Vec<Run>) {
    for run in found {
        let of_a = a.places.iter().skip(run.a_start as usize);
        let of_b = b.places.iter().skip(run.b_start as usize);
        for (&x, &y) in of_a.zip(of_b).take(run.len as usize) {
            push(runs, Run { a_start: (from + x) as u64, b_start: (from + y) as u64, len: 1 });
        }
    }
}

/// Adds a run, or extends the last one if the run continues it.
pub(super) fn push(runs: &mut Vec<Run>, run: Run) {
    match runs.last_mut() {
        _ if run.len == 0 => (),
        Some(last) if last.ends() == (run.a_start, run.b_start) => last.len += run.len,
        _ => runs.push(run),
    }
}
