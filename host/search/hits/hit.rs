//! An occurrence.

use crate::text::Strand;
use serde::Serialize;
use std::ops::Range;

/// Selects the occurrences that are hits: the best around each position where a pattern occurs, or
/// one for each end. As in the [example](crate::search::Search).
///
/// An occurrence is a part of the text with at most k errors. The better of two occurrences has
/// fewer errors, then fewer gaps (insertions and deletions), then more symbols.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Ends {
    /// Occurrences such that no occurrence with the same start or the same end is better. Without
    /// [`overlapping`](crate::search::Search::overlapping) they also overlap no better one.
    #[default]
    Best,
    /// For every end, as the strand is read, the best occurrence with that end.
    All,
}

impl Ends {
    /// The values by their names on the command line.
    pub const NAMES: [(&str, Ends); 2] = [("best", Ends::Best), ("all", Ends::All)];
}

named! {
    Ends, "choice of ends";
}

/// Selects the occurrences that are hits: [`Ends`] with or without overlaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    /// The best, and no other that overlaps it.
    NonOverlapping,
    /// Occurrences such that none with the same start or the same end is better.
    Overlapping,
    /// The best occurrence for every end along the strand.
    EachEnd,
}

/// A part of a text with at most k errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Occurrence {
    pub start: u64,
    pub end: u64,
    /// The fewest errors of all alignments.
    pub errors: u32,
    /// Insertions and deletions: the fewest of all alignments with `errors` errors.
    pub gaps: u32,
}

/// An occurrence of a pattern. Hits are ordered by record, then start, end, pattern and strand. As
/// in the [example](crate::search::Search).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Hit {
    /// The number of the record, from 0; 0 for a text without records.
    pub record: usize,
    /// The start in the record, from 0: the position of the first symbol.
    pub start: u64,
    /// The end in the record, exclusive: one more than the last symbol's position.
    pub end: u64,
    /// The number of the pattern, from 0.
    pub pattern: usize,
    /// The strand.
    pub strand: Strand,
    /// Insertions, deletions and substitutions: the fewest of all occurrences with this end.
    pub errors: u32,
    /// The symbols of the pattern that lie beyond the record, if an
    /// [overhang](crate::search::Search::overhang) is allowed.
    #[serde(skip_serializing_if = "Beyond::is_none")]
    pub beyond: Beyond,
}

/// The numbers of a pattern's symbols that lie beyond a record: before its first symbol, and after
/// its last. As in the [example](crate::search::Search::overhang).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize)]
pub struct Beyond {
    /// Before the record's start.
    pub start: u32,
    /// After the record's end.
    pub end: u32,
}

impl Beyond {
    /// No symbol.
    pub const NONE: Self = Self { start: 0, end: 0 };

    /// Returns true if all symbols are within the record. As in the
    /// [example](crate::search::Search::overhang).
    pub fn is_none(&self) -> bool {
        *self == Self::NONE
    }

    /// Returns the range of the other symbols in a pattern of m symbols, which is in the direction
    /// of the text.
    pub(crate) fn within(&self, m: usize) -> Range<usize> {
        let start = (self.start as usize).min(m);
        start..m.saturating_sub(self.end as usize).max(start)
    }
}
