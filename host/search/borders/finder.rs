//! The occurrences of one pattern at the ends of records.

use super::anchor::Anchor;
use super::border::{Border, PartMatch, Scratch, score};
use super::both_sides::{BothSides, WholeMatch};
use super::limits::PartLimits;
use crate::error::Result;
use crate::infix::extent::whole_within;
use crate::search::hits::hit::Beyond;
use crate::text::Pattern;
use std::ops::Range;

/// The first and the last symbols of a record.
#[derive(Debug, Clone, Copy)]
pub(in crate::search) struct RecordEnds<'r> {
    /// The first symbols: as many as an occurrence may have, or all.
    pub first: &'r [u8],
    /// The last symbols, likewise.
    pub last: &'r [u8],
    /// The record's number of symbols.
    pub len: u64,
}

impl RecordEnds<'_> {
    /// Returns the whole record, if it is known.
    fn whole(&self) -> Option<&[u8]> {
        Some(self.first).filter(|first| first.len() as u64 == self.len)
    }
}

/// An occurrence at an end of a record, or at both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BorderMatch {
    /// Positions in the record.
    pub range: Range<u64>,
    pub errors: u32,
    pub beyond: Beyond,
}

/// Memory that is used for one record after the other.
#[derive(Default)]
pub(super) struct Memory {
    scratch: Scratch,
    reversed: Vec<u8>,
}

/// Finds the occurrences of one pattern at the ends of records.
pub(super) struct Finder {
    pattern: Pattern,
    limits: PartLimits,
    anchor: Anchor,
    /// The reversed pattern at the end of the reversed record.
    start: Option<Border>,
    end: Option<Border>,
    both_sides: Option<BothSides>,
}

impl Finder {
    /// Prepares a pattern; `None` if its hits are those of the engines.
    ///
    /// # Errors
    /// As [`BothSides::new`].
    pub fn new(pattern: &Pattern, limits: PartLimits, anchor: Anchor) -> Result<Option<Self>> {
        let m = pattern.len();
        let least = limits.least();
        if least.is_none() && anchor == Anchor::Anywhere {
            return Ok(None);
        }
        let parts = |is_anchor: bool| {
            // The whole pattern may end there whatever the least overlap is.
            let (least, most) = if is_anchor { (least.unwrap_or(m).min(m), m) } else { (least?, m.saturating_sub(1)) };
            (least <= most).then_some(least..=most)
        };
        let border = |pattern: Pattern, limits: PartLimits, is_anchor: bool| {
            parts(is_anchor).map(|parts| Border::new(pattern, limits, parts))
        };
        let has_borders = anchor != Anchor::Both;
        let both_sides = least.filter(|_| has_borders).map(|_| BothSides::new(pattern, limits.clone())).transpose()?;
        let start = has_borders.then(|| border(pattern.reversed(), limits.reversed(), anchor == Anchor::Start));
        let end = has_borders.then(|| border(pattern.clone(), limits.clone(), anchor == Anchor::End));
        let (start, end) = (start.flatten(), end.flatten());
        Ok(Some(Self { pattern: pattern.clone(), limits, anchor, start, end, both_sides }))
    }

    /// Returns the score of an occurrence, as [`score`] defines it.
    pub fn score(&self, one: &BorderMatch) -> i64 {
        score(one.beyond.within(self.pattern.len()).len(), one.errors)
    }

    /// Returns the score of a hit inside a record.
    pub fn score_inside(&self, errors: u32) -> i64 {
        score(self.pattern.len(), errors)
    }

    /// Returns the length of the longest occurrence: m + k.
    pub fn reach(&self) -> usize {
        self.pattern.len().saturating_add(self.limits.whole().errors as usize)
    }

    /// Fills `found` with the best occurrence at each end of a record, and the best that covers all
    /// of it.
    pub fn find(&self, record: RecordEnds<'_>, memory: &mut Memory, found: &mut Vec<BorderMatch>) {
        let Memory { scratch, reversed } = memory;
        let (m, len) = (self.pattern.len(), record.len);
        found.clear();
        let mut add = |range: Range<u64>, errors: u32, within: Range<usize>| {
            let beyond = Beyond { start: within.start as u32, end: (m - within.end) as u32 };
            found.push(BorderMatch { range, errors, beyond });
        };
        if let Some(border) = &self.start {
            let first = &record.first[..record.first.len().min(self.reach())];
            reversed.clear();
            reversed.extend(first.iter().rev());
            if let Some(PartMatch { symbols, length, errors }) = border.best(reversed, scratch) {
                add(0..length, errors, m - symbols..m);
            }
        }
        if let Some(border) = &self.end {
            let last = &record.last[record.last.len().saturating_sub(self.reach())..];
            if let Some(PartMatch { symbols, length, errors }) = border.best(last, scratch) {
                add(len - length..len, errors, 0..symbols);
            }
        }
        if let (Some(both), Some(whole)) = (&self.both_sides, record.whole())
            && let Some(WholeMatch { part, errors }) = both.best(whole)
        {
            add(0..len, errors, part);
        }
        if let (Anchor::Both, Some(whole)) = (self.anchor, record.whole())
            && let Some(errors) = whole_within(&self.pattern, whole, self.limits.whole())
            && !whole.is_empty()
        {
            add(0..len, errors, 0..m);
        }
        found.retain(|one| match self.anchor {
            Anchor::Anywhere | Anchor::Both => true,
            Anchor::Start => one.range.start == 0,
            Anchor::End => one.range.end == len,
        });
    }
}
