//! Breaks of the repetition of a text: for each position, whether its symbol differs from the one p
//! later; for each tile, the position of the next break.
//!
//! A pattern with the period p begins at a position only if the text from there on repeats after p
//! symbols, for m - p symbols. A *break* is a position t whose symbol differs from the one at
//! t + p, or that has no symbol at t + p.
//!
//! ```text
//! text, p = 3    x a b c a b c a b c y y     the pattern abcabcab, m = 8, can begin where the
//! breaks         1 0 0 0 0 0 0 1 1 1 1 1     next break is at least m - p = 5 symbols later:
//!                                            at 1 and 2. It does begin at 1
//! ```
//!
//! [`BreakBits`] writes one bit per position. For patterns with m - p of more than a tile,
//! [`FirstBreaks`] finds the next break in a tile or in the tiles after it in its block of 1,024
//! tiles, and [`LaterBreaks`] the next break after each block.
//!
//! **Cost.** About 45 instructions per 16 symbols, and 35 more where a repetition may begin or end.
//! The symbols are loaded twice, but from memory only once if p is smaller than the cache. One bit
//! per symbol is written; the later kernels read only these bits.

use super::needle::Needle;
use super::sieve::TILE;
use crate::collectives::broadcast::broadcast;
use crate::collectives::first::{NONE, first};
use crate::collectives::suffix_min::suffix_min;
use simt_std::prelude::*;

/// Threads per block.
pub const THREADS: u32 = 256;

/// Number of tiles per block of [`FirstBreaks`].
pub const BLOCK_TILES: u32 = 1024;

/// Number of symbols per part.
const PART: u64 = 16;

/// Returns the bytes of four words that are not 0: byte i of word w is bit 4 w + i.
#[inline(always)]
fn bytes_that_differ(words: [u32; 4]) -> u32 {
    let mut bits = 0;
    unroll!(w in [0 1 2 3] {
        let word = words[w as usize];
        // The top bit of each byte that is not 0; then these four bits are moved next to one
        // another.
        let tops = (((word & 0x7f7f_7f7f) + 0x7f7f_7f7f) | word) & 0x8080_8080;
        bits |= ((tops >> 7).wrapping_mul(0x0020_4081) >> 21 & 0xf) << (4 * w);
    });
    bits
}

/// Writes the breaks of a text. Launch: any number of blocks.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct BreakBits {
    /// The text, and m; the rest of the pattern is not used.
    pub needle: Needle,
    /// The period p, less than n.
    pub period: u32,
    /// The bits of a symbol that count, in each of four bytes.
    pub significant_bits: u32,
    /// 1 if m - p is at least 32. Then a part of 16 symbols may be marked as all breaks if it and
    /// both its neighbours have breaks, because nothing that ends or begins in it repeats for so
    /// long.
    pub coarse: u32,
    /// The first tile.
    pub first_tile: u64,
    /// The tile after the last one. Symbols after the text's end are all breaks.
    pub end_tile: u64,
    /// Number of blocks of the launch.
    pub blocks: u32,
    /// Out: the bits of each part of 16 symbols; the first symbol has the lowest bit.
    pub bits: Global<u16>,
}

impl BreakBits {
    /// Returns the differing bits between a part's symbols and those a period later; arbitrary if
    /// the part is not in the text.
    #[inline(always)]
    fn differences(&self, part: u64) -> [u32; 4] {
        // No branch, so that the loads of all parts are in flight at once.
        let part = part.min((self.needle.n - 1) / PART);
        let U32x4(here) = self.needle.text.read(part as usize);
        let later = self.needle.sixteen(part * PART + u64::from(self.period));
        core::array::from_fn(|i| (here[i] ^ later[i]) & self.significant_bits)
    }
}

/// Number of rows of 32 parts per tile.
const ROWS: u32 = 4;

#[kernel(threads = THREADS)]
pub fn break_bits(self: BreakBits) {
    // Symbols from here on have no symbol a period later.
    let alone = self.needle.n - u64::from(self.period);
    let lane = warp::lane_id();
    let mut tile = self.first_tile + u64::from(thread::index_1d() / WARP);
    while tile < self.end_tile {
        let first = tile * (TILE / PART);
        let mut differ = [[0; 4]; ROWS as usize];
        unroll!(row in [0 1 2 3] {
            differ[row as usize] = self.differences(first + u64::from(row * WARP + lane));
        });
        // Lane 0 reads the part before the tile, the other lanes read the part after it.
        let beside = if lane == 0 { first.wrapping_sub(1) } else { first + u64::from(ROWS * WARP) };
        let [a, b, c, d] = self.differences(beside);
        // SAFETY: all lanes reach this call, and those below: they have the same tiles.
        let outside = unsafe { warp::warp_vote_ballot(FULL_WARP, a | b | c | d != 0) };
        // For each row, the lanes with breaks. Neighbours outside a row are the last lane of the
        // row before and the first lane of the row after.
        let mut lanes = [0; ROWS as usize];
        unroll!(row in [0 1 2 3] {
            let [a, b, c, d] = differ[row as usize];
            // SAFETY: as above.
            lanes[row as usize] = unsafe { warp::warp_vote_ballot(FULL_WARP, a | b | c | d != 0) };
        });
        unroll!(row in [0 1 2 3] {
            let own = lanes[row as usize];
            let before = if row == 0 { outside } else { lanes[row.max(1) as usize - 1] >> 31 };
            let after = if row == 3 { outside } else { lanes[(row as usize + 1) % 4] << 31 };
            let beside = (own << 1 | before & 1) & (own >> 1 | after & 1 << 31);
            let has = own >> lane & 1 != 0;
            let exact = has && (self.coarse == 0 || beside >> lane & 1 == 0);
            let mut breaks = if has { 0xffff } else { 0 };
            // SAFETY: as above.
            if unsafe { warp::warp_vote_any(FULL_WARP, exact) } && exact {
                breaks = bytes_that_differ(differ[row as usize]);
            }
            let part = first + u64::from(row * WARP + lane);
            if part * PART + PART > alone {
                breaks |= if part * PART < alone { 0xffff << (alone - part * PART) } else { 0xffff };
            }
            self.bits.write(part as usize, breaks as u16);
        });
        tile += u64::from(self.blocks * (THREADS / WARP));
    }
}

/// Finds the first break in each tile or in the tiles after it in its block. Launch: one thread per
/// tile.
#[kernel(threads = BLOCK_TILES)]
pub fn first_breaks(
    /// Break bits, 64 symbols per word, of the tiles and of the tile after them.
    bits: Global<u64>,
    /// The first tile.
    first_tile: u64,
    /// Number of tiles.
    count: u32,
    /// Out: for each tile the position of its first break, or of the first one in a later tile of
    /// the same block; [`NONE`] if there is none.
    next: Global<u32>,
    /// Out: for each block the position of its first break, or [`NONE`].
    of_blocks: Global<u32>,
) {
    shared_array!(firsts: [u32; 32]);
    let (lane, own_warp) = (warp::lane_id(), thread::thread_idx_x() / WARP);
    let first_of_warp = thread::block_idx_x() * BLOCK_TILES + own_warp * WARP;
    // A warp reads the 32 words of 64 symbols of each of its 32 tiles.
    let mut own = NONE;
    for i in 0..WARP {
        let tile = first_of_warp + i;
        let bits_here = if tile < count {
            bits.read(((first_tile + u64::from(tile)) * u64::from(WARP) + u64::from(lane)) as usize)
        } else {
            0
        };
        let here = ((first_tile + u64::from(tile)) * TILE + u64::from(lane * 64)) as u32 + bits_here.trailing_zeros();
        // SAFETY: all lanes of the warp reach this call.
        let found = unsafe { first(bits_here != 0, here) };
        if lane == i {
            own = found;
        }
    }
    // The minimum over this lane and all higher ones.
    // SAFETY: all lanes of the warp reach this call.
    own = unsafe { suffix_min(own) };
    if lane == 0 {
        firsts.write(own_warp, own);
    }
    // SAFETY: all threads of the block reach this call.
    unsafe { thread::sync_threads() };
    let mut least = firsts.read(lane);
    // SAFETY: all lanes of the warp reach this call.
    least = unsafe { suffix_min(least) };
    // SAFETY: as above.
    let after = unsafe { broadcast(least, (own_warp + 1) % WARP) };
    let after = if own_warp + 1 < WARP { after } else { NONE };
    if first_of_warp + lane < count {
        next.write((first_of_warp + lane) as usize, own.min(after));
    }
    if thread::thread_idx_x() == 0 {
        of_blocks.write(thread::block_idx_x() as usize, least);
    }
}

/// Finds for each block of tiles the first break after it. Launch: one block.
#[kernel(threads = WARP)]
pub fn later_breaks(
    /// For each block the position of its first break, or [`NONE`].
    of_blocks: Global<u32>,
    /// Number of blocks.
    count: u32,
    /// Out: for each block the position of the first break in the blocks after it, or [`NONE`].
    later: Global<u32>,
) {
    let lane = warp::lane_id();
    // Goes from the last 32 blocks to the first. `after` is the minimum over the blocks processed
    // so far.
    let mut after = NONE;
    let mut end = count.next_multiple_of(WARP);
    while end > 0 {
        let block = end - WARP + lane;
        let mut least = if block < count { of_blocks.read(block as usize) } else { NONE };
        // SAFETY: all lanes reach this call: they have the same blocks.
        least = unsafe { suffix_min(least) };
        // SAFETY: as above.
        let (higher, _) = unsafe { warp::warp_shuffle_down(FULL_WARP, least, 1, WARP) };
        if block < count {
            later.write(block as usize, if lane + 1 < WARP { higher.min(after) } else { after });
        }
        // SAFETY: as above.
        after = after.min(unsafe { broadcast(least, 0) });
        end -= WARP;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_become_bits() {
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..1000 {
            let bytes: [u8; 16] =
                core::array::from_fn(|_| [0, 0, 1, 0x7f, 0x80, 0x81, 0xff, random.u8(..)][random.usize(..8)]);
            let words = core::array::from_fn(|w| u32::from_le_bytes(core::array::from_fn(|b| bytes[4 * w + b])));
            let expected = (0..16).fold(0, |bits, i| bits | u32::from(bytes[i] != 0) << i);
            assert_eq!(bytes_that_differ(words), expected, "{bytes:?}");
        }
    }
}
