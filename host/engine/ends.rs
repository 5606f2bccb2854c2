//! What a search asks of an engine: where occurrences of a pattern end.

use crate::error::Result;
use crate::search::pattern::Pattern;

/// Where an occurrence ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct End {
    /// Symbols of the text up to the occurrence's end: 1 to n.
    pub end: u64,
    /// The fewest errors (insertions, deletions and substitutions) of all that end here.
    pub errors: u32,
}

/// An engine that searches.
pub trait Ends: Sync {
    /// Every end of an occurrence with at most k errors, in order, where 0 < m and k < m: those columns j of Sellers' table
    /// with D\[m\]\[j\] ≤ k.
    ///
    /// # Errors
    /// [`Usage`](crate::Error::Usage) for an m or k that the engine does not take; others when the engine's device fails.
    fn ends(&self, text: &[u8], pattern: &Pattern, k: u32) -> Result<Vec<End>>;
}
