//! Searches that are ready for one file after the other: in a folder there are many files, of few kinds.

use super::symbols::{FileKind, parse};
use super::{Job, lines, longest, records, tells_lines, wrong};
use crate::limits::OwnLimits;
use crate::progress::{SYMBOLS, bar, counter};
use carrywave::Result;
use carrywave::io::sequence::Format;
use carrywave::search::{Aligner, Pattern, Search, Searcher};
use carrywave::text::characters::PatternGroup;
use indicatif::ProgressBar;
use std::sync::{Mutex, PoisonError};

/// How far the search of a file is, on a bar if it takes long.
#[derive(Default)]
pub struct Progress(Mutex<Option<ProgressBar>>);

impl Progress {
    /// Shows from now on how much is done of so many units, if that is known, of which one costs `weight` times the usual.
    pub fn begin(&self, units: Option<u64>, weight: u64) {
        let bar = match units {
            Some(units) if units.saturating_mul(weight) < SYMBOLS.least => None,
            Some(units) => Some(bar(units, weight, SYMBOLS)),
            None => Some(counter(SYMBOLS)),
        };
        self.set(bar);
    }

    /// Some more units are done.
    pub fn add(&self, units: u64) {
        if let Some(bar) = &*self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            bar.inc(units);
        }
    }

    /// Shows nothing any more.
    pub fn end(&self) {
        self.set(None);
    }

    fn set(&self, bar: Option<ProgressBar>) {
        let before = std::mem::replace(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner), bar);
        if let Some(before) = before {
            before.finish_and_clear();
        }
    }
}

/// A search for some of the patterns, as the arguments say; `numbers` are those of the patterns among all.
pub fn search_for<'j>(job: &Job<'j>, patterns: Vec<Pattern>, numbers: &[usize]) -> Result<Search<'j>> {
    let arguments = job.arguments;
    arguments.limits.check(job.given.iter().map(|given| &given.limits))?;
    let own: Vec<&OwnLimits> =
        numbers.iter().filter_map(|&number| job.given.get(number)).map(|given| &given.limits).collect();
    let search = arguments
        .limits
        .search(patterns, &own)?
        .algorithm(arguments.algorithm)
        .tuning(arguments.tune)
        .ends(arguments.ends)
        .overlapping(arguments.overlapping)
        .both_strands(arguments.rc)
        .whole_records(arguments.lines.line_regexp)
        .on_progress(job.on_progress);
    Ok(match job.engine {
        Some(engine) => search.on(engine),
        None => search,
    })
}

/// A search that is ready for files of one kind: one for each group of patterns.
pub struct Ready<'j> {
    kind: FileKind,
    pub groups: Vec<PatternGroup>,
    searches: Vec<Search<'j>>,
    /// None while they are in use.
    searchers: Option<Vec<Searcher<'j>>>,
    /// One for each group if alignments are printed, else none.
    pub aligners: Vec<Aligner>,
}

impl<'j> Ready<'j> {
    fn new(job: &Job<'j>, kind: FileKind) -> Result<Self> {
        let mut groups = parse(job, kind)?;
        let tells_lines = kind.format == Format::Lines && tells_lines(job.arguments);
        let is_aligned = !tells_lines && records::is_aligned(job.arguments);
        let (mut searches, mut aligners) = (Vec::new(), Vec::new());
        for group in &mut groups {
            // A search needs a pattern, but does not run without patterns of the user.
            let none = || vec![Pattern::literal(b"\n")];
            let patterns = if group.patterns.is_empty() { none() } else { group.patterns.clone() };
            let search = search_for(job, patterns, &group.numbers)?;
            let search = if tells_lines { lines::search_for(job, search)? } else { search };
            if is_aligned {
                aligners.push(search.aligner().map_err(|error| wrong(job.given, group.numbered(error)))?);
            }
            if group.shares_codes() {
                group.set_errors(search.most_errors().map_err(|error| wrong(job.given, group.numbered(error)))?);
            }
            searches.push(search);
        }
        Ok(Self { kind, groups, searches, searchers: None, aligners })
    }

    /// The searches of all groups, for one file; [`give_back`](Self::give_back) keeps what was made of the patterns for the next.
    pub fn take(&mut self) -> Result<Vec<Searcher<'j>>> {
        if let Some(searchers) = self.searchers.take() {
            return Ok(searchers);
        }
        let ready =
            |(search, group): (&Search<'j>, &PatternGroup)| search.prepare().map_err(|error| group.numbered(error));
        self.searches.iter().zip(&self.groups).map(ready).collect()
    }

    pub fn give_back(&mut self, searchers: Vec<Searcher<'j>>) {
        self.searchers = Some(searchers);
    }

    /// Returns true if the symbols of some patterns are characters.
    pub fn has_characters(&self) -> bool {
        self.groups.iter().any(|group| group.characters.is_some())
    }

    /// Positions of the longest pattern.
    pub fn longest(&self) -> u64 {
        self.groups.iter().map(|group| longest(&group.patterns)).max().unwrap_or(0)
    }
}

/// The searches so far.
#[derive(Default)]
pub struct Searches<'j>(Vec<Ready<'j>>);

impl<'j> Searches<'j> {
    /// The one for files of a kind.
    pub fn of(&mut self, job: &Job<'j>, kind: FileKind) -> Result<&mut Ready<'j>> {
        let place = match self.0.iter().position(|ready| ready.kind == kind) {
            Some(place) => place,
            None => {
                self.0.push(Ready::new(job, kind)?);
                self.0.len() - 1
            }
        };
        Ok(&mut self.0[place])
    }
}
