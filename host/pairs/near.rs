//! Two strings that are near one another.

use serde::Serialize;

/// Two strings of one or two lists, and their distance: as in the [example](super::Pairs::within).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[non_exhaustive]
pub struct Near {
    /// The first string's number in its list, from 0.
    pub a: usize,
    /// The second string's number in its list, from 0.
    pub b: usize,
    /// Their distance.
    pub distance: u32,
}
