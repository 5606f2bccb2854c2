//! Which pieces are looked for in pairs, and the costs of patterns in an index and of each pattern alone, which decide the patterns of the index.

use crate::search::cpu::seeds;

/// Nanoseconds on one core that the scan takes for a symbol.
pub const SCAN: f64 = 3.0;
/// Nanoseconds that a place of a q-gram takes for each pattern that has it.
pub const PLACE: f64 = 5.0;
/// Nanoseconds that a window takes beside its symbols.
pub const WINDOW: f64 = 30.0;
/// Nanoseconds that an instruction takes of those that algorithms' costs are in.
const INSTRUCTION: f64 = 0.37;

/// Nanoseconds that a symbol of the text takes when a pattern of m positions is searched for in all of it: by the SIMD search, or by
/// bit-vectors where it has no code.
pub fn alone(m: usize, k: u32) -> f64 {
    match k {
        0..=15 => 0.1 + 0.0022 * m as f64 * (f64::from(k) + 1.0),
        _ => 6.0 * m.div_ceil(64).min(k as usize / 32 + 1) as f64,
    }
}

/// Nanoseconds that a symbol of a window takes: several windows at a time if m is at most 64.
pub fn column(m: usize) -> f64 {
    if m <= 64 { 2.0 } else { 6.0 * m.div_ceil(64) as f64 }
}

/// The costs of patterns in a random text.
pub struct Costs {
    pub k: u32,
    /// As many symbols as the text may as well be made of, all equally frequent.
    pub symbols: f64,
}

impl Costs {
    /// How many nanoseconds a symbol are gained by having a pattern of m positions in an index of q-grams, with pieces of a given
    /// length; less than none where it is searched for faster alone, or q is greater.
    pub fn gain(&self, m: usize, length: usize, q: usize) -> f64 {
        if q > length {
            return -1.0;
        }
        let pieces = f64::from(self.k) + 1.0;
        let of_symbols = |length: usize| pieces * self.symbols.powf(-(length as f64));
        // A partner with one error at most: about 2 σ of its symbols may be another, left out or one too many.
        let beside = length.min(BESIDE) as f64;
        let near = ((1.0 + 2.0 * self.symbols * beside) * self.symbols.powf(-beside)).min(1.0);
        let single = f64::from((self.k + 1) % 2) / pieces;
        let windows = of_symbols(length) * (single + (1.0 - single) * near);
        let window = WINDOW + (m as f64 + 2.0 * f64::from(self.k)) * column(m);
        let seeds = seeds::least(m, self.k as usize + 1, self.symbols, length)
            .map_or(f64::INFINITY, |(cost, _)| cost * INSTRUCTION);
        alone(m, self.k).min(seeds) - of_symbols(q) * PLACE - windows * window
    }
}

/// Symbols of a partner that are compared at most: a text with one error has one more.
pub const BESIDE: usize = 7;

/// The neighbour of a piece: the piece that it makes a pair with, or the symbols of that which are nearest.
#[derive(Clone, Copy)]
pub struct Partner {
    /// Their codes' lowest bytes, from the piece on.
    pub codes: u64,
    /// The bytes that there are.
    pub mask: u64,
    /// True if it comes after the piece.
    pub is_after: bool,
}

impl Partner {
    /// Returns true if these symbols begin with the partner with at most one error.
    #[inline(always)]
    pub fn is_near(self, symbols: u64) -> bool {
        let differ = (self.codes ^ symbols) & self.mask;
        // Up to there they agree; the error may as well be there.
        let same = differ.trailing_zeros() & 56;
        let substituted = differ >> same >> 8;
        let inserted = ((self.codes ^ symbols >> 8) & self.mask) >> same;
        let deleted = ((self.codes >> 8 ^ symbols) & self.mask >> 8) >> same;
        differ == 0 || substituted == 0 || inserted == 0 || deleted == 0
    }
}
