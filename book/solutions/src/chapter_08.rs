//! Solutions of chapter 8: warps.

use simt_std::prelude::*;

// ANCHOR: equal_symbols
/// Exercise `equal_symbols`: `counts[b]` is the number of positions i, of the 32 of block b, at
/// which `first[i]` and `second[i]` are equal. Launch: n / 32 blocks, rounded up; `first` and
/// `second` have n symbols, `counts` has an element for each block; n < 2^31.
#[kernel(threads = WARP)]
pub fn equal_symbols(first: Global<u8>, second: Global<u8>, n: u32, counts: Global<u32>) {
    let i = thread::index_1d();
    let is_equal = i < n && first.read(i) == second.read(i);
    // SAFETY: all 32 lanes are here.
    let equal = unsafe { warp::warp_vote_ballot(FULL_WARP, is_equal) };
    if warp::lane_id() == 0 {
        counts.write(thread::block_idx_x(), equal.count_ones());
    }
}
// ANCHOR_END: equal_symbols

// ANCHOR: spaces_of_warps
/// Exercise `spaces_of_warps`: warp w of block b writes the number of spaces among its symbols to
/// `counts[3 * b + w]`. Launch: n / 80 blocks, rounded up; `text` has n symbols, `counts` 3
/// elements for each block; n < 2^31.
#[kernel(threads = 80)]
pub fn spaces_of_warps(text: Global<u8>, n: u32, counts: Global<u32>) {
    let i = thread::index_1d();
    let is_space = i < n && text.read(i) == b' ';
    // SAFETY: all lanes of the warp are here: 32, or 16 in the last warp.
    let spaces = unsafe { warp::warp_vote_ballot(warp::warp_mask(), is_space) };
    if warp::lane_id() == 0 {
        counts.write(3 * thread::block_idx_x() + warp::warp_id(), spaces.count_ones());
    }
}
// ANCHOR_END: spaces_of_warps

// ANCHOR: run_heads
/// Exercise `run_heads`: bit j of `heads[b]` is 1 if a run of equal symbols starts at position 32 b
/// + j. Launch: n / 32 blocks, rounded up; `text` has n symbols, `heads` an element for each block;
/// n < 2^31.
#[kernel(threads = WARP)]
pub fn run_heads(text: Global<u8>, n: u32, heads: Global<u32>) {
    let i = thread::index_1d();
    let symbol = if i < n { u32::from(text.read(i)) } else { 0 };
    // SAFETY: all 32 lanes are here.
    let (left, is_other) = unsafe { warp::warp_shuffle_up(FULL_WARP, symbol, 1, WARP) };
    let is_head = if is_other { symbol != left } else { i == 0 || symbol != u32::from(text.read(i - 1)) };
    // SAFETY: all 32 lanes are here.
    let ballot = unsafe { warp::warp_vote_ballot(FULL_WARP, i < n && is_head) };
    if warp::lane_id() == 0 {
        heads.write(thread::block_idx_x(), ballot);
    }
}
// ANCHOR_END: run_heads

// ANCHOR: sort_32
/// Exercise `sort_32`: sorts each 32 numbers in place by odd-even exchange. Launch: a block for
/// each 32 numbers.
#[kernel(threads = WARP)]
pub fn sort_32(numbers: Global<u32>) {
    let lane = warp::lane_id();
    let i = thread::index_1d();
    let mut number = numbers.read(i);
    for round in 0..32 {
        let is_lower = (lane + round).is_multiple_of(2);
        // In odd rounds, lanes 0 and 31 are their own partners.
        let partner = if is_lower { (lane + 1).min(31) } else { lane.saturating_sub(1) };
        // SAFETY: all 32 lanes are here.
        let other = unsafe { warp::shfl_sync(FULL_WARP, number, partner, WARP) };
        number = if is_lower { number.min(other) } else { number.max(other) };
    }
    numbers.write(i, number);
}
// ANCHOR_END: sort_32
