//! The LCS job: which engine and algorithm, then the length or the subsequence.

use crate::align::columns::{Columns, Part, Side};
use crate::align::hirschberg::Recursion;
use crate::align::runs::CommonSubsequence;
use crate::device::gpu_present;
use crate::device::{Device, Spent};
use crate::error::{Error, Result};
use crate::lcs::cpu::bit_table;
use crate::lcs::cpu::columns::{CpuAlgorithm, CpuColumns};
use crate::lcs::gpu::block_step::BlockStepLcs;
use crate::lcs::gpu::wavefront::WavefrontLcs;
use crate::lcs::thresholds::{LEAF_CELLS, gpu_is_faster};
#[cfg(feature = "gpu")]
use crate::lcs::thresholds::{launches_are_faster, level_is_faster};
use crate::memory;
use carrywave_kernels::lcs::block_step::BlockStep;
use carrywave_kernels::lcs::carry::{ConditionalSum, LookAhead, WarpAdd};
use serde::Serialize;
use simt_launch::Simt;
use simt_std::Kernel;
use std::fmt;
use std::time::{Duration, Instant};

/// What computes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Engine {
    /// A GPU if there is one and the strings are long enough for it, else the CPU.
    #[default]
    Auto,
    /// The processor, all of its cores.
    Cpu,
    /// An NVIDIA GPU; subproblems too small for it go to the CPU.
    Gpu,
    /// The GPU's kernels under the simulator: slow, and checks every access.
    Simt,
}

/// GPUs that the simulator has at most, each with memory of its own.
pub const MOST_SIMULATED: usize = 64;

/// How the last column of an LCS table is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Algorithm {
    /// The engine's fastest.
    #[default]
    Auto,
    /// CPU: dynamic programming in two rows.
    Dp,
    /// CPU: Crochemore, Iliopoulos, Pinzon and Reid (2001), in lanes of SIMD vectors or in 64-bit words.
    BitParallel,
    /// GPU and simulator: lanes that follow one another, carries handed on by shuffles.
    Wavefront,
    /// GPU and simulator: Kawanami and Fujimoto (2014), with conditional-sum addition, as published.
    BlockStep,
    /// GPU and simulator: the same with the carries of a warp by ballot look-ahead.
    BlockStepLookAhead,
}

impl Engine {
    /// Every engine, by its name on the command line.
    pub const NAMES: [(&str, Engine); 4] =
        [("auto", Engine::Auto), ("cpu", Engine::Cpu), ("gpu", Engine::Gpu), ("simt", Engine::Simt)];

    /// The engines that can be used here, but for `Auto`.
    pub fn present() -> Vec<Engine> {
        let gpu = gpu_present().then_some(Engine::Gpu);
        [Engine::Cpu, Engine::Simt].into_iter().chain(gpu).collect()
    }
}

impl Algorithm {
    /// Every algorithm, by its name on the command line.
    pub const NAMES: [(&str, Algorithm); 6] = [
        ("auto", Algorithm::Auto),
        ("dp", Algorithm::Dp),
        ("bit-parallel", Algorithm::BitParallel),
        ("wavefront", Algorithm::Wavefront),
        ("block-step", Algorithm::BlockStep),
        ("block-step-look-ahead", Algorithm::BlockStepLookAhead),
    ];

    /// The algorithms of an engine, the fastest first.
    pub fn of(engine: Engine) -> &'static [Algorithm] {
        match engine {
            Engine::Auto | Engine::Cpu => &[Algorithm::BitParallel, Algorithm::Dp],
            Engine::Gpu | Engine::Simt => &[Algorithm::Wavefront, Algorithm::BlockStepLookAhead, Algorithm::BlockStep],
        }
    }
}

/// The CPU's algorithm, also beside a device's: [`CpuAlgorithm::BitParallel`] unless dynamic programming was asked for.
impl From<Algorithm> for CpuAlgorithm {
    fn from(algorithm: Algorithm) -> Self {
        if algorithm == Algorithm::Dp { CpuAlgorithm::Dp } else { CpuAlgorithm::BitParallel }
    }
}

named! {
    Engine, "engine";
    Algorithm, "algorithm";
}

/// What ran, and where the time went (as in Kawanami and Fujimoto's table 1).
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Report {
    /// The engine that ran.
    pub engine: Engine,
    /// The algorithm that ran.
    pub algorithm: Algorithm,
    /// Cells of LCS tables computed, on all engines.
    pub cells: u64,
    /// Cells computed by kernels.
    pub device_cells: u64,
    /// From the strings in memory to the result in memory.
    pub total: Duration,
    /// Of that, waiting for kernels; both halves of a split count once.
    pub kernels: Duration,
    /// Of that, copies between host and device.
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
/// use carrywave::lcs::{Comparison, Engine};
///
/// let lcs = Comparison::new().engine(Engine::Cpu).subsequence(b"ABCBDAB", b"BDCABA")?;
/// assert_eq!(lcs.len(), 4);
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Comparison<'p> {
    engine: Engine,
    algorithm: Algorithm,
    gpu: Option<usize>,
    gpus: usize,
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
            .field("engine", &self.engine)
            .field("algorithm", &self.algorithm)
            .finish_non_exhaustive()
    }
}

impl<'p> Comparison<'p> {
    /// With [`Engine::Auto`] and its fastest algorithm.
    pub fn new() -> Self {
        Self {
            engine: Engine::Auto,
            algorithm: Algorithm::Auto,
            gpu: None,
            gpus: 1,
            device_cells: None,
            leaf_cells: LEAF_CELLS,
            progress: &|_| (),
        }
    }

    /// What computes.
    pub fn engine(self, engine: Engine) -> Self {
        Self { engine, ..self }
    }

    /// How.
    pub fn algorithm(self, algorithm: Algorithm) -> Self {
        Self { algorithm, ..self }
    }

    /// Which GPU, by its number from 0, which is the default. With [`Engine::Auto`] it stands for [`Engine::Gpu`].
    pub fn gpu(self, ordinal: usize) -> Self {
        Self { gpu: Some(ordinal), ..self }
    }

    /// How many GPUs, from that of [`gpu`](Self::gpu) on; 1 by default. For the wavefront alone; with [`Engine::Auto`] several stand for
    /// [`Engine::Gpu`]. Of simulated ones there are at most [`MOST_SIMULATED`].
    pub fn gpus(self, count: usize) -> Self {
        Self { gpus: count, ..self }
    }

    /// Subproblems of fewer cells than this go to the CPU when the engine is a device, and those of at most `leaf_cells`
    /// are solved whole: for measuring [`thresholds`](crate::lcs::thresholds), and for tests.
    pub fn thresholds(self, device_cells: u64, leaf_cells: u64) -> Self {
        Self { device_cells: Some(device_cells), leaf_cells, ..self }
    }

    /// Told, now and then and from any thread, the number of cells done since the last call. The length takes mn cells, the
    /// subsequence at most 2mn, and at each level of the recursion that halves an odd length one row or column more.
    pub fn on_progress(self, progress: &'p (dyn Fn(u64) + Sync)) -> Self {
        Self { progress, ..self }
    }

    /// The length of an LCS. Time mn word steps; space m + n bytes, and the match vectors on a device.
    ///
    /// # Errors
    /// [`Error::Usage`] for an algorithm or GPUs that the engine does not have; [`Error::NoGpu`], [`Error::DeviceMemory`] and
    /// [`Error::Gpu`] when a GPU was asked for and cannot do it; [`Error::Memory`] when the host's memory is too small.
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
        self.with_engine(a, b, &|engines| {
            if a.is_empty() || b.is_empty() {
                return Ok(0);
            }
            let (m, n) = (a.len() as u64, b.len() as u64);
            let engine = if (engines.is_large)(m, n, m * n) { engines.large } else { engines.small };
            engine.length(&rows, &columns)
        })
    }

    /// An LCS. Time about twice that of the length, in the same space.
    ///
    /// # Errors
    /// As [`length`](Self::length).
    pub fn subsequence(&self, a: &[u8], b: &[u8]) -> Result<CommonSubsequence> {
        Ok(self.subsequence_with_report(a, b)?.0)
    }

    /// [`subsequence`](Self::subsequence), and what ran.
    ///
    /// # Errors
    /// As [`length`](Self::length).
    pub fn subsequence_with_report(&self, a: &[u8], b: &[u8]) -> Result<(CommonSubsequence, Report)> {
        let (runs, report) = self.with_engine(a, b, &|engines| {
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
    fn with_engine<R>(&self, a: &[u8], b: &[u8], job: &dyn Fn(Engines<'_>) -> Result<R>) -> Result<(R, Report)> {
        let cells = a.len() as u64 as u128 * b.len() as u128;
        if cells > u128::from(u64::MAX / 4) {
            return Err(Error::Usage(format!("{} × {} cells are more than can be counted", a.len(), b.len())));
        }
        let (engine, algorithm) = self.choose(a.len() as u64, b.len() as u64)?;
        memory::check::<u8>(2 * (a.len() + b.len()), "both strings in codes")?;
        let done = std::sync::atomic::AtomicU64::new(0);
        let progress = |cells: u64| {
            done.fetch_add(cells, std::sync::atomic::Ordering::Relaxed);
            (self.progress)(cells);
        };
        let started = Instant::now();
        let cpu = CpuColumns { strings: [a, b], algorithm: algorithm.into(), progress: &progress };
        let on_cpu = || {
            Ok::<_, Error>((job(Engines { large: &cpu, small: &cpu, is_large: &|_, _, _| false })?, Spent::default()))
        };
        let asked = (engine, algorithm);
        let ((result, spent), (engine, algorithm)) = match engine {
            Engine::Auto | Engine::Cpu => (on_cpu()?, asked),
            Engine::Simt => {
                let first = Simt::default();
                let peers: Vec<Simt> = (1..self.gpus).map(|_| first.peer()).collect();
                let devices: Vec<&Simt> = std::iter::once(&first).chain(&peers).collect();
                let is_large = |m: u64, n: u64, _| m.saturating_mul(n) >= self.device_cells.unwrap_or(0);
                (self.on_devices(&devices, algorithm, &cpu, &is_large, job)?, asked)
            }
            #[cfg(feature = "gpu")]
            Engine::Gpu => {
                let gpus = crate::device::gpu::group(self.gpu.unwrap_or(0), self.gpus)?;
                let devices: Vec<&crate::device::gpu::Gpu> = gpus.iter().map(|gpu| &**gpu).collect();
                let threads = rayon::current_num_threads();
                let is_large = |m: u64, n: u64, level: u64| match self.device_cells {
                    Some(least) => m.saturating_mul(n) >= least,
                    None if algorithm == Algorithm::Wavefront => level_is_faster(level, threads),
                    None => launches_are_faster(m, n, threads),
                };
                match self.on_devices(&devices, algorithm, &cpu, &is_large, job) {
                    Err(error @ Error::DeviceMemory { .. }) if self.engine == Engine::Auto => {
                        log::warn!("{error}: on the CPU then");
                        (on_cpu()?, (Engine::Cpu, Algorithm::BitParallel))
                    }
                    other => (other?, asked),
                }
            }
            #[cfg(not(feature = "gpu"))]
            Engine::Gpu => return Err(Error::NoGpu("this build has no GPU engine (feature `gpu`)".into())),
        };
        let report = Report {
            engine,
            algorithm,
            cells: done.into_inner(),
            device_cells: spent.cells,
            total: started.elapsed(),
            kernels: spent.kernels,
            transfer: spent.transfer,
        };
        log::info!(
            "lcs of {} × {} symbols: {algorithm} on {engine}, {} cells in {:.3} s: {:.1} GCUPS (kernels {:.3} s, transfer {:.3} s, CPU {:.3} s)",
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

    /// The engine and algorithm that `Auto` stands for, or why the choice does not work.
    fn choose(&self, m: u64, n: u64) -> Result<(Engine, Algorithm)> {
        let (engine, algorithm) = self.choose_algorithm(m, n)?;
        let wrong = |reason: String| Err(Error::Usage(reason));
        match (engine, self.gpus) {
            (_, 0) => wrong("a comparison takes at least one GPU, not 0".into()),
            (Engine::Auto | Engine::Cpu, 2..) => wrong(format!(
                "the engine cpu has no GPUs, and {} were asked for; take the engine gpu, or simt",
                self.gpus
            )),
            (Engine::Auto | Engine::Cpu | Engine::Simt, _) if self.gpu.is_some() => {
                wrong(format!("the engine {engine} has no GPUs to choose from; take the engine gpu"))
            }
            (_, 2..) if algorithm != Algorithm::Wavefront => wrong(format!(
                "{algorithm} runs on one GPU, and {} were asked for; take wavefront, or one GPU",
                self.gpus
            )),
            (Engine::Simt, count) if count > MOST_SIMULATED => {
                wrong(format!("the engine simt has 1 to {MOST_SIMULATED} GPUs, not {count}"))
            }
            _ => Ok((engine, algorithm)),
        }
    }

    fn choose_algorithm(&self, m: u64, n: u64) -> Result<(Engine, Algorithm)> {
        let on_device = Algorithm::of(Engine::Gpu).contains(&self.algorithm);
        let engine = match self.engine {
            Engine::Auto if self.gpu.is_some() || self.gpus > 1 => Engine::Gpu,
            Engine::Auto => {
                let cpu_only = !on_device && self.algorithm != Algorithm::Auto;
                if !cpu_only && (on_device || gpu_is_faster(m, n, rayon::current_num_threads())) && gpu_present() {
                    Engine::Gpu
                } else {
                    Engine::Cpu
                }
            }
            engine => engine,
        };
        let choices = Algorithm::of(engine);
        match self.algorithm {
            Algorithm::Auto => Ok((engine, choices[0])),
            algorithm if choices.contains(&algorithm) => Ok((engine, algorithm)),
            algorithm => {
                let names: Vec<String> = choices.iter().map(ToString::to_string).collect();
                let why =
                    if self.engine == Engine::Auto && engine == Engine::Cpu { " (there is no GPU here)" } else { "" };
                Err(Error::Usage(format!(
                    "the engine {engine}{why} has no algorithm {algorithm}: it has {}",
                    names.join(" and ")
                )))
            }
        }
    }

    fn on_devices<D: Device, R>(
        &self,
        devices: &[&D],
        algorithm: Algorithm,
        cpu: &CpuColumns<'_>,
        is_large: IsLarge<'_>,
        job: &dyn Fn(Engines<'_>) -> Result<R>,
    ) -> Result<(R, Spent)> {
        let [a, b] = cpu.strings;
        match algorithm {
            Algorithm::BlockStep => block_step::<D, ConditionalSum, R>(devices[0], cpu, is_large, job),
            Algorithm::BlockStepLookAhead => block_step::<D, LookAhead, R>(devices[0], cpu, is_large, job),
            _ => {
                let engine = WavefrontLcs::new(devices, a, b, cpu.progress)?;
                let result = job(Engines { large: &engine, small: cpu, is_large })?;
                Ok((result, engine.spent()))
            }
        }
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

fn block_step<D: Device, A: WarpAdd, R>(
    device: &D,
    cpu: &CpuColumns<'_>,
    is_large: IsLarge<'_>,
    job: &dyn Fn(Engines<'_>) -> Result<R>,
) -> Result<(R, Spent)>
where
    BlockStep<A>: Kernel,
{
    let [a, b] = cpu.strings;
    let engine = BlockStepLcs::<D, A>::new(device, a, b, cpu.progress)?;
    let result = job(Engines { large: &engine, small: cpu, is_large })?;
    Ok((result, engine.spent()))
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
/// As [`Comparison::subsequence`].
pub fn lcs(a: &[u8], b: &[u8]) -> Result<CommonSubsequence> {
    Comparison::new().subsequence(a, b)
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
