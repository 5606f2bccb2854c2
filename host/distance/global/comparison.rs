//! The job of two whole strings: which engine and algorithm, then their distance or a cheapest script.

use super::cpu::bit_table;
#[cfg(target_arch = "x86_64")]
use super::cpu::checkpoints;
use super::cpu::columns::CpuColumns;
use super::gpu::DeviceAlgorithm;
use super::thresholds::gpu_is_faster;
use crate::algorithm::{About, Problem};
use crate::align::columns::Cuts;
use crate::align::comparison::{self, Opened, Pairwise, Progress, Settings};
use crate::align::runs::Run;
use crate::align::script::EditScript;
use crate::align::similar::Costs;
use crate::cpu::short;
use crate::device::{Device, Devices, Engine, EngineKind};
#[cfg(doc)]
use crate::error::Error;
use crate::error::Result;
use std::fmt;

/// The problem whose algorithms cut edit distance tables of two whole strings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Global;

impl Problem for Global {
    const WHAT: &'static str = "edit distance algorithm";
    const CPU: &'static [&'static About] = super::cpu::ABOUTS;
    const DEVICE: &'static [&'static About] = super::gpu::ABOUTS;
}

/// How the edit distance of two strings is computed: `auto`, or the name of an algorithm.
pub type Algorithm = crate::algorithm::Algorithm<Global>;

/// What ran, and where the time went.
pub type Report = comparison::Report<Global>;

/// The edit distance (Levenshtein 1966) of two strings, with the engine and algorithm of your choice: the fewest substitutions, insertions
/// and deletions of single symbols that make one of the other.
///
/// ```
/// use carrywave::device::Cpu;
/// use carrywave::distance::Comparison;
///
/// let comparison = Comparison::new();
/// assert_eq!(comparison.on(&Cpu::new()).distance(b"kitten", b"sitting")?, 3);
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Clone)]
#[must_use = "a comparison does nothing until it is asked for a distance or a script"]
pub struct Comparison<'p> {
    settings: Settings<'p, Global>,
}

impl Default for Comparison<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Comparison<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Comparison")
            .field("engine", &self.settings.devices.as_ref().map(Devices::kind))
            .field("algorithm", &self.settings.algorithm)
            .finish_non_exhaustive()
    }
}

impl<'p> Comparison<'p> {
    /// On the engine that should be fastest, with its fastest algorithm: GPU 0, which is opened for the comparison, where there is one and the
    /// strings are so long that this pays; else the CPU.
    pub fn new() -> Self {
        Self { settings: Settings::new() }
    }

    fn set(mut self, set: impl FnOnce(&mut Settings<'p, Global>)) -> Self {
        set(&mut self.settings);
        self
    }

    /// What computes. Parts of a problem that are too small for a GPU go to the CPU.
    pub fn on(self, engine: &dyn Engine) -> Self {
        self.set(|settings| settings.devices = Some(Devices::of(engine)))
    }

    pub(crate) fn on_devices(self, devices: &Devices) -> Self {
        self.set(|settings| settings.devices = Some(devices.clone()))
    }

    /// Selects the algorithm; whether the engine has it is checked when the comparison runs.
    pub fn algorithm(self, algorithm: Algorithm) -> Self {
        self.set(|settings| settings.algorithm = algorithm)
    }

    /// Subproblems of fewer cells than this go to the CPU when the engine is a device, and those of at most `leaf_cells`
    /// are solved whole: for measuring, and for tests.
    #[doc(hidden)]
    pub fn thresholds(self, device_cells: u64, leaf_cells: u64) -> Self {
        self.set(|settings| (settings.device_cells, settings.leaf_cells) = (Some(device_cells), leaf_cells))
    }

    /// Tells how far a comparison is: `progress` is called from time to time, from any thread, with the number of cells done since its last
    /// call. The distance takes mn cells, the script at most 2mn, and at each level of the recursion that halves an odd length one
    /// row or column more.
    pub fn on_progress(self, progress: &'p (dyn Fn(u64) + Sync)) -> Self {
        self.set(|settings| settings.progress = progress)
    }

    /// The edit distance. Time mn cells, 512 at a time on a CPU with AVX-512; space m + n bytes, and a few bits a symbol.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for an algorithm that the engine does not have or that takes fewer GPUs; [`Error::DeviceMemory`] and
    /// [`Error::Gpu`] when a GPU was given and cannot do it; [`Error::Memory`] when the host's memory is too small.
    pub fn distance(&self, a: &[u8], b: &[u8]) -> Result<u64> {
        match self.settings.directly(a, b) {
            Some(distance) => Ok(distance),
            None => Ok(self.distance_with_report(a, b)?.0),
        }
    }

    /// [`distance`](Self::distance), and what ran.
    ///
    /// # Errors
    /// As [`distance`](Self::distance).
    pub fn distance_with_report(&self, a: &[u8], b: &[u8]) -> Result<(u64, Report)> {
        self.settings.value(a, b)
    }

    /// A cheapest script that makes `b` of `a`. Time about twice that of the distance, in the same space (Hirschberg 1975). The named
    /// algorithms but `similar` give the same one on every engine; `auto` may give another of the same cost. [`EditScript::placed`] has its gaps
    /// where you want them.
    ///
    /// # Errors
    /// As [`distance`](Self::distance).
    pub fn script(&self, a: &[u8], b: &[u8]) -> Result<EditScript> {
        Ok(self.script_with_report(a, b)?.0)
    }

    /// [`script`](Self::script), and what ran.
    ///
    /// # Errors
    /// As [`distance`](Self::distance).
    pub fn script_with_report(&self, a: &[u8], b: &[u8]) -> Result<(EditScript, Report)> {
        let (runs, report) = self.settings.runs(a, b)?;
        let script = EditScript::new(runs, a.len() as u64, b.len() as u64)?;
        if cfg!(debug_assertions) {
            script.verify(a, b)?;
        }
        Ok((script, report))
    }
}

impl Pairwise for Global {
    const NAME: &'static str = "distance";
    const LEAF_CELLS: u64 = bit_table::LEAF_CELLS;
    const COSTS: Costs = Costs::Levenshtein;
    const SIMILAR: &'static str = super::cpu::similar::ALGORITHM.about.name;
    const FULL: &'static str = super::cpu::bit_parallel::ALGORITHM.about.name;

    fn leaf(a: &[u8], b: &[u8]) -> Vec<Run> {
        bit_table::script(a, b)
    }

    fn short(a: &[u8], b: &[u8]) -> Option<u64> {
        short::levenshtein(a, b)
    }

    fn value_of_distance(distance: u64, _m: u64, _n: u64) -> u64 {
        distance
    }

    const BANDS_ON_DEVICES: Option<f64> = Some(0.05);

    #[cfg(target_arch = "x86_64")]
    fn directly_on_cpu(a: &[u8], b: &[u8], progress: Progress<'_>) -> Option<Vec<Run>> {
        checkpoints::script(a, b, progress)
    }

    fn on_cpu<'s>(
        algorithm: Algorithm,
        strings: [&'s [u8]; 2],
        progress: Progress<'s>,
    ) -> Result<(&'static About, Box<dyn Cuts + 's>)> {
        let row = algorithm.row(super::cpu::ALGORITHMS, EngineKind::Cpu, |row| &row.about)?;
        Ok((&row.about, Box::new(CpuColumns { strings, algorithm: row, progress })))
    }

    fn on_devices<'d, D: Device>(
        algorithm: Algorithm,
        engine: EngineKind,
        devices: &[&'d D],
        strings: [&'d [u8]; 2],
        progress: Progress<'d>,
    ) -> Result<Opened<'d>> {
        let row = algorithm.row(DeviceAlgorithm::<D>::ALL, engine, |row| row.about)?;
        if devices.len() > row.about.limits.devices {
            return Err(row.about.takes_one_gpu(devices.len()));
        }
        let cuts = (row.open)(devices, strings, progress)?;
        Ok(Opened { about: row.about, cuts, is_faster: row.is_faster })
    }

    fn gpu_is_faster(m: u64, n: u64, threads: usize) -> bool {
        gpu_is_faster(m, n, threads)
    }
}

/// The edit distance of two strings: [`Comparison`] with its defaults.
///
/// ```
/// assert_eq!(carrywave::distance::distance(b"kitten", b"sitting")?, 3);
/// # Ok::<(), carrywave::Error>(())
/// ```
///
/// # Errors
/// As [`Comparison::distance`].
pub fn distance(a: &[u8], b: &[u8]) -> Result<u64> {
    match comparison::short_value::<Global>(a, b) {
        Some(distance) => Ok(distance),
        None => Comparison::new().distance(a, b),
    }
}
