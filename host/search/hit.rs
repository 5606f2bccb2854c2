//! An occurrence.

use serde::Serialize;

/// On which strand of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Strand {
    /// The pattern as it is.
    #[serde(rename = "+")]
    Forward,
    /// The pattern's reverse complement.
    #[serde(rename = "-")]
    Reverse,
}

impl Strand {
    /// `+` or `-`.
    pub fn sign(self) -> char {
        match self {
            Self::Forward => '+',
            Self::Reverse => '-',
        }
    }
}

/// An occurrence of a pattern. Hits are ordered by record, then start, end, pattern and strand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Hit {
    /// In which record, from 0; 0 for a text that is one.
    pub record: usize,
    /// The first symbol in the record, from 0.
    pub start: u64,
    /// Behind the last symbol in the record; `start` if all of the pattern was deleted.
    pub end: u64,
    /// Of which pattern, from 0.
    pub pattern: usize,
    /// On which strand.
    pub strand: Strand,
    /// Insertions, deletions and substitutions: the fewest of all occurrences that end here.
    pub errors: u32,
}
