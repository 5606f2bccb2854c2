//! The last column by 64-bit words, for processors without lanes and for tables too small for them.
//! Myers (1999) in blocks as in Hyyrö (2003).
//!
//! ```text
//!             block     block
//!           +---------+---------+
//!   strip 0 | ------> |         |   A tile is a band of strips by a block of columns. In a tile,
//!   strip 1 | ------> |         |   strips of four words cross the block one after the other, and
//!   strip 2 | ------> |         |   each passes its horizontal differences to the strip below.
//!           +---------+---------+
//! ```

use super::coded::Coded;
use super::strip::{MatchTable, STRIP_ROWS, STRIP_WORDS, Steps, advance};
use crate::cpu::myers::Block;
use crate::cpu::tiles;
use crate::pairwise::differences::FirstColumn;

/// Clock cycles per column for strips of one, two, three and four words, measured on Sapphire
/// Rapids.
const COLUMN_CYCLES: [f64; STRIP_WORDS] = [14.2, 18.7, 24.6, 32.0];
/// Bands and blocks per thread: enough tiles that few threads wait while the wave grows and
/// shrinks.
const TILES_PER_THREAD: usize = 8;
/// Minimum columns per block: with fewer, the time to fill the match tables is noticeable.
const MIN_BLOCK: usize = 1024;
/// Maximum columns per block: their codes and differences stay in the second-level cache.
const MAX_BLOCK: usize = 1 << 16;

/// Division of a table into bands and blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tiling {
    threads: usize,
    /// Words per strip, 1 to 4.
    words: usize,
    /// Strips per band.
    band: usize,
    /// Columns per block, a multiple of 64.
    block: usize,
}

impl Tiling {
    /// Creates the tiling for this number of rows and columns, not 0.
    pub(super) fn of_size(rows: usize, cols: usize, threads: usize) -> Self {
        if threads == 1 {
            return Self { threads, words: STRIP_WORDS, band: usize::MAX / STRIP_ROWS, block: MAX_BLOCK };
        }
        let parts = threads.saturating_mul(TILES_PER_THREAD);
        // Narrow enough to give every thread a strip.
        let words = rows.div_ceil(64).div_ceil(threads).clamp(1, STRIP_WORDS);
        let band = rows.div_ceil(64 * words).div_ceil(parts);
        let block = cols.div_ceil(parts).next_multiple_of(64).clamp(MIN_BLOCK, MAX_BLOCK);
        Self { threads, words, band, block }
    }

    /// Estimates the clock cycles that these rows and columns take.
    pub(super) fn cycles(&self, rows: usize, cols: usize) -> f64 {
        let words = rows.div_ceil(64);
        let strips = words.div_ceil(self.words);
        let at_once = self.threads.min(strips.div_ceil(self.band)).min(cols.div_ceil(self.block));
        // The last strip may have fewer words.
        let cycles = |words: usize| words.checked_sub(1).map_or(0.0, |last| COLUMN_CYCLES[last]);
        let column = (words / self.words) as f64 * cycles(self.words) + cycles(words % self.words);
        column * cols as f64 / at_once as f64
    }
}

/// Computes the words of the last column: bits of the rows where D increases by 1 from the row
/// above, and of those where it decreases. `tiling` must be made for these strings.
pub(super) fn last_column(
    strings: &Coded,
    first: FirstColumn,
    tiling: Tiling,
    progress: &(dyn Fn(u64) + Sync),
) -> (Vec<u64>, Vec<u64>) {
    let codes = &strings.codes;
    let first = match first {
        FirstColumn::Rising => Block::RISING,
        FirstColumn::Zero => Block::LEVEL,
    };
    let mut column = vec![first; codes.rows.len().div_ceil(64)];
    let mut steps = vec![Steps::RISING; codes.cols.len().div_ceil(64)];
    advance_columns(strings, &codes.cols, tiling, &mut column, &mut steps, progress);
    column.into_iter().map(Block::words).unzip()
}

/// Takes rows through `cols`, a part of the columns. On entry, `column` has the blocks of the
/// column before, and `steps` the differences above the first row. On return, `steps` has those in
/// the last block's last row.
pub(super) fn advance_columns(
    strings: &Coded,
    cols: &[u8],
    tiling: Tiling,
    column: &mut [Block],
    steps: &mut [Steps],
    progress: &(dyn Fn(u64) + Sync),
) {
    let tile = |(rows, blocks): &mut (&[u8], &mut [Block]), (cols, steps): &mut (&[u8], &mut [Steps])| {
        let mut table = MatchTable::new();
        for (rows, blocks) in rows.chunks(64 * tiling.words).zip(blocks.chunks_mut(tiling.words)) {
            strings.fill(&mut table, rows);
            match blocks.len() {
                4 => strip::<4>(blocks, &table, cols, steps),
                3 => strip::<3>(blocks, &table, cols, steps),
                2 => strip::<2>(blocks, &table, cols, steps),
                _ => strip::<1>(blocks, &table, cols, steps),
            }
            progress((rows.len() as u64).saturating_mul(cols.len() as u64));
        }
    };
    let rows = &strings.codes.rows;
    let band = tiling.band * tiling.words;
    let bands = rows.chunks(64 * band).zip(column.chunks_mut(band));
    let blocks = cols.chunks(tiling.block).zip(steps.chunks_mut(tiling.block / 64));
    if tiling.threads == 1 {
        let mut bands: Vec<_> = bands.collect();
        for mut block in blocks {
            bands.iter_mut().for_each(|band| tile(band, &mut block));
        }
    } else {
        tiles::run(bands, blocks, tile);
    }
}

/// Kept apart from its caller for the register allocator: nothing else is live in it.
#[inline(never)]
fn strip<const W: usize>(blocks: &mut [Block], table: &MatchTable, cols: &[u8], steps: &mut [Steps]) {
    if let Some(strip) = blocks.first_chunk_mut::<W>() {
        advance(strip, table, cols, steps, |_, _| ());
    }
}

#[cfg(test)]
mod tests {
    use super::super::algorithm::DistanceTable;
    use super::super::dp;
    use super::*;
    use crate::cpu::codes::random;
    use crate::pairwise::columns::Direction;
    use crate::pairwise::differences::Differences;
    use crate::text::Equality;
    use std::sync::atomic::{AtomicU64, Ordering};

    fn check(rows: &[u8], cols: &[u8], tiling: Tiling) {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
        for direction in [Direction::Forward, Direction::Backward] {
            let table =
                DistanceTable { rows, cols, direction, first: FirstColumn::Rising, equality: &Equality::exact() };
            let codes = Coded::new(&table);
            let done = AtomicU64::new(0);
            let progress = |cells| {
                done.fetch_add(cells, Ordering::Relaxed);
            };
            let (plus, minus) = pool.install(|| last_column(&codes, table.first, tiling, &progress));
            let (m, n) = (rows.len(), cols.len());
            let column = Differences::from_words(plus, minus, m, n as u64);
            assert_eq!(column, dp::last_column(rows, cols, direction), "{m} x {n}, {tiling:?}");
            assert_eq!(done.into_inner(), (m * n) as u64, "cells reported, {m} x {n}, {tiling:?}");
        }
    }

    #[test]
    fn one_thread() {
        for (m, n) in [(1, 70_000), (255, 300), (256, 64), (257, 65), (700, 1300), (1025, 129), (2100, 2100)] {
            for symbols in [1, 4, 256] {
                check(&random(m, symbols, 1), &random(n, symbols, 2), Tiling::of_size(m, n, 1));
            }
        }
    }

    #[test]
    fn a_wave_of_many_tiles() {
        // Tiles far smaller than in production, so that bands and blocks have edges of all kinds.
        for (m, n) in [(1, 1), (256, 64), (257, 65), (1000, 700), (1537, 1281), (513, 2049)] {
            for words in 1..=STRIP_WORDS {
                check(&random(m, 4, 1), &random(n, 4, 2), Tiling { threads: 4, words, band: 1, block: 64 });
            }
        }
    }

    #[test]
    fn tilings_cover_the_table_in_whole_groups() {
        for threads in [1, 2, 7, 128, usize::MAX] {
            for size in [1, 4096, 100_000, 4_641_652, 3_000_000_000] {
                let tiling = Tiling::of_size(size, size, threads);
                assert!(tiling.band > 0, "{tiling:?}");
                assert!((64..=MAX_BLOCK).contains(&tiling.block) && tiling.block.is_multiple_of(64), "{tiling:?}");
            }
        }
    }
}
