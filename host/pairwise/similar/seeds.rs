//! Seeds: contiguous parts of k symbols of B, and their occurrences in A.
//!
//! They give two things for every alignment: a guess of its path, along the seeds that occur once
//! ([`Guide`](super::guide::Guide)), and a lower bound on its cost. A seed costs an error, unless
//! the alignment matches it with an occurrence.

use super::packing::Packing;
use crate::threads;
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use rayon::slice::ParallelSlice;
use std::ops::Range;

/// Number of equal seeds that are examined one by one; more are assumed to occur everywhere.
const REPEATS: usize = 4;
/// Number of positions of A that are searched before the seeds found are counted: results take up
/// to 16 bytes a position.
const SCANNED: usize = 1 << 22;
/// Lower bound on the positions that a thread searches.
const MIN_SCANNED: usize = 1 << 16;
/// Marks an empty slot of the table, and the end of a list of equal seeds.
const NONE: u32 = u32::MAX;
/// Upper bound on the number of seeds: their numbers are less than [`NONE`].
pub(super) const MAX_SEEDS: usize = NONE as usize;

/// A range of diagonals (position in A minus position in B): the least and the greatest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Diagonals {
    pub(super) least: i64,
    pub(super) greatest: i64,
}

impl Diagonals {
    /// Diagonals of a seed that occurs everywhere.
    const ALL: Self = Self { least: i64::MIN, greatest: i64::MAX };
    /// No diagonals.
    pub(super) const NONE: Self = Self { least: i64::MAX, greatest: i64::MIN };

    /// Extends the range to a diagonal.
    pub(super) fn add(&mut self, diagonal: i64) {
        self.least = self.least.min(diagonal);
        self.greatest = self.greatest.max(diagonal);
    }
}

/// Occurrences of a seed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seed {
    /// Number of occurrences.
    pub(super) count: u32,
    /// Diagonals of the occurrences.
    pub(super) diagonals: Diagonals,
}

/// A position of A where seeds occur, with the first seed in the list of equal seeds.
struct Occurrence {
    seed: u32,
    position: usize,
}

/// Hash table of seeds with open addressing; equal seeds are in a list.
pub(super) struct SeedTable {
    packing: Packing,
    /// Number of each seed.
    keys: Vec<u64>,
    /// First seed of a list, for each slot.
    first: Vec<u32>,
    /// Next seed of its list, for each seed.
    next: Vec<u32>,
    /// Number of seeds after each seed in its list, at most 255.
    repeats: Vec<u8>,
    /// Number of bits of a hash that do not choose a slot.
    shift: u32,
    /// Most positions of A have no seed; a bit per hash shows this from the second-level cache.
    filter: Vec<u64>,
    /// Number of bits of a hash that do not choose a bit of the filter.
    filter_shift: u32,
}

fn hash(key: u64) -> u64 {
    key.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl SeedTable {
    /// Returns the seeds of B: its contiguous parts of k symbols.
    pub(super) fn new(b: &[u8], packing: Packing) -> Self {
        let k = packing.k;
        let pieces = b.par_chunks_exact(k).with_min_len(MIN_SCANNED / k);
        let keys: Vec<u64> = pieces.map(|seed| packing.key(seed)).collect();
        let count = keys.len();
        let slots = (2 * count).next_power_of_two();
        let filter_shift = 64 - (16 * count).next_power_of_two().trailing_zeros().clamp(6, 24);
        let mut table = Self {
            packing,
            keys,
            first: vec![NONE; slots],
            next: vec![NONE; count],
            repeats: vec![0; count],
            shift: 64 - slots.trailing_zeros(),
            filter: vec![0; 1 << (64 - filter_shift - 6)],
            filter_shift,
        };
        for seed in 0..count {
            if seed.is_multiple_of(threads::CHECK) {
                threads::check();
            }
            table.add(seed);
        }
        table
    }

    /// Adds a seed at the front of its list.
    fn add(&mut self, seed: usize) {
        let key = self.keys[seed];
        let slot = self.slot(key);
        let next = self.first[slot];
        self.next[seed] = next;
        if next != NONE {
            self.repeats[seed] = self.repeats[next as usize].saturating_add(1);
        }
        self.first[slot] = seed as u32;
        let bit = hash(key) >> self.filter_shift;
        self.filter[(bit / 64) as usize] |= 1 << (bit % 64);
    }

    /// Returns the slot with a key, or an empty one.
    #[inline(always)]
    fn slot(&self, key: u64) -> usize {
        let mut slot = (hash(key) >> self.shift) as usize;
        while self.first[slot] != NONE && self.keys[self.first[slot] as usize] != key {
            slot = (slot + 1) % self.first.len();
        }
        slot
    }

    /// Finds the occurrences at some positions of A.
    fn occurrences(&self, a: &[u8], positions: Range<usize>) -> Vec<Occurrence> {
        let k = self.packing.k;
        let mut found = Vec::new();
        let mut key = self.packing.key(&a[positions.start..positions.start + k - 1]);
        for position in positions {
            key = self.packing.push(key, a[position + k - 1]);
            let bit = hash(key) >> self.filter_shift;
            if self.filter[(bit / 64) as usize] >> (bit % 64) & 1 == 0 {
                continue;
            }
            let seed = self.first[self.slot(key)];
            if seed != NONE {
                found.push(Occurrence { seed, position });
            }
        }
        found
    }

    /// Counts the occurrences of all seeds in A.
    pub(super) fn count(&self, a: &[u8]) -> Vec<Seed> {
        let mut seeds = vec![Seed { count: 0, diagonals: Diagonals::NONE }; self.keys.len()];
        let positions = a.len() + 1 - self.packing.k;
        for start in (0..positions).step_by(SCANNED) {
            threads::check();
            let end = (start + SCANNED).min(positions);
            let each = (end - start).div_ceil(rayon::current_num_threads()).max(MIN_SCANNED);
            let pieces = (start..end).into_par_iter().step_by(each);
            let found: Vec<Vec<Occurrence>> =
                pieces.map(|from| self.occurrences(a, from..(from + each).min(end))).collect();
            for occurrence in found.iter().flatten() {
                self.add_occurrence(&mut seeds, occurrence);
            }
        }
        // The first seed of a long list represents all of them.
        for seed in (0..seeds.len()).rev() {
            let next = self.next[seed];
            if seeds[seed].diagonals == Diagonals::ALL && next != NONE {
                seeds[next as usize] = seeds[seed];
            }
        }
        seeds
    }

    /// Counts an occurrence for all seeds of its list; the first seed of a long list represents all
    /// of them.
    fn add_occurrence(&self, seeds: &mut [Seed], &Occurrence { mut seed, position }: &Occurrence) {
        if usize::from(self.repeats[seed as usize]) >= REPEATS {
            seeds[seed as usize] = Seed { count: 2, diagonals: Diagonals::ALL };
            return;
        }
        while seed != NONE {
            let Seed { count, diagonals } = &mut seeds[seed as usize];
            *count = count.saturating_add(1);
            diagonals.add(position as i64 - (seed as usize * self.packing.k) as i64);
            seed = self.next[seed as usize];
        }
    }
}

/// All seeds of B.
#[derive(Debug)]
pub(super) struct Seeds {
    /// Number of symbols of a seed.
    pub(super) k: usize,
    seeds: Vec<Seed>,
}

/// A point that an alignment passes: the numbers of symbols of A and of B before it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Point {
    pub(super) row: usize,
    pub(super) column: usize,
}

/// End of a chain.
struct End {
    /// Position in A of the last seed.
    position: i64,
    seed: usize,
}

impl Seeds {
    /// Chooses seeds so long that a random one rarely occurs by chance. There are none in strings
    /// too short for that or too long for their numbers.
    pub(super) fn new(a: &[u8], b: &[u8]) -> Self {
        let is_long = |k: usize| b.len() >= 4 * k && a.len() >= 4 * k && b.len() / k < MAX_SEEDS;
        match Packing::for_string(a).filter(|packing| is_long(packing.k)) {
            Some(packing) => Self { k: packing.k, seeds: SeedTable::new(b, packing).count(a) },
            None => Self { k: 1, seeds: Vec::new() },
        }
    }

    /// Returns the number of seeds.
    pub(super) fn len(&self) -> usize {
        self.seeds.len()
    }

    /// Counts the seeds in these columns that `counts` accepts.
    fn count(&self, columns: Range<usize>, counts: impl Fn(&Seed) -> bool) -> u64 {
        let seeds = columns.start.div_ceil(self.k)..columns.end / self.k;
        let seeds = self.seeds.get(seeds.start.min(seeds.end)..seeds.end.min(self.seeds.len())).unwrap_or_default();
        seeds.iter().filter(|seed| counts(seed)).count() as u64
    }

    /// Counts the seeds that begin in these columns and do not occur.
    pub(super) fn missing_from(&self, columns: Range<usize>) -> usize {
        let seeds = columns.start.div_ceil(self.k)..columns.end.div_ceil(self.k).min(self.seeds.len());
        self.seeds.get(seeds).unwrap_or_default().iter().filter(|seed| seed.count == 0).count()
    }

    /// Returns a lower bound on the errors of any alignment in these columns: the number of seeds
    /// that do not occur.
    pub(super) fn missing(&self, columns: Range<usize>) -> u64 {
        self.count(columns, |seed| seed.count == 0)
    }

    /// Returns a lower bound on the errors, in these columns, of an alignment that avoids some
    /// diagonals: the number of seeds that do not occur elsewhere.
    pub(super) fn missing_off(&self, columns: Range<usize>, diagonals: Diagonals) -> u64 {
        self.count(columns, |seed| {
            seed.count == 0 || diagonals.least <= seed.diagonals.least && seed.diagonals.greatest <= diagonals.greatest
        })
    }

    /// Estimates the error rate, if the guide is right, by the share of seeds that occur near it.
    pub(super) fn error_rate(&self, columns: Range<usize>, diagonals: Diagonals) -> f64 {
        let all = self.count(columns.clone(), |_| true);
        let near = self.count(columns, |seed| {
            seed.count > 0 && seed.diagonals.least <= diagonals.greatest && diagonals.least <= seed.diagonals.greatest
        });
        if all == 0 { 1.0 } else { 1.0 - (near as f64 / all as f64).powf(1.0 / self.k as f64) }
    }

    /// Returns the longest chain of seeds that occur once, ascending in both strings.
    pub(super) fn chain(&self) -> Vec<Point> {
        // The longest increasing subsequence by patience sorting: for each length, the chain with
        // the least end.
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
