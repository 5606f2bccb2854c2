//! A table of few rows and very many columns by 64-bit words, on all cores: each strip of rows
//! keeps its match table, and strips are narrow enough to give every thread one.
//!
//! ```text
//!              a section of columns
//!           +-----+-----+-----+-----+
//!   strip 0 |  0  |  1  |  2  |  3  |      The numbers show the order: each thread is one block of
//!           +-----+-----+-----+-----+      columns behind the thread above it. Strips pass on the
//!   strip 1 |  1  |  2  |  3  |  4  |      carries (see `strip`), and keep vector and match table
//!           +-----+-----+-----+-----+
//! ```
//!
//! The columns are read in place: a match table has an entry for every byte, so no symbol is
//! renamed and no column is copied. Their carries are kept for one section at a time.
//!
//! If the columns are few instead of the rows, the strings are exchanged. The last column is then
//! read from the carries out of the last strip, which are 1 where L increases from one column to
//! the next.
//!
//! **Finished strips.** If all rows of a strip increase and no carry comes in, nothing changes any
//! more: V is 0, so V + (V & M) is 0 and carries nothing out. Then the block is skipped. Strips of
//! random strings finish soon: 1,000 bases are a subsequence of about 4,000.

use super::strip::{COLUMN_CYCLES, MatchTable, advance};
use crate::cpu::tiles;
use crate::job::Progress;

/// Clock cycles per row to fill a match table, including the row's share of a new table for every
/// byte.
const FILL_CYCLES: f64 = 10.0;
/// Maximum number of rows; their match tables take 4 MiB.
const MAX_ROWS: usize = 1 << 16;
/// Minimum blocks per section for each strip: with fewer, the first and last steps, where some
/// threads have no work, become noticeable.
const BLOCKS_PER_STRIP: usize = 16;
/// Minimum columns per block: a few microseconds of a strip of one word, so that the time to pass
/// it on is negligible.
const MIN_BLOCK: usize = 1 << 11;
/// Maximum columns per block: tens of microseconds.
const MAX_BLOCK: usize = 1 << 14;
/// Columns per section: their carries (2 MiB), and the columns that the working threads read at a
/// time, stay in the last-level cache.
const SECTION: usize = 1 << 24;
/// Columns that are reversed at a time if the table is filled from the ends, a multiple of 64.
const REVERSED: usize = 1 << 12;

/// Division of a table into strips, blocks and sections.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Tiling {
    threads: usize,
    /// Words per strip, 1 to 4.
    words: usize,
    strips: usize,
    /// Columns per block, a multiple of 64.
    block: usize,
    /// Columns per section, a multiple of 64.
    section: usize,
    /// True if the columns are few, so that they become the strips' rows.
    exchanged: bool,
    /// Estimated clock cycles for the table.
    pub(super) cycles: f64,
}

impl Tiling {
    /// Returns the fastest tiling for this number of rows and columns (not 0); `None` if there are
    /// too many of both.
    pub(super) fn of_size(rows: usize, columns: usize, threads: usize) -> Option<Self> {
        let exchanged = rows > columns;
        let (rows, columns) = if exchanged { (columns, rows) } else { (rows, columns) };
        if rows > MAX_ROWS {
            return None;
        }
        let tilings = (1..).zip(COLUMN_CYCLES).map(|(words, column)| {
            let strips = rows.div_ceil(64 * words);
            let block = (columns / BLOCKS_PER_STRIP / strips).clamp(MIN_BLOCK, MAX_BLOCK).next_multiple_of(64);
            let at_once = threads.min(strips).min(columns.div_ceil(block));
            let share = strips as f64 / at_once as f64;
            // Columns of the first strips' blocks that the last strips wait for.
            let ramp = ((at_once - 1) * block) as f64;
            let cycles = column * (columns as f64 * share + ramp) + FILL_CYCLES * rows as f64;
            Self { threads, words, strips, block, section: SECTION, exchanged, cycles }
        });
        tilings.min_by(|a, b| a.cycles.total_cmp(&b.cycles))
    }
}

/// Computes the words of the last column. `backward` is true if the table is filled from the ends
/// of both strings; `tiling` must be made for their lengths.
pub(super) fn last_column(
    rows: &[u8],
    columns: &[u8],
    backward: bool,
    tiling: Tiling,
    progress: Progress<'_>,
) -> Vec<u64> {
    if tiling.exchanged {
        let mut strips = strips(columns, backward, tiling.words);
        let mut carries = vec![0; rows.len().div_ceil(64)];
        for (section, carries) in cut(rows, tiling.section, backward).zip(carries.chunks_mut(tiling.section / 64)) {
            cross(&mut strips, section, backward, carries, tiling, progress);
        }
        // In a word of carries, the first column is the highest bit, and is 1 if L increases. In a
        // word of rows, the first row is the lowest bit, and is 0 if L increases.
        carries.iter_mut().for_each(|word| *word = !word.reverse_bits());
        return carries;
    }
    let mut strips = strips(rows, backward, tiling.words);
    let mut carries = vec![0; tiling.section.min(columns.len()).div_ceil(64)];
    for section in cut(columns, tiling.section, backward) {
        carries.fill(0);
        cross(&mut strips, section, backward, &mut carries, tiling, progress);
    }
    strips.iter().flat_map(|strip| strip.vector()).copied().collect()
}

/// Cuts a string into parts, in the order of filling the table.
fn cut(text: &[u8], size: usize, backward: bool) -> impl Iterator<Item = &[u8]> {
    let (forwards, backwards) = if backward { (&text[..0], text) } else { (text, &text[..0]) };
    forwards.chunks(size).chain(backwards.rchunks(size))
}

/// Takes all strips through a section. `carries` are those into the first strip on entry, and those
/// out of the last strip on return.
fn cross(
    strips: &mut [Box<dyn Strip>],
    section: &[u8],
    backward: bool,
    carries: &mut [u64],
    tiling: Tiling,
    progress: Progress<'_>,
) {
    let mut blocks = cut(section, tiling.block, backward).zip(carries.chunks_mut(tiling.block / 64));
    let tile = |strip: &mut &mut Box<dyn Strip>, (columns, carries): &mut (&[u8], &mut [u64])| {
        strip.cross(columns, backward, carries);
        progress((strip.rows() as u64).saturating_mul(columns.len() as u64));
    };
    if tiling.threads == 1 {
        let mut strips: Vec<_> = strips.iter_mut().collect();
        blocks.for_each(|mut block| strips.iter_mut().for_each(|strip| tile(strip, &mut block)));
    } else {
        tiles::run(strips.iter_mut(), &mut blocks, tile);
    }
}

/// Creates the strips of these rows.
fn strips(rows: &[u8], backward: bool, words: usize) -> Vec<Box<dyn Strip>> {
    let reversed: Vec<u8>;
    let rows = if backward {
        reversed = rows.iter().rev().copied().collect();
        &reversed
    } else {
        rows
    };
    let strip = |rows: &[u8]| -> Box<dyn Strip> {
        match rows.len().div_ceil(64) {
            1 => Box::new(Words::<1>::new(rows)),
            2 => Box::new(Words::<2>::new(rows)),
            3 => Box::new(Words::<3>::new(rows)),
            _ => Box::new(Words::<4>::new(rows)),
        }
    };
    rows.chunks(64 * words).map(strip).collect()
}

/// A strip of rows, and its state between columns.
trait Strip: Send {
    /// Takes the strip through some columns. `carries` as in [`advance`].
    fn cross(&mut self, columns: &[u8], backward: bool, carries: &mut [u64]);

    fn rows(&self) -> usize;

    /// Returns one bit per row, 0 if L increases.
    fn vector(&self) -> &[u64];
}

/// A strip of W words.
struct Words<const W: usize> {
    vector: [u64; W],
    /// The vector if all rows increase: bits past the last row match nothing and stay 1.
    done: [u64; W],
    table: MatchTable<W>,
    rows: usize,
}

impl<const W: usize> Words<W> {
    fn new(rows: &[u8]) -> Self {
        let mut table = MatchTable::new();
        table.fill(256, rows);
        let past = |word: usize| u64::MAX.checked_shl(rows.len().saturating_sub(64 * word) as u32).unwrap_or(0);
        Self { vector: [!0; W], done: std::array::from_fn(past), table, rows: rows.len() }
    }
}

impl<const W: usize> Strip for Words<W> {
    fn cross(&mut self, columns: &[u8], backward: bool, carries: &mut [u64]) {
        if self.vector == self.done && carries.iter().all(|&word| word == 0) {
            return;
        }
        if !backward {
            return through(&mut self.vector, &self.table, columns, carries);
        }
        let mut ordered = [0; REVERSED];
        for (columns, carries) in columns.rchunks(REVERSED).zip(carries.chunks_mut(REVERSED / 64)) {
            let ordered = &mut ordered[..columns.len()];
            ordered.iter_mut().zip(columns.iter().rev()).for_each(|(ordered, &column)| *ordered = column);
            through(&mut self.vector, &self.table, ordered, carries);
        }
    }

    fn rows(&self) -> usize {
        self.rows
    }

    fn vector(&self) -> &[u64] {
        &self.vector
    }
}

/// [`advance`], kept apart from its callers for the register allocator: nothing else is live in it.
#[inline(never)]
fn through<const W: usize>(vector: &mut [u64; W], table: &MatchTable<W>, columns: &[u8], carries: &mut [u64]) {
    advance(vector, table, columns, carries, |_| ());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::codes::random;
    use crate::pairwise::columns::LcsColumn;
    use crate::pairwise::recurrence::lcs_lengths;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// Compares both orders of the strings, from both ends, with the recurrence.
    fn check(few: &[u8], many: &[u8], tiling: Tiling) {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(tiling.threads).build().unwrap();
        let tiling = Tiling { strips: few.len().div_ceil(64 * tiling.words), ..tiling };
        for backward in [false, true] {
            let [of_few, of_many] =
                [few, many].map(|text| if backward { text.iter().rev().copied().collect() } else { text.to_vec() });
            let done = AtomicU64::new(0);
            let progress = |cells| {
                done.fetch_add(cells, Ordering::Relaxed);
            };
            let what = format!("{} x {}, backward {backward}, {tiling:?}", few.len(), many.len());
            let words = pool.install(|| last_column(few, many, backward, tiling, &progress));
            let expected = LcsColumn::from_lengths(&lcs_lengths(of_few.iter(), of_many.iter()));
            assert_eq!(LcsColumn::from_words(words, few.len()), expected, "few rows, {what}");
            let tiling = Tiling { exchanged: true, ..tiling };
            let words = pool.install(|| last_column(many, few, backward, tiling, &progress));
            let expected = LcsColumn::from_lengths(&lcs_lengths(of_many.iter(), of_few.iter()));
            assert_eq!(LcsColumn::from_words(words, many.len()), expected, "few columns, {what}");
            assert_eq!(done.into_inner(), 2 * (few.len() * many.len()) as u64, "cells told, {what}");
        }
    }

    fn tiling(words: usize, block: usize, section: usize, threads: usize) -> Tiling {
        Tiling { threads, words, strips: 0, block, section, exchanged: false, cycles: 0.0 }
    }

    #[test]
    fn edges_of_words_and_strips() {
        for words in 1..=4 {
            for edge in [64, 64 * words, 128 * words, 256] {
                for m in [edge - 1, edge, edge + 1] {
                    for symbols in [2, 4, 256] {
                        check(&random(m, symbols, 1), &random(700, symbols, 2), tiling(words, 128, 320, 3));
                    }
                }
            }
        }
    }

    #[test]
    fn edges_of_blocks_and_sections() {
        for n in [1, 2, 63, 64, 65, 127, 128, 129, 191, 192, 193, 575, 576, 577, 2100] {
            for threads in 1..=5 {
                // The last section is shorter, and so is its last block.
                check(&random(300, 4, 3), &random(n, 4, 4), tiling(1 + n % 4, 64, 192, threads));
                check(&random(1, 4, 3), &random(n, 4, 4), tiling(2, 128, 256, threads));
            }
        }
    }

    /// Columns that are reversed in more than one step.
    #[test]
    fn long_blocks() {
        for n in [REVERSED - 1, REVERSED, REVERSED + 1, 2 * REVERSED + 65] {
            check(&random(130, 4, 5), &random(n, 4, 6), tiling(1, MAX_BLOCK, SECTION, 2));
        }
    }

    #[test]
    fn all_alphabets() {
        for symbols in [1, 2, 3, 4, 20, 64, 255, 256] {
            for (rows, columns) in [(symbols, 256), (256, symbols), (symbols, symbols)] {
                check(&random(260, rows, 7), &random(1100, columns, 8), tiling(4, 256, 512, 2));
            }
        }
    }

    /// Finished strips, alone and below strips that finish later or never.
    #[test]
    fn strips_that_are_done() {
        let many: Vec<u8> = (0..2000).map(|i| (i % 3) as u8).collect();
        let cycle = |len: usize| (0..len).map(|i| (i % 3) as u8).collect::<Vec<_>>();
        for place in [None, Some(0), Some(70), Some(199)] {
            let mut few = cycle(200);
            if let Some(place) = place {
                // Does not occur in the columns.
                few[place] = 9;
            }
            check(&few, &many, tiling(1, 64, 640, 2));
            // Carries that arrive after the strip below has finished: its rows match at once, those
            // above only in the end.
            let late = [&cycle(64)[..], &[7; 64], &cycle(64)].concat();
            let columns = [&many[..900], &[7; 500], &many[..300]].concat();
            check(&late, &columns, tiling(1, 64, 640, 3));
        }
        check(&[5; 200], &[5; 1500], tiling(1, 64, 640, 2));
        check(&[5; 200], &[6; 1500], tiling(2, 64, 640, 2));
    }

    #[test]
    fn any_strings_and_tilings() {
        let mut random_number = fastrand::Rng::with_seed(9);
        for seed in 0..150 {
            let (m, n) = (random_number.usize(1..1100), random_number.usize(1..2100));
            let symbols = [1, 2, 4, 30, 256][random_number.usize(..5)];
            let (few, mut many) = (random(m, symbols, 2 * seed), random(n, symbols, 2 * seed + 1));
            if seed % 3 == 0 {
                // Related strings: equal from an offset on, except for every thirteenth symbol.
                for (i, (to, &from)) in many.iter_mut().zip(&few[m / 3..]).enumerate() {
                    *to = if i % 13 == 0 { *to } else { from };
                }
            }
            let block = 64 * random_number.usize(1..6);
            let cut =
                tiling(random_number.usize(1..5), block, block * random_number.usize(1..5), random_number.usize(1..6));
            check(&few, &many, cut);
        }
    }

    #[test]
    fn narrow_strips_for_many_threads() {
        let words = |rows, threads| Tiling::of_size(rows, 3_000_000_000, threads).map(|tiling| tiling.words);
        assert_eq!([1, 2, 4, 8, 16, 64].map(|threads| words(1000, threads)), [4, 4, 4, 2, 1, 1].map(Some));
        assert_eq!(words(100_000, 16), None);
        for (rows, columns) in [(1, 1), (1, usize::MAX), (1, MAX_ROWS), (1000, 2048)] {
            for threads in [1, 7, usize::MAX] {
                let tiling = Tiling::of_size(rows, columns, threads).unwrap();
                assert!(tiling.block.is_multiple_of(64) && tiling.block > 0, "{tiling:?}");
                let exchanged = Tiling { exchanged: columns > rows, ..tiling };
                assert_eq!(Tiling::of_size(columns, rows, threads), Some(exchanged), "{rows} x {columns}");
                assert!(tiling.strips * tiling.words * 64 >= rows, "{tiling:?}");
            }
        }
    }
}
