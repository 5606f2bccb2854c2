//! Chapter 5: the transposition of a matrix, directly and through a tile in shared memory.

use simt_std::prelude::*;

// ANCHOR: direct
/// Transposes a matrix: `result[x * height + y]` is `matrix[y * width + x]`. Launch: width / 32 ×
/// height / 32 blocks, rounded up; both arrays have `width` · `height` elements, at most 2^31, so
/// that each index fits into a `u32`.
#[kernel(threads = [32, 32])]
pub fn transpose_directly(matrix: Global<u32>, width: u32, height: u32, result: Global<u32>) {
    let x = 32 * thread::block_idx_x() + thread::thread_idx_x();
    let y = 32 * thread::block_idx_y() + thread::thread_idx_y();
    if x < width && y < height {
        result.write(x * height + y, matrix.read(y * width + x));
    }
}
// ANCHOR_END: direct

// ANCHOR: by_tile
/// Transposes a matrix through a tile of shared memory whose rows are `pitch` words apart. Launch:
/// as [`transpose_directly`](TransposeDirectly); `pitch` is 32 to 36.
#[kernel(threads = [32, 32])]
pub fn transpose_by_tile(matrix: Global<u32>, width: u32, height: u32, pitch: u32, result: Global<u32>) {
    shared_array!(tile: [u32; 32 * 36]);
    let (x, y) = (thread::thread_idx_x(), thread::thread_idx_y());
    let (left, top) = (32 * thread::block_idx_x(), 32 * thread::block_idx_y());
    if left + x < width && top + y < height {
        tile.write(y * pitch + x, matrix.read((top + y) * width + left + x));
    }
    // SAFETY: all threads of the block are here.
    unsafe { thread::sync_threads() };
    if left + y < width && top + x < height {
        result.write((left + y) * height + top + x, tile.read(x * pitch + y));
    }
}
// ANCHOR_END: by_tile
