//! Chapter 13: the length of a longest common subsequence by bit-vectors, whose carries cross the
//! lanes of a warp and the warps of a block.

use simt_std::prelude::*;

// ANCHOR: lcs_warp
/// Computes the last column of the table of a pattern of 1,024 symbols and a text of n symbols; the
/// length of their LCS is its number of zeros. Launch: one block. `text` has symbols 0 to s - 1;
/// `matches` has s · 32 words: bit i of word 32c + l is set if the pattern has symbol c at position
/// 32l + i. `column` has 32 words.
#[kernel(threads = WARP)]
pub fn lcs_warp(matches: Global<u32>, text: Global<u8>, n: u32, column: Global<u32>) {
    let lane = warp::lane_id();
    let mut v = u32::MAX;
    for j in 0..n {
        let m = matches.read(32 * u32::from(text.read(j)) + lane);
        let (sum, overflow) = v.overflowing_add(v & m);
        // SAFETY: all lanes are here.
        let generate = unsafe { warp::warp_vote_ballot(FULL_WARP, overflow) };
        // SAFETY: all lanes are here.
        let propagate = unsafe { warp::warp_vote_ballot(FULL_WARP, sum == u32::MAX) };
        let carries = (generate << 1).wrapping_add(propagate) ^ propagate;
        v = sum.wrapping_add(carries >> lane & 1) | (v & !m);
    }
    column.write(lane, v);
}
// ANCHOR_END: lcs_warp

// ANCHOR: lcs_block
/// `lcs_warp` for a pattern of 32 symbols a thread. Launch: one block of 1 to 8 warps. `matches`
/// has s · `threads` words: word `threads` · c + t has symbol c at the positions 32t to 32t + 31.
/// `column` has `threads` words.
#[kernel(max_threads = 256, threads = threads)]
pub fn lcs_block(matches: Global<u32>, text: Global<u8>, n: u32, column: Global<u32>, threads: u32) {
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
        // Bit l is the carry into lane l, and bit 32 the carry out, if `first` comes into lane 0.
        let add = |first: u32| (2 * u64::from(generate) + u64::from(first)) + u64::from(propagate);
        let set = 8 * (j % 2);
        if warp::lane_id() == 0 {
            // 0: no carry, 1: a carry, 2: the carry that comes in.
            states.write(set + warp::warp_id(), if propagate == u32::MAX { 2 } else { (add(0) >> 32) as u32 });
        }
        // SAFETY: all threads of the block are here, each with the same `j`.
        unsafe { thread::sync_threads() };
        let mut first = 0;
        for w in 0..warp::warp_id() {
            let state = states.read(set + w);
            first = if state == 2 { first } else { state };
        }
        let carries = add(first) as u32 ^ propagate;
        v = sum.wrapping_add(carries >> warp::lane_id() & 1) | (v & !m);
    }
    column.write(t, v);
}
// ANCHOR_END: lcs_block
