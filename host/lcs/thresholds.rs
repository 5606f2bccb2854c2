//! The costs of the job on each engine, which choose the engine by the size of the input;
//! docs/thresholds.md has the measured figures.
//!
//! Kawanami and Fujimoto chose the GPU for m + n ≥ 2,048, and dynamic programming for m < 96 or n <
//! 256 ([`published`](super::Rules::Published)). Here the bit-vectors beat dynamic programming from
//! 16 × 16 on, so these rules do not use it. The least size that pays on the GPU depends on the
//! number of CPU cores that it competes with.

use crate::cost::{Cost, JobCosts};

/// Maximum cells (mn) of a subproblem of Hirschberg's recursion that is solved by the table of all
/// columns ([`bit_table`](super::cpu::bit_table)), of 2^20 bits. It is the same for every engine,
/// so that all give the same subsequence. From 2^12 to 2^27 the time of a whole comparison changes
/// by less than a tenth.
pub const LEAF_CELLS: u64 = 1 << 20;

/// Costs of the length.
pub(crate) const LENGTH_COSTS: JobCosts = JobCosts {
    name: "lcs-length",
    cpu: Cost { call: 0.0, symbol: 30e-9, cell: 1.0 / 350e9 },
    gpu: Cost { call: 300e-6, symbol: 4.5e-9, cell: 1.0 / 145e12 },
};

/// Costs of a subsequence: about twice those of the length, and a call of the GPU for each level of
/// the recursion.
pub(crate) const SUBSEQUENCE_COSTS: JobCosts = JobCosts {
    name: "lcs",
    cpu: Cost { call: 0.0, symbol: 100e-9, cell: 2.0 / 350e9 },
    gpu: Cost { call: 5e-3, symbol: 20e-9, cell: 2.0 / 145e12 },
};

/// Costs of a subsequence of tokens (see `tokens`).
pub(crate) const TOKEN_COSTS: JobCosts = JobCosts {
    name: "lcs-tokens",
    cpu: Cost { call: 0.0, symbol: 0.0, cell: 1.0 / 60e9 },
    gpu: Cost { call: 5e-3, symbol: 20e-9, cell: 1.0 / 50e12 },
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::{Machine, OPENING, Work};

    /// The default choice for two strings of n symbols, with a GPU that is open, and one that is
    /// opened first.
    fn gpu_takes(costs: JobCosts, n: u64, threads: usize) -> [bool; 2] {
        [0.0, OPENING].map(|opening| costs.is_faster_on_gpu(Work::of_table(n, n), Machine { threads, opening }))
    }

    /// As measured on an H100 with 16 threads: docs/thresholds.md.
    #[test]
    fn the_faster_engine_is_chosen_at_measured_sizes() {
        assert_eq!(gpu_takes(LENGTH_COSTS, 8192, 16), [false, false]);
        assert_eq!(gpu_takes(LENGTH_COSTS, 50_000, 16), [true, false]);
        assert_eq!(gpu_takes(LENGTH_COSTS, 300_000, 16), [true, false]);
        assert_eq!(gpu_takes(LENGTH_COSTS, 1_000_000, 16), [true, false]);
        assert_eq!(gpu_takes(LENGTH_COSTS, 5_000_000, 16), [true, true]);
        assert_eq!(gpu_takes(SUBSEQUENCE_COSTS, 300_000, 16), [true, false]);
        assert_eq!(gpu_takes(SUBSEQUENCE_COSTS, 1_000_000, 16), [true, true]);
        assert_eq!(gpu_takes(TOKEN_COSTS, 400_000, 16), [true, false]);
        assert_eq!(gpu_takes(TOKEN_COSTS, 1_000_000, 16), [true, true]);
    }

    #[test]
    fn fewer_threads_and_thin_tables() {
        assert_eq!(gpu_takes(LENGTH_COSTS, 600_000, 2), [true, true]);
        assert_eq!(gpu_takes(LENGTH_COSTS, 600_000, 16), [true, false]);
        // One column is 4 bytes of work a warp.
        let open = Machine { threads: 16, opening: 0.0 };
        assert!(!LENGTH_COSTS.is_faster_on_gpu(Work::of_table(u64::MAX >> 2, 1), open));
        assert_eq!(gpu_takes(LENGTH_COSTS, 0, 0), [false, false]);
    }
}
