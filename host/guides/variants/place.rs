//! The position of a haplotype's base in the reference, and what makes two sites the same.

use crate::text::Strand;

/// The place of a base in the reference: the base itself, or that before an insertion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(in crate::guides) struct Place {
    /// Position behind the base of the reference.
    pub end: u64,
    /// Number of inserted bases behind the base of the reference, up to this one; 0 for a base of
    /// the reference, or instead of one.
    pub inserted: u64,
}

impl Place {
    /// Returns the place of a base of the reference.
    pub fn of(position: u64) -> Self {
        Self { end: position + 1, inserted: 0 }
    }

    /// Returns the start of a site that begins with the base.
    pub fn start(self) -> u64 {
        self.end - u64::from(self.inserted == 0)
    }
}

/// Sites that are the same but for their variants: those of a guide on a strand, with the outermost
/// base of the PAM at one place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::guides) struct Key {
    pub guide: usize,
    pub strand: Strand,
    pub place: Place,
}
