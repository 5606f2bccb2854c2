//! Which engine takes which size: measured, not guessed; docs/thresholds.md has the figures.
//!
//! Kawanami and Fujimoto's were m + n ≥ 2,048 for the GPU, and dynamic programming for m < 96 or n < 256
//! ([`published`](super::Rules::Published)). Today the bit-vectors beat dynamic programming from 16 × 16 on, so these rules have none, and
//! where the GPU begins to pay depends on how many CPU cores it competes with.

/// Cells (mn) up to which a subproblem of Hirschberg's recursion is solved by the table of all columns
/// ([`bit_table`](super::cpu::bit_table)), of 2^20 bits. The same for every engine, so that all give the same
/// subsequence. From 2^12 to 2^27 the time of a whole comparison changes by less than a tenth.
pub const LEAF_CELLS: u64 = 1 << 20;

/// Cells a second of one CPU thread: between those of DNA by AVX-512 (640e9) and of 64 symbols by AVX2 (200e9).
const CPU_THREAD_CUPS: f64 = 300e9;

/// Seconds that so many cells take on so many CPU threads.
pub(in crate::lcs) fn cpu_seconds(cells: f64, threads: usize) -> f64 {
    cells / (threads.max(1) as f64 * CPU_THREAD_CUPS)
}

/// Seconds that a level of the recursion takes on the GPU, however little there is to compute.
const LEVEL_SECONDS: f64 = 300e-6;

/// Whether a level of the recursion with so many cells is faster by wavefront on the GPU than on so many CPU threads.
pub fn level_is_faster(cells: u64, threads: usize) -> bool {
    cpu_seconds(cells as f64, threads) > LEVEL_SECONDS
}

/// Seconds that a column or a row adds to a launch of the wavefront kernel which is not full.
const WAVE_SECONDS: f64 = 10e-9;

/// Whether strings of m and n symbols are compared faster on the GPU, by wavefront, than on so many CPU threads.
pub fn gpu_is_faster(m: u64, n: u64, threads: usize) -> bool {
    let gpu = LEVEL_SECONDS + (m as f64 + n as f64) * WAVE_SECONDS;
    gpu < cpu_seconds(m as f64 * n as f64, threads)
}

/// Tokens (see `tokens`) are slower on both: cells a second of one CPU thread, and how many columns take as long as one of bytes on a GPU
/// that is not full.
const TOKEN_CPU_CUPS: f64 = 60e9;
const TOKEN_COLUMN: f64 = 2.0;

/// [`level_is_faster`] of sequences of tokens.
pub fn level_of_tokens_is_faster(cells: u64, threads: usize) -> bool {
    cells as f64 / (threads.max(1) as f64 * TOKEN_CPU_CUPS) > LEVEL_SECONDS
}

/// [`gpu_is_faster`] of sequences of tokens; a GPU has to be opened for it, which takes about a second.
pub fn tokens_are_faster_on_gpu(m: u64, n: u64, threads: usize) -> bool {
    let gpu = OPEN_SECONDS + (m as f64 + n as f64) * WAVE_SECONDS * TOKEN_COLUMN;
    gpu < m as f64 * n as f64 / (threads.max(1) as f64 * TOKEN_CPU_CUPS)
}

/// Seconds that opening a GPU takes, about.
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
