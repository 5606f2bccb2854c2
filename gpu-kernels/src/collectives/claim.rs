//! Claims the next work item for a warp, from a counter that all warps share.
//!
//! Warps that claim their work this way are all busy until the last item is claimed, however
//! unequal the items are. Items are claimed in order. So a warp may wait for the result of an
//! earlier item: that item is running or done.

use super::broadcast::broadcast;
use simt_std::integer::opaque;
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

/// Claims the items of two lists, each in order. The first half of a block's warps begin with the
/// first list, the others with the second list, in the opposite order of the blocks:
///
/// ```text
/// 3 blocks of 2 warps     block 0    block 1    block 2
/// list 0: items 0 to 2       0          1          2
/// list 1: items 3 to 5       5          4          3
/// ```
///
/// So where each item of a list starts after the one before it, the two items of a block's
/// scheduler start and end at different times, and at least one of them is at work. The order of
/// the blocks only affects speed: a warp may wait for an earlier item of its list, which is running
/// or done.
pub struct TwoLists {
    counters: Global<u32>,
    /// Items of the first list, and of both.
    first: u32,
    count: u32,
    is_second: bool,
    is_last: bool,
}

/// Turns of a loop by which the first claim of a block is later than that of the block before it.
const LATER: u32 = 64;

impl TwoLists {
    /// Begins to claim, in warp `warp` of a block of `warps` warps. Words 0 and 2 of `counters`
    /// count the claimed items; `first` is the number of items of the first list, and `count` that
    /// of both. If either list is empty, all warps claim the items of the other one in order.
    #[inline(always)]
    pub fn begin(counters: Global<u32>, first: u32, count: u32, warp: u32, warps: u32) -> Self {
        let is_second = first < count && warp >= warps / 2;
        if first < count {
            let block = thread::block_idx_x();
            let turns = LATER * if is_second { thread::grid_dim_x() - 1 - block } else { block };
            let mut turn = 0;
            while turn < turns {
                turn = opaque(turn + 1);
            }
        }
        Self { counters, first, count, is_second, is_last: false }
    }

    /// Claims the next item, and returns its number, in all lanes; `None` if both lists are
    /// exhausted.
    ///
    /// **Cost.** As [`claim`], and twice that for the first item of the other list.
    ///
    /// # Safety
    /// All 32 lanes of the warp call it together.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub unsafe fn next(&mut self) -> Option<u32> {
        loop {
            // SAFETY: the caller guarantees that all lanes are here.
            let claimed = unsafe { claim(self.counters, if self.is_second { 2 } else { 0 }) };
            let items = if self.is_second { self.count - self.first } else { self.first };
            if claimed < items {
                return Some(if self.is_second { self.first + claimed } else { claimed });
            }
            if self.is_last {
                return None;
            }
            self.is_last = true;
            self.is_second = !self.is_second;
        }
    }
}
