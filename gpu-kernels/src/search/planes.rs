//! The text as bit planes: for each of eight sets of symbols a word with one bit per symbol, 1 if
//! the symbol is in the set.
//!
//! A warp processes a *tile* of 1024 symbols at a time, 32 per lane. A lane's planes continue in
//! those of the next lane, which one shuffle per plane fetches. So the positions where several
//! symbols in a row are in given sets take a few instructions for 32 positions:
//!
//! ```text
//! text           A G G T C A G A …      a lane's 32 symbols
//! plane of A     1 0 0 0 0 1 0 1 …
//! plane of G     0 1 1 0 0 0 1 0 …
//!
//! fixed          G at offset 1, G at offset 2
//! starts         (G >> 1) & (G >> 2):   1 0 0 0 …     a match begins at bit 0
//! ```
//!
//! **Cost.** A symbol takes 3 instructions to become bits of planes. A fixed symbol takes 3 for
//! each plane and 32 positions.

use crate::collectives::neighbours;
use crate::search::match_table::MatchTable;
use core::ops::Range;
use simt_std::integer::funnel_shift_right;
use simt_std::prelude::*;

/// Number of planes.
pub const PLANES: usize = 8;

/// Number of symbols per tile.
pub const TILE: u64 = 1024;

/// The planes of 32 symbols.
pub type Planes = [u32; PLANES];

/// Returns the planes of this lane's 32 symbols of a tile. `text` has 16 symbols per word, padded
/// with arbitrary bytes up to a whole tile. After the last tile, the result is that of the last.
///
/// The table has two words per symbol: bit 8 p of the first is 1 if the symbol is in the set of
/// plane p, and of the second in that of plane p + 4.
#[inline(always)]
pub fn of_tile(text: Global<U32x4>, tile: u64, tiles: u64, table: MatchTable<2>) -> Planes {
    let at = (tile.min(tiles - 1) * (TILE / 16)) as usize + 2 * warp::lane_id() as usize;
    // For eight symbols, byte p of a word has the bits of plane p.
    let mut eights = [[0u32; 2]; 4];
    unroll!(half in [0 1] {
        let U32x4(four) = text.read(at + half as usize);
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

/// Returns the planes of the next lane; for lane 31 those of lane 0 in the next tile.
///
/// # Safety
/// All 32 lanes of the warp call it together.
#[inline(always)]
pub unsafe fn above(planes: &Planes, next: &Planes) -> Planes {
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
pub fn from_start(own: u32, above: u32, start: u32) -> u32 {
    funnel_shift_right(own, above, start)
}

/// Returns the positions of this lane where all fixed symbols match. `fixed` has one word per
/// symbol: bits 0 to 7 are its offset, at most 31, and bit 8 + p is 1 if the symbols of plane p
/// match.
#[inline(always)]
pub fn starts(own: &Planes, above: &Planes, fixed: Global<u32>, symbols: Range<u32>) -> u32 {
    let mut starts = !0;
    for symbol in symbols {
        let symbol = fixed.read(symbol as usize);
        let (offset, sets) = (symbol & 0xff, symbol >> 8);
        let mut matches = 0;
        unroll!(p in [0 1 2 3 4 5 6 7] {
            // All ones if the plane's symbols match.
            let wanted = (sets >> p & 1).wrapping_neg();
            matches |= from_start(own[p as usize], above[p as usize], offset) & wanted;
        });
        starts &= matches;
    }
    starts
}
