//! Chapter 6: tiles that are overwritten too early.

use super::kernels::TILE;
use simt_std::prelude::*;

// ANCHOR: overwritten
/// [`product_by_tiles`](super::kernels::ProductByTiles) of matrices whose n is a multiple of 16,
/// without the barrier at the end of each step.
#[kernel(threads = [TILE, TILE])]
pub fn product_overwritten(a: Global<f32>, b: Global<f32>, c: Global<f32>, n: u32) {
    shared_array!(tile_a: [f32; (TILE * TILE) as usize]);
    shared_array!(tile_b: [f32; (TILE * TILE) as usize]);
    let at = thread::index_2d();
    let (x, y) = (thread::thread_idx_x(), thread::thread_idx_y());
    let mut sum = 0.0;
    let mut first = 0;
    while first < n {
        tile_a.write(y * TILE + x, a.read(at.y * n + first + x));
        tile_b.write(y * TILE + x, b.read((first + y) * n + at.x));
        // SAFETY: all threads of the block are here, each with the same `first`.
        unsafe { thread::sync_threads() };
        for k in 0..TILE {
            sum += tile_a.read(y * TILE + k) * tile_b.read(k * TILE + x);
        }
        first += TILE;
    }
    c.write(at.y * n + at.x, sum);
}
// ANCHOR_END: overwritten
