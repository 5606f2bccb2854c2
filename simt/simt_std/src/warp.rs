//! The 32 lanes of a warp: shuffles, votes, matches, reductions.
//!
//! All of these are collectives: `mask` names the lanes that take part, every one of them calls
//! with the same mask (and the same width), and a lane always includes itself in its mask. A
//! shuffle does not order memory accesses; [`sync_warp`] does.
//!
//! The last warp of a block has fewer than 32 lanes if the block's threads are no multiple of 32.
//! [`warp_mask`] is the mask of the lanes that there are. Reductions and scans with an operator of
//! your own, over a warp of any size or a whole block, are in [`collective`](crate::collective).

use crate::backend;
use crate::shuffle::Shuffle;

/// Returns this thread's lane, 0 to 31 (PTX `%laneid`).
#[inline(always)]
pub fn lane_id() -> u32 {
    backend::lane_id()
}

/// Returns the number of this thread's warp in its block: the thread's number
/// ([`index_in_block`](crate::thread::index_in_block)) divided by 32. PTX `%warpid` is different,
/// and may change while a kernel runs.
#[inline(always)]
pub fn warp_id() -> u32 {
    crate::thread::index_in_block() / crate::WARP
}

/// Returns the mask of all lanes of this thread's warp: [`FULL_WARP`](crate::FULL_WARP), or fewer
/// in the last warp of a block whose threads are no multiple of 32. Lanes that have ended are in
/// the mask, too.
///
/// ```
/// # use simt_std::{simulator::{Grid, Simulator}, warp};
/// # Simulator::default().launch("lanes", Grid::linear(1, 48), || {
/// assert_eq!(warp::warp_mask(), if warp::warp_id() == 0 { !0 } else { 0xffff });
/// # })?;
/// # Ok::<(), simt_std::simulator::Fault>(())
/// ```
#[inline(always)]
pub fn warp_mask() -> u32 {
    let lanes = crate::thread::threads_of_block() - warp_id() * crate::WARP;
    if lanes >= crate::WARP { crate::FULL_WARP } else { (1 << lanes) - 1 }
}

macro_rules! lane_masks {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        pub fn $name() -> u32 {
            backend::$name()
        }
    )*};
}

lane_masks! {
    /// Returns a bit for each lane below this one (PTX `%lanemask_lt`). With a ballot, it numbers
    /// the lanes that voted yes: `(ballot & lanemask_lt()).count_ones()`.
    lanemask_lt;
    /// Returns a bit for this lane and for each lane below it (PTX `%lanemask_le`).
    lanemask_le;
    /// Returns a bit for this lane (PTX `%lanemask_eq`).
    lanemask_eq;
    /// Returns a bit for this lane and for each lane above it (PTX `%lanemask_ge`).
    lanemask_ge;
    /// Returns a bit for each lane above this one (PTX `%lanemask_gt`).
    lanemask_gt;
    /// Returns the lanes that happen to run this together with this one (PTX `activemask`, since
    /// PTX 6.2; CUDA C++ `__activemask`). The GPU only guarantees that this lane is among them,
    /// even if all lanes took the same branch, and they may part before the next instruction. So it
    /// is no mask for a collective: use [`FULL_WARP`](crate::FULL_WARP), [`warp_mask`], or a ballot
    /// before the branch. In the simulator it is this lane alone, and a collective with this mask
    /// is a fault.
    activemask;
}

/// Waits for the lanes of `mask`, and makes their earlier writes visible to all of them (PTX
/// `bar.warp.sync`).
///
/// # Safety
/// See the [module](self).
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub unsafe fn sync_warp(mask: u32) {
    // SAFETY: passed on to the caller.
    unsafe { backend::sync_warp(mask) }
}

/// A value that shuffles can move.
pub trait WarpShuffleValue: Copy {
    #[doc(hidden)]
    fn to_bits(self) -> u64;
    #[doc(hidden)]
    fn from_bits(bits: u64) -> Self;
    /// True if the value has 64 bits, which take two hardware shuffles.
    #[doc(hidden)]
    const WIDE: bool;
}

macro_rules! shuffle_value {
    ($($t:ty, $wide:literal, $to:expr, $from:expr;)*) => {$(
        impl WarpShuffleValue for $t {
            const WIDE: bool = $wide;
            #[inline(always)]
            fn to_bits(self) -> u64 {
                $to(self)
            }
            #[inline(always)]
            fn from_bits(bits: u64) -> Self {
                $from(bits)
            }
        }
    )*};
}

shuffle_value! {
    u32, false, |x: u32| x as u64, |b: u64| b as u32;
    i32, false, |x: i32| x as u32 as u64, |b: u64| b as i32;
    f32, false, |x: f32| x.to_bits() as u64, |b: u64| f32::from_bits(b as u32);
    u64, true, |x: u64| x, |b: u64| b;
    i64, true, |x: i64| x as u64, |b: u64| b as i64;
    f64, true, |x: f64| x.to_bits(), |b: u64| f64::from_bits(b);
}

macro_rules! shuffle {
    ($($(#[$doc:meta])* $name:ident($operand:ident), $kind:ident, $value_only:ident, $cuda:literal;)*) => {$(
        $(#[$doc])*
        ///
        /// `width` (1, 2, 4, 8, 16 or 32) divides the warp into segments that shuffle separately.
        /// Returns the source lane's value and true, or this lane's own value and false if the
        /// source is outside the segment.
        ///
        /// # Safety
        /// See the [module](self); the source lane is in `mask`.
        #[inline(always)]
        #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
        pub unsafe fn $name<T: WarpShuffleValue>(mask: u32, value: T, $operand: u32, width: u32) -> (T, bool) {
            // SAFETY: passed on to the caller.
            let bits = unsafe { backend::shuffle(T::WIDE, Shuffle::$kind, mask, value.to_bits(), $operand, width) };
            (T::from_bits(bits), Shuffle::$kind.source(lane_id(), $operand, width).is_some())
        }

        #[doc = concat!("Shuffles as [`", stringify!($name), "`], and returns the value alone (CUDA C++ `", $cuda, "`).")]
        ///
        /// # Safety
        #[doc = concat!("As [`", stringify!($name), "`].")]
        #[inline(always)]
        #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
        pub unsafe fn $value_only<T: WarpShuffleValue>(mask: u32, value: T, $operand: u32, width: u32) -> T {
            // SAFETY: passed on to the caller.
            unsafe { $name(mask, value, $operand, width) }.0
        }
    )*};
}

shuffle! {
    /// Reads the value of the lane `delta` below (PTX `shfl.sync.up`).
    ///
    /// ```text
    /// delta 1, 4 lanes   lane    0  1  2  3
    ///                    value   a  b  c  d
    ///                    result  a  a  b  c     (lane 0: its own, false)
    /// ```
    warp_shuffle_up(delta), Up, shfl_up_sync, "__shfl_up_sync";
    /// Reads the value of the lane `delta` above (PTX `shfl.sync.down`).
    ///
    /// ```text
    /// delta 1, 4 lanes   lane    0  1  2  3
    ///                    value   a  b  c  d
    ///                    result  b  c  d  d     (lane 3: its own, false)
    /// ```
    warp_shuffle_down(delta), Down, shfl_down_sync, "__shfl_down_sync";
    /// Reads the value of lane `idx` of the segment, modulo its width (PTX `shfl.sync.idx`).
    warp_shuffle_idx(idx), Idx, shfl_sync, "__shfl_sync";
    /// Reads the value of the lane whose number differs in the bits of `lane_mask` (PTX
    /// `shfl.sync.bfly`). As in PTX, a source in an earlier segment is read, and one in a later
    /// segment counts as outside.
    warp_shuffle_xor(lane_mask), Xor, shfl_xor_sync, "__shfl_xor_sync";
}

/// Returns true if `predicate` is true in every lane of `mask` (PTX `vote.sync.all`).
///
/// # Safety
/// See the [module](self).
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub unsafe fn warp_vote_all(mask: u32, predicate: bool) -> bool {
    // SAFETY: passed on to the caller.
    unsafe { backend::vote_all(mask, predicate) }
}

/// Returns true if `predicate` is true in any lane of `mask` (PTX `vote.sync.any`).
///
/// # Safety
/// See the [module](self).
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub unsafe fn warp_vote_any(mask: u32, predicate: bool) -> bool {
    // SAFETY: passed on to the caller.
    unsafe { backend::vote_any(mask, predicate) }
}

/// Returns one bit per lane of `mask`, set if `predicate` is true there (PTX `vote.sync.ballot`).
///
/// ```text
/// lane       0 1 2 3
/// predicate  1 0 1 1   ->  0b1101
/// ```
///
/// # Safety
/// See the [module](self).
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub unsafe fn warp_vote_ballot(mask: u32, predicate: bool) -> u32 {
    // SAFETY: passed on to the caller.
    unsafe { backend::vote_ballot(mask, predicate) }
}

/// Returns the lanes of `mask` that have the same value as this one (PTX `match.any.sync`).
///
/// # Safety
/// See the [module](self).
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub unsafe fn warp_match_any<T: WarpShuffleValue>(mask: u32, value: T) -> u32 {
    let bits = value.to_bits();
    // SAFETY: passed on to the caller.
    unsafe { if T::WIDE { backend::match_any_wide(mask, bits) } else { backend::match_any(mask, bits as u32) } }
}

/// Returns `mask` if all of its lanes have the same value, bit by bit, or else `None` (PTX
/// `match.all.sync`).
///
/// ```text
/// lane       0 1 2 3
/// value      a a a a   ->  Some(0b1111) in all lanes
/// value      a a b a   ->  None in all lanes
/// ```
///
/// # Safety
/// See the [module](self).
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub unsafe fn warp_match_all<T: WarpShuffleValue>(mask: u32, value: T) -> Option<u32> {
    let bits = value.to_bits();
    // SAFETY: passed on to the caller.
    let same =
        unsafe { if T::WIDE { backend::match_all_wide(mask, bits) } else { backend::match_all(mask, bits as u32) } };
    same.then_some(mask)
}

/// An operation of [`warp_reduce`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WarpReductionOp {
    /// Sum; integers wrap.
    Add,
    /// Minimum.
    Min,
    /// Maximum.
    Max,
    /// Bitwise and, of integers.
    And,
    /// Bitwise or, of integers.
    Or,
    /// Bitwise exclusive or, of integers.
    Xor,
}

/// A value that [`warp_reduce`] can combine: `u32`, `i32`, `u64`, `i64`, `f32` or `f64`.
pub trait WarpReduceValue: WarpShuffleValue {
    /// Whether the hardware's reduction is signed, or `None` if it has none for this type.
    #[doc(hidden)]
    const REDUX: Option<bool>;
    #[doc(hidden)]
    fn combine(self, other: Self, op: WarpReductionOp) -> Self;
}

macro_rules! reduce_values {
    ($($integer:ty, $redux:expr;)* / $($float:ty)*) => {
        $(impl WarpReduceValue for $integer {
            const REDUX: Option<bool> = $redux;
            #[inline(always)]
            fn combine(self, other: Self, op: WarpReductionOp) -> Self {
                match op {
                    WarpReductionOp::Add => self.wrapping_add(other),
                    WarpReductionOp::Min => self.min(other),
                    WarpReductionOp::Max => self.max(other),
                    WarpReductionOp::And => self & other,
                    WarpReductionOp::Or => self | other,
                    WarpReductionOp::Xor => self ^ other,
                }
            }
        })*
        $(impl WarpReduceValue for $float {
            const REDUX: Option<bool> = None;
            #[inline(always)]
            fn combine(self, other: Self, op: WarpReductionOp) -> Self {
                match op {
                    WarpReductionOp::Add => self + other,
                    WarpReductionOp::Min => self.min(other),
                    WarpReductionOp::Max => self.max(other),
                    _ => panic!("a bitwise reduction is of integers"),
                }
            }
        })*
    };
}
reduce_values!(u32, Some(false); i32, Some(true); u64, None; i64, None; / f32 f64);

/// Combines the values of the whole warp and returns the result in every lane. It takes five
/// exchange steps (`shfl.sync.bfly`), each of two shuffles for 64 bits. A sum of `f32` adds pairs,
/// then pairs of pairs and so on, and is the same in every lane.
///
/// ```
/// # use simt_std::{simulator::{Grid, Simulator}, warp::{self, WarpReductionOp}};
/// # Simulator::default().launch("reduce", Grid::linear(1, 32), || {
/// // SAFETY: all lanes are here.
/// let sum = unsafe { warp::warp_reduce(warp::lane_id(), WarpReductionOp::Add) };
/// assert_eq!(sum, 31 * 32 / 2);
/// # })?;
/// # Ok::<(), simt_std::simulator::Fault>(())
/// ```
///
/// # Safety
/// All 32 lanes take part. In a warp of fewer lanes, use
/// [`collective::reduce_sync`](crate::collective::reduce_sync) with [`warp_mask`].
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub unsafe fn warp_reduce<T: WarpReduceValue>(value: T, op: WarpReductionOp) -> T {
    let mut value = value;
    for distance in [16, 8, 4, 2, 1] {
        // SAFETY: all lanes are here, and the source of each is another one of them.
        let (other, _) = unsafe { warp_shuffle_xor(crate::FULL_WARP, value, distance, crate::WARP) };
        value = value.combine(other, op);
    }
    value
}
