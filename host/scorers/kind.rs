//! Kinds of scores, and a score.

/// Kinds of scores. See the [example](super::Scorer).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Difference of the strings: 0 for equal strings.
    Distance,
    /// The scorer's maximum for strings of these lengths, minus the distance.
    Similarity,
    /// The distance divided by the maximum, from 0 to 1.
    NormalizedDistance,
    /// 1 minus the normalized distance.
    NormalizedSimilarity,
}

impl Kind {
    /// Returns true if a higher score means that the strings are more similar. See the
    /// [example](super::Scorer).
    pub fn higher_is_better(self) -> bool {
        matches!(self, Self::Similarity | Self::NormalizedSimilarity)
    }

    /// Returns true if the scores are from 0 to 1. See the [example](super::Scorer).
    pub fn is_normalized(self) -> bool {
        matches!(self, Self::NormalizedDistance | Self::NormalizedSimilarity)
    }
}

/// A score, or a limit for scores. See the [example](super::Scorer).
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Score {
    /// A number of operations or symbols.
    Whole(u64),
    /// Any other score: from 0 to 1, or from 0 to 100.
    Fraction(f64),
}

impl Score {
    /// Returns the score as a number. See the [example](super::Scorer).
    pub fn value(self) -> f64 {
        match self {
            Self::Whole(value) => value as f64,
            Self::Fraction(value) => value,
        }
    }

    /// Returns the score as a whole number. A fraction is rounded down.
    pub(super) fn whole(self) -> u64 {
        match self {
            Self::Whole(value) => value,
            Self::Fraction(value) => value as u64,
        }
    }
}
