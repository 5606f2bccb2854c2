//! The positions of a read where a barcode may start.

use std::ops::Range;

/// The positions of a read where a barcode may start, 0-based.
///
/// ```
/// use carrywave::barcodes::{Barcodes, Place};
///
/// let barcodes = Barcodes::new(["ACGTACGT"]).errors(0);
/// let is_found = |place| -> carrywave::Result<bool> {
///     Ok(barcodes.clone().place(place).assign(&["ggACGTACGT"])?[0].is_some())
/// };
/// assert!(!is_found(Place::default())?);
/// assert!(is_found(Place::At(2))?);
/// assert!(is_found(Place::Within { first: 0, last: 2 })?);
/// assert!(is_found(Place::Anywhere)?);
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    /// One position.
    At(usize),
    /// The positions from `first` to `last`, both included.
    Within {
        /// First position.
        first: usize,
        /// Last position.
        last: usize,
    },
    /// All positions.
    Anywhere,
}

impl Default for Place {
    /// The start of the read.
    fn default() -> Self {
        Self::At(0)
    }
}

impl Place {
    /// Returns the starts in a read of `len` bases. A barcode has a base at least, and more bases
    /// than errors, so none starts at the end of the read.
    pub(super) fn starts(self, len: usize) -> Range<usize> {
        match self {
            Self::At(start) => start.min(len)..start.saturating_add(1).min(len),
            Self::Within { first, last } => first.min(len)..last.saturating_add(1).min(len),
            Self::Anywhere => 0..len,
        }
    }
}
