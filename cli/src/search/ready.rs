//! Searches that are ready for one file after the other: in a folder there are many files, of few kinds.

use super::output::Printed;
use super::session::Session;
use super::symbols::{FileKind, parse};
use super::wanted::WantedHits;
use crate::shared::patterns::located;
use carrywave::Result;
use carrywave::io::sequence::Format;
use carrywave::search::{Aligner, Search, Searcher};
use carrywave::text::Pattern;
use carrywave::text::characters::TextPattern;

/// A search that is ready for files of one kind.
pub struct Ready<'j> {
    kind: FileKind,
    search: Search<'j>,
    /// `None` while it is in use, and before the first file.
    searcher: Option<Searcher<'j>>,
    /// `None` if no alignments are printed.
    pub aligner: Option<Aligner>,
    /// Positions of the longest pattern.
    pub longest: u64,
    /// True if the symbols of some patterns are characters.
    pub has_characters: bool,
}

impl<'j> Ready<'j> {
    fn new(session: &Session<'j>, kind: FileKind) -> Result<Self> {
        let mut patterns = parse(session, kind)?;
        let prints_lines = kind.format == Format::Lines && session.arguments.prints_lines();
        let is_aligned = !prints_lines && Printed::new(session.arguments).is_aligned(session.arguments);
        let longest = longest(&patterns);
        let has_characters = patterns.iter().any(|pattern| matches!(pattern, TextPattern::Characters(_)));
        if patterns.is_empty() {
            // A search needs a pattern, but does not run without patterns of the user.
            patterns.push(Pattern::literal(b"\n").into());
        }
        let search = session.search(patterns)?;
        let search = if prints_lines { WantedHits::new(session)?.search(search) } else { search };
        let aligner = is_aligned.then(|| search.aligner()).transpose();
        let aligner = aligner.map_err(|error| located(session.patterns, error))?;
        Ok(Self { kind, search, searcher: None, aligner, longest, has_characters })
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
pub fn longest(patterns: &[TextPattern]) -> u64 {
    patterns.iter().map(TextPattern::len).max().unwrap_or(0) as u64
}
