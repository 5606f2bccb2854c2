//! Columns of bits as words, by votes of a warp.

use simt_std::prelude::*;

/// Transposes a square of 32 × 32 bits: lane l asks for column l, row by row, and gets row l.
///
/// ```text
/// 4 lanes     lane    0  1  2  3
/// bit(0)              1  0  1  1   ->  lane 0: 0b1101        a ballot a row, which the row's lane keeps
/// bit(1)              0  1  0  0   ->  lane 1: 0b0010
/// ```
///
/// So reads go along the rows, 32 neighbours at a time, and each lane is left with a word of 32 neighbours.
///
/// # Safety
/// All lanes of the warp are here.
#[inline(always)]
pub unsafe fn transposed(bit: impl Fn(u32) -> bool) -> u32 {
    let lane = warp::lane_id();
    let mut own = 0;
    for row in 0..WARP {
        let bit = bit(row);
        // SAFETY: the caller's: all lanes take as many turns.
        let ballot = unsafe { warp::warp_vote_ballot(FULL_WARP, bit) };
        if lane == row {
            own = ballot;
        }
    }
    own
}
