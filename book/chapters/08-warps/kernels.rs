//! Chapter 8: positions of a symbol by ballots, and depths of brackets by shuffles.

use simt_std::prelude::*;

// ANCHOR: positions_of_symbol
/// Number of symbols that a warp searches.
pub const PIECE: u32 = 1024;

/// Finds `symbol` in each 1,024 symbols: `counts[b]` is the number of hits in piece b, and their
/// positions in the text stand in order from `found[1024 * b]` on. Launch: n / 1024 blocks, rounded
/// up; `text` has n symbols, `counts` an element for each block, `found` 1,024; n < 2^31.
#[kernel(threads = WARP)]
pub fn positions_of_symbol(text: Global<u8>, n: u32, symbol: u32, found: Global<u32>, counts: Global<u32>) {
    let start = thread::block_idx_x() * PIECE;
    let mut count = 0;
    for round in 0..PIECE / WARP {
        let i = start + round * WARP + warp::lane_id();
        let is_hit = i < n && u32::from(text.read(i)) == symbol;
        // SAFETY: all 32 lanes are here.
        let hits = unsafe { warp::warp_vote_ballot(FULL_WARP, is_hit) };
        if is_hit {
            found.write(start + count + (hits & warp::lanemask_lt()).count_ones(), i);
        }
        count += hits.count_ones();
    }
    if warp::lane_id() == 0 {
        counts.write(thread::block_idx_x(), count);
    }
}
// ANCHOR_END: positions_of_symbol

/// Returns the change of the depth at a symbol: 1 for `(`, −1 for `)`, else 0.
fn change(symbol: u8) -> i32 {
    match symbol {
        b'(' => 1,
        b')' => -1,
        _ => 0,
    }
}

// ANCHOR: bracket_depths
/// `depths[i]` is the number of `(` minus the number of `)` among the symbols 0 to i. Launch: one
/// block; `text` and `depths` have n elements; n < 2^31.
#[kernel(threads = WARP)]
pub fn bracket_depths(text: Global<u8>, n: u32, depths: Global<i32>) {
    let mut before = 0;
    let mut start = 0;
    while start < n {
        let i = start + warp::lane_id();
        let mut depth = if i < n { change(text.read(i)) } else { 0 };
        for distance in [1, 2, 4, 8, 16] {
            // SAFETY: all 32 lanes are here.
            let (left, is_other) = unsafe { warp::warp_shuffle_up(FULL_WARP, depth, distance, WARP) };
            if is_other {
                depth += left;
            }
        }
        depth += before;
        if i < n {
            depths.write(i, depth);
        }
        // SAFETY: all 32 lanes are here.
        before = unsafe { warp::shfl_sync(FULL_WARP, depth, 31, WARP) };
        start += WARP;
    }
}
// ANCHOR_END: bracket_depths

// ANCHOR: depths_through_shared
/// Does the work of [`bracket_depths`](BracketDepths) through shared memory.
#[kernel(threads = WARP)]
pub fn depths_through_shared(text: Global<u8>, n: u32, depths: Global<i32>) {
    shared_array!(sums: [i32; WARP as usize]);
    let lane = warp::lane_id();
    let mut before = 0;
    let mut start = 0;
    while start < n {
        let i = start + lane;
        let mut depth = if i < n { change(text.read(i)) } else { 0 };
        for distance in [1, 2, 4, 8, 16] {
            sums.write(lane, depth);
            // SAFETY: all 32 lanes are here.
            unsafe { warp::sync_warp(FULL_WARP) };
            if lane >= distance {
                depth += sums.read(lane - distance);
            }
            // SAFETY: all 32 lanes are here.
            unsafe { warp::sync_warp(FULL_WARP) };
        }
        depth += before;
        if i < n {
            depths.write(i, depth);
        }
        sums.write(lane, depth);
        // SAFETY: all 32 lanes are here.
        unsafe { warp::sync_warp(FULL_WARP) };
        before = sums.read(31);
        // SAFETY: all 32 lanes are here.
        unsafe { warp::sync_warp(FULL_WARP) };
        start += WARP;
    }
}
// ANCHOR_END: depths_through_shared
