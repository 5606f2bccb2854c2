//! The second kernel runs the automaton of [`packed`](crate::search::packed) on the blocks of 64
//! symbols where an occurrence with one of the grams may end.
//!
//! An occurrence that contains a gram ends at most m + k - 1 symbols after the gram's first symbol.
//! So it ends in the gram's block or in one of the next blocks:
//!
//! ```text
//! grams begin in      0 0 1 0 0 0 1 0 0      one bit per block
//! searched            0 0 1 1 0 0 1 1 0      reach 1: m + k - 1 is up to 64
//! ```
//!
//! **Threads, memory.** A warp takes up to 32 tiles, one per lane, and lists the numbers of their
//! blocks to be searched in shared memory. Then each lane takes a block of the list, with the halo
//! before it that determines the ends in it, until the list is done. So no lane idles if the blocks
//! are few and scattered. If the list has more than half of all blocks, the warp divides its tiles
//! evenly instead: with t tiles a lane takes t neighbouring blocks, and processes only one halo for
//! all of them.
//!
//! **Cost.** 64 + m + k - 1 steps of the automaton per searched block; in the worst text little
//! more than one step per symbol.

use super::tiles::{BLOCK, TILE};
use crate::collectives::slots::{Slots, slots};
use crate::search::lane_runs::Automaton as _;
use crate::search::match_table::{self, MatchTable};
use crate::search::output::{COUNT, SearchOutput};
use crate::search::packed::Automaton;
use simt_std::integer::{funnel_shift_left, opaque};
use simt_std::prelude::*;

/// Warps per block.
pub const WARPS: u32 = 16;

/// Maximum number of tiles that a warp takes at a time.
pub const MAX_TILES: u32 = WARP;

/// Number of blocks per tile: one for each lane, so that a warp's lanes can divide its tiles
/// evenly.
const TILE_BLOCKS: u32 = (TILE / BLOCK) as u32;
const _: () = assert!(TILE_BLOCKS == WARP);

/// Bytes of shared memory for the list of a warp.
const LIST_BYTES: u32 = 4 * MAX_TILES * TILE_BLOCKS;

/// Bytes of shared memory per block.
const fn shared_bytes(words: usize) -> u32 {
    match_table::bytes(words) + WARPS * LIST_BYTES
}

/// Searches the blocks of a text where an occurrence may end. Launch: `blocks` blocks, any number.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct MarkedBlocks<const WORDS: usize, const LEVELS: usize> {
    /// The text: n symbols of one byte, 16 per word, padded with arbitrary bytes up to a multiple
    /// of 16.
    pub text: Global<U32x4>,
    /// n, at least 1.
    pub n: u64,
    /// First position whose ends are reported, a multiple of [`BLOCK`].
    pub first: u64,
    /// The tile of the first marks.
    pub first_tile: u64,
    /// The tile after the last one.
    pub end_tile: u64,
    /// Number of tiles that a warp takes at a time, 1 to [`MAX_TILES`].
    pub tiles_per_warp: u32,
    /// Number of blocks after a gram's own where its occurrence may end: (m + k - 1) / 64 of the
    /// longest pattern, rounded up; at most 32.
    pub reach: u32,
    /// Number of symbols before a block that determine the ends in it, a multiple of 16.
    pub halo: u32,
    /// Number of blocks of the launch.
    pub blocks: u32,
    /// Start marks of grams, in the format that [`grams`](super::grams) writes.
    pub marks: Global<U32x4>,
    /// 1 in the first bit of each pattern, as in [`Packed`](crate::search::packed::Packed).
    pub starts: [u32; WORDS],
    /// 1 in the last bit of each pattern.
    pub accepting: [u32; WORDS],
    /// The mismatch words, as in [`Packed`](crate::search::packed::Packed).
    pub table: Global<u32>,
    /// Destination and format of the results: counts and hits.
    pub output: SearchOutput,
}

/// Returns a word whose bit i is 1 if any of the bits 4 i to 4 i + 3 is.
#[inline(always)]
const fn any_of_four(bits: u32) -> u32 {
    let pairs = bits | bits >> 1;
    let fours = (pairs | pairs >> 2) & 0x1111_1111;
    let bytes = (fours | fours >> 3) & 0x0303_0303;
    let halves = (bytes | bytes >> 6) & 0x000f_000f;
    (halves | halves >> 12) & 0xff
}

/// Returns the blocks of a tile where a gram begins, from the marks per 16 symbols.
#[inline(always)]
const fn blocks_of(U32x4([a, b, c, d]): U32x4) -> u32 {
    any_of_four(a) | any_of_four(b) << 8 | any_of_four(c) << 16 | any_of_four(d) << 24
}

/// Returns a mask of the `count` low bits, at most 32.
#[inline(always)]
const fn low_bits(count: u32) -> u32 {
    if count >= 32 { !0 } else { (1 << count) - 1 }
}

impl<const WORDS: usize, const LEVELS: usize> MarkedBlocks<WORDS, LEVELS> {
    /// Returns the blocks of a tile to be searched.
    #[inline(always)]
    fn blocks_to_search(&self, tile: u64) -> u32 {
        let marks = |tile: u64| blocks_of(self.marks.read((tile - self.first_tile) as usize));
        let own = marks(tile);
        let before = if tile > self.first_tile { marks(tile - 1) } else { 0 };
        let mut all = own;
        for distance in 1..=self.reach {
            // At the distance of a whole tile, all blocks are from the preceding tile.
            all |= if distance < 32 { funnel_shift_left(before, own, distance) } else { before };
        }
        let first = tile * TILE;
        let blocks = |end: u64| end.saturating_sub(first).div_ceil(BLOCK).min(u64::from(TILE_BLOCKS)) as u32;
        all & low_bits(blocks(self.n)) & !low_bits(blocks(self.first))
    }

    /// Searches the positions from `first` on, a multiple of 64, up to `end`, with the halo before
    /// them. Returns the number of ends, and writes the hits unless the format is a count.
    #[inline(always)]
    fn search(&self, table: &MatchTable<WORDS>, first: u64, end: u64) -> u32 {
        let mut position = first.saturating_sub(u64::from(self.halo));
        let last = (self.n - 1) / 16;
        let read = |position: u64| self.text.read((position / 16).min(last) as usize);
        let mut automaton = Automaton::<WORDS, LEVELS>::new(self.starts);
        let mut count = 0;
        let mut next = read(position);
        while position < end {
            let U32x4(symbols) = next;
            next = read(position + 16);
            let before = automaton;
            automaton.seen = [!0; WORDS];
            unroll!(q in [0 1 2 3] {
                unroll!(j in [0 1 2 3] {
                    automaton.step(table.read(symbols[q as usize], j));
                });
            });
            if position >= first && automaton.has_seen(self.accepting) {
                automaton = before;
                // This case is rare. The symbols are read again, one by one.
                for j in 0..opaque(16) {
                    let word = self.text.cast::<u32>().read((position / 4) as usize + (j / 4) as usize);
                    automaton.step(table.read(word >> (8 * (j % 4)), 0));
                    if position + u64::from(j) < end {
                        count += automaton.put(&self.output, self.accepting, position + u64::from(j));
                    }
                }
            }
            position += 16;
        }
        count
    }
}

#[kernel(
    threads = WARPS * WARP,
    shared = shared_bytes(WORDS),
    instances = [
        marked_blocks_1_0: (1, 1), marked_blocks_1_1: (1, 2), marked_blocks_1_2: (1, 3), marked_blocks_1_3: (1, 4),
        marked_blocks_2_0: (2, 1), marked_blocks_2_1: (2, 2), marked_blocks_2_2: (2, 3), marked_blocks_2_3: (2, 4),
        marked_blocks_4_0: (4, 1), marked_blocks_4_1: (4, 2), marked_blocks_4_2: (4, 3), marked_blocks_4_3: (4, 4),
    ]
)]
pub fn marked_blocks<const WORDS: usize, const LEVELS: usize>(self: MarkedBlocks<WORDS, LEVELS>) {
    // SAFETY: all threads of the block reach this call.
    let table = unsafe { MatchTable::<WORDS>::load(self.table, WARPS) };
    let (lane, number) = (warp::lane_id(), thread::thread_idx_x() / WARP);
    let list = dynamic_shared_mem::<u8>().address() + match_table::bytes(WORDS) + number * LIST_BYTES;
    let list = Shared::<u32>::at(list);
    let at_a_time = u64::from(self.tiles_per_warp);
    let mut tile = self.first / TILE + u64::from(thread::block_idx_x() * WARPS + number) * at_a_time;
    let mut count = 0;
    while tile < self.end_tile {
        let own = tile + u64::from(lane);
        let mut blocks = 0;
        if lane < self.tiles_per_warp && own < self.end_tile {
            blocks = self.blocks_to_search(own);
        }
        // SAFETY: all lanes of the warp reach this call, and those below: they have the same tile.
        let Slots { first: mut slot, total } = slots!(blocks.count_ones());
        while blocks != 0 {
            list.write(slot, lane * TILE_BLOCKS + blocks.trailing_zeros());
            slot += 1;
            blocks &= blocks - 1;
        }
        // SAFETY: as above. Afterwards the list is complete.
        unsafe { warp::sync_warp(FULL_WARP) };
        let is_dense = 2 * total > TILE_BLOCKS * self.tiles_per_warp;
        let (runs, blocks) = if is_dense { (WARP, self.tiles_per_warp) } else { (total, 1) };
        let mut next = lane;
        while next < runs {
            let block = if is_dense { lane * blocks } else { list.read(next) };
            let first = tile * TILE + u64::from(block) * BLOCK;
            let end = (first + u64::from(blocks) * BLOCK).min(self.n);
            count += self.search(&table, first.max(self.first), end);
            next += WARP;
        }
        // SAFETY: as above. Afterwards the list may be overwritten.
        unsafe { warp::sync_warp(FULL_WARP) };
        tile += u64::from(self.blocks * WARPS) * at_a_time;
    }
    if self.output.format == COUNT {
        // SAFETY: all lanes of the warp reach this call.
        unsafe { self.output.put_count(count) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_bits_become_one() {
        assert_eq!(any_of_four(0x8040_2010), 0b1010_1010);
        assert_eq!(any_of_four(0x0000_000f), 1);
        assert_eq!((any_of_four(!0), any_of_four(0)), (0xff, 0));
        for bit in 0..32 {
            assert_eq!(any_of_four(1 << bit), 1 << (bit / 4), "{bit}");
        }
        assert_eq!(blocks_of(U32x4([1, 0xf0, 0, 1 << 31])), 1 | 1 << 9 | 1 << 31);
    }

    #[test]
    fn low_bits_of_a_word() {
        assert_eq!([0, 1, 31, 32, 33].map(low_bits), [0, 1, !0 >> 1, !0, !0]);
    }
}
