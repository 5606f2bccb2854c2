//! Prefix sums in one launch: each block waits for the blocks before it ("decoupled look-back",
//! Merrill and Garland 2016). A release and an acquire order a tile's sum before its flag.

use simt_std::prelude::*;

/// Flag of a tile whose total is known, and of one whose prefix is known.
const TOTAL: u32 = 1;
const PREFIX: u32 = 2;

/// The global state of the look-back; every array has a word per block.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Tiles {
    /// 0, [`TOTAL`] or [`PREFIX`].
    pub flags: Global<u32>,
    /// The sum of each tile.
    pub totals: Global<u32>,
    /// The sum up to each tile's end.
    pub prefixes: Global<u32>,
    /// Number of tiles that blocks have taken: one word.
    pub next: Global<u32>,
}

/// Sets a tile's flag.
#[inline(always)]
#[track_caller]
fn set(flags: Global<u32>, tile: usize, flag: u32, ordered: bool) {
    if ordered { atomic::store_release(flags, tile, flag) } else { atomic::store(flags, tile, flag) }
}

/// Returns the sum of all earlier tiles.
#[inline(always)]
fn look_back(tiles: Tiles, tile: usize, ordered: bool) -> u32 {
    let (mut sum, mut at) = (0, tile - 1);
    loop {
        let flag = if ordered { atomic::load_acquire(tiles.flags, at) } else { atomic::load(tiles.flags, at) };
        match flag {
            PREFIX => return sum + tiles.prefixes.read(at),
            TOTAL => {
                sum += tiles.totals.read(at);
                at -= 1;
            }
            _ => {}
        }
    }
}

/// The inclusive prefix sums. Launch: ⌈n / `threads`⌉ blocks; `input` and `output` have n words;
/// flags and `next` are 0; `threads` is a multiple of 32.
#[kernel(max_threads = 128, threads = threads)]
pub fn scan_look_back(
    /// The summands.
    input: Global<u32>,
    /// The sum up to each word.
    output: Global<u32>,
    /// Number of words.
    n: u32,
    /// The state of all tiles.
    tiles: Tiles,
    /// True: flags are released and acquired.
    ordered: bool,
    /// True: a counter gives each block the next tile when it starts.
    counted: bool,
    /// Threads of a block.
    threads: u32,
) {
    shared_array!(sums: [u32; 128]);
    // Word 0: the tile; word 1: the sum of all earlier tiles.
    shared_array!(told: [u32; 2]);
    let t = thread::thread_idx_x();
    if t == 0 {
        let tile = if counted { atomic::fetch_add(tiles.next, 0, 1) } else { thread::block_idx_x() };
        told.write(0, tile);
    }
    // SAFETY: every thread of the block is here.
    unsafe { thread::sync_threads() };
    let tile = told.read(0);
    let i = tile * threads + t;
    let own = if i < n { input.read(i as usize) } else { 0 };

    // Sums within the tile, by doubling.
    sums.write(t, own);
    let (mut sum, mut s) = (own, 1);
    while s < threads {
        // SAFETY: every thread of the block is here.
        unsafe { thread::sync_threads() };
        let before = if t >= s { sums.read(t - s) } else { 0 };
        // SAFETY: as above.
        unsafe { thread::sync_threads() };
        sum += before;
        sums.write(t, sum);
        s *= 2;
    }

    // The last thread knows the total.
    if t == threads - 1 {
        let tile = tile as usize;
        let mut before = 0;
        if tile > 0 {
            tiles.totals.write(tile, sum);
            set(tiles.flags, tile, TOTAL, ordered);
            before = look_back(tiles, tile, ordered);
        }
        tiles.prefixes.write(tile, before + sum);
        set(tiles.flags, tile, PREFIX, ordered);
        told.write(1, before);
    }
    // SAFETY: every thread of the block is here.
    unsafe { thread::sync_threads() };
    if i < n {
        output.write(i as usize, told.read(1) + sum);
    }
}
