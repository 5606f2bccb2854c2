//! From ends in a text of many records to ends in each of them.
//!
//! The engines search all records as one text. What they find is all there is in the records, and more: an occurrence with
//! at most k errors has at most m + k symbols, so an end nearer than that to its record's start may belong to one that
//! began in the record before. The first m + k - 1 symbols of such records are searched once more, alone.

use super::checked::Check;
use crate::align::infix::End;
use crate::align::infix::allowed::Allowed;
use crate::align::infix::cut_off;
use crate::text::Pattern;
use std::ops::Range;

/// An end in a record: its number, and the end from the record's start.
pub(super) type RecordEnd = (usize, End);

/// The ends within records, of those in the whole text.
pub(super) fn ends(
    text: &[u8],
    records: &[Range<usize>],
    ends: &[End],
    pattern: &Pattern,
    allowed: Allowed,
) -> Vec<RecordEnd> {
    let k = allowed.errors;
    // Up to here an occurrence may have begun before the record.
    let near = pattern.len() + k as usize - 1;
    let mut found = Vec::with_capacity(ends.len());
    let (mut matches, mut check) = (None, None);
    let mut rest = ends;
    while let Some(next) = rest.first() {
        // The record that the end is in, if any.
        let number = records.partition_point(|record| (record.end as u64) < next.end);
        let Some(record) = records.get(number) else { break };
        let start = rest.partition_point(|end| end.end <= record.start as u64);
        let end = rest.partition_point(|end| end.end <= record.end as u64);
        let inside = &rest[start..end];
        rest = &rest[end..];
        let border = if record.start == 0 { 0 } else { (record.start + near) as u64 };
        let sure = inside.partition_point(|end| end.end <= border);
        if sure > 0 {
            let matches = matches.get_or_insert_with(|| pattern.match_words());
            let first = &text[record.start..record.end.min(record.start + near)];
            let mut again = cut_off::ends(first.iter().copied(), matches, pattern.len(), k, &|_| ());
            if let Some(check) = check.get_or_insert_with(|| Check::of(pattern, allowed)) {
                check.keep(first, &mut again);
            }
            found.extend(again.into_iter().map(|end| (number, end)));
        }
        let relative = |end: &End| (number, End { end: end.end - record.start as u64, ..*end });
        found.extend(inside[sure..].iter().map(relative));
    }
    found
}
