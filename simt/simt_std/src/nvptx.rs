//! The device layer on the GPU: an intrinsic or one instruction each.
//!
//! Collectives are `llvm.nvvm.*` intrinsics, which LLVM knows to be convergent; `asm!` is not, and serves
//! lane-local loads, stores and atomics alone.

use super::Word;
use super::atomic::Rmw;
use super::global::Global;
use super::warp::Shuffle;
use core::arch::{asm, nvptx};
use core::mem::transmute_copy;

/// Plain data.
pub trait Pod: Copy + 'static {}
impl<T: Copy + 'static> Pod for T {}

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
}

macro_rules! index {
    ($($name:ident, $intrinsic:ident;)*) => {$(
        #[inline(always)]
        pub fn $name() -> u32 {
            // SAFETY: reads a special register.
            unsafe { nvptx::$intrinsic() as u32 }
        }
    )*};
}

index! {
    thread_idx_x, _thread_idx_x;
    thread_idx_y, _thread_idx_y;
    thread_idx_z, _thread_idx_z;
    block_idx_x, _block_idx_x;
    block_idx_y, _block_idx_y;
    block_idx_z, _block_idx_z;
    block_dim_x, _block_dim_x;
    block_dim_y, _block_dim_y;
    block_dim_z, _block_dim_z;
    grid_dim_x, _grid_dim_x;
    grid_dim_y, _grid_dim_y;
    grid_dim_z, _grid_dim_z;
}

#[inline(always)]
pub unsafe fn sync_threads() {
    // SAFETY: the caller's: every thread of the block is here.
    unsafe { nvptx::_syncthreads() }
}

#[inline(always)]
pub fn lane_id() -> u32 {
    laneid()
}

#[inline(always)]
pub unsafe fn sync_warp(mask: u32) {
    // SAFETY: the caller's: the lanes of the mask are here.
    unsafe { bar_warp_sync(mask) }
}

#[inline(always)]
pub unsafe fn shuffle(wide: bool, kind: Shuffle, mask: u32, bits: u64, operand: u32, width: u32) -> u64 {
    // PTX: bits 8 to 12 are the segment mask, bits 0 to 4 the last lane in reach.
    let segment = (32 - width) << 8;
    let one = |half: u32| {
        // SAFETY: the caller's: the lanes of the mask are here.
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
    // SAFETY: the caller's: the lanes of the mask are here.
    unsafe { vote_all_sync(mask, predicate) }
}

#[inline(always)]
pub unsafe fn vote_any(mask: u32, predicate: bool) -> bool {
    // SAFETY: the caller's: the lanes of the mask are here.
    unsafe { vote_any_sync(mask, predicate) }
}

#[inline(always)]
pub unsafe fn vote_ballot(mask: u32, predicate: bool) -> u32 {
    // SAFETY: the caller's: the lanes of the mask are here.
    unsafe { vote_ballot_sync(mask, predicate) }
}

#[inline(always)]
pub unsafe fn match_any(mask: u32, value: u32) -> u32 {
    // SAFETY: the caller's: the lanes of the mask are here.
    unsafe { match_any_sync(mask, value) }
}

core::arch::global_asm!(".extern .shared .align 16 .b8 dynamic_shared[];");

#[inline(always)]
pub fn dynamic_shared_base() -> u32 {
    let address: u32;
    // SAFETY: takes the address of the variable declared above.
    unsafe { asm!("mov.u32 {}, dynamic_shared;", out(reg32) address, options(pure, nomem, nostack)) };
    address
}

/// One load of T's size. `asm!`, so that the state space is in the instruction (`ld.global`, `ld.shared`) and shared
/// addresses keep their 32 bits: from an integer or a kernel's parameter LLVM would make generic accesses.
macro_rules! load {
    ($space:literal, $class:ident, $address:ident, $options:tt) => {{
        let address = $address;
        // SAFETY: the launch's contract: the element is inside an array of T. Each transmute is between equal sizes:
        // a Word is plain data of 1, 4, 8 or 16 bytes.
        unsafe {
            match size_of::<T>() {
                1 => {
                    let value: u32;
                    asm!(concat!("ld.", $space, ".u8 {}, [{}];"), out(reg32) value, in($class) address, options $options);
                    transmute_copy(&(value as u8))
                }
                4 => {
                    let value: u32;
                    asm!(concat!("ld.", $space, ".u32 {}, [{}];"), out(reg32) value, in($class) address, options $options);
                    transmute_copy(&value)
                }
                8 => {
                    let value: u64;
                    asm!(concat!("ld.", $space, ".u64 {}, [{}];"), out(reg64) value, in($class) address, options $options);
                    transmute_copy(&value)
                }
                _ => {
                    let (a, b, c, d): (u32, u32, u32, u32);
                    asm!(
                        concat!("ld.", $space, ".v4.u32 {{{}, {}, {}, {}}}, [{}];"),
                        out(reg32) a, out(reg32) b, out(reg32) c, out(reg32) d, in($class) address, options $options
                    );
                    transmute_copy(&super::U32x4([a, b, c, d]))
                }
            }
        }
    }};
}

/// One store of T's size.
macro_rules! store {
    ($space:literal, $class:ident, $address:ident, $value:ident) => {{
        let address = $address;
        // SAFETY: as for the load.
        unsafe {
            match size_of::<T>() {
                1 => {
                    let bits = transmute_copy::<T, u8>(&$value) as u32;
                    asm!(concat!("st.", $space, ".u8 [{}], {};"), in($class) address, in(reg32) bits, options(nostack));
                }
                4 => {
                    let bits: u32 = transmute_copy(&$value);
                    asm!(concat!("st.", $space, ".u32 [{}], {};"), in($class) address, in(reg32) bits, options(nostack));
                }
                8 => {
                    let bits: u64 = transmute_copy(&$value);
                    asm!(concat!("st.", $space, ".u64 [{}], {};"), in($class) address, in(reg64) bits, options(nostack));
                }
                _ => {
                    let super::U32x4([a, b, c, d]) = transmute_copy(&$value);
                    asm!(
                        concat!("st.", $space, ".v4.u32 [{}], {{{}, {}, {}, {}}};"),
                        in($class) address, in(reg32) a, in(reg32) b, in(reg32) c, in(reg32) d, options(nostack)
                    );
                }
            }
        }
    }};
}

#[inline(always)]
pub fn global_read<T: Word>(array: Global<T>, i: usize) -> T {
    let address = array.address.wrapping_add(i);
    load!("global", reg64, address, (pure, readonly, nostack))
}

#[inline(always)]
pub fn global_write<T: Word>(array: Global<T>, i: usize, value: T) {
    let address = array.address.wrapping_add(i);
    store!("global", reg64, address, value);
}

#[inline(always)]
pub fn shared_read<T: Word>(array: u32, offset: u32) -> T {
    let address = array.wrapping_add(offset);
    load!("shared", reg32, address, (pure, readonly, nostack))
}

#[inline(always)]
pub fn shared_write<T: Word>(array: u32, offset: u32, value: T) {
    let address = array.wrapping_add(offset);
    store!("shared", reg32, address, value);
}

macro_rules! atom {
    ($op:literal, $address:ident, $value:ident) => {{
        let old: u32;
        // SAFETY: the launch's contract: the element is inside.
        unsafe {
            asm!(concat!("atom.relaxed.gpu.global.", $op, " {}, [{}], {};"),
                out(reg32) old, in(reg64) $address, in(reg32) $value, options(nostack));
        }
        old
    }};
}

#[inline(always)]
pub fn atomic_rmw<const OP: u8>(array: Global<u32>, i: usize, value: u32) -> u32 {
    let address = array.address.wrapping_add(i);
    const ADD: u8 = Rmw::Add as u8;
    const MIN: u8 = Rmw::Min as u8;
    const MAX: u8 = Rmw::Max as u8;
    const AND: u8 = Rmw::And as u8;
    const OR: u8 = Rmw::Or as u8;
    const XOR: u8 = Rmw::Xor as u8;
    match OP {
        ADD => atom!("add.u32", address, value),
        MIN => atom!("min.u32", address, value),
        MAX => atom!("max.u32", address, value),
        AND => atom!("and.b32", address, value),
        OR => atom!("or.b32", address, value),
        XOR => atom!("xor.b32", address, value),
        _ => atom!("exch.b32", address, value),
    }
}

#[inline(always)]
pub fn atomic_cas(array: Global<u32>, i: usize, current: u32, new: u32) -> u32 {
    let old: u32;
    // SAFETY: the launch's contract: the element is inside.
    unsafe {
        asm!("atom.relaxed.gpu.global.cas.b32 {}, [{}], {}, {};",
            out(reg32) old, in(reg64) array.address.wrapping_add(i), in(reg32) current, in(reg32) new, options(nostack));
    }
    old
}

#[inline(always)]
pub fn atomic_load(array: Global<u32>, i: usize) -> u32 {
    let value: u32;
    // SAFETY: the launch's contract: the element is inside.
    unsafe {
        asm!("ld.relaxed.gpu.global.u32 {}, [{}];",
            out(reg32) value, in(reg64) array.address.wrapping_add(i), options(nostack));
    }
    value
}

#[inline(always)]
pub fn atomic_store(array: Global<u32>, i: usize, value: u32) {
    // SAFETY: the launch's contract: the element is inside.
    unsafe {
        asm!("st.relaxed.gpu.global.u32 [{}], {};",
            in(reg64) array.address.wrapping_add(i), in(reg32) value, options(nostack));
    }
}

#[inline(always)]
pub fn atomic_load_64(array: Global<u64>, i: usize) -> u64 {
    let value: u64;
    // SAFETY: the launch's contract: the element is inside.
    unsafe {
        asm!("ld.relaxed.sys.global.u64 {}, [{}];",
            out(reg64) value, in(reg64) array.address.wrapping_add(i), options(nostack));
    }
    value
}

#[inline(always)]
pub fn atomic_load_64_if(wanted: bool, array: Global<u64>, i: usize, value: &mut u64) {
    // SAFETY: the launch's contract: the element is inside, where it is wanted.
    unsafe {
        asm!("{{ .reg .pred p; setp.ne.u32 p, {}, 0; @p ld.relaxed.sys.global.u64 {}, [{}]; }}",
            in(reg32) wanted as u32, inout(reg64) *value, in(reg64) array.address.wrapping_add(i), options(nostack));
    }
}

#[inline(always)]
pub fn atomic_store_64(array: Global<u64>, i: usize, value: u64) {
    // SAFETY: the launch's contract: the element is inside.
    unsafe {
        asm!("st.relaxed.sys.global.u64 [{}], {};",
            in(reg64) array.address.wrapping_add(i), in(reg64) value, options(nostack));
    }
}

#[inline(always)]
pub fn dp4a(a: u32, b: u32, c: u32) -> u32 {
    let sum: u32;
    // SAFETY: arithmetic on registers.
    unsafe {
        asm!("dp4a.u32.u32 {}, {}, {}, {};",
            out(reg32) sum, in(reg32) a, in(reg32) b, in(reg32) c, options(pure, nomem, nostack));
    }
    sum
}

#[inline(always)]
pub fn opaque(mut number: u32) -> u32 {
    // SAFETY: an empty instruction.
    unsafe { asm!("mov.b32 {0}, {0};", inout(reg32) number, options(nomem, nostack)) };
    number
}
