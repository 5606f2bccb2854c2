//! The costs of jobs on the CPU and on a GPU, and the choice between the two.
//!
//! | file | what |
//! |---|---|
//! | this | the cost of a call, and the choice |
//! | [`calibration`] | the costs that `carrywave bench --calibrate` has measured on this machine |
//!
//! A job states its default costs in a constant, a [`JobCosts`]. They were measured on one H100 and
//! 16 threads of its host, which has AVX-512; docs/thresholds.md has the figures.

pub mod calibration;

#[cfg(target_arch = "x86_64")]
use crate::cpu::vector::Lanes;
use crate::device::Gpu;
use serde::{Deserialize, Serialize};

/// Default time to open a GPU in seconds: the driver starts, makes a context and loads the kernels.
pub const OPENING: f64 = 0.28;

/// Time of a cell on a CPU without vectors, relative to one with AVX-512.
const WITHOUT_VECTORS: f64 = 10.0;

/// The cost of calls of a job on an engine, in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cost {
    /// Seconds of any call.
    pub call: f64,
    /// Seconds per symbol: on the CPU of the shorter input, on a GPU of both.
    pub symbol: f64,
    /// Seconds per cell; on the CPU, of one thread.
    pub cell: f64,
}

/// The work of a call.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Work {
    /// Number of symbols of the shorter input.
    pub shorter: f64,
    /// Number of symbols of the longer input.
    pub longer: f64,
    /// Number of cells of their table.
    pub cells: f64,
}

impl Work {
    /// Returns the work of the table of two strings of m and n symbols.
    pub fn of_table(m: u64, n: u64) -> Self {
        Self { shorter: m.min(n) as f64, longer: m.max(n) as f64, cells: m as f64 * n as f64 }
    }
}

impl Cost {
    fn seconds(&self, symbols: f64, cells: f64) -> f64 {
        self.call + self.symbol * symbols + self.cell * cells
    }

    /// Returns true if all costs are times, and cells take some.
    fn is_valid(&self) -> bool {
        [self.call, self.symbol, self.cell].iter().all(|seconds| (0.0..1e6).contains(seconds)) && self.cell > 0.0
    }
}

/// The costs of a job on both engines.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JobCosts {
    /// Name in a calibration.
    pub name: &'static str,
    /// On the CPU.
    pub cpu: Cost,
    /// On a GPU that is open.
    pub gpu: Cost,
}

/// The machine that a job runs on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Machine {
    /// Number of CPU threads.
    pub threads: usize,
    /// Seconds to open the GPU; 0 if it is open.
    pub opening: f64,
}

impl Machine {
    /// Returns the machine with a GPU that is open, and the CPU threads of the caller.
    pub fn with_open_gpu() -> Self {
        Self { threads: rayon::current_num_threads(), opening: 0.0 }
    }

    /// Returns this machine, with the CPU threads of the caller.
    pub fn here() -> Self {
        let opening = if Gpu::opened().is_some() { 0.0 } else { calibration::here().opening.unwrap_or(OPENING) };
        Self { opening, ..Self::with_open_gpu() }
    }
}

impl JobCosts {
    /// Returns true if a GPU should be faster than the CPU.
    pub fn is_faster_on_gpu(&self, work: Work, machine: Machine) -> bool {
        self.gpu_seconds(work, machine) < self.cpu_seconds(work, machine.threads)
    }

    /// Estimates the seconds of a call on `threads` CPU threads.
    pub fn cpu_seconds(&self, work: Work, threads: usize) -> f64 {
        self.cpu.seconds(work.shorter, work.cells / threads.max(1) as f64)
    }

    /// Estimates the seconds of a call on the GPU, with its opening.
    pub fn gpu_seconds(&self, work: Work, machine: Machine) -> f64 {
        machine.opening + self.gpu.seconds(work.shorter + work.longer, work.cells)
    }

    /// Returns true if a GPU of this machine should be faster than the CPU threads of the caller.
    /// Short calls read no calibration: any CPU is done before an open GPU.
    pub fn prefers_gpu(&self, work: Work, machine: impl FnOnce() -> Machine) -> bool {
        self.cpu_seconds(work, rayon::current_num_threads()) * WITHOUT_VECTORS > self.gpu.call
            && self.here().is_faster_on_gpu(work, machine())
    }

    /// Returns the costs on this machine: those of its calibration, or else the defaults, with the
    /// CPU's for the vectors that it has.
    pub fn here(&self) -> Self {
        let measured = calibration::here().jobs.get(self.name).copied().unwrap_or_default();
        let scaled = Cost { cell: self.cpu.cell * vector_slowdown(), ..self.cpu };
        Self { cpu: measured.cpu.unwrap_or(scaled), gpu: measured.gpu.unwrap_or(self.gpu), ..*self }
    }
}

/// Returns the time of a cell on this CPU relative to one with AVX-512.
fn vector_slowdown() -> f64 {
    #[cfg(target_arch = "x86_64")]
    match Lanes::widest().map(|lanes| lanes.words()) {
        Some(8) => return 1.0,
        Some(_) => return 2.0,
        None => {}
    }
    WITHOUT_VECTORS
}

#[cfg(test)]
mod tests {
    use super::*;

    const COSTS: JobCosts = JobCosts {
        name: "a job of tests",
        cpu: Cost { call: 0.0, symbol: 0.0, cell: 1e-9 },
        gpu: Cost { call: 1e-3, symbol: 0.0, cell: 1e-12 },
    };

    #[test]
    fn an_open_gpu_costs_nothing_to_open() {
        let work = Work::of_table(10_000, 10_000);
        let open = Machine { threads: 1, opening: 0.0 };
        assert!(COSTS.is_faster_on_gpu(work, open));
        assert!(!COSTS.is_faster_on_gpu(work, Machine { opening: 1.0, ..open }));
        assert!(!COSTS.is_faster_on_gpu(work, Machine { threads: 200, ..open }));
        assert!((COSTS.gpu_seconds(work, Machine { opening: 1.0, ..open }) - 1.0011).abs() < 1e-9);
        assert!(!COSTS.is_faster_on_gpu(Work::of_table(0, 0), open));
    }

    #[test]
    fn a_job_without_a_calibration_has_its_default_costs() {
        let here = COSTS.here();
        assert_eq!((here.gpu, here.cpu.cell), (COSTS.gpu, COSTS.cpu.cell * vector_slowdown()));
    }
}
