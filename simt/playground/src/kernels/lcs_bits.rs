//! The length of the longest common subsequence by bit vectors (Crochemore and others 2001, Hyyrö
//! 2004): a column of the table is one long number, and a step of the text is one addition. Each
//! thread holds 32 bits of it, and the carries cross the whole block.

use super::barrier;
use simt_std::prelude::*;

/// Returns the carry into this thread's word. `sum` is the thread's sum, and `carry` its carry out.
/// The warps' carries are in `slots` from `base` on: two words per warp.
///
/// # Safety
/// Every thread of the block is here.
#[inline(always)]
unsafe fn carry_in(slots: Shared<u32>, base: u32, sum: u32, carry: bool, waits: bool) -> u32 {
    // SAFETY: all lanes are here.
    let (generate, propagate) =
        unsafe { (warp::warp_vote_ballot(FULL_WARP, carry), warp::warp_vote_ballot(FULL_WARP, sum == u32::MAX)) };
    // An addition of the masks moves the carries through the lanes that pass them on.
    let chain = |first: u32| u64::from(propagate) + u64::from(generate) * 2 + u64::from(first);
    if warp::lane_id() == 0 {
        slots.write(base + 2 * warp::warp_id(), (chain(0) >> 32) as u32);
        slots.write(base + 2 * warp::warp_id() + 1, u32::from(propagate == u32::MAX));
    }
    // SAFETY: passed on to the caller.
    unsafe { barrier(waits) };
    let mut first = 0;
    for w in 0..warp::warp_id() {
        first = slots.read(base + 2 * w) | (slots.read(base + 2 * w + 1) & first);
    }
    ((chain(first) ^ u64::from(propagate)) >> warp::lane_id()) as u32 & 1
}

/// The last column of the table: the LCS's length is its number of zeros. Launch: one block of
/// whole warps.
#[kernel(max_threads = 256, threads = threads)]
pub fn lcs_bits(
    /// For each of the 4 symbols, the pattern's positions that have it: `threads` words.
    matches: Global<u32>,
    /// The text, of symbols 0 to 3.
    text: Global<u32>,
    /// Length of the text.
    n: u32,
    /// The last column: `threads` words.
    column: Global<u32>,
    /// True: the warps' carries of two steps are in different slots.
    two_slots: bool,
    /// True: the block waits between writing the carries and reading them.
    waits: bool,
    /// Threads of a block.
    threads: u32,
) {
    shared_array!(slots: [u32; 32]);
    let t = thread::thread_idx_x();
    let mut bits = u32::MAX;
    for j in 0..n {
        let symbol = text.read(j as usize);
        let mask = matches.read((symbol * threads + t) as usize);
        let (sum, carry) = bits.overflowing_add(bits & mask);
        // A fast warp may be a step ahead of a slow one, and must not overwrite what that reads.
        let base = if two_slots { j % 2 * 2 * (threads / WARP) } else { 0 };
        // SAFETY: every thread of the block is here.
        let first = unsafe { carry_in(slots, base, sum, carry, waits) };
        bits = sum.wrapping_add(first) | (bits & !mask);
    }
    column.write(t as usize, bits);
}
