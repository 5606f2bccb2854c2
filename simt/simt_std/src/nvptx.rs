//! The device layer on the GPU: an intrinsic or one instruction each.
//!
//! Collectives are `llvm.nvvm.*` intrinsics, which LLVM knows to be convergent; `asm!` is not, and serves
//! lane-local loads, stores and atomics alone.

use super::Word;
use super::atomic::{AtomicWord, Order, Rmw, Scope};
use super::global::Global;
use super::shared::Shared;
use super::warp::Shuffle;
use core::arch::{asm, nvptx};
use core::ffi::{CStr, c_void};
use core::mem::transmute_copy;
use core::panic::Location;

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
    #[link_name = "llvm.nvvm.barrier0.popc"]
    fn barrier_popc(predicate: u32) -> u32;
    #[link_name = "llvm.nvvm.barrier0.and"]
    fn barrier_and(predicate: u32) -> u32;
    #[link_name = "llvm.nvvm.barrier0.or"]
    fn barrier_or(predicate: u32) -> u32;
    // System calls that the driver provides (CUDA C++ Programming Guide; PTX interoperability).
    fn vprintf(format: *const u8, arguments: *const c_void) -> i32;
    fn __assertfail(message: *const u8, file: *const u8, line: u32, function: *const u8, char_size: usize) -> !;
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
        // SAFETY: the launch's contract: the element is inside an array of T. A Word is plain data, and each transmute is between
        // equal sizes or takes the low bytes. One arm for 1 and 2 bytes: with two, LLVM makes other code of other kernels.
        unsafe {
            const { crate::assert_word_size::<T>() };
            match size_of::<T>() {
                1 | 2 => {
                    let value: u32;
                    asm!(concat!("ld.", $space, ".u{} {}, [{}];"),
                        const 8 * size_of::<T>(), out(reg32) value, in($class) address, options $options);
                    transmute_copy(&value)
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
            const { crate::assert_word_size::<T>() };
            match size_of::<T>() {
                1 | 2 => {
                    let mut bits: u32 = 0;
                    (&raw mut bits).cast::<T>().write($value);
                    asm!(concat!("st.", $space, ".u{} [{}], {};"),
                        const 8 * size_of::<T>(), in($class) address, in(reg32) bits, options(nostack));
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
pub fn global_read_only<T: Word>(array: Global<T>, i: usize) -> T {
    let address = array.address.wrapping_add(i);
    load!("global.nc", reg64, address, (pure, readonly, nostack))
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

// Atomics. No `asm!` of theirs is `pure`, `nomem` or `readonly`: the compiler, too, must keep other accesses on their
// side of an acquire or a release. Order and scope are constants where they are used, which leaves one instruction.

/// The instruction at the scope of `$scope`.
macro_rules! scoped {
    ($scope:ident, $instruction:ident, $($arguments:tt)*) => {
        match $scope {
            Scope::Block => $instruction!("cta", $($arguments)*),
            Scope::Device => $instruction!("gpu", $($arguments)*),
            Scope::System => $instruction!("sys", $($arguments)*),
        }
    };
}

/// The instruction of the order `$order`, among those that it can have.
macro_rules! ordered {
    (any $order:ident, $($rest:tt)*) => {
        match $order {
            Order::Relaxed => ordered!(@ "relaxed", $($rest)*),
            Order::Acquire => ordered!(@ "acquire", $($rest)*),
            Order::Release => ordered!(@ "release", $($rest)*),
            Order::AcqRel => ordered!(@ "acq_rel", $($rest)*),
        }
    };
    (relaxed or $other:tt $order:ident, $($rest:tt)*) => {
        match $order {
            Order::Relaxed => ordered!(@ "relaxed", $($rest)*),
            _ => ordered!(@ $other, $($rest)*),
        }
    };
    (@ $order:literal, $scope:ident, $instruction:ident, $($arguments:tt)*) => {
        scoped!($scope, $instruction, $order, $($arguments)*)
    };
}

macro_rules! rmw_instruction {
    ($scope:literal, $order:literal, $space:literal, $op:literal, $type:literal,
        $reg:ident $old:ident, $class:ident $address:ident, $value:ident) => {
        asm!(concat!("atom.", $order, ".", $scope, ".", $space, ".", $op, ".", $type, " {}, [{}], {};"),
            out($reg) $old, in($class) $address, in($reg) $value, options(nostack))
    };
}

macro_rules! cas_instruction {
    ($scope:literal, $order:literal, $space:literal, $type:literal,
        $reg:ident $old:ident, $class:ident $address:ident, $current:ident, $new:ident) => {
        asm!(concat!("atom.", $order, ".", $scope, ".", $space, ".cas.", $type, " {}, [{}], {}, {};"),
            out($reg) $old, in($class) $address, in($reg) $current, in($reg) $new, options(nostack))
    };
}

macro_rules! load_instruction {
    ($scope:literal, $order:literal, $space:literal, $type:literal, $reg:ident $value:ident, $class:ident $address:ident) => {
        asm!(concat!("ld.", $order, ".", $scope, ".", $space, ".", $type, " {}, [{}];"),
            out($reg) $value, in($class) $address, options(nostack))
    };
}

macro_rules! store_instruction {
    ($scope:literal, $order:literal, $space:literal, $type:literal, $reg:ident $value:ident, $class:ident $address:ident) => {
        asm!(concat!("st.", $order, ".", $scope, ".", $space, ".", $type, " [{}], {};"),
            in($class) $address, in($reg) $value, options(nostack))
    };
}

/// The instructions of [`atomic::Place`](super::atomic::Place) for one type, in one kind of memory. The address is a
/// pointer in global memory, 32 bits in shared memory.
///
/// # Safety
/// Of all of them: by the launch's contract the element is inside its array.
#[allow(missing_docs)]
pub trait AtomicElement: Sized {
    unsafe fn global_rmw<const OP: u8>(address: *mut Self, value: Self, order: Order, scope: Scope) -> Self;
    unsafe fn global_cas(address: *mut Self, current: Self, new: Self, order: Order, scope: Scope) -> Self;
    unsafe fn global_load(address: *mut Self, order: Order, scope: Scope) -> Self;
    unsafe fn global_store(address: *mut Self, value: Self, order: Order, scope: Scope);
    unsafe fn shared_rmw<const OP: u8>(address: u32, value: Self, order: Order, scope: Scope) -> Self;
    unsafe fn shared_cas(address: u32, current: Self, new: Self, order: Order, scope: Scope) -> Self;
    unsafe fn shared_load(address: u32, order: Order, scope: Scope) -> Self;
    unsafe fn shared_store(address: u32, value: Self, order: Order, scope: Scope);
}

const ADD: u8 = Rmw::Add as u8;
const MIN: u8 = Rmw::Min as u8;
const MAX: u8 = Rmw::Max as u8;
const AND: u8 = Rmw::And as u8;
const OR: u8 = Rmw::Or as u8;
const XOR: u8 = Rmw::Xor as u8;

macro_rules! atomic_element {
    ($t:ident as $bits:ident, $reg:ident; $add:literal, $plain:literal, $raw:literal $(, $ordered:literal)?) => {
        impl AtomicElement for $t {
            atomic_element!("global" reg64 (*mut $t) global_rmw global_cas global_load global_store
                $bits $reg $add $plain $raw ($($ordered)?));
            atomic_element!("shared" reg32 (u32) shared_rmw shared_cas shared_load shared_store
                $bits $reg $add $plain $raw ($($ordered)?));
        }
    };
    ($space:literal $class:ident ($address:ty) $rmw:ident $cas:ident $load:ident $store:ident
        $bits:ident $reg:ident $add:literal $plain:literal $raw:literal ($($ordered:literal)?)) => {
        #[inline(always)]
        unsafe fn $rmw<const OP: u8>(address: $address, value: Self, order: Order, scope: Scope) -> Self {
            // SAFETY: the caller's; a transmute is between numbers of one size.
            unsafe {
                let value: $bits = transmute_copy(&value);
                let old: $bits;
                match OP {
                    ADD => ordered!(any order, scope, rmw_instruction, $space, "add", $add, $reg old, $class address, value),
                    $(
                        MIN => ordered!(any order, scope, rmw_instruction, $space, "min", $ordered, $reg old, $class address, value),
                        MAX => ordered!(any order, scope, rmw_instruction, $space, "max", $ordered, $reg old, $class address, value),
                        AND => ordered!(any order, scope, rmw_instruction, $space, "and", $raw, $reg old, $class address, value),
                        OR => ordered!(any order, scope, rmw_instruction, $space, "or", $raw, $reg old, $class address, value),
                        XOR => ordered!(any order, scope, rmw_instruction, $space, "xor", $raw, $reg old, $class address, value),
                    )?
                    _ => ordered!(any order, scope, rmw_instruction, $space, "exch", $raw, $reg old, $class address, value),
                }
                transmute_copy(&old)
            }
        }

        #[inline(always)]
        unsafe fn $cas(address: $address, current: Self, new: Self, order: Order, scope: Scope) -> Self {
            // SAFETY: as above.
            unsafe {
                let (current, new): ($bits, $bits) = (transmute_copy(&current), transmute_copy(&new));
                let old: $bits;
                ordered!(any order, scope, cas_instruction, $space, $raw, $reg old, $class address, current, new);
                transmute_copy(&old)
            }
        }

        #[inline(always)]
        unsafe fn $load(address: $address, order: Order, scope: Scope) -> Self {
            // SAFETY: as above.
            unsafe {
                let value: $bits;
                ordered!(relaxed or "acquire" order, scope, load_instruction, $space, $plain, $reg value, $class address);
                transmute_copy(&value)
            }
        }

        #[inline(always)]
        unsafe fn $store(address: $address, value: Self, order: Order, scope: Scope) {
            // SAFETY: as above.
            unsafe {
                let value: $bits = transmute_copy(&value);
                ordered!(relaxed or "release" order, scope, store_instruction, $space, $plain, $reg value, $class address);
            }
        }
    };
}

// The type of an addition; of loads and stores; of bitwise operations; of comparisons.
atomic_element!(u32 as u32, reg32; "u32", "u32", "b32", "u32");
atomic_element!(i32 as u32, reg32; "s32", "u32", "b32", "s32");
atomic_element!(u64 as u64, reg64; "u64", "u64", "b64", "u64");
atomic_element!(i64 as u64, reg64; "u64", "u64", "b64", "s64");
atomic_element!(f32 as u32, reg32; "f32", "u32", "b32");
atomic_element!(f64 as u64, reg64; "f64", "u64", "b64");

macro_rules! atomic_functions {
    ($module:ident, $array:ident<T>, $index:ty, $address:expr, $rmw:ident $cas:ident $load:ident $store:ident) => {
        pub mod $module {
            use super::*;

            #[inline(always)]
            pub fn rmw<T: AtomicWord, const OP: u8>(
                a: $array<T>,
                i: $index,
                value: T,
                order: Order,
                scope: Scope,
            ) -> T {
                // SAFETY: the launch's contract: the element is inside.
                unsafe { T::$rmw::<OP>($address(a, i), value, order, scope) }
            }

            #[inline(always)]
            pub fn cas<T: AtomicWord>(a: $array<T>, i: $index, current: T, new: T, order: Order, scope: Scope) -> T {
                // SAFETY: the launch's contract: the element is inside.
                unsafe { T::$cas($address(a, i), current, new, order, scope) }
            }

            #[inline(always)]
            pub fn load<T: AtomicWord>(a: $array<T>, i: $index, order: Order, scope: Scope) -> T {
                // SAFETY: the launch's contract: the element is inside.
                unsafe { T::$load($address(a, i), order, scope) }
            }

            #[inline(always)]
            pub fn store<T: AtomicWord>(a: $array<T>, i: $index, value: T, order: Order, scope: Scope) {
                // SAFETY: the launch's contract: the element is inside.
                unsafe { T::$store($address(a, i), value, order, scope) }
            }
        }
    };
}

#[inline(always)]
fn global_address<T>(array: Global<T>, i: usize) -> *mut T {
    array.address.wrapping_add(i)
}

#[inline(always)]
fn shared_address<T: Word>(array: Shared<T>, i: u32) -> u32 {
    array.address().wrapping_add(i.wrapping_mul(size_of::<T>() as u32))
}

atomic_functions!(global_atomic, Global<T>, usize, global_address, global_rmw global_cas global_load global_store);
atomic_functions!(shared_atomic, Shared<T>, u32, shared_address, shared_rmw shared_cas shared_load shared_store);

#[inline(always)]
pub fn atomic_load_64_if(wanted: bool, array: Global<u64>, i: usize, value: &mut u64) {
    // SAFETY: the launch's contract: the element is inside, where it is wanted.
    unsafe {
        asm!("{{ .reg .pred p; setp.ne.u32 p, {}, 0; @p ld.relaxed.sys.global.u64 {}, [{}]; }}",
            in(reg32) wanted as u32, inout(reg64) *value, in(reg64) array.address.wrapping_add(i), options(nostack));
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
pub fn lop3<const TABLE: u8>(a: u32, b: u32, c: u32) -> u32 {
    let result: u32;
    // SAFETY: arithmetic on registers.
    unsafe {
        asm!("lop3.b32 {}, {}, {}, {}, {};",
            out(reg32) result, in(reg32) a, in(reg32) b, in(reg32) c, const TABLE, options(pure, nomem, nostack));
    }
    result
}

#[inline(always)]
pub fn funnel_shift_left(low: u32, high: u32, shift: u32) -> u32 {
    let word: u32;
    // SAFETY: arithmetic on registers.
    unsafe {
        asm!("shf.l.wrap.b32 {}, {}, {}, {};",
            out(reg32) word, in(reg32) low, in(reg32) high, in(reg32) shift, options(pure, nomem, nostack));
    }
    word
}

#[inline(always)]
pub fn funnel_shift_right(low: u32, high: u32, shift: u32) -> u32 {
    let word: u32;
    // SAFETY: arithmetic on registers.
    unsafe {
        asm!("shf.r.wrap.b32 {}, {}, {}, {};",
            out(reg32) word, in(reg32) low, in(reg32) high, in(reg32) shift, options(pure, nomem, nostack));
    }
    word
}

#[inline(always)]
pub fn opaque(mut number: u32) -> u32 {
    // SAFETY: an empty instruction.
    unsafe { asm!("mov.b32 {0}, {0};", inout(reg32) number, options(nomem, nostack)) };
    number
}

#[inline(always)]
pub fn fence(scope: Scope) {
    macro_rules! fence_instruction {
        ($scope:literal,) => {
            asm!(concat!("fence.acq_rel.", $scope, ";"), options(nostack))
        };
    }
    // SAFETY: it orders accesses and does nothing else.
    unsafe { scoped!(scope, fence_instruction,) }
}

#[inline(always)]
pub fn clock() -> u32 {
    let cycles: u32;
    // SAFETY: reads a special register; with a memory clobber, so that accesses stay on their side of it.
    unsafe { asm!("mov.u32 {}, %clock;", out(reg32) cycles, options(nostack)) };
    cycles
}

#[inline(always)]
pub fn clock64() -> u64 {
    let cycles: u64;
    // SAFETY: as above.
    unsafe { asm!("mov.u64 {}, %clock64;", out(reg64) cycles, options(nostack)) };
    cycles
}

#[inline(always)]
pub fn nanosleep(nanoseconds: u32) {
    // SAFETY: it waits.
    unsafe { asm!("nanosleep.u32 {};", in(reg32) nanoseconds, options(nomem, nostack)) };
}

/// Prints through the driver (CUDA C++ `printf`): `format` ends with a zero byte, `arguments` lie as in C.
#[inline(always)]
pub fn print(format: &'static str, arguments: &[u64]) {
    // SAFETY: simt_std's `printf!` has compared the arguments with the format, which ends with a zero byte.
    unsafe { vprintf(format.as_ptr(), arguments.as_ptr().cast()) };
}

/// Ends the launch: a slice has no such element. Never inlined, so that a check costs its kernel a comparison, a
/// branch and a call.
#[cold]
#[inline(never)]
#[track_caller]
pub fn out_of_bounds(index: u64, len: u64) -> ! {
    crate::printf!("index %llu of a slice of %llu elements\n", index, len);
    fail(c"index < length", Some(Location::caller()))
}

/// Ends the launch by way of the driver, which prints the place in the source, the block, the thread and the message
/// (CUDA C++ `assert`).
pub fn fail(message: &CStr, place: Option<&Location>) -> ! {
    let (file, line) = place.map_or((c"unknown file", 0), |place| (place.file_as_c_str(), place.line()));
    // SAFETY: strings that end with a zero byte, of characters of 1 byte.
    unsafe {
        __assertfail(message.as_ptr().cast(), file.as_ptr().cast(), line, c"kernel".as_ptr().cast(), 1);
    }
}
