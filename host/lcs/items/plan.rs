//! The input of an algorithm: two sequences of tokens, and their properties.

use crate::job::Progress;
use crate::pairwise::furthest::Budget;

/// Two sequences of tokens: numbers that stand for items. Both sequences have each of the tokens.
#[derive(Clone, Copy)]
pub(crate) struct MatchesPlan<'p> {
    /// The first sequence.
    pub a: &'p [u32],
    /// The second sequence.
    pub b: &'p [u32],
    /// Number of different tokens; all are below this number.
    pub kinds: u32,
    /// Number of pairs of equal tokens, one of each sequence.
    pub pairs: u64,
    /// Lower bound on the insertions and deletions: tokens that one sequence has more often than
    /// the other.
    pub differences: u64,
    /// Upper bound on the steps of furthest-reaching paths.
    pub budget: Budget,
    /// Callback that gets the number of cells done since its last call.
    pub progress: Progress<'p>,
}

impl MatchesPlan<'_> {
    /// Returns the number of cells of the table, at most `u64::MAX`.
    pub fn cells(&self) -> u64 {
        (self.a.len() as u64).saturating_mul(self.b.len() as u64)
    }

    /// Returns the number of tokens of both sequences.
    pub fn tokens(&self) -> u64 {
        (self.a.len() as u64).saturating_add(self.b.len() as u64)
    }
}
