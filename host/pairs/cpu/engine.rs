//! The engine: pairs in groups of similar lengths, each group compared by the algorithm with the
//! least estimate.

use super::ALGORITHMS;
use super::algorithm::{Lists, Shared, Single, Together, Way};
use super::estimates::{Lengths, Options, Settings, Size, alphabet_of, cells};
use crate::algorithm::About;
use crate::cpu::short::trimmed;
use crate::cpu::vector::Lanes;
use crate::device::EngineKind;
use crate::error::Result;
use crate::job::Progress;
use crate::memory;
use crate::pairs::cost::{ABOVE, Cost};
use crate::pairs::engine::{PairEngine, PutRow};
use crate::pairs::limit::Limit;
use crate::pairs::problem::Algorithm;
use crate::pairs::symbol_codes::Code;
use crate::pairs::used::Used;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Number of pairs of a list that one thread sorts by length: enough for groups of similar lengths,
/// and few enough for all threads to have some.
const SORTED: usize = 1 << 16;
/// Approximate number of pairs of a matrix that are listed at a time, if they are compared so.
const LISTED: usize = 1 << 20;
/// Number of texts whose order by length makes groups: their part of a row of the matrix stays in
/// the first-level cache.
const SPAN: usize = 1 << 11;
/// Approximate number of distances of the rows that a thread compares with all groups of a span:
/// they stay in the second-level cache.
const IN_CACHE: usize = 1 << 18;
/// Least and greatest number of these rows: enough to make the preparation of a group negligible.
const FEWEST_ROWS: usize = 32;
const ROWS: usize = 256;
/// Number of parts for each thread, so that all threads end at about the same time.
const PARTS: usize = 4;
/// Least number of rows of all patterns of a part, if it is small for the sake of more parts.
const PART_ROWS: u64 = 1 << 12;
/// Approximate number of cells between two reports of progress: less than a second.
const TOLD_CELLS: u64 = 1 << 36;
/// Receives a pair's number and distance.
type Put<'f> = &'f (dyn Fn(usize, u32) + Sync);

/// Fewer pairs than this are compared one by one.
const FEW: usize = 8;
/// Number of cells of a table of mean size below which all strings of two lists are compared
/// together.
const LONG_CELLS: u64 = 1 << 18;
/// Least share of a vector's lanes that a group of columns should fill: below it, single pairs are
/// as fast.
const FILLED: f64 = 0.06;

/// Rows are compared in lanes, and their distances transposed, only if they fill vectors better
/// than columns by this factor.
const MUCH: f64 = 1.2;

/// Clock cycles for coding a symbol of a pair.
const CODING_CYCLES: f64 = 10.0;

/// Cost of the pairs of a tile, compared one by one.
#[derive(Clone, Copy)]
struct ByPairs {
    /// Size of their alphabet.
    symbols: usize,
    /// Clock cycles for coding a symbol; 0 if the symbols are compared as they are.
    coding: f64,
}

/// The side of a matrix whose strings are in lanes.
#[derive(Clone, Copy)]
enum Side {
    Columns,
    Rows,
}

/// An algorithm that compares single pairs.
#[derive(Clone, Copy)]
struct OneByOne {
    about: &'static About,
    way: &'static Single,
}

/// An algorithm that compares pairs together, and its vectors.
#[derive(Clone, Copy)]
struct InLanes {
    about: &'static About,
    way: &'static Together,
    lanes: Lanes,
}

/// Compares many pairs on the threads of the current rayon pool.
pub(in crate::pairs) struct CpuPairs<'p> {
    settings: Settings,
    /// Algorithms to choose from.
    single: Vec<OneByOne>,
    together: Option<InLanes>,
    /// Progress callback: gets the number of cells done since its last call.
    progress: Progress<'p>,
    used: &'p Used,
}

impl<'p> CpuPairs<'p> {
    /// Compares by a given algorithm, or by the cheapest for each group of pairs. An algorithm that
    /// takes no groups of byte strings leaves the choice to `auto`.
    ///
    /// # Errors
    /// [`Error::Unsupported`](crate::Error::Unsupported) for an algorithm that the processor lacks
    /// the instructions for.
    pub(in crate::pairs) fn new(
        algorithm: Algorithm,
        cost: Cost,
        limit: Limit,
        progress: Progress<'p>,
        used: &'p Used,
    ) -> Result<Self> {
        let settings = Settings { lanes: Lanes::widest(), cost, limit };
        let named = algorithm.row(ALGORITHMS, EngineKind::Cpu, |row| &row.about)?;
        let is_free = algorithm.is_auto() || matches!(named.way, Way::Numbers | Way::Pieces);
        let engine = Self::with(settings, |about| is_free || about.name == named.about.name, progress, used);
        if engine.single.is_empty() && engine.together.is_none() {
            return Err(named.about.unsupported("needs a processor with AVX2 or AVX-512".into()));
        }
        Ok(engine)
    }

    /// Returns an engine that chooses among the algorithms that `takes` accepts.
    fn with(settings: Settings, takes: impl Fn(&About) -> bool, progress: Progress<'p>, used: &'p Used) -> Self {
        let mut single = Vec::new();
        let mut together = None;
        for row in ALGORITHMS.iter().filter(|row| takes(&row.about)) {
            match (&row.way, settings.lanes) {
                (Way::Single(way), lanes) if lanes.is_some() || !way.needs_lanes => {
                    single.push(OneByOne { about: &row.about, way });
                }
                (Way::Together(way), Some(lanes)) => together = Some(InLanes { about: &row.about, way, lanes }),
                _ => {}
            }
        }
        Self { settings, single, together, progress, used }
    }

    /// Returns the options for strings of at most m and n symbols.
    fn options(&self, m: usize, n: usize) -> Options<'_> {
        Options { cost: self.settings.cost, maximum: self.settings.maximum(m, n), progress: self.progress }
    }

    /// Computes the pairs' distances in order, [`ABOVE`] for those above the maximum.
    fn distances(&self, pairs: &[[&[u8]; 2]]) -> Vec<u32> {
        let distances: Vec<AtomicU32> = pairs.iter().map(|_| AtomicU32::new(ABOVE)).collect();
        self.in_groups(pairs, &|pair, distance| distances[pair].store(distance, Ordering::Relaxed));
        distances.into_iter().map(AtomicU32::into_inner).collect()
    }

    /// Calls `put` with the number and the distance of each pair whose lengths do not differ too
    /// much.
    fn in_groups(&self, pairs: &[[&[u8]; 2]], put: Put<'_>) {
        pairs.par_chunks(SORTED).enumerate().for_each(|(chunk, pairs)| {
            self.sorted(pairs, &|pair, distance| put(chunk * SORTED + pair, distance));
        });
    }

    /// Does this for a chunk of pairs, sorted by their lengths.
    fn sorted(&self, pairs: &[[&[u8]; 2]], put: Put<'_>) {
        let most = |pair: &Lengths| self.settings.maximum(pair.m as usize, pair.n as usize).unwrap_or(ABOVE);
        let all = (0..).zip(pairs).map(|(number, [a, b])| Lengths { m: a.len() as u32, n: b.len() as u32, number });
        let mut order: Vec<Lengths> = all.filter(|pair| pair.m.abs_diff(pair.n) <= most(pair)).collect();
        let size = self.together.map_or(64, |together| 64 * together.lanes.words());
        // The number of slabs by one length equals the number of groups in a slab by the other
        // length.
        let slab = ((order.len().div_ceil(size) as f64).sqrt().ceil() as usize).max(1) * size;
        radsort::sort_by_key(&mut order, |pair| pair.m);
        order.par_chunks_mut(slab).for_each(|slab| {
            radsort::sort_by_key(slab, |pair| pair.n);
            slab.par_chunks(size).for_each(|group| self.group(pairs, group, put));
        });
        if order.len() < pairs.len() {
            let left_out: u64 = pairs.iter().map(cells).sum::<u64>()
                - order.iter().map(|pair| u64::from(pair.m) * u64::from(pair.n)).sum::<u64>();
            (self.progress)(left_out);
        }
    }

    /// Compares pairs of similar lengths, at most one per lane.
    fn group(&self, pairs: &[[&[u8]; 2]], group: &[Lengths], put: Put<'_>) {
        match self.together.filter(|together| self.are_cheaper_together(together, pairs, group)) {
            Some(together) => {
                self.used.on_cpu(together.about);
                let own: Vec<[&[u8]; 2]> = group.iter().map(|pair| pairs[pair.number as usize]).collect();
                let mut distances = vec![ABOVE; own.len()];
                let longest = |of: fn(&Lengths) -> u32| group.iter().map(of).max().unwrap_or(0) as usize;
                let options = self.options(longest(|pair| pair.m), longest(|pair| pair.n));
                (together.way.listed)(together.lanes, &own, options, &mut distances);
                for (pair, distance) in group.iter().zip(distances) {
                    put(pair.number as usize, distance);
                }
                (self.progress)(own.iter().map(cells).sum());
            }
            None => self.one_by_one(pairs, group, put),
        }
    }

    fn are_cheaper_together(&self, together: &InLanes, pairs: &[[&[u8]; 2]], group: &[Lengths]) -> bool {
        if self.single.is_empty() {
            return true;
        }
        if group.len() < FEW {
            return false;
        }
        // Pairs of one list have similar alphabets.
        let symbols = group.first().map_or(0, |first| alphabet_of(pairs[first.number as usize]));
        let size = |pair: &Lengths| Size { m: pair.m as usize, n: pair.n as usize, symbols, threads: 1 };
        let one_by_one: f64 = group.iter().map(|pair| self.cycles(size(pair))).sum();
        (together.way.listed_cycles)(&self.settings, together.lanes, group, symbols) < one_by_one
    }

    fn one_by_one(&self, pairs: &[[&[u8]; 2]], group: &[Lengths], put: Put<'_>) {
        // Long pairs are distributed one by one.
        let all: u64 = group.iter().map(|pair| cells(&pairs[pair.number as usize])).sum();
        let together = if all > 1 << 22 { 1 } else { group.len().max(1) };
        // Several threads share one pair only if there are fewer pairs than threads.
        let threads = if group.len() < rayon::current_num_threads() { rayon::current_num_threads() } else { 1 };
        group.par_chunks(together).for_each(|part| {
            let all: u64 = part.iter().map(|pair| cells(&pairs[pair.number as usize])).sum();
            let done = AtomicU64::new(0);
            let progress = |cells| {
                done.fetch_add(cells, Ordering::Relaxed);
                (self.progress)(cells);
            };
            let mut last: Option<&'static About> = None;
            for pair in part {
                let pair_strings = pairs[pair.number as usize];
                let row = self.cheapest(pair_strings, threads);
                if last.is_none_or(|last| !std::ptr::eq(last, row.about)) {
                    self.used.on_cpu(row.about);
                    last = Some(row.about);
                }
                put(pair.number as usize, (row.way.distance)(&self.settings, pair_strings, threads, &progress));
            }
            (self.progress)(all - done.into_inner());
        });
    }

    /// Estimates the clock cycles of a single pair.
    #[inline]
    fn cycles(&self, size: Size) -> f64 {
        let cells = size.cells();
        let rows = self.single.iter().filter(|row| row.way.least_cells <= cells);
        rows.map(|row| (row.way.cycles)(&self.settings, size)).fold(f64::INFINITY, f64::min)
    }

    /// Chooses the algorithm for a single pair.
    #[inline]
    fn cheapest(&self, [a, b]: [&[u8]; 2], threads: usize) -> OneByOne {
        let all = cells(&[a, b]);
        match &self.single[..] {
            [only] => *only,
            [first, others @ ..] if others.iter().all(|row| all < row.way.least_cells) => *first,
            rows => {
                let (a, b, _) = trimmed(a, b);
                let left = cells(&[a, b]);
                let fit = || rows.iter().filter(|row| row.way.least_cells <= left);
                let symbols = if fit().count() > 1 { alphabet_of([a, b]) } else { 0 };
                let size = Size { m: a.len(), n: b.len(), symbols, threads };
                let cycles = |row: &OneByOne| (row.way.cycles)(&self.settings, size);
                *fit().min_by(|x, y| cycles(x).total_cmp(&cycles(y))).unwrap_or(&rows[0])
            }
        }
    }

    /// Chooses the strings of a tile that get a lane each; `None` if single pairs are faster.
    fn lanes_of<S>(&self, rows: &[&[S]], columns: &[&[S]], pairs: ByPairs) -> Option<(InLanes, Side)> {
        let together = self.together.filter(|together| !self.single_pairs_pay(together, rows, columns, pairs))?;
        let size = 64 * together.lanes.words();
        let filled = |strings: usize| strings as f64 / strings.next_multiple_of(size).max(1) as f64;
        // A cell takes about twice as many instructions if each lane has two strings of its own.
        let least = (filled(rows.len().saturating_mul(columns.len())) / 2.0).max(FILLED);
        // Coding pairs takes longer than lanes without strings.
        let least = if pairs.coding > 0.0 { 0.0 } else { least };
        if filled(columns.len()) >= (filled(rows.len()) / MUCH).max(least) {
            Some((together, Side::Columns))
        } else {
            (filled(rows.len()) >= least).then_some((together, Side::Rows))
        }
    }

    /// Computes a tile as a list of pairs.
    fn as_list(&self, rows: &[&[u8]], columns: &[&[u8]], put: PutRow<'_>) {
        let numbers: Vec<usize> = (0..columns.len()).collect();
        let at_once = (LISTED / columns.len().max(1)).max(1);
        for (part, rows) in rows.chunks(at_once).enumerate() {
            let pairs: Vec<[&[u8]; 2]> =
                rows.iter().flat_map(|&row| columns.iter().map(move |&column| [row, column])).collect();
            let distances = self.distances(&pairs);
            for (row, distances) in (part * at_once..).zip(distances.chunks(columns.len().max(1))) {
                put(row, &numbers, distances);
            }
        }
    }

    /// Returns true if one table at a time is faster than one in each lane: for few, long strings.
    fn single_pairs_pay<S>(&self, together: &InLanes, rows: &[&[S]], columns: &[&[S]], pairs: ByPairs) -> bool {
        let mean = |list: &[&[S]]| list.iter().map(|string| string.len()).sum::<usize>() / list.len().max(1);
        let m = mean(rows);
        let n = mean(columns);
        if (pairs.coding == 0.0 && (m as u64).saturating_mul(n as u64) < LONG_CELLS) || self.single.is_empty() {
            return false;
        }
        let few = rows.len().min(columns.len());
        let many = rows.len().max(columns.len());
        let shared = (together.way.shared_cycles)(&self.settings, together.lanes, Lists { few, many, m, n });
        let size = Size { m, n, symbols: pairs.symbols, threads: 1 };
        (few * many) as f64 * (self.cycles(size) + pairs.coding * (m + n) as f64) < shared
    }

    /// Computes a tile by `shared`, with each string of one side in a lane of its own.
    fn in_lanes<S: Sync>(
        &self,
        (together, side): (InLanes, Side),
        shared: Shared<S>,
        rows: &[&[S]],
        columns: &[&[S]],
        put: PutRow<'_>,
    ) {
        let (patterns, texts) = match side {
            Side::Columns => (rows, columns),
            Side::Rows => (columns, rows),
        };
        let sorted = |strings: &[&[S]]| -> Vec<usize> {
            let mut order: Vec<usize> = (0..strings.len()).collect();
            order.par_sort_by_key(|&string| strings[string].len());
            order
        };
        self.used.on_cpu(together.about);
        let pattern_order = sorted(patterns);
        let mean = patterns.iter().map(|pattern| pattern.len() as u64).sum::<u64>() / patterns.len().max(1) as u64;
        let groups = texts.len().div_ceil(64 * together.lanes.words());
        let parts = (PARTS * rayon::current_num_threads()).div_ceil(groups.max(1));
        // All threads should have patterns, however few groups of texts there are.
        let fair = (patterns.len().div_ceil(parts) as u64).max(PART_ROWS / mean.max(1));
        texts.par_chunks(SPAN).enumerate().for_each(|(span, own)| {
            let mut text_order = sorted(own);
            text_order.iter_mut().for_each(|text| *text += span * SPAN);
            pattern_order.par_chunks((IN_CACHE / own.len()).clamp(FEWEST_ROWS, ROWS)).for_each(|order| {
                text_order.par_chunks(64 * together.lanes.words()).for_each(|group| {
                    let texts: Vec<&[S]> = group.iter().map(|&text| texts[text]).collect();
                    let symbols: u64 = texts.iter().map(|text| text.len() as u64).sum();
                    // Long strings in smaller parts, so that progress is reported.
                    let most = fair.min(TOLD_CELLS / symbols.saturating_mul(mean).max(1));
                    order.par_chunks(most.clamp(1, ROWS as u64) as usize).for_each(|order| {
                        // The progress callback may unwind here to end the job, before the work of
                        // each part.
                        (self.progress)(0);
                        let patterns: Vec<&[S]> = order.iter().map(|&pattern| patterns[pattern]).collect();
                        let options = self.options(longest(&patterns), longest(&texts));
                        let shared = |each: &mut dyn FnMut(usize, &[u32])| {
                            shared(together.lanes, &patterns, &texts, options, each);
                        };
                        put_group(shared, order, group, side, put);
                        let all: u64 = patterns.iter().map(|pattern| pattern.len() as u64).sum();
                        (self.progress)(all.saturating_mul(symbols));
                    });
                });
            });
        });
    }
}

/// Returns the length of the longest string.
fn longest<S>(strings: &[&[S]]) -> usize {
    strings.iter().map(|string| string.len()).max().unwrap_or(0)
}

/// Hands over the distances of some patterns to a group of texts. `shared` calls its argument with
/// the distances of each pattern, in order.
fn put_group(
    shared: impl FnOnce(&mut dyn FnMut(usize, &[u32])),
    patterns: &[usize],
    texts: &[usize],
    side: Side,
    put: PutRow<'_>,
) {
    match side {
        Side::Columns => shared(&mut |pattern, distances| put(patterns[pattern], texts, distances)),
        Side::Rows => {
            let mut all = Vec::with_capacity(patterns.len() * texts.len());
            shared(&mut |_, distances| all.extend_from_slice(distances));
            for (at, &text) in texts.iter().enumerate() {
                let of_text: Vec<u32> = all[at..].iter().step_by(texts.len()).copied().collect();
                put(text, patterns, &of_text);
            }
        }
    }
}

impl PairEngine for CpuPairs<'_> {
    fn block(&self) -> usize {
        1 << 22
    }

    fn takes_candidates(&self) -> bool {
        true
    }

    fn listed_at_once(&self) -> usize {
        SORTED
    }

    fn listed(&self, pairs: &[[&[u8]; 2]]) -> Result<Vec<u32>> {
        memory::check::<u32>(pairs.len(), "the distances")?;
        Ok(self.distances(pairs))
    }

    fn tile(&self, rows: &[&[u8]], columns: &[&[u8]], put: PutRow<'_>) -> Result<()> {
        let symbols = rows.first().zip(columns.first()).map_or(0, |(row, column)| alphabet_of([row, column]));
        match self.lanes_of(rows, columns, ByPairs { symbols, coding: 0.0 }) {
            Some(lanes) => self.in_lanes(lanes, lanes.0.way.shared, rows, columns, put),
            None => self.as_list(rows, columns, put),
        }
        Ok(())
    }

    fn takes_two_bytes(&self) -> bool {
        self.together.is_some()
    }

    fn tile_of_two_bytes(&self, rows: &[&[u16]], columns: &[&[u16]], put: PutRow<'_>) -> Result<bool> {
        let lanes = self.lanes_of(rows, columns, ByPairs { symbols: u8::CODES, coding: CODING_CYCLES });
        if let Some(lanes) = lanes {
            self.in_lanes(lanes, lanes.0.way.shared_codes, rows, columns, put);
        }
        Ok(lanes.is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairs::engine::Rows;
    use crate::pairs::naive::{self, COSTS, LENGTHS, borrowed, pairs};

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
                        let found = super::super::strips::distance(lanes, *pair, cost, threads, &progress);
                        assert_eq!((found, done.into_inner()), (exact.into(), cells(pair)), "{lanes:?} {cost:?}");
                    }
                    for maximum in [None, Some(20), Some(1200)] {
                        let done = AtomicU64::new(0);
                        let progress = |cells| {
                            done.fetch_add(cells, Ordering::Relaxed);
                        };
                        let used = Used::default();
                        let settings =
                            Settings { lanes: Some(lanes), cost, limit: Limit { maximum, similarity: None } };
                        let engine = CpuPairs::with(settings, |_| true, &progress, &used);
                        let known = |exact| if exact <= maximum.unwrap_or(ABOVE) { exact } else { ABOVE };
                        assert_eq!(engine.listed(&pairs).unwrap(), exact.map(known), "{lanes:?} {cost:?} {maximum:?}");
                        assert_eq!(done.into_inner(), pairs.iter().map(cells).sum::<u64>());
                    }
                }
            }
        }
    }

    /// Lists and matrices of mixed lengths, by the chosen algorithm; every cell is reported.
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
                        let used = Used::default();
                        let settings = Settings { lanes, cost, limit: Limit { maximum, similarity: None } };
                        let engine = CpuPairs::with(settings, |_| true, &progress, &used);
                        let expected: Vec<u32> =
                            pairs.iter().map(|[a, b]| naive::distance(a, b, cost, maximum)).collect();
                        assert_eq!(engine.listed(&pairs).unwrap(), expected, "{lanes:?} {cost:?} {maximum:?}");
                        assert_eq!(done.swap(0, Ordering::Relaxed), pairs.iter().map(cells).sum::<u64>());
                        for [a, b] in [[&a, &b], [&b, &a]] {
                            let mut rows = 0;
                            let each = &mut |block: Rows<'_>| {
                                for (row, distances) in block.iter() {
                                    assert_eq!(row, rows);
                                    let step = if row % 16 == 0 { 1 } else { 41 };
                                    for (&column, distance) in block.columns.iter().zip(distances).step_by(step) {
                                        let expected = naive::distance(a[row], b[column], cost, maximum);
                                        let found = distance.load(Ordering::Relaxed);
                                        assert_eq!(found, expected, "{lanes:?} {cost:?} {maximum:?}");
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
