//! A Gaussian blur: each cell becomes the weighted mean of the cells around it. Beyond the border,
//! the cell at the border counts.
//!
//! **Separable.** The weight of an offset (x, y) is w(x) w(y). So the blur of 9 × 9 cells is a blur
//! of 9 cells in rows and then one of 9 cells in columns: 18 products per cell instead of 81.
//!
//! ```text
//!     w(-4) … w(4):  0.028 0.066 0.124 0.180 0.204 0.180 0.124 0.066 0.028     σ = 2 cells
//! ```
//!
//! **Threads.** Blocks of 32 × 8 threads, one per cell. Each block loads its tile with a border of
//! 4 cells (the "halo") in the direction of the blur:
//!
//! ```text
//!     rows       hhhh cccccc hhhh        40 words read for 32 cells of each row
//!     columns    h above, c, h below     16 words read for 8 cells of each column
//! ```
//!
//! **Weights** are constants of the program: the loop over them is unrolled, and each becomes the
//! operand of a multiply-add. A table in memory would cost a load each.
//!
//! **Cost** per cell: 1.25 and 2 words from global memory, 9 reads of shared memory in each kernel,
//! all without conflicts, because a warp is a row.

use simt_std::prelude::*;

/// Width of a tile in cells.
pub const TILE_X: u32 = 32;

/// Height of a tile in cells.
pub const TILE_Y: u32 = 8;

/// Cells on each side that count.
pub const RADIUS: u32 = 4;

/// Weights by distance; their sum over both sides is 1.
pub const WEIGHTS: [f32; RADIUS as usize + 1] = [0.204_163_69, 0.180_173_82, 0.123_831_54, 0.066_282_25, 0.027_630_55];

/// Width of the tile of [`BlurRows`], with its halo.
const ROW: u32 = TILE_X + 2 * RADIUS;

/// Height of the tile of [`BlurColumns`], with its halo.
const COLUMN: u32 = TILE_Y + 2 * RADIUS;

/// The weighted mean of nine words of shared memory, `step` apart, around `middle`.
#[inline(always)]
fn mean(tile: Shared<f32>, middle: u32, step: u32) -> f32 {
    let mut sum = WEIGHTS[0] * tile.read(middle);
    unroll!(distance in [1 2 3 4] {
        let both = tile.read(middle - distance * step) + tile.read(middle + distance * step);
        sum = both.mul_add(WEIGHTS[distance as usize], sum);
    });
    sum
}

/// Blurs in x. Launch: ⌈width / [`TILE_X`]⌉ × ⌈height / [`TILE_Y`]⌉ blocks; both arrays have width
/// × height elements, row by row, at least one and at most 2^31.
#[kernel(threads = [TILE_X, TILE_Y])]
pub fn blur_rows(
    /// The cells.
    input: Global<f32>,
    /// The result; needs no initial value.
    output: Global<f32>,
    /// Number of cells in a row.
    width: u32,
    /// Number of rows.
    height: u32,
) {
    shared_array!(tile: [f32; (ROW * TILE_Y) as usize]);
    let at = thread::index_2d();
    let (column, row) = (thread::thread_idx_x(), thread::thread_idx_y());
    let y = at.y.min(height - 1);
    let mut i = column;
    while i < ROW {
        // Cells outside are those at the border.
        let x = (at.x - column + i).saturating_sub(RADIUS).min(width - 1);
        tile.write(row * ROW + i, input.read((y * width + x) as usize));
        i += TILE_X;
    }
    // SAFETY: every thread of the block is here, including those outside the array.
    unsafe { thread::sync_threads() };
    if at.x < width && at.y < height {
        output.write((at.y * width + at.x) as usize, mean(tile, row * ROW + column + RADIUS, 1));
    }
}

/// Blurs in y. Launch: as [`blur_rows`](BlurRows).
#[kernel(threads = [TILE_X, TILE_Y])]
pub fn blur_columns(
    /// The cells.
    input: Global<f32>,
    /// The result; needs no initial value.
    output: Global<f32>,
    /// Number of cells in a row.
    width: u32,
    /// Number of rows.
    height: u32,
) {
    shared_array!(tile: [f32; (TILE_X * COLUMN) as usize]);
    let at = thread::index_2d();
    let (column, row) = (thread::thread_idx_x(), thread::thread_idx_y());
    let x = at.x.min(width - 1);
    let mut i = row;
    while i < COLUMN {
        let y = (at.y - row + i).saturating_sub(RADIUS).min(height - 1);
        tile.write(i * TILE_X + column, input.read((y * width + x) as usize));
        i += TILE_Y;
    }
    // SAFETY: as above.
    unsafe { thread::sync_threads() };
    if at.x < width && at.y < height {
        output.write((at.y * width + at.x) as usize, mean(tile, (row + RADIUS) * TILE_X + column, TILE_X));
    }
}
