//! Chapter 1: sums of vectors, a thread for each element.

use simt_std::prelude::*;

// ANCHOR: vector_add
/// c = a + b. Launch: n / 256 blocks, rounded up; the arrays have n elements.
#[kernel(threads = 256)]
pub fn vector_add(a: Global<f32>, b: Global<f32>, c: Global<f32>, n: u32) {
    let i = thread::index_1d();
    if i < n {
        c.write(i, a.read(i) + b.read(i));
    }
}
// ANCHOR_END: vector_add

// ANCHOR: saxpy
/// y = a x + y. Launch: n / 256 blocks, rounded up; `x` and `y` have n elements.
#[kernel(threads = 256)]
pub fn saxpy(a: f32, x: Global<f32>, y: Global<f32>, n: u32) {
    let i = thread::index_1d();
    if i < n {
        y.write(i, a * x.read(i) + y.read(i));
    }
}
// ANCHOR_END: saxpy
