//! The size of a pass: the cost of a search for several patterns together depends on it.

use crate::text::{Class, Pattern};

/// Symbols of a pattern at most whose different symbols are counted: no algorithm whose cost depends on them takes longer ones.
const LOOKED_AT: usize = 128;

/// The size of a pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Symbols of all its patterns.
    pub m: usize,
    /// Errors allowed.
    pub k: u32,
    /// True for one pattern whose classes are equal or disjoint: such a pattern has periods.
    pub has_periods: bool,
    /// Number of patterns.
    pub count: usize,
    /// Symbols of the shortest.
    pub shortest: usize,
    /// Different symbols of the pattern that has the fewest.
    pub symbols: u32,
}

impl Size {
    /// Of patterns and the errors allowed; what is known of periods is left out.
    pub fn of(patterns: &[Pattern], k: u32) -> Self {
        let of_one = |pattern: &Pattern| {
            let m = pattern.len();
            Self { m, k, has_periods: false, count: 1, shortest: m, symbols: different_symbols(pattern) }
        };
        let none = Self { m: 0, k, has_periods: false, count: 0, shortest: usize::MAX, symbols: u32::MAX };
        patterns.iter().map(of_one).fold(none, Self::and)
    }

    /// Returns true for one pattern of any size: what an algorithm that takes no more has as [`fits`](DeviceAlgorithm::fits).
    pub fn is_one(self) -> bool {
        self.count == 1
    }

    /// Of the patterns of two.
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

/// The bits in which all symbols of some classes agree, each class for itself.
pub(super) fn common(classes: &[Class]) -> u8 {
    let differ = |class: &Class| {
        let first = class.symbols().next().unwrap_or(0);
        class.symbols().fold(0, |bits, symbol| bits | (symbol ^ first))
    };
    !classes.iter().fold(0, |bits, class| bits | differ(class))
}

/// How many different symbols a pattern has, if only the bits are compared in which all that a position stands for agree. A
/// pattern of more than [`LOOKED_AT`] symbols is not looked at: it counts as one symbol.
pub(super) fn different_symbols(pattern: &Pattern) -> u32 {
    if pattern.len() > LOOKED_AT {
        return 1;
    }
    let fold = common(pattern.classes());
    Class::from_symbols(pattern.classes().iter().filter_map(|class| Some(class.symbols().next()? & fold))).len()
}
