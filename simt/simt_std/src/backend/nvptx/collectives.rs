//! Collectives: barriers, shuffles, votes and matches. All are LLVM intrinsics, which LLVM knows to
//! be convergent.

use crate::shuffle::Shuffle;
use core::arch::nvptx;

#[allow(improper_ctypes)]
unsafe extern "C" {
    #[link_name = "llvm.nvvm.read.ptx.sreg.laneid"]
    safe fn laneid() -> u32;
    #[link_name = "llvm.nvvm.bar.warp.sync"]
    fn bar_warp_sync(mask: u32);
    #[link_name = "llvm.nvvm.shfl.sync.up.i32"]
    fn shfl_up(mask: u32, value: u32, delta: u32, clamp: u32) -> u32;
    #[link_name = "llvm.nvvm.shfl.sync.down.i32"]
    fn shfl_down(mask: u32, value: u32, delta: u32, clamp: u32) -> u32;
    #[link_name = "llvm.nvvm.shfl.sync.idx.i32"]
    fn shfl_idx(mask: u32, value: u32, idx: u32, clamp: u32) -> u32;
    #[link_name = "llvm.nvvm.shfl.sync.bfly.i32"]
    fn shfl_bfly(mask: u32, value: u32, lane_mask: u32, clamp: u32) -> u32;
    #[link_name = "llvm.nvvm.vote.all.sync"]
    fn vote_all_sync(mask: u32, predicate: bool) -> bool;
    #[link_name = "llvm.nvvm.vote.any.sync"]
    fn vote_any_sync(mask: u32, predicate: bool) -> bool;
    #[link_name = "llvm.nvvm.vote.ballot.sync"]
    fn vote_ballot_sync(mask: u32, predicate: bool) -> u32;
    #[link_name = "llvm.nvvm.match.any.sync.i32"]
    fn match_any_sync(mask: u32, value: u32) -> u32;
    #[link_name = "llvm.nvvm.match.any.sync.i64"]
    fn match_any_sync_wide(mask: u32, value: u64) -> u32;
    #[link_name = "llvm.nvvm.activemask"]
    safe fn active_mask() -> u32;
    #[link_name = "llvm.nvvm.read.ptx.sreg.lanemask.lt"]
    safe fn read_lanemask_lt() -> u32;
    #[link_name = "llvm.nvvm.read.ptx.sreg.lanemask.le"]
    safe fn read_lanemask_le() -> u32;
    #[link_name = "llvm.nvvm.read.ptx.sreg.lanemask.eq"]
    safe fn read_lanemask_eq() -> u32;
    #[link_name = "llvm.nvvm.read.ptx.sreg.lanemask.ge"]
    safe fn read_lanemask_ge() -> u32;
    #[link_name = "llvm.nvvm.read.ptx.sreg.lanemask.gt"]
    safe fn read_lanemask_gt() -> u32;
    #[link_name = "llvm.nvvm.barrier.cta.sync.aligned.count"]
    fn bar_sync(id: u32, threads: u32);
    #[link_name = "llvm.nvvm.barrier.cta.arrive.aligned.count"]
    fn bar_arrive(id: u32, threads: u32);
    #[link_name = "llvm.nvvm.barrier0.popc"]
    fn barrier_popc(predicate: u32) -> u32;
    #[link_name = "llvm.nvvm.barrier0.and"]
    fn barrier_and(predicate: u32) -> u32;
    #[link_name = "llvm.nvvm.barrier0.or"]
    fn barrier_or(predicate: u32) -> u32;
}

// The two results are not returned as the C ABI would return a struct.
#[allow(improper_ctypes)]
unsafe extern "unadjusted" {
    #[link_name = "llvm.nvvm.match.all.sync.i32p"]
    fn match_all_sync(mask: u32, value: u32) -> (u32, bool);
    #[link_name = "llvm.nvvm.match.all.sync.i64p"]
    fn match_all_sync_wide(mask: u32, value: u64) -> (u32, bool);
}

#[inline(always)]
pub unsafe fn sync_threads() {
    // SAFETY: passed on to the caller: every thread of the block is here.
    unsafe { nvptx::_syncthreads() }
}

#[inline(always)]
pub unsafe fn sync_threads_count(predicate: bool) -> u32 {
    // SAFETY: as above.
    unsafe { barrier_popc(predicate as u32) }
}

#[inline(always)]
pub unsafe fn sync_threads_and(predicate: bool) -> bool {
    // SAFETY: as above.
    unsafe { barrier_and(predicate as u32) != 0 }
}

#[inline(always)]
pub unsafe fn sync_threads_or(predicate: bool) -> bool {
    // SAFETY: as above.
    unsafe { barrier_or(predicate as u32) != 0 }
}

#[inline(always)]
pub unsafe fn barrier_sync(id: u32, threads: u32) {
    // SAFETY: passed on to the caller: the warps that the barrier waits for come.
    unsafe { bar_sync(id, threads) }
}

#[inline(always)]
pub unsafe fn barrier_arrive(id: u32, threads: u32) {
    // SAFETY: as above.
    unsafe { bar_arrive(id, threads) }
}

#[inline(always)]
pub fn lane_id() -> u32 {
    laneid()
}

#[inline(always)]
pub fn activemask() -> u32 {
    active_mask()
}

#[inline(always)]
pub fn lanemask_lt() -> u32 {
    read_lanemask_lt()
}

#[inline(always)]
pub fn lanemask_le() -> u32 {
    read_lanemask_le()
}

#[inline(always)]
pub fn lanemask_eq() -> u32 {
    read_lanemask_eq()
}

#[inline(always)]
pub fn lanemask_ge() -> u32 {
    read_lanemask_ge()
}

#[inline(always)]
pub fn lanemask_gt() -> u32 {
    read_lanemask_gt()
}

#[inline(always)]
pub unsafe fn sync_warp(mask: u32) {
    // SAFETY: passed on to the caller: the lanes of the mask are here.
    unsafe { bar_warp_sync(mask) }
}

#[inline(always)]
pub unsafe fn shuffle(wide: bool, kind: Shuffle, mask: u32, bits: u64, operand: u32, width: u32) -> u64 {
    // PTX: bits 8 to 12 hold the segment mask, bits 0 to 4 the last lane that a shuffle can reach.
    let segment = (32 - width) << 8;
    let one = |half: u32| {
        // SAFETY: passed on to the caller: the lanes of the mask are here.
        unsafe {
            match kind {
                Shuffle::Up => shfl_up(mask, half, operand, segment),
                Shuffle::Down => shfl_down(mask, half, operand, segment | 31),
                Shuffle::Idx => shfl_idx(mask, half, operand, segment | 31),
                Shuffle::Xor => shfl_bfly(mask, half, operand, segment | 31),
            }
        }
    };
    let low = one(bits as u32) as u64;
    if wide { low | (one((bits >> 32) as u32) as u64) << 32 } else { low }
}

#[inline(always)]
pub unsafe fn vote_all(mask: u32, predicate: bool) -> bool {
    // SAFETY: passed on to the caller: the lanes of the mask are here.
    unsafe { vote_all_sync(mask, predicate) }
}

#[inline(always)]
pub unsafe fn vote_any(mask: u32, predicate: bool) -> bool {
    // SAFETY: passed on to the caller: the lanes of the mask are here.
    unsafe { vote_any_sync(mask, predicate) }
}

#[inline(always)]
pub unsafe fn vote_ballot(mask: u32, predicate: bool) -> u32 {
    // SAFETY: passed on to the caller: the lanes of the mask are here.
    unsafe { vote_ballot_sync(mask, predicate) }
}

#[inline(always)]
pub unsafe fn match_any(mask: u32, value: u32) -> u32 {
    // SAFETY: passed on to the caller: the lanes of the mask are here.
    unsafe { match_any_sync(mask, value) }
}

#[inline(always)]
pub unsafe fn match_any_wide(mask: u32, value: u64) -> u32 {
    // SAFETY: passed on to the caller: the lanes of the mask are here.
    unsafe { match_any_sync_wide(mask, value) }
}

#[inline(always)]
pub unsafe fn match_all(mask: u32, value: u32) -> bool {
    // SAFETY: passed on to the caller: the lanes of the mask are here.
    unsafe { match_all_sync(mask, value).1 }
}

#[inline(always)]
pub unsafe fn match_all_wide(mask: u32, value: u64) -> bool {
    // SAFETY: passed on to the caller: the lanes of the mask are here.
    unsafe { match_all_sync_wide(mask, value).1 }
}

macro_rules! redux {
    ($($name:ident, $link_name:literal, $kind:ty;)*) => {
        #[cfg(target_feature = "sm_80")]
        unsafe extern "C" {
            $(
                #[link_name = $link_name]
                pub fn $name(value: $kind, mask: u32) -> $kind;
            )*
        }
    };
}

redux! {
    redux_add, "llvm.nvvm.redux.sync.add", u32;
    redux_umin, "llvm.nvvm.redux.sync.umin", u32;
    redux_umax, "llvm.nvvm.redux.sync.umax", u32;
    redux_min, "llvm.nvvm.redux.sync.min", i32;
    redux_max, "llvm.nvvm.redux.sync.max", i32;
    redux_and, "llvm.nvvm.redux.sync.and", u32;
    redux_or, "llvm.nvvm.redux.sync.or", u32;
    redux_xor, "llvm.nvvm.redux.sync.xor", u32;
}
