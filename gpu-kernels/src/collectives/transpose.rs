//! Transposes a square of 32 × 32 bits across a warp.
//!
//! The kernels that prepare strings use it to read a string in order, 32 neighbouring symbols at a
//! time, and still give each lane a word of 32 neighbouring positions.
//!
//! **Cost.** 32 ballots and 32 selects, plus the cost of computing the bits; no barrier.

use simt_std::prelude::*;

/// Transposes a square of 32 × 32 bits. In lane l, `bit(r)` is the bit in row r and column l. Lane
/// l gets row l as a word: bit c of the word is the bit of lane c.
///
/// ```text
/// 4 lanes     lane    0  1  2  3
/// bit(0)              1  0  1  1   ->  lane 0: 0b1101     a ballot gives all lanes a row;
/// bit(1)              0  1  0  0   ->  lane 1: 0b0010     lane r keeps row r
/// ```
///
/// ```
/// # use simt_std::{simulator::{Grid, Simulator}, warp};
/// use carrywave_kernels::collectives::transpose::transposed;
/// # Simulator::default().launch("transpose", Grid::linear(1, 32), || {
/// let lane = warp::lane_id();
/// // Row r is set in columns 0 to r. Each lane supplies the bits of its column and gets its row.
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
        // SAFETY: the caller guarantees that all lanes are here, and all lanes run the same number
        // of iterations.
        let ballot = unsafe { warp::warp_vote_ballot(FULL_WARP, bit) };
        if lane == row {
            own = ballot;
        }
    }
    own
}
