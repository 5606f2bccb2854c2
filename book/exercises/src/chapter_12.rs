//! Exercises of chapter 12: Nakano 2012: the memory machines.

use simt_std::prelude::*;

/// Exercise `time_units`: returns the time that p threads need to read n neighbouring words, in
/// time units of a DMM of width w and latency l. In turn t, thread i reads the word pt + i. The
/// last turn may have fewer than p words, and the last warp fewer than w threads. All parameters
/// are at least 1. (This is a function of the host, no kernel.)
pub fn time_units(n: u64, w: u64, l: u64, p: u64) -> u64 {
    // Your code here.
    0
}

/// Exercise `rotated_transpose`: `result` is the transposed `matrix`, both of 32 × 32 words,
/// through a tile of 1,024 words of shared memory. The kernel is right, but its 32 lanes read one
/// bank: store each word at another position of its row, so that no access has a conflict. Launch:
/// one block.
#[kernel(threads = WARP)]
pub fn rotated_transpose(matrix: Global<u32>, result: Global<u32>) {
    shared_array!(tile: [u32; 1024]);
    let lane = warp::lane_id();
    for row in 0..32 {
        tile.write(32 * row + lane, matrix.read(32 * row + lane));
    }
    // SAFETY: all threads of the block are here.
    unsafe { thread::sync_threads() };
    for column in 0..32 {
        result.write(32 * column + lane, tile.read(32 * lane + column));
    }
}

/// Exercise `asm_warp`: `least[0]` is ASM(X, Y), the least edit distance of `x`, 32 symbols, to a
/// substring of `y`, n symbols, 0 ≤ n < 2^31. Lane l computes row l + 1 of the table: in step k its
/// cell in column k - l + 1, if there is one (k from 0). The cells stay in registers; a shuffle in
/// each step brings the cell above, which lane l - 1 computed in the step before. In row 0 all
/// cells are 0, and in column 0 row i has the cell i. Launch: one block.
#[kernel(threads = WARP)]
pub fn asm_warp(x: Global<u8>, y: Global<u8>, n: u32, least: Global<u32>) {
    // Your code here.
}
