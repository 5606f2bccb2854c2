//! The interface of engines for the best match: they find its end.

use crate::error::Result;
use crate::text::pattern::Pattern;
use std::ops::Range;

/// The end of a part of a record that is nearest to the pattern. The order is that of preference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct BestEnd {
    /// The edit distance, at most m.
    pub distance: u32,
    /// The record's number.
    pub record: usize,
    /// Symbols of the record up to the end, 0 to n; with the distance m it is 0, since nothing is as near.
    pub end: u64,
}

/// An engine that finds the best match.
pub trait BestEnds: Sync {
    /// The smallest end over `records`, parts of `symbols` that are sorted and disjoint, at least one. The pattern has 1 to 2^32 - 1
    /// symbols.
    ///
    /// # Errors
    /// [`Usage`](crate::Error::Usage) for what the engine does not take; others when the engine's device fails.
    fn best_end(&self, symbols: &[u8], records: &[Range<usize>], pattern: &Pattern) -> Result<BestEnd>;
}
