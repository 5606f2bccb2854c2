//! A search that is ready for one text after the other: from the ends that the engine finds to hits.

use super::groups::Groups;
use super::hit::Hit;
use super::lines::{self, LineHits};
use super::occurrence::Ends;
use super::prepared::PreparedSearch;
use super::records::{self, Memory};
use super::resident::{Kept, Source};
use super::settings::Settings;
use super::slices::Slices;
use crate::error::{Result, UsageFault};
use crate::memory;
use crate::text::{Pattern, Text};
use rayon::prelude::*;
use std::fmt;

/// A search that is ready for one text after the other ([`Search::prepare`](super::Search::prepare)): what was made of the patterns is kept, and on a GPU their tables and
/// the room for texts.
///
/// ```
/// use carrywave::search::Search;
/// use carrywave::text::Pattern;
///
/// let mut searcher = Search::new(Pattern::literal(b"wave")).errors(1).prepare()?;
/// assert_eq!(searcher.count(b"a wavy line")?, 1);
/// assert_eq!(searcher.count(b"a straight line")?, 0);
/// # Ok::<(), carrywave::Error>(())
/// ```
pub struct Searcher<'p> {
    pub(super) search: PreparedSearch<'p>,
}

impl fmt::Debug for Searcher<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Searcher").field("search", &self.search.settings).finish_non_exhaustive()
    }
}

impl<'p> Searcher<'p> {
    pub(super) fn new(settings: &Settings<'p>, kept: Option<&Kept>) -> Result<Self> {
        Ok(Self { search: PreparedSearch::new(settings, kept)? })
    }

    /// The names of the algorithms that search for the patterns, in alphabetical order: one, or several where patterns are searched for in several ways.
    ///
    /// ```
    /// use carrywave::search::{Algorithm, Pattern, Search};
    ///
    /// let search = Search::new(Pattern::literal(b"wave")).algorithm(Algorithm::named("kmp")?);
    /// assert_eq!(search.prepare()?.algorithms(), ["kmp"]);
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    pub fn algorithms(&self) -> Vec<&'static str> {
        self.search.algorithms()
    }

    /// The hits in a text, as [`Search::hits`](super::Search::hits).
    ///
    /// # Errors
    /// As [`Search::hits`](super::Search::hits), and for a text that is on a GPU: that is searched there, by [`Search::hits`](super::Search::hits).
    pub fn hits<'t>(&mut self, text: impl Into<Source<'t>>) -> Result<Vec<Hit>> {
        let source = text.into();
        self.refuse_kept(&source)?;
        self.hits_in(source.text())
    }

    /// The number of hits in a text, as [`Search::count`](super::Search::count).
    ///
    /// # Errors
    /// As [`hits`](Self::hits).
    pub fn count<'t>(&mut self, text: impl Into<Source<'t>>) -> Result<u64> {
        let source = text.into();
        self.refuse_kept(&source)?;
        self.count_in(source.text())
    }

    /// The hits in the lines of a text, each line on its own: those that [`hits`](Self::hits) tells of a text whose records are its lines. Only lines
    /// are looked at in which something may be, so that there may be very many.
    ///
    /// ```
    /// use carrywave::search::{Pattern, Search};
    ///
    /// let found = Search::new(Pattern::literal(b"wave")).prepare()?.hits_in_lines(b"one wa\nve\nno wave\n")?;
    /// assert_eq!((found.hits[0].start, found.lines[0].number), (3, 2));
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Search::hits`](super::Search::hits).
    pub fn hits_in_lines(&mut self, text: &[u8]) -> Result<LineHits> {
        self.in_lines(text, false)
    }

    /// The lines of a text that have hits, each with its first hit alone: for those who do not show where the hits are. As
    /// [`hits_in_lines`](Self::hits_in_lines), but a line with very many hits takes no memory for them.
    ///
    /// # Errors
    /// As [`Search::hits`](super::Search::hits).
    pub fn first_hits_in_lines(&mut self, text: &[u8]) -> Result<LineHits> {
        self.in_lines(text, true)
    }

    fn in_lines(&mut self, text: &[u8], only_first: bool) -> Result<LineHits> {
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
        if self.search.is_of_whole_records() {
            lines = lines::all_lines(text);
            add(self.search.whole_records(text, &lines).unwrap_or_default())?;
        } else {
            let all = self.search.ends_beyond(text, 0)?;
            lines = lines::lines_of(text, &all);
            let text = Memory { symbols: text, records: &lines, from: 0, is_whole: true };
            let mut slices = Slices::with_ends(&self.search, text.symbols.len(), all);
            while !slices.is_done() {
                add(slices.next(&mut self.search, &text)?)?;
            }
        }
        Ok(LineHits { lines: lines::numbered(text, lines), hits })
    }

    fn refuse_kept(&self, source: &Source<'_>) -> Result<()> {
        match source.kept() {
            None => Ok(()),
            Some(_) => {
                Err(UsageFault::Engine
                    .error("a text that is on a GPU is searched by `Search::hits`, without `prepare`"))
            }
        }
    }

    pub(super) fn hits_in(&mut self, text: &Text<'_>) -> Result<Vec<Hit>> {
        if self.search.is_of_whole_records() {
            let Some(symbols) = text.in_memory() else {
                return Err(UsageFault::Combination
                    .error("whole records are searched in memory, and in parts; this text is a file"));
            };
            let all = 0..symbols.len();
            let records = text.records().unwrap_or(std::slice::from_ref(&all));
            return Ok(self.search.whole_records(symbols, records).unwrap_or_default());
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
            self.in_file(text, &mut add)?;
            self.search.cpu.run(|| hits.par_sort_unstable());
        }
        Ok(hits)
    }

    pub(super) fn count_in(&mut self, text: &Text<'_>) -> Result<u64> {
        let mut count = 0;
        let settings = &self.search.settings;
        if settings.ends == Ends::All && !settings.both_strands && !self.search.is_of_whole_records() {
            match text.in_memory().zip(text.records()) {
                None => count = self.search.run(text.len(), |engine| engine.count(text))?,
                Some((symbols, records)) => {
                    let text = Memory { symbols, records, from: 0, is_whole: true };
                    let all = self.search.ends_beyond(symbols, 0)?;
                    for ((pattern, searched), ends) in self.search.patterns.iter().zip(&self.search.searched).zip(all) {
                        let mut in_records = Vec::new();
                        records::ends(&text, &ends, pattern, searched.allowed, &mut in_records);
                        count += in_records.len() as u64;
                    }
                }
            }
            return Ok(count);
        }
        if self.search.is_of_whole_records() {
            return Ok(self.hits_in(text)?.len() as u64);
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

    /// Calls `add` with the hits of a text in memory, in order, some at a time.
    fn in_memory(&mut self, text: &Text<'_>, add: TakeHits<'_>) -> Result<()> {
        let symbols = text.in_memory().unwrap_or_default();
        let whole = 0..symbols.len();
        let records = text.records().unwrap_or(std::slice::from_ref(&whole));
        let text = Memory { symbols, records, from: 0, is_whole: true };
        let mut slices = Slices::new(&self.search);
        while !slices.is_done() {
            add(slices.next(&mut self.search, &text)?)?;
        }
        Ok(())
    }

    /// Calls `add` with the hits of a text that may be larger than memory, as one record: some of a pattern at a time.
    fn in_file(&mut self, text: &Text<'_>, add: TakeHits<'_>) -> Result<()> {
        let choice = self.search.settings.choice();
        let (searched, patterns) = (self.search.searched.clone(), self.search.patterns.clone());
        let open = |(searched, pattern): (_, &Pattern)| Groups::new(searched, pattern, choice);
        let mut all: Vec<Groups<'_>> = searched.iter().zip(&patterns).map(open).collect();
        self.search.run(text.len(), |engine| {
            engine.each(text, &mut |i, ends| add(all[i].add(text, ends)?))?;
            all.into_iter().try_for_each(|groups| add(groups.finish(text)?))
        })
    }
}

/// Takes some hits; an error stops the search.
type TakeHits<'f> = &'f mut (dyn FnMut(Vec<Hit>) -> Result<()> + Send);
