//! The cells of a table that a maximum distance leaves: a band around the diagonal (Ukkonen 1985).

use std::ops::Range;

/// Width of the band around the diagonal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BandWidth {
    /// Number of columns to the right of the diagonal.
    pub(super) right: usize,
    /// Number of rows below the diagonal.
    pub(super) below: usize,
}

impl BandWidth {
    pub(super) const ALL: Self = Self { right: usize::MAX, below: usize::MAX };

    /// Returns the band of a table of m rows and n columns; `None` if the distance is certainly
    /// above the maximum.
    #[inline]
    pub(super) fn new(m: usize, n: usize, maximum: Option<usize>) -> Option<Self> {
        let Some(k) = maximum else { return Some(Self::ALL) };
        let differ = m.abs_diff(n);
        let with = k.saturating_add(differ) / 2;
        let against = k.checked_sub(differ)? / 2;
        Some(if n >= m { Self { right: with, below: against } } else { Self { right: against, below: with } })
    }

    /// Returns the band with one more diagonal on each side: a transposition also compares symbols
    /// of the cells beside those of its alignment.
    #[inline]
    pub(super) fn with_neighbours(self) -> Self {
        Self { right: self.right.saturating_add(1), below: self.below.saturating_add(1) }
    }

    #[inline]
    pub(super) fn union(self, other: Self) -> Self {
        Self { right: self.right.max(other.right), below: self.below.max(other.below) }
    }

    /// Returns the rows, out of `m`, that some columns need.
    #[inline]
    pub(super) fn rows(self, m: usize, columns: Range<usize>) -> Range<usize> {
        let end = columns.end.saturating_add(self.below).min(m);
        columns.start.saturating_sub(self.right).min(end)..end
    }
}
