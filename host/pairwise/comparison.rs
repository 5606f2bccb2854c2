//! A comparison of two strings, for either problem: chooses the engine and the algorithm, and
//! computes an answer from cuts of tables.

use super::attempt::{Attempt, KeptAttempt, Wanted, lock};
use super::banded::Banded;
use super::cluster::{Cluster, Outcome, Task};
use super::cuts::{Cuts, Part, Side};
use super::hirschberg::Recursion;
use super::problem::{Bytes, Pairwise};
use super::similar::{Answer, Request};
use crate::algorithm::Algorithm;
use crate::alignment::Run;
use crate::cost::Machine;
use crate::device::{Cpu, Device, Devices, EngineKind, Gpu, Timings};
use crate::error::{Error, Result, UsageFault};
use crate::job::{Progress, Ran, Recorder, Report};
use crate::memory;
use crate::text::Equality;
use crate::threads;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

/// Settings of a comparison.
#[derive(Clone)]
pub(crate) struct Settings<'p, P> {
    /// `None` chooses the engine that should be fastest.
    pub devices: Option<Devices>,
    /// Replaces GPU 0 when the engine is chosen automatically: for tests.
    pub automatic: Option<Devices>,
    /// True if the engine counts as one that is not open: for tests.
    pub is_closed: bool,
    /// Members that share the work, instead of one engine.
    pub across: Option<Cluster>,
    pub algorithm: Algorithm<P>,
    /// Symbols that match. If different symbols may match, the CPU computes.
    pub equality: Equality,
    pub device_cells: Option<u64>,
    pub leaf_cells: u64,
    pub progress: Progress<'p>,
    pub recorder: Option<&'p Recorder>,
}

/// A computation with the engines of a run.
pub(crate) type Compute<'j, P, R> = &'j (dyn Fn(Engines<'_, '_, P>) -> Result<R> + Sync);

/// Returns true if a subproblem of m × n symbols goes to the device. The last argument is the
/// number of cells of its level.
type IsLarge<'e> = &'e (dyn Fn(u64, u64, u64) -> bool + Sync);

/// The engines of a run.
pub(crate) struct Engines<'e, 's, P: Pairwise> {
    /// Engine for large subproblems.
    pub large: &'e P::Engine<'s>,
    /// Engine for the others, on the CPU.
    pub small: &'e P::Engine<'s>,
    pub is_large: IsLarge<'e>,
    /// `None` if only the full table is to be computed.
    whole_strings: Option<WholeStrings<P>>,
    /// Attempt by algorithms of whole strings before the engine was opened.
    attempt: &'e KeptAttempt,
    /// Algorithm of whole strings that answered.
    answered: &'e OnceLock<Ran>,
    /// Progress callback: gets the number of cells done.
    pub progress: Progress<'e>,
}

/// Approximate speed of a GPU on the full table, in CPU threads. It limits the time for the attempt
/// for similar strings.
const GPU_THREADS: usize = 350;

/// Upper bound on the cells of a table whose value is computed directly, which takes less time than
/// checking the memory and opening an engine.
const DIRECT_CELLS: usize = 1 << 16;

/// Returns the value of two strings of at most that many cells.
#[inline]
pub(crate) fn short_value<P: Pairwise>(a: &[u8], b: &[u8]) -> Option<u64> {
    if a.len().saturating_mul(b.len()) <= DIRECT_CELLS { P::short(a, b) } else { None }
}

impl<'e, 's, P: Pairwise> Engines<'e, 's, P> {
    /// Returns the engine for a table of m × n symbols.
    pub fn engine_for(&self, m: u64, n: u64) -> &'e P::Engine<'s> {
        if (self.is_large)(m, n, m.saturating_mul(n)) { self.large } else { self.small }
    }

    /// Tries the algorithms of whole strings for the distance or a script, unless the CPU has tried
    /// them already.
    fn whole(&self, a: &[u8], b: &[u8], script: bool, maximum: Option<u64>) -> Result<Answer> {
        let Some(WholeStrings { algorithm, on_device, most_cells, beside_device }) = self.whole_strings else {
            return Ok(Answer::GaveUp(None));
        };
        let request = Request {
            costs: P::COSTS,
            script,
            maximum,
            // For a script, Hirschberg's recursion computes the table twice.
            most_cells: if script && beside_device { most_cells.saturating_mul(2) } else { most_cells },
            most_errors: on_device.map_or(u64::MAX, |bands| (bands.least_errors * b.len() as f64) as u64),
            beside_device,
        };
        let attempt = match lock(self.attempt).take() {
            Some(attempt) => attempt,
            None => Attempt::on_cpu(algorithm, [a, b], &request, self.progress),
        };
        let guess = match attempt.answer {
            Answer::GaveUp(guess) => guess,
            answer => {
                self.answered.get_or_init(|| attempt.ran);
                return Ok(answer);
            }
        };
        let (Some(guess), Some(bands)) = (guess, on_device) else { return Ok(Answer::GaveUp(None)) };
        let leaf = |a: &[u8], b: &[u8]| leaf_of_bands::<P>(a, b, self.progress);
        let always = bands.is_named;
        let banded = Banded { a, b, engine: self.large, always, leaf_symbols: BAND_LEAF, leaf: &leaf };
        // The errors that the seeds show, and a margin.
        let Some(answer) = banded.answer(guess + guess / GUESS_SPARE, script)? else { return Ok(Answer::GaveUp(None)) };
        self.answered.get_or_init(|| bands.ran);
        Ok(answer)
    }
}

/// Arguments for the algorithms of whole strings.
#[derive(Clone, Copy)]
struct WholeStrings<P> {
    /// Algorithm of the CPU; `auto` tries all.
    algorithm: Algorithm<P>,
    /// Bands of the engine itself.
    on_device: Option<Bands>,
    /// Upper bound on the cells of bands: more would take too large a share of the full table's
    /// time.
    most_cells: u64,
    /// True if the engine is a device.
    beside_device: bool,
}

/// Bands on a device.
#[derive(Clone, Copy)]
struct Bands {
    ran: Ran,
    /// Lower bound on the error rate for preferring them to those of the CPU.
    least_errors: f64,
    /// True if the caller has named the algorithm.
    is_named: bool,
}

/// Number of symbols of a part of similar strings that the CPU solves.
const BAND_LEAF: usize = 1 << 15;

/// A guess of the distance is increased by this fraction of it.
const GUESS_SPARE: u64 = 16;

/// Computes the matches of an alignment of a part of similar strings, on the CPU.
fn leaf_of_bands<P: Pairwise>(a: &[u8], b: &[u8], progress: Progress<'_>) -> Result<Vec<Run>> {
    let settings = Settings::<P> { progress, ..Settings::new() };
    let run = Comparing::new(&settings, [a, b], Wanted::Alignment, progress);
    let most_cells = P::COSTS.most_cells(a.len(), b.len());
    Ok(run.on_cpu(Algorithm::AUTO, most_cells, &|engines| settings.runs_by(&engines, a, b))?.result)
}

/// A result from an engine.
struct Done<R> {
    result: R,
    /// Algorithm; `None` for empty strings.
    ran: Option<Ran>,
    timings: Timings,
}

/// Two strings, and the settings of their comparison.
pub(super) struct Comparing<'r, P> {
    pub(super) settings: &'r Settings<'r, P>,
    pub(super) strings: [&'r [u8]; 2],
    pub(super) wanted: Wanted,
    pub(super) progress: Progress<'r>,
    pub(super) attempt: KeptAttempt,
    /// Time of waiting for a GPU to open.
    pub(super) open: OnceLock<Duration>,
}

impl<P: Pairwise> Settings<'_, P> {
    /// Returns settings for the engine that should be fastest, with its fastest algorithm.
    pub fn new() -> Self {
        Self {
            devices: None,
            automatic: None,
            is_closed: false,
            across: None,
            algorithm: Algorithm::AUTO,
            equality: Equality::exact(),
            device_cells: None,
            leaf_cells: P::LEAF_CELLS,
            progress: &|_| (),
            recorder: None,
        }
    }

    /// Returns the value of strings so short that checking memory, engine and time would take
    /// longer than computing it.
    pub fn directly(&self, a: &[u8], b: &[u8]) -> Option<u64> {
        if !self.may_be_direct() {
            return None;
        }
        self.recorded_directly(a, b, || short_value::<P>(a, b))
    }

    /// Returns a result that the CPU's columns give directly, and reports it.
    pub fn recorded_directly<R>(&self, a: &[u8], b: &[u8], compute: impl FnOnce() -> Option<R>) -> Option<R> {
        let started = self.recorder.map(|_| Instant::now());
        let result = compute()?;
        let cells = a.len() as u64 * b.len() as u64;
        if cells > 0 {
            (self.progress)(cells);
        }
        if let Some(started) = started {
            let algorithm = P::full_table_on(EngineKind::Cpu).filter(|_| cells > 0);
            let ran = algorithm.map(|algorithm| Ran { engine: EngineKind::Cpu, algorithm });
            self.record(a, b, Report::since(started, ran, cells, Timings::default()));
        }
        Some(result)
    }

    /// Returns true if no setting forbids computing short strings directly.
    pub fn may_be_direct(&self) -> bool {
        let on_cpu = matches!(self.devices, None | Some(Devices::Cpu(_))) && self.algorithm.is_auto();
        on_cpu && self.across.is_none() && self.equality.is_exact()
    }

    /// Runs a computation that has one algorithm, on the CPU, and reports it. `what` is its result.
    pub fn on_one_cpu<R>(&self, what: &str, compute: impl FnOnce(Progress<'_>) -> Result<R>) -> Result<R> {
        let on_cpu = matches!(self.devices, None | Some(Devices::Cpu(_))) && self.across.is_none();
        if !on_cpu || !self.algorithm.is_auto() {
            let reason = "is computed on one CPU, by the algorithm `auto` only";
            return Err(Error::Unsupported { algorithm: what.into(), reason: reason.into() });
        }
        self.counted(what, |progress, _| compute(progress))
    }

    /// Runs a computation, counts its cells, and reports it. `what` is its result.
    pub fn counted<R>(
        &self,
        what: &str,
        compute: impl FnOnce(Progress<'_>, Option<&Recorder>) -> Result<R>,
    ) -> Result<R> {
        let done = AtomicU64::new(0);
        let progress = |cells: u64| {
            done.fetch_add(cells, Ordering::Relaxed);
            (self.progress)(cells);
        };
        Recorder::job(what, self.recorder, |_| done.load(Ordering::Relaxed), |recorder| compute(&progress, recorder))
    }

    /// Computes the value of the whole table.
    pub fn value(&self, a: &[u8], b: &[u8]) -> Result<u64> {
        let value = self.value_within(a, b, None)?;
        value.ok_or_else(|| Error::Verification("a distance above no maximum".into()))
    }

    /// Like [`value`](Self::value), but `None` if a cheap test shows that the distance is above a
    /// maximum. The value may be above it, too.
    pub fn value_within(&self, a: &[u8], b: &[u8], maximum: Option<u64>) -> Result<Option<u64>> {
        if let Some(cluster) = &self.across {
            return self.run_across(cluster, a, b, |task| task.value::<P>()).map(Some);
        }
        let rows = Part { side: Side::A, range: 0..a.len() };
        let columns = Part { side: Side::B, range: 0..b.len() };
        let (rows, columns) = if a.len() >= b.len() { (rows, columns) } else { (columns, rows) };
        self.run(a, b, Wanted::Value { maximum }, &|engines: Engines<'_, '_, P>| {
            let m = a.len() as u64;
            let n = b.len() as u64;
            if a.is_empty() || b.is_empty() {
                return Ok(Some(P::value_of_distance(m + n, m, n)));
            }
            match engines.whole(a, b, false, maximum)? {
                Answer::Distance { distance, .. } => Ok(Some(P::value_of_distance(distance, m, n))),
                Answer::Above => Ok(None),
                Answer::GaveUp(_) => engines.engine_for(m, n).value(&rows, &columns).map(Some),
            }
        })
    }

    /// Computes the runs of matches of an alignment with that value, in order.
    pub fn runs(&self, a: &[u8], b: &[u8]) -> Result<Vec<Run>> {
        if let Some(cluster) = &self.across {
            return self.run_across(cluster, a, b, |task| task.runs::<P>());
        }
        self.run(a, b, Wanted::Alignment, &|engines: Engines<'_, '_, P>| self.runs_by(&engines, a, b))
    }

    /// Like [`runs`](Self::runs), with the engines of a run.
    fn runs_by(&self, engines: &Engines<'_, '_, P>, a: &[u8], b: &[u8]) -> Result<Vec<Run>> {
        if a.is_empty() || b.is_empty() {
            return Ok(Vec::new());
        }
        if let Answer::Distance { runs: Some(runs), .. } = engines.whole(a, b, true, None)? {
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
    ) -> Result<R> {
        check_cells(a, b)?;
        if !self.algorithm.is_auto() || !self.equality.is_exact() {
            let reason = "cannot be shared by several members; use `auto` and exact equality";
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
        let engines = cluster.engines().into_iter();
        let ran = engines.filter_map(|engine| P::full_table_on(engine).map(|algorithm| Ran { engine, algorithm }));
        self.record(a, b, Report::since(started, ran, done.into_inner(), stats.timings));
        Ok(result)
    }

    /// Runs a job on the chosen engine.
    pub fn run<R: Send>(&self, a: &[u8], b: &[u8], wanted: Wanted, compute: Compute<'_, P, R>) -> Result<R> {
        check_cells(a, b)?;
        if self.across.is_some() {
            let reason = "can be shared by several members only for two whole strings and by measured rules";
            return Err(Error::Unsupported { algorithm: self.algorithm.to_string(), reason: reason.into() });
        }
        memory::check::<u8>(2 * (a.len() + b.len()), "both strings in codes")?;
        let done = AtomicU64::new(0);
        let progress = |cells: u64| {
            done.fetch_add(cells, Ordering::Relaxed);
            (self.progress)(cells);
        };
        let started = Instant::now();
        let run = Comparing::new(self, [a, b], wanted, &progress);
        let devices = self.devices(&run)?;
        let outcome = match &devices {
            Devices::Cpu(cpu) => {
                cpu.run(|| run.on_cpu(self.algorithm, run.most_cells(rayon::current_num_threads()), compute))
            }
            Devices::Gpus(gpus) => threads::run(|| run.on_devices(gpus, EngineKind::Gpu, compute)),
            #[cfg(feature = "simt")]
            Devices::Simulated(devices) => threads::run(|| run.on_devices(devices, EngineKind::Simt, compute)),
        };
        let ran = match outcome {
            Err(error @ Error::DeviceMemory { .. }) if self.devices.is_none() => {
                log::warn!("{error}: on the CPU then");
                threads::run(|| run.on_cpu(Algorithm::AUTO, run.most_cells(rayon::current_num_threads()), compute))?
            }
            other => other?,
        };
        let Done { result, ran, timings } = ran;
        let timings = Timings { open: run.open.into_inner().unwrap_or_default(), ..timings };
        self.record(a, b, Report::since(started, ran, done.into_inner(), timings));
        Ok(result)
    }

    /// Logs what was done, and reports it.
    pub fn record(&self, a: &[u8], b: &[u8], report: Report) {
        log::info!(
            "{} of {} × {} symbols, {} cells: {report}: {:.1} GCUPS",
            P::NAME,
            a.len(),
            b.len(),
            report.done,
            report.gcups()
        );
        if let Some(recorder) = self.recorder {
            recorder.add(report);
        }
    }

    /// Returns the chosen engine, or the one that should be fastest.
    fn devices(&self, run: &Comparing<'_, P>) -> Result<Devices> {
        let is_exact = self.equality.is_exact();
        match &self.devices {
            Some(devices) if !is_exact && !matches!(devices, Devices::Cpu(_)) => {
                return Err(needs_the_cpu(self.algorithm.to_string()));
            }
            Some(devices) => return Ok(devices.clone()),
            None => {}
        }
        let on_cpu = self.algorithm.is_auto() || self.algorithm.about(EngineKind::Cpu).is_some();
        let on_gpu = self.algorithm.is_auto() || self.algorithm.about(EngineKind::Gpu).is_some();
        let machine = || if self.automatic.is_some() { Machine::with_open_gpu() } else { Machine::here() };
        let prefers_gpu = || run.wanted.costs::<P>().prefers_gpu(run.work(), machine);
        if on_cpu && !(is_exact && on_gpu && prefers_gpu()) {
            return Ok(Devices::Cpu(Cpu::new()));
        }
        let open = || match &self.automatic {
            Some(devices) => Ok(devices.clone()),
            None => Gpu::open(0).map(|gpu| Devices::from_engine(&gpu)),
        };
        let opened = match &self.automatic {
            Some(devices) => Some(devices.clone()).filter(|_| !self.is_closed),
            None => Gpu::opened().map(|gpu| Devices::from_engine(&gpu)),
        };
        let is_there = || self.automatic.is_some() || Gpu::has_driver();
        let devices = match opened {
            Some(devices) => Ok(Some(devices)),
            None if self.algorithm.is_auto() && is_there() => run.open_unless_similar(&open),
            None => run.waiting(open).map(Some),
        };
        match devices {
            Ok(Some(devices)) => Ok(devices),
            Ok(None) => Ok(Devices::Cpu(Cpu::new())),
            Err(_) if on_cpu => {
                // The CPU alone has more time for an attempt.
                lock(&run.attempt).take();
                Ok(Devices::Cpu(Cpu::new()))
            }
            Err(error) => Err(error),
        }
    }
}

/// Returns the error for a symbol that is equal to two symbols that are not equal to one another,
/// on a device.
pub(crate) fn needs_the_cpu(algorithm: String) -> Error {
    let reason = "supports only transitive equality on this engine (such as case, but not iupac); use the CPU";
    Error::Unsupported { algorithm, reason: reason.into() }
}

/// Checks that the cells of a comparison can be counted.
pub(crate) fn check_cells(a: &[u8], b: &[u8]) -> Result<()> {
    if a.len() as u128 * b.len() as u128 > u128::from(u64::MAX / 4) {
        return Err(UsageFault::TooLarge.error(format!(
            "{} × {} cells are too many; compare shorter strings",
            a.len(),
            b.len()
        )));
    }
    Ok(())
}

impl<'r, P: Pairwise> Comparing<'r, P> {
    pub(super) fn new(
        settings: &'r Settings<'r, P>,
        strings: [&'r [u8]; 2],
        wanted: Wanted,
        progress: Progress<'r>,
    ) -> Self {
        Self { settings, strings, wanted, progress, attempt: Mutex::default(), open: OnceLock::new() }
    }

    fn on_cpu<R>(&self, algorithm: Algorithm<P>, most_cells: u64, compute: Compute<'_, P, R>) -> Result<Done<R>> {
        let equality = &self.settings.equality;
        let columns = P::columns_on_cpu(algorithm)?;
        let cuts = P::on_cpu(columns.computes, self.strings, equality, self.progress);
        let whole = WholeStrings { algorithm, on_device: None, most_cells, beside_device: false };
        let answered = OnceLock::new();
        let result = compute(Engines {
            large: &cuts,
            small: &cuts,
            is_large: &|_, _, _| false,
            // Algorithms of whole strings need exact equality.
            whole_strings: equality.is_exact().then_some(whole),
            attempt: &self.attempt,
            answered: &answered,
            progress: self.progress,
        })?;
        let by_columns = Ran { engine: EngineKind::Cpu, algorithm: columns.name };
        Ok(Done { result, ran: self.ran(answered, by_columns), timings: Timings::default() })
    }

    /// Returns the algorithm of whole strings that answered, or else that of the table.
    fn ran(&self, answered: OnceLock<Ran>, by_columns: Ran) -> Option<Ran> {
        let is_empty = self.strings.iter().any(|string| string.is_empty());
        answered.into_inner().or_else(|| (!is_empty).then_some(by_columns))
    }

    fn on_devices<D: Device, R>(
        &self,
        devices: &[Arc<D>],
        engine: EngineKind,
        compute: Compute<'_, P, R>,
    ) -> Result<Done<R>> {
        let devices: Vec<&D> = devices.iter().map(|device| &**device).collect();
        let algorithm = self.settings.algorithm;
        let rows = P::device_rows::<D>();
        let named = algorithm.row(rows, engine, |row| row.about)?;
        if devices.len() > named.about.limits.devices {
            return Err(named.about.takes_one_gpu(devices.len()));
        }
        // Bands use the same engine as the full table.
        let full = std::iter::once(named).chain(rows).find(|row| row.bands.is_none()).unwrap_or(named);
        let threads = rayon::current_num_threads();
        let is_large = |m: u64, n: u64, level: u64| match self.settings.device_cells {
            Some(least) => m.saturating_mul(n) >= least,
            None => engine == EngineKind::Simt || (full.is_faster)(m, n, level, threads),
        };
        let is_named = !algorithm.is_auto();
        let [m, n] = self.strings.map(|string| string.len() as u64);
        let most_cells = self.most_cells(GPU_THREADS * devices.len());
        if !is_named && !is_large(m, n, m.saturating_mul(n)) {
            // The devices would get no part of the table.
            return self.on_cpu(Algorithm::AUTO, most_cells, compute);
        }
        if self.settings.is_closed || !devices.iter().all(|device| device.is_open()) {
            let open = || Ok(devices.iter().try_for_each(|device| device.ensure_open())?);
            if is_named {
                self.waiting(open)?
            } else {
                self.attempt_during(&open)?
            }
            if self.has_answer() {
                return self.on_cpu(Algorithm::AUTO, most_cells, compute);
            }
        }
        let cuts = (full.open)(&devices, self.strings, self.progress)?;
        let on_cpu = P::columns_on_cpu(Algorithm::AUTO)?;
        let small = P::on_cpu(on_cpu.computes, self.strings, &self.settings.equality, self.progress);
        let on_device = named.bands.map(|least_errors| Bands {
            ran: Ran { engine, algorithm: named.about.name },
            least_errors: if is_named { 0.0 } else { least_errors },
            is_named,
        });
        let whole = WholeStrings { algorithm: Algorithm::AUTO, on_device, most_cells, beside_device: true };
        let answered = OnceLock::new();
        let result = compute(Engines {
            large: &cuts,
            small: &small,
            is_large: &is_large,
            whole_strings: (!is_named || on_device.is_some()).then_some(whole),
            attempt: &self.attempt,
            answered: &answered,
            progress: self.progress,
        })?;
        let timings = cuts.timings();
        // If all parts were too small for the device, the CPU did the job.
        let by_columns = match timings.cells {
            0 => Ran { engine: EngineKind::Cpu, algorithm: on_cpu.name },
            _ => Ran { engine, algorithm: full.about.name },
        };
        Ok(Done { result, ran: self.ran(answered, by_columns), timings })
    }
}
