//! The choice of an engine on this machine.

use super::calibration;
use super::estimate::{Cost, JobCosts, Machine, OPENING, Work};
#[cfg(target_arch = "x86_64")]
use crate::cpu::vector::Lanes;
use crate::device::Gpu;

/// Time of a cell on a CPU without vectors, relative to one with AVX-512.
const WITHOUT_VECTORS: f64 = 10.0;

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

    #[test]
    fn a_job_without_a_calibration_has_its_default_costs() {
        let cost = Cost { call: 1e-3, symbol: 1e-9, cell: 1e-12 };
        let costs = JobCosts { name: "a job of tests", cpu: cost, gpu: cost };
        let here = costs.here();
        assert_eq!((here.gpu, here.cpu), (cost, Cost { cell: cost.cell * vector_slowdown(), ..cost }));
    }
}
