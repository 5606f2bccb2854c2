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

/// Two lists of items, claimed side by side, each in order. The first half of a block's warps begin
/// with the first list, the others with the second list, in the opposite order of the blocks:
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
#[derive(Clone, Copy)]
pub struct TwoLists {
    /// Words 0 and 2 count the claimed items of the lists; both are 0 at first.
    pub counters: Global<u32>,
    /// Number of items of the first list. If it is that of both, the second half of the warps
    /// claims the first list's items as well.
    pub first: u32,
    /// Number of items of both lists.
    pub count: u32,
}

/// Nanoseconds by which a block's first claim of the second list is before that of the block below.
const APART: u32 = 1000;

impl TwoLists {
    /// Returns the list that a warp begins with, 0 or 1. Waits, so that the last blocks' warps are
    /// the first ones of list 1.
    #[inline(always)]
    pub fn begin(self, is_second: bool) -> u32 {
        let list = u32::from(is_second && self.first < self.count);
        if list == 1 {
            thread::nanosleep(APART * (thread::grid_dim_x() - 1 - thread::block_idx_x()));
        }
        list
    }

    /// Claims the next item of a list, and returns its number; `None` if the list is exhausted.
    ///
    /// # Safety
    /// All 32 lanes of the warp call it together.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub unsafe fn claim(self, list: u32) -> Option<u32> {
        let (start, end) = if list == 0 { (0, self.first) } else { (self.first, self.count) };
        // SAFETY: the caller guarantees that all lanes are here.
        let item = start + unsafe { claim(self.counters, 2 * list as usize) };
        (item < end).then_some(item)
    }
}

/// Claims items until both lists are exhausted, and runs a block for each: a macro, since a closure
/// with collectives cannot be inlined everywhere. All 32 lanes of the warp must be here together.
/// The warp begins with the second list if `$is_second` is true.
macro_rules! claim_all {
    ($lists:ident, $is_second:expr, $item:ident => $work:block) => {
        let mut list = $lists.begin($is_second);
        // With a bound that is known, the compiler would copy the block.
        for _ in 0..simt_std::integer::opaque(2) {
            // SAFETY: all lanes are here: they leave the loops together.
            while let Some($item) = unsafe { $lists.claim(list) } {
                $work
            }
            list ^= 1;
        }
    };
}
pub(crate) use claim_all;
