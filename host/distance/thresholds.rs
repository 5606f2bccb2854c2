//! The costs of the job on each engine, which choose the engine by the size of the input;
//! docs/thresholds.md has the measured figures.

use crate::cost::{Cost, JobCosts};

/// Costs of the distance.
pub(crate) const DISTANCE_COSTS: JobCosts = JobCosts {
    name: "distance",
    cpu: Cost { call: 0.0, symbol: 50e-9, cell: 1.0 / 228e9 },
    gpu: Cost { call: 500e-6, symbol: 21e-9, cell: 1.0 / 79e12 },
};

/// Costs of a script. The CPU's threads share less of it than of the distance.
pub(crate) const SCRIPT_COSTS: JobCosts = JobCosts {
    name: "script",
    cpu: Cost { call: 0.0, symbol: 200e-9, cell: 4.7 / 228e9 },
    gpu: Cost { call: 10e-3, symbol: 60e-9, cell: 2.0 / 79e12 },
};

/// Costs of an overlap: the CPU computes it on one thread, and a GPU computes each cell twice.
pub(crate) const OVERLAP_COSTS: JobCosts = JobCosts {
    name: "overlap",
    cpu: Cost { call: 0.0, symbol: 2e-9, cell: 1.5 / 10e9 },
    gpu: Cost { call: 1e-3, symbol: 10e-9, cell: 3.0 / 14e12 },
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::{Machine, OPENING, Work};

    /// As measured on an H100 with 16 threads: docs/thresholds.md.
    #[test]
    fn the_faster_engine_is_chosen_at_measured_sizes() {
        let gpu_takes = |costs: JobCosts, n| {
            let is_faster = |opening| costs.is_faster_on_gpu(Work::of_table(n, n), Machine { threads: 16, opening });
            [0.0, OPENING].map(is_faster)
        };
        assert_eq!(gpu_takes(DISTANCE_COSTS, 5000), [false, false]);
        assert_eq!(gpu_takes(DISTANCE_COSTS, 300_000), [true, false]);
        assert_eq!(gpu_takes(DISTANCE_COSTS, 5_000_000), [true, true]);
        assert_eq!(gpu_takes(SCRIPT_COSTS, 1_000_000), [true, true]);
    }
}
