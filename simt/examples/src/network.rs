//! A neural network of two layers, applied to many inputs at once.
//!
//! ```text
//!     hidden = tanh(inputs W1 + b1)          inputs: one per row
//!     output = hidden W2 + b2                W1, W2: weights, b1, b2: one bias per column
//! ```
//!
//! **A layer is a product of matrices with a fused end**: the thread that has the sum of an element
//! in a register also adds the bias and applies the activation before it writes. A kernel of its
//! own for these would read and write the whole matrix again.
//!
//! **Threads.** As [`matmul_tiled`](crate::matmul): blocks of 16 × 16 threads, one thread per
//! element of the result, and tiles of both matrices in shared memory.
//!
//! **Instances.** `dense_tanh` is the first layer, `dense_linear` the second: `TANH` is a constant
//! of each, so that neither has the other's code.
//!
//! **Activation.** `fast::tanh` is one instruction on GPUs from sm_75 on, with a relative error of
//! 2^-11; networks bear that, but this one uses the exact one, to be compared with `f64`.

use simt_std::prelude::*;

/// Number of rows and of columns of a tile.
pub const TILE: u32 = 16;

/// A layer: `output = f(input × weights + bias)`, f = tanh if `TANH`. Launch: ⌈outputs / [`TILE`]⌉
/// × ⌈rows / [`TILE`]⌉ blocks; `input` has rows × inputs, `weights` inputs × outputs, `bias`
/// outputs, `output` rows × outputs elements; each at most 2^31.
#[kernel(threads = [TILE, TILE], instances = [dense_tanh: (true), dense_linear: (false)])]
pub fn dense<const TANH: bool>(
    /// One input per row.
    input: Global<f32>,
    /// The weights: a row per number of an input.
    weights: Global<f32>,
    /// A summand for each column.
    bias: Global<f32>,
    /// One output per row; needs no initial value.
    output: Global<f32>,
    /// Number of inputs and outputs.
    rows: u32,
    /// Numbers of an input.
    inputs: u32,
    /// Numbers of an output.
    outputs: u32,
) {
    shared_array!(tile_input: [f32; (TILE * TILE) as usize]);
    shared_array!(tile_weights: [f32; (TILE * TILE) as usize]);
    let at = thread::index_2d();
    let (column, row) = (thread::thread_idx_x(), thread::thread_idx_y());
    let here = row * TILE + column;

    let mut sum = 0.0_f32;
    let mut first = 0;
    while first < inputs {
        let (i, j) = (first + column, first + row);
        let inside = at.y < rows && i < inputs;
        tile_input.write(here, if inside { input.read((at.y * inputs + i) as usize) } else { 0.0 });
        let inside = j < inputs && at.x < outputs;
        tile_weights.write(here, if inside { weights.read((j * outputs + at.x) as usize) } else { 0.0 });
        // SAFETY: every thread of the block is here, because `inputs` is the same in all threads.
        unsafe { thread::sync_threads() };
        for i in 0..TILE {
            sum = tile_input.read(row * TILE + i).mul_add(tile_weights.read(i * TILE + column), sum);
        }
        // SAFETY: as above.
        unsafe { thread::sync_threads() };
        first += TILE;
    }
    if at.x < outputs && at.y < rows {
        let sum = sum + bias.read(at.x as usize);
        output.write((at.y * outputs + at.x) as usize, if TANH { float::tanh(sum) } else { sum });
    }
}
