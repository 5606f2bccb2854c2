//! Prefix sums in one launch, with "decoupled look-back" after Merrill and Garland ("Single-pass
//! Parallel Prefix Scan with Decoupled Look-back", NVIDIA, 2016).
//!
//! The three launches of [`blelloch`](crate::blelloch) read and write every word twice. Here, each
//! block scans its tile and publishes the tile's total at once. It then computes the sum of all
//! earlier tiles by looking back at the blocks before it:
//!
//! ```text
//! tile          0          1          2          3
//! state         prefix 10  total 7    total 5    (this one looks back)
//!               10    +    7     +    5   =  22   comes before tile 3
//!               └─ a prefix is all that comes before and in the tile: here the look-back ends
//! ```
//!
//! A block publishes its prefix as soon as it knows it, so that later blocks need not look back
//! further.
//!
//! **Blocks wait for blocks**, and a GPU starts them in no guaranteed order. A block could wait for
//! ever for one that cannot start before the first one ends. So each block takes the next tile by
//! an atomic counter when it starts: the blocks that it waits for have then started before it.
//!
//! **Acquire and release.** A state is two words: a number, and a flag with the meaning of the
//! number. The writer writes the number and sets the flag by a release; the reader reads the flag
//! by an acquire, and therefore sees the number. With relaxed flags, the simulator reports a race.
//!
//! **Cost**: every word is read once and written once.

use simt_std::prelude::*;
use simt_std::warp::{lane_id, warp_id, warp_shuffle_up};

/// Number of threads of a block, and also words of a tile.
pub const THREADS: u32 = 256;

const WARPS: u32 = THREADS / WARP;

/// A tile's flag: its total is known.
const TOTAL: u32 = 1;

/// A tile's flag: the sum of all words up to its end is known.
const PREFIX: u32 = 2;

/// Returns the inclusive prefix sum over the lanes of a warp by doubling: in step s, each lane adds
/// the value of the lane s below it.
///
/// # Safety
/// All lanes of the warp are here.
#[inline(always)]
unsafe fn scan_warp(mut sum: u32) -> u32 {
    for s in [1, 2, 4, 8, 16] {
        // SAFETY: passed on to the caller.
        let (below, inside) = unsafe { warp_shuffle_up(FULL_WARP, sum, s, WARP) };
        if inside {
            sum += below;
        }
    }
    sum
}

/// The inclusive scan. Launch: ⌈n / [`THREADS`]⌉ blocks; `input` and `output` have n words;
/// `next_tile` is 0; `flags` has a 0 for each block; `totals` and `prefixes` have one word for each
/// block.
#[kernel(threads = THREADS)]
pub fn scan_look_back(
    /// The summands.
    input: Global<u32>,
    /// The sum up to and including each word; needs no initial value.
    output: Global<u32>,
    /// Number of words in `input`.
    n: u32,
    /// Number of tiles that blocks have taken.
    next_tile: Global<u32>,
    /// State of each tile: 0, 1 if its total is known, or 2 if its prefix is known.
    flags: Global<u32>,
    /// The sum of each tile; needs no initial value.
    totals: Global<u32>,
    /// The sum up to the end of each tile; needs no initial value.
    prefixes: Global<u32>,
) {
    shared_array!(warp_sums: [u32; WARPS as usize]);
    // Word 0: the tile; word 1: the sum of all earlier tiles.
    shared_array!(told: [u32; 2]);
    let t = thread::thread_idx_x();
    if t == 0 {
        told.write(0, atomic::fetch_add(next_tile, 0, 1));
    }
    // SAFETY: every thread of the block is here.
    unsafe { thread::sync_threads() };
    let tile = told.read(0);

    // Sums within the tile: first within the warps, then over the totals of the warps.
    let i = tile * THREADS + t;
    // SAFETY: all lanes are here.
    let in_warp = unsafe { scan_warp(if i < n { input.read(i as usize) } else { 0 }) };
    if lane_id() == WARP - 1 {
        warp_sums.write(warp_id(), in_warp);
    }
    // SAFETY: every thread of the block is here.
    unsafe { thread::sync_threads() };
    let below: u32 = (0..warp_id()).map(|w| warp_sums.read(w)).sum();
    let in_tile = below + in_warp;

    // The last thread knows the total.
    if t == THREADS - 1 {
        let tile = tile as usize;
        let before = if tile == 0 {
            0
        } else {
            totals.write(tile, in_tile);
            atomic::store_release(flags, tile, TOTAL);
            look_back(tile, flags, totals, prefixes)
        };
        prefixes.write(tile, before + in_tile);
        atomic::store_release(flags, tile, PREFIX);
        told.write(1, before);
    }
    // SAFETY: every thread of the block is here.
    unsafe { thread::sync_threads() };
    if i < n {
        output.write(i as usize, told.read(1) + in_tile);
    }
}

/// Returns the sum of all earlier tiles: adds their totals, back to a tile whose prefix is known.
#[inline(always)]
fn look_back(tile: usize, flags: Global<u32>, totals: Global<u32>, prefixes: Global<u32>) -> u32 {
    let mut sum = 0;
    let mut at = tile - 1;
    loop {
        match atomic::load_acquire(flags, at) {
            PREFIX => return sum + prefixes.read(at),
            TOTAL => {
                // Tile 0 has a prefix from the start, so there is always a tile before this one.
                sum += totals.read(at);
                at -= 1;
            }
            _ => {}
        }
    }
}
