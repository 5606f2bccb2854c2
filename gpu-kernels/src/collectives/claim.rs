//! Claims the next work item for a warp, from a counter that all warps share.
//!
//! Warps that claim their work this way are all busy until the last item is claimed, however
//! unequal the items are. Items are claimed in order. So a warp may wait for the result of an
//! earlier item: that item is running or done.

use super::broadcast::broadcast;
use simt_std::prelude::*;

/// Adds 1 to word `counter` of `counters`, and returns its previous value in all lanes.
///
/// ```text
/// counter 5, two warps     warp 0: 5     warp 1: 6     counter 7, in one order or the other
/// ```
///
/// ```
/// # use simt_std::simulator::{Grid, Simulator};
/// use carrywave_kernels::collectives::claim::claim;
/// # let mut gpu = Simulator::default();
/// # let counters = gpu.alloc::<u32>(1, "counters");
/// # gpu.upload(&counters, &[0])?;
/// # let handle = counters.handle();
/// # gpu.launch("claim", Grid::linear(3, 32), move || {
/// loop {
///     // SAFETY: all lanes are here: they leave the loop together.
///     let piece = unsafe { claim(handle, 0) };
///     if piece >= 10 {
///         break;
///     }
/// }
/// # })?;
/// // Ten items, and three warps that each claim one number too many before they stop.
/// assert_eq!(gpu.download(&counters, 1)?, [13]);
/// # Ok::<(), simt_std::simulator::Fault>(())
/// ```
///
/// **Cost.** All lanes wait for one lane's atomic addition in global memory, and for 1 shuffle.
///
/// # Safety
/// All 32 lanes of the warp call it together.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub unsafe fn claim(counters: Global<u32>, counter: usize) -> u32 {
    let mut claimed = 0;
    if warp::lane_id() == 0 {
        claimed = atomic::fetch_add(counters, counter, 1);
    }
    // SAFETY: the caller guarantees that all lanes are here.
    unsafe { broadcast(claimed, 0) }
}
