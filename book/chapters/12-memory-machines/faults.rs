//! Chapter 12: row sums whose lanes all read one bank.

use simt_std::prelude::*;

// ANCHOR: row_sums
/// [`turned_row_sums`](super::kernels::TurnedRowSums) with all lanes in the same column.
#[kernel(threads = WARP)]
pub fn one_bank_row_sums(matrix: Global<u32>, sums: Global<u32>) {
    shared_array!(cells: [u32; 1024]);
    let lane = warp::lane_id();
    for row in 0..32 {
        cells.write(32 * row + lane, matrix.read(32 * row + lane));
    }
    // SAFETY: all threads of the block are here.
    unsafe { thread::sync_threads() };
    let mut sum = 0;
    for k in 0..32 {
        sum += cells.read(32 * lane + k);
    }
    sums.write(lane, sum);
}
// ANCHOR_END: row_sums
