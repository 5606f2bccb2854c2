//! A stencil in two dimensions: the discrete Laplacian, the sum of the four neighbours less four times the cell. What
//! lies outside counts as 0.
//!
//! ```text
//!        1
//!     1 -4  1
//!        1
//! ```
//!
//! **Threads.** Blocks of 32 × 8 threads, one thread a cell. A warp is a row of 32 cells, so its accesses are
//! coalesced.
//!
//! **Two ways.** [`laplace`](Laplace) reads five words a cell from global memory. All but one of them some other
//! thread reads, too: the caches catch most of it, at the price of their bandwidth. [`laplace_tiled`](LaplaceTiled)
//! reads each word of its tile once, with a border of one cell around it (the "halo"), into shared memory:
//!
//! ```text
//!     h h h h h h        h: halo, read for the sake of the neighbours
//!     h c c c c h        c: the cells of the block
//!     h c c c c h        tile of 32 × 8 cells: 34 × 10 words read for 256 cells
//!     h h h h h h
//! ```
//!
//! **Cost.** 5 and 340 / 256 = 1.3 words read from global memory for each cell.

use simt_std::prelude::*;

/// Cells of a tile in x.
pub const TILE_X: u32 = 32;

/// Cells of a tile in y.
pub const TILE_Y: u32 = 8;

/// Words in a row of the tile with its halo.
const ROW: u32 = TILE_X + 2;

/// Rows of the tile with its halo.
const ROWS: u32 = TILE_Y + 2;

/// The Laplacian, straight from global memory. Launch: ⌈width / [`TILE_X`]⌉ × ⌈height / [`TILE_Y`]⌉ blocks; both arrays
/// have width × height elements, row by row.
#[kernel(threads = [TILE_X, TILE_Y])]
pub fn laplace(
    /// The cells.
    input: Global<f32>,
    /// The result; needs no initial value.
    output: Global<f32>,
    /// Cells in a row.
    width: u32,
    /// Rows.
    height: u32,
) {
    let at = thread::index_2d();
    if at.x < width && at.y < height {
        // An index of -1 wraps to a large one, which is outside as well.
        let cell = |x: u32, y: u32| {
            if x < width && y < height { input.read((y * width + x) as usize) } else { 0.0 }
        };
        let sum = cell(at.x.wrapping_sub(1), at.y)
            + cell(at.x + 1, at.y)
            + cell(at.x, at.y.wrapping_sub(1))
            + cell(at.x, at.y + 1);
        output.write((at.y * width + at.x) as usize, sum - 4.0 * cell(at.x, at.y));
    }
}

/// The Laplacian by tiles in shared memory. Launch: as [`laplace`](Laplace).
#[kernel(threads = [TILE_X, TILE_Y])]
pub fn laplace_tiled(
    /// The cells.
    input: Global<f32>,
    /// The result; needs no initial value.
    output: Global<f32>,
    /// Cells in a row.
    width: u32,
    /// Rows.
    height: u32,
) {
    shared_array!(tile: [f32; (ROW * ROWS) as usize]);
    let at = thread::index_2d();

    // The 340 words of the tile, by the 256 threads in two turns. The tile's corner is a cell above and left of the
    // block's.
    let (left, top) =
        ((at.x - thread::thread_idx_x()).wrapping_sub(1), (at.y - thread::thread_idx_y()).wrapping_sub(1));
    let mut word = thread::index_in_block();
    while word < ROW * ROWS {
        let (x, y) = (left.wrapping_add(word % ROW), top.wrapping_add(word / ROW));
        tile.write(word, if x < width && y < height { input.read((y * width + x) as usize) } else { 0.0 });
        word += TILE_X * TILE_Y;
    }
    // SAFETY: every thread of the block is here: nobody has left, also not those outside.
    unsafe { thread::sync_threads() };

    if at.x < width && at.y < height {
        let here = (thread::thread_idx_y() + 1) * ROW + thread::thread_idx_x() + 1;
        let sum = tile.read(here - 1) + tile.read(here + 1) + tile.read(here - ROW) + tile.read(here + ROW);
        output.write((at.y * width + at.x) as usize, sum - 4.0 * tile.read(here));
    }
}
