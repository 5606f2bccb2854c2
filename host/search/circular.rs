//! Circular records: a plasmid, a mitochondrial genome. A hit may run over the origin.
//!
//! ```text
//! record     |GATTACA.....CCGATT|
//! searched   |GATTACA.....CCGATTGATTACA.....CCGATTGAT|  followed by its first symbols
//! reported         |========================|           as many symbols as the record has
//! ```
//!
//! An occurrence has at most w = m + k symbols. The record is followed by 3 w more symbols, so that
//! every hit of the reported part is chosen in view of all occurrences near it. The reported part
//! begins between w and 2 w, where no hit crosses its border, so that each hit is reported once.

use super::hits::hit::{Choice, Hit};
use crate::error::Result;
use crate::memory;
use crate::text::Strand;
use std::ops::Range;

/// The longest occurrences that follow a record.
const FOLLOWING: usize = 3;

/// Records, each followed by its own first symbols.
#[derive(Debug)]
pub(super) struct Extended {
    pub symbols: Vec<u8>,
    pub records: Vec<Range<usize>>,
    /// The lengths of the records themselves.
    pub lens: Vec<usize>,
}

impl Extended {
    /// Extends records, given the length of the longest occurrence.
    ///
    /// # Errors
    /// [`Error::Memory`](crate::Error::Memory).
    pub fn new(symbols: &[u8], records: &[Range<usize>], longest: usize) -> Result<Self> {
        let following = |record: &Range<usize>| if record.is_empty() { 0 } else { longest.saturating_mul(FOLLOWING) };
        let all = records.iter().map(|record| record.len().saturating_add(following(record)));
        let mut extended = Vec::new();
        memory::reserve(&mut extended, all.fold(0, usize::saturating_add), "the circular records")?;
        let mut ranges = Vec::with_capacity(records.len());
        for record in records {
            let (own, start) = (&symbols[record.clone()], extended.len());
            extended.extend_from_slice(own);
            extended.extend(own.iter().cycle().take(following(record)));
            ranges.push(start..extended.len());
        }
        Ok(Self { symbols: extended, records: ranges, lens: records.iter().map(Range::len).collect() })
    }

    /// Returns each hit once, with its start in the record itself, given the hits in the extended
    /// records, in order.
    pub fn reported_once(&self, hits: &[Hit], longest: usize, choice: Choice) -> Vec<Hit> {
        let mut reported = Vec::new();
        for of_record in hits.chunk_by(|one, next| one.record == next.record) {
            let len = of_record.first().map_or(0, |hit| self.lens[hit.record]) as u64;
            let mut own = of_record.to_vec();
            own.sort_by_key(|hit| (hit.pattern, hit.strand));
            let known = reported.len();
            for group in own.chunk_by(|one, next| (one.pattern, one.strand) == (next.pattern, next.strand)) {
                reported.extend(reported_part(group, len, longest as u64, choice).map(|hit| {
                    let start = hit.start % len;
                    Hit { start, end: start + (hit.end - hit.start), ..hit }
                }));
            }
            reported[known..].sort_unstable();
        }
        reported
    }
}

/// Returns the hits of one pattern on one strand in the reported part of an extended record, whose
/// record has `len` symbols.
fn reported_part(hits: &[Hit], len: u64, longest: u64, choice: Choice) -> impl Iterator<Item = Hit> {
    let mut reported: Vec<Hit> = match choice {
        Choice::EachEnd if hits.first().is_some_and(|hit| hit.strand == Strand::Reverse) => {
            hits.iter().filter(|hit| (longest..longest + len).contains(&hit.start)).copied().collect()
        }
        Choice::EachEnd | Choice::Overlapping => {
            hits.iter().filter(|hit| hit.end > longest && hit.end <= longest + len).copied().collect()
        }
        Choice::NonOverlapping => {
            let from = border(hits, len, longest).unwrap_or(longest);
            hits.iter().filter(|hit| (from..from + len).contains(&hit.start)).copied().collect()
        }
    };
    if choice == Choice::NonOverlapping
        && let [first, .., last] = &reported[..]
        && last.end > first.start + len
    {
        // Hits cross every border.
        reported.pop();
    }
    if choice == Choice::NonOverlapping && reported.is_empty() {
        // A hit of more symbols than the record may have hidden the one that starts there.
        reported.extend(hits.iter().find(|hit| hit.start >= longest).or(hits.first()));
    }
    reported.into_iter()
}

/// Returns the first position from `longest` to 2 `longest` that no hit crosses, neither there nor
/// `len` symbols later.
fn border(hits: &[Hit], len: u64, longest: u64) -> Option<u64> {
    let crosses = |at: u64| {
        let before = hits.partition_point(|hit| hit.start < at);
        hits[..before].last().is_some_and(|hit| hit.end > at)
    };
    let ends = hits.iter().flat_map(|hit| [hit.end, hit.end.saturating_sub(len)]);
    let mut candidates: Vec<u64> = ends.chain([longest]).filter(|at| (longest..=2 * longest).contains(at)).collect();
    candidates.sort_unstable();
    candidates.into_iter().find(|&at| !crosses(at) && !crosses(at + len))
}
