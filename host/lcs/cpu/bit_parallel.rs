//! The last column of an LCS table by bit-vectors, on all cores: the main algorithm.
//!
//! There are three ways. All divide the rows into strips that hand their carries to the strip
//! below, in tiles as a wavefront:
//!
//! - `lane_parallel`, if the processor has AVX-512 or AVX2: many rows at once, one bit of each, so
//!   nothing carries;
//! - `word_parallel`, everywhere: 64 rows at once in a word, and one addition that carries from row
//!   to row;
//! - `few_rows`, the same words if one of the strings is short, in strips so narrow that each
//!   thread has one.
//!
//! Lanes are several times faster once there are rows for all of them, and enough columns to pay
//! for the skew: the last lane begins as many steps after the first as there are lanes. The fastest
//! way is chosen by estimated clock cycles.

use super::algorithm::CpuAlgorithm;
use super::{few_rows, subsequence, word_parallel};
use crate::algorithm::About;
use crate::cpu::codes::Codes;
#[cfg(target_arch = "x86_64")]
use crate::cpu::{
    lane_parallel::{self, Tiling},
    lcs_cell::LcsCell,
    symbols::symbols_of_shorter,
    vector::Lanes,
};
use crate::pairwise::columns::{Direction, LcsColumn};
use crate::pairwise::rows::Computes;

/// The algorithm's entry.
pub const ALGORITHM: CpuAlgorithm = CpuAlgorithm {
    about: About::new(
        "bit-parallel",
        "bit-vectors on all cores, in lanes of AVX-512 or AVX2 if available, else in 64-bit words",
        "Crochemore, Iliopoulos, Pinzon, Reid 2001",
        "mn (log₂ σ + 2) / 512 vector instructions, or 6 mn / 64",
    ),
    computes: Computes::Columns(last_column),
};

/// Cells below which passing work to other threads costs more than it saves (about 0.06 ms of one
/// thread's work).
const PARALLEL_CELLS: u64 = 1 << 23;
/// Cells below which words in blocks are always faster, and the estimate would cost more than it
/// could save.
const ESTIMATED_CELLS: u64 = 1 << 20;

/// Computes the last column of the LCS table of `rows` and `cols`, filled from the end that
/// `direction` gives.
///
/// Runs on the current rayon pool if it has more than one thread and the table is large enough, and
/// on the calling thread otherwise. `progress` is called now and then, from any of those threads,
/// with the number of cells done since its last call; the numbers add up to mn.
pub fn last_column(rows: &[u8], cols: &[u8], direction: Direction, progress: &(dyn Fn(u64) + Sync)) -> LcsColumn {
    if rows.is_empty() || cols.is_empty() {
        return LcsColumn::from_words(Vec::new(), rows.len());
    }
    let m = rows.len();
    let n = cols.len();
    let backward = direction == Direction::Backward;
    let cells = (m as u64).saturating_mul(n as u64);
    let threads = if cells < PARALLEL_CELLS { 1 } else { rayon::current_num_threads() };
    if cells >= ESTIMATED_CELLS
        && let Some(column) = of_a_subsequence(rows, cols, direction, progress)
    {
        return column;
    }
    let words = word_parallel::Tiling::of_size(m, n, threads);
    if cells >= ESTIMATED_CELLS {
        let few = few_rows::Tiling::of_size(m, n, threads).filter(|few| few.cycles < words.cycles(m, n));
        if let Some(few) = few.filter(|few| !lanes_are_faster(rows, cols, threads, few.cycles)) {
            return LcsColumn::from_words(few_rows::last_column(rows, cols, backward, few, progress), m);
        }
    }
    let codes = Codes::new(rows, cols, backward);
    #[cfg(target_arch = "x86_64")]
    if cells >= ESTIMATED_CELLS
        && let Some(lanes) = Tiling::faster_than::<1, LcsCell>(&codes, threads, words.cycles(m, n))
    {
        let [words] = lane_parallel::last_column::<1, LcsCell>(&codes, lanes, None, progress);
        return LcsColumn::from_words(words, m);
    }
    LcsColumn::from_words(word_parallel::last_column(&codes, words, progress), m)
}

/// Computes the last column if one string is less than half as long as the other, and a subsequence
/// of it.
fn of_a_subsequence(
    rows: &[u8],
    cols: &[u8],
    direction: Direction,
    progress: &(dyn Fn(u64) + Sync),
) -> Option<LcsColumn> {
    let m = rows.len();
    let n = cols.len();
    let backward = direction == Direction::Backward;
    if m < n / 2 {
        subsequence::reach(rows, cols, backward)?;
        progress(m as u64 * n as u64);
        // L increases in all rows.
        return Some(LcsColumn::from_words(vec![0; m.div_ceil(64)], m));
    }
    if n < m / 2 {
        let reach = subsequence::reach(cols, rows, backward).filter(|&reach| reach < m)?;
        let part = if backward { &rows[m - reach..] } else { &rows[..reach] };
        let column = last_column(part, cols, direction, progress);
        progress((m - reach) as u64 * n as u64);
        return Some(column.extended(m));
    }
    None
}

/// Returns true if lanes should take fewer than `cycles` clock cycles. The symbols are those of the
/// shorter string.
#[cfg(target_arch = "x86_64")]
fn lanes_are_faster(rows: &[u8], cols: &[u8], threads: usize, cycles: f64) -> bool {
    let symbols = symbols_of_shorter(rows, cols);
    let lanes = |lanes| Tiling::of_size::<1, LcsCell>(lanes, [rows.len(), cols.len()], symbols, threads);
    Lanes::widest().is_some_and(|widest| lanes(widest).cycles::<1, LcsCell>() < cycles)
}

#[cfg(not(target_arch = "x86_64"))]
fn lanes_are_faster(_rows: &[u8], _cols: &[u8], _threads: usize, _cycles: f64) -> bool {
    false
}

#[cfg(feature = "published")]
/// Computes the last column by 64-bit words on the calling thread only, whatever the processor has.
pub(in crate::lcs) fn by_words(
    rows: &[u8],
    cols: &[u8],
    direction: Direction,
    progress: &(dyn Fn(u64) + Sync),
) -> LcsColumn {
    if rows.is_empty() || cols.is_empty() {
        return LcsColumn::from_words(Vec::new(), rows.len());
    }
    let codes = Codes::new(rows, cols, direction == Direction::Backward);
    let tiling = word_parallel::Tiling::of_size(rows.len(), cols.len(), 1);
    LcsColumn::from_words(word_parallel::last_column(&codes, tiling, progress), rows.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::codes::random;
    use crate::lcs::cpu::dp;

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn lanes_for_long_strings_and_words_for_short_ones() {
        let lanes = |m, n, symbols, threads| {
            let codes = Codes::new(&random(m, symbols, 1), &random(n, symbols, 2), false);
            let words = word_parallel::Tiling::of_size(m, n, threads).cycles(m, n);
            let few = few_rows::Tiling::of_size(m, n, threads).map_or(words, |few| few.cycles);
            Tiling::faster_than::<1, LcsCell>(&codes, threads, words.min(few)).is_some()
        };
        for threads in [1, 16] {
            assert!(!lanes(100, 100, 4, threads));
            assert!(!lanes(100, 100_000, 4, threads), "too few rows for all lanes");
            assert!(!lanes(100_000, 100, 4, threads), "most columns would be spent on the way to the last lane");
            assert_eq!(lanes(100_000, 100_000, 4, threads), Lanes::widest().is_some());
        }
        assert!(!lanes(4096, 4096, 256, 2), "two threads by words are faster than one by lanes");
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn lanes_against_the_plain_table() {
        lane_parallel::cases::run::<1, LcsCell>(&|rows, cols, backward| {
            let direction = if backward { Direction::Backward } else { Direction::Forward };
            let column = dp::last_column(rows, cols, direction);
            let mut words = vec![0; rows.len().div_ceil(64)];
            for i in 0..rows.len() {
                words[i / 64] |= u64::from(!column.step(i)) << (i % 64);
            }
            [words]
        });
    }

    #[test]
    fn a_subsequence_of_the_longer_string() {
        use std::sync::atomic::{AtomicU64, Ordering};
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        for (symbols, seed) in [(2, 1), (4, 2), (20, 3)] {
            let (short, long) = (random(500, symbols, seed), random(24_000, symbols, seed + 10));
            // The last symbol of the short string occurs only at the long string's end, or nowhere.
            let at_end = [&long[..], &[99]].concat();
            for (long, last) in [(&long, 0), (&at_end, 99), (&long, 99)] {
                let short = [&short[..], &[last], &short[..50]].concat();
                for (rows, cols) in [(&short, long), (long, &short)] {
                    for direction in [Direction::Forward, Direction::Backward] {
                        let done = AtomicU64::new(0);
                        let progress = |cells| {
                            done.fetch_add(cells, Ordering::Relaxed);
                        };
                        let column = pool.install(|| last_column(rows, cols, direction, &progress));
                        let expected = dp::last_column(rows, cols, direction);
                        assert!(
                            column == expected,
                            "{} × {}, {symbols} symbols, {last}, {direction:?}",
                            rows.len(),
                            cols.len()
                        );
                        assert_eq!(done.into_inner(), (rows.len() * cols.len()) as u64, "cells told");
                    }
                }
            }
        }
    }

    #[test]
    fn a_panic_in_progress_reaches_the_caller() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        for size in [5000, 50_000] {
            let (rows, cols) = (random(size, 4, 1), random(size, 4, 2));
            let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                pool.install(|| last_column(&rows, &cols, Direction::Forward, &|_| panic!("stop")))
            }));
            assert!(result.is_err());
        }
    }
}
