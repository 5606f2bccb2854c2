//! Seeds: parts of k symbols of B, side by side, and where they occur in A.
//!
//! They say two things of every alignment. Where it goes, as a guess: along the seeds that occur once ([`Guide`]). And what it costs at
//! least: a seed costs an error, unless the alignment matches it with an occurrence.

use crate::threads;
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use rayon::slice::ParallelSlice;
use std::ops::Range;

/// Seeds with the same symbols that are looked at one by one; more are taken to occur everywhere.
const REPEATS: usize = 4;
/// One seed in so many has to have its place on the guide: at 25 % of errors one in 40 has.
const LEAST_CHAINED: usize = 50;
/// Positions of A that are searched for seeds before these are counted: what is found takes up to 16 bytes a position.
const SCANNED: usize = 1 << 22;
/// Positions that a thread searches at least.
const LEAST_SCANNED: usize = 1 << 16;
/// Places at which symbols are counted.
const SAMPLE: usize = 1 << 14;
/// The diagonals of a seed that occurs everywhere.
const EVERYWHERE: (i64, i64) = (i64::MIN, i64::MAX);

/// A seed's occurrences.
#[derive(Debug, Clone, Copy)]
struct Seed {
    /// How many there are.
    count: u32,
    /// Least and greatest diagonal, position in A less position in B.
    diagonals: (i64, i64),
}

/// All seeds of B.
#[derive(Debug)]
pub(super) struct Seeds {
    /// Symbols of a seed.
    k: usize,
    seeds: Vec<Seed>,
}

/// A slot of the table that is empty, and the end of a list of equal seeds.
const NONE: u32 = u32::MAX;

impl Seeds {
    /// Seeds so long that a random one hardly occurs by chance; none in strings too short for that or too long for their numbers.
    pub(super) fn new(a: &[u8], b: &[u8]) -> Self {
        let counts = counts(a.iter());
        let (code, bits) = packed_codes(&counts);
        let k = length(a.len(), &counts, bits);
        let none = Self { k: 1, seeds: Vec::new() };
        if k == 0 || b.len() < 4 * k || a.len() < 4 * k || b.len() / k >= NONE as usize {
            return none;
        }
        let mask = u64::MAX >> (64 - k as u32 * bits);
        let push = |key: u64, symbol: u8| (key << bits | u64::from(code[usize::from(symbol)])) & mask;
        let count = b.len() / k;
        // Open addressing by hash; equal seeds are in a list.
        let slots = (2 * count).next_power_of_two();
        let shift = 64 - slots.trailing_zeros();
        let hash = |key: u64| key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut first = vec![NONE; slots];
        let mut next = vec![NONE; count];
        let key_of = |seed: &[u8]| seed.iter().fold(0, |key, &symbol| push(key, symbol));
        let keys: Vec<u64> = b.par_chunks_exact(k).with_min_len(LEAST_SCANNED / k).map(key_of).collect();
        // Most positions of A are no seed's: a bit a hash says so from the second-level cache.
        let filter_shift = 64 - (16 * count).next_power_of_two().trailing_zeros().clamp(6, 24);
        let mut filter = vec![0u64; 1 << (64 - filter_shift - 6)];
        let slot_of = |first: &[u32], key: u64| {
            let mut slot = (hash(key) >> shift) as usize;
            while first[slot] != NONE && keys[first[slot] as usize] != key {
                slot = (slot + 1) % slots;
            }
            slot
        };
        let mut repeats = vec![0u8; count];
        for (seed, &key) in keys.iter().enumerate() {
            if seed.is_multiple_of(threads::CHECK) {
                threads::check();
            }
            let slot = slot_of(&first, key);
            next[seed] = first[slot];
            if first[slot] != NONE {
                repeats[seed] = repeats[first[slot] as usize].saturating_add(1);
            }
            first[slot] = seed as u32;
            let bit = hash(key) >> filter_shift;
            filter[(bit / 64) as usize] |= 1 << (bit % 64);
        }
        // The seeds that occur at some positions: of equal ones the first of their list.
        let occurrences = |positions: Range<usize>| {
            let mut found: Vec<(u32, usize)> = Vec::new();
            let mut key = key_of(&a[positions.start..positions.start + k - 1]);
            for i in positions {
                key = push(key, a[i + k - 1]);
                let bit = hash(key) >> filter_shift;
                if filter[(bit / 64) as usize] >> (bit % 64) & 1 == 0 {
                    continue;
                }
                let seed = first[slot_of(&first, key)];
                if seed != NONE {
                    found.push((seed, i));
                }
            }
            found
        };
        let mut seeds = vec![Seed { count: 0, diagonals: (i64::MAX, i64::MIN) }; count];
        let positions = a.len() + 1 - k;
        for start in (0..positions).step_by(SCANNED) {
            threads::check();
            let end = (start + SCANNED).min(positions);
            let each = (end - start).div_ceil(rayon::current_num_threads()).max(LEAST_SCANNED);
            let pieces =
                (start..end).into_par_iter().step_by(each).map(|from| occurrences(from..(from + each).min(end)));
            let found: Vec<Vec<(u32, usize)>> = pieces.collect();
            for (mut seed, i) in found.into_iter().flatten() {
                if usize::from(repeats[seed as usize]) >= REPEATS {
                    // The list's first seed stands for all of them.
                    seeds[seed as usize] = Seed { count: 2, diagonals: EVERYWHERE };
                    continue;
                }
                while seed != NONE {
                    let diagonal = i as i64 - (seed as usize * k) as i64;
                    let Seed { count, diagonals: (least, greatest) } = &mut seeds[seed as usize];
                    *count = count.saturating_add(1);
                    (*least, *greatest) = ((*least).min(diagonal), (*greatest).max(diagonal));
                    seed = next[seed as usize];
                }
            }
        }
        // What the first of a long list stood for.
        for seed in (0..count).rev() {
            if seeds[seed].diagonals == EVERYWHERE && next[seed] != NONE {
                seeds[next[seed] as usize] = seeds[seed];
            }
        }
        Self { k, seeds }
    }

    /// Seeds that begin in these columns and end in them, of which `counts` is true.
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
    pub(super) fn missing_off(&self, columns: Range<usize>, diagonals: (i64, i64)) -> u64 {
        self.count(columns, |seed| {
            seed.count == 0 || diagonals.0 <= seed.diagonals.0 && seed.diagonals.1 <= diagonals.1
        })
    }

    /// How many errors a symbol has, as a guess, where the guide is right: from how many seeds occur near it.
    pub(super) fn error_rate(&self, columns: Range<usize>, diagonals: (i64, i64)) -> f64 {
        let all = self.count(columns.clone(), |_| true);
        let near = self.count(columns, |seed| {
            seed.count > 0 && seed.diagonals.0 <= diagonals.1 && diagonals.0 <= seed.diagonals.1
        });
        if all == 0 { 1.0 } else { 1.0 - (near as f64 / all as f64).powf(1.0 / self.k as f64) }
    }

    /// The longest chain of seeds that occur once, ascending in both strings: pairs of positions in A and B.
    fn chain(&self) -> Vec<(usize, usize)> {
        // The longest increasing subsequence by patience: of each length the chain with the least end.
        let mut ends: Vec<(i64, usize)> = Vec::new();
        let mut before = vec![usize::MAX; self.seeds.len()];
        for (s, seed) in self.seeds.iter().enumerate().filter(|(_, seed)| seed.count == 1) {
            if s.is_multiple_of(threads::CHECK) {
                threads::check();
            }
            let i = seed.diagonals.0 + (s * self.k) as i64;
            let at = match ends.last() {
                Some(&(end, _)) if end >= i => ends.partition_point(|&(end, _)| end < i),
                _ => ends.len(),
            };
            if at > 0 {
                before[s] = ends[at - 1].1;
            }
            if at == ends.len() {
                ends.push((i, s));
            } else {
                ends[at] = (i, s);
            }
        }
        let mut chain = Vec::with_capacity(ends.len());
        let mut last = ends.last().map_or(usize::MAX, |&(_, s)| s);
        while last != usize::MAX {
            let j = last * self.k;
            chain.push(((self.seeds[last].diagonals.0 + j as i64) as usize, j));
            last = before[last];
        }
        chain.reverse();
        chain
    }
}

/// How often each symbol occurs, in about so many places.
fn counts<'s>(symbols: impl ExactSizeIterator<Item = &'s u8>) -> [usize; 256] {
    let mut counts = [0; 256];
    let step = (symbols.len() / SAMPLE).max(1);
    symbols.step_by(step).for_each(|&symbol| counts[usize::from(symbol)] += 1);
    counts
}

/// Small codes for symbols, and their bits. Symbols that differ may have one code: then a seed seems to occur where it does not, which makes
/// no bound wrong. So may rare ones, an N in DNA perhaps, that are not worth a bit.
fn packed_codes(counts: &[usize; 256]) -> ([u8; 256], u32) {
    let all: usize = counts.iter().sum();
    let mut order: Vec<usize> = (0..256).collect();
    order.sort_by_key(|&symbol| std::cmp::Reverse(counts[symbol]));
    let common = counts.iter().filter(|&&count| count > all / 200).count().max(2);
    let bits = (common - 1).ilog2() + 1;
    let mut code = [0; 256];
    for (rank, &symbol) in order.iter().enumerate() {
        code[symbol] = (rank % (1 << bits)) as u8;
    }
    (code, bits)
}

/// Symbols of a seed, so many that a random one occurs by chance in one of some ten strings of this length; 0 where nothing distinguishes
/// the places of the string.
fn length(symbols: usize, counts: &[usize; 256], bits: u32) -> usize {
    let all: usize = counts.iter().sum();
    let share = |count: usize| count as f64 / all as f64;
    // The information of a symbol.
    let entropy: f64 =
        counts.iter().filter(|&&count| count > 0).map(|&count| -share(count) * share(count).log2()).sum();
    if entropy < 0.1 {
        return 0;
    }
    let length = ((symbols as f64).log2() / entropy.min(f64::from(bits))).ceil() as usize + 3;
    length.min(64 / bits as usize)
}

/// Where an alignment goes, as a guess: points that it passes, ascending in both strings, from the first corner of the table to the last.
#[derive(Debug)]
pub(super) struct Guide {
    /// Rows and columns.
    points: Vec<(usize, usize)>,
}

impl Guide {
    /// Along the seeds; straight ahead where there are none, in short strings. None if hardly any seed has a place: then it would go anywhere.
    pub(super) fn new(seeds: &Seeds, m: usize, n: usize) -> Option<Self> {
        let chain = seeds.chain();
        if chain.len() * LEAST_CHAINED < seeds.seeds.len() {
            return None;
        }
        let points = [(0, 0)].into_iter().chain(chain).chain([(m, n)]).collect();
        Some(Self { points })
    }

    /// A guess of the errors in all of so many columns: from how many seeds are on it.
    pub(super) fn errors(&self, seeds: &Seeds, columns: usize) -> u64 {
        let on_it = (self.points.len() - 2) as f64 / seeds.seeds.len() as f64;
        ((1.0 - on_it.powf(1.0 / seeds.k as f64)) * columns as f64) as u64
    }

    /// Of the columns at multiples of `step`, up to and with the last column, the rows between which the alignment should pass; for
    /// each of the stretches between them also the diagonals (row less column).
    pub(super) fn stretches(&self, step: usize) -> Vec<Stretch> {
        let n = self.points.last().map_or(0, |point| point.1);
        let mut stretches = Vec::with_capacity(n.div_ceil(step));
        let mut at = 0;
        for start in (0..n).step_by(step) {
            let end = (start + step).min(n);
            while at + 2 < self.points.len() && self.points[at + 1].1 < start {
                at += 1;
            }
            let (least, _) = self.rows(at, start);
            let mut diagonals = (i64::MAX, i64::MIN);
            let mut see = |rows: (usize, usize), column: usize| {
                diagonals.0 = diagonals.0.min(rows.0 as i64 - column as i64);
                diagonals.1 = diagonals.1.max(rows.1 as i64 - column as i64);
            };
            see(self.rows(at, start), start);
            while at + 2 < self.points.len() && self.points[at + 1].1 <= end {
                at += 1;
                let (row, column) = self.points[at];
                see((row, row), column);
            }
            let (_, greatest) = self.rows(at, end);
            see(self.rows(at, end), end);
            stretches.push(Stretch { columns: start..end, rows: (least, greatest), diagonals });
        }
        stretches
    }

    /// The rows at a column between a point and the next: between the diagonals of both.
    fn rows(&self, at: usize, column: usize) -> (usize, usize) {
        let (row, start) = self.points[at];
        let (end_row, end) = self.points[at + 1];
        let column = column.clamp(start, end);
        let (down, up) = (row + (column - start), end_row.saturating_sub(end - column));
        (down.min(up).clamp(row, end_row), down.max(up).clamp(row, end_row))
    }
}

/// Some columns, and where the guide passes them.
#[derive(Debug, Clone)]
pub(super) struct Stretch {
    pub(super) columns: Range<usize>,
    /// From the first row at the first column to the last row at the last.
    pub(super) rows: (usize, usize),
    /// Least and greatest diagonal, row less column.
    pub(super) diagonals: (i64, i64),
}
