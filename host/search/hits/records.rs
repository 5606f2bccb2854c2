//! Splits the ends in a text of many records by record.
//!
//! The engines search all records as one text. They find all ends within the records, and more: an
//! occurrence with at most k errors has at most m + k symbols, so an end closer than that to its
//! record's start may belong to an occurrence that starts in the record before. The first m + k - 1
//! symbols of such records are searched once more, alone.

use crate::infix::End;
use crate::infix::allowed::Allowed;
use crate::infix::cut_off;
use crate::search::checked::Check;
use crate::text::Pattern;
use std::ops::Range;

/// An end in a record: the record's number, and the end relative to the record's start.
pub(super) type RecordEnd = (usize, End);

/// A text in memory, or a part of one.
pub(in crate::search) struct Memory<'t> {
    pub symbols: &'t [u8],
    /// Ordered, without overlaps.
    pub records: &'t [Range<usize>],
    /// Offset of the first range in its record.
    pub from: u64,
    /// True if the last record ends with its range.
    pub is_whole: bool,
}

/// Adds the ends within records to a list, given the ends in the whole text.
pub(in crate::search) fn ends(
    text: &Memory<'_>,
    ends: &[End],
    pattern: &Pattern,
    allowed: Allowed,
    found: &mut Vec<RecordEnd>,
) {
    let k = allowed.errors;
    // Up to this offset, an occurrence may have started before the record.
    let near = pattern.len() + k as usize - 1;
    let (mut matches, mut check) = (None, None);
    let (mut rest, mut number) = (ends, 0);
    while let Some(next) = rest.first() {
        // The record that contains the end, if any.
        number += count_before(&text.records[number..], |record| (record.end as u64) < next.end);
        let Some(record) = text.records.get(number) else { break };
        let from = if number == 0 { text.from } else { 0 };
        let (_, inside) = rest.split_at(count_before(rest, |end| end.end <= record.start as u64));
        let (inside, later) = inside.split_at(count_before(inside, |end| end.end <= record.end as u64));
        rest = later;
        let border = if record.start == 0 { 0 } else { (record.start + near) as u64 };
        let sure = count_before(inside, |end| end.end <= border);
        if sure > 0 {
            let matches = matches.get_or_insert_with(|| pattern.match_words());
            let first = &text.symbols[record.start..record.end.min(record.start + near)];
            let mut again = cut_off::ends(first.iter().copied(), matches, pattern.len(), allowed.edits(), &|_| ());
            if let Some(check) = check.get_or_insert_with(|| Check::for_pattern(pattern, allowed)) {
                check.keep(first, &mut again, &|_| ());
            }
            found.extend(again.into_iter().map(|end| (number, End { end: end.end + from, ..end })));
        }
        let relative = |end: &End| (number, End { end: end.end - record.start as u64 + from, ..*end });
        found.extend(inside[sure..].iter().map(relative));
    }
}

/// Counts the leading items that satisfy `is_before`, in O(log of the count).
pub(super) fn count_before<T>(items: &[T], is_before: impl Fn(&T) -> bool) -> usize {
    let mut next = 1;
    while next <= items.len() && is_before(&items[next - 1]) {
        next *= 2;
    }
    let known = next / 2;
    known + items[known..items.len().min(next - 1)].partition_point(is_before)
}
