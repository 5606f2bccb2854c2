//! A comparison of two strings, whatever the problem: which engine and algorithm, then an answer from cuts of tables.

use super::banded::Banded;
use super::cluster::{Cluster, Outcome, Task};
use super::cuts::{Cuts, Part, Side};
use super::hirschberg::Recursion;
use super::problem::{Bytes, Pairwise, Progress};
use super::similar::{Answer, Request, similar};
use crate::algorithm::{Algorithm, Problem};
use crate::alignment::runs::Run;
use crate::device::{Cpu, Device, Devices, EngineKind, Gpu, Timings};
use crate::error::{Error, Result, UsageFault};
use crate::job::Recorder;
use crate::memory;
use crate::text::Equality;
use crate::threads;
use serde::Serialize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How strings are compared.
#[derive(Clone)]
pub(crate) struct Settings<'p, P> {
    /// `None` chooses the engine that should be fastest.
    pub devices: Option<Devices>,
    /// Replaces GPU 0 when the engine is chosen automatically: for tests.
    pub automatic: Option<Devices>,
    /// The members that share the work, instead of one engine.
    pub across: Option<Cluster>,
    pub algorithm: Algorithm<P>,
    /// Which symbols match. If different symbols may match, the CPU computes.
    pub equality: Equality,
    pub device_cells: Option<u64>,
    pub leaf_cells: u64,
    pub progress: Progress<'p>,
    pub recorder: Option<&'p Recorder>,
}

/// The engine and algorithm that ran, and their times (as in Kawanami and Fujimoto's table 1).
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(bound = "P: Problem")]
#[non_exhaustive]
pub struct Report<P: Problem> {
    /// The engine that ran.
    pub engine: EngineKind,
    /// The algorithm that ran.
    pub algorithm: Algorithm<P>,
    /// Cells of tables computed, on all engines.
    pub cells: u64,
    /// Cells computed by kernels.
    pub device_cells: u64,
    /// From the strings in memory to the result in memory.
    pub total: Duration,
    /// The time within `total` that kernels ran; two that ran at once count once.
    pub kernels: Duration,
    /// The time within `total` that copies between host and device took.
    pub transfer: Duration,
}

impl<P: Problem> Report<P> {
    /// 10^9 cells a second over the whole time.
    pub fn gcups(&self) -> f64 {
        self.cells as f64 / 1e9 / self.total.as_secs_f64().max(1e-9)
    }

    /// This job and then another.
    pub(crate) fn and(self, next: Self) -> Self {
        Self {
            cells: self.cells + next.cells,
            device_cells: self.device_cells + next.device_cells,
            total: self.total + next.total,
            kernels: self.kernels + next.kernels,
            transfer: self.transfer + next.transfer,
            ..self
        }
    }

    /// Time outside kernels and copies: the host's own work.
    pub fn cpu(&self) -> Duration {
        self.total.saturating_sub(self.kernels).saturating_sub(self.transfer)
    }
}

/// A computation with the engines of a run.
pub(crate) type Compute<'j, P, R> = &'j (dyn Fn(Engines<'_, '_, P>) -> Result<R> + Sync);

/// Returns true if a subproblem of m × n symbols goes to the device. The last argument is the cells of its level.
type IsLarge<'e> = &'e (dyn Fn(u64, u64, u64) -> bool + Sync);

/// The engines of a run.
pub(crate) struct Engines<'e, 's, P: Pairwise> {
    /// Takes large subproblems.
    pub large: &'e P::Engine<'s>,
    /// Takes the others, on the CPU.
    pub small: &'e P::Engine<'s>,
    pub is_large: IsLarge<'e>,
    /// Whether to try first if the strings are similar, and how many cells of bands this may take.
    similar: Option<u64>,
    /// The engine for bands of similar strings with many errors; `None` if it does not try them.
    bands: Option<&'e P::Engine<'s>>,
    /// Set if the strings were similar and the answer comes from bands.
    were_similar: &'e AtomicBool,
    /// True if the CPU computes, by its fastest algorithm.
    is_fastest_of_cpu: bool,
    /// Told the cells that are done.
    pub progress: Progress<'e>,
}

/// Cells below which it is not worth the trouble to find out whether strings are similar.
const SIMILAR_CELLS: u64 = 10_000_000;

/// Approximate speed of a GPU on the full table, in CPU threads. The attempt for similar strings may take less time accordingly.
const GPU_THREADS: u64 = 350;

/// Most cells of a table whose value is computed directly: that takes less time than checking the memory and opening an engine.
const DIRECT_CELLS: usize = 1 << 16;

/// The value of two strings of so few cells.
#[inline]
pub(crate) fn short_value<P: Pairwise>(a: &[u8], b: &[u8]) -> Option<u64> {
    if a.len().saturating_mul(b.len()) <= DIRECT_CELLS { P::short(a, b) } else { None }
}

impl<'e, 's, P: Pairwise> Engines<'e, 's, P> {
    /// The engine that takes a table of m × n symbols.
    pub fn engine_for(&self, m: u64, n: u64) -> &'e P::Engine<'s> {
        if (self.is_large)(m, n, m.saturating_mul(n)) { self.large } else { self.small }
    }

    /// Tries whether the strings are similar, if this run does, and returns their distance or script.
    fn similar(&self, a: &[u8], b: &[u8], script: bool, maximum: Option<u64>) -> Result<Answer> {
        let Some(most_cells) = self.similar else { return Ok(Answer::GaveUp(None)) };
        if (a.len() as u64).saturating_mul(b.len() as u64) < SIMILAR_CELLS {
            return Ok(Answer::GaveUp(None));
        }
        // For a script Hirschberg's recursion computes the table twice.
        let most_cells = if script && !self.is_fastest_of_cpu { 2 * most_cells } else { most_cells };
        let bands = self.bands.zip(P::BANDS_ON_DEVICES);
        let most_errors = bands.map_or(u64::MAX, |(_, rate)| (rate * b.len() as f64) as u64);
        let request = Request { costs: P::COSTS, script, maximum, most_cells, most_errors };
        let started = Instant::now();
        let answer = similar(a, b, &request, self.progress);
        log::debug!("{}: similar strings were looked for in {:.3} s", P::NAME, started.elapsed().as_secs_f64());
        match (answer, bands) {
            (Answer::GaveUp(Some(guess)), Some((engine, _))) => {
                let leaf = |a: &[u8], b: &[u8]| leaf_of_bands::<P>(a, b, self.progress);
                let banded = Banded { a, b, engine, leaf_symbols: BAND_LEAF, leaf: &leaf };
                // The errors that the seeds show, and some more.
                let guess = guess + guess / GUESS_SPARE;
                let answer = if script {
                    banded
                        .script(guess)?
                        .map(|script| Answer::Distance { distance: script.distance, runs: Some(script.runs) })
                } else {
                    banded.distance(guess)?.map(|distance| Answer::Distance { distance, runs: None })
                };
                Ok(answer.unwrap_or(Answer::GaveUp(Some(guess))))
            }
            (Answer::GaveUp(guess), _) => Ok(Answer::GaveUp(guess)),
            (answer, _) => {
                self.were_similar.store(true, Ordering::Relaxed);
                Ok(answer)
            }
        }
    }
}

/// Symbols of a part of similar strings that the CPU solves.
const BAND_LEAF: usize = 1 << 15;

/// A guess of the distance is made greater by this part of it.
const GUESS_SPARE: u64 = 16;

/// The matches of an alignment of a part of similar strings, on the CPU.
fn leaf_of_bands<P: Pairwise>(a: &[u8], b: &[u8], progress: Progress<'_>) -> Result<Vec<Run>> {
    let most_cells = P::COSTS.most_cells(a.len(), b.len());
    let request = Request { costs: P::COSTS, script: true, maximum: None, most_cells, most_errors: u64::MAX };
    match similar(a, b, &request, progress) {
        Answer::Distance { runs: Some(runs), .. } => Ok(runs),
        _ => {
            let settings = Settings::<P> { progress, ..Settings::new() };
            let run = Comparing { settings: &settings, strings: [a, b], progress };
            Ok(run.on_cpu(Algorithm::AUTO, &|engines| settings.runs_of_table(&engines, a, b))?.result)
        }
    }
}

/// A result from an engine.
struct Done<R, P> {
    result: R,
    engine: EngineKind,
    algorithm: Algorithm<P>,
    timings: Timings,
}

/// Two strings, and how they are compared.
struct Comparing<'r, P> {
    settings: &'r Settings<'r, P>,
    strings: [&'r [u8]; 2],
    progress: Progress<'r>,
}

impl<P: Pairwise> Settings<'_, P> {
    /// The engine that should be fastest, with its fastest algorithm.
    pub fn new() -> Self {
        Self {
            devices: None,
            automatic: None,
            across: None,
            algorithm: Algorithm::AUTO,
            equality: Equality::exact(),
            device_cells: None,
            leaf_cells: P::LEAF_CELLS,
            progress: &|_| (),
            recorder: None,
        }
    }

    /// The value of strings which are so short that asking for memory, an engine and the time would take longer than it.
    pub fn directly(&self, a: &[u8], b: &[u8]) -> Option<u64> {
        let value = if self.may_be_direct() { short_value::<P>(a, b)? } else { return None };
        let cells = a.len() as u64 * b.len() as u64;
        if cells > 0 {
            (self.progress)(cells);
        }
        Some(value)
    }

    /// Returns true if no setting forbids computing short strings directly.
    pub fn may_be_direct(&self) -> bool {
        let on_cpu = matches!(self.devices, None | Some(Devices::Cpu(_))) && self.algorithm.is_auto();
        on_cpu && self.across.is_none() && self.equality.is_exact()
    }

    /// The value of the whole table.
    pub fn value(&self, a: &[u8], b: &[u8]) -> Result<(u64, Report<P>)> {
        let (value, report) = self.value_within(a, b, None)?;
        let value = value.ok_or_else(|| Error::Verification("a distance above no maximum".into()))?;
        Ok((value, report))
    }

    /// As [`value`](Self::value), but `None` if a cheap test shows that the distance is above a maximum. The value may be above it, too.
    pub fn value_within(&self, a: &[u8], b: &[u8], maximum: Option<u64>) -> Result<(Option<u64>, Report<P>)> {
        if let Some(cluster) = &self.across {
            let (value, report) = self.run_across(cluster, a, b, |task| task.value::<P>())?;
            return Ok((Some(value), report));
        }
        let rows = Part { side: Side::A, range: 0..a.len() };
        let columns = Part { side: Side::B, range: 0..b.len() };
        let (rows, columns) = if a.len() >= b.len() { (rows, columns) } else { (columns, rows) };
        self.run(a, b, &|engines: Engines<'_, '_, P>| {
            let m = a.len() as u64;
            let n = b.len() as u64;
            if a.is_empty() || b.is_empty() {
                return Ok(Some(P::value_of_distance(m + n, m, n)));
            }
            match engines.similar(a, b, false, maximum)? {
                Answer::Distance { distance, .. } => Ok(Some(P::value_of_distance(distance, m, n))),
                Answer::Above => Ok(None),
                Answer::GaveUp(_) => engines.engine_for(m, n).value(&rows, &columns).map(Some),
            }
        })
    }

    /// The runs of matches of an alignment that has that value, in order.
    pub fn runs(&self, a: &[u8], b: &[u8]) -> Result<(Vec<Run>, Report<P>)> {
        if let Some(cluster) = &self.across {
            return self.run_across(cluster, a, b, |task| task.runs::<P>());
        }
        self.run(a, b, &|engines: Engines<'_, '_, P>| match engines.similar(a, b, true, None)? {
            Answer::Distance { runs: Some(runs), .. } => Ok(runs),
            _ => self.runs_of_table(&engines, a, b),
        })
    }

    /// The runs of matches of strings that are not known to be similar.
    fn runs_of_table(&self, engines: &Engines<'_, '_, P>, a: &[u8], b: &[u8]) -> Result<Vec<Run>> {
        if engines.is_fastest_of_cpu
            && let Some(runs) = P::directly_on_cpu(a, b, engines.progress)
        {
            return Ok(runs);
        }
        let recursion = Recursion {
            a,
            b,
            engine: engines.large,
            small: engines.small,
            is_large: engines.is_large,
            leaf_cells: self.leaf_cells,
            symbols: Bytes::<P>::new(&self.equality),
        };
        recursion.solve()
    }

    /// Runs a job on the members of a cluster.
    fn run_across<R>(
        &self,
        cluster: &Cluster,
        a: &[u8],
        b: &[u8],
        compute: impl FnOnce(&Task<'_>) -> Result<Outcome<R>>,
    ) -> Result<(R, Report<P>)> {
        check_cells(a, b)?;
        if !self.algorithm.is_auto() || !self.equality.is_exact() {
            let reason = "is not what members share a comparison by: leave the choice to `auto`, and symbols equal if they are the same";
            return Err(Error::Unsupported { algorithm: self.algorithm.to_string(), reason: reason.into() });
        }
        memory::check::<u8>(2 * (a.len() + b.len()), "both strings in codes")?;
        let done = AtomicU64::new(0);
        let progress = |cells: u64| {
            done.fetch_add(cells, Ordering::Relaxed);
            (self.progress)(cells);
        };
        let device_cells = self.device_cells;
        let leaf_cells = self.leaf_cells;
        let started = Instant::now();
        let task = Task { cluster, strings: [a, b], device_cells, leaf_cells, progress: &progress };
        let Outcome { result, stats } = compute(&task)?;
        let report = Report {
            engine: stats.engine,
            algorithm: self.algorithm,
            cells: done.into_inner(),
            device_cells: stats.device_cells,
            total: started.elapsed(),
            kernels: stats.kernels,
            transfer: stats.transfer,
        };
        Ok((result, report))
    }

    /// Runs a job on the engine asked for.
    pub fn run<R: Send>(&self, a: &[u8], b: &[u8], compute: Compute<'_, P, R>) -> Result<(R, Report<P>)> {
        check_cells(a, b)?;
        if self.across.is_some() {
            let reason = "is shared by several members only where two whole strings are compared, by measured rules";
            return Err(Error::Unsupported { algorithm: self.algorithm.to_string(), reason: reason.into() });
        }
        let devices = self.devices(a.len() as u64, b.len() as u64)?;
        memory::check::<u8>(2 * (a.len() + b.len()), "both strings in codes")?;
        let done = AtomicU64::new(0);
        let progress = |cells: u64| {
            done.fetch_add(cells, Ordering::Relaxed);
            (self.progress)(cells);
        };
        let started = Instant::now();
        let run = Comparing { settings: self, strings: [a, b], progress: &progress };
        let outcome = match &devices {
            Devices::Cpu(cpu) => cpu.run(|| run.on_cpu(self.algorithm, compute)),
            Devices::Gpus(gpus) => threads::run(|| run.on_devices(gpus, EngineKind::Gpu, compute)),
            #[cfg(feature = "simt")]
            Devices::Simulated(devices) => threads::run(|| run.on_devices(devices, EngineKind::Simt, compute)),
        };
        let ran = match outcome {
            Err(error @ Error::DeviceMemory { .. }) if self.devices.is_none() => {
                log::warn!("{error}: on the CPU then");
                threads::run(|| run.on_cpu(Algorithm::AUTO, compute))?
            }
            other => other?,
        };
        let Done { result, engine, algorithm, timings } = ran;
        let report = Report {
            engine,
            algorithm,
            cells: done.into_inner(),
            device_cells: timings.cells,
            total: started.elapsed(),
            kernels: timings.kernels,
            transfer: timings.transfer,
        };
        log::info!(
            "{} of {} × {} symbols: {algorithm} on {engine}, {} cells in {:.3} s: {:.1} GCUPS (kernels {:.3} s, transfer {:.3} s, CPU {:.3} s)",
            P::NAME,
            a.len(),
            b.len(),
            report.cells,
            report.total.as_secs_f64(),
            report.gcups(),
            report.kernels.as_secs_f64(),
            report.transfer.as_secs_f64(),
            report.cpu().as_secs_f64(),
        );
        Ok((result, report))
    }

    /// The engine that was given, or the one that should be fastest.
    fn devices(&self, m: u64, n: u64) -> Result<Devices> {
        let is_exact = self.equality.is_exact();
        match &self.devices {
            Some(devices) if !is_exact && !matches!(devices, Devices::Cpu(_)) => {
                let reason = "takes only the same symbols for equal, or such that are all equal to one another: the CPU can do it";
                return Err(Error::Unsupported { algorithm: self.algorithm.to_string(), reason: reason.into() });
            }
            Some(devices) => return Ok(devices.clone()),
            None => {}
        }
        let on_cpu = self.algorithm.is_auto() || self.algorithm.about(EngineKind::Cpu).is_some();
        let on_gpu = self.algorithm.is_auto() || self.algorithm.about(EngineKind::Gpu).is_some();
        if on_cpu && !(is_exact && on_gpu && P::gpu_is_faster(m, n, rayon::current_num_threads())) {
            return Ok(Devices::Cpu(Cpu::new()));
        }
        match (&self.automatic, Gpu::open(0)) {
            (Some(devices), _) => Ok(devices.clone()),
            (None, Ok(gpu)) => Ok(Devices::of(&gpu)),
            (None, Err(_)) if on_cpu => Ok(Devices::Cpu(Cpu::new())),
            (None, Err(error)) => Err(error),
        }
    }
}

/// Makes sure that the cells of a comparison can be counted.
fn check_cells(a: &[u8], b: &[u8]) -> Result<()> {
    if a.len() as u128 * b.len() as u128 > u128::from(u64::MAX / 4) {
        return Err(UsageFault::TooLarge.error(format!(
            "{} × {} cells are more than can be counted",
            a.len(),
            b.len()
        )));
    }
    Ok(())
}

impl<P: Pairwise> Comparing<'_, P> {
    /// Most cells of bands for finding out whether the strings are similar, if `threads` threads compute the full table.
    fn most_cells(&self, threads: u64) -> u64 {
        let [a, b] = self.strings;
        P::COSTS.most_cells(a.len(), b.len()) / threads.max(1)
    }

    fn on_cpu<R>(&self, algorithm: Algorithm<P>, compute: Compute<'_, P, R>) -> Result<Done<R, P>> {
        let equality = &self.settings.equality;
        let (about, cuts) = P::on_cpu(algorithm, self.strings, equality, self.progress)?;
        let is_fastest_of_cpu = about.name == P::SIMILAR && equality.is_exact();
        let were_similar = AtomicBool::new(false);
        let result = compute(Engines {
            large: &cuts,
            small: &cuts,
            is_large: &|_, _, _| false,
            similar: is_fastest_of_cpu.then(|| self.most_cells(rayon::current_num_threads() as u64)),
            bands: None,
            were_similar: &were_similar,
            is_fastest_of_cpu,
            progress: self.progress,
        })?;
        // `auto` reports the algorithm that it chose.
        let is_full = algorithm.is_auto() && !were_similar.into_inner();
        let ran = if is_full { P::FULL } else { about.name };
        let algorithm = Algorithm::named(ran)?;
        Ok(Done { result, engine: EngineKind::Cpu, algorithm, timings: Timings::default() })
    }

    fn on_devices<D: Device, R>(
        &self,
        devices: &[Arc<D>],
        engine: EngineKind,
        compute: Compute<'_, P, R>,
    ) -> Result<Done<R, P>> {
        let devices: Vec<&D> = devices.iter().map(|device| &**device).collect();
        let opened = P::on_devices(self.settings.algorithm, engine, &devices, self.strings, self.progress)?;
        let (_, small) = P::on_cpu(Algorithm::AUTO, self.strings, &self.settings.equality, self.progress)?;
        let threads = rayon::current_num_threads();
        let is_large = |m: u64, n: u64, level: u64| match self.settings.device_cells {
            Some(least) => m.saturating_mul(n) >= least,
            None => engine == EngineKind::Simt || (opened.is_faster)(m, n, level, threads),
        };
        let is_auto = self.settings.algorithm.is_auto();
        let were_similar = AtomicBool::new(false);
        let result = compute(Engines {
            large: &opened.cuts,
            small: &small,
            is_large: &is_large,
            similar: is_auto.then(|| self.most_cells(GPU_THREADS * devices.len() as u64)),
            bands: is_auto.then_some(&opened.cuts),
            were_similar: &were_similar,
            is_fastest_of_cpu: false,
            progress: self.progress,
        })?;
        // Bands are computed by the CPU, whatever the engine.
        let (engine, ran) =
            if were_similar.into_inner() { (EngineKind::Cpu, P::SIMILAR) } else { (engine, opened.about.name) };
        Ok(Done { result, engine, algorithm: Algorithm::named(ran)?, timings: opened.cuts.timings() })
    }
}
