//! Solutions of chapter 16: Wang 2018: duels.

use simt_std::prelude::*;

// ANCHOR: witness_array
/// Exercise `witness_array`: `witnesses[d]` is the first position k where the pattern differs from
/// its copy at d: `pattern[k] != pattern[d + k]`. For d = 0 it is 0. Launch: r / 256 blocks,
/// rounded up; r = ⌈m / 2⌉; the pattern has m symbols and a period of more than m / 2.
#[kernel(threads = 256)]
pub fn witness_array(pattern: Global<u8>, r: u32, witnesses: Global<u32>) {
    let d = thread::index_1d();
    if d < r {
        let mut k = 0;
        while d > 0 && pattern.read(k) == pattern.read(d + k) {
            k += 1;
        }
        witnesses.write(d, k);
    }
}
// ANCHOR_END: witness_array

/// Exercise `duels_as_printed`: leaves one position of each group of r positions, as `duel_rounds`
/// does. Launch: `starts` / r blocks, rounded up; r is ⌈m / 2⌉, at most 1,024.
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
        // ANCHOR: duels_as_printed
        if t + half < size {
            let one = candidates.read(t);
            let other = candidates.read(t + half);
            // The winners of a round are in no order.
            let i = one.min(other);
            let j = one.max(other);
            let k = witnesses.read(j - i);
            // The witness is a position of the pattern.
            candidates.write(t, if text.read(j + k) == pattern.read(k) { j } else { i });
        }
        // ANCHOR_END: duels_as_printed
        // SAFETY: all threads of the block are here, each with the same `size`.
        unsafe { thread::sync_threads() };
        size = half;
    }
    if t == 0 {
        winners.write(thread::block_idx_x(), candidates.read(0));
    }
}

// ANCHOR: verify_by_warps
/// Exercise `verify_by_warps`: as `verify_winners`, with a warp for each winner. Launch: `groups` /
/// 8 blocks, rounded up; `winners` has `groups` elements, and `found` is 0.
#[kernel(threads = 256)]
pub fn verify_by_warps(
    text: Global<u8>,
    pattern: Global<u8>,
    m: u32,
    winners: Global<u32>,
    groups: u32,
    found: Global<u8>,
) {
    let lane = warp::lane_id();
    let group = thread::index_1d() / 32;
    if group < groups {
        let start = winners.read(group);
        let mut first = 0;
        let mut equal = true;
        while first < m && equal {
            let k = first + lane;
            let mine = k >= m || text.read(start + k) == pattern.read(k);
            // SAFETY: all lanes are here; they have the same `group`, `first` and `equal`.
            equal = unsafe { warp::warp_vote_all(FULL_WARP, mine) };
            first += 32;
        }
        if lane == 0 && equal {
            found.write(start, 1);
        }
    }
}
// ANCHOR_END: verify_by_warps
