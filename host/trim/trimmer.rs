//! All steps, for reads.

use super::best::Scratch;
use super::counts::{Counts, SideCounts};
use super::cutter::{CutRead, Cutter, mark_reversed};
use super::filters::{Filter, PairFilter};
use super::quality::{good_part, two_color_end};
use super::settings::{Settings, Steps};
use super::tails::{without_n, without_poly_a, without_poly_t};
use crate::Result;
use crate::text::Read;

/// Settings that are ready for reads. Threads can share it, and each has a [`Worker`]. See the
/// [example](super).
#[derive(Debug)]
pub struct Trimmer {
    pub(super) settings: Settings,
    /// Adapters of the first and the second reads.
    pub(super) cutters: [Cutter; 2],
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
        let [first, second] = [&settings.first, &settings.second]
            .map(|steps| Cutter::new(steps.adapters.clone(), settings.times, settings.action));
        let one_side_only = settings.first.adapters.is_empty() != settings.second.adapters.is_empty();
        let untrimmed_pairs = if one_side_only { PairFilter::Both } else { settings.filters.pairs };
        Ok(Self { settings, cutters: [first, second], untrimmed_pairs })
    }

    /// Returns a worker, with counts of zero. See the [example](super).
    pub fn worker(&self) -> Worker<'_> {
        Worker { trimmer: self, scratch: [Scratch::default(), Scratch::default()], counts: Counts::new(&self.settings) }
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
        before_adapters(&mut read, &settings.first, settings.quality_base, &mut self.counts.first);
        let scratch = &mut self.scratch[0];
        let cut = if settings.either_strand && !settings.first.adapters.is_empty() {
            cutter.cut_either_strand(read, scratch)
        } else {
            cutter.cut(read, scratch)
        };
        let ([read], fate) = self.finish([cut]);
        (read, fate)
    }

    /// Counts the matches of a read or a pair, applies the steps after the search and the filters.
    pub(super) fn finish<'r, const N: usize>(&mut self, mut cut: [CutRead<'r>; N]) -> ([Read<'r>; N], Fate) {
        let settings = &self.trimmer.settings;
        if cut.iter().any(|cut| cut.is_reversed) {
            cut.iter_mut().for_each(|cut| mark_reversed(&mut cut.read.name));
            self.counts.reversed += 1;
        }
        let mut adapters = [None; 2];
        for (side, cut) in cut.iter_mut().enumerate() {
            self.counts.side(side).count(&cut.matches, cut.is_reversed);
            after_adapters(&mut cut.read, settings, side, self.counts.side(side));
            adapters[side] = cut.matches.last().map(|matched| matched.number);
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

/// The steps before the search for adapters.
pub(super) fn before_adapters(read: &mut Read<'_>, steps: &Steps, base: u8, counts: &mut SideCounts) {
    counts.symbols += read.len() as u64;
    if steps.cut_start > 0 {
        read.keep(steps.cut_start.min(read.len())..read.len());
    }
    if steps.cut_end > 0 {
        read.keep(0..read.len().saturating_sub(steps.cut_end));
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
}
