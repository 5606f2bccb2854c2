//! A stencil in two dimensions: the discrete Laplacian, which is the sum of the four neighbours
//! minus four times the cell. Cells outside count as 0.
//!
//! ```text
//!        1
//!     1 -4  1
//!        1
//! ```
//!
//! **Threads.** Blocks of 32 × 8 threads, one thread per cell. A warp is a row of 32 cells, so its
//! accesses are coalesced.
//!
//! **Two versions.** [`laplace`](Laplace) reads five words per cell from global memory. Other
//! threads also read all but one of them; the caches serve most of these reads, at the cost of
//! cache bandwidth. [`laplace_tiled`](LaplaceTiled) reads each word of its tile once, with a border
//! of one cell around it (the "halo"), into shared memory:
//!
//! ```text
//!     h h h h h h        h: halo, read for the sake of the neighbours
//!     h c c c c h        c: the cells of the block
//!     h c c c c h        tile of 32 × 8 cells: 34 × 10 words read for 256 cells
//!     h h h h h h
//! ```
//!
//! **Cost**: 5 words read from global memory per cell without tiles, and 340 / 256 = 1.3 with them.

use simt_std::prelude::*;

/// Width of a tile in cells.
pub const TILE_X: u32 = 32;

/// Height of a tile in cells.
pub const TILE_Y: u32 = 8;

/// Words in a row of the tile, with its halo.
const ROW: u32 = TILE_X + 2;

/// Rows of the tile, with its halo.
const ROWS: u32 = TILE_Y + 2;

/// The Laplacian, computed from global memory. Launch: ⌈width / [`TILE_X`]⌉ × ⌈height / [`TILE_Y`]⌉
/// blocks; both arrays have width × height elements, row by row.
#[kernel(threads = [TILE_X, TILE_Y])]
pub fn laplace(
    /// The cells.
    input: Global<f32>,
    /// The result; needs no initial value.
    output: Global<f32>,
    /// Number of cells in a row.
    width: u32,
    /// Number of rows.
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

/// The Laplacian, computed by tiles in shared memory. Launch: as [`laplace`](Laplace).
#[kernel(threads = [TILE_X, TILE_Y])]
pub fn laplace_tiled(
    /// The cells.
    input: Global<f32>,
    /// The result; needs no initial value.
    output: Global<f32>,
    /// Number of cells in a row.
    width: u32,
    /// Number of rows.
    height: u32,
) {
    shared_array!(tile: [f32; (ROW * ROWS) as usize]);
    let at = thread::index_2d();

    // The 256 threads load the 340 words of the tile in two iterations. The tile's corner is one
    // cell above and one cell left of the block's corner.
    let (left, top) =
        ((at.x - thread::thread_idx_x()).wrapping_sub(1), (at.y - thread::thread_idx_y()).wrapping_sub(1));
    let mut word = thread::index_in_block();
    while word < ROW * ROWS {
        let (x, y) = (left.wrapping_add(word % ROW), top.wrapping_add(word / ROW));
        tile.write(word, if x < width && y < height { input.read((y * width + x) as usize) } else { 0.0 });
        word += TILE_X * TILE_Y;
    }
    // SAFETY: every thread of the block is here, including those outside the array.
    unsafe { thread::sync_threads() };

    if at.x < width && at.y < height {
        let here = (thread::thread_idx_y() + 1) * ROW + thread::thread_idx_x() + 1;
        let sum = tile.read(here - 1) + tile.read(here + 1) + tile.read(here - ROW) + tile.read(here + ROW);
        output.write((at.y * width + at.x) as usize, sum - 4.0 * tile.read(here));
    }
}
