//! The sum of the four neighbours minus four times the cell. A tile in shared memory, with a border
//! of one cell (the halo), serves the words that neighbours share.

use super::barrier;
use simt_std::prelude::*;

/// Width of a block in cells.
pub const WIDTH: u32 = 32;

/// The discrete Laplacian; cells outside are 0. Launch: ⌈`width` / 32⌉ × ⌈`height` / `rows`⌉
/// blocks; `rows` is at most 8.
#[kernel(max_threads = 256, threads = [WIDTH, rows])]
pub fn laplace(
    /// The cells, row by row.
    input: Global<i32>,
    /// The result.
    output: Global<i32>,
    /// Cells of a row.
    width: u32,
    /// Number of rows.
    height: u32,
    /// True: through a tile in shared memory.
    tiled: bool,
    /// True: the tile's border is loaded too.
    halo: bool,
    /// True: the block waits until the tile is loaded.
    waits: bool,
    /// Rows of a block.
    rows: u32,
) {
    shared_array!(tile: [i32; 34 * 10]);
    let pitch = WIDTH + 2;
    let at = thread::index_2d();
    let (column, row) = (thread::thread_idx_x(), thread::thread_idx_y());
    // An index of -1 wraps to a large one, which is outside as well.
    let cell = |x: u32, y: u32| if x < width && y < height { input.read((y * width + x) as usize) } else { 0 };
    if tiled {
        let (left, top) = ((at.x - column).wrapping_sub(1), (at.y - row).wrapping_sub(1));
        let mut word = thread::index_in_block();
        while word < pitch * (rows + 2) {
            let (x, y) = (word % pitch, word / pitch);
            let inner = (1..=WIDTH).contains(&x) && (1..=rows).contains(&y);
            if halo || inner {
                tile.write(word, cell(left.wrapping_add(x), top.wrapping_add(y)));
            }
            word += WIDTH * rows;
        }
        // SAFETY: every thread of the block is here.
        unsafe { barrier(waits) };
    }
    if at.x < width && at.y < height {
        let sum = if tiled {
            let here = (row + 1) * pitch + column + 1;
            let sides = tile.read(here - 1) + tile.read(here + 1);
            sides + tile.read(here - pitch) + tile.read(here + pitch) - 4 * tile.read(here)
        } else {
            let sides = cell(at.x.wrapping_sub(1), at.y) + cell(at.x + 1, at.y);
            sides + cell(at.x, at.y.wrapping_sub(1)) + cell(at.x, at.y + 1) - 4 * cell(at.x, at.y)
        };
        output.write((at.y * width + at.x) as usize, sum);
    }
}
