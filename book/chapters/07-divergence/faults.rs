//! Chapter 7: a warp that adds without its barriers.

use simt_std::prelude::*;

// ANCHOR: lockstep
/// The sum of 64 numbers by one warp, without barriers of the warp. Launch: one block.
#[kernel(threads = 64)]
pub fn sum_in_lockstep(numbers: Global<u32>, sum: Global<u32>) {
    shared_array!(partial: [u32; 64]);
    let t = thread::thread_idx_x();
    partial.write(t, numbers.read(t));
    // SAFETY: all threads of the block are here.
    unsafe { thread::sync_threads() };
    if t < 32 {
        let mut distance = 32;
        while distance > 0 {
            partial.write(t, partial.read(t) + partial.read(t + distance));
            distance /= 2;
        }
    }
    if t == 0 {
        sum.write(0, partial.read(0));
    }
}
// ANCHOR_END: lockstep

// ANCHOR: half_synced
/// The sum of 64 numbers by one warp, with one barrier of the warp in a level instead of two.
/// Launch: one block.
#[kernel(threads = 64)]
pub fn sum_half_synced(numbers: Global<u32>, sum: Global<u32>) {
    shared_array!(partial: [u32; 64]);
    let t = thread::thread_idx_x();
    partial.write(t, numbers.read(t));
    // SAFETY: all threads of the block are here.
    unsafe { thread::sync_threads() };
    if t < 32 {
        let mut distance = 32;
        while distance > 0 {
            partial.write(t, partial.read(t) + partial.read(t + distance));
            // SAFETY: warp 0 is here with all of its lanes.
            unsafe { warp::sync_warp(FULL_WARP) };
            distance /= 2;
        }
    }
    if t == 0 {
        sum.write(0, partial.read(0));
    }
}
// ANCHOR_END: half_synced
