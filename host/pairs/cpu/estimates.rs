//! Sizes and settings for estimates of clock cycles.

use super::symbols::Alphabet;
use crate::cpu::vector::Lanes;
use crate::job::Progress;
use crate::pairs::cost::Cost;
use crate::pairs::limit::Limit;

/// Number of symbols of a string that are sampled to estimate the size of its alphabet.
const SAMPLE: usize = 512;

/// Lengths of a pair of a list.
#[derive(Clone, Copy)]
pub(in crate::pairs) struct Lengths {
    pub(super) m: u32,
    pub(super) n: u32,
    /// Number of the pair in the list.
    pub(super) number: u32,
}

/// A pair of strings, for an estimate.
#[derive(Clone, Copy)]
pub(in crate::pairs) struct Size {
    pub(super) m: usize,
    pub(super) n: usize,
    /// Size of the strings' alphabet.
    pub(super) symbols: usize,
    /// Number of threads that may share the pair.
    pub(super) threads: usize,
}

impl Size {
    #[inline]
    pub(super) fn cells(self) -> u64 {
        (self.m as u64).saturating_mul(self.n as u64)
    }
}

/// Settings for an estimate.
#[derive(Debug, Clone, Copy)]
pub(in crate::pairs) struct Settings {
    pub(super) lanes: Option<Lanes>,
    pub(super) cost: Cost,
    pub(super) limit: Limit,
}

impl Settings {
    /// Returns the greatest distance of interest of two strings of m and n symbols, or fewer.
    #[inline]
    pub(super) fn maximum(&self, m: usize, n: usize) -> Option<u32> {
        self.limit.of(self.cost, m, n)
    }

    /// Returns the number of rows, out of m, that the limit leaves in bit lanes of n columns.
    pub(super) fn width(&self, m: usize, n: usize) -> f64 {
        self.maximum(m, n).map_or(m as f64, |k| (m as f64).min(f64::from(k) + 24.0))
    }
}

/// Options for comparing pairs together.
#[derive(Clone, Copy)]
pub(in crate::pairs) struct Options<'p> {
    pub(super) cost: Cost,
    /// Maximum; greater distances are [`ABOVE`](crate::pairs::cost::ABOVE).
    pub(super) maximum: Option<u32>,
    /// Called with 0 from time to time; unwinds if the caller wants the job to end.
    pub(super) progress: Progress<'p>,
}

/// Returns the number of different symbols of the longer string of a pair, from a sample at its
/// start.
pub(super) fn alphabet_of([a, b]: [&[u8]; 2]) -> usize {
    let long = if a.len() >= b.len() { a } else { b };
    let mut alphabet = Alphabet::new();
    alphabet.add(&long[..long.len().min(SAMPLE)]);
    alphabet.symbols().count()
}

/// Returns the number of cells of a pair's table.
#[inline]
pub(super) fn cells([a, b]: &[&[u8]; 2]) -> u64 {
    (a.len() as u64).saturating_mul(b.len() as u64)
}
