//! Which engine takes which size.

/// Seconds that a level of the recursion takes on the GPU, however little there is to compute; as for the LCS.
const LEVEL_SECONDS: f64 = 300e-6;

/// Seconds that a column or a row adds to a launch of the wavefront kernel which is not full.
const WAVE_SECONDS: f64 = 15e-9;

/// Cells a second of one CPU thread: between those of DNA by AVX-512 and of 64 symbols by AVX2.
const CPU_THREAD_CUPS: f64 = 150e9;

/// Seconds that so many cells take on so many CPU threads.
fn cpu_seconds(cells: f64, threads: usize) -> f64 {
    cells / (threads.max(1) as f64 * CPU_THREAD_CUPS)
}

/// Whether a level of the recursion with so many cells is faster by wavefront on the GPU than on so many CPU threads.
pub fn level_is_faster(cells: u64, threads: usize) -> bool {
    cpu_seconds(cells as f64, threads) > LEVEL_SECONDS
}

/// Whether strings of m and n symbols are compared faster on the GPU, by wavefront, than on so many CPU threads.
pub fn gpu_is_faster(m: u64, n: u64, threads: usize) -> bool {
    let gpu = LEVEL_SECONDS + (m as f64 + n as f64) * WAVE_SECONDS;
    gpu < cpu_seconds(m as f64 * n as f64, threads)
}
