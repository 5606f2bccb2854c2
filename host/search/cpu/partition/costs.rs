//! Estimated costs of patterns in an index and of each pattern alone, which decide which patterns
//! go to the index; and the comparison of pairs of pieces.

use crate::search::cpu::seeds;

/// Nanoseconds on one core for the scan of one symbol.
pub const SCAN: f64 = 3.0;
/// Nanoseconds per position of a q-gram and pattern with that q-gram.
pub const PLACE: f64 = 5.0;
/// Nanoseconds per window, in addition to its symbols.
pub const WINDOW: f64 = 30.0;
/// Nanoseconds per instruction, to convert the algorithms' costs.
const INSTRUCTION: f64 = 0.37;

/// Returns the nanoseconds per symbol of the text for a search of the whole text for a single
/// pattern of m positions: by the SIMD search, or by bit-vectors if k is too large for it.
pub fn alone(m: usize, k: u32) -> f64 {
    match k {
        0..=15 => 0.1 + 0.0022 * m as f64 * (f64::from(k) + 1.0),
        _ => 6.0 * m.div_ceil(64).min(k as usize / 32 + 1) as f64,
    }
}

/// Returns the nanoseconds per symbol of a window. Several windows are searched at a time if m is
/// at most 64.
pub fn column(m: usize) -> f64 {
    if m <= 64 { 2.0 } else { 6.0 * m.div_ceil(64) as f64 }
}

/// The costs of patterns in a random text.
pub struct Costs {
    pub k: u32,
    /// Effective number of symbols of the text, as if all were equally frequent.
    pub symbols: f64,
}

impl Costs {
    /// Returns the gain in nanoseconds per symbol of having a pattern of m positions in an index of
    /// q-grams, with pieces of a given length; negative if a separate search is faster, or if q is
    /// greater than the length.
    pub fn gain(&self, m: usize, length: usize, q: usize) -> f64 {
        if q > length {
            return -1.0;
        }
        self.apart(m, length) - self.of_pattern(m, length, q)
    }

    /// Returns the nanoseconds per symbol of a separate search for a pattern of m positions, with
    /// pieces of a given length as seeds.
    fn apart(&self, m: usize, length: usize) -> f64 {
        let seeds = seeds::least(m, self.k as usize + 1, self.symbols, length)
            .map_or(f64::INFINITY, |(cost, _)| cost * INSTRUCTION);
        alone(m, self.k).min(seeds)
    }

    /// Returns the nanoseconds per symbol of a pattern of m positions in an index of q-grams, with
    /// pieces of a given length, at least q. The scan is not included.
    fn of_pattern(&self, m: usize, length: usize, q: usize) -> f64 {
        let pieces = f64::from(self.k) + 1.0;
        let of_symbols = |length: usize| pieces * self.symbols.powf(-(length as f64));
        // A partner with at most one error: about 2 σ variants per symbol (substituted, left out or
        // inserted).
        let beside = length.min(BESIDE) as f64;
        let near = ((1.0 + 2.0 * self.symbols * beside) * self.symbols.powf(-beside)).min(1.0);
        let single = f64::from((self.k + 1) % 2) / pieces;
        let windows = of_symbols(length) * (single + (1.0 - single) * near);
        let window = WINDOW + (m as f64 + 2.0 * f64::from(self.k)) * column(m);
        of_symbols(q) * PLACE + windows * window
    }
}

/// Returns the nanoseconds per symbol of a random text of σ symbols for `count` patterns in an
/// index, each of m positions, with k + 1 pieces of equal length as q-grams.
pub fn together(count: usize, m: usize, k: u32, symbols: f64) -> f64 {
    let length = m / (k as usize + 1);
    if length == 0 {
        return f64::INFINITY;
    }
    SCAN + count as f64 * Costs { k, symbols }.of_pattern(m, length, length)
}

/// Returns the nanoseconds per symbol of a random text of σ symbols for `count` patterns, each of m
/// positions, that are searched for one at a time.
pub fn apart(count: usize, m: usize, k: u32, symbols: f64) -> f64 {
    count as f64 * Costs { k, symbols }.apart(m, m / (k as usize + 1))
}

/// Largest number of symbols of a partner that are compared. With one insertion, the text has one
/// more, which makes eight.
pub const BESIDE: usize = 7;

/// The other piece of a pair, or its symbols nearest to the first piece.
#[derive(Clone, Copy)]
pub struct Partner {
    /// The lowest bytes of the partner's codes, from the piece outwards.
    pub codes: u64,
    /// Mask of the bytes in use.
    pub mask: u64,
    /// True if the partner follows the piece.
    pub is_after: bool,
}

impl Partner {
    /// Returns true if these symbols start with the partner, with at most one error.
    #[inline(always)]
    pub fn is_near(self, symbols: u64) -> bool {
        let differ = (self.codes ^ symbols) & self.mask;
        // The symbols agree up to there, so the error may be there.
        let same = differ.trailing_zeros() & 56;
        let substituted = differ >> same >> 8;
        let inserted = ((self.codes ^ symbols >> 8) & self.mask) >> same;
        let deleted = ((self.codes >> 8 ^ symbols) & self.mask >> 8) >> same;
        differ == 0 || substituted == 0 || inserted == 0 || deleted == 0
    }
}
