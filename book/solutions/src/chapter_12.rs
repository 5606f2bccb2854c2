//! Solutions of chapter 12: Nakano 2012: the memory machines.

use simt_std::prelude::*;

// ANCHOR: time_units
/// Exercise `time_units`: returns the time that p threads need to read n neighbouring words, in
/// time units of a DMM of width w and latency l. In turn t, thread i reads the word pt + i. The
/// last turn may have fewer than p words, and the last warp fewer than w threads. All parameters
/// are at least 1. (This is a function of the host, no kernel.)
pub fn time_units(n: u64, w: u64, l: u64, p: u64) -> u64 {
    let warps = n / p * p.div_ceil(w) + (n % p).div_ceil(w);
    warps + n.div_ceil(p) * (l - 1)
}
// ANCHOR_END: time_units

// ANCHOR: rotated_transpose
/// Exercise `rotated_transpose`: `result` is the transposed `matrix`, both of 32 × 32 words,
/// through a tile of 1,024 words of shared memory without bank conflicts. Launch: one block.
#[kernel(threads = WARP)]
pub fn rotated_transpose(matrix: Global<u32>, result: Global<u32>) {
    shared_array!(tile: [u32; 1024]);
    let lane = warp::lane_id();
    for row in 0..32 {
        tile.write(32 * row + (lane + row) % 32, matrix.read(32 * row + lane));
    }
    // SAFETY: all threads of the block are here.
    unsafe { thread::sync_threads() };
    for column in 0..32 {
        result.write(32 * column + lane, tile.read(32 * lane + (column + lane) % 32));
    }
}
// ANCHOR_END: rotated_transpose

// ANCHOR: asm_warp
/// Exercise `asm_warp`: `least[0]` is ASM(X, Y), the least edit distance of `x`, 32 symbols, to a
/// substring of `y`, n symbols, 0 ≤ n < 2^31. Launch: one block.
#[kernel(threads = WARP)]
pub fn asm_warp(x: Global<u8>, y: Global<u8>, n: u32, least: Global<u32>) {
    let lane = warp::lane_id();
    let symbol = x.read(lane);
    let mut cell = lane + 1;
    let mut diagonal = lane;
    let mut best = cell;
    for k in 0..n + 31 {
        // SAFETY: all lanes are here, each with the same `k`.
        let neighbour = unsafe { warp::shfl_up_sync(FULL_WARP, cell, 1, WARP) };
        let above = if lane == 0 { 0 } else { neighbour };
        if lane <= k && k - lane < n {
            let replaced = diagonal + u32::from(symbol != y.read(k - lane));
            cell = replaced.min(cell + 1).min(above + 1);
            diagonal = above;
            best = best.min(cell);
        }
    }
    if lane == 31 {
        least.write(0, best);
    }
}
// ANCHOR_END: asm_warp
