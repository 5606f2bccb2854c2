//! One long pair in bit lanes: each bit of a vector is a strip of rows of the same table, as in the
//! comparison of two strings (`cpu::lanes`). For long pairs that are too few to fill the bits of a
//! vector.

use super::algorithm::{CpuAlgorithm, Single, Way};
use super::estimates::{Settings, Size};
use super::osa_cell::OsaCell;
use crate::algorithm::About;
use crate::cpu::codes::Codes;
use crate::cpu::lane_parallel::{Tiling, last_column};
use crate::cpu::lcs_cell::LcsCell;
use crate::cpu::short::trimmed;
use crate::cpu::vector::Lanes;
use crate::distance::cpu::lane_cell::EditCell;
use crate::job::Progress;
use crate::pairs::cost::{ABOVE, Cost};
use crate::pairwise::columns::LcsColumn;
use crate::pairwise::differences::Differences;

/// Clock cycles for renaming a symbol and adding it to bit planes. Measured on Zen 4.
const SYMBOL_CYCLES: f64 = 3.0;

/// Number of cells of a table below which words are at least as fast as strips.
pub(super) const MIN_CELLS: u64 = 1 << 18;

/// The algorithm's entry.
pub const ALGORITHM: CpuAlgorithm = CpuAlgorithm {
    about: About::new(
        "strips",
        "one long pair at a time, one strip of rows per bit of a vector",
        "Myers 1999; Hyyrö 2003; Crochemore et al. 2001",
        "mn / 60 cycles",
    ),
    way: Way::Single(Single { least_cells: MIN_CELLS, needs_lanes: true, cycles, distance: within }),
};

/// Computes the distance of two strings, or [`ABOVE`].
fn within(settings: &Settings, [a, b]: [&[u8]; 2], threads: usize, progress: Progress<'_>) -> u32 {
    let (a, b, _) = trimmed(a, b);
    let distance = match settings.lanes {
        Some(lanes) if !a.is_empty() && !b.is_empty() => distance(lanes, [a, b], settings.cost, threads, progress),
        _ => a.len().max(b.len()) as u64,
    };
    let known = |distance: &u32| settings.maximum(a.len(), b.len()).is_none_or(|maximum| *distance <= maximum);
    u32::try_from(distance).ok().filter(known).unwrap_or(ABOVE)
}

/// Computes the distance of two strings that are not empty. Calls `progress` with the numbers of
/// cells done, mn in total.
pub(super) fn distance(lanes: Lanes, [a, b]: [&[u8]; 2], cost: Cost, threads: usize, progress: Progress<'_>) -> u64 {
    // The longer string is distributed over the lanes.
    let (rows, columns) = if a.len() >= b.len() { (a, b) } else { (b, a) };
    let m = rows.len();
    let n = columns.len() as u64;
    let codes = Codes::new(rows, columns, false);
    match cost {
        Cost::Levenshtein => {
            let tiling = Tiling::new::<2, EditCell>(lanes, &codes, threads);
            let [plus, minus] = last_column::<2, EditCell>(&codes, tiling, None, progress);
            Differences::from_words(plus, minus, m, n).last()
        }
        Cost::Indel => {
            let tiling = Tiling::new::<1, LcsCell>(lanes, &codes, threads);
            let [words] = last_column::<1, LcsCell>(&codes, tiling, None, progress);
            m as u64 + n - 2 * LcsColumn::from_words(words, m).last() as u64
        }
        Cost::Osa => {
            let tiling = Tiling::new::<4, OsaCell>(lanes, &codes, threads);
            let [plus, minus, ..] = last_column::<4, OsaCell>(&codes, tiling, None, progress);
            Differences::from_words(plus, minus, m, n).last()
        }
    }
}

/// Estimates the clock cycles of a pair of strings that are not empty.
fn cycles(settings: &Settings, Size { m, n, symbols, threads }: Size) -> f64 {
    let Some(lanes) = settings.lanes else { return f64::INFINITY };
    let size = [m.max(n), m.min(n)];
    let table = match settings.cost {
        Cost::Levenshtein => Tiling::of_size::<2, EditCell>(lanes, size, symbols, threads).cycles::<2, EditCell>(),
        Cost::Indel => Tiling::of_size::<1, LcsCell>(lanes, size, symbols, threads).cycles::<1, LcsCell>(),
        Cost::Osa => Tiling::of_size::<4, OsaCell>(lanes, size, symbols, threads).cycles::<4, OsaCell>(),
    };
    table + SYMBOL_CYCLES * (m + n) as f64
}
