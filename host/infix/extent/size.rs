//! The extent of an occurrence.

/// The extent of an occurrence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Extent {
    /// Number of insertions and deletions of the alignment.
    pub gaps: u32,
    /// Number of symbols of the text.
    pub length: u64,
}

impl Extent {
    /// Returns the better one: the extent with fewer gaps, then the longer one.
    #[inline]
    pub(super) fn or(self, other: Self) -> Self {
        let key = |extent: Self| (extent.gaps, std::cmp::Reverse(extent.length));
        if key(other) < key(self) { other } else { self }
    }
}
