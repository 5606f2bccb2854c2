//! The hits of all patterns at the ends of records, together with those inside.
//!
//! An occurrence at an end of a record has a score: its symbols of the pattern within the record,
//! less two for each error. If hits may not overlap, those with the greatest scores are reported,
//! and a hit without an overhang before one with the same score.

use super::anchor::Anchor;
use super::finder::{BorderMatch, Finder, Memory, RecordEnds};
use super::limits::PartLimits;
use crate::error::Result;
use crate::memory;
use crate::search::hits::groups::Searched;
use crate::search::hits::hit::{Choice, Hit};
use crate::text::{Pattern, Strand};
use crate::threads;
use rayon::prelude::*;
use std::cmp::Reverse;
use std::ops::Range;

/// Number of records that a thread takes at a time.
const TOGETHER: usize = 1 << 8;

/// The rules for a pattern's occurrences at the ends of records.
pub(in crate::search) struct EndRules {
    pub anchor: Anchor,
    /// The limits on the errors of the pattern's parts.
    pub limits: PartLimits,
}

impl EndRules {
    /// Returns the rules for the reverse complement of the pattern. An anchor is one of the text.
    pub fn reversed(&self) -> Self {
        Self { anchor: self.anchor, limits: self.limits.reversed() }
    }

    /// Returns true if the pattern's hits may be inside records, too.
    pub fn take_inside(&self) -> bool {
        self.anchor == Anchor::Anywhere
    }
}

/// The patterns of a search at the ends of records.
pub(in crate::search) struct Borders {
    own: Vec<Own>,
    choice: Choice,
}

/// A pattern that the engine searches for, at the ends of records.
struct Own {
    /// Number of the pattern among the given ones.
    number: usize,
    strand: Strand,
    finder: Finder,
}

impl Borders {
    /// Prepares patterns, with the rules for each; `None` if all hits are those of the engines.
    ///
    /// # Errors
    /// As [`Finder::new`].
    pub fn new(
        patterns: &[Pattern],
        searched: &[Searched],
        rules: Vec<Option<EndRules>>,
        choice: Choice,
    ) -> Result<Option<Self>> {
        let mut own = Vec::new();
        for ((pattern, searched), rules) in patterns.iter().zip(searched).zip(rules) {
            if let Some(EndRules { anchor, limits }) = rules
                && let Some(finder) = Finder::new(pattern, limits, anchor)?
            {
                let strand = searched.strands.first().copied().unwrap_or(Strand::Forward);
                own.push(Own { number: searched.number, strand, finder });
            }
        }
        Ok((!own.is_empty()).then_some(Self { own, choice }))
    }

    /// Returns the largest number of symbols of an occurrence.
    pub fn reach(&self) -> usize {
        self.own.iter().map(|own| own.finder.reach()).max().unwrap_or(0)
    }

    /// Returns the hits in records: those inside, which are in order, and those at the ends. Runs
    /// on the threads of the current pool.
    ///
    /// # Errors
    /// [`Error::Memory`](crate::Error::Memory).
    pub fn hits(&self, symbols: &[u8], records: &[Range<usize>], inside: Vec<Hit>) -> Result<Vec<Hit>> {
        let reach = self.reach();
        let block = |(number, records): (usize, &[Range<usize>])| {
            threads::check();
            let first = number * TOGETHER;
            let from = inside.partition_point(|hit| hit.record < first);
            let mut rest = &inside[from..];
            let (mut memory, mut hits) = (Memory::default(), Vec::new());
            for (number, record) in (first..).zip(records) {
                let (own, later) = rest.split_at(rest.iter().take_while(|hit| hit.record == number).count());
                rest = later;
                let symbols = &symbols[record.clone()];
                let last = symbols.len().saturating_sub(reach);
                let ends = RecordEnds {
                    first: &symbols[..symbols.len().min(reach)],
                    last: &symbols[last..],
                    len: symbols.len() as u64,
                };
                self.add(number, ends, own, &mut memory, &mut hits);
            }
            hits
        };
        let blocks: Vec<Vec<Hit>> = records.par_chunks(TOGETHER).enumerate().map(block).collect();
        let mut all = Vec::new();
        memory::reserve(&mut all, blocks.iter().map(Vec::len).sum(), "the hits")?;
        all.extend(blocks.into_iter().flatten());
        Ok(all)
    }

    /// Returns the hits in a text of one record: those inside, which are in order, and those at its
    /// ends.
    pub fn hits_of_one(&self, ends: RecordEnds<'_>, inside: &[Hit]) -> Vec<Hit> {
        let mut hits = Vec::new();
        self.add(0, ends, inside, &mut Memory::default(), &mut hits);
        hits
    }

    /// Adds the hits of a record, in order.
    fn add(&self, record: usize, ends: RecordEnds<'_>, inside: &[Hit], memory: &mut Memory, hits: &mut Vec<Hit>) {
        let mut of_record = inside.to_vec();
        let mut found: Vec<BorderMatch> = Vec::new();
        for own in &self.own {
            own.finder.find(ends, memory, &mut found);
            if self.choice == Choice::NonOverlapping && !found.is_empty() {
                own.choose(&mut found, &mut of_record);
            }
            of_record.extend(found.drain(..).map(|one| own.hit(record, one)));
        }
        of_record.sort_unstable();
        hits.append(&mut of_record);
    }
}

impl Own {
    fn hit(&self, record: usize, BorderMatch { range, errors, beyond }: BorderMatch) -> Hit {
        let (pattern, strand) = (self.number, self.strand);
        Hit { record, start: range.start, end: range.end, pattern, strand, errors, beyond }
    }

    /// Keeps the best of overlapping occurrences, and removes the record's hits that a better one
    /// overlaps.
    fn choose(&self, found: &mut Vec<BorderMatch>, hits: &mut Vec<Hit>) {
        found.sort_by_key(|one| (Reverse(self.finder.score(one)), one.errors, one.range.start));
        let is_own = |hit: &Hit| hit.pattern == self.number && hit.strand == self.strand;
        let mut kept: Vec<BorderMatch> = Vec::new();
        for one in found.drain(..) {
            let overlaps = |other: &Range<u64>| other.start < one.range.end && one.range.start < other.end;
            let yields = |hit: &Hit| {
                let score = self.finder.score_inside(hit.errors);
                is_own(hit) && overlaps(&(hit.start..hit.end)) && score >= self.finder.score(&one)
            };
            if !kept.iter().any(|other| overlaps(&other.range)) && !hits.iter().any(yields) {
                kept.push(one);
            }
        }
        let is_beaten =
            |hit: &Hit| is_own(hit) && kept.iter().any(|one| one.range.start < hit.end && hit.start < one.range.end);
        hits.retain(|hit| !is_beaten(hit));
        *found = kept;
    }
}
