//! The choice of an engine by the size of the input. The thresholds are measured;
//! docs/thresholds.md has the figures.
//!
//! Kawanami and Fujimoto chose the GPU for m + n ≥ 2,048, and dynamic programming for m < 96 or n <
//! 256 ([`published`](super::Rules::Published)). Here the bit-vectors beat dynamic programming from
//! 16 × 16 on, so these rules do not use it. The least size that pays on the GPU depends on the
//! number of CPU cores that it competes with.

/// Maximum cells (mn) of a subproblem of Hirschberg's recursion that is solved by the table of all
/// columns ([`bit_table`](super::cpu::bit_table)), of 2^20 bits. It is the same for every engine,
/// so that all give the same subsequence. From 2^12 to 2^27 the time of a whole comparison changes
/// by less than a tenth.
pub const LEAF_CELLS: u64 = 1 << 20;

/// Cells per second of one CPU thread: between the rates for DNA by AVX-512 (640e9) and for 64
/// symbols by AVX2 (200e9).
const CPU_THREAD_CUPS: f64 = 300e9;

/// Estimates the seconds that `cells` cells take on `threads` CPU threads.
pub(in crate::lcs) fn cpu_seconds(cells: f64, threads: usize) -> f64 {
    cells / (threads.max(1) as f64 * CPU_THREAD_CUPS)
}

/// Minimum time of a level of the recursion on the GPU, in seconds.
const LEVEL_SECONDS: f64 = 300e-6;

/// Returns true if a level of the recursion with `cells` cells is faster by wavefront on the GPU
/// than on `threads` CPU threads.
pub fn level_is_faster(cells: u64, threads: usize) -> bool {
    cpu_seconds(cells as f64, threads) > LEVEL_SECONDS
}

/// Time that a column or a row adds to a launch of the wavefront kernel that does not fill the GPU,
/// in seconds.
const WAVE_SECONDS: f64 = 10e-9;

/// Returns true if strings of m and n symbols are compared faster by wavefront on the GPU than on
/// `threads` CPU threads.
pub fn gpu_is_faster(m: u64, n: u64, threads: usize) -> bool {
    let gpu = LEVEL_SECONDS + (m as f64 + n as f64) * WAVE_SECONDS;
    gpu < cpu_seconds(m as f64 * n as f64, threads)
}

/// Tokens (see `tokens`) are slower on both: cells per second of one CPU thread, and the number of
/// columns of bytes that take the time of one column of tokens on a GPU that is not full.
const TOKEN_CPU_CUPS: f64 = 60e9;
const TOKEN_COLUMN: f64 = 2.0;

/// Returns [`level_is_faster`] for sequences of tokens.
pub fn level_of_tokens_is_faster(cells: u64, threads: usize) -> bool {
    cells as f64 / (threads.max(1) as f64 * TOKEN_CPU_CUPS) > LEVEL_SECONDS
}

/// Returns [`gpu_is_faster`] for sequences of tokens. A GPU must be opened for it, which takes
/// about a second.
pub fn tokens_are_faster_on_gpu(m: u64, n: u64, threads: usize) -> bool {
    let gpu = OPEN_SECONDS + (m as f64 + n as f64) * WAVE_SECONDS * TOKEN_COLUMN;
    gpu < m as f64 * n as f64 / (threads.max(1) as f64 * TOKEN_CPU_CUPS)
}

/// Approximate time to open a GPU, in seconds.
const OPEN_SECONDS: f64 = 0.5;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gpu_takes_long_strings_and_fewer_of_them_from_more_threads() {
        assert!(!gpu_is_faster(20_000, 20_000, 2));
        assert!(gpu_is_faster(100_000, 100_000, 2));
        assert!(!gpu_is_faster(100_000, 100_000, 16));
        assert!(gpu_is_faster(1_000_000, 1_000_000, 16));
        assert!(!gpu_is_faster(u64::MAX >> 2, 1, 16), "one column is 4 bytes of work a warp");
        assert!(!gpu_is_faster(0, 0, 0));
    }
}
