//! The search job: what is looked for, by which engine and algorithm.

use super::algorithm::Algorithm;
use super::bounds::Errors;
use super::hits::hit::{Ends, Hit};
use super::resident::Source;
use super::searcher::Searcher;
use super::settings::Settings;
use super::tuning::Tuning;
use crate::device::{Devices, Engine};
use crate::error::Result;
use crate::job::{Progress, Recorder};
use crate::text::characters::TextPattern;
use std::fmt;

/// A search for patterns with at most k errors, on the engine and by the algorithm of your choice.
///
/// ```
/// use carrywave::device::Cpu;
/// use carrywave::search::{Ends, Search};
/// use carrywave::text::{Alphabet, Pattern};
///
/// let pattern = Pattern::parse(b"GATTACA", Alphabet::Dna)?;
/// let hits = Search::new(pattern).errors(1).both_strands(true).hits(b"ccGATTCAcc")?;
/// assert_eq!((hits[0].start, hits[0].end, hits[0].errors), (2, 8, 1));
///
/// let words = Search::many([Pattern::literal(b"carry"), Pattern::literal(b"wave")]).errors_each(vec![1, 0]);
/// let words = words.on(&Cpu::new()).ends(Ends::Best).overlapping(false).on_progress(&|_symbols| ());
/// assert_eq!(words.count(b"curry, wave")?, 2);
/// let word = Search::new(Pattern::literal(b"carrywave"));
/// assert_eq!(word.clone().errors_percent(20).count(b"a carry wave")?, 1);
/// assert_eq!(word.insertions(1).deletions(0).count(b"a carry wave")?, 1);
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Clone)]
#[must_use = "a search does nothing until it is given a text"]
pub struct Search<'p> {
    pub(super) patterns: Vec<TextPattern>,
    pub(super) settings: Settings<'p>,
}

impl fmt::Debug for Search<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Search").field("patterns", &self.patterns.len()).field("settings", &self.settings).finish()
    }
}

impl<'p> Search<'p> {
    /// For one pattern without errors, of bytes ([`Pattern`](crate::text::Pattern)) or of characters
    /// ([`CharacterPattern`](crate::text::characters::CharacterPattern)). As in the [example](Self).
    pub fn new(pattern: impl Into<TextPattern>) -> Self {
        Self::many([pattern])
    }

    /// For several patterns, each on its own; some may be of bytes and others of characters. As in the [example](Self).
    pub fn many(patterns: impl IntoIterator<Item = impl Into<TextPattern>>) -> Self {
        Self { patterns: patterns.into_iter().map(Into::into).collect(), settings: Settings::new() }
    }

    fn set(mut self, set: impl FnOnce(&mut Settings<'p>)) -> Self {
        set(&mut self.settings);
        self
    }

    /// How many errors are allowed: k insertions, deletions and substitutions in all, fewer than any pattern has symbols. Where it is not
    /// given but limits for kinds are, it is their sum, and a kind without a limit is not allowed. As in the [example](Self).
    pub fn errors(self, k: u32) -> Self {
        self.in_all(Errors::Same(k))
    }

    /// Sets the errors as a percentage of each pattern's symbols, rounded down: 10 are 2 errors in 20 to 29 symbols. As in the [example](Self).
    pub fn errors_percent(self, percent: u32) -> Self {
        self.in_all(Errors::Percent(percent))
    }

    /// Sets the errors of each pattern: one number for each of them. As in the [example](Self).
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
    /// use carrywave::search::Search;
    /// use carrywave::text::Pattern;
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

    /// Sets the most insertions: symbols of the text that the pattern lacks. As in the [example](Self).
    pub fn insertions(self, most: u32) -> Self {
        self.set(|settings| settings.bounds.insertions = Some(most))
    }

    /// Sets the most deletions: symbols of the pattern that the text lacks. As in the [example](Self).
    pub fn deletions(self, most: u32) -> Self {
        self.set(|settings| settings.bounds.deletions = Some(most))
    }

    /// Sets the engine. Several GPUs take chunks of the text in turn. Without it, the engine is the CPU, since to bring a text to a GPU takes longer than
    /// to search it, or the GPU that holds the text ([`ResidentText`](super::ResidentText)). As in the [example](Self).
    pub fn on(self, engine: &dyn Engine) -> Self {
        self.set(|settings| settings.devices = Some(Devices::of(engine)))
    }

    /// Selects the algorithm; whether the engine has it and takes the patterns is checked when the search runs. As in the [example](Self::recorder).
    pub fn algorithm(self, algorithm: Algorithm) -> Self {
        self.set(|settings| settings.algorithm = algorithm)
    }

    /// Sets the options of a published GPU algorithm, which has to be named as well.
    ///
    /// ```
    /// use carrywave::device::Simt;
    /// use carrywave::search::{Algorithm, Search};
    /// use carrywave::text::Pattern;
    ///
    /// let search = Search::new(Pattern::literal(b"wave")).on(&Simt::new()).algorithm(Algorithm::named("scan")?);
    /// assert_eq!(search.tuning("alpha=8".parse()?).count(b"a wave")?, 1);
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    pub fn tuning(self, tuning: Tuning) -> Self {
        self.set(|settings| settings.tuning = tuning)
    }

    /// Which occurrences are hits. As in the [example](Self).
    pub fn ends(self, ends: Ends) -> Self {
        self.set(|settings| settings.ends = ends)
    }

    /// Whether hits of a pattern on a strand may overlap. If not, the default, the best is told; of several that are equally good the
    /// first, as the strand is read. For [`Ends::All`] they always may. As in the [example](Self).
    pub fn overlapping(self, overlapping: bool) -> Self {
        self.set(|settings| settings.overlapping = overlapping)
    }

    /// Whether to search for the patterns' reverse complements too. The hits are then the mirror image of those in the reverse
    /// complement of the text. Where a pattern that is its own reverse complement is found on both strands, it is told once, on the
    /// forward strand. As in the [example](Self).
    pub fn both_strands(self, both: bool) -> Self {
        self.set(|settings| settings.both_strands = both)
    }

    /// Sets whether a hit must be a whole record, or line: one that has at most k errors from its first symbol to its last. Records are compared on the
    /// CPU, by the algorithm `whole-records`, in texts in memory and in parts that have whole records; [`ends`](Self::ends) has no meaning then.
    ///
    /// ```
    /// use carrywave::search::Search;
    /// use carrywave::text::{Pattern, Text};
    ///
    /// let search = Search::new(Pattern::literal(b"carry")).errors(1).whole_records(true);
    /// let hits = search.hits(Text::with_records(b"carry,carrywave,curry", &[0..5, 6..15, 16..21])?)?;
    /// assert_eq!(hits.iter().map(|hit| (hit.record, hit.errors)).collect::<Vec<_>>(), [(0, 0), (2, 1)]);
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    pub fn whole_records(self, whole: bool) -> Self {
        self.set(|settings| settings.whole_records = whole)
    }

    /// Sets whether a hit must be a whole word of a line: no letter, digit or underscore is beside it. Of a pattern's hits in a line that overlap, the one with the
    /// fewest errors is reported, then the one with the fewest gaps, then the longest. For [`Searcher::hits_in_lines`](super::Searcher::hits_in_lines) alone, which
    /// finds all words, whatever [`ends`](Self::ends) says.
    ///
    /// ```
    /// use carrywave::search::Search;
    /// use carrywave::text::characters::CharacterPattern;
    ///
    /// let search = Search::new(CharacterPattern::literal("für", true)).whole_words(true);
    /// let found = search.prepare()?.hits_in_lines("Für dich\nwofür".as_bytes())?;
    /// assert_eq!((found.hits.len(), found.hits[0].end), (1, 4));
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    pub fn whole_words(self, whole: bool) -> Self {
        self.set(|settings| settings.whole_words = whole)
    }

    /// Sets whether positions of hits count characters; if not, the default, they count bytes. All patterns must then be of characters.
    ///
    /// ```
    /// use carrywave::search::Search;
    /// use carrywave::text::characters::CharacterPattern;
    ///
    /// let search = Search::new(CharacterPattern::literal("ü", false)).positions_in_characters(true);
    /// assert_eq!(search.hits("äöü")?[0].start, 2);
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    pub fn positions_in_characters(self, in_characters: bool) -> Self {
        self.set(|settings| settings.in_characters = in_characters)
    }

    /// Tells how far a search is: `progress` is called from time to time, from any thread, with the number of symbols done since its last
    /// call, n in all for each pattern and each strand. As in the [example](Self).
    pub fn on_progress(self, progress: Progress<'p>) -> Self {
        self.set(|settings| settings.progress = progress)
    }

    /// Gives a recorder the report of each search: what ran, and where the time went. A report counts symbols as [`on_progress`](Self::on_progress) does.
    /// On a GPU, copies of the text to it overlap its kernels and count as these; in a stream, each part of the text has a report of its own,
    /// and the recorder adds them up.
    ///
    /// ```
    /// use carrywave::job::Recorder;
    /// use carrywave::search::{Algorithm, Search};
    /// use carrywave::text::Pattern;
    ///
    /// let recorder = Recorder::new();
    /// let search = Search::new(Pattern::literal(b"wave")).algorithm(Algorithm::named("kmp")?).recorder(&recorder);
    /// assert_eq!(search.count(b"a wave")?, 1);
    /// let report = recorder.take().expect("a search has run");
    /// assert_eq!((report.algorithm(), report.done), (Some("kmp"), 6));
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    pub fn recorder(self, recorder: &'p Recorder) -> Self {
        self.set(|settings| settings.recorder = Some(recorder))
    }

    /// The hits in a text, in order of records and places: bytes, a [`Text`](crate::text::Text) with or without records, in memory or in a
    /// file, or a text that is on a GPU ([`ResidentText`](super::ResidentText)). Beside the engine's time, O((m + k) ⌈k / 32⌉) for each hit. A file is read to
    /// memory for patterns of characters; records of a text are then whole characters. As in the [example](Self).
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage) with [`UsageFault::Empty`](crate::error::UsageFault::Empty) for no pattern,
    /// with [`UsageFault::Mismatch`](crate::error::UsageFault::Mismatch) for another number of limits than of patterns, with
    /// [`UsageFault::Combination`](crate::error::UsageFault::Combination) for options that exclude one another, and with
    /// [`UsageFault::Engine`](crate::error::UsageFault::Engine) for a text on another engine;
    /// [`Error::Pattern`](crate::Error::Pattern) for an empty one, and k not less than its length;
    /// [`Error::Unsupported`](crate::Error::Unsupported) for an engine or algorithm
    /// that cannot do it; [`Error::Io`](crate::Error::Io) when the text cannot be read; [`Error::Memory`](crate::Error::Memory) for more hits than there is memory for.
    pub fn hits<'t>(&self, text: impl Into<Source<'t>>) -> Result<Vec<Hit>> {
        let source = text.into();
        Searcher::new(&self.patterns, &self.settings, source.kept())?.hits_in(&source)
    }

    /// How many hits there are in a text. Fastest with [`Ends::All`] and one strand, where no start has to be found.
    /// As in the [example](Self::substitutions).
    ///
    /// # Errors
    /// As [`hits`](Self::hits).
    pub fn count<'t>(&self, text: impl Into<Source<'t>>) -> Result<u64> {
        let source = text.into();
        Searcher::new(&self.patterns, &self.settings, source.kept())?.count_in(&source)
    }

    /// Makes ready for texts that come one after the other: what is made of the patterns, and their tables on a GPU, are kept.
    /// As in the [example](super::Searcher).
    ///
    /// # Errors
    /// As [`hits`](Self::hits), but for those of texts.
    pub fn prepare(&self) -> Result<Searcher<'p>> {
        Searcher::new(&self.patterns, &self.settings, None)
    }
}
