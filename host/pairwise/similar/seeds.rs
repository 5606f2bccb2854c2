//! Seeds: parts of k symbols of B, side by side, and where they occur in A.
//!
//! They give two things for every alignment. One is a guess of its path: along the seeds that occur once
//! ([`Guide`](super::guide::Guide)). The other is a lower bound of its cost: a seed costs an error, unless the alignment matches it with
//! an occurrence.

use super::packing::Packing;
use super::seed_table::{Diagonals, MOST_SEEDS, Seed, SeedTable};
use crate::threads;
use std::ops::Range;

/// All seeds of B.
#[derive(Debug)]
pub(super) struct Seeds {
    /// Symbols of a seed.
    pub(super) k: usize,
    seeds: Vec<Seed>,
}

/// A point that an alignment passes: the numbers of symbols of A and of B before it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Point {
    pub(super) row: usize,
    pub(super) column: usize,
}

/// The end of a chain.
struct End {
    /// The last seed's position in A.
    position: i64,
    seed: usize,
}

impl Seeds {
    /// Seeds so long that a random one hardly occurs by chance; none in strings too short for that or too long for their numbers.
    pub(super) fn new(a: &[u8], b: &[u8]) -> Self {
        let is_long = |k: usize| b.len() >= 4 * k && a.len() >= 4 * k && b.len() / k < MOST_SEEDS;
        match Packing::for_string(a).filter(|packing| is_long(packing.k)) {
            Some(packing) => Self { k: packing.k, seeds: SeedTable::new(b, packing).count(a) },
            None => Self { k: 1, seeds: Vec::new() },
        }
    }

    /// The number of occurrences.
    pub(super) fn len(&self) -> usize {
        self.seeds.len()
    }

    /// Counts the seeds in these columns that `counts` accepts.
    fn count(&self, columns: Range<usize>, counts: impl Fn(&Seed) -> bool) -> u64 {
        let seeds = columns.start.div_ceil(self.k)..columns.end / self.k;
        let seeds = self.seeds.get(seeds.start.min(seeds.end)..seeds.end.min(self.seeds.len())).unwrap_or_default();
        seeds.iter().filter(|seed| counts(seed)).count() as u64
    }

    /// Seeds that begin in these columns and do not occur at all.
    pub(super) fn missing_from(&self, columns: Range<usize>) -> usize {
        let seeds = columns.start.div_ceil(self.k)..columns.end.div_ceil(self.k).min(self.seeds.len());
        self.seeds.get(seeds).unwrap_or_default().iter().filter(|seed| seed.count == 0).count()
    }

    /// Errors at least of any alignment in these columns: seeds that do not occur at all.
    pub(super) fn missing(&self, columns: Range<usize>) -> u64 {
        self.count(columns, |seed| seed.count == 0)
    }

    /// Errors at least, in these columns, of an alignment that keeps off some diagonals: seeds that do not occur elsewhere.
    pub(super) fn missing_off(&self, columns: Range<usize>, diagonals: Diagonals) -> u64 {
        self.count(columns, |seed| {
            seed.count == 0 || diagonals.least <= seed.diagonals.least && seed.diagonals.greatest <= diagonals.greatest
        })
    }

    /// A guess of the error rate, if the guide is right: by the share of seeds that occur near it.
    pub(super) fn error_rate(&self, columns: Range<usize>, diagonals: Diagonals) -> f64 {
        let all = self.count(columns.clone(), |_| true);
        let near = self.count(columns, |seed| {
            seed.count > 0 && seed.diagonals.least <= diagonals.greatest && diagonals.least <= seed.diagonals.greatest
        });
        if all == 0 { 1.0 } else { 1.0 - (near as f64 / all as f64).powf(1.0 / self.k as f64) }
    }

    /// The longest chain of seeds that occur once, ascending in both strings.
    pub(super) fn chain(&self) -> Vec<Point> {
        // The longest increasing subsequence by patience: of each length the chain with the least end.
        let mut ends: Vec<End> = Vec::new();
        let mut before = vec![usize::MAX; self.seeds.len()];
        for (s, seed) in self.seeds.iter().enumerate().filter(|(_, seed)| seed.count == 1) {
            if s.is_multiple_of(threads::CHECK) {
                threads::check();
            }
            let position = seed.diagonals.least + (s * self.k) as i64;
            let at = match ends.last() {
                Some(last) if last.position >= position => ends.partition_point(|end| end.position < position),
                _ => ends.len(),
            };
            if at > 0 {
                before[s] = ends[at - 1].seed;
            }
            if at == ends.len() {
                ends.push(End { position, seed: s });
            } else {
                ends[at] = End { position, seed: s };
            }
        }
        let mut chain = Vec::with_capacity(ends.len());
        let mut last = ends.last().map_or(usize::MAX, |end| end.seed);
        while last != usize::MAX {
            let column = last * self.k;
            chain.push(Point { row: (self.seeds[last].diagonals.least + column as i64) as usize, column });
            last = before[last];
        }
        chain.reverse();
        chain
    }
}
