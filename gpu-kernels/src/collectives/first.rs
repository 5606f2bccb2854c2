//! Finds the value of the first lane that has one.

use simt_std::prelude::*;

/// The result of [`first`] if no lane has a value.
pub const NONE: u32 = !0;

/// Returns the `value` of the lowest lane whose `has` is true, in all lanes, or [`NONE`] if `has`
/// is false in all lanes.
///
/// ```text
/// lane      0  1  2  3
/// has       0  1  0  1      a ballot: 0b1010, whose lowest bit is lane 1's
/// value     -  b  -  d
/// result    b  b  b  b
/// ```
///
/// ```
/// # use simt_std::{simulator::{Grid, Simulator}, warp};
/// use carrywave_kernels::collectives::first::{NONE, first};
/// # Simulator::default().launch("first", Grid::linear(1, 32), || {
/// let lane = warp::lane_id();
/// // SAFETY: all lanes are here.
/// unsafe {
///     assert_eq!(first(lane % 8 == 5, 100 + lane), 105);
///     assert_eq!(first(false, lane), NONE);
/// }
/// # })?;
/// # Ok::<(), simt_std::simulator::Fault>(())
/// ```
///
/// **Cost.** 1 ballot and 1 shuffle.
///
/// # Safety
/// All 32 lanes of the warp call it together.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub unsafe fn first(has: bool, value: u32) -> u32 {
    // SAFETY: the caller guarantees that all lanes are here.
    let lanes = unsafe { warp::warp_vote_ballot(FULL_WARP, has) };
    // SAFETY: as above.
    let (first, _) = unsafe { warp::warp_shuffle_idx(FULL_WARP, value, lanes.trailing_zeros() % WARP, WARP) };
    if lanes == 0 { NONE } else { first }
}
