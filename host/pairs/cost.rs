//! The cost of a pair: which operations a distance counts.

use serde::Serialize;

/// Operations that turn one string into another, each at the cost of 1: as in the [example](super).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cost {
    /// Insertions, deletions and substitutions: Levenshtein's edit distance.
    #[default]
    Levenshtein,
    /// Insertions and deletions: m + n less twice the length of a longest common subsequence.
    Indel,
    /// Insertions, deletions, substitutions and transpositions of two neighbours, where no part is
    /// edited twice: the distance of optimal string alignment. The triangle inequality does not
    /// hold: CA, AC and ABC have the distances 1, 1 and 3.
    Osa,
}

impl Cost {
    /// Returns the greatest distance of two strings of m and n symbols.
    pub(super) fn greatest(self, m: usize, n: usize) -> u64 {
        match self {
            Self::Levenshtein | Self::Osa => m.max(n) as u64,
            Self::Indel => m as u64 + n as u64,
        }
    }

    /// Returns a bound on the length of the strings whose normalised similarity with a string of m
    /// symbols is at least `least`: each symbol that they have beyond m takes an insertion.
    pub(super) fn longest_partner(self, m: usize, least: f64) -> usize {
        if least <= 0.0 {
            return usize::MAX;
        }
        let m = m as f64;
        let n = match self {
            // n - m <= (1 - least) n
            Self::Levenshtein | Self::Osa => m / least,
            // n - m <= (1 - least) (m + n)
            Self::Indel => m * (2.0 - least) / least,
        };
        n.ceil() as usize
    }

    /// Returns a bound on the edit distance of strings whose distance is at most `maximum`.
    pub(super) fn edits(self, maximum: u32) -> u32 {
        match self {
            Self::Levenshtein | Self::Indel => maximum,
            // A transposition is two substitutions.
            Self::Osa => maximum.saturating_mul(2),
        }
    }
}

/// The mark for a distance above the maximum.
pub(super) const ABOVE: u32 = u32::MAX;
