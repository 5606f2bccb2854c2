//! Chapter 8: a ballot with a wrong mask, and a ballot in place of a barrier.

use simt_std::prelude::*;

// ANCHOR: ballot_in_branch
/// A mask of the hits among the first 32 symbols, with the ballot behind the check of the text's
/// end. Launch: one block; `text` has n symbols, `hits` one element.
#[kernel(threads = WARP)]
pub fn ballot_in_branch(text: Global<u8>, n: u32, hits: Global<u32>) {
    let lane = warp::lane_id();
    if lane < n {
        let is_hit = text.read(lane) == b'A';
        // SAFETY: planted: the lanes from n on are not here.
        let ballot = unsafe { warp::warp_vote_ballot(FULL_WARP, is_hit) };
        if lane == 0 {
            hits.write(0, ballot);
        }
    }
}
// ANCHOR_END: ballot_in_branch

// ANCHOR: ballot_as_barrier
/// Reverses 32 symbols through shared memory, with a ballot between the writes and the reads.
/// Launch: one block; `text` and `reversed` have 32 symbols.
#[kernel(threads = WARP)]
pub fn ballot_as_barrier(text: Global<u8>, reversed: Global<u8>) {
    shared_array!(symbols: [u8; WARP as usize]);
    let lane = warp::lane_id();
    symbols.write(lane, text.read(lane));
    // SAFETY: all 32 lanes are here.
    unsafe { warp::warp_vote_ballot(FULL_WARP, true) };
    reversed.write(lane, symbols.read(31 - lane));
}
// ANCHOR_END: ballot_as_barrier
