//! Chapter 4: the sum of each block's numbers.

use simt_std::prelude::*;

// ANCHOR: block_sum
/// Adds up each 256 numbers: `sums[b]` is the sum of block b. Launch: n / 256 blocks, rounded up;
/// `numbers` has n elements, `sums` one for each block.
#[kernel(threads = 256)]
pub fn block_sum(numbers: Global<u32>, n: u32, sums: Global<u32>) {
    shared_array!(partial: [u32; 256]);
    let t = thread::thread_idx_x();
    let i = thread::index_1d();
    partial.write(t, if i < n { numbers.read(i) } else { 0 });
    // SAFETY: all threads of the block are here.
    unsafe { thread::sync_threads() };
    let mut half = 128;
    while half > 0 {
        if t < half {
            partial.write(t, partial.read(t) + partial.read(t + half));
        }
        // SAFETY: all threads of the block are here, each with the same `half`.
        unsafe { thread::sync_threads() };
        half /= 2;
    }
    if t == 0 {
        sums.write(thread::block_idx_x(), partial.read(0));
    }
}
// ANCHOR_END: block_sum
