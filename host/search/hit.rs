//! An occurrence.

use crate::text::Strand;
use serde::Serialize;

/// An occurrence of a pattern. Hits are ordered by record, then start, end, pattern and strand. As in the [example](super::Search).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Hit {
    /// The number of the record, from 0; 0 for a text without records.
    pub record: usize,
    /// The first symbol in the record, from 0.
    pub start: u64,
    /// The end in the record, exclusive: one more than the last symbol's position.
    pub end: u64,
    /// The number of the pattern, from 0.
    pub pattern: usize,
    /// The strand.
    pub strand: Strand,
    /// Insertions, deletions and substitutions: the fewest of all occurrences that end here.
    pub errors: u32,
}
