//! Exercises of chapter 16: Wang 2018: duels.

use simt_std::prelude::*;

/// Exercise `witness_array`: `witnesses[d]` is the first position k where the pattern differs from
/// its copy at d: `pattern[k] != pattern[d + k]`. For d = 0 it is 0. Each thread computes one.
/// Launch: r / 256 blocks, rounded up; r = ⌈m / 2⌉; the pattern has m symbols and a period of more
/// than m / 2, so there is a witness against each d from 1 to r - 1.
#[kernel(threads = 256)]
pub fn witness_array(pattern: Global<u8>, r: u32, witnesses: Global<u32>) {
    // Your code here.
}

/// Exercise `duels_as_printed`: leaves one position of each group of r positions, as `duel_rounds`
/// does. The duel is that of the report, with its two slips. Find and repair both. Launch: `starts`
/// / r blocks, rounded up; r is ⌈m / 2⌉, at most 1,024.
#[kernel(max_threads = 1024, threads = r)]
pub fn duels_as_printed(
    text: Global<u8>,
    pattern: Global<u8>,
    witnesses: Global<u32>,
    starts: u32,
    r: u32,
    winners: Global<u32>,
) {
    shared_array!(candidates: [u32; 1024]);
    let t = thread::thread_idx_x();
    let first = thread::block_idx_x() * r;
    let mut size = r.min(starts - first);
    if t < size {
        candidates.write(t, first + t);
    }
    // SAFETY: all threads of the block are here.
    unsafe { thread::sync_threads() };
    while size > 1 {
        let half = size.div_ceil(2);
        if t + half < size {
            let i = candidates.read(t);
            let j = candidates.read(t + half);
            let k = witnesses.read(j - i);
            if text.read(j + k) == text.read(k) {
                candidates.write(t, j);
            }
        }
        // SAFETY: all threads of the block are here, each with the same `size`.
        unsafe { thread::sync_threads() };
        size = half;
    }
    if t == 0 {
        winners.write(thread::block_idx_x(), candidates.read(0));
    }
}

/// Exercise `verify_by_warps`: as `verify_winners`, with a warp for each winner. The 32 lanes
/// compare 32 neighbouring symbols, then the next 32, and the warp stops after the first 32 that
/// differ. Launch: `groups` / 8 blocks, rounded up; `winners` has `groups` elements, and `found` is
/// 0.
#[kernel(threads = 256)]
pub fn verify_by_warps(
    text: Global<u8>,
    pattern: Global<u8>,
    m: u32,
    winners: Global<u32>,
    groups: u32,
    found: Global<u8>,
) {
    // Your code here.
}
