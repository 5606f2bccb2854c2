//! Two strings that are near one another.

use serde::Serialize;

/// Two strings of one or two lists, and their distance: as in the [example](super::Pairs::within).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[non_exhaustive]
pub struct Near {
    /// Number of the first string in its list, 0-based.
    pub a: usize,
    /// Number of the second string in its list, 0-based.
    pub b: usize,
    /// Distance of the two.
    pub distance: u32,
}
