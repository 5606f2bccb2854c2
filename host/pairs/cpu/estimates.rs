//! Estimated clock cycles of each way to compare, for the choice of the fastest.

#[cfg(target_arch = "x86_64")]
use super::strips;
use super::symbols::Alphabet;
use crate::cpu::planes::planes;
use crate::cpu::vector::Lanes;
use crate::pairs::cost::Cost;

/// Cells of a table below which words are faster than strips, or as fast.
pub(super) const STRIPS_CELLS: u64 = 1 << 18;
/// Symbols of a string that are looked at to estimate the size of its alphabet.
const SAMPLE: usize = 512;
/// The least part of a vector's lanes which a group of columns should fill: below, words are as fast.
pub(super) const FILLED: f64 = 0.06;

/// Clock cycles: of preparing a group, of a string's symbol in it, and of a cell by words. Measured on Sapphire Rapids and Zen.
const GROUP_CYCLES: f64 = 20_000.0;
const SYMBOL_CYCLES: f64 = 0.25;
const WORD_CELL_CYCLES: f64 = 0.125;
const WORD_LCS_CELL_CYCLES: f64 = 0.055;
/// Clock cycles of a vector of cells where the tables have a row string in common; the LCS takes half as many.
const SHARED_CELL_CYCLES: f64 = 2.6;
/// Clock cycles of a short string's table, and of each of its columns.
const SHORT_CYCLES: f64 = 40.0;
const SHORT_COLUMN_CYCLES: f64 = 9.0;

/// The lengths of a pair of a list. The order is that of the fields.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Lengths {
    pub(super) m: usize,
    pub(super) n: usize,
    /// The pair's number in the list.
    pub(super) number: usize,
}

/// The estimates, and the options that they depend on.
#[derive(Clone, Copy)]
pub(super) struct Estimates {
    pub(super) lanes: Option<Lanes>,
    pub(super) cost: Cost,
    pub(super) maximum: Option<u32>,
}

impl Estimates {
    /// Estimates the clock cycles of a pair of m and n symbols by itself.
    #[inline]
    pub(super) fn pair(&self, [m, n]: [usize; 2], symbols: usize) -> f64 {
        let words = self.words([m, n]);
        #[cfg(target_arch = "x86_64")]
        if let Some(lanes) = self.lanes
            && (m as u64).saturating_mul(n as u64) >= STRIPS_CELLS
        {
            return words.min(strips::cycles(lanes, [m, n], symbols, self.cost, 1));
        }
        words
    }

    /// Estimates the clock cycles of a group in lanes, for strings with an alphabet of this size.
    pub(super) fn group(&self, lanes: Lanes, group: &[Lengths], alphabet: usize) -> f64 {
        let m = group.iter().map(|pair| pair.m).max().unwrap_or(0) as f64;
        let n = group.iter().map(|pair| pair.n).max().unwrap_or(0) as f64;
        let symbols: f64 = group.iter().map(|pair| (pair.m + pair.n) as f64).sum();
        let width = self.maximum.map_or(m, |k| m.min(f64::from(k) + 24.0));
        let planes = planes(alphabet) as f64;
        // Two instructions a cycle; those of AVX2 are more, of two operands. Measured with AVX2 (Zen), and 2 and 6 planes.
        let cell = match (self.cost, lanes.words() == 8) {
            (Cost::Levenshtein, true) => 2.5 + planes / 2.0,
            (Cost::Levenshtein, false) => 2.0 + planes,
            (Cost::Indel, true) => 1.0 + planes / 2.0,
            (Cost::Indel, false) => planes,
        };
        GROUP_CYCLES + SYMBOL_CYCLES * symbols + width * n * cell
    }

    /// Estimates the clock cycles of a pair by words.
    #[inline]
    pub(super) fn words(&self, [m, n]: [usize; 2]) -> f64 {
        let short = m.min(n);
        let long = m.max(n);
        if long <= 64 {
            return SHORT_CYCLES + SHORT_COLUMN_CYCLES * short as f64;
        }
        if short <= 64 {
            return SHORT_CYCLES + SHORT_COLUMN_CYCLES * long as f64;
        }
        let width = self.maximum.map_or(short, |k| short.min(k as usize + 128));
        let cell = match self.cost {
            Cost::Levenshtein => WORD_CELL_CYCLES,
            Cost::Indel => WORD_LCS_CELL_CYCLES,
        };
        1000.0 + cell * width as f64 * long as f64
    }

    /// Returns whether one table at a time is faster than one in each lane: for few, long strings.
    pub(super) fn strips_pay(&self, lanes: Lanes, rows: &[&[u8]], columns: &[&[u8]]) -> bool {
        let mean = |list: &[&[u8]]| list.iter().map(|string| string.len()).sum::<usize>() / list.len().max(1);
        let m = mean(rows);
        let n = mean(columns);
        let (Some(row), Some(column)) = (rows.first(), columns.first()) else { return false };
        if (m as u64).saturating_mul(n as u64) < STRIPS_CELLS {
            return false;
        }
        let cell = match self.cost {
            Cost::Levenshtein => SHARED_CELL_CYCLES,
            Cost::Indel => SHARED_CELL_CYCLES / 2.0,
        };
        let operands = if lanes.words() == 8 { 1.0 } else { 1.5 };
        let width = self.maximum.map_or(m as f64, |k| (m as f64).min(f64::from(k) + 24.0));
        let few = rows.len().min(columns.len());
        let many = rows.len().max(columns.len());
        let shared = (few * many.div_ceil(64 * lanes.words())) as f64 * width * n as f64 * cell * operands;
        (few * many) as f64 * self.pair([m, n], alphabet_of([row, column])) < shared
    }
}

/// The number of different symbols of the longer string of a pair, by its first ones.
pub(super) fn alphabet_of([a, b]: [&[u8]; 2]) -> usize {
    let long = if a.len() >= b.len() { a } else { b };
    let mut alphabet = Alphabet::new();
    alphabet.add(&long[..long.len().min(SAMPLE)]);
    alphabet.symbols().count()
}

/// The cells of a pair's table.
#[inline]
pub(super) fn cells([a, b]: &[&[u8]; 2]) -> u64 {
    (a.len() as u64).saturating_mul(b.len() as u64)
}
