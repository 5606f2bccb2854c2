//! The extent of an occurrence.

/// The extent of an occurrence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Extent {
    /// Insertions and deletions of the alignment.
    pub gaps: u32,
    /// Symbols of the text.
    pub length: u64,
}

impl Extent {
    /// The fewer gaps the better, then the longer.
    #[inline]
    pub(super) fn or(self, other: Self) -> Self {
        let key = |extent: Self| (extent.gaps, std::cmp::Reverse(extent.length));
        if key(other) < key(self) { other } else { self }
    }
}
