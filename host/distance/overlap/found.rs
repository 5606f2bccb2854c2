//! The result: the best overlap.

use std::ops::Range;

/// The best overlap of two strings, as in the [example](super::Comparison::overlap). It is empty if
/// no overlap has a positive score.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Overlap {
    /// Number of symbols of both parts, less four times their distance.
    pub score: u64,
    /// Edit distance of both parts.
    pub distance: u64,
    /// Part of A, half-open. It begins at the start of A, or the other part at the start of B; it
    /// ends at the end of A, or the other part at the end of B.
    pub a: Range<u64>,
    /// Part of B, half-open.
    pub b: Range<u64>,
}
