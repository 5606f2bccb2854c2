//! Prepared searches, reused from file to file: a folder has many files, but few combinations of
//! format, alphabet and unit.

use super::output::Printed;
use super::session::Session;
use super::symbols::{FileKind, parse};
use super::wanted::WantedHits;
use crate::shared::patterns::located;
use carrywave::Result;
use carrywave::search::{Aligner, Search, Searcher};
use carrywave::text::Pattern;
use carrywave::text::characters::TextPattern;

/// A search prepared for one type of file.
pub struct Ready<'j> {
    kind: FileKind,
    search: Search<'j>,
    /// The prepared searcher, or `None` while it is in use and before the first file.
    searcher: Option<Searcher<'j>>,
    /// The aligner, or `None` if no alignments are printed.
    pub aligner: Option<Aligner>,
    /// Number of positions of the longest pattern.
    pub longest: u64,
    /// True if any pattern consists of characters.
    pub has_characters: bool,
}

impl<'j> Ready<'j> {
    fn new(session: &Session<'j>, kind: FileKind) -> Result<Self> {
        let mut patterns = parse(session, kind)?;
        let is_aligned = !kind.lines_are_together && Printed::new(session.arguments).is_aligned(session.arguments);
        let longest = longest(&patterns);
        let has_characters = patterns.iter().any(|pattern| matches!(pattern, TextPattern::Characters(_)));
        if patterns.is_empty() {
            // `Search` requires a pattern. This placeholder is never searched for.
            patterns.push(Pattern::literal(b"\n").into());
        }
        let search = session.search(patterns, kind.alphabet(session.arguments))?;
        let search = if kind.lines_are_together { WantedHits::new(session)?.search(search) } else { search };
        let aligner = is_aligned.then(|| search.aligner()).transpose();
        let aligner = aligner.map_err(|error| located(session.patterns, error))?;
        Ok(Self { kind, search, searcher: None, aligner, longest, has_characters })
    }

    /// Returns the searcher for one file. [`give_back`](Self::give_back) keeps the prepared
    /// patterns for the next file.
    pub fn take(&mut self) -> Result<Searcher<'j>> {
        self.searcher.take().map_or_else(|| self.search.prepare(), Ok)
    }

    pub fn give_back(&mut self, searcher: Searcher<'j>) {
        self.searcher = Some(searcher);
    }
}

/// The searches prepared so far.
#[derive(Default)]
pub struct Searches<'j>(Vec<Ready<'j>>);

impl<'j> Searches<'j> {
    /// Returns the search for a type of file, and prepares it if necessary.
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

/// Returns the number of positions of the longest pattern.
pub fn longest(patterns: &[TextPattern]) -> u64 {
    patterns.iter().map(TextPattern::len).max().unwrap_or(0) as u64
}
