//! How the distances or other numbers of many pairs give a scorer's scores: a field of the table of
//! scorers.

use super::parameters::{Parameters, Weights};
use crate::pairs::Cost;
use crate::pairs::position_number::PositionNumber;

/// How the numbers of many pairs give a scorer's scores.
#[derive(Debug, Clone, Copy)]
pub(super) struct OfPairs {
    pub(super) number: PairNumber,
    pub(super) value: Value,
    pub(super) strings: Strings,
}

/// The number of a pair that gives its score.
#[derive(Debug, Clone, Copy)]
pub(super) enum PairNumber {
    /// A distance by the cost that the function returns, or `None` if no cost gives scores with
    /// these weights.
    Distance(fn(&Weights) -> Option<Cost>),
    /// Of symbols at equal or nearby positions. Columns on a GPU have such numbers.
    Positions(PositionNumber),
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
    /// Of the longer string: its symbols outside a common prefix or suffix, whose length is the
    /// number.
    OutsideAffix,
    /// Jaro's similarity, from the symbols in common.
    Jaro,
    /// Jaro's similarity, increased for a common prefix.
    JaroWinkler,
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
    pub(super) const INDEL: Self =
        Self { number: PairNumber::Distance(|_| Some(Cost::Indel)), value: Value::OfBoth, strings: Strings::Whole };

    /// Returns how numbers of columns on a GPU give scores.
    pub(super) const fn of_positions(number: PositionNumber, value: Value) -> Self {
        Self { number: PairNumber::Positions(number), value, strings: Strings::Whole }
    }

    /// Returns the cost of the distances that give scores; `None` if there is none.
    pub(super) fn cost(&self, parameters: &Parameters) -> Option<Cost> {
        match self.number {
            PairNumber::Distance(cost) => cost(&parameters.weights),
            PairNumber::Positions(_) => None,
        }
    }
}
