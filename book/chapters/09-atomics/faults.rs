//! Chapter 9: a stack without tags, and a lock whose holder waits for its warp.

use super::kernels::most_frequent;
use simt_std::atomic::Order;
use simt_std::prelude::*;

// ANCHOR: no_tags
/// As `pop` of the chapter, without a tag.
fn pop(top: Global<u32>, below: Global<u32>) -> u32 {
    loop {
        let old = atomic::load_acquire(top, 0);
        if old != 0 {
            let new = atomic::load(below, old);
            if atomic::device(top, 0).compare_exchange(old, new, Order::AcqRel) == old {
                return old;
            }
        }
    }
}
// ANCHOR_END: no_tags

/// As `push` of the chapter, without a tag.
fn push(top: Global<u32>, below: Global<u32>, buffer: u32) {
    loop {
        let old = atomic::load_acquire(top, 0);
        atomic::store(below, buffer, old);
        if atomic::device(top, 0).compare_exchange(old, buffer, Order::AcqRel) == old {
            return;
        }
    }
}

/// [`frequent_letters`](super::kernels::FrequentLetters) with a stack without tags.
#[kernel(threads = 1)]
pub fn letters_without_tags(
    text: Global<u8>,
    frequent: Global<u8>,
    top: Global<u32>,
    below: Global<u32>,
    buffers: Global<u32>,
) {
    let piece = thread::block_idx_x();
    let buffer = pop(top, below);
    frequent.write(piece, most_frequent(text, 64 * piece, buffers, 32 * (buffer - 1)));
    push(top, below, buffer);
}

// ANCHOR: lock_of_lanes
/// Each lane adds 1 to `count` under a lock. Launch: one block; `lock` and `count` are 0.
#[kernel(threads = WARP)]
pub fn count_under_lock(lock: Global<u32>, count: Global<u32>) {
    while atomic::device(lock, 0).compare_exchange(0, 1, Order::Acquire) != 0 {}
    count.update(0, |count| count + 1);
    // SAFETY: planted: 31 lanes still wait for the lock.
    unsafe { warp::sync_warp(FULL_WARP) };
    atomic::store_release(lock, 0, 0);
}
// ANCHOR_END: lock_of_lanes
