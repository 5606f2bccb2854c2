//! The edit distance of two whole strings as a problem: its algorithms, and what computes its tables.

use super::cpu::band::CpuBands;
use super::cpu::bit_table;
#[cfg(target_arch = "x86_64")]
use super::cpu::checkpoints;
use super::cpu::columns::CpuColumns;
use super::gpu::DeviceAlgorithm;
use super::thresholds::gpu_is_faster;
use crate::algorithm::{About, Problem};
use crate::alignment::runs::Run;
use crate::cpu::words;
use crate::device::{Cpu, Device, EngineKind};
use crate::error::Result;
use crate::pairwise::cluster::Bands;
use crate::pairwise::columns::EditColumns;
use crate::pairwise::differences::Differences;
use crate::pairwise::problem::{Opened, Pairwise, Progress, Spread};
use crate::pairwise::similar::Costs;
use crate::pairwise::wavefront::{Distances, Wavefront};
use crate::text::Equality;

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

impl Spread for Global {
    type Column = Differences;

    /// D grows by one from column to column in row 0.
    const TOP: &'static [u64] = &[!0, 0];

    fn total(rise: i64, n: u64) -> u64 {
        n.wrapping_add_signed(rise)
    }

    fn member_on_cpu<'s>(
        cpu: &Cpu,
        strings: [&'s [u8]; 2],
        equality: &'s Equality,
        progress: Progress<'s>,
    ) -> Box<dyn Bands<Column = Differences> + 's> {
        let algorithm = &super::cpu::bit_parallel::ALGORITHM;
        let columns = CpuColumns { strings, equality, algorithm, progress };
        Box::new(CpuBands { cpu: cpu.clone(), columns })
    }

    fn member_on_devices<'d, D: Device>(
        devices: &[&'d D],
        [a, b]: [&'d [u8]; 2],
        streams: bool,
        progress: Progress<'d>,
    ) -> Result<Box<dyn Bands<Column = Differences> + 'd>> {
        Ok(Box::new(Wavefront::<_, Distances>::new(devices, a, b, progress)?.streaming(streams)))
    }
}

impl Pairwise for Global {
    type Engine<'s> = Box<dyn EditColumns + 's>;

    const NAME: &'static str = "distance";
    const LEAF_CELLS: u64 = bit_table::LEAF_CELLS;
    const COSTS: Costs = Costs::Levenshtein;
    const SIMILAR: &'static str = super::cpu::similar::ALGORITHM.about.name;
    const FULL: &'static str = super::cpu::bit_parallel::ALGORITHM.about.name;

    fn leaf(a: &[u8], b: &[u8], equality: &Equality) -> Vec<Run> {
        bit_table::script_by(a, b, equality)
    }

    fn short(a: &[u8], b: &[u8]) -> Option<u64> {
        words::levenshtein_distance(a, b)
    }

    fn value_of_distance(distance: u64, _m: u64, _n: u64) -> u64 {
        distance
    }

    // Measured on an H200 beside 16 threads: docs/distance.md.
    const BANDS_ON_DEVICES: Option<f64> = Some(0.05);

    #[cfg(target_arch = "x86_64")]
    fn directly_on_cpu(a: &[u8], b: &[u8], progress: Progress<'_>) -> Option<Vec<Run>> {
        checkpoints::script(a, b, progress)
    }

    fn on_cpu<'s>(
        algorithm: Algorithm,
        strings: [&'s [u8]; 2],
        equality: &'s Equality,
        progress: Progress<'s>,
    ) -> Result<(&'static About, Self::Engine<'s>)> {
        let row = algorithm.row(super::cpu::ALGORITHMS, EngineKind::Cpu, |row| &row.about)?;
        Ok((&row.about, Box::new(CpuColumns { strings, equality, algorithm: row, progress })))
    }

    fn on_devices<'d, D: Device>(
        algorithm: Algorithm,
        engine: EngineKind,
        devices: &[&'d D],
        strings: [&'d [u8]; 2],
        progress: Progress<'d>,
    ) -> Result<Opened<Self::Engine<'d>>> {
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
