//! Numbers of reads and matches.

use super::adapter::Adapter;
use super::best::Matched;
use super::filters::Filter;
use super::settings::Settings;
use std::collections::BTreeMap;

/// Numbers of reads, matches and removed symbols.
///
/// ```
/// use carrywave::text::Read;
/// use carrywave::trim::{Adapter, AdapterEnd, AdapterSettings, Settings, Trimmer};
///
/// let mut settings = Settings::default();
/// let adapter = Adapter::parse("CCGG", AdapterEnd::ThreePrime, &AdapterSettings::default())?;
/// settings.first.adapters.push(adapter);
/// let trimmer = Trimmer::new(settings)?;
/// let mut worker = trimmer.worker();
/// worker.trim(Read::new(b"1", b"GATTACACCGG"));
/// worker.trim(Read::new(b"2", b"GATTACA"));
/// let counts = worker.into_counts();
/// assert_eq!((counts.reads, counts.first.with_adapter, counts.first.written_symbols), (2, 1, 14));
/// assert_eq!(counts.first.adapters[0].back.removed[&4], [1]);
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// Reads, or pairs.
    pub reads: u64,
    /// Reads, or pairs, that passed the filters.
    pub written: u64,
    /// Reads, or pairs, that the other strand has replaced.
    pub reversed: u64,
    /// Reads, or pairs, that failed each filter, in the order of [`Filter::NAMES`].
    pub filtered: [u64; Filter::NAMES.len()],
    /// Reads, or first reads of pairs.
    pub first: SideCounts,
    /// Second reads of pairs.
    pub second: SideCounts,
}

/// Counts of one side of the reads. See the [example](Counts).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SideCounts {
    /// Symbols of all reads.
    pub symbols: u64,
    /// Reads with an adapter.
    pub with_adapter: u64,
    /// Symbols removed for their quality.
    pub low_quality: u64,
    /// Symbols removed as poly-A tails or poly-T heads.
    pub poly_a: u64,
    /// Symbols of the reads that passed the filters.
    pub written_symbols: u64,
    /// Counts of each adapter.
    pub adapters: Vec<AdapterCounts>,
}

/// Counts of one adapter. See the [example](Counts).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct AdapterCounts {
    /// Matches on the other strand.
    pub reversed: u64,
    /// Matches as a 5' adapter.
    pub front: EndCounts,
    /// Matches as a 3' adapter.
    pub back: EndCounts,
}

/// Counts of an adapter at one end of the reads. See the [example](Counts).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct EndCounts {
    /// For each number of removed symbols, the matches by their number of errors.
    pub removed: BTreeMap<usize, Vec<u64>>,
    /// Matches of 3' adapters by the base before them: A, C, G, T, and others or none.
    pub adjacent: [u64; 5],
}

impl Counts {
    /// Returns zeros for settings.
    pub(super) fn new(settings: &Settings) -> Self {
        let side = |adapters: &[Adapter]| SideCounts {
            adapters: vec![AdapterCounts::default(); adapters.len()],
            ..SideCounts::default()
        };
        Self { first: side(&settings.first.adapters), second: side(&settings.second.adapters), ..Self::default() }
    }

    /// Returns the counts of first (0) or second (1) reads.
    pub(super) fn side(&mut self, side: usize) -> &mut SideCounts {
        if side == 0 { &mut self.first } else { &mut self.second }
    }

    /// Returns the reads, or pairs, that failed a filter.
    ///
    /// ```
    /// use carrywave::trim::{Counts, Filter};
    ///
    /// assert_eq!(Counts::default().failed(Filter::TooShort), 0);
    /// ```
    pub fn failed(&self, filter: Filter) -> u64 {
        self.filtered[filter.number()]
    }

    /// Adds the counts of other reads that were trimmed with the same settings.
    ///
    /// ```
    /// use carrywave::text::Read;
    /// use carrywave::trim::{Settings, Trimmer};
    ///
    /// let trimmer = Trimmer::new(Settings::default())?;
    /// let (mut one, mut other) = (trimmer.worker(), trimmer.worker());
    /// one.trim(Read::new(b"1", b"GATTACA"));
    /// other.trim(Read::new(b"2", b"GATTACA"));
    /// let mut counts = one.into_counts();
    /// counts.add(&other.into_counts());
    /// assert_eq!(counts.reads, 2);
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    pub fn add(&mut self, other: &Self) {
        self.reads += other.reads;
        self.written += other.written;
        self.reversed += other.reversed;
        for (own, other) in self.filtered.iter_mut().zip(&other.filtered) {
            *own += other;
        }
        self.first.add(&other.first);
        self.second.add(&other.second);
    }
}

impl SideCounts {
    /// Counts the matches of a read.
    pub(super) fn count(&mut self, matches: &[Matched], is_reversed: bool) {
        self.with_adapter += u64::from(!matches.is_empty());
        for matched in matches {
            let counts = &mut self.adapters[matched.number];
            counts.reversed += u64::from(is_reversed);
            if let Some(front) = &matched.front {
                counts.front.count(matched.removed[0], front.errors);
            }
            if let Some(back) = &matched.back {
                counts.back.count(matched.removed[1], back.errors);
                let base = b"ACGT".iter().position(|base| Some(*base) == matched.adjacent);
                counts.back.adjacent[base.unwrap_or(4)] += 1;
            }
        }
    }

    fn add(&mut self, other: &Self) {
        self.symbols += other.symbols;
        self.with_adapter += other.with_adapter;
        self.low_quality += other.low_quality;
        self.poly_a += other.poly_a;
        self.written_symbols += other.written_symbols;
        for (own, other) in self.adapters.iter_mut().zip(&other.adapters) {
            own.reversed += other.reversed;
            own.front.add(&other.front);
            own.back.add(&other.back);
        }
    }
}

impl EndCounts {
    /// Returns the number of matches.
    ///
    /// ```
    /// assert_eq!(carrywave::trim::EndCounts::default().matches(), 0);
    /// ```
    pub fn matches(&self) -> u64 {
        self.removed.values().flatten().sum()
    }

    fn count(&mut self, removed: usize, errors: usize) {
        let by_errors = self.removed.entry(removed).or_default();
        if by_errors.len() <= errors {
            by_errors.resize(errors + 1, 0);
        }
        by_errors[errors] += 1;
    }

    fn add(&mut self, other: &Self) {
        for (removed, by_errors) in &other.removed {
            let own = self.removed.entry(*removed).or_default();
            if own.len() < by_errors.len() {
                own.resize(by_errors.len(), 0);
            }
            for (own, other) in own.iter_mut().zip(by_errors) {
                *own += other;
            }
        }
        for (own, other) in self.adjacent.iter_mut().zip(&other.adjacent) {
            *own += other;
        }
    }
}
