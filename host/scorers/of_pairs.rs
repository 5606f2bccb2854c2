//! How the distances of many pairs give a scorer's scores: a field of the table of scorers.

use super::parameters::{Parameters, Weights};
use crate::pairs::Cost;

/// How the distances of many pairs give a scorer's scores.
#[derive(Debug, Clone, Copy)]
pub(super) struct OfPairs {
    /// Returns the cost of the distances, or `None` if no cost gives scores with these weights.
    pub(super) cost: fn(&Weights) -> Option<Cost>,
    pub(super) value: Value,
    pub(super) strings: Strings,
}

/// How a distance gives a score: the greatest distance, which normalized scores divide by, and
/// special cases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Value {
    /// The length of the longer string.
    OfLonger,
    /// The length of the longer string, if all weights are 1. Otherwise the distance is multiplied
    /// by the weight of an insertion.
    Weighted,
    /// The length of both strings.
    OfBoth,
    /// The length of both strings; nothing is similar to an empty string.
    OfNonEmpty,
    /// Of the longer string: its symbols outside a longest common subsequence.
    OutsideLcs,
}

impl Value {
    /// Returns true if distances need no weight.
    pub(super) fn is_plain(self, parameters: &Parameters) -> bool {
        self != Self::Weighted || parameters.weights == Weights::UNIT
    }
}

/// The strings that are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Strings {
    Whole,
    /// Those of [`sorted_words`](super::sorted_words).
    SortedWords,
}

impl OfPairs {
    pub(super) const INDEL: Self = Self { cost: |_| Some(Cost::Indel), value: Value::OfBoth, strings: Strings::Whole };
}
