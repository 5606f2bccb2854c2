//! Solutions of chapter 1: threads.

use simt_std::prelude::*;

// ANCHOR: matching
/// Exercise `matching`: `same[i]` is 1 if `a[i]` and `b[i]` are equal, else 0. Launch: n / 64
/// blocks, rounded up; the arrays have n elements.
#[kernel(threads = 64)]
pub fn matching(a: Global<u8>, b: Global<u8>, n: u32, same: Global<u8>) {
    let i = thread::index_1d();
    if i < n {
        same.write(i, u8::from(a.read(i) == b.read(i)));
    }
}
// ANCHOR_END: matching

// ANCHOR: reverse_complement
/// Exercise `reverse_complement`: the text of the other strand. Launch: n / 64 blocks, rounded up;
/// `text` has n bases, which are A, C, G or T, and `result` has n elements.
#[kernel(threads = 64)]
pub fn reverse_complement(text: Global<u8>, n: u32, result: Global<u8>) {
    let i = thread::index_1d();
    if i < n {
        let base = match text.read(n - 1 - i) {
            b'A' => b'T',
            b'C' => b'G',
            b'G' => b'C',
            _ => b'A',
        };
        result.write(i, base);
    }
}
// ANCHOR_END: reverse_complement

// ANCHOR: saxpy_any_grid
/// Exercise `saxpy_any_grid`: y = a x + y. Launch: any number of blocks; `x` and `y` have n
/// elements, and n + the number of threads is below 2^32.
#[kernel(threads = 64)]
pub fn saxpy_any_grid(a: f32, x: Global<f32>, y: Global<f32>, n: u32) {
    let threads = thread::grid_dim_x() * thread::block_dim_x();
    let mut i = thread::index_1d();
    while i < n {
        y.write(i, a * x.read(i) + y.read(i));
        i += threads;
    }
}
// ANCHOR_END: saxpy_any_grid
