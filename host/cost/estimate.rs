//! Estimates of the time of a call, by the costs of its job.

use serde::{Deserialize, Serialize};

/// Default time to open a GPU in seconds: the driver starts, makes a context and loads the kernels.
pub const OPENING: f64 = 0.28;

/// Minimum time of a level of Hirschberg's recursion on a GPU, in seconds.
const LEVEL_SECONDS: f64 = 300e-6;

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
    pub(super) fn is_valid(&self) -> bool {
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

impl JobCosts {
    /// Returns true if a GPU should be faster than the CPU.
    pub fn is_faster_on_gpu(&self, work: Work, machine: Machine) -> bool {
        self.gpu_seconds(work, machine) < self.cpu_seconds(work, machine.threads)
    }

    /// Estimates the seconds of a call on `threads` CPU threads.
    pub fn cpu_seconds(&self, work: Work, threads: usize) -> f64 {
        self.cpu.seconds(work.shorter, work.cells / threads.max(1) as f64)
    }

    /// Estimates the seconds of `cells` cells alone on `threads` CPU threads.
    pub fn cpu_seconds_of_cells(&self, cells: f64, threads: usize) -> f64 {
        self.cpu.cell * cells / threads.max(1) as f64
    }

    /// Returns true if a level of Hirschberg's recursion with `cells` cells is faster by wavefront
    /// on a GPU than on `threads` CPU threads.
    pub fn level_is_faster_on_gpu(&self, cells: u64, threads: usize) -> bool {
        self.cpu_seconds_of_cells(cells as f64, threads) > LEVEL_SECONDS
    }

    /// Estimates the seconds of a call on the GPU, with its opening.
    pub fn gpu_seconds(&self, work: Work, machine: Machine) -> f64 {
        machine.opening + self.gpu.seconds(work.shorter + work.longer, work.cells)
    }
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
}
