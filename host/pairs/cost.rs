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
}

/// The mark for a distance above the maximum.
pub(super) const ABOVE: u32 = u32::MAX;
