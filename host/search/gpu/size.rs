//! The size of a pass, which its cost depends on.

use crate::text::{Class, Pattern};

/// Longest pattern whose different symbols are counted: algorithms whose cost depends on them take
/// no longer patterns.
const MAX_COUNTED_SYMBOLS: usize = 128;

/// The size of a pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Number of symbols of all its patterns.
    pub m: usize,
    /// Largest number of errors.
    pub k: u32,
    /// True for a single pattern whose classes are equal or disjoint: such a pattern has periods.
    pub has_periods: bool,
    /// Number of patterns.
    pub count: usize,
    /// Length of the shortest pattern.
    pub shortest: usize,
    /// Number of different symbols of the pattern that has the fewest.
    pub symbols: u32,
}

impl Size {
    /// Computes the size of patterns with k errors, except for `has_periods`.
    pub fn from_patterns(patterns: &[Pattern], k: u32) -> Self {
        let of_one = |pattern: &Pattern| {
            let m = pattern.len();
            Self { m, k, has_periods: false, count: 1, shortest: m, symbols: different_symbols(pattern) }
        };
        let none = Self { m: 0, k, has_periods: false, count: 0, shortest: usize::MAX, symbols: u32::MAX };
        patterns.iter().map(of_one).fold(none, Self::and)
    }

    /// Returns true for one pattern of any size: the [`fits`](DeviceAlgorithm::fits) of algorithms
    /// for a single pattern.
    pub fn is_one(self) -> bool {
        self.count == 1
    }

    /// Returns the size of the patterns of both.
    pub fn and(self, other: Self) -> Self {
        Self {
            m: self.m.saturating_add(other.m),
            k: self.k,
            has_periods: false,
            count: self.count + other.count,
            shortest: self.shortest.min(other.shortest),
            symbols: self.symbols.min(other.symbols),
        }
    }
}

/// Returns the bits that all symbols of a class share, for every class.
pub(super) fn common(classes: &[Class]) -> u8 {
    let differ = |class: &Class| {
        let first = class.symbols().next().unwrap_or(0);
        class.symbols().fold(0, |bits, symbol| bits | (symbol ^ first))
    };
    !classes.iter().fold(0, |bits, class| bits | differ(class))
}

/// Counts the different symbols of a pattern, comparing only the bits that agree between all
/// symbols of a position. A pattern of more than [`MAX_COUNTED_SYMBOLS`] symbols counts as one
/// symbol.
pub(super) fn different_symbols(pattern: &Pattern) -> u32 {
    if pattern.len() > MAX_COUNTED_SYMBOLS {
        return 1;
    }
    let fold = common(pattern.classes());
    Class::from_symbols(pattern.classes().iter().filter_map(|class| Some(class.symbols().next()? & fold))).len()
}
