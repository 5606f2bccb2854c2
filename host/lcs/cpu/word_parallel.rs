//! The last column by 64-bit words: for processors without lanes (see `lane_parallel`), and for
//! tables too small for them.
//!
//! ```text
//!             block     block
//!           +---------+---------+
//!   strip 0 | ------> |         |   A tile is a band of strips by a block of columns. In a tile,
//!   strip 1 | ------> |         |   strips of four words cross the block one after the other (see
//!   strip 2 | ------> |         |   `strip`), and each passes its carries to the strip below.
//!           +---------+---------+
//! ```

use super::strip::{COLUMN_CYCLES, MatchTable, advance};
use crate::cpu::codes::Codes;
use crate::cpu::tiles;

/// Words per strip. Four vector words, four temporaries and the loop fit x86-64's registers; five
/// and six words cause spills.
pub(in crate::lcs) const STRIP_WORDS: usize = 4;
/// Rows per strip.
pub(in crate::lcs) const STRIP_ROWS: usize = STRIP_WORDS * 64;
/// Clock cycles per row to fill a match table, once per block.
const FILL_CYCLES: f64 = 6.5;
/// Bands and blocks per thread: enough tiles that few threads wait while the wave grows and
/// shrinks.
const TILES_PER_THREAD: usize = 8;
/// Minimum columns per block: with fewer, the time to fill the match tables is noticeable. With
/// twice as many, a table of 4096 x 4096 cannot be divided among threads.
const MIN_BLOCK: usize = 2048;
/// Maximum columns per block: their codes and carries stay in the second-level cache.
const MAX_BLOCK: usize = 1 << 16;

/// Division of a table into bands and blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tiling {
    pub(super) threads: usize,
    /// Rows per band, a multiple of [`STRIP_ROWS`].
    pub(super) band: usize,
    /// Columns per block, a multiple of 64.
    pub(super) block: usize,
}

impl Tiling {
    /// Creates the tiling for this number of rows and columns, not 0.
    pub(super) fn of_size(rows: usize, cols: usize, threads: usize) -> Self {
        if threads == 1 {
            return Self { threads, band: usize::MAX - usize::MAX % STRIP_ROWS, block: MAX_BLOCK };
        }
        let parts = threads.saturating_mul(TILES_PER_THREAD);
        let band = rows.div_ceil(parts).next_multiple_of(STRIP_ROWS);
        let block = cols.div_ceil(parts).next_multiple_of(64).clamp(MIN_BLOCK, MAX_BLOCK);
        Self { threads, band, block }
    }

    /// Estimates the clock cycles that these rows and columns take.
    pub(super) fn cycles(&self, rows: usize, cols: usize) -> f64 {
        let blocks = cols.div_ceil(self.block);
        let at_once = self.threads.min(rows.div_ceil(self.band)).min(blocks);
        // Clock cycles of one column through all strips. The last strip may have fewer words.
        let words = rows.div_ceil(64);
        let last = (words % STRIP_WORDS).checked_sub(1).and_then(|last| COLUMN_CYCLES.get(last));
        let column = (words / STRIP_WORDS) as f64 * COLUMN_CYCLES[STRIP_WORDS - 1] + last.unwrap_or(&0.0);
        (column * cols as f64 + FILL_CYCLES * rows as f64 * blocks as f64) / at_once as f64
    }
}

/// Computes the words of the last column. `tiling` must be made for these codes.
pub(super) fn last_column(codes: &Codes, tiling: Tiling, progress: &(dyn Fn(u64) + Sync)) -> Vec<u64> {
    let mut vector = vec![!0u64; codes.rows.len().div_ceil(64)];
    let mut carries = vec![0u64; codes.cols.len().div_ceil(64)];
    advance_columns(codes, tiling, &mut vector, &mut carries, progress);
    vector
}

/// Takes a band of rows through these columns. On entry, `vector` has the words of the column
/// before. `carries` has one bit per column, with the first column in the highest bit of its word:
/// the carries into the first row on entry, those out of the last row on return.
pub(super) fn advance_columns(
    codes: &Codes,
    tiling: Tiling,
    vector: &mut [u64],
    carries: &mut [u64],
    progress: &(dyn Fn(u64) + Sync),
) {
    if tiling.threads == 1 {
        for (cols, carries) in codes.cols.chunks(tiling.block).zip(carries.chunks_mut(tiling.block / 64)) {
            tile(codes.symbols, &codes.rows, vector, cols, carries, progress);
        }
    } else {
        let bands = codes.rows.chunks(tiling.band).zip(vector.chunks_mut(tiling.band / 64));
        let blocks = codes.cols.chunks(tiling.block).zip(carries.chunks_mut(tiling.block / 64));
        tiles::run(bands, blocks, |(rows, vector), (cols, carries)| {
            tile(codes.symbols, rows, vector, cols, carries, progress);
        });
    }
}

/// Takes all strips of a band, top down, through a block of columns.
fn tile(
    symbols: usize,
    rows: &[u8],
    vector: &mut [u64],
    cols: &[u8],
    carries: &mut [u64],
    progress: &(dyn Fn(u64) + Sync),
) {
    let (strips, last) = vector.as_chunks_mut::<STRIP_WORDS>();
    let (whole, rest) = rows.split_at(rows.len().min(strips.len() * STRIP_ROWS));
    if !strips.is_empty() {
        let mut table = MatchTable::new();
        for (rows, strip) in whole.chunks(STRIP_ROWS).zip(strips) {
            table.fill(symbols, rows);
            full_strip(strip, &table, cols, carries);
            progress((rows.len() as u64).saturating_mul(cols.len() as u64));
        }
    }
    match last.len() {
        1 => short_strip::<1>(symbols, rest, last, cols, carries),
        2 => short_strip::<2>(symbols, rest, last, cols, carries),
        3 => short_strip::<3>(symbols, rest, last, cols, carries),
        _ => {}
    }
    if !rest.is_empty() {
        progress((rest.len() as u64).saturating_mul(cols.len() as u64));
    }
}

/// Kept apart from its caller for the register allocator: nothing else is live in it.
#[inline(never)]
fn full_strip(strip: &mut [u64; STRIP_WORDS], table: &MatchTable<STRIP_WORDS>, cols: &[u8], carries: &mut [u64]) {
    advance(strip, table, cols, carries, |_| ());
}

/// Computes the words below the last full strip.
#[inline(never)]
fn short_strip<const W: usize>(symbols: usize, rows: &[u8], words: &mut [u64], cols: &[u8], carries: &mut [u64]) {
    if let Some(strip) = words.first_chunk_mut::<W>() {
        let mut table: MatchTable<W> = MatchTable::new();
        table.fill(symbols, rows);
        advance(strip, &table, cols, carries, |_| ());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::codes::random;
    use crate::lcs::cpu::dp;
    use crate::pairwise::columns::{Direction, LcsColumn};
    use std::sync::atomic::{AtomicU64, Ordering};

    fn check(rows: &[u8], cols: &[u8], tiling: Tiling) {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
        for direction in [Direction::Forward, Direction::Backward] {
            let codes = Codes::new(rows, cols, direction == Direction::Backward);
            let done = AtomicU64::new(0);
            let progress = |cells| {
                done.fetch_add(cells, Ordering::Relaxed);
            };
            let words = pool.install(|| last_column(&codes, tiling, &progress));
            let (m, n) = (rows.len(), cols.len());
            assert_eq!(
                LcsColumn::from_words(words, m),
                dp::last_column(rows, cols, direction),
                "{m} x {n}, {tiling:?}"
            );
            assert_eq!(done.into_inner(), (m * n) as u64, "cells reported, {m} x {n}, {tiling:?}");
        }
    }

    #[test]
    fn one_thread() {
        for (m, n) in [(1, 70_000), (255, 300), (256, 64), (257, 65), (700, 1300), (1025, 129), (2100, 2100)] {
            for symbols in [1, 4, 256] {
                let (rows, cols) = (random(m, symbols, 1), random(n, symbols, 2));
                check(&rows, &cols, Tiling::of_size(m, n, 1));
            }
        }
    }

    #[test]
    fn a_wave_of_many_tiles() {
        // Tiles far smaller than in production, so that bands and blocks have edges of all kinds.
        for (m, n) in [(1, 1), (256, 64), (257, 65), (1000, 700), (1537, 1281), (513, 2049)] {
            check(&random(m, 4, 1), &random(n, 4, 2), Tiling { threads: 4, band: STRIP_ROWS, block: 64 });
        }
    }

    #[test]
    fn tilings_cover_the_table_in_whole_strips_and_groups() {
        for threads in [1, 2, 7, 128, usize::MAX] {
            for size in [1, 4096, 100_000, 4_641_652, 3_000_000_000] {
                let tiling = Tiling::of_size(size, size, threads);
                assert!(tiling.band > 0 && tiling.band.is_multiple_of(STRIP_ROWS), "{tiling:?}");
                assert!(
                    (MIN_BLOCK..=MAX_BLOCK).contains(&tiling.block) && tiling.block.is_multiple_of(64),
                    "{tiling:?}"
                );
            }
        }
    }
}
