//! Searches texts in memory and in files, in the codes of the patterns: from the ends that the
//! engine finds to hits.

use super::slices::Slices;
use crate::error::{Result, UsageFault};
use crate::memory;
use crate::search::borders::finder::RecordEnds;
use crate::search::circular::Extended;
use crate::search::hits::groups::Groups;
use crate::search::hits::hit::{Ends, Hit};
use crate::search::hits::lines::{self, LineHits};
use crate::search::hits::records::{self, Memory};
use crate::search::prepared::PreparedSearch;
use crate::text::{Pattern, Text};
use rayon::prelude::*;
use std::ops::Range;

impl PreparedSearch<'_> {
    /// Returns the hits in the lines of a text, or only the first hit of each line.
    pub fn lines(&mut self, text: &[u8], only_first: bool) -> Result<LineHits> {
        let mut hits = Vec::new();
        let mut add = |mut found: Vec<Hit>| -> Result<()> {
            if only_first {
                let last = hits.last().map(|hit: &Hit| hit.record);
                found.dedup_by_key(|hit| hit.record);
                found.retain(|hit| Some(hit.record) != last);
            }
            memory::reserve(&mut hits, found.len(), "the hits")?;
            hits.extend(found);
            Ok(())
        };
        let lines;
        if self.takes_whole_records() {
            lines = lines::all_lines(text);
            add(self.in_whole_records(text, &lines)?)?;
        } else {
            let all = self.ends_beyond(text, 0)?;
            lines = lines::lines_of(text, &all);
            let text = Memory { symbols: text, records: &lines, from: 0, is_whole: true };
            let mut slices = Slices::with_ends(self, text.symbols.len(), all);
            while !slices.is_done() {
                add(slices.next(self, &text)?)?;
            }
        }
        Ok(LineHits { lines: lines::numbered(text, lines), hits })
    }

    /// Returns the hits in a text, in order.
    pub fn hits(&mut self, text: &Text<'_>) -> Result<Vec<Hit>> {
        if self.takes_whole_records()
            && let Some(symbols) = text.in_memory()
        {
            let all = 0..symbols.len();
            let records = text.records().unwrap_or(std::slice::from_ref(&all));
            return self.in_whole_records(symbols, records);
        }
        if self.is_of_whole_records() || self.settings.circular {
            return Err(UsageFault::Combination
                .error("whole and circular records are searched in memory or in parts, but this text is a file"));
        }
        let mut hits = Vec::new();
        let mut add = |found: Vec<Hit>| {
            memory::reserve(&mut hits, found.len(), "the hits")?;
            hits.extend(found);
            Ok(())
        };
        if text.in_memory().is_some() {
            self.in_memory(text, &mut add)?;
        } else {
            if self.searches_inside() {
                self.in_file(text, &mut add)?;
                self.cpu.run(|| hits.par_sort_unstable());
            }
            if let Some(borders) = self.borders() {
                let reach = borders.reach() as u64;
                let first = text.part(0..text.len().min(reach))?;
                let last = text.part(text.len().saturating_sub(reach)..text.len())?;
                hits = borders.hits_of_one(RecordEnds { first: &first, last: &last, len: text.len() }, &hits);
            }
        }
        Ok(hits)
    }

    /// Returns true if a hit may depend on both ends of its record, so that records are searched as
    /// a whole.
    pub fn takes_whole_records(&self) -> bool {
        self.is_of_whole_records() || self.borders().is_some() || self.settings.circular
    }

    /// Returns circular records, each followed by its first symbols.
    pub fn extended(&self, symbols: &[u8], records: &[Range<usize>]) -> Result<Extended> {
        Extended::new(symbols, records, usize::try_from(self.context()).unwrap_or(usize::MAX))
    }

    /// Returns the hits in circular records, in order.
    pub fn in_circular_records(&mut self, extended: &Extended) -> Result<Vec<Hit>> {
        let hits = self.inside(&extended.symbols, &extended.records)?;
        let longest = usize::try_from(self.context()).unwrap_or(usize::MAX);
        Ok(extended.reported_once(&hits, longest, self.settings.choice()))
    }

    /// Returns the hits of the engine in records, in order.
    fn inside(&mut self, symbols: &[u8], records: &[Range<usize>]) -> Result<Vec<Hit>> {
        let mut inside = Vec::new();
        let text = Memory { symbols, records, from: 0, is_whole: true };
        let mut slices = Slices::new(self);
        while !slices.is_done() {
            let hits = slices.next(self, &text)?;
            memory::reserve(&mut inside, hits.len(), "the hits")?;
            inside.extend(hits);
        }
        Ok(inside)
    }

    /// Returns the hits in records, in order, if these are searched as a whole.
    pub fn in_whole_records(&mut self, symbols: &[u8], records: &[Range<usize>]) -> Result<Vec<Hit>> {
        if let Some(hits) = self.whole_records(symbols, records) {
            return Ok(hits);
        }
        if self.settings.circular {
            let extended = self.extended(symbols, records)?;
            return self.in_circular_records(&extended);
        }
        let inside = if self.searches_inside() {
            self.inside(symbols, records)?
        } else {
            self.skip(symbols.len() as u64);
            Vec::new()
        };
        match self.borders() {
            Some(borders) => self.cpu.run(|| borders.hits(symbols, records, inside)),
            None => Ok(inside),
        }
    }

    /// Counts the hits in a text.
    pub fn count(&mut self, text: &Text<'_>) -> Result<u64> {
        let mut count = 0;
        let settings = &self.settings;
        if settings.ends == Ends::All && !settings.both_strands && !self.takes_whole_records() {
            match text.in_memory().zip(text.records()) {
                None => count = self.run(text.len(), |engine| engine.count(text))?,
                Some((symbols, records)) => {
                    let text = Memory { symbols, records, from: 0, is_whole: true };
                    let all = self.ends_beyond(symbols, 0)?;
                    for ((pattern, searched), ends) in self.patterns.iter().zip(&self.searched).zip(all) {
                        let mut in_records = Vec::new();
                        records::ends(&text, &ends, pattern, searched.allowed, &mut in_records);
                        count += in_records.len() as u64;
                    }
                }
            }
            return Ok(count);
        }
        if self.takes_whole_records() {
            return Ok(self.hits(text)?.len() as u64);
        }
        let mut add = |found: Vec<Hit>| {
            count += found.len() as u64;
            Ok(())
        };
        if text.in_memory().is_some() {
            self.in_memory(text, &mut add)?
        } else {
            self.in_file(text, &mut add)?
        }
        Ok(count)
    }

    /// Calls `add` with the hits of a text in memory, in order, a few at a time.
    fn in_memory(&mut self, text: &Text<'_>, add: TakeHits<'_>) -> Result<()> {
        let symbols = text.in_memory().unwrap_or_default();
        let whole = 0..symbols.len();
        let records = text.records().unwrap_or(std::slice::from_ref(&whole));
        let text = Memory { symbols, records, from: 0, is_whole: true };
        let mut slices = Slices::new(self);
        while !slices.is_done() {
            add(slices.next(self, &text)?)?;
        }
        Ok(())
    }

    /// Calls `add` with the hits of a text that may be larger than memory, as one record, a few
    /// hits of one pattern at a time.
    fn in_file(&mut self, text: &Text<'_>, add: TakeHits<'_>) -> Result<()> {
        let choice = self.settings.choice();
        let (searched, patterns) = (self.searched.clone(), self.patterns.clone());
        let open = |(searched, pattern): (_, &Pattern)| Groups::new(searched, pattern, choice);
        let mut all: Vec<Groups<'_>> = searched.iter().zip(&patterns).map(open).collect();
        self.run(text.len(), |engine| {
            engine.each(text, &mut |i, ends| add(all[i].add(text, ends)?))?;
            all.into_iter().try_for_each(|groups| add(groups.finish(text)?))
        })
    }
}

/// Takes some hits; an error stops the search.
type TakeHits<'f> = &'f mut (dyn FnMut(Vec<Hit>) -> Result<()> + Send);
