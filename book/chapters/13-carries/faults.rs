//! Chapter 13: carries that are read before their barrier.

use simt_std::prelude::*;

// ANCHOR: early
/// [`lcs_block`](super::kernels::LcsBlock), with the barrier after the reads.
#[kernel(max_threads = 256, threads = threads)]
pub fn lcs_too_early(matches: Global<u32>, text: Global<u8>, n: u32, column: Global<u32>, threads: u32) {
    shared_array!(states: [u32; 16]);
    let t = thread::thread_idx_x();
    let mut v = u32::MAX;
    for j in 0..n {
        let m = matches.read(threads * u32::from(text.read(j)) + t);
        let (sum, overflow) = v.overflowing_add(v & m);
        // SAFETY: all lanes are here.
        let generate = unsafe { warp::warp_vote_ballot(FULL_WARP, overflow) };
        // SAFETY: all lanes are here.
        let propagate = unsafe { warp::warp_vote_ballot(FULL_WARP, sum == u32::MAX) };
        let add = |first: u32| (2 * u64::from(generate) + u64::from(first)) + u64::from(propagate);
        let set = 8 * (j % 2);
        // ANCHOR: order
        if warp::lane_id() == 0 {
            states.write(set + warp::warp_id(), if propagate == u32::MAX { 2 } else { (add(0) >> 32) as u32 });
        }
        let mut first = 0;
        for w in 0..warp::warp_id() {
            let state = states.read(set + w);
            first = if state == 2 { first } else { state };
        }
        // SAFETY: all threads of the block are here, each with the same `j`.
        unsafe { thread::sync_threads() };
        // ANCHOR_END: order
        let carries = add(first) as u32 ^ propagate;
        v = sum.wrapping_add(carries >> warp::lane_id() & 1) | (v & !m);
    }
    column.write(t, v);
}
// ANCHOR_END: early
