//! The choice of occurrences that are reported: from the ends that an engine finds to hits.
//!
//! An *occurrence* is a part of the text with at most k errors, within the limits by kind. The
//! better of two occurrences has fewer errors, then fewer gaps (insertions and deletions), then
//! more symbols. Many occurrences overlap where the pattern occurs, so there are three choices:
//!
//! ```text
//! pattern abcd, k = 1      x x a b c d x x a b c
//!                              └─────┘     └─┴─┘    apart: the next row without overlaps
//!                              └─────┘     └───┘    overlapping: best of its start and of its end
//!                              └───┴─┴─┘   └───┘    each end: the best for every end
//! ```
//!
//! The first two choices are symmetric: they select the same parts in the reversed text for the
//! reversed pattern. If equally good occurrences overlap, the first along the strand is reported,
//! and `each end` refers to the ends along the strand. So hits on both strands mirror those in the
//! reverse complement.

use super::chains::Piece;
use super::hit::{Choice, Occurrence};
use super::records::RecordEnd;
use crate::infix::End;
use crate::infix::allowed::Allowed;
use crate::infix::cut_off;
use crate::infix::extent::Reader;
use crate::text::Pattern;
use crate::text::Strand;
use crate::threads::{self, Stop};
use rayon::prelude::*;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

/// Least number of ends with equal errors that several threads share.
const PARALLEL: usize = 1 << 10;

/// Chooses among the occurrences of a pattern.
pub(crate) struct Chooser {
    m: u64,
    allowed: Allowed,
    choice: Choice,
    forward: Reader,
    backward: Reader,
    /// Stops long work on dense ends.
    stop: Stop,
}

impl Chooser {
    pub(crate) fn new(pattern: &Pattern, allowed: Allowed, choice: Choice) -> Self {
        let (forward, backward) = (Reader::forward(pattern).within(allowed), Reader::backward(pattern).within(allowed));
        Self { m: pattern.len() as u64, allowed, choice, forward, backward, stop: threads::stop() }
    }

    /// Returns the length of the longest occurrence: m + k.
    pub(crate) fn longest(&self) -> u64 {
        self.m + u64::from(self.allowed.errors)
    }

    /// Returns the part of the text that contains the occurrences of a piece.
    pub(crate) fn window(&self, piece: &Piece<'_>) -> Range<u64> {
        let last = piece.ends.last().map_or(0, |&(_, end)| end.end);
        piece.first_own().saturating_sub(self.longest())..last
    }

    /// Returns the chosen occurrences of a piece, in its window of the text: ordered by start along
    /// the text, or for `EachEnd` by end along the strand. Occurrences that may not overlap start
    /// at `first` or later.
    pub(crate) fn choose(&self, text: &[u8], piece: &Piece<'_>, strand: Strand, first: u64) -> Vec<Occurrence> {
        let base = self.window(piece).start;
        let from_base = |ends: &[RecordEnd]| -> Vec<End> {
            let within = ends.iter().filter(|(_, end)| end.end > base);
            within.map(|&(_, end)| End { end: end.end - base, ..end }).collect()
        };
        let own = from_base(&piece.ends[piece.own.clone()]);
        // The neighbours in the same chain matter only if one of them may be a better end for a
        // start.
        let with_neighbours = if own.len() == piece.ends.len() { None } else { Some(from_base(piece.ends)) };
        let all = with_neighbours.as_ref().unwrap_or(&own);
        let mut chosen = match (self.choice, strand) {
            (Choice::NonOverlapping, _) => self.non_overlapping(text, (all, &own), strand, first.saturating_sub(base)),
            (Choice::Overlapping, _) => self.overlapping(text, all, &own),
            (Choice::EachEnd, Strand::Forward) => each(&own, &|&end| Some(self.ending(text, end))),
            (Choice::EachEnd, Strand::Reverse) => self.each_start(text, &own),
        };
        for occurrence in &mut chosen {
            occurrence.start += base;
            occurrence.end += base;
        }
        chosen
    }

    /// Returns the best occurrence of a piece of one end without neighbours, which overlaps no
    /// other. `None` for other pieces, and on the reverse strand if the choice is `EachEnd`.
    #[inline]
    pub(crate) fn alone(&self, text: &[u8], piece: &Piece<'_>, strand: Strand) -> Option<Occurrence> {
        let &[(_, end)] = piece.ends else { return None };
        if self.choice == Choice::EachEnd && strand == Strand::Reverse {
            return None;
        }
        let base = self.window(piece).start;
        let found = self.ending(text, End { end: end.end - base, ..end });
        Some(Occurrence { start: found.start + base, end: end.end, ..found })
    }

    /// Returns the best occurrence with this end.
    fn ending(&self, text: &[u8], End { end, errors }: End) -> Occurrence {
        if errors == 0 {
            return Occurrence { start: end - self.m, end, errors, gaps: 0 };
        }
        self.stop.check();
        let found = self.backward.extent(&text[..end as usize], errors);
        // Sellers' table guarantees an occurrence.
        let (length, gaps) = found.map_or((self.m.min(end), 0), |found| (found.length, found.gaps));
        Occurrence { start: end - length, end, errors, gaps }
    }

    /// Returns the best occurrence with this end if its alignment has no gaps.
    fn ending_without_gaps(&self, text: &[u8], End { end, errors }: End) -> Option<Occurrence> {
        if errors == 0 {
            return Some(self.ending(text, End { end, errors }));
        }
        self.stop.check();
        let found = self.backward.without_gaps(&text[..end as usize], errors)?;
        Some(Occurrence { start: end - found.length, end, errors, gaps: 0 })
    }

    /// Returns true if no occurrence with the same start is better than this one, which is the best
    /// with its end.
    fn is_best_of_start(&self, text: &[u8], ends: &[End], occurrence: &Occurrence) -> bool {
        let Occurrence { start, end, errors, gaps } = *occurrence;
        let (shortest, longest) = (start + self.m - u64::from(errors), start + self.m + u64::from(errors));
        let from = ends.partition_point(|other| other.end < shortest);
        let rivals = ends[from..].iter().take_while(|other| other.end <= longest);
        let may_be_better = |other: &End| other.errors < errors || other.errors == errors && gaps > 0;
        if !rivals.clone().any(|other| other.end != end && may_be_better(other)) {
            return true;
        }
        let after = &text[start as usize..text.len().min(longest as usize)];
        let best = self.forward.best(after, errors);
        best.is_some_and(|(fewest, best)| fewest == errors && best.length == end - start)
    }

    fn overlapping(&self, text: &[u8], all: &[End], own: &[End]) -> Vec<Occurrence> {
        each(own, &|&end| {
            let occurrence = self.ending(text, end);
            self.is_best_of_start(text, all, &occurrence).then_some(occurrence)
        })
    }

    /// Takes occurrences from the best to the worst: those that start at `first` or later, have an
    /// end among `own`, and do not overlap a taken one.
    fn non_overlapping(
        &self,
        text: &[u8],
        (all, own): (&[End], &[End]),
        strand: Strand,
        first: u64,
    ) -> Vec<Occurrence> {
        let mut taken = Taken::default();
        if first > 0 {
            // A stand-in for the hits of the piece before.
            taken.by_end.insert(first, Occurrence { start: 0, end: first, errors: 0, gaps: 0 });
        }
        let mut by_errors = own.to_vec();
        by_errors.sort_by_key(|end| end.errors);
        let mut take = |equal: &[End], best: &(dyn Fn(End) -> Option<Occurrence> + Sync)| {
            let mut found = each(equal, &|&end| {
                // No occurrence with these errors is shorter.
                let shortest = self.m - u64::from(end.errors);
                if !taken.leaves(end.end - shortest.min(end.end)..end.end) {
                    return None;
                }
                best(end).filter(|one| taken.leaves(one.start..one.end))
            });
            found.sort_unstable_by_key(|one| {
                let along = if strand == Strand::Forward { one.start } else { u64::MAX - one.end };
                (one.gaps, Reverse(one.end - one.start), along)
            });
            for one in found {
                // The check of the start takes the longest, so it comes last.
                if taken.leaves(one.start..one.end) && self.is_best_of_start(text, all, &one) {
                    taken.by_end.insert(one.end, one);
                }
            }
        };
        for equal in by_errors.chunk_by(|a, b| a.errors == b.errors) {
            // Occurrences without gaps come first, and are found faster.
            take(equal, &|end| self.ending_without_gaps(text, end));
            take(equal, &|end| Some(self.ending(text, end)));
        }
        taken.by_end.remove(&first);
        taken.by_end.into_values().collect()
    }

    /// Returns the best occurrence for every start, from the last start to the first (these are the
    /// ends along the reverse strand), restricted to occurrences that end among `own`.
    fn each_start(&self, text: &[u8], own: &[End]) -> Vec<Occurrence> {
        let (first, last) = (own.first().map_or(0, |end| end.end), own.last().map_or(0, |end| end.end));
        let backwards = text.iter().rev().copied();
        let starts = cut_off::ends(backwards, self.backward.matches(), self.m as usize, self.allowed.edits(), &|_| ());
        each(&starts, &|&End { end, errors }| {
            let start = text.len() as u64 - end;
            let after = &text[start as usize..];
            let (errors, found) = match self.forward.is_limited() {
                // All occurrences with this start may exceed the limits.
                true => self.forward.best(after, self.allowed.errors)?,
                false => (errors, self.forward.extent(after, errors)?),
            };
            let end = start + found.length;
            (first..=last).contains(&end).then_some(Occurrence { start, end, errors, gaps: found.gaps })
        })
    }
}

/// Occurrences that do not overlap, by their ends.
#[derive(Default)]
struct Taken {
    by_end: BTreeMap<u64, Occurrence>,
}

impl Taken {
    /// Returns true if a part overlaps none of the occurrences.
    fn leaves(&self, part: Range<u64>) -> bool {
        self.by_end.range(part.start + 1..).next().is_none_or(|(_, next)| next.start >= part.end)
    }
}

/// Maps ends to their occurrences, in order; uses several threads if there are many ends.
fn each(ends: &[End], occurrence: &(dyn Fn(&End) -> Option<Occurrence> + Sync)) -> Vec<Occurrence> {
    if ends.len() < PARALLEL {
        ends.iter().filter_map(occurrence).collect()
    } else {
        ends.par_iter().with_min_len(PARALLEL / 8).filter_map(occurrence).collect()
    }
}
