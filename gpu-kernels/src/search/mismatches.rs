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
//! Each kind has a plane of bits. [`planes`] finds where the fixed symbols match:
//!
//! ```text
//! at a start     the planes from there on, 32 symbols, against those of the pattern:
//!                where its symbol is an A, and so on
//! matches        (A & a) | (C & c) | (G & g) | (T & t); the errors are the free symbols
//!                minus the number of these bits
//! ```
//!
//! **Groups.** Patterns with the same length, k and fixed part form a *group*: their candidate
//! positions are found together. The two strands of guides are two groups: NGG is last in one and
//! CCN first in the other.
//!
//! **Cost**, with that of the planes: 8 instructions per pattern and candidate position (4 logic
//! operations, a count of bits, a load and a comparison), and 5 more if a free symbol is of another
//! kind than those of A, C, G and T. A warp continues until the last of its 32 lanes has no
//! candidates left.

use crate::search::match_table::{Layout, MatchTable, SYMBOLS};
use crate::search::output::{COUNT, SearchOutput};
use crate::search::planes::{self, PLANES, TILE, from_start};
use simt_std::prelude::*;

/// Number of planes that are compared for every group: those of A, C, G and T. The others are
/// compared only for *wide* groups, whose patterns have free symbols of other kinds, such as N.
pub const NARROW: usize = 4;

/// Maximum number of patterns per pass: a hit has 8 bits for its pattern.
pub const MAX_PATTERNS: u32 = 256;

/// Maximum length of a pattern, in symbols.
pub const MAX_SYMBOLS: u32 = 32;

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
    let mut own = planes::of_tile(self.text, tile, tiles, table);
    while tile < end {
        let next = planes::of_tile(self.text, tile + 1, tiles, table);
        // SAFETY: all lanes of the warp reach this call: the number is per warp.
        let above = unsafe { planes::above(&own, &next) };
        let lane_first = tile * TILE + u64::from(lane * 32);
        for group in 0..self.group_count as usize {
            let U32x4([first, last, first_fixed, last_fixed]) = self.groups.read(group * GROUP_WORDS);
            let U32x4([m, least, free, wide]) = self.groups.read(group * GROUP_WORDS + 1);
            let mut starts = planes::starts(&own, &above, self.fixed, first_fixed..last_fixed);
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
