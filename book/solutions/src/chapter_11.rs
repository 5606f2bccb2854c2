//! Solutions of chapter 11: to the GPU.

use simt_std::prelude::*;

// ANCHOR: mystery
/// Exercise `mystery`: `result[i]` is the number of bits in which `a[i]` and `b[n - 1 - i]` differ.
/// Launch: n / 128 blocks, rounded up; the arrays have n words.
#[kernel(threads = 128)]
pub fn mystery(a: Global<u32>, b: Global<u32>, n: u32, result: Global<u32>) {
    let i = thread::index_1d();
    if i < n {
        result.write(i, (a.read(i) ^ b.read(n - 1 - i)).count_ones());
    }
}
// ANCHOR_END: mystery
