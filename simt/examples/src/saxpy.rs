//! SAXPY ("single precision a x plus y"): a grid of any size does an array of any size.
//!
//! **Threads.** With T threads in all, thread t does the elements t, t + T, t + 2 T and so on: a grid-stride loop.
//! Neighbours stay neighbours, so every turn is coalesced, and the grid can be as large as the GPU has room for,
//! whatever n is:
//!
//! ```text
//! T = 4     element  0 1 2 3 4 5 6 7 8 9
//!           thread   0 1 2 3 0 1 2 3 0 1
//! ```
//!
//! **Cost.** As for the [vector addition](crate::vector_add): 12 bytes an element. What a thread does once (here
//! nothing, in other kernels tables and sums of its own) it does T times and not n times.

use simt_std::prelude::*;

/// Threads of a block.
pub const THREADS: u32 = 256;

/// y = a x + y. Launch: any number of blocks; `x` and `y` have n elements, n + threads < 2^32.
#[kernel(threads = THREADS)]
pub fn saxpy(
    /// The factor.
    a: f32,
    /// What it multiplies.
    x: Global<f32>,
    /// What is added to, in place.
    y: Global<f32>,
    /// Elements.
    n: u32,
) {
    let threads = thread::grid_dim_x() * thread::block_dim_x();
    let mut i = thread::index_1d();
    while i < n {
        let at = i as usize;
        y.write(at, a * x.read(at) + y.read(at));
        i += threads;
    }
}
