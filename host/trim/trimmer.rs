//! All steps, for reads.

use super::adapter::Adapter;
use super::best::Scratch;
use super::counts::{Counts, SideCounts};
use super::cutter::{CutRead, Cutter, mark_reversed};
use super::filters::{Filter, PairFilter};
use super::quality::{good_part, two_color_end};
use super::settings::{Settings, Steps};
use super::tails::{without_n, without_poly_a, without_poly_t};
use super::template::{Facts, Template};
use crate::Result;
use crate::text::Read;
use std::borrow::Cow;
use std::ops::Range;

/// Settings that are ready for reads. Threads can share it, and each has a [`Worker`]. See the
/// [example](super).
#[derive(Debug)]
pub struct Trimmer {
    pub(super) settings: Settings,
    /// Adapters of the first and the second reads.
    pub(super) cutters: [Cutter; 2],
    /// Names of the adapters of both sides: their own, or 1, 2, …
    names: [Vec<String>; 2],
    /// How pairs without adapters are filtered.
    pub(super) untrimmed_pairs: PairFilter,
}

/// Result of trimming for a read or a pair. See the [example](super).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fate {
    /// The filter that it fails, or `None` if it is to be written.
    pub filter: Option<Filter>,
    /// Number of the last adapter that was found in the first and in the second read.
    pub adapters: [Option<usize>; 2],
}

impl Fate {
    /// Returns true if an adapter was found, in a pair in one of the reads. See the
    /// [example](super).
    pub fn is_trimmed(&self) -> bool {
        self.adapters.iter().any(Option::is_some)
    }
}

impl Trimmer {
    /// Prepares settings. See the [example](super).
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage):
    /// [`Combination`](crate::error::UsageFault::Combination) for settings that exclude each other,
    /// [`Mismatch`](crate::error::UsageFault::Mismatch) for
    /// [adapters in pairs](Settings::pair_adapters) whose numbers differ.
    pub fn new(settings: Settings) -> Result<Self> {
        settings.check()?;
        let keeps_match = settings.headers.template.as_ref().is_some_and(Template::has_match);
        let [first, second] = [&settings.first, &settings.second]
            .map(|steps| Cutter::new(steps.adapters.clone(), settings.times, settings.action, keeps_match));
        let mut unnamed = 0;
        let mut name = |adapter: &Adapter| match adapter.name() {
            Some(name) => name.to_owned(),
            None => {
                unnamed += 1;
                unnamed.to_string()
            }
        };
        let names = [&settings.first, &settings.second].map(|steps| steps.adapters.iter().map(&mut name).collect());
        let one_side_only = settings.first.adapters.is_empty() != settings.second.adapters.is_empty();
        let untrimmed_pairs = if one_side_only { PairFilter::Both } else { settings.filters.pairs };
        Ok(Self { settings, cutters: [first, second], names, untrimmed_pairs })
    }

    /// Changes the headers of a read or a pair.
    fn change_headers(&self, cut: &mut [CutRead<'_>], cut_off: &[CutOff<'_>]) {
        let headers = &self.settings.headers;
        let adapter = |side: usize, cut: &CutRead<'_>| Some(&*self.names[side][cut.matches.last()?.number]);
        for (side, cut) in cut.iter_mut().enumerate() {
            if let Some(changed) = headers.changed(&cut.read.name, cut.read.len(), adapter(side, cut)) {
                cut.read.name = changed.into();
            }
        }
        let Some(template) = &headers.template else { return };
        let reads = cut.iter().zip(cut_off).enumerate();
        let facts: Vec<Facts<'_>> = reads
            .map(|(side, (cut, cut_off))| Facts {
                matched: &cut.matched,
                cut_start: &cut_off.start,
                cut_end: &cut_off.end,
                is_reversed: cut.is_reversed,
                ..Facts::new(&cut.read.name, adapter(side, cut))
            })
            .collect();
        let changed: Vec<Vec<u8>> = (0..facts.len()).map(|side| template.header(&facts, side)).collect();
        for (cut, header) in cut.iter_mut().zip(changed) {
            cut.read.name = header.into();
        }
    }

    /// Returns a worker, with counts of zero. See the [example](super).
    pub fn worker(&self) -> Worker<'_> {
        Worker { trimmer: self, scratch: [Scratch::default(), Scratch::default()], counts: Counts::new(&self.settings) }
    }

    /// Returns the names of the adapters of the first and the second reads: their own, or 1, 2, …
    ///
    /// ```
    /// use carrywave::trim::{Adapter, AdapterEnd, AdapterSettings, Settings, Trimmer};
    ///
    /// let mut settings = Settings::default();
    /// let defaults = AdapterSettings::default();
    /// for text in ["GATTACA", "own=CCGGCC"] {
    ///     settings.first.adapters.push(Adapter::parse(text, AdapterEnd::FivePrime, &defaults)?);
    /// }
    /// assert_eq!(Trimmer::new(settings)?.names()[0], ["1", "own"]);
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    pub fn names(&self) -> &[Vec<String>; 2] {
        &self.names
    }

    /// Returns the adapters of the first and the second reads.
    ///
    /// ```
    /// use carrywave::trim::{Settings, Trimmer};
    ///
    /// assert!(Trimmer::new(Settings::default())?.settings().first.adapters.is_empty());
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    pub fn settings(&self) -> &Settings {
        &self.settings
    }
}

/// Trims reads, one after another, and counts. See the [example](super).
#[derive(Debug)]
pub struct Worker<'t> {
    pub(super) trimmer: &'t Trimmer,
    pub(super) scratch: [Scratch; 2],
    pub(super) counts: Counts,
}

impl Worker<'_> {
    /// Trims a read with the steps for first reads. O(m n) for each adapter of m symbols that may
    /// be in the read, otherwise O(n). See the [example](super).
    pub fn trim<'r>(&mut self, mut read: Read<'r>) -> (Read<'r>, Fate) {
        let settings = &self.trimmer.settings;
        let cutter = &self.trimmer.cutters[0];
        self.counts.reads += 1;
        let cut_off = before_adapters(&mut read, &settings.first, settings.quality_base, &mut self.counts.first);
        let scratch = &mut self.scratch[0];
        let cut = if settings.either_strand && !settings.first.adapters.is_empty() {
            cutter.cut_either_strand(read, scratch)
        } else {
            cutter.cut(read, scratch)
        };
        let ([read], fate) = self.finish([cut], &[cut_off]);
        (read, fate)
    }

    /// Counts the matches of a read or a pair, applies the steps after the search and the filters.
    pub(super) fn finish<'r, const N: usize>(
        &mut self,
        mut cut: [CutRead<'r>; N],
        cut_off: &[CutOff<'r>; N],
    ) -> ([Read<'r>; N], Fate) {
        let settings = &self.trimmer.settings;
        if cut.iter().any(|cut| cut.is_reversed) {
            if settings.headers.template.is_none() {
                cut.iter_mut().for_each(|cut| mark_reversed(&mut cut.read.name));
            }
            self.counts.reversed += 1;
        }
        let mut adapters = [None; 2];
        for (side, cut) in cut.iter_mut().enumerate() {
            self.counts.side(side).count(&cut.matches, cut.is_reversed);
            after_adapters(&mut cut.read, settings, side, self.counts.side(side));
            adapters[side] = cut.matches.last().map(|matched| matched.number);
        }
        if !settings.headers.is_none() {
            self.trimmer.change_headers(&mut cut, cut_off);
        }
        let filter = self.failed_filter(&cut);
        match filter {
            Some(filter) => self.counts.filtered[filter.number()] += 1,
            None => {
                self.counts.written += 1;
                for (side, cut) in cut.iter().enumerate() {
                    self.counts.side(side).written_symbols += cut.read.len() as u64;
                }
            }
        }
        (cut.map(|cut| cut.read), Fate { filter, adapters })
    }

    /// Returns the first filter that a read or a pair fails.
    fn failed_filter(&self, cut: &[CutRead<'_>]) -> Option<Filter> {
        let settings = &self.trimmer.settings;
        Filter::NAMES.into_iter().map(|(_, filter)| filter).find(|filter| {
            let fails = |side: usize| {
                let cut = cut.get(side)?;
                let is_trimmed = !cut.matches.is_empty();
                settings.filters.fails(*filter, side, &cut.read, is_trimmed, settings.quality_base)
            };
            let pairs = match filter {
                Filter::Untrimmed => self.trimmer.untrimmed_pairs,
                _ => settings.filters.pairs,
            };
            pairs.fails(fails(0), fails(1))
        })
    }

    /// Returns the counts of the reads so far. See the [example](Counts).
    pub fn into_counts(self) -> Counts {
        self.counts
    }
}

/// Symbols that are cut off from the ends of a read.
#[derive(Debug, Default)]
pub(super) struct CutOff<'r> {
    start: Cow<'r, [u8]>,
    end: Cow<'r, [u8]>,
}

/// Returns a part of some symbols.
fn part<'r>(symbols: &Cow<'r, [u8]>, range: Range<usize>) -> Cow<'r, [u8]> {
    match symbols {
        Cow::Borrowed(symbols) => Cow::Borrowed(&symbols[range]),
        Cow::Owned(symbols) => Cow::Owned(symbols[range].to_vec()),
    }
}

/// The steps before the search for adapters.
pub(super) fn before_adapters<'r>(read: &mut Read<'r>, steps: &Steps, base: u8, counts: &mut SideCounts) -> CutOff<'r> {
    let mut cut_off = CutOff::default();
    counts.symbols += read.len() as u64;
    if steps.cut_start > 0 {
        let len = steps.cut_start.min(read.len());
        cut_off.start = part(&read.symbols, 0..len);
        read.keep(len..read.len());
    }
    if steps.cut_end > 0 {
        let len = read.len().saturating_sub(steps.cut_end);
        cut_off.end = part(&read.symbols, len..read.len());
        read.keep(0..len);
    }
    let before = read.len();
    if let (Some(cutoff), Some(qualities)) = (steps.two_color_quality, &read.qualities) {
        let end = two_color_end(&read.symbols, qualities, cutoff, base);
        read.keep(0..end);
    }
    if let (Some(cutoffs), Some(qualities)) = (steps.quality, &read.qualities) {
        let part = good_part(qualities, cutoffs, base);
        read.keep(part);
    }
    counts.low_quality += (before - read.len()) as u64;
    cut_off
}

/// The steps after the search for adapters, for a read of one side (0 or 1).
pub(super) fn after_adapters(read: &mut Read<'_>, settings: &Settings, side: usize, counts: &mut SideCounts) {
    let steps = if side == 0 { &settings.first } else { &settings.second };
    if settings.poly_a {
        let before = read.len();
        let part = if side == 0 { without_poly_a(&read.symbols) } else { without_poly_t(&read.symbols) };
        read.keep(part);
        counts.poly_a += (before - read.len()) as u64;
    }
    if let Some(length) = steps.length {
        let kept = usize::try_from(length.unsigned_abs()).unwrap_or(usize::MAX).min(read.len());
        read.keep(if length < 0 { read.len() - kept..read.len() } else { 0..kept });
    }
    if settings.trim_n {
        let part = without_n(&read.symbols);
        read.keep(part);
    }
    if settings.zero_cap
        && let Some(qualities) = &mut read.qualities
        && qualities.iter().any(|quality| *quality < settings.quality_base)
    {
        qualities.to_mut().iter_mut().for_each(|quality| *quality = (*quality).max(settings.quality_base));
    }
}
