//! Computes the minimum over each lane and the lanes above it.

use simt_std::prelude::*;

/// Returns the minimum of this lane's value and the values of the lanes above it.
///
/// ```text
/// lane          0  1  2  3
/// value         5  2  7  4
/// distance 1    2  2  4  4      the minimum of two neighbours
/// distance 2    2  2  4  4      of four
/// ```
///
/// ```
/// # use simt_std::{simulator::{Grid, Simulator}, warp};
/// use carrywave_kernels::collectives::suffix_min::suffix_min;
/// # Simulator::default().launch("suffix_min", Grid::linear(1, 32), || {
/// let lane = warp::lane_id();
/// // SAFETY: all lanes are here.
/// let least = unsafe { suffix_min(if lane == 20 { 3 } else { 50 - lane }) };
/// assert_eq!(least, if lane <= 20 { 3 } else { 19 });
/// # })?;
/// # Ok::<(), simt_std::simulator::Fault>(())
/// ```
///
/// **Cost.** 5 shuffles. A lane without a lane at that distance gets its own value, which leaves
/// the minimum unchanged.
///
/// # Safety
/// All 32 lanes of the warp call it together.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub unsafe fn suffix_min(value: u32) -> u32 {
    let mut least = value;
    for level in 0..5 {
        // SAFETY: the caller guarantees that all lanes are here.
        let (other, _) = unsafe { warp::warp_shuffle_down(FULL_WARP, least, 1 << level, WARP) };
        least = least.min(other);
    }
    least
}
