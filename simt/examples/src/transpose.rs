//! Transposition of a matrix: every word is read once and written once, so only the access pattern
//! matters.
//!
//! **Threads.** Blocks of 32 × 8 threads, one block per tile of 32 × 32; a thread moves 4 elements
//! of a column.
//!
//! **Three versions.**
//!
//! 1. [`transpose_naive`](TransposeNaive) reads rows and writes columns. A warp reads 32
//!    neighbouring words in 4 sectors. It writes 32 words of 32 rows, each in a different sector:
//!    it uses an eighth of each of the 32 sectors.
//! 2. [`transpose_tiled`](TransposeTiled) goes through shared memory, so that it accesses global
//!    memory only by rows:
//!
//!    ```text
//!    input            tile (shared)        output
//!    a b c d   rows   a b c d    columns   a e i m
//!    e f g h   ───>   e f g h    ───────>  b f j n    read column by column,
//!    i j k l          i j k l              c g k o    written row by row
//!    m n o p          m n o p              d h l p
//!    ```
//!
//!    But neighbouring words of a tile's column are 32 words apart: the whole column is in one of
//!    the 32 banks, which serves the words one after the other. This takes 32 wavefronts instead of
//!    one.
//! 3. [`transpose_padded`](TransposePadded) gives the tile's rows 33 words. Neighbouring words of a
//!    column are then 33 words apart, in 32 different banks:
//!
//!    ```text
//!    bank of row r, column c:   without padding  c            with it  (r + c) mod 32
//!    ```
//!
//! **Cost** of a tile of 1,024 words:
//!
//! | | sectors read | sectors written | shared wavefronts | of them conflicts |
//! |---|---|---|---|---|
//! | naive | 128 | 1,024 | | |
//! | tiled | 128 | 128 | 1,056 | 992 |
//! | padded | 128 | 128 | 64 | 0 |

use simt_std::prelude::*;

/// Number of rows and of columns of a tile.
pub const TILE: u32 = 32;

/// Rows of threads in a block; each thread moves `TILE / ROWS` elements.
const ROWS: u32 = 8;

/// The transposed matrix, written column by column. Launch: ⌈width / [`TILE`]⌉ × ⌈height /
/// [`TILE`]⌉ blocks; `input` has `height` rows of `width` words, `output` the same number of words.
#[kernel(threads = [TILE, ROWS])]
pub fn transpose_naive(
    /// The matrix, row by row.
    input: Global<f32>,
    /// Its transpose, row by row; needs no initial value.
    output: Global<f32>,
    /// Number of columns of `input`.
    width: u32,
    /// Number of rows of `input`.
    height: u32,
) {
    let x = thread::block_idx_x() * TILE + thread::thread_idx_x();
    for row in (0..TILE).step_by(ROWS as usize) {
        let y = thread::block_idx_y() * TILE + thread::thread_idx_y() + row;
        if x < width && y < height {
            output.write((x * height + y) as usize, input.read((y * width + x) as usize));
        }
    }
}

/// Transposes a tile through shared memory. The rows of the tile are `PITCH` words apart.
///
/// # Safety
/// Every thread of the block is here; `tile` has `TILE` × `PITCH` words.
#[inline(always)]
unsafe fn by_tile<const PITCH: u32>(
    tile: Shared<f32>,
    input: Global<f32>,
    output: Global<f32>,
    width: u32,
    height: u32,
) {
    let (column, first) = (thread::thread_idx_x(), thread::thread_idx_y());
    let (left, top) = (thread::block_idx_x() * TILE, thread::block_idx_y() * TILE);
    for row in (first..TILE).step_by(ROWS as usize) {
        let (x, y) = (left + column, top + row);
        if x < width && y < height {
            tile.write(row * PITCH + column, input.read((y * width + x) as usize));
        }
    }
    // SAFETY: passed on to the caller.
    unsafe { thread::sync_threads() };
    // In the output, a column of the tile is a row: neighbouring threads write neighbouring words.
    for row in (first..TILE).step_by(ROWS as usize) {
        let (x, y) = (left + row, top + column);
        if x < width && y < height {
            output.write((x * height + y) as usize, tile.read(column * PITCH + row));
        }
    }
}

/// The transposed matrix by tiles in shared memory, with bank conflicts. Launch: as
/// [`transpose_naive`](TransposeNaive).
#[kernel(threads = [TILE, ROWS])]
pub fn transpose_tiled(
    /// The matrix, row by row.
    input: Global<f32>,
    /// Its transpose, row by row; needs no initial value.
    output: Global<f32>,
    /// Number of columns of `input`.
    width: u32,
    /// Number of rows of `input`.
    height: u32,
) {
    shared_array!(tile: [f32; (TILE * TILE) as usize]);
    // SAFETY: every thread is here.
    unsafe { by_tile::<TILE>(tile, input, output, width, height) }
}

/// The transposed matrix by tiles in shared memory, without bank conflicts. Launch: as
/// [`transpose_naive`](TransposeNaive).
#[kernel(threads = [TILE, ROWS])]
pub fn transpose_padded(
    /// The matrix, row by row.
    input: Global<f32>,
    /// Its transpose, row by row; needs no initial value.
    output: Global<f32>,
    /// Number of columns of `input`.
    width: u32,
    /// Number of rows of `input`.
    height: u32,
) {
    shared_array!(padded: [f32; (TILE * (TILE + 1)) as usize]);
    // SAFETY: every thread is here.
    unsafe { by_tile::<{ TILE + 1 }>(padded, input, output, width, height) }
}
