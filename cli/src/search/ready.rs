//! Searches that are ready for one file after the other: in a folder there are many files, of few kinds.

use super::output::Printed;
use super::session::Session;
use super::symbols::{FileKind, parse};
use super::wanted::WantedHits;
use crate::shared::patterns::located;
use carrywave::Result;
use carrywave::io::sequence::Format;
use carrywave::search::{Aligner, Pattern, Search, Searcher};
use carrywave::text::characters::PatternGroup;

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
    fn new(session: &Session<'j>, kind: FileKind) -> Result<Self> {
        let mut groups = parse(session, kind)?;
        let prints_lines = kind.format == Format::Lines && session.arguments.prints_lines();
        let is_aligned = !prints_lines && Printed::new(session.arguments).is_aligned(session.arguments);
        let mut searches = Vec::new();
        let mut aligners = Vec::new();
        for group in &mut groups {
            // A search needs a pattern, but does not run without patterns of the user.
            let none = || vec![Pattern::literal(b"\n")];
            let patterns = if group.patterns.is_empty() { none() } else { group.patterns.clone() };
            let search = session.search(patterns, &group.numbers)?;
            let search = if prints_lines { WantedHits::new(session)?.search(search) } else { search };
            if is_aligned {
                aligners.push(search.aligner().map_err(|error| located(session.patterns, group.numbered(error)))?);
            }
            if group.shares_codes() {
                group.set_errors(
                    search.most_errors().map_err(|error| located(session.patterns, group.numbered(error)))?,
                );
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
    /// Returns the one for files of a kind.
    pub fn get(&mut self, session: &Session<'j>, kind: FileKind) -> Result<&mut Ready<'j>> {
        let place = match self.0.iter().position(|ready| ready.kind == kind) {
            Some(place) => place,
            None => {
                self.0.push(Ready::new(session, kind)?);
                self.0.len() - 1
            }
        };
        Ok(&mut self.0[place])
    }
}

/// Positions of the longest pattern.
pub fn longest(patterns: &[Pattern]) -> u64 {
    patterns.iter().map(Pattern::len).max().unwrap_or(0) as u64
}
