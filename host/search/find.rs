//! The search job: what is looked for, by which engine and algorithm.

use super::bounds::{Bounds, Errors};
use super::chains::Piece;
use super::checked::{CheckedEnds, Shared};
use super::choice::{Choice, Chooser, Occurrence};
use super::cpu::CpuEnds;
use super::ends::FindEnds;
use super::gpu::{DeviceAlgorithm, DeviceEnds, ResidentEnds, mismatches};
use super::hit::Hit;
use super::resident::{Kept, Source};
use super::searcher::Searcher;
use super::tuning::Tuning;
use super::whole::WholeRecords;
use crate::algorithm::{About, Problem};
use crate::device::{Cpu, Device, Devices, Engine, EngineKind};
use crate::error::{Error, Result};
use crate::infix::allowed::Allowed;
use crate::text::Pattern;
use crate::text::Strand;
use std::fmt;
use std::sync::Arc;

/// (insertions + 1) (deletions + 1) that may be allowed at most where kinds or positions are limited: 64 MiB for each thread.
const MOST_CELLS: u64 = 1 << 24;

/// The problem whose algorithms find where occurrences of a pattern end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Occurrences;

impl Problem for Occurrences {
    const WHAT: &'static str = "search algorithm";
    const CPU: &'static [&'static About] = super::cpu::ABOUTS;
    const DEVICE: &'static [&'static About] = super::gpu::ABOUTS;
}

/// How occurrences are found: `auto`, or the name of an algorithm. All algorithms find the same.
pub type Algorithm = crate::algorithm::Algorithm<Occurrences>;

/// Which occurrences are told: of the many around each place where a pattern is, a few or all ends.
///
/// An occurrence is a part of the text with at most k errors. Of two the better has fewer errors, then fewer gaps (insertions and
/// deletions), then more symbols.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Ends {
    /// Those of which none with the same start or the same end is better; and of these, unless
    /// [`overlapping`](Search::overlapping) ones are asked for, none that overlaps a better one.
    #[default]
    Best,
    /// For every end, as the strand is read, the best occurrence that ends there.
    All,
}

impl Ends {
    /// By the name on the command line.
    pub const NAMES: [(&str, Ends); 2] = [("best", Ends::Best), ("all", Ends::All)];
}

named! {
    Ends, "choice of ends";
}

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
    pub(super) patterns: Vec<Pattern>,
    bounds: Bounds,
    /// None for the CPU, or the device that a text is on.
    devices: Option<Devices>,
    algorithm: Algorithm,
    tuning: Tuning,
    pub(super) ends: Ends,
    overlapping: bool,
    pub(super) both_strands: bool,
    whole_records: bool,
    pub(super) progress: &'p (dyn Fn(u64) + Sync),
}

impl fmt::Debug for Search<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Search")
            .field("patterns", &self.patterns.len())
            .field("errors", &self.bounds)
            .field("engine", &self.devices.as_ref().map(Devices::kind))
            .field("algorithm", &self.algorithm)
            .finish_non_exhaustive()
    }
}

impl<'p> Search<'p> {
    /// For one pattern without errors, on the CPU with its fastest algorithm.
    pub fn new(pattern: Pattern) -> Self {
        Self::many(vec![pattern])
    }

    /// For several patterns, each on its own.
    pub fn many(patterns: Vec<Pattern>) -> Self {
        Self {
            patterns,
            bounds: Bounds::default(),
            devices: None,
            algorithm: Algorithm::AUTO,
            tuning: Tuning::default(),
            ends: Ends::Best,
            overlapping: false,
            both_strands: false,
            whole_records: false,
            progress: &|_| (),
        }
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

    fn in_all(mut self, errors: Errors) -> Self {
        self.bounds.errors = Some(errors);
        self
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
    pub fn substitutions(mut self, most: u32) -> Self {
        self.bounds.substitutions = Some(most);
        self
    }

    /// How many symbols of the text may be ones that the pattern does not have.
    pub fn insertions(mut self, most: u32) -> Self {
        self.bounds.insertions = Some(most);
        self
    }

    /// How many symbols of the pattern may be left out.
    pub fn deletions(mut self, most: u32) -> Self {
        self.bounds.deletions = Some(most);
        self
    }

    /// What computes. Of several GPUs each takes chunks of the text in turn.
    pub fn on(self, engine: &dyn Engine) -> Self {
        Self { devices: Some(Devices::of(engine)), ..self }
    }

    /// Selects the algorithm; whether the engine has it and takes the patterns is checked when the search runs.
    pub fn algorithm(self, algorithm: Algorithm) -> Self {
        Self { algorithm, ..self }
    }

    /// The options of a published GPU algorithm, which has to be named as well.
    pub fn tuning(self, tuning: Tuning) -> Self {
        Self { tuning, ..self }
    }

    /// Which occurrences are hits.
    pub fn ends(self, ends: Ends) -> Self {
        Self { ends, ..self }
    }

    /// Whether hits of a pattern on a strand may overlap. If not, the default, the best is told; of several that are equally good the
    /// first, as the strand is read. For [`Ends::All`] they always may.
    pub fn overlapping(self, overlapping: bool) -> Self {
        Self { overlapping, ..self }
    }

    /// Whether to search for the patterns' reverse complements too. The hits are then the mirror image of those in the reverse
    /// complement of the text. Where a pattern that is its own reverse complement is found on both strands, it is told once, on the
    /// forward strand.
    pub fn both_strands(self, both: bool) -> Self {
        Self { both_strands: both, ..self }
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
        Self { whole_records: whole, ..self }
    }

    /// Tells how far a search is: `progress` is called from time to time, from any thread, with the number of symbols done since its last
    /// call, n in all for each pattern and each strand.
    pub fn on_progress(self, progress: &'p (dyn Fn(u64) + Sync)) -> Self {
        Self { progress, ..self }
    }

    /// The hits in a text, in order of records and places: bytes, a [`Text`](crate::text::Text) with or without records, in memory or in a
    /// file, or a text that is on a GPU ([`ResidentText`](super::ResidentText)). Beside the engine's time, O((m + k) ⌈k / 32⌉) for each hit.
    ///
    /// # Errors
    /// [`Error::Usage`] for no pattern, [`Error::Pattern`] for an empty one, and k not less than its length; [`Error::Unsupported`] for an engine or algorithm
    /// that cannot do it; [`Error::Io`] when the text cannot be read; [`Error::Memory`] for more hits than there is memory for.
    pub fn hits<'t>(&self, text: impl Into<Source<'t>>) -> Result<Vec<Hit>> {
        let source = text.into();
        self.searcher(&source)?.hits_in(source.text())
    }

    /// How many hits there are in a text. Fastest with [`Ends::All`] and one strand, where no start has to be found.
    ///
    /// # Errors
    /// As [`hits`](Self::hits).
    pub fn count<'t>(&self, text: impl Into<Source<'t>>) -> Result<u64> {
        let source = text.into();
        self.searcher(&source)?.count_in(source.text())
    }

    /// Makes ready for texts that come one after the other: what is made of the patterns, and their tables on a GPU, are kept.
    ///
    /// # Errors
    /// As [`hits`](Self::hits), but for those of texts.
    pub fn prepare(&self) -> Result<Searcher<'p>> {
        self.prepare_for(None)
    }

    fn searcher(&self, source: &Source<'_>) -> Result<Searcher<'p>> {
        self.prepare_for(source.kept())
    }

    fn prepare_for(&self, kept: Option<&Kept>) -> Result<Searcher<'p>> {
        let allowed = self.check()?;
        let (mut searched, mut patterns) = (Vec::new(), Vec::new());
        for (number, (pattern, &allowed)) in self.patterns.iter().zip(&allowed).enumerate() {
            let reverse = self.both_strands.then(|| pattern.reverse_complement());
            let own = reverse.as_ref() == Some(pattern);
            let strands: &[Strand] = if own { &[Strand::Forward, Strand::Reverse] } else { &[Strand::Forward] };
            searched.push(Searched { number, strands, allowed });
            patterns.push(pattern.clone());
            if let Some(reverse) = reverse.filter(|_| !own) {
                searched.push(Searched { number, strands: &[Strand::Reverse], allowed });
                patterns.push(reverse);
            }
        }
        if self.whole_records {
            if !matches!(self.devices, None | Some(Devices::Cpu(_))) || kept.is_some() {
                return Err(Error::Usage("whole records are compared on the CPU: leave the engine out".into()));
            }
            let cpu = self.cpu();
            let whole = cpu.run(|| WholeRecords::new(&patterns, &searched))?;
            return Ok(Searcher::new(self.clone(), searched, patterns, Shared::of(Vec::new()), cpu).of_whole(whole));
        }
        let wanted: Vec<Wanted<'_>> = patterns.iter().zip(searched.iter().map(|searched| searched.allowed)).collect();
        let (engine, cpu) = self.engine(&wanted, kept)?;
        Ok(Searcher::new(self.clone(), searched, patterns, engine, cpu))
    }

    /// Returns true if the engine is the processor.
    pub(super) fn is_on_cpu(&self) -> bool {
        matches!(self.devices, None | Some(Devices::Cpu(_)))
    }

    /// The processor that host work runs on.
    fn cpu(&self) -> Cpu {
        match &self.devices {
            Some(Devices::Cpu(cpu)) => cpu.clone(),
            _ => Cpu::new(),
        }
    }

    /// The engine with the patterns, and the processor that host work runs on.
    fn engine(&self, wanted: &[Wanted<'_>], kept: Option<&Kept>) -> Result<(Box<dyn FindEnds + 'p>, Cpu)> {
        if self.algorithm.is_auto()
            && let Some(name) = self.tuning.given().next()
        {
            return Err(Error::Usage(format!("the option {name} is that of an algorithm; name the algorithm too")));
        }
        let cpu = self.cpu();
        // An engine has one k for all of its patterns.
        let mut all_k: Vec<u32> = wanted.iter().map(|(_, allowed)| allowed.errors).collect();
        all_k.sort_unstable();
        all_k.dedup();
        let with_k = |k: u32| {
            let own = |&number: &usize| wanted[number].1.errors == k;
            let numbers: Vec<usize> = (0..wanted.len()).filter(own).collect();
            let own: Vec<Wanted<'_>> = numbers.iter().map(|&number| wanted[number]).collect();
            Ok((numbers, cpu.run(|| self.engine_with(&own, k, kept))?))
        };
        Ok((Shared::of(all_k.into_iter().map(with_k).collect::<Result<_>>()?), cpu))
    }

    /// The engine for patterns that have the same k.
    fn engine_with(&self, wanted: &[Wanted<'_>], k: u32, kept: Option<&Kept>) -> Result<Box<dyn FindEnds + 'p>> {
        match (&self.devices, kept) {
            (None, Some(Kept::Gpu(text))) => self.on_resident(text, EngineKind::Gpu, wanted, k),
            (None, Some(Kept::Simulated(text))) => self.on_resident(text, EngineKind::Simt, wanted, k),
            (Some(_), Some(_)) => {
                let reason =
                    "a text that is on a GPU is searched there: leave the engine out, or search the text in memory";
                Err(Error::Usage(reason.into()))
            }
            (None | Some(Devices::Cpu(_)), None) => self.on_cpu(wanted),
            (Some(Devices::Gpus(gpus)), None) => self.on_devices(gpus, EngineKind::Gpu, wanted, k),
            (Some(Devices::Simulated(devices)), None) => self.on_devices(devices, EngineKind::Simt, wanted, k),
        }
    }

    /// The algorithm of devices, none for `auto` by costs. Substitutions alone have one of their own, where it takes the patterns.
    fn device_algorithm<D: Device>(
        &self,
        kind: EngineKind,
        wanted: &[Wanted<'_>],
        k: u32,
    ) -> Result<Option<&'static DeviceAlgorithm<D>>> {
        if !self.algorithm.is_auto() || k == 0 || has_gaps(wanted) {
            return DeviceAlgorithm::<D>::of(self.algorithm, kind);
        }
        let own = DeviceAlgorithm::<D>::ALL.iter().find(|row| !row.about.limits.gaps);
        Ok(own.filter(|_| mismatches::takes(&of_all(wanted), k)))
    }

    fn on_cpu(&self, wanted: &[Wanted<'_>]) -> Result<Box<dyn FindEnds + 'p>> {
        if let Some(name) = self.tuning.given().next() {
            return Err(Error::Unsupported {
                algorithm: self.algorithm.name().into(),
                reason: format!("has no option {name} on the CPU"),
            });
        }
        let patterns = wanted.iter().map(|&(pattern, allowed)| (pattern.clone(), allowed)).collect();
        Ok(Box::new(CpuEnds::within(patterns, self.algorithm, self.progress)?))
    }

    fn on_devices<D: Device>(
        &self,
        devices: &[Arc<D>],
        kind: EngineKind,
        wanted: &[Wanted<'_>],
        k: u32,
    ) -> Result<Box<dyn FindEnds + 'p>> {
        let algorithm = self.device_algorithm::<D>(kind, wanted, k)?;
        let (what, how) = ((of_all(wanted), k), (algorithm, self.tuning));
        let engine = DeviceEnds::new(devices.to_vec(), what, how, self.progress)?;
        let engine = Box::new(if has_gaps(wanted) { engine } else { engine.without_gaps() });
        Ok(if finds_gaps(algorithm) { CheckedEnds::of(engine, wanted.iter().copied()) } else { engine })
    }

    fn on_resident<D: Device>(
        &self,
        text: &Arc<super::gpu::Resident<D>>,
        kind: EngineKind,
        wanted: &[Wanted<'_>],
        k: u32,
    ) -> Result<Box<dyn FindEnds + 'p>> {
        let algorithm = self.device_algorithm::<D>(kind, wanted, k)?;
        let (what, how) = ((of_all(wanted), k), (algorithm, self.tuning));
        let engine = ResidentEnds::new(text.clone(), what, how, self.progress)?;
        let engine = Box::new(if has_gaps(wanted) { engine } else { engine.without_gaps() });
        Ok(if finds_gaps(algorithm) { CheckedEnds::of(engine, wanted.iter().copied()) } else { engine })
    }

    pub(super) fn choice(&self) -> Choice {
        match self.ends {
            Ends::All => Choice::EachEnd,
            Ends::Best if self.overlapping => Choice::Overlapping,
            Ends::Best => Choice::Apart,
        }
    }

    /// Makes sure that there is something to search for; which errors are allowed of each pattern.
    pub(super) fn check(&self) -> Result<Vec<Allowed>> {
        if self.patterns.is_empty() {
            return Err(Error::Usage("there is no pattern to search for".into()));
        }
        let allowed = self.bounds.of(&self.patterns.iter().map(Pattern::len).collect::<Vec<_>>())?;
        for (number, (pattern, allowed)) in self.patterns.iter().zip(&allowed).enumerate() {
            let refuse = |reason: String| Err(Error::Pattern { number, reason });
            let (m, k) = (pattern.len(), allowed.errors);
            pattern.check_memory()?;
            if m == 0 {
                return refuse("is empty, which would match everywhere".into());
            }
            if k as usize >= m && !self.whole_records {
                return refuse(format!(
                    "has {m} symbols, and with {k} errors would match everywhere; allow at most {}",
                    m - 1
                ));
            }
            // A check of an occurrence takes a cell for each of them. No more symbols are deleted than there are; a whole record is checked symbol by
            // symbol where many insertions are allowed.
            let deletions = u64::from(allowed.deletions).min(m as u64) + 1;
            let insertions = u64::from(allowed.insertions) + 1;
            let (cells, has_limits) = match self.whole_records {
                true => (deletions.saturating_mul(insertions.min(m as u64 + 1)), !allowed.is_any()),
                false => (deletions.saturating_mul(insertions), pattern.has_fixed() || !allowed.is_any()),
            };
            if cells > MOST_CELLS && has_limits {
                return refuse(format!(
                    "has limits by kind, or positions that must match, which are kept for fewer insertions and deletions: with up to \
                     {} and {}, (insertions + 1) × (deletions + 1) is more than {MOST_CELLS}",
                    allowed.insertions, allowed.deletions
                ));
            }
        }
        Ok(allowed)
    }
}

/// A pattern that an engine looks for, and which errors are allowed.
type Wanted<'w> = (&'w Pattern, Allowed);

/// Whether an occurrence of any of them may have gaps.
fn has_gaps(wanted: &[Wanted<'_>]) -> bool {
    wanted.iter().any(|(_, allowed)| allowed.has_gaps())
}

fn of_all(wanted: &[Wanted<'_>]) -> Vec<Pattern> {
    wanted.iter().map(|&(pattern, _)| pattern.clone()).collect()
}

/// Whether an algorithm, or those that `auto` takes, find ends with gaps too, and ends with errors in fixed positions.
fn finds_gaps<D: Device>(algorithm: Option<&DeviceAlgorithm<D>>) -> bool {
    algorithm.is_none_or(|row| row.about.limits.gaps)
}

/// A pattern as it is searched for.
#[derive(Debug, Clone)]
pub(super) struct Searched {
    /// Its number among those that were given.
    pub number: usize,
    /// Which strands it stands for: both if it is its own reverse complement.
    pub strands: &'static [Strand],
    /// Which errors it may have.
    pub allowed: Allowed,
}

impl Searched {
    /// Adds the hits of a piece of a chain, in its window of a record. Hits that may not overlap begin, on each strand, at `first` or later.
    pub fn hits(&self, chooser: &Chooser, text: &[u8], piece: &Piece<'_>, first: [u64; 2], hits: &mut Vec<Hit>) {
        let (record, pattern, known) = (piece.record(), self.number, hits.len());
        for &strand in self.strands {
            let hit = |Occurrence { start, end, errors, .. }| Hit { record, start, end, pattern, strand, errors };
            let first = first[strand as usize];
            match chooser.alone(text, piece, strand) {
                Some(one) => hits.extend((one.start >= first).then(|| hit(one))),
                None => hits.extend(chooser.choose(text, piece, strand, first).into_iter().map(hit)),
            }
        }
        if self.strands.len() > 1 {
            // One place on both strands is one hit, on the first strand.
            let mut own = hits.split_off(known);
            own.sort_unstable();
            own.dedup_by_key(|hit| (hit.start, hit.end));
            hits.append(&mut own);
        }
    }
}
