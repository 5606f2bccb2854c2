//! The end of an occurrence, and its errors.

/// The end of an occurrence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct End {
    /// Symbols of the text up to the occurrence's end: 1 to n.
    pub end: u64,
    /// The fewest errors (insertions, deletions and substitutions) of all that end here.
    pub errors: u32,
}
