//! Vector addition: the smallest useful kernel.
//!
//! **Threads.** One per element. Block b handles the elements 256 b to 256 b + 255; its thread t
//! handles element 256 b + t:
//!
//! ```text
//! block     0                 1                 2
//! thread    0  1  …  255      0  1  …  255      0  1  …
//! element   0  1  …  255    256  257 … 511    512  513 … n - 1, and from n on threads without work
//! ```
//!
//! **Cost.** A warp's 32 threads read 32 neighbouring words: 128 bytes, in 4 sectors of 32 bytes
//! that are fully used ("coalesced"). So the kernel runs at the speed of memory: 12 bytes per
//! element, and one addition.

use simt_std::prelude::*;

/// Number of threads of a block.
pub const THREADS: u32 = 256;

/// c = a + b. Launch: ⌈n / [`THREADS`]⌉ blocks; the arrays have n elements.
#[kernel(threads = THREADS)]
pub fn vector_add(
    /// The first summand.
    a: Global<f32>,
    /// The second summand.
    b: Global<f32>,
    /// The sum; needs no initial value.
    c: Global<f32>,
    /// Number of elements.
    n: u32,
) {
    let i = thread::index_1d();
    if i < n {
        let i = i as usize;
        c.write(i, a.read(i) + b.read(i));
    }
}
