//! Search with mismatches only, for many patterns in one pass: at each place of the text the Hamming distance to each
//! pattern of up to 32 symbols, where the symbols in which no error is allowed are right. A CRISPR guide is such a
//! pattern: 20 bases with a few mismatches, and a PAM that must match.
//!
//! **Problem.** With insertions and deletions an occurrence may begin and end in many ways, and all bits of an automaton
//! are needed. With mismatches alone a place either fits or does not, and most places can be left out at once, since the
//! fixed symbols are not there.
//!
//! **Idea.** Of the text's symbols only *kinds* matter: two that no position of a pattern tells apart are of one kind. For DNA
//! these are A, C, G and T, and perhaps other codes. A *plane* is a word of bits, 1 where a symbol is of one kind:
//!
//! ```text
//! text           A G G T C A G A …      a lane's 32 symbols
//! plane of A     1 0 0 0 0 1 0 1 …
//! plane of G     0 1 1 0 0 0 1 0 …
//!
//! fixed          G at offset 1, G at offset 2
//! places         (G >> 1) & (G >> 2):   1 0 0 0 … the pattern may begin at bit 0: 32 places in a few instructions
//!
//! at a place     the planes from there on, 32 symbols, against those of a pattern: where its symbol is an A, and so on
//! matches        (A & a) | (C & c) | (G & g) | (T & t), and the errors are the pattern's free symbols less these bits
//! ```
//!
//! A lane's planes are followed by those of the next lane, which one shuffle a plane brings.
//!
//! **Groups.** Patterns of one length, k and fixed part are a *group*: their places are found together. Both strands of
//! guides are two groups: NGG is last in one and CCN first in the other.
//!
//! **Cost.** A symbol takes 3 instructions to become bits of planes. A fixed symbol takes 3 for each plane and 32 places. A
//! place that is left takes 8 instructions a pattern: 4 logic operations, a count of bits, a load and a comparison; and 5 more where
//! a free symbol is of another kind than those of A, C, G and T. Of 32 lanes all go on until the last one has no more places.

use crate::collectives::neighbours;
use crate::search::match_table::{Layout, MatchTable, SYMBOLS};
use crate::search::output::{COUNT, SearchOutput};
use simt_std::integer::funnel_shift_right;
use simt_std::prelude::*;

/// Planes of the text.
pub const PLANES: usize = 8;

/// Planes that are compared at a place for every group: those of A, C, G and T. The others are compared for *wide* groups alone, whose
/// patterns have free symbols of other kinds, as N is.
pub const NARROW: usize = 4;

/// Patterns of a pass at most: a hit has 8 bits for its pattern.
pub const MOST_PATTERNS: u32 = 256;

/// Symbols of a pattern at most.
pub const MOST_SYMBOLS: u32 = 32;

/// Symbols of a tile: what a warp takes at a time, 32 a lane.
pub const TILE: u64 = 1024;

/// Warps per block.
pub const WARPS: u32 = 8;

/// A group in the array of groups: two words of 16 bytes. The first has the numbers of its first pattern and the one after its last, of
/// its first fixed symbol and the one after its last; the second its m, the least number of free symbols that must match, how many free
/// symbols there are, and 1 if it is wide, else 0.
pub const GROUP_WORDS: usize = 2;

/// Searches a text. Launch: any number of blocks; their warps take `tiles_per_warp` tiles each, from `first_tile` on.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Mismatches {
    /// The text: n symbols of a byte, 16 a word; after the last one any, up to a whole tile.
    pub text: Global<U32x4>,
    /// n, at least 1.
    pub n: u64,
    /// Ends are wanted from this position on.
    pub first: u64,
    /// The first tile in which an occurrence that is wanted may begin.
    pub first_tile: u64,
    /// Tiles that each warp takes, at least 1.
    pub tiles_per_warp: u64,
    /// The planes of each symbol, as [`match_table`](crate::search::match_table) has words: 256 words for planes 0 to 3, of which
    /// bit 8 p is 1 if the symbol is of the kind of plane p, and 256 for planes 4 to 7.
    pub kinds: Global<u32>,
    /// The groups: [`GROUP_WORDS`] each.
    pub groups: Global<U32x4>,
    /// How many groups there are.
    pub group_count: u32,
    /// How many patterns there are, at most [`MOST_PATTERNS`].
    pub pattern_count: u32,
    /// The fixed symbols of the groups: the offset in the pattern, and from bit 8 on a bit for each plane whose symbols match.
    pub fixed: Global<u32>,
    /// For each pattern the free positions at which its symbol is in planes 0 to 3, and in a second word those for planes 4 to 7: bit
    /// i is position i.
    pub patterns: Global<U32x4>,
    /// For each pattern the number by which its hits are told.
    pub numbers: Global<u32>,
    /// Where results go: counts and hits.
    pub output: SearchOutput,
}

/// The planes of 32 symbols.
type Planes = [u32; PLANES];

impl Mismatches {
    /// The planes of this lane's 32 symbols of a tile.
    #[inline(always)]
    fn planes(&self, tile: u64, tiles: u64, table: MatchTable<2>) -> Planes {
        // After the last tile any symbols will do: what begins before n and ends after it is not told.
        let at = (tile.min(tiles - 1) * (TILE / 16)) as usize + 2 * warp::lane_id() as usize;
        // Of eight symbols byte p of a word has the bits of plane p.
        let mut eights = [[0u32; 2]; 4];
        unroll!(half in [0 1] {
            let U32x4(four) = self.text.read(at + half as usize);
            unroll!(q in [0 1 2 3] {
                unroll!(k in [0 1 2 3] {
                    let [low, high] = table.read(four[q as usize], k);
                    let eight = (2 * half + q / 2) as usize;
                    let shift = 4 * (q % 2) + k;
                    eights[eight][0] |= low << shift;
                    eights[eight][1] |= high << shift;
                });
            });
        });
        let mut planes = [0; PLANES];
        unroll!(p in [0 1 2 3 4 5 6 7] {
            unroll!(eight in [0 1 2 3] {
                let byte = eights[eight as usize][(p / 4) as usize] >> (8 * (p % 4)) & 0xff;
                planes[p as usize] |= byte << (8 * eight);
            });
        });
        planes
    }
}

/// The planes of the next lane; of lane 31 those of lane 0 in the next tile.
///
/// # Safety
/// All 32 lanes of the warp call it together.
#[inline(always)]
unsafe fn above(planes: &Planes, next: &Planes) -> Planes {
    let mut above = [0; PLANES];
    unroll!(p in [0 1 2 3 4 5 6 7] {
        // SAFETY: guaranteed by the caller.
        above[p as usize] = unsafe { neighbours::above(planes[p as usize], next[p as usize]) };
    });
    above
}

/// The bits of a plane from a place on: of this lane's 32 symbols and the next lane's.
#[inline(always)]
fn from_place(own: u32, above: u32, place: u32) -> u32 {
    funnel_shift_right(own, above, place)
}

/// The positions at which one of four planes has a symbol that the pattern has there.
#[inline(always)]
fn in_planes(window: [u32; NARROW], U32x4(kinds): U32x4) -> u32 {
    (window[0] & kinds[0]) | (window[1] & kinds[1]) | (window[2] & kinds[2]) | (window[3] & kinds[3])
}

#[kernel(threads = WARPS * WARP, shared = Layout::Banks.bytes(2, SYMBOLS))]
pub fn mismatches(self: Mismatches) {
    shared_array!(patterns: [U32x4; 512]);
    let mut i = thread::thread_idx_x();
    while i < 2 * self.pattern_count {
        patterns.write(i, self.patterns.read(i as usize));
        i += WARPS * WARP;
    }
    // SAFETY: all threads are here. The patterns are there as well when all have been at the barrier.
    let table = unsafe { MatchTable::<2>::load(self.kinds, WARPS) };
    let lane = warp::lane_id();
    let tiles = self.n.div_ceil(TILE);
    let number = u64::from(thread::block_idx_x() * WARPS + thread::thread_idx_x() / WARP);
    let mut tile = self.first_tile + number * self.tiles_per_warp;
    let end = (tile + self.tiles_per_warp).min(tiles);
    let mut count = 0;
    let mut own = self.planes(tile, tiles, table);
    while tile < end {
        let next = self.planes(tile + 1, tiles, table);
        // SAFETY: the whole warp is here: it has one number.
        let above = unsafe { above(&own, &next) };
        let lane_first = tile * TILE + u64::from(lane * 32);
        for group in 0..self.group_count as usize {
            let U32x4([first, last, first_fixed, last_fixed]) = self.groups.read(group * GROUP_WORDS);
            let U32x4([m, least, free, wide]) = self.groups.read(group * GROUP_WORDS + 1);
            let mut places = !0u32;
            for fixed in first_fixed..last_fixed {
                let symbol = self.fixed.read(fixed as usize);
                let (offset, kinds) = (symbol & 0xff, symbol >> 8);
                let mut matches = 0;
                unroll!(p in [0 1 2 3 4 5 6 7] {
                    // All ones if the plane's symbols match.
                    let wanted = (kinds >> p & 1).wrapping_neg();
                    matches |= from_place(own[p as usize], above[p as usize], offset) & wanted;
                });
                places &= matches;
            }
            while places != 0 {
                let place = places.trailing_zeros();
                places &= places - 1;
                // The position of the last symbol of an occurrence that begins at the place.
                let position = lane_first + u64::from(place + m - 1);
                if position < self.first || position >= self.n {
                    continue;
                }
                let mut window = [0; PLANES];
                unroll!(p in [0 1 2 3 4 5 6 7] {
                    window[p as usize] = from_place(own[p as usize], above[p as usize], place);
                });
                for pattern in first..last {
                    let mut matches =
                        in_planes([window[0], window[1], window[2], window[3]], patterns.read(2 * pattern));
                    if wide != 0 {
                        let others = [window[4], window[5], window[6], window[7]];
                        matches |= in_planes(others, patterns.read(2 * pattern + 1));
                    }
                    let matches = matches.count_ones();
                    if matches >= least {
                        if self.output.format == COUNT {
                            count += 1;
                        } else {
                            let slot = self.output.slots(1);
                            self.output.put_hit(slot, position, self.numbers.read(pattern as usize), free - matches);
                        }
                    }
                }
            }
        }
        own = next;
        tile += 1;
    }
    if self.output.format == COUNT {
        // SAFETY: all lanes of the warp reach this call.
        unsafe { self.output.put_count(count) };
    }
}
