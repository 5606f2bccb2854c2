//! The product of two matrices, C = A B, with A of m × k, B of k × n and C of m × n elements, all
//! stored row by row.
//!
//! **Threads.** Blocks of 16 × 16 threads, one thread per element of C.
//!
//! **Two versions.** [`matmul_naive`](MatmulNaive): the thread of row r and column c reads row r of
//! A and column c of B, 2 k words. Every word of A is read by n threads, every word of B by m.
//!
//! [`matmul_tiled`](MatmulTiled) lets the block's threads read their common words together. For
//! each 16 of the k products, the block loads a tile of A and a tile of B into shared memory, one
//! word of each per thread. Each thread then computes 16 products from there.
//!
//! ```text
//!                 ┌───┐ B                 the block's tile of C is the sum, over the tiles of
//!                 │ 1 │ 16 × 16           A's row of tiles and B's column of tiles, of A1 B1,
//!                 ├───┤                   A2 B2 and so on
//!                 │ 2 │
//!     ┌───┬───┐   ├───┤
//!   A │ 1 │ 2 │   │ C │
//!     └───┴───┘   └───┘
//! ```
//!
//! **Two barriers per step**: one between writing the tiles and reading them, and one between
//! reading them and writing the next tiles.
//!
//! **One instruction per product**: `mul_add` multiplies and adds at once. The compiler never
//! merges `sum + a * b` by itself, because that is rounded twice.
//!
//! **Cost** per element of C: 2 k words from global memory without tiles, and 2 k / 16 with them.
//! In shared memory, a warp (two rows of the tile) reads two words of A, each for half of its
//! lanes, and 16 words of B, both without conflicts.

use simt_std::prelude::*;

/// Number of rows and of columns of a tile.
pub const TILE: u32 = 16;

/// C = A B from global memory. Launch: ⌈n / [`TILE`]⌉ × ⌈m / [`TILE`]⌉ blocks; `a` has m × k, `b` k
/// × n, `c` m × n elements.
#[kernel(threads = [TILE, TILE])]
pub fn matmul_naive(
    /// A, row by row.
    a: Global<f32>,
    /// B, row by row.
    b: Global<f32>,
    /// C, row by row; needs no initial value.
    c: Global<f32>,
    /// Number of rows of A and C.
    m: u32,
    /// Number of columns of A and of rows of B.
    k: u32,
    /// Number of columns of B and C.
    n: u32,
) {
    let at = thread::index_2d();
    if at.x < n && at.y < m {
        let mut sum = 0.0;
        for i in 0..k {
            sum += a.read((at.y * k + i) as usize) * b.read((i * n + at.x) as usize);
        }
        c.write((at.y * n + at.x) as usize, sum);
    }
}

/// C = A B by tiles in shared memory. Launch: as [`matmul_naive`](MatmulNaive).
#[kernel(threads = [TILE, TILE])]
pub fn matmul_tiled(
    /// A, row by row.
    a: Global<f32>,
    /// B, row by row.
    b: Global<f32>,
    /// C, row by row; needs no initial value.
    c: Global<f32>,
    /// Number of rows of A and C.
    m: u32,
    /// Number of columns of A and of rows of B.
    k: u32,
    /// Number of columns of B and C.
    n: u32,
) {
    shared_array!(tile_a: [f32; (TILE * TILE) as usize]);
    shared_array!(tile_b: [f32; (TILE * TILE) as usize]);
    let at = thread::index_2d();
    let (column, row) = (thread::thread_idx_x(), thread::thread_idx_y());
    let here = row * TILE + column;

    let mut sum = 0.0;
    let mut first = 0;
    while first < k {
        // Elements outside the matrices are 0, and add nothing.
        let (i, j) = (first + column, first + row);
        tile_a.write(here, if at.y < m && i < k { a.read((at.y * k + i) as usize) } else { 0.0 });
        tile_b.write(here, if j < k && at.x < n { b.read((j * n + at.x) as usize) } else { 0.0 });
        // SAFETY: every thread of the block is here, because k is the same in all threads.
        unsafe { thread::sync_threads() };
        for i in 0..TILE {
            sum = tile_a.read(row * TILE + i).mul_add(tile_b.read(i * TILE + column), sum);
        }
        // SAFETY: as above.
        unsafe { thread::sync_threads() };
        first += TILE;
    }
    if at.x < n && at.y < m {
        c.write((at.y * n + at.x) as usize, sum);
    }
}
