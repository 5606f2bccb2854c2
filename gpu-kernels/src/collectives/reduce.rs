//! The values of neighbouring lanes combined.

use simt_std::prelude::*;

/// The values of each 2^levels neighbouring lanes combined, in all of these lanes. `levels` is at most 5.
///
/// ```text
/// levels 2    lane    0     1     2     3
/// value               a     b     c     d
/// level 0            ab    ab    cd    cd       with the lane whose number differs in bit 0
/// level 1          abcd  abcd  abcd  abcd       in bit 1
/// ```
///
/// `combine` gets this lane's value first, and is commutative and associative: or else the lanes would not have the same result.
///
/// ```
/// # use simt_std::{simulator::{Grid, Simulator}, warp};
/// use carrywave_kernels::collectives::reduce::reduce_groups;
/// # Simulator::default().launch("reduce", Grid::linear(1, 32), || {
/// let lane = warp::lane_id();
/// // SAFETY: all lanes are here.
/// let greatest = unsafe { reduce_groups(lane, 2, u32::max) };
/// assert_eq!(greatest, lane / 4 * 4 + 3);
/// # })?;
/// # Ok::<(), simt_std::simulator::Fault>(())
/// ```
///
/// **Cost.** A shuffle and a call of `combine` a level.
///
/// # Safety
/// All 32 lanes of the warp call it together, with the same `levels`.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub unsafe fn reduce_groups(value: u32, levels: u32, combine: impl Fn(u32, u32) -> u32) -> u32 {
    let mut value = value;
    for level in 0..levels {
        // SAFETY: the caller's.
        let (other, _) = unsafe { warp::warp_shuffle_xor(FULL_WARP, value, 1 << level, WARP) };
        value = combine(value, other);
    }
    value
}
