//! Transposition: the pattern of the accesses decides. A tile in shared memory makes all accesses
//! of global memory coalesced; the distance of its rows, the pitch, decides about bank conflicts.

use super::barrier;
use simt_std::prelude::*;

/// Number of rows and of columns of a tile.
pub const TILE: u32 = 32;

/// Largest pitch.
const PITCH: u32 = 40;

/// The transposed matrix. Launch: ⌈n / 32⌉ × ⌈n / 32⌉ blocks; the arrays have n × n elements.
#[kernel(max_threads = 1024, threads = [TILE, rows])]
pub fn transpose(
    /// The matrix, row by row.
    input: Global<f32>,
    /// Its transpose, row by row.
    output: Global<f32>,
    /// Number of rows and of columns.
    n: u32,
    /// True: through a tile in shared memory.
    tiled: bool,
    /// Words from one row of the tile to the next: 32 to 40.
    pitch: u32,
    /// True: the block waits between writing the tile and reading it.
    waits: bool,
    /// Rows of threads of a block; a divisor of 32.
    rows: u32,
) {
    shared_array!(tile: [f32; (TILE * PITCH) as usize]);
    let (column, first) = (thread::thread_idx_x(), thread::thread_idx_y());
    let (left, top) = (thread::block_idx_x() * TILE, thread::block_idx_y() * TILE);
    for row in (first..TILE).step_by(rows as usize) {
        let (x, y) = (left + column, top + row);
        if x < n && y < n {
            let word = input.read((y * n + x) as usize);
            if tiled {
                tile.write(row * pitch + column, word);
            } else {
                output.write((x * n + y) as usize, word);
            }
        }
    }
    if tiled {
        // SAFETY: every thread of the block is here.
        unsafe { barrier(waits) };
        for row in (first..TILE).step_by(rows as usize) {
            let (x, y) = (left + row, top + column);
            if x < n && y < n {
                output.write((x * n + y) as usize, tile.read(column * pitch + row));
            }
        }
    }
}
