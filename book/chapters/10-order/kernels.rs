//! Chapter 10: a word from block to block, and prefix sums in one launch.

use simt_std::collective;
use simt_std::prelude::*;

// ANCHOR: hand_over
/// One block hands `word` to the other, which writes it to `received`. The block that draws ticket
/// 0 is the sender. Launch: 2 blocks; each array has one element, and `tickets` and `flag` are 0.
#[kernel(threads = 1)]
pub fn hand_over(word: u32, tickets: Global<u32>, data: Global<u32>, flag: Global<u32>, received: Global<u32>) {
    if atomic::fetch_add(tickets, 0, 1) == 0 {
        data.write(0, word);
        atomic::store_release(flag, 0, 1);
    } else {
        while atomic::load_acquire(flag, 0) == 0 {}
        received.write(0, data.read(0));
    }
}
// ANCHOR_END: hand_over

/// State of a tile: its total is known.
pub const TOTAL: u32 = 1;

/// State of a tile: its prefix is known, the sum of all numbers up to its end.
pub const PREFIX: u32 = 2;

// ANCHOR: line_ends
/// `ends[i]` is the sum of `lengths[0]` to `lengths[i]`. Launch: n / 128 blocks, rounded up;
/// `lengths` and `ends` have n elements, the other arrays one for each block; `tickets[0]` and all
/// `states` are 0; the sum of all lengths is below 2^32.
#[kernel(threads = 128)]
pub fn line_ends(
    lengths: Global<u32>,
    n: u32,
    ends: Global<u32>,
    tickets: Global<u32>,
    states: Global<u32>,
    totals: Global<u32>,
    prefixes: Global<u32>,
) {
    shared_array!(scratch: [u32; 4]);
    shared_array!(tile_and_before: [u32; 2]);
    let t = thread::thread_idx_x();
    if t == 0 {
        tile_and_before.write(0, atomic::fetch_add(tickets, 0, 1));
    }
    // SAFETY: all threads of the block are here.
    unsafe { thread::sync_threads() };
    let tile = tile_and_before.read(0);
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
        tile_and_before.write(1, before);
    }
    // SAFETY: all threads of the block are here.
    unsafe { thread::sync_threads() };
    if i < n {
        ends.write(i, tile_and_before.read(1) + in_tile);
    }
}
// ANCHOR_END: line_ends

// ANCHOR: look_back
/// Returns the sum of all tiles before `tile`: adds totals, back to a tile whose prefix is known.
#[inline(always)]
pub fn look_back(tile: u32, states: Global<u32>, totals: Global<u32>, prefixes: Global<u32>) -> u32 {
    let mut sum = 0;
    let mut at = tile - 1;
    loop {
        match atomic::load_acquire(states, at) {
            PREFIX => return sum + prefixes.read(at),
            TOTAL => {
                // Tile 0 has a prefix and no total, so a tile before this one exists.
                sum += totals.read(at);
                at -= 1;
            }
            _ => {}
        }
    }
}
// ANCHOR_END: look_back
