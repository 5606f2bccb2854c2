//! The LCS job: which engine and algorithm, then the length or the alignment.

use super::cpu::bit_table;
use super::cpu::columns::CpuColumns;
use super::gpu::DeviceAlgorithm;
use super::thresholds::{LEAF_CELLS, gpu_is_faster};
use crate::algorithm::{About, Problem};
use crate::align::columns::{Columns, Part, Side};
use crate::align::hirschberg::Recursion;
use crate::align::runs::CommonSubsequence;
use crate::device::{Cpu, Device, Devices, Engine, EngineKind, Gpu, Timings};
use crate::error::{Error, Result};
use crate::memory;
use serde::Serialize;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The problem whose algorithms compute the last column of an LCS table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Lcs;

impl Problem for Lcs {
    const WHAT: &'static str = "LCS algorithm";
    const CPU: &'static [&'static About] = super::cpu::ABOUTS;
    const DEVICE: &'static [&'static About] = super::gpu::ABOUTS;
}

/// How the last column of an LCS table is computed: `auto`, or the name of an algorithm.
///
/// ```
/// use carrywave::lcs::{Algorithm, Comparison};
///
/// let plain = Algorithm::named("dp")?;
/// assert_eq!(Comparison::new().algorithm(plain).length(b"ABCBDAB", b"BDCABA")?, 4);
/// # Ok::<(), carrywave::Error>(())
/// ```
pub type Algorithm = crate::algorithm::Algorithm<Lcs>;

/// What ran, and where the time went (as in Kawanami and Fujimoto's table 1).
#[derive(Debug, Clone, Copy, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// The engine that ran.
    pub engine: EngineKind,
    /// The algorithm that ran.
    pub algorithm: Algorithm,
    /// Cells of LCS tables computed, on all engines.
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

impl Report {
    /// 10^9 cells a second over the whole time.
    pub fn gcups(&self) -> f64 {
        self.cells as f64 / 1e9 / self.total.as_secs_f64().max(1e-9)
    }

    /// What is neither kernels nor copies: the host's own work.
    pub fn cpu(&self) -> Duration {
        self.total.saturating_sub(self.kernels).saturating_sub(self.transfer)
    }
}

/// The longest common subsequence of two strings, with the engine and algorithm of your choice.
///
/// ```
/// use carrywave::device::Cpu;
/// use carrywave::lcs::Comparison;
///
/// let lcs = Comparison::new().on(&Cpu::new()).alignment(b"ABCBDAB", b"BDCABA")?;
/// assert_eq!(lcs.len(), 4);
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Clone)]
#[must_use = "a comparison does nothing until it is asked for a length or an alignment"]
pub struct Comparison<'p> {
    /// None for the one that should be fastest.
    devices: Option<Devices>,
    /// What stands for GPU 0 where the engine is chosen here: for tests.
    automatic: Option<Devices>,
    algorithm: Algorithm,
    device_cells: Option<u64>,
    leaf_cells: u64,
    progress: &'p (dyn Fn(u64) + Sync),
}

impl Default for Comparison<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Comparison<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Comparison")
            .field("engine", &self.devices.as_ref().map(Devices::kind))
            .field("algorithm", &self.algorithm)
            .finish_non_exhaustive()
    }
}

impl<'p> Comparison<'p> {
    /// On the engine that should be fastest, with its fastest algorithm: GPU 0, which is opened for the comparison, where there is one and the
    /// strings are so long that this pays; else the CPU.
    pub fn new() -> Self {
        Self {
            devices: None,
            automatic: None,
            algorithm: Algorithm::AUTO,
            device_cells: None,
            leaf_cells: LEAF_CELLS,
            progress: &|_| (),
        }
    }

    /// What computes. Parts of a problem that are too small for a GPU go to the CPU.
    pub fn on(self, engine: &dyn Engine) -> Self {
        Self { devices: Some(Devices::of(engine)), ..self }
    }

    pub(crate) fn on_devices(self, devices: &Devices) -> Self {
        Self { devices: Some(devices.clone()), ..self }
    }

    /// Selects the algorithm; whether the engine has it is checked when the comparison runs.
    pub fn algorithm(self, algorithm: Algorithm) -> Self {
        Self { algorithm, ..self }
    }

    /// What stands for GPU 0 where no engine was given: for tests.
    #[doc(hidden)]
    pub fn automatic(self, engine: &dyn Engine) -> Self {
        Self { automatic: Some(Devices::of(engine)), ..self }
    }

    /// Subproblems of fewer cells than this go to the CPU when the engine is a device, and those of at most `leaf_cells`
    /// are solved whole: for measuring [`thresholds`](crate::lcs::thresholds), and for tests.
    #[doc(hidden)]
    pub fn thresholds(self, device_cells: u64, leaf_cells: u64) -> Self {
        Self { device_cells: Some(device_cells), leaf_cells, ..self }
    }

    /// Tells how far a comparison is: `progress` is called from time to time, from any thread, with the number of cells done since its last
    /// call. The length takes mn cells, the alignment at most 2mn, and at each level of the recursion that halves an odd length one
    /// row or column more.
    pub fn on_progress(self, progress: &'p (dyn Fn(u64) + Sync)) -> Self {
        Self { progress, ..self }
    }

    /// The length of an LCS. Time mn word steps; space m + n bytes, and the match vectors on a device.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for an algorithm that the engine does not have or that takes fewer GPUs; [`Error::DeviceMemory`] and
    /// [`Error::Gpu`] when a GPU was given and cannot do it; [`Error::Memory`] when the host's memory is too small.
    pub fn length(&self, a: &[u8], b: &[u8]) -> Result<u64> {
        Ok(self.length_with_report(a, b)?.0)
    }

    /// [`length`](Self::length), and what ran.
    ///
    /// # Errors
    /// As [`length`](Self::length).
    pub fn length_with_report(&self, a: &[u8], b: &[u8]) -> Result<(u64, Report)> {
        let (rows, columns) = (Part { side: Side::A, range: 0..a.len() }, Part { side: Side::B, range: 0..b.len() });
        let (rows, columns) = if a.len() >= b.len() { (rows, columns) } else { (columns, rows) };
        self.with_engine(a, b, &|engines: Engines<'_>| {
            if a.is_empty() || b.is_empty() {
                return Ok(0);
            }
            let (m, n) = (a.len() as u64, b.len() as u64);
            let engine = if (engines.is_large)(m, n, m * n) { engines.large } else { engines.small };
            engine.length(&rows, &columns)
        })
    }

    /// An LCS and where it is in both strings. Time about twice that of the length, in the same space.
    ///
    /// # Errors
    /// As [`length`](Self::length).
    pub fn alignment(&self, a: &[u8], b: &[u8]) -> Result<CommonSubsequence> {
        Ok(self.alignment_with_report(a, b)?.0)
    }

    /// [`alignment`](Self::alignment), and what ran.
    ///
    /// # Errors
    /// As [`length`](Self::length).
    pub fn alignment_with_report(&self, a: &[u8], b: &[u8]) -> Result<(CommonSubsequence, Report)> {
        let (runs, report) = self.with_engine(a, b, &|engines: Engines<'_>| {
            let recursion = Recursion {
                a,
                b,
                engine: engines.large,
                small: engines.small,
                is_large: engines.is_large,
                leaf_cells: self.leaf_cells,
                leaf: bit_table::lcs,
            };
            recursion.solve()
        })?;
        let lcs = CommonSubsequence::new(runs, a.len() as u64, b.len() as u64)?;
        if cfg!(debug_assertions) {
            lcs.verify(a, b)?;
        }
        Ok((lcs, report))
    }

    /// Runs a job on the engine asked for.
    fn with_engine<R: Send>(&self, a: &[u8], b: &[u8], job: Job<'_, R>) -> Result<(R, Report)> {
        let cells = a.len() as u64 as u128 * b.len() as u128;
        if cells > u128::from(u64::MAX / 4) {
            return Err(Error::Usage(format!("{} × {} cells are more than can be counted", a.len(), b.len())));
        }
        let devices = self.devices(a.len() as u64, b.len() as u64)?;
        memory::check::<u8>(2 * (a.len() + b.len()), "both strings in codes")?;
        let done = AtomicU64::new(0);
        let progress = |cells: u64| {
            done.fetch_add(cells, Ordering::Relaxed);
            (self.progress)(cells);
        };
        let started = Instant::now();
        let run = Comparing { comparison: self, strings: [a, b], progress: &progress };
        let outcome = match &devices {
            Devices::Cpu(cpu) => cpu.run(|| run.on_cpu(self.algorithm, job)),
            Devices::Gpus(gpus) => run.on_devices(gpus, EngineKind::Gpu, job),
            Devices::Simulated(devices) => run.on_devices(devices, EngineKind::Simt, job),
        };
        let ran = match outcome {
            Err(error @ Error::DeviceMemory { .. }) if self.devices.is_none() => {
                log::warn!("{error}: on the CPU then");
                run.on_cpu(Algorithm::AUTO, job)?
            }
            other => other?,
        };
        let report = Report {
            engine: ran.engine,
            algorithm: ran.algorithm,
            cells: done.into_inner(),
            device_cells: ran.timings.cells,
            total: started.elapsed(),
            kernels: ran.timings.kernels,
            transfer: ran.timings.transfer,
        };
        log::info!(
            "lcs of {} × {} symbols: {} on {}, {} cells in {:.3} s: {:.1} GCUPS (kernels {:.3} s, transfer {:.3} s, CPU {:.3} s)",
            a.len(),
            b.len(),
            report.algorithm,
            report.engine,
            report.cells,
            report.total.as_secs_f64(),
            report.gcups(),
            report.kernels.as_secs_f64(),
            report.transfer.as_secs_f64(),
            report.cpu().as_secs_f64(),
        );
        Ok((ran.result, report))
    }

    /// The engine that was given, or the one that should be fastest.
    fn devices(&self, m: u64, n: u64) -> Result<Devices> {
        if let Some(devices) = &self.devices {
            return Ok(devices.clone());
        }
        let on_cpu = self.algorithm.is_auto() || self.algorithm.about(EngineKind::Cpu).is_some();
        let on_gpu = self.algorithm.is_auto() || self.algorithm.about(EngineKind::Gpu).is_some();
        if on_cpu && !(on_gpu && gpu_is_faster(m, n, rayon::current_num_threads())) {
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

/// What is done with the engines of a run.
type Job<'j, R> = &'j (dyn Fn(Engines<'_>) -> Result<R> + Sync);

/// What a run came to.
struct Ran<R> {
    result: R,
    timings: Timings,
    engine: EngineKind,
    algorithm: Algorithm,
}

/// A comparison on its way.
struct Comparing<'r> {
    comparison: &'r Comparison<'r>,
    strings: [&'r [u8]; 2],
    progress: &'r (dyn Fn(u64) + Sync),
}

impl Comparing<'_> {
    /// The CPU's columns, by an algorithm or the fastest.
    fn cpu(&self, algorithm: Algorithm) -> Result<CpuColumns<'_>> {
        let mut all = super::cpu::ALGORITHMS.iter();
        let found = all.find(|row| algorithm.is_auto() || row.about.name == algorithm.name());
        let algorithm = found.ok_or_else(|| algorithm.missing_on(EngineKind::Cpu))?;
        Ok(CpuColumns { strings: self.strings, algorithm, progress: self.progress })
    }

    fn on_cpu<R>(&self, algorithm: Algorithm, job: Job<'_, R>) -> Result<Ran<R>> {
        let cpu = self.cpu(algorithm)?;
        let result = job(Engines { large: &cpu, small: &cpu, is_large: &|_, _, _| false })?;
        let algorithm = Algorithm::named(cpu.algorithm.about.name)?;
        Ok(Ran { result, timings: Timings::default(), engine: EngineKind::Cpu, algorithm })
    }

    fn on_devices<D: Device, R>(&self, devices: &[Arc<D>], engine: EngineKind, job: Job<'_, R>) -> Result<Ran<R>> {
        let algorithm = self.comparison.algorithm;
        let found =
            DeviceAlgorithm::<D>::ALL.iter().find(|row| algorithm.is_auto() || row.about.name == algorithm.name());
        let row = found.ok_or_else(|| algorithm.missing_on(engine))?;
        if devices.len() > row.about.limits.devices {
            return Err(row.about.takes_one_gpu(devices.len()));
        }
        let (cpu, threads) = (self.cpu(Algorithm::AUTO)?, rayon::current_num_threads());
        let is_large = |m: u64, n: u64, level: u64| match self.comparison.device_cells {
            Some(least) => m.saturating_mul(n) >= least,
            None => engine == EngineKind::Simt || (row.is_faster)(m, n, level, threads),
        };
        let devices: Vec<&D> = devices.iter().map(|device| &**device).collect();
        let columns = (row.open)(&devices, self.strings, self.progress)?;
        let result = job(Engines { large: columns.columns(), small: &cpu, is_large: &is_large })?;
        Ok(Ran { result, timings: columns.timings(), engine, algorithm: Algorithm::named(row.about.name)? })
    }
}

/// Whether a subproblem of m × n symbols goes to the device, on a level of so many cells.
type IsLarge<'e> = &'e (dyn Fn(u64, u64, u64) -> bool + Sync);

/// The engines of a run.
struct Engines<'e> {
    large: &'e dyn Columns,
    small: &'e dyn Columns,
    is_large: IsLarge<'e>,
}

/// A longest common subsequence of two strings: [`Comparison`] with its defaults.
///
/// ```
/// let lcs = carrywave::lcs(b"ABCBDAB", b"BDCABA")?;
/// assert_eq!(lcs.len(), 4);
/// assert_eq!(lcs.subsequence(b"ABCBDAB")?, b"BCBA");
/// # Ok::<(), carrywave::Error>(())
/// ```
///
/// # Errors
/// As [`Comparison::alignment`].
pub fn lcs(a: &[u8], b: &[u8]) -> Result<CommonSubsequence> {
    Comparison::new().alignment(a, b)
}

/// The length of a longest common subsequence of two strings.
///
/// ```
/// assert_eq!(carrywave::lcs_length(b"ABCBDAB", b"BDCABA")?, 4);
/// # Ok::<(), carrywave::Error>(())
/// ```
///
/// # Errors
/// As [`Comparison::length`].
pub fn lcs_length(a: &[u8], b: &[u8]) -> Result<u64> {
    Comparison::new().length(a, b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_by_hand() {
        let report = Report {
            engine: EngineKind::Gpu,
            algorithm: Algorithm::AUTO,
            cells: 3_000_000_000,
            device_cells: 2_000_000_000,
            total: Duration::from_millis(2000),
            kernels: Duration::from_millis(500),
            transfer: Duration::from_millis(250),
        };
        assert_eq!((report.cpu(), report.gcups()), (Duration::from_millis(1250), 1.5));
        // Clocks of two machines may differ.
        let report = Report { kernels: Duration::from_millis(1900), ..report };
        assert_eq!(report.cpu(), Duration::ZERO);
    }
}
