//! Parameters of scorers.

/// Weights of the operations of Levenshtein's distance.
///
/// ```
/// use carrywave::scorers::{Kind, Parameters, Weights, named};
///
/// let weights = Weights { insertion: 1, deletion: 1, replacement: 2 };
/// let parameters = Parameters { weights, ..Parameters::default() };
/// let score = named("levenshtein")?.score(Kind::Distance, &"a", &"b", &parameters, None)?;
/// assert_eq!(score.value(), 2.0);
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Weights {
    /// Cost of a symbol that only the second string has.
    pub insertion: u64,
    /// Cost of a symbol that only the first string has.
    pub deletion: u64,
    /// Cost of a symbol that is replaced by another.
    pub replacement: u64,
}

impl Weights {
    /// Each operation costs 1.
    pub(super) const UNIT: Self = Self { insertion: 1, deletion: 1, replacement: 1 };
}

/// Parameters that some scorers have. The others ignore them. See the [example](Weights).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parameters {
    /// Weights of `levenshtein`. The default is 1 for each operation.
    pub weights: Weights,
    /// `hamming`: whether the symbols that the longer string has in addition count as differences.
    /// Otherwise the strings must have the same length. The default is true.
    pub pad: bool,
    /// `jaro-winkler`: weight of each of the first four symbols that the strings have in common,
    /// from 0 to 1. The default is 0.1.
    pub prefix_weight: f64,
}

impl Parameters {
    /// The defaults. See the [example](Weights).
    pub const DEFAULT: Self = Self { weights: Weights::UNIT, pad: true, prefix_weight: 0.1 };
}

impl Default for Parameters {
    fn default() -> Self {
        Self::DEFAULT
    }
}
