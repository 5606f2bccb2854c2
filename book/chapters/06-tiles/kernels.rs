//! Chapter 6: the product of two square matrices.

use simt_std::prelude::*;

/// Rows and columns of a tile, and of the threads of a block.
pub const TILE: u32 = 16;

// ANCHOR: direct
/// C = A B, for matrices of n × n numbers that are stored row by row. Launch: n / 16 blocks in x
/// and in y, rounded up; `a`, `b` and `c` have n² elements, and n is at most 65,000.
#[kernel(threads = [TILE, TILE])]
pub fn product_direct(a: Global<f32>, b: Global<f32>, c: Global<f32>, n: u32) {
    let at = thread::index_2d();
    if at.x < n && at.y < n {
        let mut sum = 0.0;
        for k in 0..n {
            sum += a.read(at.y * n + k) * b.read(k * n + at.x);
        }
        c.write(at.y * n + at.x, sum);
    }
}
// ANCHOR_END: direct

// ANCHOR: by_tiles
/// C = A B by tiles. Launch: as [`product_direct`](ProductDirect).
#[kernel(threads = [TILE, TILE])]
pub fn product_by_tiles(a: Global<f32>, b: Global<f32>, c: Global<f32>, n: u32) {
    shared_array!(tile_a: [f32; (TILE * TILE) as usize]);
    shared_array!(tile_b: [f32; (TILE * TILE) as usize]);
    let at = thread::index_2d();
    let (x, y) = (thread::thread_idx_x(), thread::thread_idx_y());
    let mut sum = 0.0;
    let mut first = 0;
    while first < n {
        // A tile may reach beyond its matrix; zeros there add nothing.
        let in_a = at.y < n && first + x < n;
        let in_b = first + y < n && at.x < n;
        tile_a.write(y * TILE + x, if in_a { a.read(at.y * n + first + x) } else { 0.0 });
        tile_b.write(y * TILE + x, if in_b { b.read((first + y) * n + at.x) } else { 0.0 });
        // SAFETY: all threads of the block are here, each with the same `first`.
        unsafe { thread::sync_threads() };
        for k in 0..TILE {
            sum += tile_a.read(y * TILE + k) * tile_b.read(k * TILE + x);
        }
        // SAFETY: as above.
        unsafe { thread::sync_threads() };
        first += TILE;
    }
    if at.x < n && at.y < n {
        c.write(at.y * n + at.x, sum);
    }
}
// ANCHOR_END: by_tiles
