//! The last column of an LCS table by bit-vectors, on all cores: the production path.
//!
//! Two ways to do it, both of strips of rows that hand their carries to the strip below, in tiles as a wavefront:
//!
//! - `lane_parallel`, where the processor has AVX-512 or AVX2: many rows at once, one bit of each, so nothing carries;
//! - `word_parallel`, everywhere: 64 rows at once in a word, and one addition that carries from row to row.
//!
//! Lanes are several times faster once there are rows for all of them, and columns enough to pay for the skew: the last lane begins as many
//! steps after the first as there are lanes.
//! Which is faster is estimated from counts of clock cycles.

use super::CpuAlgorithm;
use super::word_parallel;
use crate::algorithm::About;
use crate::align::column::{Column, Direction};
use crate::cpu::codes::Codes;
#[cfg(target_arch = "x86_64")]
use crate::cpu::{
    lane_parallel::{self, Tiling},
    lcs_cell::LcsCell,
};

/// The algorithm's entry.
pub const ALGORITHM: CpuAlgorithm = CpuAlgorithm {
    about: About::new(
        "bit-parallel",
        "bit-vectors on all cores, in lanes of AVX-512 or AVX2 where there are any, else in 64-bit words",
        "Crochemore, Iliopoulos, Pinzon, Reid 2001",
        "mn (log₂ σ + 2) / 512 vector instructions, or 6 mn / 64",
    ),
    last_column,
};

/// Cells below which handing work to other threads costs more than it saves (about 0.06 ms of one thread's work).
const PARALLEL_CELLS: u64 = 1 << 23;
/// Cells below which words are always faster, and the estimate would cost more than it could save.
#[cfg(target_arch = "x86_64")]
const LANES_CELLS: u64 = 1 << 20;

/// The last column of the LCS table of `rows` and `cols` filled from the end that `direction` says.
///
/// Runs on the current rayon pool when it has more than one thread and the table is large enough, and on the calling
/// thread otherwise. `progress` is called now and then, from any of those threads, with the number of cells done since
/// its last call; the numbers add up to mn.
pub fn last_column(rows: &[u8], cols: &[u8], direction: Direction, progress: &(dyn Fn(u64) + Sync)) -> Column {
    if rows.is_empty() || cols.is_empty() {
        return Column::from_words(Vec::new(), rows.len());
    }
    let codes = Codes::new(rows, cols, direction == Direction::Backward);
    let cells = (rows.len() as u64).saturating_mul(cols.len() as u64);
    let threads = if cells < PARALLEL_CELLS { 1 } else { rayon::current_num_threads() };
    let words = word_parallel::Tiling::new(&codes, threads);
    #[cfg(target_arch = "x86_64")]
    if cells >= LANES_CELLS
        && let Some(lanes) = Tiling::faster_than::<1, LcsCell>(&codes, threads, words.cycles(&codes))
    {
        let [words] = lane_parallel::last_column::<1, LcsCell>(&codes, lanes, None, progress);
        return Column::from_words(words, rows.len());
    }
    Column::from_words(word_parallel::last_column(&codes, words, progress), rows.len())
}

/// The same by 64-bit words and on the calling thread alone, whatever there is.
pub(in crate::lcs) fn by_words(
    rows: &[u8],
    cols: &[u8],
    direction: Direction,
    progress: &(dyn Fn(u64) + Sync),
) -> Column {
    if rows.is_empty() || cols.is_empty() {
        return Column::from_words(Vec::new(), rows.len());
    }
    let codes = Codes::new(rows, cols, direction == Direction::Backward);
    let tiling = word_parallel::Tiling::new(&codes, 1);
    Column::from_words(word_parallel::last_column(&codes, tiling, progress), rows.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "x86_64")]
    use crate::cpu::vector::Lanes;
    use crate::lcs::cpu::{dp, random};

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn lanes_for_long_strings_and_words_for_short_ones() {
        let lanes = |m, n, symbols, threads| {
            let codes = Codes::new(&random(m, symbols, 1), &random(n, symbols, 2), false);
            let words = word_parallel::Tiling::new(&codes, threads).cycles(&codes);
            Tiling::faster_than::<1, LcsCell>(&codes, threads, words).is_some()
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
