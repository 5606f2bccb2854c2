//! Patience diff (B. Cohen): items that occur exactly once in each sequence are anchors, fixed
//! points of the script. The largest set of anchors in the same order is used.
//!
//! Between two anchors other items may become unique, so the search recurses. A part without
//! anchors gets a shortest script. The whole may be longer than the shortest script.

use super::algorithm::{CpuAlgorithm, Request};
use crate::algorithm::About;
use crate::alignment::Run;
use crate::lcs::items::chains::ascending;
use crate::lcs::items::matches::{self, Options};
use crate::pairwise::furthest::{common_prefix, common_suffix};
use crate::text::numbered::Numbered;
use crate::{Result, memory};
use std::ops::Range;

/// The algorithm's entry.
pub const ALGORITHM: CpuAlgorithm = CpuAlgorithm {
    about: About::new(
        "patience",
        "units that occur once in each text are fixed points; the script may be longer than the shortest one",
        "B. Cohen's patience diff",
        "(m + n) log (m + n), and an LCS of the parts without such units",
    ),
    runs: |&Request { numbered: Numbered { a, b, kinds }, options, .. }| runs(a, b, *kinds, options),
};

/// Occurrences of an item in the current part.
#[derive(Clone, Copy, Default)]
struct Seen {
    /// Numbers of occurrences in A and in B; 2 stands for two or more.
    times: [u8; 2],
    /// Position in B.
    place: usize,
}

/// Finds the matches, as runs of positions. All items are below `kinds`.
fn runs(a: &[u32], b: &[u32], kinds: u32, options: Options<'_>) -> Result<Vec<Run>> {
    let progress = options.progress;
    memory::check::<Seen>(kinds as usize, "the kinds of lines")?;
    let mut seen = vec![Seen::default(); kinds as usize];
    let mut runs: Vec<Run> = Vec::new();
    let mut push = |a_start: usize, b_start: usize, len: usize| -> Result<()> {
        let a_start = a_start as u64;
        let b_start = b_start as u64;
        let len = len as u64;
        match runs.last_mut() {
            _ if len == 0 => (),
            Some(last) if last.ends() == (a_start, b_start) => last.len += len,
            _ => {
                memory::reserve(&mut runs, 1, "matches")?;
                runs.push(Run { a_start, b_start, len });
            }
        }
        Ok(())
    };
    // Unsolved parts, the first one on top.
    let mut parts = vec![(0..a.len(), 0..b.len())];
    while let Some((mut of_a, mut of_b)) = parts.pop() {
        let part =
            |items: &'_ [u32], of: &Range<usize>| -> Vec<u32> { items.get(of.clone()).unwrap_or_default().to_vec() };
        let slice = |of: &Range<usize>, items| -> &[u32] { <[u32]>::get(items, of.clone()).unwrap_or_default() };
        let before = common_prefix(slice(&of_a, a), slice(&of_b, b));
        push(of_a.start, of_b.start, before)?;
        progress(2 * before as u64);
        of_a.start += before;
        of_b.start += before;
        let after = common_suffix(slice(&of_a, a), slice(&of_b, b));
        if after > 0 {
            // The common end is a part of its own, solved after the part before it.
            parts.push((of_a.end - after..of_a.end, of_b.end - after..of_b.end));
            of_a.end -= after;
            of_b.end -= after;
        }
        if of_a.is_empty() || of_b.is_empty() {
            progress((of_a.len() + of_b.len()) as u64);
            continue;
        }
        let anchors = ascending(&unique(slice(&of_a, a), slice(&of_b, b), &mut seen));
        if anchors.is_empty() {
            for run in matches::runs(&part(a, &of_a), &part(b, &of_b), options)? {
                push(of_a.start + run.a_start as usize, of_b.start + run.b_start as usize, run.len as usize)?;
            }
            continue;
        }
        // Each part starts with its anchor, which is matched when the part is popped.
        let mut end_a = of_a.end;
        let mut end_b = of_b.end;
        for &(x, y) in anchors.iter().rev() {
            let x = of_a.start + x;
            let y = of_b.start + y;
            parts.push((x..end_a, y..end_b));
            (end_a, end_b) = (x, y);
        }
        parts.push((of_a.start..end_a, of_b.start..end_b));
    }
    Ok(runs)
}

/// Returns the positions of items that both sequences have once, in the order of A. Leaves `seen`
/// as it finds it.
fn unique(a: &[u32], b: &[u32], seen: &mut [Seen]) -> Vec<(usize, usize)> {
    for (side, items) in [a, b].into_iter().enumerate() {
        for (place, &item) in items.iter().enumerate() {
            if let Some(seen) = seen.get_mut(item as usize) {
                if let Some(times) = seen.times.get_mut(side) {
                    *times = (*times + 1).min(2);
                }
                seen.place = place;
            }
        }
    }
    let both_once = |(x, &item): (usize, &u32)| {
        let seen = seen.get(item as usize)?;
        (seen.times == [1, 1]).then_some((x, seen.place))
    };
    let pairs = a.iter().enumerate().filter_map(both_once).collect();
    for &item in a.iter().chain(b) {
        if let Some(seen) = seen.get_mut(item as usize) {
            *seen = Seen::default();
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alignment::runs::CommonSubsequence;

    /// 9 occurs once in both, so it is matched, although a script without it has two more matches.
    #[test]
    fn unique_items_are_fixed_points() {
        let (a, b) = ([9, 1, 1, 2, 2], [1, 1, 2, 2, 9]);
        let found = runs(&a, &b, 10, Options::default()).unwrap();
        assert_eq!(found, [Run { a_start: 0, b_start: 4, len: 1 }]);
        assert_eq!(matches::runs(&a, &b, Options::default()).unwrap()[0].len, 4);
    }

    #[test]
    fn random_sequences_have_valid_runs() {
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..2000 {
            let kinds = [2, 10, 40][random.usize(..3)];
            let mut items = || (0..random.usize(..40)).map(|_| random.u32(..kinds)).collect::<Vec<_>>();
            let (a, b) = (items(), items());
            let settled = std::sync::atomic::AtomicU64::new(0);
            let progress = |items| {
                settled.fetch_add(items, std::sync::atomic::Ordering::Relaxed);
            };
            let found = runs(&a, &b, kinds, Options { progress: &progress, ..Options::default() }).unwrap();
            assert_eq!(settled.into_inner(), (a.len() + b.len()) as u64);
            for run in &found {
                let (x, y, len) = (run.a_start as usize, run.b_start as usize, run.len as usize);
                assert_eq!(a[x..x + len], b[y..y + len]);
            }
            let lcs = CommonSubsequence::new(found.clone(), a.len() as u64, b.len() as u64).unwrap();
            assert_eq!(lcs.runs(), found);
            // If no item is unique in both sequences, the result is an LCS.
            let both_once =
                |item| [&a, &b].iter().all(|items| items.iter().filter(|&&other| other == item).count() == 1);
            if !a.iter().any(|&item| both_once(item)) {
                let exact: u64 = matches::runs(&a, &b, Options::default()).unwrap().iter().map(|run| run.len).sum();
                assert!(lcs.len() <= exact);
            }
        }
    }
}
