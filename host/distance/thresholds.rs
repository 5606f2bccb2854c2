//! The choice of an engine by the size of the input.

/// Minimum time of a level of the recursion on the GPU, in seconds, as for the LCS.
const LEVEL_SECONDS: f64 = 300e-6;

/// Time that a column or a row adds to a launch of the wavefront kernel that does not fill the GPU,
/// in seconds.
const WAVE_SECONDS: f64 = 15e-9;

/// Cells per second of one CPU thread: between the rates for DNA by AVX-512 and for 64 symbols by
/// AVX2.
const CPU_THREAD_CUPS: f64 = 150e9;

/// Estimates the seconds that `cells` cells take on `threads` CPU threads.
pub(in crate::distance) fn cpu_seconds(cells: f64, threads: usize) -> f64 {
    cells / (threads.max(1) as f64 * CPU_THREAD_CUPS)
}

/// Returns true if a level of the recursion with `cells` cells is faster by wavefront on the GPU
/// than on `threads` CPU threads.
pub fn level_is_faster(cells: u64, threads: usize) -> bool {
    cpu_seconds(cells as f64, threads) > LEVEL_SECONDS
}

/// Returns true if strings of m and n symbols are compared faster by wavefront on the GPU than on
/// `threads` CPU threads.
pub fn gpu_is_faster(m: u64, n: u64, threads: usize) -> bool {
    let gpu = LEVEL_SECONDS + (m as f64 + n as f64) * WAVE_SECONDS;
    gpu < cpu_seconds(m as f64 * n as f64, threads)
}
