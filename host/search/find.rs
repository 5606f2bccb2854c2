//! The search job: patterns, errors, engine and algorithm.

use super::algorithm::Algorithm;
use super::borders::anchor::{Anchor, Anchors};
use super::borders::overhang::Overhang;
use super::bounds::Errors;
use super::hits::hit::{Ends, Hit};
use super::resident::Source;
use super::searcher::Searcher;
use super::settings::Settings;
use super::tuning::Tuning;
use crate::device::{Devices, Engine};
use crate::error::Result;
use crate::job::{Progress, Recorder};
use crate::text::Pattern;
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
/// let words = Search::many([Pattern::literal(b"carry"), Pattern::literal(b"wave")])
///     .errors_each(vec![1, 0]);
/// let words =
///     words.on(&Cpu::new()).ends(Ends::Best).overlapping(false).on_progress(&|_symbols| ());
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
    /// Makes a search for one pattern without errors, of bytes ([`Pattern`](crate::text::Pattern))
    /// or of characters ([`CharacterPattern`](crate::text::characters::CharacterPattern)). As in
    /// the [example](Self).
    pub fn new(pattern: impl Into<TextPattern>) -> Self {
        Self::many([pattern])
    }

    /// Makes a search for several patterns, each on its own; some may be of bytes and others of
    /// characters. As in the [example](Self).
    pub fn many(patterns: impl IntoIterator<Item = impl Into<TextPattern>>) -> Self {
        Self { patterns: patterns.into_iter().map(Into::into).collect(), settings: Settings::new() }
    }

    /// Returns the search with these settings for other patterns.
    pub(crate) fn for_patterns(self, patterns: Vec<Pattern>) -> Self {
        Self { patterns: patterns.into_iter().map(Into::into).collect(), ..self }
    }

    /// Sets the number of symbols on each side of a hit that are in memory with it; at least 3.
    pub(crate) fn beside(self, symbols: u64) -> Self {
        self.set(|settings| settings.beside = settings.beside.max(symbols))
    }

    fn set(mut self, set: impl FnOnce(&mut Settings<'p>)) -> Self {
        set(&mut self.settings);
        self
    }

    /// Sets k, the largest number of insertions, deletions and substitutions together; it must be
    /// less than each pattern's length. The default is 0, or the sum of the limits by kind if there
    /// are any; a kind without a limit is then not allowed. As in the [example](Self).
    pub fn errors(self, k: u32) -> Self {
        self.in_all(Errors::Same(k))
    }

    /// Sets k as a percentage of each pattern's symbols that can mismatch, rounded down: 10 allows
    /// 2 errors in 20 to 29 symbols. N, X, dots and wildcards cannot mismatch. As in the
    /// [example](Self).
    pub fn errors_percent(self, percent: u32) -> Self {
        self.in_all(Errors::Percent(percent))
    }

    /// Sets k for each pattern: one number per pattern. As in the [example](Self).
    pub fn errors_each(self, each: Vec<u32>) -> Self {
        self.in_all(Errors::Each(each))
    }

    fn in_all(self, errors: Errors) -> Self {
        self.set(|settings| settings.bounds.errors = Some(errors))
    }

    /// Sets the largest number of substitutions.
    ///
    /// With limits by kind, an occurrence is a part of the text that has an alignment within all
    /// limits. Its errors are the fewest of all such alignments.
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

    /// Sets the largest number of insertions: symbols of the text that the pattern lacks. As in the
    /// [example](Self).
    pub fn insertions(self, most: u32) -> Self {
        self.set(|settings| settings.bounds.insertions = Some(most))
    }

    /// Sets the largest number of deletions: symbols of the pattern that the text lacks. As in the
    /// [example](Self).
    pub fn deletions(self, most: u32) -> Self {
        self.set(|settings| settings.bounds.deletions = Some(most))
    }

    /// Counts an inserted or deleted symbol as `cost` errors; a substitution counts 1. The errors
    /// of a hit are then this sum. The limits on insertions and deletions still count symbols.
    ///
    /// ```
    /// use carrywave::search::Search;
    /// use carrywave::text::Pattern;
    ///
    /// let search = Search::new(Pattern::literal(b"GATTACA")).errors(2).gap_cost(2);
    /// assert_eq!(search.hits(b"GATACA")?[0].errors, 2);
    /// // A substitution and a deletion cost 3.
    /// assert_eq!(search.count(b"ccGATTCCccGACACAcc")?, 1);
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    pub fn gap_cost(self, cost: u32) -> Self {
        self.set(|settings| settings.bounds.gap_cost = Some(cost))
    }

    /// Counts the exchange of two neighbours as one error: `recieve` has one error of `receive`. By
    /// kind, it counts as a substitution. No symbol is part of two errors (optimal string
    /// alignment, as [`Cost::Osa`](crate::pairs::Cost::Osa)). A pattern has more than 2k symbols,
    /// except for whole records. Engines look for 2k errors without transpositions, and each end
    /// that they find is checked, in O(m k²): with few errors, a search takes up to a few times as
    /// long.
    ///
    /// ```
    /// use carrywave::search::Search;
    /// use carrywave::text::Pattern;
    ///
    /// let search = Search::new(Pattern::literal(b"receive")).errors(1).transpositions(true);
    /// let hits = search.hits(b"they recieve it")?;
    /// assert_eq!((hits.len(), hits[0].start, hits[0].end, hits[0].errors), (1, 5, 12, 1));
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    pub fn transpositions(self, transpositions: bool) -> Self {
        self.set(|settings| settings.bounds.transpositions = transpositions)
    }

    /// Sets the engine. Several GPUs take chunks of the text in turn. The default is the GPU that
    /// holds the text ([`ResidentText`](super::ResidentText)), and else the CPU, because copying a
    /// text to a GPU takes longer than searching it. As in the [example](Self).
    pub fn on(self, engine: &dyn Engine) -> Self {
        self.set(|settings| settings.devices = Some(Devices::from_engine(engine)))
    }

    /// Selects the algorithm. The search fails when it runs if the engine lacks the algorithm or
    /// the algorithm does not take the patterns. As in the [example](Self::recorder).
    pub fn algorithm(self, algorithm: Algorithm) -> Self {
        self.set(|settings| settings.algorithm = algorithm)
    }

    /// Sets the options of a published GPU algorithm. The algorithm must be named too.
    ///
    /// ```
    /// use carrywave::device::Simt;
    /// use carrywave::search::{Algorithm, Search};
    /// use carrywave::text::Pattern;
    ///
    /// let search = Search::new(Pattern::literal(b"wave"))
    ///     .on(&Simt::new())
    ///     .algorithm(Algorithm::named("scan")?);
    /// assert_eq!(search.tuning("alpha=8".parse()?).count(b"a wave")?, 1);
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    pub fn tuning(self, tuning: Tuning) -> Self {
        self.set(|settings| settings.tuning = tuning)
    }

    /// Selects which occurrences are hits. As in the [example](Self).
    pub fn ends(self, ends: Ends) -> Self {
        self.set(|settings| settings.ends = ends)
    }

    /// Sets whether hits of a pattern on a strand may overlap. By default they may not: of
    /// overlapping hits only the best is reported, and of equally good ones the first along the
    /// strand. With [`Ends::All`] hits always may overlap. As in the [example](Self).
    pub fn overlapping(self, overlapping: bool) -> Self {
        self.set(|settings| settings.overlapping = overlapping)
    }

    /// Sets whether the patterns' reverse complements are searched for too. Hits on the reverse
    /// strand mirror those in the reverse complement of the text. A hit of a pattern that is its
    /// own reverse complement is reported once, on the forward strand. As in the [example](Self).
    pub fn both_strands(self, both: bool) -> Self {
        self.set(|settings| settings.both_strands = both)
    }

    /// Sets whether a hit must be a whole record, or line, with at most k errors from its first
    /// symbol to its last. Records are compared on the CPU, by the algorithm `whole-records`, in
    /// texts in memory and in parts that consist of whole records; [`ends`](Self::ends) has no
    /// effect.
    ///
    /// ```
    /// use carrywave::search::Search;
    /// use carrywave::text::{Pattern, Text};
    ///
    /// let search = Search::new(Pattern::literal(b"carry")).errors(1).whole_records(true);
    /// let hits =
    ///     search.hits(Text::with_records(b"carry,carrywave,curry", &[0..5, 6..15, 16..21])?)?;
    /// assert_eq!(
    ///     hits.iter().map(|hit| (hit.record, hit.errors)).collect::<Vec<_>>(),
    ///     [(0, 0), (2, 1)]
    /// );
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    pub fn whole_records(self, whole: bool) -> Self {
        self.set(|settings| settings.whole_records = whole)
    }

    /// Sets where hits must begin or end in their records, or lines. On the CPU only. A hit is then
    /// the best occurrence with this start or end: the one with the fewest errors, then the fewest
    /// gaps, then the most symbols; [`ends`](Self::ends) has no effect. Time O((m + k) ⌈m / 64⌉)
    /// for each record.
    ///
    /// ```
    /// use carrywave::search::{Anchor, Search};
    /// use carrywave::text::{Pattern, Text};
    ///
    /// let reads = Text::with_records(b"ACGTTTCCACGA", &[0..8, 8..12])?;
    /// let barcode = Search::new(Pattern::literal(b"ACGT")).errors(1).anchor(Anchor::Start);
    /// assert_eq!(barcode.count(reads.clone())?, 2);
    /// assert_eq!(barcode.anchor_each(vec![Anchor::End]).count(reads)?, 1);
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    pub fn anchor(self, anchor: Anchor) -> Self {
        self.set(|settings| settings.anchors = Anchors::Same(anchor))
    }

    /// Sets the anchor of each pattern: one per pattern. As in the [example](Self::anchor).
    pub fn anchor_each(self, each: Vec<Anchor>) -> Self {
        self.set(|settings| settings.anchors = Anchors::Each(each))
    }

    /// Allows a part of the pattern to lie beyond its record's start, its end, or both
    /// ([`Hit::beyond`](Hit)). Of the occurrences at an end of a record, the one with the greatest
    /// score is reported: the symbols of the pattern within the record, less two for each error. It
    /// takes the place of hits that overlap it and have a smaller score, unless hits may
    /// [overlap](Self::overlapping). With an [anchor](Self::anchor), hits reach that end of the
    /// record, and may go beyond it.
    ///
    /// The CPU inspects the ends of records, O((m + k) ⌈m / 64⌉) for each, whatever engine searches
    /// inside them. Records are in memory as a whole.
    ///
    /// ```
    /// use carrywave::search::{Beyond, Overhang, Search};
    /// use carrywave::text::Pattern;
    ///
    /// let adapter = Search::new(Pattern::literal(b"AGATCGGAAGAG")).errors_percent(10);
    /// let hits = adapter.overhang(Overhang::new()).hits(b"TTGACCAGATCGG")?;
    /// assert_eq!((hits[0].start, hits[0].end, hits[0].errors), (6, 13, 0));
    /// assert_eq!(hits[0].beyond, Beyond { start: 0, end: 5 });
    /// assert!(!hits[0].beyond.is_none());
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    pub fn overhang(self, overhang: Overhang) -> Self {
        self.set(|settings| settings.overhang = Some(overhang))
    }

    /// Sets whether records are circular: a hit may run over the origin, and over it again if it
    /// has more symbols than the record. Each hit is reported once. Its start is within the record,
    /// and its end is larger than the record's length if it runs over the origin, as in SAM.
    ///
    /// A record is in memory as a whole, followed by its first 3 (m + k) symbols. Patterns are of
    /// bytes; the text is not a file or on a GPU.
    ///
    /// ```
    /// use carrywave::search::Search;
    /// use carrywave::text::Pattern;
    ///
    /// let plasmid = b"TACAGCCGGAT";
    /// let hits = Search::new(Pattern::literal(b"GATTACA")).circular(true).hits(plasmid)?;
    /// assert_eq!((hits.len(), hits[0].start, hits[0].end), (1, 8, 15));
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    pub fn circular(self, circular: bool) -> Self {
        self.set(|settings| settings.circular = circular)
    }

    /// Sets whether a hit must be a whole word of a line: the symbols next to it are no letter,
    /// digit or underscore. Of a pattern's overlapping hits in a line, the one with the fewest
    /// errors is reported, then the one with the fewest gaps, then the longest. Works with
    /// [`Searcher::hits_in_lines`](super::Searcher::hits_in_lines) only, which finds all words,
    /// whatever [`ends`](Self::ends) says.
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

    /// Sets whether positions of hits count characters; by default they count bytes. All patterns
    /// must then be of characters.
    ///
    /// ```
    /// use carrywave::search::Search;
    /// use carrywave::text::characters::CharacterPattern;
    ///
    /// let search =
    ///     Search::new(CharacterPattern::literal("ü", false)).positions_in_characters(true);
    /// assert_eq!(search.hits("äöü")?[0].start, 2);
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    pub fn positions_in_characters(self, in_characters: bool) -> Self {
        self.set(|settings| settings.in_characters = in_characters)
    }

    /// Sets a callback for progress. It is called from time to time, from any thread, with the
    /// number of symbols searched since its last call: n in all for each pattern and each strand.
    /// As in the [example](Self).
    pub fn on_progress(self, progress: Progress<'p>) -> Self {
        self.set(|settings| settings.progress = progress)
    }

    /// Sets the recorder that receives the report of each search: the algorithms that ran, and
    /// their times. A report counts symbols as [`on_progress`](Self::on_progress) does. On a GPU,
    /// copies of the text overlap kernels and count as kernel time. In a stream, each part of the
    /// text has its own report, and the recorder adds the reports up.
    ///
    /// ```
    /// use carrywave::job::Recorder;
    /// use carrywave::search::{Algorithm, Search};
    /// use carrywave::text::Pattern;
    ///
    /// let recorder = Recorder::new();
    /// let search = Search::new(Pattern::literal(b"wave"))
    ///     .algorithm(Algorithm::named("kmp")?)
    ///     .recorder(&recorder);
    /// assert_eq!(search.count(b"a wave")?, 1);
    /// let report = recorder.take().expect("a search has run");
    /// assert_eq!((report.algorithm(), report.done), (Some("kmp"), 6));
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    pub fn recorder(self, recorder: &'p Recorder) -> Self {
        self.set(|settings| settings.recorder = Some(recorder))
    }

    /// Returns the hits in a text, ordered by record and position. The text is bytes, a
    /// [`Text`](crate::text::Text) with or without records, in memory or in a file, or a text on a
    /// GPU ([`ResidentText`](super::ResidentText)). Takes O((m + k) ⌈k / 32⌉) per hit on top of the
    /// engine's time. For patterns of characters, a file is read into memory, and records must
    /// consist of whole characters. As in the [example](Self).
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage) with
    /// [`UsageFault::Empty`](crate::error::UsageFault::Empty) for no pattern, with
    /// [`UsageFault::Mismatch`](crate::error::UsageFault::Mismatch) if the number of limits differs
    /// from that of patterns, with
    /// [`UsageFault::Combination`](crate::error::UsageFault::Combination) for options that exclude
    /// one another, and with [`UsageFault::Engine`](crate::error::UsageFault::Engine) for a text on
    /// another engine; [`Error::Pattern`](crate::Error::Pattern) for an empty pattern, and for k
    /// not less than a pattern's length; [`Error::Unsupported`](crate::Error::Unsupported) for an
    /// engine or algorithm that does not support the search; [`Error::Io`](crate::Error::Io) if the
    /// text cannot be read; [`Error::Memory`](crate::Error::Memory) if the hits do not fit in
    /// memory.
    pub fn hits<'t>(&self, text: impl Into<Source<'t>>) -> Result<Vec<Hit>> {
        let source = text.into();
        Searcher::new(&self.patterns, &self.settings, source.kept())?.hits_in(&source)
    }

    /// Counts the hits in a text. Fastest with [`Ends::All`] and one strand, because no start has
    /// to be found. As in the [example](Self::substitutions).
    ///
    /// # Errors
    /// As [`hits`](Self::hits).
    pub fn count<'t>(&self, text: impl Into<Source<'t>>) -> Result<u64> {
        let source = text.into();
        Searcher::new(&self.patterns, &self.settings, source.kept())?.count_in(&source)
    }

    /// Prepares the search for many texts: the data derived from the patterns, and their tables on
    /// a GPU, are kept between texts. As in the [example](super::Searcher).
    ///
    /// # Errors
    /// As [`hits`](Self::hits), except for the errors of texts.
    pub fn prepare(&self) -> Result<Searcher<'p>> {
        Searcher::new(&self.patterns, &self.settings, None)
    }
}
