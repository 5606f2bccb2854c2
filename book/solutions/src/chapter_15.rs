//! Solutions of chapter 15: Mitani, Ino, Hagihara 2017: scans.

use simt_std::prelude::*;

/// The effect of a part of the text on the state of Shift-Or: `state << symbols | mask`. After 32
/// symbols or more, nothing is left of the state before them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Segment {
    /// Length of the part.
    pub symbols: u32,
    /// The bits that the part sets.
    pub mask: u32,
}

// ANCHOR: combine
/// Exercise `combine`: returns the effect of `first`, followed by `second`.
#[inline(always)]
pub fn combine(first: Segment, second: Segment) -> Segment {
    let shifted = if second.symbols < 32 { first.mask << second.symbols } else { 0 };
    Segment { symbols: first.symbols + second.symbols, mask: shifted | second.mask }
}
// ANCHOR_END: combine

// ANCHOR: states_of_32
/// Exercise `states_of_32`: `states[j]` is the state of Shift-Or at each of 256 symbols, for a
/// pattern of 32 symbols; `masks[j]` is the mask of symbol j. Before the first symbol, all bits of
/// the state are 1. Scan with `combine`, with one barrier a step: write to the two halves of
/// `buffers` by turns. Launch: one block.
#[kernel(threads = 256)]
pub fn states_of_32(masks: Global<u32>, states: Global<u32>) {
    shared_array!(buffers: [u32; 512]);
    let t = thread::thread_idx_x();
    let mut segment = Segment { symbols: 1, mask: masks.read(t) };
    for step in 0..5 {
        // The other half may still be read.
        let half = step % 2 * 256;
        buffers.write(half + t, segment.mask);
        // SAFETY: all threads of the block are here.
        unsafe { thread::sync_threads() };
        let distance = 1 << step;
        if t >= distance {
            let symbols = distance.min(t - distance + 1);
            let mask = buffers.read(half + t - distance);
            segment = combine(Segment { symbols, mask }, segment);
        }
    }
    let before = Segment { symbols: 0, mask: u32::MAX };
    states.write(t, combine(before, segment).mask);
}
// ANCHOR_END: states_of_32

// ANCHOR: warp_search
/// Exercise `warp_search`: writes 1 to `ends[j]` if an occurrence of the pattern ends at symbol j,
/// else 0. A block is one warp, and scans by shuffles, without shared memory. Launch: one block,
/// and one more for each 33 - m symbols beyond the first 32, rounded up; the arrays are as in
/// `shift_or_by_scan`; m is 1 to 16, and n at most 2^31.
#[kernel(threads = 32)]
pub fn warp_search(masks: Global<u32>, text: Global<u8>, n: u32, m: u32, ends: Global<u8>) {
    let (block, lane) = (thread::block_idx_x(), warp::lane_id());
    let at = block * (33 - m) + lane;
    let mut state = if at < n { masks.read(text.read(at)) } else { u32::MAX };
    let mut symbols = 1;
    while symbols < m {
        // SAFETY: all 32 lanes are here, each with the same `symbols`.
        let (before, is_there) = unsafe { warp::warp_shuffle_up(FULL_WARP, state, symbols, WARP) };
        let before = if is_there { before } else { u32::MAX };
        state |= before << symbols;
        symbols *= 2;
    }
    if at < n && (block == 0 || lane >= m - 1) {
        ends.write(at, u8::from(state >> (m - 1) & 1 == 0));
    }
}
// ANCHOR_END: warp_search

/// Returns the state at the thread's symbol, as in the chapter.
///
/// # Safety
/// All threads of the block call it, with the same m.
#[inline(always)]
pub unsafe fn scan(states: Shared<u32>, mask: u32, m: u32) -> u32 {
    let t = thread::thread_idx_x();
    let (mut state, mut symbols) = (mask, 1);
    while symbols < m {
        states.write(t, state);
        // SAFETY: all threads of the block are here, each with the same `symbols`.
        unsafe { thread::sync_threads() };
        let before = if t >= symbols { states.read(t - symbols) } else { u32::MAX };
        // SAFETY: as above.
        unsafe { thread::sync_threads() };
        state |= before << symbols;
        symbols *= 2;
    }
    state
}

// ANCHOR: one_mismatch
/// Exercise `one_mismatch`: writes 1 to `ends[j]` if the last m symbols differ from the pattern in
/// at most one position, else 0. Wu and Manber's state for one mismatch is
///
/// ```text
/// state = (state << 1 | mask) & (exact << 1)
/// ```
///
/// where `exact` is the state of Shift-Or at the symbol before. The kernel computes `exact` for all
/// symbols: scan the second state. Its effects are pairs of words: bits to keep, then bits to set.
/// Launch: as `shift_or_by_scan`.
#[kernel(threads = 256)]
pub fn one_mismatch(masks: Global<u32>, text: Global<u8>, n: u32, m: u32, ends: Global<u8>) {
    shared_array!(table: [u32; 256]);
    shared_array!(states: [u32; 256]);
    shared_array!(keeps: [u32; 256]);
    shared_array!(sets: [u32; 256]);
    let t = thread::thread_idx_x();
    table.write(t, masks.read(t));
    // SAFETY: all threads of the block are here.
    unsafe { thread::sync_threads() };
    let block = thread::block_idx_x();
    let at = block * (257 - m) + t;
    let mask = if at < n { table.read(text.read(at)) } else { u32::MAX };
    // SAFETY: all threads of the block are here.
    let exact = unsafe { scan(states, mask, m) };
    states.write(t, exact);
    // SAFETY: all threads of the block are here.
    unsafe { thread::sync_threads() };
    let before = if t > 0 { states.read(t - 1) } else { u32::MAX };
    // A symbol's effect: `(state << 1) & keep | set`.
    let mut keep = before << 1;
    let mut set = mask & keep;
    let mut symbols = 1;
    while symbols < m {
        keeps.write(t, keep);
        sets.write(t, set);
        // SAFETY: all threads of the block are here, each with the same `symbols`.
        unsafe { thread::sync_threads() };
        // Before the block, all bits of the state are 1.
        let (mut first_keep, mut first_set) = (0, u32::MAX);
        if t >= symbols {
            first_keep = keeps.read(t - symbols);
            first_set = sets.read(t - symbols);
        }
        // SAFETY: as above.
        unsafe { thread::sync_threads() };
        set |= first_set << symbols & keep;
        keep &= first_keep << symbols;
        symbols *= 2;
    }
    let state = set;
    if at < n && (block == 0 || t >= m - 1) {
        ends.write(at, u8::from(state >> (m - 1) & 1 == 0));
    }
}
// ANCHOR_END: one_mismatch
