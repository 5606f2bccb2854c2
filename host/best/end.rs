//! The interface of engines for the best match: they find its end.

use crate::error::Result;
use crate::text::pattern::Pattern;
use std::ops::Range;

/// The end of the part of a record that is nearest to the pattern. Lesser values are preferred.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct BestEnd {
    /// The edit distance, at most m.
    pub distance: u32,
    /// Number of the record.
    pub record: usize,
    /// Number of symbols of the record up to the end, 0 to n; 0 if the distance is m, since the
    /// empty part has the same distance.
    pub end: u64,
}

/// An engine that finds the best match.
pub trait BestEnds: Sync {
    /// Returns the smallest end over `records`, at least one, which are sorted and disjoint parts
    /// of `symbols`. The pattern has 1 to 2^32 - 1 symbols.
    ///
    /// # Errors
    /// [`Usage`](crate::Error::Usage) for input that the engine does not take; others if the
    /// engine's device fails.
    fn best_end(&self, symbols: &[u8], records: &[Range<usize>], pattern: &Pattern) -> Result<BestEnd>;
}
