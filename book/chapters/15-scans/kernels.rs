//! Chapter 15: exact search by Shift-Or, as a scan of a block.

use simt_std::prelude::*;

// ANCHOR: scan
/// Returns the state at the thread's symbol, whose mask is `mask`. `states` has an element for each
/// thread of the block; m is 1 to 32.
///
/// # Safety
/// All threads of the block call it, with the same m.
#[inline(always)]
pub unsafe fn scan(states: Shared<u32>, mask: u32, m: u32) -> u32 {
    let t = thread::thread_idx_x();
    // The state is that of the last `symbols` symbols.
    let (mut state, mut symbols) = (mask, 1);
    while symbols < m {
        states.write(t, state);
        // All have written before any reads.
        // SAFETY: all threads of the block are here, each with the same `symbols`.
        unsafe { thread::sync_threads() };
        let before = if t >= symbols { states.read(t - symbols) } else { u32::MAX };
        // All have read before any writes again.
        // SAFETY: as above.
        unsafe { thread::sync_threads() };
        state |= before << symbols;
        symbols *= 2;
    }
    state
}
// ANCHOR_END: scan

// ANCHOR: shift_or_by_scan
/// Writes 1 to `ends[j]` if an occurrence of the pattern ends at symbol j, else 0. Bit i of
/// `masks[c]` is 0 if the pattern's symbol i is c. Launch: one block, and one more for each 257 - m
/// symbols beyond the first 256, rounded up; `masks` has 256 elements, `text` and `ends` have n, at
/// most 2^31; m is 1 to 32.
#[kernel(threads = 256)]
pub fn shift_or_by_scan(masks: Global<u32>, text: Global<u8>, n: u32, m: u32, ends: Global<u8>) {
    shared_array!(table: [u32; 256]);
    shared_array!(states: [u32; 256]);
    let t = thread::thread_idx_x();
    table.write(t, masks.read(t));
    // SAFETY: all threads of the block are here.
    unsafe { thread::sync_threads() };
    let block = thread::block_idx_x();
    let at = block * (257 - m) + t;
    let mask = if at < n { table.read(text.read(at)) } else { u32::MAX };
    // SAFETY: all threads of the block are here.
    let state = unsafe { scan(states, mask, m) };
    if at < n && (block == 0 || t >= m - 1) {
        ends.write(at, u8::from(state >> (m - 1) & 1 == 0));
    }
}
// ANCHOR_END: shift_or_by_scan

// ANCHOR: copies
/// `shift_or_by_scan` with several copies of the table: copy c of the mask of symbol s is word `s
/// * copies + c`. Launch: as there; `copies` is a power of two, at most 32.
#[kernel(threads = 256)]
pub fn shift_or_with_copies(masks: Global<u32>, text: Global<u8>, n: u32, m: u32, copies: u32, ends: Global<u8>) {
    shared_array!(table: [u32; 256 * 32]);
    shared_array!(states: [u32; 256]);
    let t = thread::thread_idx_x();
    for i in (t..256 * copies).step_by(256) {
        table.write(i, masks.read(i / copies));
    }
    // SAFETY: all threads of the block are here.
    unsafe { thread::sync_threads() };
    let block = thread::block_idx_x();
    let at = block * (257 - m) + t;
    let mask = if at < n { table.read(u32::from(text.read(at)) * copies + t % copies) } else { u32::MAX };
    // SAFETY: all threads of the block are here.
    let state = unsafe { scan(states, mask, m) };
    if at < n && (block == 0 || t >= m - 1) {
        ends.write(at, u8::from(state >> (m - 1) & 1 == 0));
    }
}
// ANCHOR_END: copies
