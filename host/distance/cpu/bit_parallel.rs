//! The last column of an edit distance table by bit-vectors, on all cores: the main algorithm.
//!
//! There are two ways. Both divide the rows into strips that hand their horizontal differences to
//! the strip below, in tiles as a wavefront:
//!
//! - lanes, if the processor has AVX-512 or AVX2: many rows at once, one bit of each, so nothing
//!   carries (`lane_cell`);
//! - `word_parallel`, everywhere: 64 rows at once in a word, and one addition that carries from row
//!   to row.
//!
//! The faster way is chosen by estimated clock cycles, as for the LCS.

use super::algorithm::{CpuAlgorithm, DistanceTable};
use super::coded::Coded;
#[cfg(target_arch = "x86_64")]
use super::lane_cell::EditCell;
use super::word_parallel;
use crate::algorithm::About;
#[cfg(target_arch = "x86_64")]
use crate::cpu::codes::Codes;
use crate::cpu::symbols::symbols_of_shorter;
#[cfg(target_arch = "x86_64")]
use crate::cpu::{
    lane_parallel::{self, Tiling},
    vector::Lanes,
};
use crate::job::Progress;
use crate::pairwise::differences::{Differences, FirstColumn};
use crate::pairwise::rows::Computes;

/// The algorithm's entry.
pub const ALGORITHM: CpuAlgorithm = CpuAlgorithm {
    about: About::new(
        "bit-parallel",
        "bit-vectors on all cores, in lanes of AVX-512 or AVX2 if available, else in 64-bit words",
        "Myers 1999, Hyyrö 2003",
        "mn (log₂ σ + 5) / 512 vector instructions, or 17 mn / 64",
    ),
    computes: Computes::Columns(last_column),
};

/// Cells below which passing work to other threads costs more than it saves (about 0.06 ms of one
/// thread's work).
const PARALLEL_CELLS: u64 = 1 << 22;
/// Cells below which words are always faster, and the estimate would cost more than it could save.
const LANES_CELLS: u64 = 1 << 20;

/// Computes the last column of an edit distance table. If different symbols can be equal, words
/// compute it.
///
/// Runs on the current rayon pool if it has more than one thread and the table is large enough, and
/// on the calling thread otherwise. `progress` is called now and then, from any of those threads,
/// with the number of cells done since its last call; the numbers add up to mn.
pub fn last_column(table: &DistanceTable<'_>, progress: &(dyn Fn(u64) + Sync)) -> Differences {
    let m = table.rows.len();
    let n = table.cols.len() as u64;
    let first = match table.first {
        FirstColumn::Rising => !0,
        FirstColumn::Zero => 0,
    };
    if table.rows.is_empty() || table.cols.is_empty() {
        return Differences::from_words(vec![first; m.div_ceil(64)], Vec::new(), m, n);
    }
    let coded = Coded::new(table);
    let codes = &coded.codes;
    let cells = table.cells();
    let threads = threads(cells);
    let words = word_parallel::Tiling::of_size(m, table.cols.len(), threads);
    #[cfg(target_arch = "x86_64")]
    if cells >= LANES_CELLS
        && coded.is_exact()
        && let Some(lanes) = Tiling::faster_than::<2, EditCell>(codes, threads, words.cycles(m, table.cols.len()))
    {
        let zeros = vec![0; if table.first == FirstColumn::Zero { m.div_ceil(64) } else { 0 }];
        let first = (table.first == FirstColumn::Zero).then_some([&zeros[..]; 2]);
        let [plus, minus] = lane_parallel::last_column::<2, EditCell>(codes, lanes, first, progress);
        return Differences::from_words(plus, minus, m, n);
    }
    let (plus, minus) = word_parallel::last_column(&coded, table.first, words, progress);
    Differences::from_words(plus, minus, m, n)
}

/// Returns the number of threads for a table of some cells.
pub(super) fn threads(cells: u64) -> usize {
    if cells < PARALLEL_CELLS { 1 } else { rayon::current_num_threads() }
}

/// Returns true if the table with rows and columns exchanged should take less time.
pub(super) fn is_faster_exchanged(rows: &[u8], cols: &[u8]) -> bool {
    let size = [rows.len(), cols.len()];
    let cells = (size[0] as u64).saturating_mul(size[1] as u64);
    if cells < LANES_CELLS {
        return false;
    }
    let symbols = symbols_of_shorter(rows, cols);
    let threads = threads(cells);
    cycles([size[1], size[0]], symbols, threads) < cycles(size, symbols, threads)
}

/// Estimates the clock cycles of a table of `size` rows and columns.
fn cycles(size: [usize; 2], symbols: usize, threads: usize) -> f64 {
    let [rows, cols] = size;
    let words = word_parallel::Tiling::of_size(rows, cols, threads).cycles(rows, cols);
    #[cfg(target_arch = "x86_64")]
    if let Some(lanes) = Lanes::widest() {
        return words.min(Tiling::of_size::<2, EditCell>(lanes, size, symbols, threads).cycles::<2, EditCell>());
    }
    words
}

/// Computes the differences of a table's columns at multiples of `step` and at its end, forwards,
/// by lanes; returns `None` if the processor has no lanes. Bits past the last row have no meaning.
#[cfg(target_arch = "x86_64")]
pub(super) fn columns(rows: &[u8], cols: &[u8], step: usize, progress: Progress<'_>) -> Option<Vec<[Vec<u64>; 2]>> {
    let Codes { rows, cols, symbols } = Codes::new(rows, cols, false);
    let mut part = Codes { rows, cols: Vec::new(), symbols };
    let words = part.rows.len().div_ceil(64);
    let mut columns = vec![[vec![!0; words], vec![0; words]]];
    for cols in cols.chunks(step) {
        part.cols = cols.to_vec();
        let threads = rayon::current_num_threads();
        let tiling = Tiling::new::<2, EditCell>(Lanes::widest()?, &part, threads);
        let first = columns.last().map(|[plus, minus]| [&plus[..], &minus[..]]);
        columns.push(lane_parallel::last_column::<2, EditCell>(&part, tiling, first, progress));
    }
    Some(columns)
}

/// Returns `None`: there are no lanes.
#[cfg(not(target_arch = "x86_64"))]
pub(super) fn columns(_: &[u8], _: &[u8], _: usize, _: Progress<'_>) -> Option<Vec<[Vec<u64>; 2]>> {
    None
}

#[cfg(test)]
mod tests {
    use super::super::dp;
    use super::*;
    use crate::cpu::codes::random;
    use crate::pairwise::columns::Direction;
    use crate::text::Equality;

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn lanes_for_long_strings_and_words_for_short_ones() {
        let lanes = |m, n, symbols, threads| {
            let codes = Codes::new(&random(m, symbols, 1), &random(n, symbols, 2), false);
            let words = word_parallel::Tiling::of_size(m, n, threads).cycles(m, n);
            Tiling::faster_than::<2, EditCell>(&codes, threads, words).is_some()
        };
        for threads in [1, 16] {
            assert!(!lanes(100, 100, 4, threads));
            assert!(!lanes(100, 100_000, 4, threads), "too few rows for all lanes");
            assert!(!lanes(100_000, 50, 4, threads), "most columns would be spent on the way to the last lane");
            assert_eq!(lanes(100_000, 100_000, 4, threads), Lanes::widest().is_some());
        }
    }

    #[test]
    fn both_ways_against_the_plain_table() {
        for (m, n) in [(0, 0), (0, 7), (7, 0), (1, 1), (300, 500), (1500, 1200), (700, 2000)] {
            for symbols in [2, 4, 200] {
                let (rows, cols) = (random(m, symbols, 1), random(n, symbols, 2));
                for (direction, first) in [
                    (Direction::Forward, FirstColumn::Rising),
                    (Direction::Backward, FirstColumn::Rising),
                    (Direction::Forward, FirstColumn::Zero),
                ] {
                    for equality in [Equality::exact(), Equality::exact().group(&[0, 1]).group(&[1, 2]).group(&[1, 9])]
                    {
                        let table = DistanceTable { rows: &rows, cols: &cols, direction, first, equality: &equality };
                        let expected = dp::of_table(&table, &|_| ());
                        assert_eq!(
                            last_column(&table, &|_| ()),
                            expected,
                            "{m} x {n}, {symbols} symbols, {equality:?}"
                        );
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
                let (direction, first) = (Direction::Forward, FirstColumn::Rising);
                let table = DistanceTable { rows: &rows, cols: &cols, direction, first, equality: &Equality::exact() };
                pool.install(|| last_column(&table, &|_| panic!("stop")))
            }));
            assert!(result.is_err());
        }
    }
}
