//! The input of an algorithm: two sequences of tokens, and their properties.

use crate::alignment::Run;
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
    /// True if the number of matches is wanted, not the matches.
    pub only_length: bool,
    /// Callback that gets the number of cells done since its last call.
    pub progress: Progress<'p>,
}

/// An LCS.
pub(crate) struct Matches {
    /// The matches, in order; empty if a plan wants only their number.
    pub runs: Vec<Run>,
    /// Number of matches.
    pub length: u64,
}

impl Matches {
    /// Returns an LCS whose matches are not known.
    pub fn of_length(length: u64) -> Self {
        Self { runs: Vec::new(), length }
    }
}

impl From<Vec<Run>> for Matches {
    fn from(runs: Vec<Run>) -> Self {
        let length = runs.iter().map(|run| run.len).sum();
        Self { runs, length }
    }
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
