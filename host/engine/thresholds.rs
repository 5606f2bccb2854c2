//! Which engine takes which size. Kawanami and Fujimoto's were: m + n of 2,048 for the GPU, and dynamic programming for
//! m under 96 or n under 256. These were measured anew; docs/thresholds.md has the figures.

/// Cells (mn) up to which a subproblem of Hirschberg's recursion is solved by the table of all columns
/// ([`bit_table`](super::cpu::bit_table)). The same for every engine, so that all give the same subsequence.
pub const LEAF_CELLS: u64 = 1 << 18;

/// Cells (mn) from which a column goes to a GPU; smaller ones go to the CPU.
pub const GPU_CELLS: u64 = 1 << 36;
