//! Sends one lane's value to all lanes.

use simt_std::prelude::*;
use simt_std::warp::WarpShuffleValue;

/// Returns the value of lane `lane`, in all lanes.
///
/// ```text
/// lane 2      lane    0  1  2  3
/// value               a  b  c  d
/// result              c  c  c  c
/// ```
///
/// ```
/// # use simt_std::{simulator::{Grid, Simulator}, warp};
/// use carrywave_kernels::collectives::broadcast::broadcast;
/// # Simulator::default().launch("broadcast", Grid::linear(1, 32), || {
/// // SAFETY: all lanes are here.
/// let third = unsafe { broadcast(10 * warp::lane_id(), 2) };
/// assert_eq!(third, 20);
/// # })?;
/// # Ok::<(), simt_std::simulator::Fault>(())
/// ```
///
/// **Cost.** 1 shuffle, or 2 for 64 bits.
///
/// # Safety
/// All 32 lanes of the warp call it together, with the same `lane`.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub unsafe fn broadcast<T: WarpShuffleValue>(value: T, lane: u32) -> T {
    // SAFETY: the caller guarantees that all lanes are here.
    unsafe { warp::warp_shuffle_idx(FULL_WARP, value, lane, WARP) }.0
}
