//! The end of an occurrence, and its errors.

/// The end of an occurrence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct End {
    /// Number of symbols of the text up to the occurrence's end: 1 to n.
    pub end: u64,
    /// Fewest errors (insertions, deletions and substitutions) of all occurrences that end here.
    pub errors: u32,
}
