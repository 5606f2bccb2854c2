//! Reductions and scans over a warp or a block, with any associative operator.
//!
//! The operator is a function of two values, such as `u32::wrapping_add` or `|a, b| a.max(b)`. It
//! need not be commutative: values are combined in the order of their threads. A sum of floats has
//! the same result in all threads, but not that of adding one after the other.
//!
//! ```text
//! values           3  1  4  1
//! reduction        9  9  9  9      in all threads
//! inclusive scan   3  4  8  9      the values up to this thread's
//! exclusive scan   0  3  4  8      the values before this thread's, after the initial value 0
//! ```
//!
//! | function | shuffles | barriers | shared accesses of a thread |
//! |---|---|---|---|
//! | [`warp_reduce`], [`reduce_sync`] | 5; 6 or 11 for fewer than 32 lanes | | |
//! | [`warp_inclusive_scan`] | 5; 10 for a mask with gaps | | |
//! | [`warp_exclusive_scan`] | 1 more | | |
//! | [`block_reduce`] | those of the warp | 2 | 1 write in each warp; 1 read for each warp |
//! | [`block_inclusive_scan`] | those of the warp | 2 | the same, of the warps before |
//! | [`block_exclusive_scan`] | 1 more | 2 | the same |
//!
//! Values of 64 bits take twice the shuffles. On GPUs from sm_80 on, [`reduce_sync`] of `u32` and
//! `i32` is one instruction (`redux.sync`) if the kernels are compiled for such a GPU.
//!
//! The functions of a block combine the results of its warps through `scratch`, an array in shared
//! memory that the caller declares, with an element for each warp ([`BLOCK_WARPS`] always suffice).
//! The array is free again when the function returns:
//!
//! ```
//! use simt_std::collective::{self, BLOCK_WARPS};
//! use simt_std::prelude::*;
//! use simt_std::simulator::Simulator;
//!
//! /// Sums of the words before each word. Launch: one block; the arrays have 100 words.
//! #[kernel(threads = 100)]
//! fn positions(words: Global<u32>, positions: Global<u32>) {
//!     shared_array!(scratch: [u32; BLOCK_WARPS]);
//!     let i = thread::thread_idx_x() as usize;
//!     // SAFETY: every thread of the block is here.
//!     let sum = unsafe {
//!         collective::block_exclusive_scan(scratch, 0, words.read(i), u32::wrapping_add)
//!     };
//!     positions.write(i, sum);
//! }
//!
//! let mut gpu = Simulator::default();
//! let (words, out) = (gpu.alloc_from(&[2; 100], "words"), gpu.alloc::<u32>(100, "positions"));
//! gpu.launch_kernel(1, Positions { words: words.handle(), positions: out.handle() })?;
//! assert_eq!(gpu.download(&out, 100)?[99], 198);
//! # Ok::<(), simt_std::simulator::Fault>(())
//! ```

use crate::shared::Shared;
use crate::thread::{sync_threads, threads_of_block};
use crate::warp::{
    WarpReduceValue, WarpReductionOp, WarpShuffleValue, lane_id, lanemask_lt, shfl_sync, shfl_up_sync, shfl_xor_sync,
    warp_id, warp_mask,
};
use crate::{FULL_WARP, WARP, Word};

/// Maximum number of warps of a block, and so of elements that `scratch` needs.
pub const BLOCK_WARPS: usize = 32;

/// Returns the values of the lanes of `mask`, combined in the order of the lanes, in all of them
/// (CUB `WarpReduce`).
///
/// ```
/// # use simt_std::{collective, simulator::{Grid, Simulator}, warp};
/// # Simulator::default().launch("reduce", Grid::linear(1, 48), || {
/// // SAFETY: all lanes of each warp are here: 32, then 16.
/// let most = unsafe { collective::warp_reduce(warp::warp_mask(), warp::lane_id(), u32::max) };
/// assert_eq!(most, if warp::warp_id() == 0 { 31 } else { 15 });
/// # })?;
/// # Ok::<(), simt_std::simulator::Fault>(())
/// ```
///
/// # Safety
/// Every lane of `mask` calls it with the same mask, which includes the lane itself.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub unsafe fn warp_reduce<T: WarpShuffleValue>(mask: u32, value: T, operator: impl Fn(T, T) -> T) -> T {
    if mask == FULL_WARP {
        let (lane, mut value) = (lane_id(), value);
        for distance in [1, 2, 4, 8, 16] {
            // SAFETY: passed on to the caller: all lanes are here.
            let other = unsafe { shfl_xor_sync(mask, value, distance, WARP) };
            value = if lane & distance == 0 { operator(value, other) } else { operator(other, value) };
        }
        return value;
    }
    // SAFETY: passed on to the caller; the last lane of the mask is one of its lanes.
    unsafe {
        let up_to_here = warp_inclusive_scan(mask, value, operator);
        shfl_sync(mask, up_to_here, last_of(mask), WARP)
    }
}

/// Combines the values of the lanes of `mask` by an operation of the hardware, and returns the
/// result in all of them: PTX `redux.sync`, for `u32` and `i32` in kernels that are compiled for
/// sm_80 or later, otherwise shuffles as in [`warp_reduce`] (CUDA C++ `__reduce_add_sync`, `_min_`,
/// `_max_`, `_and_`, `_or_`, `_xor_`). Sums of integers wrap.
///
/// # Safety
/// Every lane of `mask` calls it with the same mask, which includes the lane itself, and with the
/// same operation.
///
/// # Panics
/// If the operation is bitwise and the values are floats.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub unsafe fn reduce_sync<T: WarpReduceValue>(mask: u32, value: T, operation: WarpReductionOp) -> T {
    #[cfg(all(target_arch = "nvptx64", target_feature = "sm_80"))]
    if let Some(signed) = T::REDUX {
        // SAFETY: passed on to the caller.
        return T::from_bits(unsafe { redux(mask, value.to_bits() as u32, operation, signed) }.into());
    }
    // SAFETY: passed on to the caller.
    unsafe { warp_reduce(mask, value, |a, b| a.combine(b, operation)) }
}

/// The hardware's reduction of 32-bit values.
///
/// # Safety
/// As [`reduce_sync`].
#[cfg(all(target_arch = "nvptx64", target_feature = "sm_80"))]
#[inline(always)]
unsafe fn redux(mask: u32, bits: u32, operation: WarpReductionOp, signed: bool) -> u32 {
    use crate::backend as b;
    // SAFETY: passed on to the caller.
    unsafe {
        match (operation, signed) {
            (WarpReductionOp::Add, _) => b::redux_add(bits, mask),
            (WarpReductionOp::Min, false) => b::redux_umin(bits, mask),
            (WarpReductionOp::Max, false) => b::redux_umax(bits, mask),
            (WarpReductionOp::Min, true) => b::redux_min(bits as i32, mask) as u32,
            (WarpReductionOp::Max, true) => b::redux_max(bits as i32, mask) as u32,
            (WarpReductionOp::And, _) => b::redux_and(bits, mask),
            (WarpReductionOp::Or, _) => b::redux_or(bits, mask),
            (WarpReductionOp::Xor, _) => b::redux_xor(bits, mask),
        }
    }
}

/// Returns the values of the lanes of `mask` up to and including this one, combined in the order of
/// the lanes (CUB `WarpScan::InclusiveScan`).
///
/// If the lanes are the first ones of their warp, each step reads a lane twice as far below as the
/// step before. With gaps in the mask, each lane also learns in each step which lane to read next:
///
/// ```text
/// mask 0b11010    lane             1     3     4
/// start           value, reads     a  -  b  1  c  3
/// step 1          value, reads     a  -  ab -  bc 1
/// step 2          value            a     ab    abc
/// ```
///
/// # Safety
/// As [`warp_reduce`].
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub unsafe fn warp_inclusive_scan<T: WarpShuffleValue>(mask: u32, value: T, operator: impl Fn(T, T) -> T) -> T {
    let (lane, lanes, mut value) = (lane_id(), mask.count_ones(), value);
    let mut distance = 1;
    if mask & mask.wrapping_add(1) == 0 {
        while distance < lanes {
            // SAFETY: passed on to the caller; all lanes below this one are in the mask.
            let below = unsafe { shfl_up_sync(mask, value, distance, WARP) };
            if lane >= distance {
                value = operator(below, value);
            }
            distance *= 2;
        }
        return value;
    }
    let mut before = before_this(mask);
    while distance < lanes {
        let source = if before < WARP { before } else { lane };
        // SAFETY: passed on to the caller; the source is in the mask.
        let (below, next) = unsafe { (shfl_sync(mask, value, source, WARP), shfl_sync(mask, before, source, WARP)) };
        if before < WARP {
            value = operator(below, value);
            before = next;
        }
        distance *= 2;
    }
    value
}

/// Returns `initial` combined with the values of the lanes of `mask` before this one, in the order
/// of the lanes (CUB `WarpScan::ExclusiveScan`).
///
/// # Safety
/// As [`warp_reduce`].
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub unsafe fn warp_exclusive_scan<T: WarpShuffleValue>(
    mask: u32,
    initial: T,
    value: T,
    operator: impl Fn(T, T) -> T,
) -> T {
    // SAFETY: passed on to the caller.
    match unsafe { before_this_value(mask, warp_inclusive_scan(mask, value, &operator)) } {
        Some(before) => operator(initial, before),
        None => initial,
    }
}

/// Returns the values of all threads of the block, combined in the order of the threads, in all
/// threads (CUB `BlockReduce`).
///
/// # Safety
/// Every thread of the block calls it, from the same source position. `scratch` is the same array
/// in all of them, has an element for each warp, and no thread uses it otherwise during the call.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub unsafe fn block_reduce<T: WarpShuffleValue + Word>(
    scratch: Shared<T>,
    value: T,
    operator: impl Fn(T, T) -> T,
) -> T {
    // SAFETY: passed on to the caller: all lanes of the warp are here.
    let total = unsafe { warp_reduce(warp_mask(), value, &operator) };
    if lane_id() == 0 {
        scratch.write(warp_id(), total);
    }
    // SAFETY: passed on to the caller.
    unsafe { sync_threads() };
    let (mut result, mut warp) = (scratch.read(0), 1);
    while warp < threads_of_block().div_ceil(WARP) {
        result = operator(result, scratch.read(warp));
        warp += 1;
    }
    // SAFETY: passed on to the caller.
    unsafe { sync_threads() };
    result
}

/// Returns the values of the block's threads up to and including this one, combined in the order of
/// the threads (CUB `BlockScan::InclusiveScan`).
///
/// # Safety
/// As [`block_reduce`].
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub unsafe fn block_inclusive_scan<T: WarpShuffleValue + Word>(
    scratch: Shared<T>,
    value: T,
    operator: impl Fn(T, T) -> T,
) -> T {
    // SAFETY: passed on to the caller: all lanes of the warp are here.
    let in_warp = unsafe { warp_inclusive_scan(warp_mask(), value, &operator) };
    // SAFETY: passed on to the caller.
    match unsafe { before_this_warp(scratch, None, in_warp, &operator) } {
        Some(before) => operator(before, in_warp),
        None => in_warp,
    }
}

/// Returns `initial` combined with the values of the block's threads before this one, in the order
/// of the threads (CUB `BlockScan::ExclusiveScan`).
///
/// # Safety
/// As [`block_reduce`].
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub unsafe fn block_exclusive_scan<T: WarpShuffleValue + Word>(
    scratch: Shared<T>,
    initial: T,
    value: T,
    operator: impl Fn(T, T) -> T,
) -> T {
    let mask = warp_mask();
    // SAFETY: passed on to the caller: all lanes of the warp are here.
    let (in_warp, before) = unsafe {
        let in_warp = warp_inclusive_scan(mask, value, &operator);
        (in_warp, before_this_value(mask, in_warp))
    };
    // SAFETY: passed on to the caller.
    let start = unsafe { before_this_warp(scratch, Some(initial), in_warp, &operator) }.unwrap_or(initial);
    match before {
        Some(before) => operator(start, before),
        None => start,
    }
}

/// Returns `initial`, if there is one, combined with the values of all earlier warps of the block.
/// `in_warp`: the result of this warp's inclusive scan.
///
/// # Safety
/// As [`block_reduce`].
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
unsafe fn before_this_warp<T: WarpShuffleValue + Word>(
    scratch: Shared<T>,
    initial: Option<T>,
    in_warp: T,
    operator: impl Fn(T, T) -> T,
) -> Option<T> {
    if lane_id() == last_of(warp_mask()) {
        scratch.write(warp_id(), in_warp);
    }
    // SAFETY: passed on to the caller.
    unsafe { sync_threads() };
    let (mut sum, mut warp) = (initial, 0);
    while warp < warp_id() {
        let total = scratch.read(warp);
        sum = Some(match sum {
            Some(sum) => operator(sum, total),
            None => total,
        });
        warp += 1;
    }
    // SAFETY: passed on to the caller.
    unsafe { sync_threads() };
    sum
}

/// Returns the value of the lane of `mask` before this one, or `None` in its first lane.
///
/// # Safety
/// As [`warp_reduce`].
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
unsafe fn before_this_value<T: WarpShuffleValue>(mask: u32, value: T) -> Option<T> {
    let before = before_this(mask);
    let source = if before < WARP { before } else { lane_id() };
    // SAFETY: passed on to the caller; the source is in the mask.
    let value = unsafe { shfl_sync(mask, value, source, WARP) };
    (before < WARP).then_some(value)
}

/// Returns the lane of `mask` before this one; 32 or more in its first lane.
#[inline(always)]
fn before_this(mask: u32) -> u32 {
    last_of(mask & lanemask_lt())
}

/// Returns the highest lane of a mask; 32 or more if it is empty.
#[inline(always)]
fn last_of(mask: u32) -> u32 {
    31_u32.wrapping_sub(mask.leading_zeros())
}
