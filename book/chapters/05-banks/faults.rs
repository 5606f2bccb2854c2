//! Chapter 5: threads beyond the edge return before the barrier.

use simt_std::prelude::*;

// ANCHOR: early_return
/// [`transpose_by_tile`](super::kernels::TransposeByTile) with a pitch of 33 words. Threads beyond
/// the edge of the matrix return at once.
#[kernel(threads = [32, 32])]
pub fn transpose_with_return(matrix: Global<u32>, width: u32, height: u32, result: Global<u32>) {
    shared_array!(tile: [u32; 32 * 33]);
    let (x, y) = (thread::thread_idx_x(), thread::thread_idx_y());
    let (left, top) = (32 * thread::block_idx_x(), 32 * thread::block_idx_y());
    if left + x >= width || top + y >= height {
        return;
    }
    tile.write(y * 33 + x, matrix.read((top + y) * width + left + x));
    // SAFETY: wrong: some threads of a block at the edge have returned.
    unsafe { thread::sync_threads() };
    if left + y < width && top + x < height {
        result.write((left + y) * height + top + x, tile.read(x * 33 + y));
    }
}
// ANCHOR_END: early_return
