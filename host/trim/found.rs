//! A match of an adapter in a read.

use std::ops::Range;

/// A match of one adapter in a read. Positions are 0-based, ranges half-open.
///
/// ```
/// use carrywave::trim::{Adapter, AdapterEnd, AdapterSettings};
///
/// let adapter = Adapter::parse("^GTCA", AdapterEnd::FivePrime, &AdapterSettings::default())?;
/// let found = adapter.front().and_then(|adapter| adapter.find(b"GTCAGATTACA")).unwrap();
/// assert_eq!((found.adapter.clone(), found.read.clone()), (0..4, 0..4));
/// assert_eq!((found.score, found.errors, found.kept(11)), (4, 0, 4..11));
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Found {
    /// Part of the adapter that is aligned.
    pub adapter: Range<usize>,
    /// Part of the read that it is aligned with.
    pub read: Range<usize>,
    /// Score of the alignment: +1 for a match, −1 for a mismatch, −2 for an insertion or a
    /// deletion. Among several anchored adapters without codes, the number of matches.
    pub score: i64,
    /// Number of errors.
    pub errors: usize,
    /// True if the read's symbols before the match are removed with it, false if those after it
    /// are.
    pub is_front: bool,
}

impl Found {
    /// Returns the part of a read of `len` symbols that stays. See the [example](Self).
    pub fn kept(&self, len: usize) -> Range<usize> {
        if self.is_front { self.read.end.min(len)..len } else { 0..self.read.start.min(len) }
    }

    /// Returns the part of a read of `len` symbols that stays if the adapter itself stays.
    pub(super) fn retained(&self, len: usize) -> Range<usize> {
        if self.is_front { self.read.start.min(len)..len } else { 0..self.read.end.min(len) }
    }

    /// Returns the number of symbols of a read of `len` symbols that are removed.
    pub(super) fn removed(&self, len: usize) -> usize {
        len - self.kept(len).len()
    }
}
