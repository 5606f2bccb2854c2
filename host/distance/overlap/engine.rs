//! The choice of the engine that computes an overlap.

use super::cpu::{self, CpuTables};
use super::device::{self, DeviceTables};
use super::found::Overlap;
use super::table;
use crate::cost::{Machine, Work};
use crate::device::{Device, Devices, EngineKind, Gpu, ReadyGpu, Timings};
use crate::distance::Global;
use crate::distance::thresholds::OVERLAP_COSTS;
use crate::error::{Error, Result};
use crate::job::{Progress, Ran, Recorder, Report};
use crate::pairwise::comparison::{Settings, check_cells, needs_the_cpu};
use crate::threads;
use std::cell::Cell;
use std::sync::Arc;
use std::time::Instant;

/// The result in messages and in the log.
const WHAT: &str = "an overlap";

/// Two strings of bytes, and the settings of their comparison.
struct Overlapping<'r> {
    settings: &'r Settings<'r, Global>,
    strings: [&'r [u8]; 2],
    progress: Progress<'r>,
    recorder: Option<&'r Recorder>,
}

/// Finds the best overlap of two strings of bytes on the chosen engine, or on the one that should
/// be fastest.
pub fn of_bytes(settings: &Settings<'_, Global>, a: &[u8], b: &[u8]) -> Result<Overlap> {
    check(settings)?;
    check_cells(a, b)?;
    settings.counted(WHAT, |progress, recorder| {
        let job = Overlapping { settings, strings: [a, b], progress, recorder };
        match &settings.devices {
            Some(Devices::Cpu(cpu)) => cpu.run(|| job.on_cpu()),
            Some(Devices::Gpus(gpus)) => threads::run(|| job.on_devices(gpus, EngineKind::Gpu)),
            #[cfg(feature = "simt")]
            Some(Devices::Simulated(devices)) => threads::run(|| job.on_devices(devices, EngineKind::Simt)),
            None if job.prefers_gpu() => threads::run(|| job.on_gpu_or_cpu()),
            None => job.on_cpu(),
        }
    })
}

/// Finds the best overlap of two sequences of numbers, on the CPU.
pub fn of_numbers(settings: &Settings<'_, Global>, a: &[u32], b: &[u32]) -> Result<Overlap> {
    check(settings)?;
    if !matches!(settings.devices, None | Some(Devices::Cpu(_))) {
        return Err(unsupported("supports strings that share up to 254 distinct symbols on this engine; use the CPU"));
    }
    settings.counted(WHAT, |progress, recorder| {
        let overlap = table::best(&CpuTables { a, b, equal: |x, y| x == y, progress }, a.len(), b.len());
        record(recorder, EngineKind::Cpu, cpu::NAME, Timings::default());
        overlap
    })
}

/// Refuses settings that no engine supports.
fn check(settings: &Settings<'_, Global>) -> Result<()> {
    if settings.across.is_none() && settings.algorithm.is_auto() {
        return Ok(());
    }
    Err(unsupported("is computed by one member, by the algorithm `auto` only"))
}

fn unsupported(reason: &str) -> Error {
    Error::Unsupported { algorithm: WHAT.into(), reason: reason.into() }
}

/// Adds what ran to a report.
fn record(recorder: Option<&Recorder>, engine: EngineKind, algorithm: &'static str, timings: Timings) {
    if let Some(recorder) = recorder {
        recorder.add(Report::untimed([Ran { engine, algorithm }]).timed(timings));
    }
}

impl Overlapping<'_> {
    /// Returns true if a GPU should be faster than one thread of the CPU.
    fn prefers_gpu(&self) -> bool {
        let [m, n] = self.strings.map(|string| string.len() as u64);
        let machine = || Machine { threads: 1, ..Machine::here() };
        self.settings.equality.is_exact() && OVERLAP_COSTS.prefers_gpu(Work::of_table(m, n), machine)
    }

    fn on_cpu(&self) -> Result<Overlap> {
        let &Self { settings, strings: [a, b], progress, recorder } = self;
        let equality = &settings.equality;
        let overlap = if equality.is_exact() {
            table::best(&CpuTables { a, b, equal: |x, y| x == y, progress }, a.len(), b.len())
        } else {
            table::best(&CpuTables { a, b, equal: |x, y| equality.equal(x, y), progress }, a.len(), b.len())
        };
        record(recorder, EngineKind::Cpu, cpu::NAME, Timings::default());
        overlap
    }

    /// Computes the overlap on GPU 0, or on the CPU if there is none or its memory is too small.
    fn on_gpu_or_cpu(&self) -> Result<Overlap> {
        let Ok(ReadyGpu { gpu, open }) = Gpu::opened_or_open() else { return self.on_cpu() };
        if let Some(recorder) = self.recorder {
            recorder.add(Report::untimed([]).timed(Timings { open, ..Timings::default() }));
        }
        match self.on_devices(&[gpu.device().clone()], EngineKind::Gpu) {
            Err(error @ Error::DeviceMemory { .. }) => {
                log::warn!("{error}: on the CPU then");
                self.on_cpu()
            }
            other => other,
        }
    }

    fn on_devices<D: Device>(&self, devices: &[Arc<D>], engine: EngineKind) -> Result<Overlap> {
        if !self.settings.equality.is_exact() {
            return Err(needs_the_cpu(WHAT.into()));
        }
        let devices: Vec<&D> = devices.iter().map(|device| &**device).collect();
        let started = Instant::now();
        devices.iter().try_for_each(|device| device.ensure_open())?;
        let timings = Cell::new(Timings { open: started.elapsed(), ..Timings::default() });
        let &Self { strings, progress, .. } = self;
        let tables = DeviceTables { devices: &devices, strings, progress, timings };
        let overlap = table::best(&tables, strings[0].len(), strings[1].len())?;
        record(self.recorder, engine, device::NAME, tables.timings.get());
        Ok(overlap)
    }
}
