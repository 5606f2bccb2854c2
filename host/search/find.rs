//! The search job: what is looked for, by which engine and algorithm.

use super::algorithm::Algorithm;
use super::bounds::Errors;
use super::hit::Hit;
use super::occurrence::Ends;
use super::resident::Source;
use super::searcher::Searcher;
use super::settings::Settings;
use super::tuning::Tuning;
use crate::device::{Devices, Engine};
use crate::error::Result;
use crate::text::Pattern;
use std::fmt;

/// A search for patterns with at most k errors, on the engine and by the algorithm of your choice.
///
/// ```
/// use carrywave::search::Search;
/// use carrywave::text::{Alphabet, Pattern};
///
/// let pattern = Pattern::parse(b"GATTACA", Alphabet::Dna)?;
/// let hits = Search::new(pattern).errors(1).both_strands(true).hits(b"ccGATTCAcc")?;
/// assert_eq!((hits[0].start, hits[0].end, hits[0].errors), (2, 8, 1));
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Clone)]
#[must_use = "a search does nothing until it is given a text"]
pub struct Search<'p> {
    pub(super) settings: Settings<'p>,
}

impl fmt::Debug for Search<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.settings.fmt(f)
    }
}

impl<'p> Search<'p> {
    /// For one pattern without errors, on the CPU with its fastest algorithm.
    pub fn new(pattern: Pattern) -> Self {
        Self::many(vec![pattern])
    }

    /// For several patterns, each on its own.
    pub fn many(patterns: Vec<Pattern>) -> Self {
        Self { settings: Settings::new(patterns) }
    }

    fn set(mut self, set: impl FnOnce(&mut Settings<'p>)) -> Self {
        set(&mut self.settings);
        self
    }

    /// How many errors are allowed: k insertions, deletions and substitutions in all, fewer than any pattern has symbols. Where it is not
    /// given but limits for kinds are, it is their sum, and a kind without a limit is not allowed.
    pub fn errors(self, k: u32) -> Self {
        self.in_all(Errors::Same(k))
    }

    /// The same as a share of each pattern's symbols in percent, rounded down: 10 are 2 errors in 20 to 29 symbols.
    pub fn errors_percent(self, percent: u32) -> Self {
        self.in_all(Errors::Percent(percent))
    }

    /// The same for each pattern on its own: one number for each of them.
    pub fn errors_each(self, each: Vec<u32>) -> Self {
        self.in_all(Errors::Each(each))
    }

    fn in_all(self, errors: Errors) -> Self {
        self.set(|settings| settings.bounds.errors = Some(errors))
    }

    /// How many symbols may be substituted.
    ///
    /// With limits by kind an occurrence is a part of the text for which there is an alignment within all limits; its errors are the fewest
    /// of all such alignments.
    ///
    /// ```
    /// use carrywave::search::{Pattern, Search};
    ///
    /// // Mismatches alone, no gaps: the Hamming distance.
    /// let search = Search::new(Pattern::literal(b"GATTACA")).substitutions(2);
    /// assert_eq!(search.count(b"ccGACTAGAcc")?, 1);
    /// assert_eq!(search.count(b"ccGATACAccc")?, 0);
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    pub fn substitutions(self, most: u32) -> Self {
        self.set(|settings| settings.bounds.substitutions = Some(most))
    }

    /// How many symbols of the text may be ones that the pattern does not have.
    pub fn insertions(self, most: u32) -> Self {
        self.set(|settings| settings.bounds.insertions = Some(most))
    }

    /// How many symbols of the pattern may be left out.
    pub fn deletions(self, most: u32) -> Self {
        self.set(|settings| settings.bounds.deletions = Some(most))
    }

    /// What computes. Of several GPUs each takes chunks of the text in turn.
    pub fn on(self, engine: &dyn Engine) -> Self {
        self.set(|settings| settings.devices = Some(Devices::of(engine)))
    }

    /// Selects the algorithm; whether the engine has it and takes the patterns is checked when the search runs.
    pub fn algorithm(self, algorithm: Algorithm) -> Self {
        self.set(|settings| settings.algorithm = algorithm)
    }

    /// The options of a published GPU algorithm, which has to be named as well.
    pub fn tuning(self, tuning: Tuning) -> Self {
        self.set(|settings| settings.tuning = tuning)
    }

    /// Which occurrences are hits.
    pub fn ends(self, ends: Ends) -> Self {
        self.set(|settings| settings.ends = ends)
    }

    /// Whether hits of a pattern on a strand may overlap. If not, the default, the best is told; of several that are equally good the
    /// first, as the strand is read. For [`Ends::All`] they always may.
    pub fn overlapping(self, overlapping: bool) -> Self {
        self.set(|settings| settings.overlapping = overlapping)
    }

    /// Whether to search for the patterns' reverse complements too. The hits are then the mirror image of those in the reverse
    /// complement of the text. Where a pattern that is its own reverse complement is found on both strands, it is told once, on the
    /// forward strand.
    pub fn both_strands(self, both: bool) -> Self {
        self.set(|settings| settings.both_strands = both)
    }

    /// Whether a hit is a whole record, or line: one that has at most k errors from its first symbol to its last. It is searched for on the
    /// CPU, whatever algorithm is named, in texts in memory and in parts that have whole records; [`ends`](Self::ends) has no meaning then.
    ///
    /// ```
    /// use carrywave::search::{Pattern, Search, Text};
    ///
    /// let search = Search::new(Pattern::literal(b"carry")).errors(1).whole_records(true);
    /// let hits = search.hits(Text::with_records(b"carry,carrywave,curry", &[0..5, 6..15, 16..21])?)?;
    /// assert_eq!(hits.iter().map(|hit| (hit.record, hit.errors)).collect::<Vec<_>>(), [(0, 0), (2, 1)]);
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    pub fn whole_records(self, whole: bool) -> Self {
        self.set(|settings| settings.whole_records = whole)
    }

    /// Tells how far a search is: `progress` is called from time to time, from any thread, with the number of symbols done since its last
    /// call, n in all for each pattern and each strand.
    pub fn on_progress(self, progress: &'p (dyn Fn(u64) + Sync)) -> Self {
        self.set(|settings| settings.progress = progress)
    }

    /// The hits in a text, in order of records and places: bytes, a [`Text`](crate::text::Text) with or without records, in memory or in a
    /// file, or a text that is on a GPU ([`ResidentText`](super::ResidentText)). Beside the engine's time, O((m + k) ⌈k / 32⌉) for each hit.
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage) for no pattern, [`Error::Pattern`](crate::Error::Pattern) for an empty one, and k not less than its length; [`Error::Unsupported`](crate::Error::Unsupported) for an engine or algorithm
    /// that cannot do it; [`Error::Io`](crate::Error::Io) when the text cannot be read; [`Error::Memory`](crate::Error::Memory) for more hits than there is memory for.
    pub fn hits<'t>(&self, text: impl Into<Source<'t>>) -> Result<Vec<Hit>> {
        let source = text.into();
        Searcher::new(&self.settings, source.kept())?.hits_in(source.text())
    }

    /// How many hits there are in a text. Fastest with [`Ends::All`] and one strand, where no start has to be found.
    ///
    /// # Errors
    /// As [`hits`](Self::hits).
    pub fn count<'t>(&self, text: impl Into<Source<'t>>) -> Result<u64> {
        let source = text.into();
        Searcher::new(&self.settings, source.kept())?.count_in(source.text())
    }

    /// Makes ready for texts that come one after the other: what is made of the patterns, and their tables on a GPU, are kept.
    ///
    /// # Errors
    /// As [`hits`](Self::hits), but for those of texts.
    pub fn prepare(&self) -> Result<Searcher<'p>> {
        Searcher::new(&self.settings, None)
    }
}
