//! The best occurrence that covers a whole record, of a part of the pattern with symbols beyond
//! both of the record's ends.
//!
//! The record is searched for in the pattern. An insertion is then a deletion, and a class of the
//! pattern is a symbol: its number.

use super::border::score;
use super::limits::PartLimits;
use crate::error::{Result, UsageFault};
use crate::infix::cut_off;
use crate::infix::extent::{Reader, whole_within};
use crate::text::pattern::DistinctClasses;
use crate::text::{Class, Pattern};
use std::ops::Range;

/// An occurrence of a part of a pattern that covers a whole record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct WholeMatch {
    /// The part's positions in the pattern.
    pub part: Range<usize>,
    pub errors: u32,
}

impl WholeMatch {
    /// Returns the score, as [`PartMatch::score`](super::border::PartMatch::score) does.
    pub fn score(&self) -> i64 {
        score(self.part.len(), self.errors)
    }
}

/// A pattern that may have symbols beyond both ends of a record.
pub(super) struct BothSides {
    pattern: Pattern,
    limits: PartLimits,
    /// The number of each position's class.
    numbers: Vec<u8>,
    /// For each symbol, the numbers of the classes that have it.
    classes: Vec<Class>,
}

impl BothSides {
    /// Prepares a pattern.
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage) with `TooLarge` for more than 256 different classes.
    pub fn new(pattern: &Pattern, limits: PartLimits) -> Result<Self> {
        let DistinctClasses { classes, indices } = pattern.distinct();
        let number = |index: usize| u8::try_from(index).ok();
        let Some(numbers) = indices.into_iter().map(number).collect::<Option<Vec<u8>>>() else {
            return Err(UsageFault::TooLarge
                .error("an overhang takes patterns of at most 256 different classes of symbols; remove it"));
        };
        let of_symbol = |symbol| {
            let own = (0..=u8::MAX).zip(&classes).filter(|(_, class)| class.contains(symbol));
            Class::from_symbols(own.map(|(number, _)| number))
        };
        Ok(Self { pattern: pattern.clone(), limits, numbers, classes: (0..=u8::MAX).map(of_symbol).collect() })
    }

    /// Returns true if a record of n symbols may be covered.
    pub fn takes(&self, n: usize) -> bool {
        n > 0 && n < self.numbers.len().saturating_add(self.limits.whole().errors as usize).saturating_sub(1)
    }

    /// Returns the best occurrence that covers a record. For each end of a part in the pattern,
    /// only the part with the fewest errors, then the fewest gaps, then the most symbols counts.
    /// Time O(m ⌈n / 64⌉), and that of its candidates.
    pub fn best(&self, record: &[u8]) -> Option<WholeMatch> {
        if !self.takes(record.len()) {
            return None;
        }
        let (n, m, k) = (record.len(), self.numbers.len(), self.limits.whole().edits());
        let turned = Pattern::new(record.iter().map(|&symbol| self.classes[usize::from(symbol)]).collect());
        let reader = Reader::backward(&turned);
        let matches = turned.match_words();
        let k = k.min(u32::try_from(n).unwrap_or(u32::MAX));
        let mut ends = cut_off::ends(self.numbers.iter().copied(), &matches, n, k, &|_| ());
        ends.retain(|end| end.end < m as u64);
        // No part has a greater score than n less its errors.
        ends.sort_by_key(|end| (end.errors, end.end));
        let mut best: Option<WholeMatch> = None;
        for end in ends {
            let bound = score(n, 0) - i64::from(end.errors);
            if best.as_ref().is_some_and(|best| best.score() >= bound) {
                break;
            }
            let end_in_pattern = end.end as usize;
            let Some(extent) = reader.extent(&self.numbers[..end_in_pattern], end.errors) else { continue };
            let start = end_in_pattern - extent.length as usize;
            let part = start..end_in_pattern;
            let Some(allowed) = self.limits.of(part.clone()).filter(|_| start > 0) else { continue };
            let is_plain = allowed.is_any() && !self.pattern.has_fixed();
            let errors = match is_plain {
                true => Some(end.errors).filter(|&errors| errors <= allowed.errors),
                false => whole_within(&self.pattern.part(part.clone()), record, allowed),
            };
            if let Some(errors) = errors {
                let one = WholeMatch { part, errors };
                if best.as_ref().is_none_or(|best| one.score() > best.score()) {
                    best = Some(one);
                }
            }
        }
        best
    }
}
