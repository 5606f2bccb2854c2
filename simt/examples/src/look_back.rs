//! Prefix sums in one launch, with "decoupled look-back" after Merrill and Garland ("Single-pass Parallel Prefix Scan
//! with Decoupled Look-back", NVIDIA, 2016).
//!
//! The three launches of [`blelloch`](crate::blelloch) read and write every word twice. Here each block scans its
//! tile, tells the others its total at once, and finds what comes before its tile by looking back at the blocks in
//! front of it:
//!
//! ```text
//! tile          0          1          2          3
//! state         prefix 10  total 7    total 5    (this one looks back)
//!               10    +    7     +    5   =  22   comes before tile 3
//!               └─ a prefix is all that comes before and in the tile: here the look-back ends
//! ```
//!
//! As soon as a block knows its prefix it tells it, so that those behind it need not go further back.
//!
//! **Blocks wait for blocks**, and a GPU starts them in no promised order: if a block waited for one that gets no
//! place on the GPU before the first has ended, they would wait for ever. So a block takes the next tile by an atomic
//! counter when it starts: whom it waits for has started before it.
//!
//! **Acquire and release.** A state is two words: a number, then a flag that says what it is. The writer writes the
//! number and raises the flag by a release; the reader reads the flag by an acquire, and so sees the number. With
//! relaxed flags the simulator reports a race.
//!
//! **Cost**: every word is read once and written once.

use simt_std::prelude::*;
use simt_std::warp::{lane_id, warp_id, warp_shuffle_up};

/// Threads of a block, and words of a tile.
pub const THREADS: u32 = 256;

const WARPS: u32 = THREADS / WARP;

/// A tile's flag: its total is known.
const TOTAL: u32 = 1;

/// A tile's flag: the sum of all words up to its end is known.
const PREFIX: u32 = 2;

/// The inclusive sum over the lanes of a warp: in step s each adds what the lane s below it has, by doubling.
///
/// # Safety
/// All lanes of the warp are here.
#[inline(always)]
unsafe fn scan_warp(mut sum: u32) -> u32 {
    for s in [1, 2, 4, 8, 16] {
        // SAFETY: the caller's.
        let (below, inside) = unsafe { warp_shuffle_up(FULL_WARP, sum, s, WARP) };
        if inside {
            sum += below;
        }
    }
    sum
}

/// The inclusive scan. Launch: ⌈n / [`THREADS`]⌉ blocks; `input` and `output` have n words, `next_tile` is 0, `flags`
/// has a 0 for each block, `totals` and `prefixes` a word for each.
#[kernel(threads = THREADS)]
pub fn scan_look_back(
    /// What is added up.
    input: Global<u32>,
    /// The sums up to each word; needs no initial value.
    output: Global<u32>,
    /// Words of `input`.
    n: u32,
    /// Tiles that blocks have taken.
    next_tile: Global<u32>,
    /// What is known of each tile.
    flags: Global<u32>,
    /// The sum of each tile; needs no initial value.
    totals: Global<u32>,
    /// The sum up to the end of each tile; needs no initial value.
    prefixes: Global<u32>,
) {
    shared_array!(warp_sums: [u32; WARPS as usize]);
    // The tile; later, what comes before it.
    shared_array!(told: [u32; 2]);
    let t = thread::thread_idx_x();
    if t == 0 {
        told.write(0, atomic::fetch_add(next_tile, 0, 1));
    }
    // SAFETY: every thread of the block is here.
    unsafe { thread::sync_threads() };
    let tile = told.read(0);

    // The tile's own sums: within the warps, then the totals of the warps.
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

/// What comes before a tile: the totals of the tiles in front of it, back to one whose prefix is known.
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
