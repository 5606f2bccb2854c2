//! The product of two large matrices, C = A B, by tiles in registers.
//!
//! [`matmul_tiled`](crate::matmul) reads two words of shared memory per multiply-add, so shared
//! memory limits it. Here each thread computes 8 × 8 elements of C: from 8 words of A and 8 of B it
//! makes 64 multiply-adds.
//!
//! ```text
//!     block    C tile of 128 × 128        16 × 16 threads
//!     step     8 columns of A, 8 rows of B in shared memory
//!     thread   rows    4 y … 4 y + 3 and 64 + 4 y … 64 + 4 y + 3
//!              columns 4 x … 4 x + 3 and 64 + 4 x … 64 + 4 x + 3
//! ```
//!
//! **128-bit accesses.** Four neighbouring words of A, B or C are one access. A's tile is stored by
//! columns, so that the 8 words of a thread are two of them; its columns are 4 words longer than
//! the tile, otherwise the words of two columns that a warp stores would be in one bank.
//!
//! **Loads in advance.** While the tiles of one step are multiplied, the words of the next step are
//! already on their way from global memory to registers.
//!
//! **Cost** per step of a block: 512 128-bit reads of global memory, and 4 128-bit reads of shared
//! memory per 64 multiply-adds of a thread, all without conflicts. The file `peers/matmul.cu` has
//! the same kernel in CUDA C++; `cargo run --release -p simt_examples --example floats -- --gpu`
//! prints the rate of this one.

use simt_std::prelude::*;

/// Rows and columns of a block's tile of C.
pub const TILE: u32 = 128;

/// Products of a step.
pub const STEP: u32 = 8;

/// Threads in x and in y.
const SIDE: u32 = 16;

/// 128-bit words of a row of B's tile.
const ROW: u32 = TILE / 4;

/// 128-bit words of a column of A's tile, with the padding.
const COLUMN: u32 = TILE / 4 + 1;

/// C = A B. Launch: n / [`TILE`] × m / [`TILE`] blocks, where [`TILE`] divides m and n, and
/// [`STEP`] divides k; `a` has m × k, `b` k × n, `c` m × n elements, all row by row, each at most
/// 2^31.
#[kernel(threads = [SIDE, SIDE])]
pub fn matmul_registers(
    /// A, row by row.
    a: Global<f32>,
    /// B, row by row.
    b: Global<f32>,
    /// C, row by row; needs no initial value.
    c: Global<f32>,
    /// Number of columns of A and of rows of B.
    k: u32,
    /// Number of columns of B and C.
    n: u32,
) {
    shared_array!(tile_a: [F32x4; (STEP * COLUMN) as usize]);
    shared_array!(tile_b: [F32x4; (STEP * ROW) as usize]);
    let words_a = Shared::<f32>::at(tile_a.address());
    let (x, y) = (thread::thread_idx_x(), thread::thread_idx_y());
    let (top, left) = (thread::block_idx_y() * TILE, thread::block_idx_x() * TILE);

    // Each thread loads four neighbouring words of A and of B.
    let t = thread::index_in_block();
    let (row_a, column_a) = (t / 2, t % 2 * 4);
    let (row_b, column_b) = (t / ROW, t % ROW);
    let load_a = |first: u32| a.cast::<F32x4>().read((((top + row_a) * k + first + column_a) / 4) as usize);
    let load_b = |first: u32| b.cast::<F32x4>().read((((first + row_b) * n + left) / 4 + column_b) as usize);

    let mut sums = [[0.0_f32; 8]; 8];
    let (mut next_a, mut next_b) = (load_a(0), load_b(0));
    let mut first = 0;
    while first < k {
        unroll!(i in [0 1 2 3] {
            words_a.write((column_a + i) * COLUMN * 4 + row_a, next_a.0[i as usize]);
        });
        tile_b.write(row_b * ROW + column_b, next_b);
        // SAFETY: every thread of the block is here, because k is the same in all threads.
        unsafe { thread::sync_threads() };
        first += STEP;
        if first < k {
            (next_a, next_b) = (load_a(first), load_b(first));
        }
        unroll!(i in [0 1 2 3 4 5 6 7] {
            let eight_a = eight(tile_a, i * COLUMN + y);
            let eight_b = eight(tile_b, i * ROW + x);
            multiply(&mut sums, eight_a, eight_b);
        });
        // SAFETY: as above.
        unsafe { thread::sync_threads() };
    }

    unroll!(i in [0 1 2 3 4 5 6 7] {
        let row = top + i / 4 * 64 + y * 4 + i % 4;
        let [c0, c1, c2, c3, c4, c5, c6, c7] = sums[i as usize];
        let place = (row * n + left) / 4 + x;
        c.cast::<F32x4>().write(place as usize, F32x4([c0, c1, c2, c3]));
        c.cast::<F32x4>().write((place + 16) as usize, F32x4([c4, c5, c6, c7]));
    });
}

/// The four words at `place`, and the four that are 64 words behind them.
#[inline(always)]
fn eight(tile: Shared<F32x4>, place: u32) -> [f32; 8] {
    let (F32x4([a, b, c, d]), F32x4([e, f, g, h])) = (tile.read(place), tile.read(place + 16));
    [a, b, c, d, e, f, g, h]
}

/// Adds the 64 products. The loops are unrolled, because registers cannot be indexed.
#[inline(always)]
fn multiply(sums: &mut [[f32; 8]; 8], a: [f32; 8], b: [f32; 8]) {
    unroll!(i in [0 1 2 3 4 5 6 7] {
        unroll!(j in [0 1 2 3 4 5 6 7] {
            let sum = &mut sums[i as usize][j as usize];
            *sum = a[i as usize].mul_add(b[j as usize], *sum);
        });
    });
}
