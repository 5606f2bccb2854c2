//! SAXPY ("single precision a x plus y"): a grid of any size processes an array of any size.
//!
//! **Threads.** With T threads in total, thread t handles the elements t, t + T, t + 2 T and so on:
//! a grid-stride loop. Neighbouring threads access neighbouring elements, so every iteration is
//! coalesced. The size of the grid can be chosen for the GPU, independently of n:
//!
//! ```text
//! T = 4     element  0 1 2 3 4 5 6 7 8 9
//!           thread   0 1 2 3 0 1 2 3 0 1
//! ```
//!
//! **Cost.** 12 bytes per element, as for the [vector addition](crate::vector_add). Work that each
//! thread does once (none here; tables or partial sums in other kernels) is done T times instead of
//! n times.

use simt_std::prelude::*;

/// Number of threads of a block.
pub const THREADS: u32 = 256;

/// y = a x + y. Launch: any number of blocks; `x` and `y` have n elements, n + threads < 2^32.
#[kernel(threads = THREADS)]
pub fn saxpy(
    /// The factor.
    a: f32,
    /// The vector that is multiplied.
    x: Global<f32>,
    /// The vector that is added to, in place.
    y: Global<f32>,
    /// Number of elements.
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
