//! The last column of an LCS table by 64-bit words, on all cores: the production path.
//!
//! The table is cut into tiles of a band of rows by a block of columns. Inside a tile, strips of four words cross the
//! block one after the other (see `strip`); a tile needs the vector of the tile to its left and the carries of the
//! tile above it, so tiles run as a wavefront, each started by the later of those two.

use super::alphabet::Codes;
use super::strip::{MatchTable, advance};
use super::wave;
#[cfg(target_arch = "x86_64")]
use super::{lane_parallel, lanes::Lanes};
use crate::lcs::column::{Column, Direction};

/// Words of a strip. Four vector words, four temporaries and the loop fit x86-64's registers; five and six cost spills.
const STRIP_WORDS: usize = 4;
/// Rows of a strip.
const STRIP_ROWS: usize = STRIP_WORDS * 64;
/// Cells per clock cycle of one thread, by words.
#[cfg(target_arch = "x86_64")]
const CELLS_PER_CYCLE: f64 = 39.0;
/// Cells below which handing work to other threads costs more than it saves (about 0.06 ms of one thread's work).
const PARALLEL_CELLS: u64 = 1 << 23;
/// Bands and blocks per thread: enough tiles that few threads wait while the wave grows and shrinks.
const TILES_PER_THREAD: usize = 8;
/// Columns of a block at least: fewer, and filling the match tables shows. Twice as many, and 4096 x 4096 cannot be
/// shared out.
const MIN_BLOCK: usize = 2048;
/// Columns of a block at most: their codes and carries stay in the second-level cache.
const MAX_BLOCK: usize = 1 << 16;

/// The last column of the LCS table of `rows` and `cols` filled from the end that `direction` says.
///
/// Runs on the current rayon pool when it has more than one thread and the table is large enough, and on the calling
/// thread otherwise. `progress` is called now and then, from any of those threads, with the number of cells done since
/// its last call; the numbers add up to mn.
pub fn last_column(rows: &[u8], cols: &[u8], direction: Direction, progress: &(dyn Fn(u64) + Sync)) -> Column {
    if rows.is_empty() || cols.is_empty() {
        return Column::from_words(Vec::new(), rows.len());
    }
    let codes = Codes::new(rows, cols, direction);
    let cells = (rows.len() as u64).saturating_mul(cols.len() as u64);
    let threads = if cells < PARALLEL_CELLS { 1 } else { rayon::current_num_threads() };
    #[cfg(target_arch = "x86_64")]
    if let Some(lanes) = Lanes::widest() {
        let plan = lane_parallel::Plan::new(lanes, &codes, threads);
        if plan.cycles(cols.len()) < cells as f64 / CELLS_PER_CYCLE / threads as f64 {
            return Column::from_words(lane_parallel::last_column(&codes, plan, progress), rows.len());
        }
    }
    Column::from_words(by_words(&codes, threads, progress), rows.len())
}

/// The column's words by strips of four words.
fn by_words(codes: &Codes, threads: usize, progress: &(dyn Fn(u64) + Sync)) -> Vec<u64> {
    let mut vector = vec![!0u64; codes.rows.len().div_ceil(64)];
    let mut carries = vec![0u64; codes.cols.len().div_ceil(64)];
    if threads == 1 {
        for (cols, carries) in codes.cols.chunks(MAX_BLOCK).zip(carries.chunks_mut(MAX_BLOCK / 64)) {
            tile(codes.symbols, &codes.rows, &mut vector, cols, carries, progress);
        }
    } else {
        let plan = Plan::new(codes.rows.len(), codes.cols.len(), threads);
        by_tiles(codes, &mut vector, &mut carries, plan, progress);
    }
    vector
}

/// The same in tiles, on the current rayon pool.
fn by_tiles(codes: &Codes, vector: &mut [u64], carries: &mut [u64], plan: Plan, progress: &(dyn Fn(u64) + Sync)) {
    let bands = codes.rows.chunks(plan.band).zip(vector.chunks_mut(plan.band / 64));
    let blocks = codes.cols.chunks(plan.block).zip(carries.chunks_mut(plan.block / 64));
    wave::run(bands, blocks, |(rows, vector), (cols, carries)| {
        tile(codes.symbols, rows, vector, cols, carries, progress);
    });
}

/// The size of a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Plan {
    /// Rows, a multiple of [`STRIP_ROWS`].
    band: usize,
    /// Columns, a multiple of 64.
    block: usize,
}

impl Plan {
    fn new(rows: usize, cols: usize, threads: usize) -> Self {
        let parts = threads.saturating_mul(TILES_PER_THREAD);
        let band = rows.div_ceil(parts).next_multiple_of(STRIP_ROWS);
        let block = cols.div_ceil(parts).next_multiple_of(64).clamp(MIN_BLOCK, MAX_BLOCK);
        Self { band, block }
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

/// Kept apart from its caller for the register allocator: nothing else is alive in it.
#[inline(never)]
fn full_strip(strip: &mut [u64; STRIP_WORDS], table: &MatchTable<STRIP_WORDS>, cols: &[u8], carries: &mut [u64]) {
    advance(strip, table, cols, carries, |_| ());
}

/// The words that are left under the last full strip.
#[inline(never)]
fn short_strip<const W: usize>(symbols: usize, rows: &[u8], words: &mut [u64], cols: &[u8], carries: &mut [u64]) {
    if let Some(strip) = words.first_chunk_mut::<W>() {
        let mut table = MatchTable::new();
        table.fill(symbols, rows);
        advance(strip, &table, cols, carries, |_| ());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::cpu::dp;
    use std::sync::atomic::{AtomicU64, Ordering};

    fn text(len: usize, symbols: u64, seed: u64) -> Vec<u8> {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let next = |state: &mut u64| {
            *state ^= *state << 13;
            *state ^= *state >> 7;
            *state ^= *state << 17;
            *state >> 33
        };
        (0..len).map(|_| (next(&mut state) % symbols) as u8).collect()
    }

    #[test]
    fn a_wave_of_many_tiles_equals_dp() {
        // Tiles far smaller than production's, so that bands and blocks of every kind of edge occur.
        for (m, n) in [(1, 1), (256, 64), (257, 65), (1000, 700), (1537, 1281), (513, 2049)] {
            let (rows, cols) = (text(m, 4, 1), text(n, 4, 2));
            let codes = Codes::new(&rows, &cols, Direction::Backward);
            let mut vector = vec![!0; m.div_ceil(64)];
            let mut carries = vec![0; n.div_ceil(64)];
            let plan = Plan { band: STRIP_ROWS, block: 64 };
            let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
            let done = AtomicU64::new(0);
            let progress = |cells| {
                done.fetch_add(cells, Ordering::Relaxed);
            };
            pool.install(|| by_tiles(&codes, &mut vector, &mut carries, plan, &progress));
            assert_eq!(Column::from_words(vector, m), dp::last_column(&rows, &cols, Direction::Backward), "{m} x {n}");
            assert_eq!(done.into_inner(), (m * n) as u64);
        }
    }

    #[test]
    fn words_on_one_thread_equal_dp() {
        for (m, n) in [(1, 70_000), (700, 1300), (1025, 129), (2100, 2100)] {
            for symbols in [1, 4, 256] {
                let (rows, cols) = (text(m, symbols, 3), text(n, symbols, 4));
                let vector = by_words(&Codes::new(&rows, &cols, Direction::Forward), 1, &|_| ());
                let expected = dp::last_column(&rows, &cols, Direction::Forward);
                assert_eq!(Column::from_words(vector, m), expected, "{m} x {n}, {symbols} symbols");
            }
        }
    }

    #[test]
    fn plans_cover_the_table_in_whole_strips_and_groups() {
        for threads in [2, 7, 128] {
            for size in [1, 4096, 100_000, 4_641_652, 3_000_000_000] {
                let plan = Plan::new(size, size, threads);
                assert!(plan.band > 0 && plan.band.is_multiple_of(STRIP_ROWS), "{plan:?}");
                assert!((MIN_BLOCK..=MAX_BLOCK).contains(&plan.block) && plan.block.is_multiple_of(64), "{plan:?}");
            }
        }
    }

    #[test]
    fn a_panic_in_progress_reaches_the_caller() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let (rows, cols) = (text(5000, 4, 1), text(5000, 4, 2));
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            pool.install(|| last_column(&rows, &cols, Direction::Forward, &|_| panic!("stop")))
        }));
        assert!(result.is_err());
    }
}
