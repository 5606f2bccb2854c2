//! A warp transposes a square of 32 × 32 bits.
//!
//! The kernels that prepare strings use it to read a string in order, 32 neighbours at a time, and still leave each
//! lane with a word of 32 neighbouring positions.
//!
//! **Cost.** 32 ballots and 32 selects, beside what the caller's bits cost; no barrier.

use simt_std::prelude::*;

/// Transposes a square of 32 × 32 bits. Lane l says by `bit(r)` what is in row r and column l, and gets row l as a
/// word: bit c of it is what lane c said.
///
/// ```text
/// 4 lanes     lane    0  1  2  3
/// bit(0)              1  0  1  1   ->  lane 0: 0b1101        a ballot gives all lanes a row; lane r keeps row r
/// bit(1)              0  1  0  0   ->  lane 1: 0b0010
/// ```
///
/// ```
/// # use simt_std::{simulator::{Grid, Simulator}, warp};
/// use carrywave_kernels::collectives::transpose::transposed;
/// # Simulator::default().launch("transpose", Grid::linear(1, 32), || {
/// let lane = warp::lane_id();
/// // Row r is set in the columns up to r. This lane says what its column has, and gets the row of its number.
/// // SAFETY: all lanes are here.
/// let word = unsafe { transposed(|row| lane <= row) };
/// assert_eq!(word, !0 >> (31 - lane));
/// # })?;
/// # Ok::<(), simt_std::simulator::Fault>(())
/// ```
///
/// # Safety
/// All 32 lanes of the warp call it together.
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
