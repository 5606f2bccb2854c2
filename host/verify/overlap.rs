//! Checks the best overlap and the nearest rotation of two strings against the recurrence.

use super::lcs::Input;
use super::{CheckJob, Checker, oracle};
use crate::distance::{Comparison, Overlap, Rotation};
use crate::error::Result;
use std::ops::Range;

/// Longest strings whose rotations are compared one by one, in symbols.
const MAX_ROTATED: usize = 100;

impl Checker<'_> {
    /// Adds a job for overlaps.
    pub(super) fn overlaps_on_engine<'r>(&'r self, jobs: &mut Vec<CheckJob<'r>>) {
        let comparison = Comparison::new().on_devices(self.engine);
        self.overlaps(jobs, move |input| comparison.overlap(&input.a, &input.b));
    }

    fn overlaps<'r>(&'r self, jobs: &mut Vec<CheckJob<'r>>, find: impl Fn(&Input) -> Result<Overlap> + 'r) {
        self.two_strings("distance overlap".into(), 2, jobs, move |input| {
            let Overlap { score, distance, a, b } = find(input)?;
            let want = BestEnd::of(input);
            let found = BestEnd { score: score as i64, b: b.end, a: a.end };
            if found != want {
                return Err(self.wrong(format!("overlap: {input}: {found:?}, not {want:?}")));
            }
            let part = |range: &Range<u64>| range.start as usize..range.end as usize;
            let distances = oracle::distances(input.a[part(&a)].iter(), input.b[part(&b)].iter());
            let symbols = (a.end - a.start + b.end - b.start) as i64;
            let is_at_border = score == 0 || a.start == 0 || b.start == 0;
            if distances.last() != Some(&distance) || symbols - 4 * distance as i64 != want.score || !is_at_border {
                return Err(self.wrong(format!("overlap: {input}: {a:?} and {b:?} with distance {distance}")));
            }
            Ok(())
        });
    }

    /// Adds a job for the rotations of short strings.
    pub(super) fn rotations_on_cpu<'r>(&'r self, jobs: &mut Vec<CheckJob<'r>>) {
        let comparison = Comparison::new().on_devices(self.engine);
        self.rotations(jobs, move |a, b| comparison.rotation(a, b));
    }

    fn rotations<'r>(&'r self, jobs: &mut Vec<CheckJob<'r>>, find: impl Fn(&[u8], &[u8]) -> Result<Rotation> + 'r) {
        self.two_strings("distance rotation".into(), 1, jobs, move |input| {
            let [a, b] = [&input.a, &input.b].map(|text| &text[..text.len().min(MAX_ROTATED)]);
            let found = find(a, b)?;
            let rotated = |start: usize| b[start..].iter().chain(&b[..start]);
            let distances = (0..b.len().max(1)).map(|start| oracle::distances(a.iter(), rotated(start)).pop());
            let want = distances.zip(0..).map(|(distance, start)| (distance.unwrap_or(0), start)).min();
            if Some((found.distance, found.start)) != want {
                return Err(self.wrong(format!("rotation: {a:?} and {b:?}: {found:?}, not {want:?}")));
            }
            Ok(())
        });
    }
}

/// The greatest score, and the first end in B, then in A, that has it. Without a positive score, it
/// is the empty overlap of the end of A and the start of B.
#[derive(Debug, PartialEq, Eq)]
struct BestEnd {
    score: i64,
    b: u64,
    a: u64,
}

impl BestEnd {
    /// Computes the scores of all overlaps: 2 for a match, -2 for a substitution, -3 for a symbol
    /// that only one part has.
    fn of(Input { a, b, .. }: &Input) -> Self {
        let mut ends = Vec::new();
        let mut row = vec![0i64; b.len() + 1];
        for (i, x) in (1..).zip(a) {
            let mut next = vec![0];
            for (j, y) in b.iter().enumerate() {
                let diagonal = row[j] + if x == y { 2 } else { -2 };
                next.push(diagonal.max(row[j + 1] - 3).max(next[j] - 3));
            }
            row = next;
            ends.push(BestEnd { score: row[b.len()], b: b.len() as u64, a: i });
        }
        ends.extend((0..).zip(row).map(|(b, score)| BestEnd { score, b, a: a.len() as u64 }));
        let positive = ends.into_iter().filter(|end| end.score > 0);
        let best = positive.min_by_key(|end| (-end.score, end.b, end.a));
        best.unwrap_or(BestEnd { score: 0, b: 0, a: a.len() as u64 })
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::caught;
    use super::*;

    #[test]
    fn wrong_overlaps_are_found_out() {
        let score = caught(|run, jobs| {
            run.overlaps(jobs, |input| {
                let overlap = Comparison::new().overlap(&input.a, &input.b)?;
                Ok(Overlap { score: overlap.score.saturating_sub(1), ..overlap })
            });
        });
        assert!(score.contains("overlap: "), "{score}");
        let start = caught(|run, jobs| {
            run.overlaps(jobs, |input| {
                let overlap = Comparison::new().overlap(&input.a, &input.b)?;
                let start = overlap.a.start.saturating_sub(1);
                Ok(Overlap { a: start..overlap.a.end, ..overlap })
            });
        });
        assert!(start.contains("with distance"), "{start}");
    }

    #[test]
    fn wrong_rotations_are_found_out() {
        let what = caught(|run, jobs| {
            run.rotations(jobs, |a, b| {
                let rotation = Comparison::new().rotation(a, b)?;
                Ok(Rotation { start: rotation.start.saturating_sub(1), ..rotation })
            });
        });
        assert!(what.contains("rotation: "), "{what}");
    }
}
