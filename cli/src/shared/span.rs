//! The part of a record that a compared string is: output has positions in the whole record.

use carrywave::alignment::Run;
use carrywave::io::sequence::{Excerpt, Sequence};
use carrywave::text::Strand;
use serde::Serialize;

/// The range of a string in its record, 0-based, half-open.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Span {
    pub start: u64,
    pub end: u64,
    #[serde(skip)]
    pub record_len: u64,
}

impl Span {
    /// Returns the span of a string; a string without a region is a whole record.
    pub fn new(string: &Sequence) -> Self {
        let len = string.symbols.len() as u64;
        match string.excerpt {
            Some(Excerpt { start, record_len, .. }) => Self { start, end: start + len, record_len },
            None => Self { start: 0, end: len, record_len: len },
        }
    }

    /// Returns the span of a region, or `None` for a whole record.
    pub fn of_region(string: &Sequence) -> Option<Self> {
        string.excerpt.map(|_| Self::new(string))
    }

    /// Returns the number of the record's symbols before the string, on a strand.
    pub fn before(&self, strand: Strand) -> u64 {
        match strand {
            Strand::Forward => self.start,
            Strand::Reverse => self.record_len - self.end,
        }
    }
}

/// Iterates over runs with positions in the whole records. `a` and `b` are the numbers of symbols
/// before the strings.
pub fn in_records(runs: impl Iterator<Item = Run>, a: u64, b: u64) -> impl Iterator<Item = Run> {
    runs.map(move |run| Run { a_start: run.a_start + a, b_start: run.b_start + b, ..run })
}
