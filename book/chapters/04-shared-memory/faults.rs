//! Chapter 4: the sum without barriers between its levels.

use simt_std::prelude::*;

// ANCHOR: no_barrier
/// [`block_sum`](super::kernels::BlockSum) of one block of 256 numbers, without the barrier at the
/// end of each level.
#[kernel(threads = 256)]
pub fn sum_without_barrier(numbers: Global<u32>, sum: Global<u32>) {
    shared_array!(partial: [u32; 256]);
    let t = thread::thread_idx_x();
    partial.write(t, numbers.read(t));
    // SAFETY: all threads of the block are here.
    unsafe { thread::sync_threads() };
    let mut half = 128;
    while half > 0 {
        if t < half {
            partial.write(t, partial.read(t) + partial.read(t + half));
        }
        half /= 2;
    }
    if t == 0 {
        sum.write(0, partial.read(0));
    }
}
// ANCHOR_END: no_barrier
