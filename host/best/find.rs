//! The job: finds the part of a text that is nearest to a pattern, on the engine and with the
//! algorithm that the caller chooses.

use super::coded::CodedPattern;
use super::cpu::CpuBest;
use super::end::{BestEnd, BestEnds};
use super::gpu::{DeviceAlgorithm, DeviceBest, Size};
use crate::algorithm::{About, Problem};
use crate::device::{Cpu, Device, Devices, Engine, EngineKind, Timings};
use crate::error::{Error, Result, UsageFault};
use crate::infix::alignment::{PatternAlignment, align};
use crate::infix::allowed::Allowed;
use crate::infix::extent::Reader;
use crate::job::{Progress, Ran, Recorder, Report};
use crate::search::gpu::Resident;
use crate::search::{Kept, Source};
use crate::text::Pattern;
use crate::text::characters::TextPattern;
use crate::threads;
use serde::Serialize;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

/// The problem of finding the part of a text that is nearest to a pattern. As in the
/// [example](Best).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Infix;

impl Problem for Infix {
    const WHAT: &'static str = "algorithm for the best match";
    const CPU: &'static [&'static About] = super::cpu::ABOUTS;
    const DEVICE: &'static [&'static About] = super::gpu::ABOUTS;
}

/// An algorithm for the best match: `auto`, or an algorithm by its name. All algorithms find the
/// same match. As in the [example](Best).
pub type Algorithm = crate::algorithm::Algorithm<Infix>;

/// The part of a text that is nearest to a pattern. As in the [example](Best).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[non_exhaustive]
pub struct BestMatch {
    /// Number of the record, 0-based; 0 for a text without records.
    pub record: usize,
    /// Edit distance: the least number of insertions, deletions and substitutions.
    pub distance: u32,
    /// Start in the record, 0-based.
    pub start: u64,
    /// End in the record, exclusive; equal to `start` if the empty part is the nearest.
    pub end: u64,
}

/// Finds the part of `text` that is nearest to `pattern`, byte for byte. O(mn / 64) time at most,
/// on the CPU; O(n) if the pattern occurs in the text with few errors.
///
/// ```
/// assert_eq!(carrywave::best(b"wave", b"a wavy line")?.distance, 1);
/// # Ok::<(), carrywave::Error>(())
/// ```
///
/// # Errors
/// [`Error::Usage`] with [`UsageFault::Empty`] for an empty pattern, and with
/// [`UsageFault::TooLarge`] for one of 2^32 symbols or more.
pub fn best(pattern: &[u8], text: &[u8]) -> Result<BestMatch> {
    Best::new(Pattern::literal(pattern)).find(text)
}

/// A search for the best match, on a chosen engine and with a chosen algorithm.
///
/// ```
/// use carrywave::device::Simt;
/// use carrywave::best::{Algorithm, Best};
/// use carrywave::text::{Alphabet, Pattern};
///
/// let best = Best::new(Pattern::parse(b"GATTACA", Alphabet::Dna)?);
/// let found = best.find(b"ccgattcaccc")?;
/// assert_eq!((found.distance, found.start, found.end), (1, 2, 8));
/// // The kernels that a GPU would run, on the simulator.
/// let simulated = best.on(&Simt::new()).algorithm(Algorithm::named("umm-3m")?);
/// assert_eq!(simulated.find(b"ccgattcaccc")?, found);
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Clone)]
#[must_use = "it does nothing until it is given a text"]
pub struct Best<'p> {
    pattern: TextPattern,
    /// `None` for the CPU.
    devices: Option<Devices>,
    algorithm: Algorithm,
    progress: Progress<'p>,
    recorder: Option<&'p Recorder>,
}

/// A pattern, and a text in records.
#[derive(Clone, Copy)]
struct Input<'i> {
    pattern: &'i Pattern,
    symbols: &'i [u8],
    records: &'i [Range<usize>],
    /// The symbols on a device, if they stay there.
    kept: Option<&'i Kept>,
}

/// The end of the best match, and the engine and algorithm that found it.
struct FoundEnd {
    end: BestEnd,
    ran: Ran,
    timings: Timings,
}

impl fmt::Debug for Best<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Best")
            .field("pattern", &self.pattern.len())
            .field("engine", &self.devices.as_ref().map(Devices::kind))
            .field("algorithm", &self.algorithm)
            .finish_non_exhaustive()
    }
}

impl<'p> Best<'p> {
    /// Returns a search for a pattern of bytes ([`Pattern`]) or of characters
    /// ([`CharacterPattern`](crate::text::characters::CharacterPattern)).
    ///
    /// ```
    /// use carrywave::best::Best;
    /// use carrywave::text::characters::CharacterPattern;
    ///
    /// let found = Best::new(CharacterPattern::literal("Muller", false)).find("Herr Müller")?;
    /// // One substitution; positions are those of bytes.
    /// assert_eq!((found.distance, found.start, found.end), (1, 5, 12));
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    pub fn new(pattern: impl Into<TextPattern>) -> Self {
        Self { pattern: pattern.into(), devices: None, algorithm: Algorithm::AUTO, progress: &|_| (), recorder: None }
    }

    /// Sets the engine. The default is the CPU, or for a text on a GPU that GPU. As in the
    /// [example](Self).
    pub fn on(self, engine: &dyn Engine) -> Self {
        Self { devices: Some(Devices::from_engine(engine)), ..self }
    }

    /// Selects the algorithm. The job checks that the engine has it. As in the [example](Self).
    pub fn algorithm(self, algorithm: Algorithm) -> Self {
        Self { algorithm, ..self }
    }

    /// Sets the progress callback. It gets the number of symbols done since its last call, n in
    /// total, and any thread may call it.
    ///
    /// ```
    /// use carrywave::best::Best;
    /// use carrywave::text::Pattern;
    ///
    /// let progress = |symbols| println!("{symbols} more symbols");
    /// Best::new(Pattern::literal(b"wave")).on_progress(&progress).find(b"a wavy line")?;
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    pub fn on_progress(self, progress: Progress<'p>) -> Self {
        Self { progress, ..self }
    }

    /// Sets a recorder that gets the report of each [`find`](Self::find): what ran, and the times.
    /// A report counts symbols as [`on_progress`](Self::on_progress) does.
    ///
    /// ```
    /// use carrywave::best::Best;
    /// use carrywave::job::Recorder;
    /// use carrywave::text::Pattern;
    ///
    /// let recorder = Recorder::new();
    /// Best::new(Pattern::literal(b"wave")).recorder(&recorder).find(b"a wavy line")?;
    /// let report = recorder.take().expect("a job has run");
    /// assert_eq!((report.algorithm(), report.done), (Some("cut-off"), 11));
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    pub fn recorder(self, recorder: &'p Recorder) -> Self {
        Self { recorder: Some(recorder), ..self }
    }

    /// Finds the best match in a text, or in a text that stays on a GPU: among several records, the
    /// first with the least distance. Without an engine, a text on a GPU is searched there.
    ///
    /// ```
    /// use carrywave::best::Best;
    /// use carrywave::device::Simt;
    /// use carrywave::search::ResidentText;
    /// use carrywave::text::Pattern;
    ///
    /// let text = ResidentText::new(&Simt::new(), b"to carry a wave, or to carry, wave")?;
    /// for (word, distance) in [("carry", 0), ("curry", 1)] {
    ///     let best = Best::new(Pattern::literal(word.as_bytes()));
    ///     assert_eq!(best.find(&text)?.distance, distance);
    /// }
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Usage`] with [`UsageFault::Empty`] for an empty pattern and for no record, with
    /// [`UsageFault::TooLarge`] for one of 2^32 symbols or more, and with
    /// [`UsageFault::Combination`] for positions that must match; [`Error::Unsupported`] for input
    /// that the engine or algorithm does not take, [`Error::DeviceMemory`] if a device's memory is
    /// too small, [`Error::Io`] if the text cannot be read.
    pub fn find<'t>(&self, text: impl Into<Source<'t>>) -> Result<BestMatch> {
        let source = text.into();
        let text = source.text();
        let symbols = text.part(0..text.len())?;
        let whole = 0..symbols.len();
        let records = text.records().unwrap_or(std::slice::from_ref(&whole));
        self.check(records)?;
        let pattern = match &self.pattern {
            TextPattern::Bytes(pattern) => {
                return self.find_in(Input { pattern, symbols: &symbols, records, kept: source.kept() });
            }
            TextPattern::Characters(pattern) => pattern,
        };
        let started = Instant::now();
        let Some(CodedPattern { characters, pattern }) = CodedPattern::new(pattern, &symbols)? else {
            return Err(empty());
        };
        let coded = characters.code(&symbols)?;
        log::debug!("characters in codes: {:.3} s", started.elapsed().as_secs_f64());
        let in_codes = coded.symbols_of(records);
        // Symbols in codes may differ from those on a device.
        let kept = source.kept().filter(|_| source.check_codes(&characters).is_ok());
        let input = Input { pattern: &pattern, symbols: coded.symbols(), records: &in_codes, kept };
        let found = self.find_in(input)?;
        let (symbol, byte) = (in_codes[found.record].start, records[found.record].start);
        let bytes = coded.bytes(symbol + found.start as usize..symbol + found.end as usize);
        let place = |at: usize| at.saturating_sub(byte) as u64;
        Ok(BestMatch { start: place(bytes.start), end: place(bytes.end), ..found })
    }

    /// Finds the best match of a pattern in codes, in symbols of a text in codes.
    fn find_in(&self, input: Input<'_>) -> Result<BestMatch> {
        let started = Instant::now();
        let Input { pattern, symbols, records, .. } = input;
        let FoundEnd { end: BestEnd { distance, record, end }, ran, timings } = self.best_end(input)?;
        let part = part(pattern, &symbols[records[record].clone()], distance, end)?;
        let done = records.iter().map(|record| record.len() as u64).sum();
        let total = started.elapsed();
        if let Some(recorder) = self.recorder {
            let cells = if ran.engine == EngineKind::Cpu { 0 } else { done };
            recorder.add(Report::since(started, [ran], done, Timings { cells, ..timings }));
        }
        let (m, seconds) = (pattern.len(), total.as_secs_f64());
        let gcups = m as f64 * done as f64 / 1e9 / seconds.max(1e-9);
        log::info!("best match of {m} symbols in {done}: {seconds:.3} s, {gcups:.1} GCUPS");
        Ok(BestMatch { record, distance, start: part.start, end: part.end })
    }

    /// Returns the alignment of a match. `part` is the matched part of the text, in bytes. The
    /// alignment has the fewest errors, among those the fewest gaps, and these as far to the left
    /// as possible. Time and memory as for [`Aligner::align`](crate::search::Aligner::align).
    ///
    /// ```
    /// use carrywave::best::Best;
    /// use carrywave::text::Pattern;
    ///
    /// let text = b"to carry  wave";
    /// let best = Best::new(Pattern::literal(b"carrywave"));
    /// let found = best.find(text)?;
    /// let alignment = best.align(&found, &text[found.start as usize..found.end as usize])?;
    /// assert_eq!(alignment.cigar(), "5=2D4=");
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Verification`] for another part; [`Error::Memory`].
    pub fn align(&self, found: &BestMatch, part: &[u8]) -> Result<PatternAlignment> {
        let (allowed, distance) = (Allowed::any(found.distance), found.distance);
        match &self.pattern {
            TextPattern::Bytes(pattern) => align(pattern, part, allowed, distance),
            TextPattern::Characters(pattern) => {
                let Some(CodedPattern { characters, pattern }) = CodedPattern::new(pattern, part)? else {
                    return Err(empty());
                };
                align(&pattern, characters.code(part)?.symbols(), allowed, distance)
            }
        }
    }

    fn check(&self, records: &[Range<usize>]) -> Result<()> {
        if self.pattern.is_empty() {
            return Err(empty());
        }
        if u32::try_from(self.pattern.len()).is_err() {
            return Err(UsageFault::TooLarge.error("the pattern has 2^32 symbols or more; search for parts of it"));
        }
        self.pattern.refuse_fixed()?;
        self.pattern.check_memory()?;
        if records.is_empty() {
            return Err(UsageFault::Empty.error("there is no record to search; give a text with at least one record"));
        }
        Ok(())
    }

    /// Finds the least distance, the first record with it, and the first end there.
    fn best_end(&self, input: Input<'_>) -> Result<FoundEnd> {
        let on_cpu = |cpu: &Cpu| {
            let algorithm = self.algorithm.row(super::cpu::ALGORITHMS, EngineKind::Cpu, |row| &row.about)?;
            let engine = CpuBest { algorithm, progress: self.progress };
            let end = cpu.run(|| engine.best_end(input.symbols, input.records, input.pattern))?;
            let ran = Ran { engine: EngineKind::Cpu, algorithm: algorithm.about.name };
            Ok(FoundEnd { end, ran, timings: Timings::default() })
        };
        match self.devices.clone().or_else(|| input.kept.and_then(Kept::devices)) {
            None => on_cpu(&Cpu::new()),
            Some(Devices::Cpu(cpu)) => on_cpu(&cpu),
            Some(Devices::Gpus(gpus)) => {
                let kept = input.kept.and_then(Kept::on_gpu).cloned();
                threads::run(|| self.on_devices(&gpus, EngineKind::Gpu, kept, input))
            }
            #[cfg(feature = "simt")]
            Some(Devices::Simulated(devices)) => {
                let kept = input.kept.and_then(Kept::on_simulator).cloned();
                threads::run(|| self.on_devices(&devices, EngineKind::Simt, kept, input))
            }
        }
    }

    fn on_devices<D: Device>(
        &self,
        devices: &[Arc<D>],
        engine: EngineKind,
        kept: Option<Arc<Resident<D>>>,
        Input { pattern, symbols, records, .. }: Input<'_>,
    ) -> Result<FoundEnd> {
        let rows = DeviceAlgorithm::<D>::ALL;
        let [device] = devices else {
            let row = self.algorithm.row(rows, engine, |row| row.about)?;
            return Err(row.about.takes_one_gpu(devices.len()));
        };
        let row = if self.algorithm.is_auto() {
            DeviceAlgorithm::fastest(Size::new(pattern, records, device.limits().multiprocessors))
        } else {
            self.algorithm.row(rows, engine, |row| row.about)?
        };
        let on_device = DeviceBest::new(device.clone(), row, self.progress).with_resident(kept);
        let end = on_device.best_end(symbols, records, pattern)?;
        Ok(FoundEnd { end, ran: Ran { engine, algorithm: row.about.name }, timings: on_device.timings() })
    }
}

fn empty() -> Error {
    UsageFault::Empty.error("the pattern is empty and would match everywhere; give at least one symbol")
}

/// Returns the part of a record with the least distance, starting from its first end: alternates
/// between the best start of an end and the best end of that start. Each part has fewer gaps than
/// the part before, or is longer.
fn part(pattern: &Pattern, text: &[u8], distance: u32, end: u64) -> Result<Range<u64>> {
    let m = pattern.len();
    if distance as usize == m {
        return Ok(end..end);
    }
    let none = || {
        let place = format!("that ends after {end} symbols does not have the distance {distance}");
        Error::Verification(format!("the nearest part {place}"))
    };
    let backward = Reader::backward(pattern);
    let mut end = end as usize;
    let found = backward.extent(&text[..end], distance).ok_or_else(none)?;
    let mut start = end - found.length as usize;
    if found.gaps > 0 {
        let forward = Reader::forward(pattern);
        loop {
            let found = forward.extent(&text[start..], distance).ok_or_else(none)?;
            if start + found.length as usize == end {
                break;
            }
            end = start + found.length as usize;
            let found = backward.extent(&text[..end], distance).ok_or_else(none)?;
            if start + found.length as usize == end {
                break;
            }
            start = end - found.length as usize;
        }
    }
    Ok(start as u64..end as u64)
}
