//! Search with mismatches only, for many patterns in one pass: at each position of the text the
//! kernel computes the Hamming distance to each pattern of up to 32 symbols, if the pattern's fixed
//! symbols, which allow no error, match. A CRISPR guide is such a pattern: 20 bases with a few
//! mismatches, and a PAM that must match.
//!
//! **Problem.** With insertions and deletions an occurrence may begin and end in many ways, and all
//! bits of an automaton are needed. With mismatches alone a start position either fits or does not,
//! and most positions can be dropped at once, because the fixed symbols do not match there.
//!
//! **Idea.** Only the *kind* of a symbol matters: symbols that no position of a pattern
//! distinguishes have the same kind. For DNA the kinds are A, C, G and T, and perhaps other codes.
//! A *plane* is a word of bits, 1 where a symbol is of one kind:
//!
//! ```text
//! text           A G G T C A G A …      a lane's 32 symbols
//! plane of A     1 0 0 0 0 1 0 1 …
//! plane of G     0 1 1 0 0 0 1 0 …
//!
//! fixed          G at offset 1, G at offset 2
//! places         (G >> 1) & (G >> 2):   1 0 0 0 …     the pattern may begin at bit 0:
//!                                                     32 positions in a few instructions
//!
//! at a start     the planes from there on, 32 symbols, against those of the pattern:
//!                where its symbol is an A, and so on
//! matches        (A & a) | (C & c) | (G & g) | (T & t); the errors are the free symbols
//!                minus the number of these bits
//! ```
//!
//! A lane's planes continue in those of the next lane, which one shuffle per plane fetches.
//!
//! **Groups.** Patterns with the same length, k and fixed part form a *group*: their candidate
//! positions are found together. The two strands of guides are two groups: NGG is last in one and
//! CCN first in the other.
//!
//! **Cost.** A symbol takes 3 instructions to become bits of planes. A fixed symbol takes 3 for
//! each plane and 32 positions. A candidate position takes 8 instructions per pattern: 4 logic
//! operations, a count of bits, a load and a comparison; and 5 more if a free symbol is of another
//! kind than those of A, C, G and T. A warp continues until the last of its 32 lanes has no
//! candidates left.

use crate::collectives::neighbours;
use crate::search::match_table::{Layout, MatchTable, SYMBOLS};
use crate::search::output::{COUNT, SearchOutput};
use simt_std::integer::funnel_shift_right;
use simt_std::prelude::*;

/// Number of planes of the text.
pub const PLANES: usize = 8;

/// Number of planes that are compared for every group: those of A, C, G and T. The others are
/// compared only for *wide* groups, whose patterns have free symbols of other kinds, such as N.
pub const NARROW: usize = 4;

/// Maximum number of patterns per pass: a hit has 8 bits for its pattern.
pub const MAX_PATTERNS: u32 = 256;

/// Maximum length of a pattern, in symbols.
pub const MAX_SYMBOLS: u32 = 32;

/// Number of symbols per tile: a warp processes a tile at a time, 32 symbols per lane.
pub const TILE: u64 = 1024;

/// Warps per block.
pub const WARPS: u32 = 8;

/// Number of 16-byte words per group in the array of groups. The first word has the range of the
/// group's patterns and the range of its fixed symbols, each as first index and end (exclusive).
/// The second has m, the minimum number of free symbols that must match, the number of free
/// symbols, and 1 if the group is wide, else 0.
pub const GROUP_WORDS: usize = 2;

/// Searches a text. Launch: any number of blocks; each warp takes `tiles_per_warp` tiles, from
/// `first_tile` on.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Mismatches {
    /// The text: n symbols of one byte, 16 per word, padded with arbitrary bytes up to a whole
    /// tile.
    pub text: Global<U32x4>,
    /// n, at least 1.
    pub n: u64,
    /// First position whose ends are reported.
    pub first: u64,
    /// The first tile where a reported occurrence may begin.
    pub first_tile: u64,
    /// Number of tiles per warp, at least 1.
    pub tiles_per_warp: u64,
    /// The planes of each symbol, in the format of [`match_table`](crate::search::match_table): 256
    /// words for planes 0 to 3, whose bit 8 p is 1 if the symbol is of the kind of plane p, and 256
    /// words for planes 4 to 7.
    pub kinds: Global<u32>,
    /// The groups, [`GROUP_WORDS`] words each.
    pub groups: Global<U32x4>,
    /// Number of groups.
    pub group_count: u32,
    /// Number of patterns, at most [`MAX_PATTERNS`].
    pub pattern_count: u32,
    /// The fixed symbols of the groups: bits 0 to 7 are the offset in the pattern, and from bit 8
    /// on there is a bit for each plane whose symbols match.
    pub fixed: Global<u32>,
    /// For each pattern, the free positions whose symbol is in planes 0 to 3, and in a second word
    /// those in planes 4 to 7. Bit i is position i.
    pub patterns: Global<U32x4>,
    /// For each pattern, the number that is reported with its hits.
    pub numbers: Global<u32>,
    /// Destination and format of the results: counts and hits.
    pub output: SearchOutput,
}

/// The planes of 32 symbols.
type Planes = [u32; PLANES];

impl Mismatches {
    /// Returns the planes of this lane's 32 symbols of a tile.
    #[inline(always)]
    fn planes(&self, tile: u64, tiles: u64, table: MatchTable<2>) -> Planes {
        // After the last tile any symbols will do: occurrences that end after n are not reported.
        let at = (tile.min(tiles - 1) * (TILE / 16)) as usize + 2 * warp::lane_id() as usize;
        // For eight symbols, byte p of a word has the bits of plane p.
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

/// Returns the planes of the next lane; for lane 31 those of lane 0 in the next tile.
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

/// Returns the bits of a plane from a position on, taken from this lane's 32 symbols and the next
/// lane's.
#[inline(always)]
fn from_start(own: u32, above: u32, start: u32) -> u32 {
    funnel_shift_right(own, above, start)
}

/// Returns the positions where the text's symbol and the pattern's are in the same of four planes.
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
    // SAFETY: all threads of the block reach this call. Its barrier also covers the patterns.
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
        // SAFETY: all lanes of the warp reach this call: the number is per warp.
        let above = unsafe { above(&own, &next) };
        let lane_first = tile * TILE + u64::from(lane * 32);
        for group in 0..self.group_count as usize {
            let U32x4([first, last, first_fixed, last_fixed]) = self.groups.read(group * GROUP_WORDS);
            let U32x4([m, least, free, wide]) = self.groups.read(group * GROUP_WORDS + 1);
            let mut starts = !0u32;
            for fixed in first_fixed..last_fixed {
                let symbol = self.fixed.read(fixed as usize);
                let (offset, kinds) = (symbol & 0xff, symbol >> 8);
                let mut matches = 0;
                unroll!(p in [0 1 2 3 4 5 6 7] {
                    // All ones if the plane's symbols match.
                    let wanted = (kinds >> p & 1).wrapping_neg();
                    matches |= from_start(own[p as usize], above[p as usize], offset) & wanted;
                });
                starts &= matches;
            }
            while starts != 0 {
                let start = starts.trailing_zeros();
                starts &= starts - 1;
                // The position of the last symbol of an occurrence that begins at `start`.
                let position = lane_first + u64::from(start + m - 1);
                if position < self.first || position >= self.n {
                    continue;
                }
                let mut window = [0; PLANES];
                unroll!(p in [0 1 2 3 4 5 6 7] {
                    window[p as usize] = from_start(own[p as usize], above[p as usize], start);
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
