//! Searches that are ready for one file after the other: in a folder there are many files, of few kinds.

use super::symbols::{FileKind, Parsed, parse};
use super::{Job, lines, records, tells_lines, wrong};
use crate::limits::OwnLimits;
use crate::progress::{SYMBOLS, bar, counter};
use carrywave::Result;
use carrywave::io::sequence::Format;
use carrywave::search::{Aligner, Pattern, Search, Searcher};
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

/// A search for these patterns, as the arguments say.
pub fn search_for<'j>(job: &Job<'j>, patterns: Vec<Pattern>) -> Result<Search<'j>> {
    let arguments = job.arguments;
    let own: Vec<&OwnLimits> = job.given.iter().map(|given| &given.limits).collect();
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

/// A search that is ready for files of one kind.
pub struct Ready<'j> {
    kind: FileKind,
    pub parsed: Parsed,
    search: Search<'j>,
    /// None while it is in use.
    searcher: Option<Searcher<'j>>,
    /// Where alignments are printed.
    pub aligner: Option<Aligner>,
}

impl<'j> Ready<'j> {
    fn new(job: &Job<'j>, kind: FileKind) -> Result<Self> {
        let parsed = parse(job, kind)?;
        // A search needs a pattern, but does not run without patterns of the user.
        let none = || vec![Pattern::literal(b"\n")];
        let patterns = if parsed.patterns.is_empty() { none() } else { parsed.patterns.clone() };
        let search = search_for(job, patterns)?;
        let (search, aligner) = if kind.format == Format::Lines && tells_lines(job.arguments) {
            (lines::search_for(job, search)?, None)
        } else {
            let aligner = records::is_aligned(job.arguments).then(|| search.aligner());
            (search, aligner.transpose().map_err(|error| wrong(job.given, error))?)
        };
        Ok(Self { kind, parsed, search, searcher: None, aligner })
    }

    /// The search, for one file; [`give_back`](Self::give_back) keeps what was made of the patterns for the next.
    pub fn take(&mut self) -> Result<Searcher<'j>> {
        self.searcher.take().map_or_else(|| self.search.prepare(), Ok)
    }

    pub fn give_back(&mut self, searcher: Searcher<'j>) {
        self.searcher = Some(searcher);
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
