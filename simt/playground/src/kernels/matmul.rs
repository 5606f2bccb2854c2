//! C = A B for n × n matrices. With tiles, the block reads each word of A and B once for all of its
//! threads.

use super::barrier;
use simt_std::prelude::*;

/// C = A B. Launch: ⌈n / `tile`⌉ × ⌈n / `tile`⌉ blocks; the arrays have n × n elements.
#[kernel(max_threads = 256, threads = [tile, tile])]
pub fn matmul(
    /// A, row by row.
    a: Global<f32>,
    /// B, row by row.
    b: Global<f32>,
    /// C, row by row.
    c: Global<f32>,
    /// Number of rows and of columns.
    n: u32,
    /// True: by tiles in shared memory.
    tiled: bool,
    /// True: the block waits until the tiles are loaded.
    waits_before: bool,
    /// True: the block waits until the tiles have been read.
    waits_after: bool,
    /// Number of rows and of columns of a block.
    tile: u32,
) {
    shared_array!(tile_a: [f32; 256]);
    shared_array!(tile_b: [f32; 256]);
    let at = thread::index_2d();
    let (column, row) = (thread::thread_idx_x(), thread::thread_idx_y());
    let inside = at.x < n && at.y < n;
    let mut sum = 0.0;
    if tiled {
        for first in (0..n).step_by(tile as usize) {
            let (i, j) = (first + column, first + row);
            let here = row * tile + column;
            tile_a.write(here, if at.y < n && i < n { a.read((at.y * n + i) as usize) } else { 0.0 });
            tile_b.write(here, if j < n && at.x < n { b.read((j * n + at.x) as usize) } else { 0.0 });
            // SAFETY: every thread of the block is here: n is the same in all.
            unsafe { barrier(waits_before) };
            for i in 0..tile {
                sum += tile_a.read(row * tile + i) * tile_b.read(i * tile + column);
            }
            // SAFETY: as above.
            unsafe { barrier(waits_after) };
        }
    } else if inside {
        for i in 0..n {
            sum += a.read((at.y * n + i) as usize) * b.read((i * n + at.x) as usize);
        }
    }
    if inside {
        c.write((at.y * n + at.x) as usize, sum);
    }
}
