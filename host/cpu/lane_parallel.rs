//! The last column by strips of SIMD lanes (see `lanes`): their size, position and order.
//!
//! A strip of 64 L lanes gives the carries of a pair of columns 64 L steps after it took them in.
//! It writes them where it reads the carries that enter at that step, so the carries move right by
//! L words per strip. No strip waits for its last lanes before the next block of columns:
//!
//! ```text
//!             words of carries, cut into blocks
//!             |       |       |       |       |       |
//!   strip 0   |=======|=======|===    |       |       |       n / 128 + L words each, L words
//!   strip 1   |  =====|=======|=====  |       |       |       later for each strip; a tile is the
//!   strip 2   |    ===|=======|=======|       |       |       part in one block and one band
//!             |       |       |       |       |       |
//! ```

use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::ParallelSlice;
use std::ops::Range;

use super::codes::Codes;
use super::lanes::{Carries, LaneCell, PAIR, Strip, Text, WORD_COLUMNS};
use super::planes::planes;
use super::tiles;
use super::vector::Lanes;

/// Clock cycles that a row or column takes a thread before the first step: its code, and its bits
/// in planes. Measured on Sapphire Rapids with 2 planes.
const PREPARE_CYCLES: f64 = 5.0;
/// Minimum rows per lane where strips are made lower to give every thread two, so that threads wait
/// less for one another.
const HALF: usize = 32;
/// Maximum bands, and maximum blocks, per thread: enough tiles that few threads wait while the wave
/// grows and shrinks.
const TILES_PER_THREAD: usize = 8;
/// Minimum words per block (1024 columns): about 10 µs of a low strip.
const MIN_BLOCK: usize = 8;
/// Maximum words per block: its carries and its part of the text stay in the second-level cache.
const MAX_BLOCK: usize = 256;

/// Division of a table into strips, bands and blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tiling {
    lanes: Lanes,
    threads: usize,
    columns: usize,
    planes: usize,
    /// Rows per lane.
    height: usize,
    /// Number of strips.
    strips: usize,
    /// Strips per band.
    band: usize,
    /// Words per block.
    block: usize,
}

impl Tiling {
    /// Creates the tiling for strings that are not empty.
    pub(crate) fn new<const S: usize, C: LaneCell<S>>(lanes: Lanes, codes: &Codes, threads: usize) -> Self {
        // Code 0 needs no plane of its own.
        Self::of_size::<S, C>(lanes, [codes.rows.len(), codes.cols.len()], codes.symbols - 1, threads)
    }

    /// Creates the fastest tiling of a table of `size` rows and columns, not 0, whose rows have
    /// `symbols` different symbols.
    pub(crate) fn of_size<const S: usize, C: LaneCell<S>>(
        lanes: Lanes,
        size: [usize; 2],
        symbols: usize,
        threads: usize,
    ) -> Self {
        let [rows, columns] = size;
        let planes = planes(symbols);
        let rows = rows.div_ceil(64 * lanes.words());
        let words = columns.div_ceil(WORD_COLUMNS);
        let parts = threads.saturating_mul(TILES_PER_THREAD);
        let of_strips = |strips| {
            let height = rows.div_ceil(strips);
            let strips = rows.div_ceil(height);
            let words = words + strips * lanes.words();
            let block = if threads == 1 { MAX_BLOCK } else { words.div_ceil(parts).clamp(MIN_BLOCK, MAX_BLOCK) };
            Self { lanes, threads, columns, planes, height, strips, band: strips.div_ceil(parts), block }
        };
        let least = rows.div_ceil(lanes.max_height::<S>(planes));
        if threads == 1 {
            return of_strips(least);
        }
        // Lower strips serve more threads, but each has a fixed cost per step.
        let lower = (least + 1..=threads.min(rows)).map(of_strips);
        let fastest = lower.fold(of_strips(least), |fastest, tiling| {
            if tiling.steps_cycles::<S, C>() < fastest.steps_cycles::<S, C>() { tiling } else { fastest }
        });
        of_strips(fastest.strips.max(threads.saturating_mul(2).min(rows / HALF)))
    }

    /// Creates the tiling for the processor's widest lanes; `None` if it has none, or if they
    /// should take `cycles` clock cycles or more.
    pub(crate) fn faster_than<const S: usize, C: LaneCell<S>>(
        codes: &Codes,
        threads: usize,
        cycles: f64,
    ) -> Option<Self> {
        let tiling = Self::new::<S, C>(Lanes::widest()?, codes, threads);
        (tiling.cycles::<S, C>() < cycles).then_some(tiling)
    }

    /// Returns the rows of a strip whose lanes have one row each.
    pub(crate) fn unit(lanes: Lanes) -> usize {
        64 * lanes.words()
    }

    /// Estimates the clock cycles that the table takes.
    pub(crate) fn cycles<const S: usize, C: LaneCell<S>>(&self) -> f64 {
        let rows = self.strips * self.height * 64 * self.lanes.words();
        let prepare = PREPARE_CYCLES * (rows as f64 + self.columns as f64) / self.threads as f64;
        prepare + self.steps_cycles::<S, C>()
    }

    /// Estimates the clock cycles of the steps.
    fn steps_cycles<const S: usize, C: LaneCell<S>>(&self) -> f64 {
        let lanes = 64 * self.lanes.words();
        let steps = self.columns.div_ceil(PAIR) + lanes;
        // A strip begins after the strip above it by as many steps as there are lanes, and by a
        // block.
        let delay = if self.threads == 1 { 0 } else { steps.min(lanes + 64 * self.block) } as f64;
        let steps = steps as f64;
        let at_once = self.threads.min(self.strips);
        let by_threads = self.strips.div_ceil(at_once) as f64 * steps + (at_once - 1) as f64 * delay;
        let by_strips = steps + (self.strips - 1) as f64 * delay;
        by_threads.max(by_strips) * C::cycles(self.planes, self.height)
    }
}

/// A strip and its position.
struct Placed<const S: usize> {
    strip: Box<dyn Strip<S>>,
    rows: usize,
    /// First word of its carries.
    first: usize,
}

/// Computes the words of each bit of the last column's vertical differences. `tiling` must be made
/// for these codes. `first` are the differences before the first column, unless they are those of a
/// table's edge.
pub(crate) fn last_column<const S: usize, C: LaneCell<S>>(
    codes: &Codes,
    tiling: Tiling,
    first: Option<[&[u64]; S]>,
    progress: &(dyn Fn(u64) + Sync),
) -> [Vec<u64>; S] {
    column_and_carries::<S, C>(codes, tiling, first, None, progress)
}

/// Like [`last_column`], for a band of rows in a larger table. On entry, `border` holds the carries
/// into the first row for all words of columns; on return, those out of the last row. The rows must
/// be whole lanes: a multiple of [`Tiling::unit`]. Carries of columns past the last are 0 on entry,
/// and have no meaning on return.
pub(crate) fn column_and_carries<const S: usize, C: LaneCell<S>>(
    codes: &Codes,
    tiling: Tiling,
    first: Option<[&[u64]; S]>,
    border: Option<&mut [Carries<S>]>,
    progress: &(dyn Fn(u64) + Sync),
) -> [Vec<u64>; S] {
    let Tiling { lanes, planes, height, .. } = tiling;
    let text = Text::new(&codes.cols, codes.symbols, planes, lanes);
    let strip_words = lanes.words() * height;
    let strip = |(s, rows): (usize, &[u8])| {
        let first = first.map(|bits| bits.map(|words| words.get(s * strip_words..).unwrap_or_default()));
        // The last strip has lower lanes for the rows that are left: no row below the last one
        // takes part in the carries out.
        let strip = lanes.strip::<S, C>(planes, rows, rows.len().div_ceil(64 * lanes.words()), first);
        Placed { strip, rows: rows.len(), first: s * lanes.words() }
    };
    let mut strips: Vec<_> = if tiling.threads == 1 {
        codes.rows.chunks(64 * strip_words).enumerate().map(strip).collect()
    } else {
        codes.rows.par_chunks(64 * strip_words).enumerate().map(strip).collect()
    };
    let steps = text.steps();
    let carries = steps + tiling.strips.saturating_sub(1) * lanes.words();
    let mut carries: Vec<Carries<S>> = vec![[[0; S]; PAIR]; carries];
    if let Some(border) = &border {
        carries.iter_mut().zip(border.iter()).for_each(|(carry, above)| *carry = *above);
    }
    let tile = |band: &mut &mut [Placed<S>], (block, carries): &mut (usize, &mut [Carries<S>])| {
        for placed in band.iter_mut() {
            // The part of the strip's words that lies in this block.
            let from = placed.first.max(*block);
            let to = (placed.first + steps).min(*block + carries.len());
            if from < to {
                let words = from - placed.first..to - placed.first;
                placed.strip.advance(&text, words.start, &mut carries[from - *block..to - *block]);
                progress((placed.rows as u64).saturating_mul(columns_in(words, codes.cols.len()) as u64));
            }
        }
    };
    let bands = strips.chunks_mut(tiling.band);
    let blocks = carries.chunks_mut(tiling.block).enumerate().map(|(block, words)| (block * tiling.block, words));
    if tiling.threads == 1 {
        let mut bands: Vec<_> = bands.collect();
        for mut block in blocks {
            bands.iter_mut().for_each(|band| tile(band, &mut block));
        }
    } else {
        tiles::run(bands, blocks, tile);
    }
    if let Some(border) = border {
        let below = carries.iter().skip(strips.len() * lanes.words());
        border.iter_mut().zip(below).for_each(|(border, carry)| *border = *carry);
    }
    std::array::from_fn(|bit| {
        let mut column = vec![0; codes.rows.len().div_ceil(64)];
        for (placed, column) in strips.iter().zip(column.chunks_mut(strip_words)) {
            placed.strip.column(bit, column);
        }
        column
    })
}

/// Converts words of 64 columns, one bit per column from the lowest bit on, to words of the pairs'
/// first columns and of their second.
pub(crate) fn in_pairs(words: &[u64]) -> impl Iterator<Item = [u64; PAIR]> {
    words.chunks(PAIR).map(|two| {
        let [low, high] = [two[0], two.get(1).copied().unwrap_or(0)];
        [0, 1].map(|k| every_second(low >> k) | every_second(high >> k) << 32)
    })
}

/// Inverts [`in_pairs`]: returns the two words of a pair.
pub(crate) fn of_pairs([first, second]: [u64; PAIR]) -> [u64; PAIR] {
    [0, 32].map(|half| spread(first >> half) | spread(second >> half) << 1)
}

/// Returns bits 0, 2, 4 … of a word as bits 0 to 31.
fn every_second(word: u64) -> u64 {
    let mut bits = word & 0x5555_5555_5555_5555;
    for (shift, mask) in [
        (1, 0x3333_3333_3333_3333),
        (2, 0x0f0f_0f0f_0f0f_0f0f),
        (4, 0x00ff_00ff_00ff_00ff),
        (8, 0x0000_ffff_0000_ffff),
        (16, 0xffff_ffff),
    ] {
        bits = (bits | bits >> shift) & mask;
    }
    bits
}

/// Returns bits 0 to 31 of a word as bits 0, 2, 4 …
fn spread(word: u64) -> u64 {
    let mut bits = word & 0xffff_ffff;
    for (shift, mask) in [
        (16, 0x0000_ffff_0000_ffff),
        (8, 0x00ff_00ff_00ff_00ff),
        (4, 0x0f0f_0f0f_0f0f_0f0f),
        (2, 0x3333_3333_3333_3333),
        (1, 0x5555_5555_5555_5555),
    ] {
        bits = (bits | bits << shift) & mask;
    }
    bits
}

/// Returns the number of columns in these words, given `cols` columns in total.
fn columns_in(words: Range<usize>, cols: usize) -> usize {
    let before = |word: usize| word.saturating_mul(WORD_COLUMNS).min(cols);
    before(words.end) - before(words.start)
}

/// Tests for every type of cell: tables cut as no tiling would cut them, so that strips and blocks
/// have edges of all kinds.
#[cfg(test)]
pub(crate) mod cases {
    use super::*;
    use crate::cpu::codes::random;
    use proptest::prelude::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// Division of a table.
    #[derive(Debug, Clone, Copy)]
    struct Cut {
        height: usize,
        band: usize,
        block: usize,
        threads: usize,
    }

    /// Computes the last column's words from the rows, the columns, and `true` if the table is
    /// filled from their ends.
    type Expected<'e, const S: usize> = &'e dyn Fn(&[u8], &[u8], bool) -> [Vec<u64>; S];

    /// Compares all kinds of lanes of this processor with the plain table.
    fn check<const S: usize, C: LaneCell<S>>(expected: Expected<'_, S>, rows: &[u8], cols: &[u8], cut: Cut) {
        let Cut { height, band, block, threads } = cut;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        for backward in [false, true] {
            let expected = expected(rows, cols, backward);
            for lanes in Lanes::all() {
                let codes = Codes::new(rows, cols, backward);
                let strips = rows.len().div_ceil(64 * lanes.words() * height);
                let tiling =
                    Tiling { height, band, block, threads, strips, ..Tiling::new::<S, C>(lanes, &codes, threads) };
                let done = AtomicU64::new(0);
                let progress = |cells| {
                    done.fetch_add(cells, Ordering::Relaxed);
                };
                let mut words = pool.install(|| last_column::<S, C>(&codes, tiling, None, &progress));
                let what = format!("{} x {}, backward {backward}, {tiling:?}", rows.len(), cols.len());
                for (words, expected) in words.iter_mut().zip(&expected) {
                    // Bits of rows past the last have no meaning.
                    if let (Some(last), true) = (words.last_mut(), !rows.len().is_multiple_of(64)) {
                        *last &= !(!0 << (rows.len() % 64));
                    }
                    assert_eq!(words, expected, "{what}");
                }
                assert_eq!(done.into_inner(), (rows.len() * cols.len()) as u64, "cells reported, {what}");
                // Computes the table in two parts: the second part starts from the last column of
                // the first.
                let (before, after) = codes.cols.split_at(cols.len() / 2);
                let part = |cols: &[u8], first: Option<[&[u64]; S]>| {
                    let codes = Codes { rows: codes.rows.clone(), cols: cols.to_vec(), symbols: codes.symbols };
                    last_column::<S, C>(&codes, Tiling { threads: 1, ..tiling }, first, &|_| ())
                };
                let middle = (!before.is_empty()).then(|| part(before, None));
                let last = part(after, middle.as_ref().map(|bits| std::array::from_fn(|bit| &bits[bit][..])));
                let tail = !0u64 >> (63 - (rows.len() - 1) % 64);
                for (words, expected) in last.iter().zip(&expected) {
                    let (word, words) = words.split_last().unwrap();
                    let (expected, all) = expected.split_last().unwrap();
                    assert_eq!((word & tail, words), (*expected, all), "in two goes, {what}");
                }
            }
        }
    }

    /// Runs all cases. `expected` must return 0 for bits past the last row.
    pub(crate) fn run<const S: usize, C: LaneCell<S>>(expected: Expected<'_, S>) {
        let check = |rows: &[u8], cols: &[u8], cut: Cut| check::<S, C>(expected, rows, cols, cut);
        tilings_cover_the_table::<S, C>();
        boundaries(&check);
        every_height_and_number_of_planes(&check);
        carries_that_run(&check);
        a_wave_of_many_tiles(&check);
        any_strings_and_cuts(&check);
    }

    fn tilings_cover_the_table<const S: usize, C: LaneCell<S>>() {
        for lanes in Lanes::all() {
            for threads in [1, 2, 7, 128, usize::MAX] {
                for (m, n) in [(1, 1), (1, 5000), (5000, 1), (70_000, 70_000), (3_000_000, 100)] {
                    for symbols in [1, 4, 256] {
                        let tiling = Tiling::of_size::<S, C>(lanes, [m, n], symbols, threads);
                        let strip = 64 * lanes.words() * tiling.height;
                        assert!((1..=64).contains(&tiling.height) && tiling.band > 0 && tiling.block > 0, "{tiling:?}");
                        assert!(tiling.strips * strip >= m && (tiling.strips - 1) * strip < m, "{tiling:?}");
                    }
                }
            }
        }
    }

    type Check<'c> = &'c dyn Fn(&[u8], &[u8], Cut);

    fn boundaries(check: Check) {
        // Rows: words, vectors of 256 and 512 lanes, and strips of three rows per lane in each.
        for edge in [1, 64, 128, 192, 256, 512, 768, 1024, 1536, 3072] {
            for m in [edge - 1, edge, edge + 1] {
                if m > 0 {
                    let cut = Cut { height: 3, band: 2, block: 2, threads: 1 };
                    check(&random(m, 4, 1), &random(130, 4, 2), cut);
                }
            }
        }
        // Columns: pairs, words of pairs, blocks, and more columns than there are lanes.
        for edge in [1, 2, 64, 128, 256, 384, 1024, 1280] {
            for n in [edge - 1, edge, edge + 1] {
                if n > 0 {
                    let cut = Cut { height: 2, band: 1, block: 3, threads: 1 };
                    check(&random(1100, 4, 3), &random(n, 4, 4), cut);
                }
            }
        }
    }

    fn every_height_and_number_of_planes(check: Check) {
        for height in [1, 2, 7, 31, 32, 33, 63, 64] {
            let cut = Cut { height, band: 1, block: 5, threads: 1 };
            check(&random(64 * height + 17, 3, 5), &random(150, 3, 6), cut);
        }
        for symbols in [1, 2, 3, 4, 5, 8, 9, 16, 17, 32, 33, 64, 65, 128, 129, 254, 255, 256] {
            let cut = Cut { height: 2, band: 1, block: 4, threads: 1 };
            let cols = random(300, 256, 8);
            // All symbols occur in the rows, and others in the columns.
            let rows: Vec<u8> = (0..symbols).map(|symbol| symbol as u8).chain(random(700, symbols, 7)).collect();
            check(&rows, &cols, cut);
            check(&rows, &rows[..300], cut);
        }
    }

    fn carries_that_run(check: Check) {
        let runs = |len: usize, run: usize| -> Vec<u8> { (0..len).map(|i| (i / run % 2) as u8).collect() };
        let first = |len: usize| -> Vec<u8> { (0..len).map(|i| u8::from(i == 0)).collect() };
        let cut = Cut { height: 3, band: 1, block: 2, threads: 1 };
        for (rows, cols) in [
            (vec![7; 1700], vec![7; 1400]),
            (vec![7; 1700], vec![8; 300]),
            (first(1700), vec![0; 600]),
            (vec![0; 1700], first(600)),
            (runs(1700, 1), runs(700, 2)),
            (runs(1700, 64), runs(700, 3)),
            (runs(1700, 3), runs(700, 64)),
            (runs(1700, 512), runs(1300, 512)),
        ] {
            check(&rows, &cols, cut);
        }
    }

    fn a_wave_of_many_tiles(check: Check) {
        for threads in [2, 4] {
            for (band, block) in [(1, 1), (2, 3), (3, 8)] {
                let cut = Cut { height: 2, band, block, threads };
                check(&random(4000, 4, 9), &random(1500, 4, 10), cut);
            }
        }
    }

    fn any_strings_and_cuts(check: Check) {
        let strings = (1usize..2500, 1usize..700, 1usize..=256, any::<bool>(), any::<u32>());
        let cuts = (1usize..=9, 1usize..4, 1usize..9, 1usize..4);
        let config = ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() };
        proptest!(config, |((m, n, symbols, related, seed) in strings, (height, band, block, threads) in cuts)| {
            let rows = random(m, symbols, u64::from(seed));
            let mut cols = random(n, symbols, u64::from(seed) + 1);
            if related {
                // The rows from an offset on, with some symbols replaced.
                for (i, (col, &row)) in cols.iter_mut().zip(&rows[m / 3..]).enumerate() {
                    if i % 13 > 0 {
                        *col = row;
                    }
                }
            }
            check(&rows, &cols, Cut { height, band, block, threads });
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::lcs_cell::LcsCell;

    #[test]
    fn pairs_are_every_second_bit() {
        let mut random = fastrand::Rng::with_seed(3);
        for _ in 0..100 {
            let words = [random.u64(..), random.u64(..)];
            let pairs = in_pairs(&words).next().unwrap();
            for column in 0..128 {
                let bit = words[column / 64] >> (column % 64) & 1;
                assert_eq!(pairs[column % 2] >> (column / 2) & 1, bit, "column {column}");
            }
            assert_eq!(of_pairs(pairs), words);
            assert_eq!(of_pairs(in_pairs(&words[..1]).next().unwrap()), [words[0], 0]);
        }
    }

    #[test]
    fn strips_for_all_threads_if_the_columns_pay_for_them() {
        for lanes in Lanes::all() {
            let rows = 4 * Tiling::unit(lanes);
            let strips = |columns, threads| Tiling::of_size::<1, LcsCell>(lanes, [rows, columns], 4, threads).strips;
            assert_eq!([1, 2, 4, 64].map(|threads| strips(20_000_000, threads)), [1, 2, 4, 4], "{lanes:?}");
            assert_eq!([1, 2, 4, 64].map(|threads| strips(500, threads)), [1; 4], "{lanes:?}");
        }
    }
}
