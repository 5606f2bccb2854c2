//! Chapter 12: sums of neighbouring words, of words far apart, and the table of edit distances.

use simt_std::prelude::*;

// ANCHOR: contiguous_sums
/// Adds up `numbers`: thread i adds the words i, i + p, i + 2p, …, and writes its sum to `sums[i]`.
/// Launch: one block; 1 ≤ p ≤ 1,024; `numbers` has n elements, `sums` has p, and each sum is below
/// 2^32.
#[kernel(max_threads = 1024, threads = p)]
pub fn contiguous_sums(numbers: Global<u32>, n: u32, p: u32, sums: Global<u32>) {
    let mut sum = 0;
    let mut word = thread::thread_idx_x();
    while word < n {
        sum += numbers.read(word);
        word += p;
    }
    sums.write(thread::thread_idx_x(), sum);
}
// ANCHOR_END: contiguous_sums

// ANCHOR: run_sums
/// Adds up `numbers`: thread i adds the i-th run of n / p words. Launch: one block; 1 ≤ p ≤ 1,024,
/// and p divides n; `numbers` has n elements, `sums` has p, and each sum is below 2^32.
#[kernel(max_threads = 1024, threads = p)]
pub fn run_sums(numbers: Global<u32>, n: u32, p: u32, sums: Global<u32>) {
    let run = n / p;
    let mut sum = 0;
    for k in 0..run {
        sum += numbers.read(thread::thread_idx_x() * run + k);
    }
    sums.write(thread::thread_idx_x(), sum);
}
// ANCHOR_END: run_sums

// ANCHOR: turned_row_sums
/// Adds up each row of a matrix of 32 × 32 words; each lane begins in a column of its own. Launch:
/// one block; `sums` has 32 elements, and each sum is below 2^32.
#[kernel(threads = WARP)]
pub fn turned_row_sums(matrix: Global<u32>, sums: Global<u32>) {
    shared_array!(cells: [u32; 1024]);
    let lane = warp::lane_id();
    for row in 0..32 {
        cells.write(32 * row + lane, matrix.read(32 * row + lane));
    }
    // SAFETY: all threads of the block are here.
    unsafe { thread::sync_threads() };
    let mut sum = 0;
    for k in 0..32 {
        sum += cells.read(32 * lane + (k + lane) % 32);
    }
    sums.write(lane, sum);
}
// ANCHOR_END: turned_row_sums

// ANCHOR: asm_table
/// Fills the table d of the edit distances of `x`, m symbols, to the substrings of `y`, n symbols.
/// The cell `d[i][j]` is in row i of `table`, or in row i + j if `slide` is 1. Launch: one block;
/// 1 ≤ m ≤ 256; `table` has (m + 1 + `slide` · n)(n + 1) elements, fewer than 2^32.
#[kernel(max_threads = 256, threads = m)]
pub fn asm_table(x: Global<u8>, m: u32, y: Global<u8>, n: u32, slide: u32, table: Global<u32>) {
    let i = thread::thread_idx_x() + 1;
    let at = |i: u32, j: u32| (i + slide * j) * (n + 1) + j;
    let mut column = i - 1;
    while column <= n {
        table.write(at(0, column), 0);
        column += m;
    }
    table.write(at(i, 0), i);
    // SAFETY: all threads of the block are here.
    unsafe { thread::sync_threads() };
    for k in 1..n + m {
        if i <= k && k - i < n {
            let j = k - i + 1;
            let left = table.read(at(i, j - 1)) + 1;
            let above = table.read(at(i - 1, j)) + 1;
            let diagonal = table.read(at(i - 1, j - 1)) + u32::from(x.read(i - 1) != y.read(j - 1));
            table.write(at(i, j), left.min(above).min(diagonal));
        }
        // SAFETY: all threads of the block are here, each with the same `k`.
        unsafe { thread::sync_threads() };
    }
}
// ANCHOR_END: asm_table
