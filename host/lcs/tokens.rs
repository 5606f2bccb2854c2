//! The LCS of two sequences of numbers (tokens), which stand for lines, words or anything else that can be compared.
//!
//! What both have in common at their ends is matched; numbers that only one of them has match nothing and are left out. Both are exact. For the
//! rest: furthest-reaching paths, which are fast where differences are few.

use crate::align::furthest;
use crate::align::runs::Run;
use crate::text::numbered;
use crate::{Result, memory};

/// Steps of furthest-reaching paths before another way is taken: about a second, and some 30,000 differences.
const BUDGET: u64 = 1 << 29;

/// The matches of a longest common subsequence, as runs of places in the slices that are given.
///
/// `progress` is told how many tokens of both slices have been settled since its last call.
///
/// # Errors
/// [`Error::Memory`](crate::Error::Memory).
pub(crate) fn runs(a: &[u32], b: &[u32], progress: &(dyn Fn(u64) + Sync)) -> Result<Vec<Run>> {
    let tokens = (a.len() + b.len()) as u64;
    let before = furthest::common_prefix(a, b);
    let (a, b) = (a.get(before..).unwrap_or_default(), b.get(before..).unwrap_or_default());
    let after = furthest::common_suffix(a, b);
    let (a, b) = (rest(a, after), rest(b, after));
    let mut runs = Vec::new();
    push(&mut runs, Run { a_start: 0, b_start: 0, len: before as u64 });
    middle(a, b, before, &mut runs)?;
    push(&mut runs, Run { a_start: (before + a.len()) as u64, b_start: (before + b.len()) as u64, len: after as u64 });
    progress(tokens);
    Ok(runs)
}

/// Adds the matches of what is between the ends, which starts at `from` in both slices.
fn middle(a: &[u32], b: &[u32], from: usize, runs: &mut Vec<Run>) -> Result<()> {
    if a.is_empty() || b.is_empty() {
        return Ok(());
    }
    let most = a.iter().chain(b).copied().max().unwrap_or_default() as usize;
    if most / 8 > a.len() + b.len() {
        // Large numbers, of which a table would be mostly empty.
        let numbered = numbered::number(a, b)?;
        return middle(&numbered.a, &numbered.b, from, runs);
    }
    let (kept_a, kept_b) = kept(a, b, most)?;
    let found = match furthest::runs(&kept_a.tokens, &kept_b.tokens, BUDGET) {
        Some(found) => found,
        None => many_differences(&kept_a.tokens, &kept_b.tokens),
    };
    for run in found {
        let of_a = kept_a.places.iter().skip(run.a_start as usize);
        let of_b = kept_b.places.iter().skip(run.b_start as usize);
        for (&x, &y) in of_a.zip(of_b).take(run.len as usize) {
            push(runs, Run { a_start: (from + x) as u64, b_start: (from + y) as u64, len: 1 });
        }
    }
    Ok(())
}

/// The matches where there are so many differences that furthest-reaching paths take long: the same paths, however long they take.
fn many_differences(a: &[u32], b: &[u32]) -> Vec<Run> {
    // Without a budget they always come to an end.
    furthest::runs(a, b, u64::MAX).unwrap_or_default()
}

/// A slice without its last items.
fn rest(tokens: &[u32], after: usize) -> &[u32] {
    tokens.get(..tokens.len() - after.min(tokens.len())).unwrap_or_default()
}

/// Adds a run, to the last one if it continues that.
fn push(runs: &mut Vec<Run>, run: Run) {
    match runs.last_mut() {
        _ if run.len == 0 => (),
        Some(last) if last.ends() == (run.a_start, run.b_start) => last.len += run.len,
        _ => runs.push(run),
    }
}

/// The tokens of a slice that the other one has too, and where they are.
#[derive(Default)]
struct Kept {
    tokens: Vec<u32>,
    places: Vec<usize>,
}

/// What both slices have, whose tokens are `most` at most.
fn kept(a: &[u32], b: &[u32], most: usize) -> Result<(Kept, Kept)> {
    const OF_A: u8 = 1;
    const OF_B: u8 = 2;
    memory::check::<u8>(most + 1, "the kinds of tokens")?;
    let mut kinds = vec![0; most + 1];
    for (tokens, side) in [(a, OF_A), (b, OF_B)] {
        for &token in tokens {
            if let Some(kind) = kinds.get_mut(token as usize) {
                *kind |= side;
            }
        }
    }
    let of = |tokens: &[u32]| -> Result<Kept> {
        let is_shared = |token: u32| kinds.get(token as usize) == Some(&(OF_A | OF_B));
        let count = tokens.iter().filter(|&&token| is_shared(token)).count();
        let mut kept = Kept::default();
        memory::reserve(&mut kept.tokens, count, "tokens")?;
        memory::reserve(&mut kept.places, count, "places of tokens")?;
        for (place, &token) in tokens.iter().enumerate().filter(|&(_, &token)| is_shared(token)) {
            kept.tokens.push(token);
            kept.places.push(place);
        }
        Ok(kept)
    };
    Ok((of(a)?, of(b)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::align::runs::CommonSubsequence;

    fn length(a: &[u32], b: &[u32]) -> u64 {
        let mut row = vec![0; b.len() + 1];
        for x in a {
            let mut diagonal = 0;
            for (j, y) in b.iter().enumerate() {
                let above = row[j + 1];
                row[j + 1] = if x == y { diagonal + 1 } else { above.max(row[j]) };
                diagonal = above;
            }
        }
        row[b.len()]
    }

    #[test]
    fn random_tokens() {
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..2000 {
            let kinds = [1, 2, 5, 30, 1000, 100_000, u32::MAX][random.usize(..7)];
            let mut tokens =
                |most: usize| (0..random.usize(..most)).map(|_| random.u32(..=kinds - 1)).collect::<Vec<_>>();
            let (start, end) = (tokens(5), tokens(5));
            let side = |side: &[u32]| [&start, side, &end].concat();
            let (mut a, mut b) = (side(&tokens(50)), side(&tokens(50)));
            // With large numbers hardly any are equal by chance.
            for _ in 0..random.usize(..20) {
                let (Some(x), false) = (a.get(random.usize(..a.len().max(1))), b.is_empty()) else { break };
                let place = random.usize(..b.len());
                b[place] = *x;
            }
            if random.bool() {
                std::mem::swap(&mut a, &mut b);
            }
            let settled = std::sync::atomic::AtomicU64::new(0);
            let progress = |tokens| {
                settled.fetch_add(tokens, std::sync::atomic::Ordering::Relaxed);
            };
            let runs = runs(&a, &b, &progress).unwrap();
            assert_eq!(settled.into_inner(), (a.len() + b.len()) as u64);
            for run in &runs {
                let (x, y, len) = (run.a_start as usize, run.b_start as usize, run.len as usize);
                assert_eq!(a[x..x + len], b[y..y + len], "{a:?} {b:?}");
            }
            let lcs = CommonSubsequence::new(runs.clone(), a.len() as u64, b.len() as u64).unwrap();
            assert_eq!(lcs.runs(), runs);
            assert_eq!(lcs.len(), length(&a, &b), "{a:?} {b:?}");
        }
    }
}
