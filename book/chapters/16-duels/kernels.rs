//! Chapter 16: exact search, at every position and by duels.

use simt_std::prelude::*;

// ANCHOR: begins_at
/// Returns true if the pattern begins at this position. It stops at the first difference.
#[inline(always)]
pub fn begins_at(text: Global<u8>, start: u32, pattern: Global<u8>, m: u32) -> bool {
    let mut k = 0;
    while k < m && text.read(start + k) == pattern.read(k) {
        k += 1;
    }
    k == m
}
// ANCHOR_END: begins_at

// ANCHOR: search_everywhere
/// Writes 1 to `found[i]` if the pattern begins at position i, else 0. Launch: `starts` / 256
/// blocks, rounded up; `starts` is n - m + 1, and `found` has as many elements.
#[kernel(threads = 256)]
pub fn search_everywhere(text: Global<u8>, pattern: Global<u8>, m: u32, starts: u32, found: Global<u8>) {
    let i = thread::index_1d();
    if i < starts {
        found.write(i, u8::from(begins_at(text, i, pattern, m)));
    }
}
// ANCHOR_END: search_everywhere

// ANCHOR: duel
/// Returns the position that remains of two that are less than ⌈m / 2⌉ apart.
#[inline(always)]
pub fn duel(text: Global<u8>, pattern: Global<u8>, witnesses: Global<u32>, one: u32, other: u32) -> u32 {
    let i = one.min(other);
    let j = one.max(other);
    let k = witnesses.read(j - i);
    if text.read(j + k) == pattern.read(k) { j } else { i }
}
// ANCHOR_END: duel

// ANCHOR: duel_rounds
/// Leaves one position of each group of `r` positions. Launch: `starts` / r blocks, rounded up; r
/// is ⌈m / 2⌉, at most 1,024; the pattern's period is more than m / 2; `winners` has an element for
/// each block.
#[kernel(max_threads = 1024, threads = r)]
pub fn duel_rounds(
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
            let winner = duel(text, pattern, witnesses, candidates.read(t), candidates.read(t + half));
            candidates.write(t, winner);
        }
        // SAFETY: all threads of the block are here, each with the same `size`.
        unsafe { thread::sync_threads() };
        size = half;
    }
    if t == 0 {
        winners.write(thread::block_idx_x(), candidates.read(0));
    }
}
// ANCHOR_END: duel_rounds

// ANCHOR: verify_winners
/// Writes 1 to `found[i]` if position i is a winner and the pattern begins there. Launch: `groups`
/// / 256 blocks, rounded up; `winners` has `groups` elements, and `found` is 0.
#[kernel(threads = 256)]
pub fn verify_winners(
    text: Global<u8>,
    pattern: Global<u8>,
    m: u32,
    winners: Global<u32>,
    groups: u32,
    found: Global<u8>,
) {
    let group = thread::index_1d();
    if group < groups {
        let start = winners.read(group);
        if begins_at(text, start, pattern, m) {
            found.write(start, 1);
        }
    }
}
// ANCHOR_END: verify_winners
