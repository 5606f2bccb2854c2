//! Two sequences of tokens, and what an algorithm has to know of them.

use crate::job::Progress;
use crate::pairwise::furthest::Budget;

/// Two sequences of tokens: numbers that stand for items. Both have each of the tokens.
#[derive(Clone, Copy)]
pub(crate) struct Plan<'p> {
    /// The first sequence.
    pub a: &'p [u32],
    /// The second one.
    pub b: &'p [u32],
    /// Different tokens: all are below this.
    pub kinds: u32,
    /// Pairs of equal tokens, one of each sequence.
    pub pairs: u64,
    /// Lower bound of the insertions and deletions: tokens that one side has more often than the other.
    pub differences: u64,
    /// Steps after which furthest-reaching paths give up.
    pub budget: Budget,
    /// Called with the number of cells done since its last call.
    pub progress: Progress<'p>,
}

impl Plan<'_> {
    /// Cells of the table, `u64::MAX` if there are more.
    pub fn cells(&self) -> u64 {
        (self.a.len() as u64).saturating_mul(self.b.len() as u64)
    }

    /// Tokens of both sequences.
    pub fn tokens(&self) -> u64 {
        (self.a.len() as u64).saturating_add(self.b.len() as u64)
    }
}
