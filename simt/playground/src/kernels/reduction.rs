//! A sum in seven steps, after Mark Harris, "Optimizing Parallel Reduction in CUDA" (2007).

use super::barrier;
use simt_std::prelude::*;

/// Faults of the reduction.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Present {
    /// Barriers between the levels of the tree.
    pub barriers: bool,
    /// Barriers stand outside the branch, where all threads reach them.
    pub outside: bool,
    /// Barriers of the warp in its last levels.
    pub warp_barriers: bool,
}

/// Returns the sum of the words that a thread reads.
#[inline(always)]
fn first_sum(input: Global<u32>, n: u32, step: u32, threads: u32) -> u32 {
    let word = |i: u32| if i < n { input.read(i as usize) } else { 0 };
    match step {
        1..=3 => word(thread::index_1d()),
        4..=6 => {
            let i = 2 * threads * thread::block_idx_x() + thread::thread_idx_x();
            word(i) + word(i + threads)
        }
        _ => {
            let mut sum = 0;
            let mut i = thread::index_1d();
            while i < n {
                sum += word(i);
                i += thread::grid_dim_x() * threads;
            }
            sum
        }
    }
}

/// The sum of each block's words. Launch: `threads` is a power of two from 64 on; `input` has n
/// words, `output` one word per block.
#[kernel(max_threads = 512, threads = threads)]
pub fn reduce(
    /// The summands.
    input: Global<u32>,
    /// The sum of each block.
    output: Global<u32>,
    /// Number of words in `input`.
    n: u32,
    /// 1 to 7, as in Harris's talk.
    step: u32,
    /// The barriers that are there.
    present: Present,
    /// Threads of a block.
    threads: u32,
) {
    shared_array!(sums: [u32; 512]);
    let t = thread::thread_idx_x();
    sums.write(t, first_sum(input, n, step, threads));
    // SAFETY: every thread of the block is here.
    unsafe { barrier(present.barriers) };

    // Steps 1 and 2: the distance grows, and each thread adds the word s further.
    let mut s = 1;
    while step <= 2 && s < threads {
        let i = if step == 1 { t } else { 2 * s * t };
        if i.is_multiple_of(2 * s) && i < threads {
            sums.write(i, sums.read(i) + sums.read(i + s));
            // SAFETY: a fault: only the threads that add are here.
            unsafe { barrier(present.barriers && !present.outside) };
        }
        // SAFETY: every thread of the block is here.
        unsafe { barrier(present.barriers && present.outside) };
        s *= 2;
    }

    // Steps 3 to 7: the distance shrinks. Steps 5 to 7 leave the last six levels to one warp.
    let mut s = if step <= 2 { 0 } else { threads / 2 };
    while s > 0 && (step <= 4 || s >= 64) {
        if t < s {
            sums.write(t, sums.read(t) + sums.read(t + s));
            // SAFETY: a fault: only the threads that add are here.
            unsafe { barrier(present.barriers && !present.outside) };
        }
        // SAFETY: every thread of the block is here.
        unsafe { barrier(present.barriers && present.outside) };
        s /= 2;
    }
    if step >= 5 && t < WARP {
        unroll!(level in [5 4 3 2 1 0] {
            let sum = sums.read(t) + sums.read(t + (1 << level));
            if present.warp_barriers {
                // SAFETY: all lanes of warp 0 are here, and no other thread.
                unsafe { warp::sync_warp(FULL_WARP) };
            }
            sums.write(t, sum);
            if present.warp_barriers {
                // SAFETY: as above.
                unsafe { warp::sync_warp(FULL_WARP) };
            }
        });
    }
    if t == 0 {
        output.write(thread::block_idx_x() as usize, sums.read(0));
    }
}
