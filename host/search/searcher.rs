//! A search that is ready for many texts.

use super::hits::hit::Hit;
use super::hits::lines::{self, LineHits};
use super::resident::{Kept, Source};
use super::settings::Settings;
use super::texts::coded::CodedSearch;
use crate::error::{Error, Result, UsageFault};
use crate::text::characters::TextPattern;
use std::fmt;

/// A search that is ready for many texts ([`Search::prepare`](super::Search::prepare)). It keeps
/// the data derived from the patterns, and on a GPU also their tables and the memory for texts.
///
/// ```
/// use carrywave::search::Search;
/// use carrywave::text::Pattern;
///
/// let mut searcher = Search::new(Pattern::literal(b"wave")).errors(1).prepare()?;
/// assert_eq!(searcher.count(b"a wavy line")?, 1);
/// assert_eq!(searcher.count(b"a straight line")?, 0);
/// assert_eq!(searcher.hits(b"carry, wave")?[0].start, 7);
/// assert_eq!(searcher.first_hits_in_lines(b"wave wave\nwave\n")?.hits.len(), 2);
/// # Ok::<(), carrywave::Error>(())
/// ```
pub struct Searcher<'p> {
    /// One search for each group of patterns with its own character codes; at least one.
    pub(super) searches: Vec<CodedSearch<'p>>,
    /// True if hits are whole words of lines.
    pub(super) whole_words: bool,
}

impl fmt::Debug for Searcher<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Searcher").field("searches", &self.searches.len()).finish_non_exhaustive()
    }
}

impl<'p> Searcher<'p> {
    pub(super) fn new(patterns: &[TextPattern], settings: &Settings<'p>, kept: Option<&Kept>) -> Result<Self> {
        if kept.is_some() && settings.circular {
            return Err(
                UsageFault::Engine.error("circular records are searched in host memory; make no resident text of them")
            );
        }
        let searches = CodedSearch::all(patterns, settings, kept)?;
        Ok(Self { searches, whole_words: settings.whole_words })
    }

    /// Returns the hits in a text, as [`Search::hits`](super::Search::hits) does. As in the
    /// [example](Self).
    ///
    /// # Errors
    /// As [`Search::hits`](super::Search::hits), and for a text on a GPU, which only
    /// [`Search::hits`](super::Search::hits) searches.
    pub fn hits<'t>(&mut self, text: impl Into<Source<'t>>) -> Result<Vec<Hit>> {
        let source = text.into();
        self.refuse_kept(&source)?;
        self.hits_in(&source)
    }

    /// Announces that the next texts have about this number of symbols in total. If no engine and
    /// no algorithm were chosen, and the CPU should need more than about a second, a GPU is opened
    /// while the CPU searches, and used if it is faster. The hits are the same. Texts of a few
    /// million symbols suit this, as a text is searched by one engine.
    ///
    /// ```
    /// use carrywave::search::Search;
    /// use carrywave::text::Pattern;
    ///
    /// let mut searcher = Search::new(Pattern::literal(b"wave")).errors(1).prepare()?;
    /// let texts: [&[u8]; 2] = [b"a wavy line", b"a straight line"];
    /// searcher.expect(texts.iter().map(|text| text.len() as u64).sum());
    /// for text in texts {
    ///     println!("{}", searcher.count(text)?);
    /// }
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    pub fn expect(&mut self, symbols: u64) {
        self.searches.iter_mut().for_each(|search| search.search.expect(symbols));
    }

    /// Counts the hits in a text, as [`Search::count`](super::Search::count) does. As in the
    /// [example](Self).
    ///
    /// # Errors
    /// As [`hits`](Self::hits).
    pub fn count<'t>(&mut self, text: impl Into<Source<'t>>) -> Result<u64> {
        let source = text.into();
        self.refuse_kept(&source)?;
        self.count_in(&source)
    }

    /// Returns the hits in the lines of a text, each line on its own: the same hits as
    /// [`hits`](Self::hits) returns for a text whose records are its lines. Only lines that may
    /// have a hit are inspected, so the text may have very many lines.
    ///
    /// ```
    /// use carrywave::search::Search;
    /// use carrywave::text::Pattern;
    ///
    /// let found = Search::new(Pattern::literal(b"wave"))
    ///     .prepare()?
    ///     .hits_in_lines(b"one wa\nve\nno wave\n")?;
    /// assert_eq!((found.hits[0].start, found.lines[0].number), (3, 2));
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Search::hits`](super::Search::hits).
    pub fn hits_in_lines(&mut self, text: &[u8]) -> Result<LineHits> {
        self.in_lines(text, false)
    }

    /// Returns the lines of a text that have hits, each with its first hit only: for callers that
    /// do not need the hits' positions. Otherwise as [`hits_in_lines`](Self::hits_in_lines), but a
    /// line with very many hits takes no memory for them. As in the [example](Self).
    ///
    /// # Errors
    /// As [`Search::hits`](super::Search::hits).
    pub fn first_hits_in_lines(&mut self, text: &[u8]) -> Result<LineHits> {
        self.in_lines(text, true)
    }

    fn in_lines(&mut self, text: &[u8], only_first: bool) -> Result<LineHits> {
        if let [search] = &mut self.searches[..] {
            return search.lines(text, only_first);
        }
        let all = self.searches.iter_mut().map(|search| search.lines(text, only_first));
        Ok(lines::merged(all.collect::<Result<_>>()?, only_first))
    }

    fn refuse_kept(&self, source: &Source<'_>) -> Result<()> {
        match source.kept() {
            None => Ok(()),
            Some(_) => {
                Err(UsageFault::Engine.error("a resident text is searched with `Search::hits`, without `prepare`"))
            }
        }
    }

    fn check_words(&self) -> Result<()> {
        if self.whole_words { Err(refuse_words()) } else { Ok(()) }
    }

    pub(super) fn hits_in(&mut self, source: &Source<'_>) -> Result<Vec<Hit>> {
        self.check_words()?;
        if let [search] = &mut self.searches[..] {
            return search.hits(source);
        }
        let mut hits = Vec::new();
        for search in &mut self.searches {
            hits.extend(search.hits(source)?);
        }
        hits.sort_unstable();
        Ok(hits)
    }

    pub(super) fn count_in(&mut self, source: &Source<'_>) -> Result<u64> {
        self.check_words()?;
        self.searches.iter_mut().try_fold(0, |count, search| Ok(count + search.count(source)?))
    }
}

/// Returns the error for a search for whole words in anything but lines.
pub(super) fn refuse_words() -> Error {
    UsageFault::Combination.error("whole words are searched in lines; use `Searcher::hits_in_lines`")
}
