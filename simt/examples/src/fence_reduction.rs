//! A sum in one launch: the last block adds the sums of all blocks (NVIDIA's sample
//! threadFenceReduction).
//!
//! The steps of [`reduction`](crate::reduction) need a second launch, because no block knows when
//! the others have written their sums. Here, each block counts itself when its sum is written. The
//! block that counts last knows that it is the last one, and adds all sums:
//!
//! ```text
//! block 0   write sum 0   fence   count: 0 before
//! block 2   write sum 2   fence   count: 1 before
//! block 1   write sum 1   fence   count: 2 before, so it is the last   fence   read sums 0, 1, 2
//! ```
//!
//! **Two fences.** A relaxed atomic operation orders nothing: another block could see the count
//! before the sum. The fence before it orders the sum before the count, and the fence after it the
//! count before the reads. With one of them alone, the simulator reports a race between the write
//! and the read of a sum.
//!
//! **Why they are sequentially consistent.** Thread 0 counts, but all threads of the last block
//! read, after a barrier. A fence that acquires and releases
//! ([`device_fence`](simt_std::thread::device_fence)) serves only the atomic operations of
//! its own thread. Two sequentially consistent fences, CUDA C++'s `__threadfence`, are also ordered
//! if another thread of the block has counted. Cheaper, if thread 0 alone writes and counts:
//! [`fetch_add_acq_rel`](simt_std::atomic::fetch_add_acq_rel) without fences.
//!
//! **Cost**: every word is read once, and there is no second launch.

use simt_std::atomic::{Order, Scope};
use simt_std::prelude::*;

/// Number of threads of a block, a power of two.
pub const THREADS: u32 = 128;

/// Adds all words of `sums`; the result is in word 0.
///
/// # Safety
/// Every thread of the block is here and has written its word.
#[inline(always)]
unsafe fn add_up(sums: Shared<u32>) {
    let t = thread::thread_idx_x();
    let mut s = THREADS / 2;
    loop {
        // SAFETY: passed on to the caller.
        unsafe { thread::sync_threads() };
        if s == 0 {
            break;
        }
        if t < s {
            sums.update(t, |sum| sum + sums.read(t + s));
        }
        s /= 2;
    }
}

/// Writes the sum of all words. Launch: any number of blocks; `input` has n words, `partial` one
/// word per block; `count` is 0, before and after the launch.
#[kernel(threads = THREADS)]
pub fn fence_reduction(
    /// The summands.
    input: Global<u32>,
    /// Number of words in `input`.
    n: u32,
    /// The sum of each block; needs no initial value.
    partial: Global<u32>,
    /// Number of blocks that have written their sums.
    count: Global<u32>,
    /// The sum of all words; needs no initial value.
    output: Global<u32>,
) {
    shared_array!(sums: [u32; THREADS as usize]);
    shared_array!(before: [u32; 1]);
    let (t, blocks) = (thread::thread_idx_x(), thread::grid_dim_x());
    let mut sum = 0;
    let mut i = thread::index_1d();
    while i < n {
        sum += input.read(i);
        i += blocks * THREADS;
    }
    sums.write(t, sum);
    // SAFETY: every thread of the block is here.
    unsafe { add_up(sums) };
    if t == 0 {
        partial.write(thread::block_idx_x(), sums.read(0));
        atomic::fence(Order::SeqCst, Scope::Device);
        before.write(0, atomic::fetch_add(count, 0, 1));
    }
    // SAFETY: every thread of the block is here.
    unsafe { thread::sync_threads() };
    if before.read(0) == blocks - 1 {
        atomic::fence(Order::SeqCst, Scope::Device);
        sums.write(t, (t..blocks).step_by(THREADS as usize).map(|block| partial.read(block)).sum());
        // SAFETY: every thread of the block is here, because all have read the same word.
        unsafe { add_up(sums) };
        if t == 0 {
            output.write(0, sums.read(0));
            atomic::store(count, 0, 0);
        }
    }
}
