//! The softmax of each row of a matrix: e^x of each element, divided by the row's sum of them.
//!
//! **Stable.** e^89 overflows `f32`. The quotient does not change if the same number is subtracted
//! from all elements, so the row's largest one is: then the largest power is e^0 = 1, and the sum
//! is at least 1.
//!
//! **Threads.** One warp per row, four rows per block; lane l takes the elements l, l + 32, and so
//! on. The largest element and the sum are reductions by shuffles, without shared memory and
//! without barriers of the block.
//!
//! ```text
//!     row        3  1  4  1            largest 4
//!     powers     e^-1  e^-3  1  e^-3   sum 1.467
//!     softmax    0.251 0.034 0.682 0.034
//! ```
//!
//! **Cost** per element: two reads of the input, one write of the power, and one read and one write
//! for the division. A lane reads only the powers that it has written itself, so no barrier is
//! needed.

use simt_std::prelude::*;
use simt_std::warp::WarpReductionOp;

/// Rows of a block: one per warp.
pub const ROWS: u32 = 4;

/// The softmax of each row. Launch: ⌈rows / [`ROWS`]⌉ blocks; both arrays have rows × columns
/// elements, row by row, and columns is at most 2^31.
#[kernel(threads = WARP * ROWS)]
pub fn softmax(
    /// The matrix.
    input: Global<f32>,
    /// The result; needs no initial value.
    output: Global<f32>,
    /// Number of rows.
    rows: u32,
    /// Number of columns.
    columns: u32,
) {
    let (lane, row) = (warp::lane_id(), thread::block_idx_x() * ROWS + warp::warp_id());
    if row >= rows {
        return;
    }
    let start = row as usize * columns as usize;
    let (input, output) = (input.skip(start), output.skip(start));

    let mut largest = f32::NEG_INFINITY;
    let mut i = lane;
    while i < columns {
        largest = largest.max(input.read(i as usize));
        i += WARP;
    }
    // SAFETY: all lanes of the warp have the same row, so all are here.
    let largest = unsafe { warp::warp_reduce(largest, WarpReductionOp::Max) };

    let mut sum = 0.0;
    let mut i = lane;
    while i < columns {
        let power = float::exp(input.read(i as usize) - largest);
        output.write(i as usize, power);
        sum += power;
        i += WARP;
    }
    // SAFETY: as above.
    let sum = unsafe { warp::warp_reduce(sum, WarpReductionOp::Add) };

    let mut i = lane;
    while i < columns {
        output.write(i as usize, output.read(i as usize) / sum);
        i += WARP;
    }
}
