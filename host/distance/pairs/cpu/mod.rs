//! Distances of many pairs on the processor.
//!
//! | file | what | cells a step |
//! |---|---|---|
//! | `bit_pairs` | as many tables at once as a vector has bits | 512 (AVX-512) or 256 (AVX2) in 5 instructions, LCS 2 |
//! | `words` | one table, 64 rows to a word | 64 in 17 instructions, LCS 6 |
//! | `strips` | one long table, a strip of rows to each bit of a vector | 512 in 5 instructions, LCS 2, and log₂ σ |
//! | `recurrence` | what `bit_pairs` does to a cell: Levenshtein, LCS | |
//! | `counter` | a number for each bit of a vector | |
//! | `symbols` | strings as bit planes, one a lane | |
//!
//! Pairs are taken together whose lengths are alike, as all tables of a group take the time of the longest. What a group takes in each
//! way is estimated, and the fastest way taken: so few pairs, or pairs of which each is of another length, go one by one.
#![cfg_attr(
    not(target_arch = "x86_64"),
    allow(dead_code, unused_variables, unreachable_code, reason = "there are lanes on x86-64 alone")
)]

mod bit_pairs;
mod counter;
mod recurrence;
#[cfg(target_arch = "x86_64")]
mod strips;
mod symbols;
pub(crate) mod words;

use super::{ABOVE, Cost};
use crate::cpu::planes::planes;
#[cfg(target_arch = "x86_64")]
use crate::cpu::short::trimmed;
use crate::cpu::vector::Lanes;
use crate::error::Result;
use crate::memory;
use bit_pairs::Asked;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use symbols::Alphabet;

/// Pairs of a list that are sorted by length at a time.
const LISTED: usize = 1 << 18;
/// Rows that one thread takes against a group of columns: enough that preparing the group does not show.
const ROWS: usize = 256;
/// Cells after which the caller is told how far a job is, about: less than a second.
const TOLD_CELLS: u64 = 1 << 36;
/// The least part of a vector's lanes which a group of columns should fill: below, words are as fast.
const FILLED: f64 = 0.06;

/// Takes a pair's number and distance.
type Put<'f> = &'f (dyn Fn(usize, u32) + Sync);
/// Takes a row's number, those of some columns, and the row's distances to these.
type PutRow<'f> = &'f (dyn Fn(usize, &[usize], &[u32]) + Sync);

/// Cells of a table below which words are faster than strips, or as fast.
const STRIPS_CELLS: u64 = 1 << 18;
/// Pairs fewer than these go one by one.
const FEW: usize = 8;
/// Symbols of a string that tell how large the alphabet is, for estimates.
const SAMPLE: usize = 512;

/// Clock cycles: of preparing a group, of a string's symbol in it, and of a cell by words. Measured on Sapphire Rapids and Zen.
const GROUP_CYCLES: f64 = 20_000.0;
const SYMBOL_CYCLES: f64 = 0.25;
const WORD_CELL_CYCLES: f64 = 0.125;
const WORD_LCS_CELL_CYCLES: f64 = 0.055;
/// Of a vector of cells where the tables have a row string in common; of the LCS half as many.
const SHARED_CELL_CYCLES: f64 = 2.6;
/// Of a short string's table, and of each of its columns.
const SHORT_CYCLES: f64 = 40.0;
const SHORT_COLUMN_CYCLES: f64 = 9.0;

/// Calls a function of `bit_pairs` with the token of the lanes' instruction set.
macro_rules! with_isa {
    ($lanes:expr, $isa:ident => $call:expr) => {
        match $lanes {
            #[cfg(target_arch = "x86_64")]
            Lanes::Avx512($isa) => $call,
            #[cfg(target_arch = "x86_64")]
            Lanes::Avx2($isa) => $call,
            #[cfg(test)]
            Lanes::Plain($isa) => $call,
        }
    };
}

/// Many pairs on the threads of the rayon pool that it is called from.
#[derive(Clone, Copy)]
pub(super) struct CpuPairs<'p> {
    lanes: Option<Lanes>,
    cost: Cost,
    maximum: Option<u32>,
    /// Called with the number of cells done since its last call.
    progress: &'p (dyn Fn(u64) + Sync),
}

impl<'p> CpuPairs<'p> {
    pub(super) fn new(cost: Cost, maximum: Option<u32>, progress: &'p (dyn Fn(u64) + Sync)) -> Self {
        Self { lanes: Lanes::widest(), cost, maximum, progress }
    }

    /// Tells of cells that need not be computed.
    pub(super) fn left_out(&self, cells: u64) {
        (self.progress)(cells);
    }

    /// The results that are wanted of a group of pairs.
    fn asked(&self) -> Asked<'_> {
        Asked { maximum: self.maximum, progress: self.progress }
    }

    /// The pairs' distances in order, [`ABOVE`] where they are above the maximum.
    pub(super) fn listed(&self, pairs: &[[&[u8]; 2]]) -> Result<Vec<u32>> {
        memory::check::<u32>(pairs.len(), "the distances")?;
        let mut distances = Vec::with_capacity(pairs.len());
        for pairs in pairs.chunks(LISTED) {
            let chunk: Vec<AtomicU32> = pairs.iter().map(|_| AtomicU32::new(ABOVE)).collect();
            self.in_groups(pairs, &|pair, distance| chunk[pair].store(distance, Ordering::Relaxed));
            distances.extend(chunk.into_iter().map(AtomicU32::into_inner));
        }
        Ok(distances)
    }

    /// Sorts pairs by their lengths, and calls `put` with the number and the distance of those whose lengths do not differ too much.
    fn in_groups(&self, pairs: &[[&[u8]; 2]], put: Put<'_>) {
        let most = self.maximum.unwrap_or(ABOVE) as usize;
        // (m, n, number)
        let all = pairs.iter().enumerate().map(|(number, [a, b])| (a.len(), b.len(), number));
        let mut order: Vec<(usize, usize, usize)> = all.filter(|(m, n, _)| m.abs_diff(*n) <= most).collect();
        let size = self.lanes.map_or(64, |lanes| 64 * lanes.words());
        // As many slabs by one length as each has groups by the other.
        let slab = ((order.len().div_ceil(size) as f64).sqrt().ceil() as usize).max(1) * size;
        order.par_sort_unstable();
        order.par_chunks_mut(slab).for_each(|slab| {
            slab.sort_unstable_by_key(|&(m, n, number)| (n, m, number));
            slab.par_chunks(size).for_each(|group| self.group(pairs, group, put));
        });
        let left_out: u64 = pairs.iter().map(cells).sum::<u64>()
            - order.iter().map(|&(m, n, _)| (m as u64).saturating_mul(n as u64)).sum::<u64>();
        (self.progress)(left_out);
    }

    /// Pairs of like lengths, no more than there are lanes.
    fn group(&self, pairs: &[[&[u8]; 2]], group: &[(usize, usize, usize)], put: Put<'_>) {
        let together = |lanes: &Lanes| {
            // Pairs of one list have about the same symbols.
            let symbols = group.first().map_or(0, |&(_, _, number)| symbols_of(pairs[number]));
            let one_by_one = group.iter().map(|&(m, n, _)| self.pair_cycles([m, n], symbols)).sum();
            self.lanes_cycles(*lanes, group, symbols) < one_by_one
        };
        match self.lanes.filter(|lanes| group.len() >= FEW && together(lanes)) {
            Some(lanes) => {
                let own: Vec<[&[u8]; 2]> = group.iter().map(|&(_, _, number)| pairs[number]).collect();
                let mut distances = vec![ABOVE; own.len()];
                with_isa!(lanes, isa => bit_pairs::listed(isa, &own, self.cost, self.asked(), &mut distances));
                for (&(_, _, number), distance) in group.iter().zip(distances) {
                    put(number, distance);
                }
                (self.progress)(own.iter().map(cells).sum());
            }
            None => {
                // Long pairs are shared out one by one.
                let all: u64 = group.iter().map(|&(_, _, number)| cells(&pairs[number])).sum();
                let together = if all > 1 << 22 { 1 } else { group.len().max(1) };
                // Several threads take one pair only where there are fewer pairs than threads.
                let threads = if group.len() < rayon::current_num_threads() { rayon::current_num_threads() } else { 1 };
                group.par_chunks(together).for_each(|part| {
                    let all: u64 = part.iter().map(|&(_, _, number)| cells(&pairs[number])).sum();
                    let done = AtomicU64::new(0);
                    let progress = |cells| {
                        done.fetch_add(cells, Ordering::Relaxed);
                        (self.progress)(cells);
                    };
                    for &(_, _, number) in part {
                        put(number, self.distance(pairs[number], threads, &progress));
                    }
                    (self.progress)(all - done.into_inner());
                });
            }
        }
    }

    /// The distance of a pair by itself. `progress` may be called, with no more cells than there are.
    fn distance(&self, [a, b]: [&[u8]; 2], threads: usize, progress: &(dyn Fn(u64) + Sync)) -> u32 {
        #[cfg(target_arch = "x86_64")]
        if cells(&[a, b]) >= STRIPS_CELLS
            && let Some(lanes) = self.lanes
        {
            let (a, b, _) = trimmed(a, b);
            let size = [a.len(), b.len()];
            if cells(&[a, b]) >= STRIPS_CELLS
                && strips::cycles(lanes, size, symbols_of([a, b]), self.cost, threads) < self.words_cycles(size)
            {
                let distance = strips::distance(lanes, [a, b], self.cost, threads, progress);
                let known = |distance: &u32| self.maximum.is_none_or(|maximum| *distance <= maximum);
                return u32::try_from(distance).ok().filter(known).unwrap_or(ABOVE);
            }
        }
        words::distance(a, b, self.cost, self.maximum)
    }

    /// About how many clock cycles a pair of so many symbols takes by itself.
    fn pair_cycles(&self, [m, n]: [usize; 2], symbols: usize) -> f64 {
        let words = self.words_cycles([m, n]);
        #[cfg(target_arch = "x86_64")]
        if let Some(lanes) = self.lanes
            && (m as u64).saturating_mul(n as u64) >= STRIPS_CELLS
        {
            return words.min(strips::cycles(lanes, [m, n], symbols, self.cost, 1));
        }
        words
    }

    /// About how many clock cycles a group takes in lanes whose strings have an alphabet of this size.
    fn lanes_cycles(&self, lanes: Lanes, group: &[(usize, usize, usize)], alphabet: usize) -> f64 {
        let m = group.iter().map(|pair| pair.0).max().unwrap_or(0) as f64;
        let n = group.iter().map(|pair| pair.1).max().unwrap_or(0) as f64;
        let symbols: f64 = group.iter().map(|pair| (pair.0 + pair.1) as f64).sum();
        let width = self.maximum.map_or(m, |k| m.min(f64::from(k) + 24.0));
        let planes = planes(alphabet) as f64;
        // Two instructions a cycle; those of AVX2 are more, of two operands. Measured with AVX2 (Zen), and 2 and 6 planes.
        let cell = match (self.cost, lanes.words() == 8) {
            (Cost::Levenshtein, true) => 2.5 + planes / 2.0,
            (Cost::Levenshtein, false) => 2.0 + planes,
            (Cost::Indel, true) => 1.0 + planes / 2.0,
            (Cost::Indel, false) => planes,
        };
        GROUP_CYCLES + SYMBOL_CYCLES * symbols + width * n * cell
    }

    /// About how many clock cycles a pair takes by words.
    fn words_cycles(&self, [m, n]: [usize; 2]) -> f64 {
        let (short, long) = (m.min(n), m.max(n));
        if long <= 64 {
            return SHORT_CYCLES + SHORT_COLUMN_CYCLES * short as f64;
        }
        if short <= 64 {
            return SHORT_CYCLES + SHORT_COLUMN_CYCLES * long as f64;
        }
        let width = self.maximum.map_or(short, |k| short.min(k as usize + 128));
        let cell = match self.cost {
            Cost::Levenshtein => WORD_CELL_CYCLES,
            Cost::Indel => WORD_LCS_CELL_CYCLES,
        };
        1000.0 + cell * width as f64 * long as f64
    }

    /// The distances of all rows to all columns. `put` is called, from any thread, with a row, some columns, and the row's distances to
    /// these; each pair comes once, in any order.
    pub(super) fn tile(&self, rows: &[&[u8]], columns: &[&[u8]], put: PutRow<'_>) {
        let filled =
            |strings: usize, lanes: Lanes| strings as f64 / strings.next_multiple_of(64 * lanes.words()).max(1) as f64;
        // A cell takes about twice the instructions where each lane has two strings of its own.
        let least = |lanes| (filled(rows.len().saturating_mul(columns.len()), lanes) / 2.0).max(FILLED);
        match self.lanes.filter(|&lanes| !self.strips_pay(lanes, rows, columns)) {
            Some(lanes) if filled(columns.len(), lanes) >= filled(rows.len(), lanes).max(least(lanes)) => {
                self.in_lanes(lanes, rows, columns, put);
            }
            Some(lanes) if filled(rows.len(), lanes) >= least(lanes) => {
                self.in_lanes(lanes, columns, rows, &|column, rows, distances| {
                    for (&row, distance) in rows.iter().zip(distances) {
                        put(row, &[column], std::slice::from_ref(distance));
                    }
                });
            }
            _ => {
                let pairs: Vec<[&[u8]; 2]> =
                    rows.iter().flat_map(|&row| columns.iter().map(move |&column| [row, column])).collect();
                self.in_groups(&pairs, &|pair, distance| {
                    put(pair / columns.len(), &[pair % columns.len()], &[distance]);
                });
            }
        }
    }

    /// Whether strings are so long and so few that a table by itself is faster than one in each lane.
    fn strips_pay(&self, lanes: Lanes, rows: &[&[u8]], columns: &[&[u8]]) -> bool {
        let mean = |list: &[&[u8]]| list.iter().map(|string| string.len()).sum::<usize>() / list.len().max(1);
        let (m, n) = (mean(rows), mean(columns));
        let (Some(row), Some(column)) = (rows.first(), columns.first()) else { return false };
        if (m as u64).saturating_mul(n as u64) < STRIPS_CELLS {
            return false;
        }
        let cell = match self.cost {
            Cost::Levenshtein => SHARED_CELL_CYCLES,
            Cost::Indel => SHARED_CELL_CYCLES / 2.0,
        };
        let operands = if lanes.words() == 8 { 1.0 } else { 1.5 };
        let width = self.maximum.map_or(m as f64, |k| (m as f64).min(f64::from(k) + 24.0));
        let (few, many) = (rows.len().min(columns.len()), rows.len().max(columns.len()));
        let shared = (few * many.div_ceil(64 * lanes.words())) as f64 * width * n as f64 * cell * operands;
        (few * many) as f64 * self.pair_cycles([m, n], symbols_of([row, column])) < shared
    }

    /// The same with each column's string in a lane of its own.
    fn in_lanes(&self, lanes: Lanes, rows: &[&[u8]], columns: &[&[u8]], put: PutRow<'_>) {
        let sorted = |strings: &[&[u8]]| -> Vec<usize> {
            let mut order: Vec<usize> = (0..strings.len()).collect();
            order.par_sort_by_key(|&string| strings[string].len());
            order
        };
        let (row_order, column_order) = (sorted(rows), sorted(columns));
        let groups = column_order.par_chunks(64 * lanes.words());
        groups.for_each(|group| {
            let texts: Vec<&[u8]> = group.iter().map(|&column| columns[column]).collect();
            let symbols: u64 = texts.iter().map(|text| text.len() as u64).sum();
            // Long strings in smaller parts, so that it is told how far the job is.
            let mean = rows.iter().map(|row| row.len() as u64).sum::<u64>() / rows.len().max(1) as u64;
            let most = TOLD_CELLS / symbols.saturating_mul(mean).max(1);
            row_order.par_chunks(ROWS.min(most.max(1) as usize)).for_each(|order| {
                // A caller that wants the job to end unwinds here, before the work of each part.
                (self.progress)(0);
                let patterns: Vec<&[u8]> = order.iter().map(|&row| rows[row]).collect();
                with_isa!(lanes, isa => bit_pairs::shared(
                    isa,
                    &patterns,
                    &texts,
                    self.cost,
                    self.asked(),
                    &mut |pattern, distances| put(order[pattern], group, distances),
                ));
                (self.progress)(patterns.iter().map(|pattern| (pattern.len() as u64).saturating_mul(symbols)).sum());
            });
        });
    }
}

/// How many symbols the longer string of a pair has, by its first ones.
fn symbols_of([a, b]: [&[u8]; 2]) -> usize {
    let long = if a.len() >= b.len() { a } else { b };
    let mut alphabet = Alphabet::new();
    alphabet.add(&long[..long.len().min(SAMPLE)]);
    alphabet.symbols().count()
}

fn cells([a, b]: &[&[u8]; 2]) -> u64 {
    (a.len() as u64).saturating_mul(b.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distance::pairs::engines::PairEngine;
    use crate::distance::pairs::naive::{self, ALPHABETS, COSTS, LENGTHS};

    /// Pairs of random strings and of similar ones.
    fn pairs(random: &mut fastrand::Rng, count: usize, lengths: &[usize], symbols: usize) -> Vec<[Vec<u8>; 2]> {
        let length = |random: &mut fastrand::Rng| lengths[random.usize(..lengths.len())];
        let pair = |_| {
            let m = length(random);
            let a = naive::random(random, m, symbols);
            let b = if random.bool() {
                let edits = random.usize(..12);
                naive::edited(random, &a, edits, symbols)
            } else {
                let n = length(random);
                naive::random(random, n, symbols)
            };
            [a, b]
        };
        (0..count).map(pair).collect()
    }

    fn borrowed(pairs: &[[Vec<u8>; 2]]) -> Vec<[&[u8]; 2]> {
        pairs.iter().map(|[a, b]| [&a[..], &b[..]]).collect()
    }

    /// `bit_pairs` itself, whatever would be chosen.
    #[test]
    fn groups_of_all_sizes() {
        let mut random = fastrand::Rng::with_seed(1);
        for lanes in Lanes::all() {
            let count = 64 * lanes.words();
            for (i, size) in [1, 2, 63, 64, 65, count - 1, count].into_iter().enumerate() {
                let symbols = ALPHABETS[i % ALPHABETS.len()];
                let lengths = [&LENGTHS[..9], &[40, 50], &[129]][i % 3];
                let pairs = pairs(&mut random, size.min(count), lengths, symbols);
                let pairs = borrowed(&pairs);
                let texts: Vec<&[u8]> = pairs.iter().map(|pair| pair[0]).collect();
                let patterns: Vec<&[u8]> = pairs.iter().take(3).map(|pair| pair[1]).collect();
                for cost in COSTS {
                    let exact = |a: &[u8], b: &[u8]| naive::distance(a, b, cost, None);
                    let listed: Vec<u32> = pairs.iter().map(|[a, b]| exact(a, b)).collect();
                    let rows: Vec<Vec<u32>> =
                        patterns.iter().map(|a| texts.iter().map(|b| exact(a, b)).collect()).collect();
                    for maximum in [None, Some(0), Some(3), Some(10), Some(40)] {
                        let expected = |exact: &[u32]| -> Vec<u32> {
                            exact.iter().map(|&d| if d <= maximum.unwrap_or(ABOVE) { d } else { ABOVE }).collect()
                        };
                        let mut found = vec![0; pairs.len()];
                        with_isa!(lanes, isa => bit_pairs::listed(isa, &pairs, cost, Asked { maximum, progress: &|_| () }, &mut found));
                        assert_eq!(found, expected(&listed), "{lanes:?} {cost:?} {maximum:?}");
                        let mut next = 0;
                        let mut each = |pattern: usize, distances: &[u32]| {
                            let expected = expected(&rows[pattern]);
                            assert_eq!((pattern, distances), (next, &expected[..]), "{lanes:?} {cost:?} {maximum:?}");
                            next += 1;
                        };
                        with_isa!(lanes, isa => bit_pairs::shared(isa, &patterns, &texts, cost, Asked { maximum, progress: &|_| () }, &mut each));
                        assert_eq!(next, patterns.len());
                    }
                }
            }
        }
    }

    #[test]
    fn long_strings_in_lanes() {
        let mut random = fastrand::Rng::with_seed(2);
        for lanes in Lanes::all() {
            for symbols in [4, 256] {
                let pairs = pairs(&mut random, 5, &[511, 512, 513, 700], symbols);
                let pairs = borrowed(&pairs);
                for cost in COSTS {
                    for maximum in [None, Some(20), Some(300)] {
                        let mut found = vec![0; pairs.len()];
                        with_isa!(lanes, isa => bit_pairs::listed(isa, &pairs, cost, Asked { maximum, progress: &|_| () }, &mut found));
                        let naive = |[a, b]: &[&[u8]; 2]| naive::distance(a, b, cost, maximum);
                        assert_eq!(found, pairs.iter().map(naive).collect::<Vec<_>>());
                    }
                }
            }
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn long_pairs_one_by_one() {
        let mut random = fastrand::Rng::with_seed(4);
        for symbols in [4, 256] {
            let mut string = |len| naive::random(&mut random, len, symbols);
            let (long, other) = (string(1100), string(900));
            let near = [&long[..300], &other[..5], &long[301..]].concat();
            let pairs: [[&[u8]; 2]; 4] = [[&long, &other], [&near, &long], [&other, &long[..1]], [&long, &long]];
            for (cost, threads) in [(COSTS[0], 1), (COSTS[1], 2)] {
                let exact = pairs.map(|[a, b]| naive::distance(a, b, cost, None));
                for lanes in Lanes::all() {
                    for (pair, exact) in pairs.iter().zip(exact) {
                        let done = AtomicU64::new(0);
                        let progress = |cells| {
                            done.fetch_add(cells, Ordering::Relaxed);
                        };
                        let found = strips::distance(lanes, *pair, cost, threads, &progress);
                        assert_eq!((found, done.into_inner()), (exact.into(), cells(pair)), "{lanes:?} {cost:?}");
                    }
                    for maximum in [None, Some(20), Some(1200)] {
                        let done = AtomicU64::new(0);
                        let progress = |cells| {
                            done.fetch_add(cells, Ordering::Relaxed);
                        };
                        let engine = CpuPairs { lanes: Some(lanes), cost, maximum, progress: &progress };
                        let known = |exact| if exact <= maximum.unwrap_or(ABOVE) { exact } else { ABOVE };
                        assert_eq!(engine.listed(&pairs).unwrap(), exact.map(known), "{lanes:?} {cost:?} {maximum:?}");
                        assert_eq!(done.into_inner(), pairs.iter().map(cells).sum::<u64>());
                    }
                }
            }
        }
    }

    /// Lists and matrices of mixed lengths, by whatever is chosen; every cell is reported.
    #[test]
    fn lists_and_matrices() {
        let mut random = fastrand::Rng::with_seed(3);
        let without = std::iter::once(None);
        for lanes in Lanes::all().into_iter().map(Some).chain(without) {
            for (count, symbols) in [(0, 4), (1, 4), (70, 4), (700, 26)] {
                let own = pairs(&mut random, count, &LENGTHS[..15], symbols);
                let pairs = borrowed(&own);
                let (a, b): (Vec<&[u8]>, Vec<&[u8]>) =
                    (pairs.iter().take(40).map(|pair| pair[0]).collect(), pairs.iter().map(|pair| pair[1]).collect());
                for cost in COSTS {
                    for maximum in [None, Some(7)] {
                        let done = AtomicU64::new(0);
                        let progress = |cells| {
                            done.fetch_add(cells, Ordering::Relaxed);
                        };
                        let engine = CpuPairs { lanes, cost, maximum, progress: &progress };
                        let expected: Vec<u32> =
                            pairs.iter().map(|[a, b]| naive::distance(a, b, cost, maximum)).collect();
                        assert_eq!(engine.listed(&pairs).unwrap(), expected, "{lanes:?} {cost:?} {maximum:?}");
                        assert_eq!(done.swap(0, Ordering::Relaxed), pairs.iter().map(cells).sum::<u64>());
                        for [a, b] in [[&a, &b], [&b, &a]] {
                            let mut rows = 0;
                            let each = &mut |first: usize, block: &[AtomicU32]| {
                                assert_eq!(first, rows);
                                for (row, distances) in (first..).zip(block.chunks(b.len().max(1))) {
                                    let found: Vec<u32> =
                                        distances.iter().map(|distance| distance.load(Ordering::Relaxed)).collect();
                                    let some = (0..b.len()).step_by(if row % 16 == 0 { 1 } else { 41 });
                                    for column in some {
                                        let expected = naive::distance(a[row], b[column], cost, maximum);
                                        assert_eq!(found[column], expected, "{lanes:?} {cost:?} {maximum:?}");
                                    }
                                    rows += 1;
                                }
                                Ok(())
                            };
                            PairEngine::all(&engine, a, b, each).unwrap();
                            assert_eq!(rows, a.len() * usize::from(!b.is_empty()));
                            let all: u64 = a.iter().flat_map(|a| b.iter().map(|b| cells(&[*a, *b]))).sum();
                            assert_eq!(done.swap(0, Ordering::Relaxed), all);
                        }
                    }
                }
            }
        }
    }
}
