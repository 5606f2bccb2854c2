//! Chapter 10: a flag that is set too early, and blocks that wait without tickets.

use super::kernels::{PREFIX, TOTAL, look_back};
use simt_std::collective;
use simt_std::prelude::*;

// ANCHOR: flag_first
/// [`hand_over`](super::kernels::HandOver) with the flag before the data.
#[kernel(threads = 1)]
pub fn hand_over_flag_first(
    word: u32,
    tickets: Global<u32>,
    data: Global<u32>,
    flag: Global<u32>,
    received: Global<u32>,
) {
    if atomic::fetch_add(tickets, 0, 1) == 0 {
        atomic::store_release(flag, 0, 1);
        data.write(0, word);
    } else {
        while atomic::load_acquire(flag, 0) == 0 {}
        received.write(0, data.read(0));
    }
}
// ANCHOR_END: flag_first

/// [`line_ends`](super::kernels::LineEnds) with the block's number in place of a ticket.
#[kernel(threads = 128)]
pub fn line_ends_by_number(
    lengths: Global<u32>,
    n: u32,
    ends: Global<u32>,
    states: Global<u32>,
    totals: Global<u32>,
    prefixes: Global<u32>,
) {
    shared_array!(scratch: [u32; 4]);
    shared_array!(sum_before: [u32; 1]);
    let t = thread::thread_idx_x();
    let tile = thread::block_idx_x();
    let i = tile * 128 + t;
    let length = if i < n { lengths.read(i) } else { 0 };
    // SAFETY: all threads of the block are here.
    let in_tile = unsafe { collective::block_inclusive_scan(scratch, length, |a, b| a + b) };
    if t == 127 {
        let mut before = 0;
        if tile > 0 {
            totals.write(tile, in_tile);
            atomic::store_release(states, tile, TOTAL);
            before = look_back(tile, states, totals, prefixes);
        }
        prefixes.write(tile, before + in_tile);
        atomic::store_release(states, tile, PREFIX);
        sum_before.write(0, before);
    }
    // SAFETY: all threads of the block are here.
    unsafe { thread::sync_threads() };
    if i < n {
        ends.write(i, sum_before.read(0) + in_tile);
    }
}
