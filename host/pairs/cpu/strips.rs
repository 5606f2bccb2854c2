//! One long pair in bit lanes: each bit of a vector is a strip of rows of the same table, as in the comparison of two strings
//! (`cpu::lanes`). For pairs that are long and too few to be a bit each.

use crate::cpu::codes::Codes;
use crate::cpu::lane_parallel::{Tiling, last_column};
use crate::cpu::lcs_cell::LcsCell;
use crate::cpu::vector::Lanes;
use crate::distance::cpu::lane_cell::EditCell;
use crate::pairs::cost::Cost;
use crate::pairwise::column::Column;
use crate::pairwise::differences::Differences;

/// Clock cycles of a symbol: to rename it and to take it into bit planes. Measured on Zen 4.
const SYMBOL_CYCLES: f64 = 3.0;

/// The distance of two strings that are not empty. `progress` is called with the numbers of cells done; they add up to mn.
pub(super) fn distance(
    lanes: Lanes,
    [a, b]: [&[u8]; 2],
    cost: Cost,
    threads: usize,
    progress: &(dyn Fn(u64) + Sync),
) -> u64 {
    // The longer string is shared out among the lanes.
    let (rows, columns) = if a.len() >= b.len() { (a, b) } else { (b, a) };
    let m = rows.len();
    let n = columns.len() as u64;
    let codes = Codes::new(rows, columns, false);
    match cost {
        Cost::Levenshtein => {
            let tiling = Tiling::new::<2>(lanes, &codes, threads);
            let [plus, minus] = last_column::<2, EditCell>(&codes, tiling, None, progress);
            Differences::from_words(plus, minus, m, n).last()
        }
        Cost::Indel => {
            let tiling = Tiling::new::<1>(lanes, &codes, threads);
            let [words] = last_column::<1, LcsCell>(&codes, tiling, None, progress);
            m as u64 + n - 2 * Column::from_words(words, m).last() as u64
        }
    }
}

/// About how many clock cycles a pair of these lengths, not 0, takes.
pub(super) fn cycles(lanes: Lanes, [m, n]: [usize; 2], symbols: usize, cost: Cost, threads: usize) -> f64 {
    let size = [m.max(n), m.min(n)];
    let table = match cost {
        Cost::Levenshtein => Tiling::of_size::<2>(lanes, size, symbols, threads).cycles::<2, EditCell>(),
        Cost::Indel => Tiling::of_size::<1>(lanes, size, symbols, threads).cycles::<1, LcsCell>(),
    };
    table + SYMBOL_CYCLES * (m + n) as f64
}
