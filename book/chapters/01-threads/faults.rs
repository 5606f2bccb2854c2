//! Chapter 1: a comparison that is off by one, and an exercise that is not begun.

use simt_std::prelude::*;

// ANCHOR: one_too_many
/// [`vector_add`](super::kernels::VectorAdd) with `<=` in place of `<`.
#[kernel(threads = 256)]
pub fn one_too_many(a: Global<f32>, b: Global<f32>, c: Global<f32>, n: u32) {
    let i = thread::index_1d();
    if i <= n {
        c.write(i, a.read(i) + b.read(i));
    }
}
// ANCHOR_END: one_too_many

/// Exercise `matching` before a reader begins it.
#[kernel(threads = 64)]
pub fn matching(_a: Global<u8>, _b: Global<u8>, _n: u32, _same: Global<u8>) {}
