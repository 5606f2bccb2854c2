//! c = a + b: one thread per element. Neighbouring threads should access neighbouring words.

use simt_std::prelude::*;

/// Thread i adds element `i * stride + offset`. Launch: at least n threads; the arrays have n ×
/// `stride` + `offset` elements.
#[kernel(max_threads = 1024, threads = threads)]
pub fn vector_add(
    /// The first summand.
    a: Global<f32>,
    /// The second summand.
    b: Global<f32>,
    /// The sum.
    c: Global<f32>,
    /// Number of sums.
    n: u32,
    /// Distance of neighbouring threads' elements.
    stride: u32,
    /// First element.
    offset: u32,
    /// False: threads beyond n also add.
    checked: bool,
    /// Threads of a block.
    threads: u32,
) {
    let i = thread::block_idx_x() * threads + thread::thread_idx_x();
    if !checked || i < n {
        let i = (i * stride + offset) as usize;
        c.write(i, a.read(i) + b.read(i));
    }
}
