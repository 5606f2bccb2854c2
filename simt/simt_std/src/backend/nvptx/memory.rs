//! Loads and stores of global and shared memory: one instruction each.

use crate::Word;
use core::arch::asm;
use core::mem::transmute_copy;

/// An index or an offset in shared memory, whose addresses have 32 bits.
pub type SharedIndex = u32;

/// Returns an index in shared memory.
#[inline(always)]
pub fn shared_index(i: usize) -> SharedIndex {
    i as SharedIndex
}

core::arch::global_asm!(".extern .shared .align 16 .b8 dynamic_shared[];");

#[inline(always)]
pub fn dynamic_shared_base() -> u32 {
    let address: u32;
    // SAFETY: takes the address of the variable declared above.
    unsafe { asm!("mov.u32 {}, dynamic_shared;", out(reg32) address, options(pure, nomem, nostack)) };
    address
}

/// One load of the size of `T`. With `asm!`, the state space is in the instruction (`ld.global`,
/// `ld.shared`) and shared addresses keep their 32 bits. From an integer or a kernel parameter,
/// LLVM would generate generic accesses.
macro_rules! load {
    ($space:literal, $class:ident, $address:ident, $options:tt) => {{
        let address = $address;
        // SAFETY: the launch's contract: the element is inside an array of T. A Word is plain data,
        // and each transmute is between equal sizes or takes the low bytes. Sizes 1 and 2 share one
        // arm: with two arms, LLVM generates different code for other kernels.
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
                    transmute_copy(&crate::U32x4([a, b, c, d]))
                }
            }
        }
    }};
}

/// One store of the size of `T`.
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
                    let crate::U32x4([a, b, c, d]) = transmute_copy(&$value);
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
pub fn global_read<T: Word>(array: *mut T, i: usize) -> T {
    let address = array.wrapping_add(i);
    load!("global", reg64, address, (pure, readonly, nostack))
}

#[inline(always)]
pub fn global_read_only<T: Word>(array: *mut T, i: usize) -> T {
    let address = array.wrapping_add(i);
    load!("global.nc", reg64, address, (pure, readonly, nostack))
}

#[inline(always)]
pub fn global_write<T: Word>(array: *mut T, i: usize, value: T) {
    let address = array.wrapping_add(i);
    store!("global", reg64, address, value);
}

/// Loads and stores with a cache operator.
macro_rules! hinted {
    ($($load:ident, $space:literal, $options:tt;)*; $($store:ident, $to:literal;)*) => {
        $(#[inline(always)]
        pub fn $load<T: Word>(array: *mut T, i: usize) -> T {
            let address = array.wrapping_add(i);
            load!($space, reg64, address, $options)
        })*

        $(#[inline(always)]
        pub fn $store<T: Word>(array: *mut T, i: usize, value: T) {
            let address = array.wrapping_add(i);
            store!($to, reg64, address, value);
        })*
    };
}

// `ldlu` may discard the line, and `ldcv` fetches again: the compiler must not repeat the first or
// merge two of the second.
hinted! {
    global_ldca, "global.ca", (pure, readonly, nostack);
    global_ldcg, "global.cg", (pure, readonly, nostack);
    global_ldcs, "global.cs", (pure, readonly, nostack);
    global_ldlu, "global.lu", (nostack);
    global_ldcv, "global.cv", (nostack);
    ;
    global_stwb, "global.wb";
    global_stcg, "global.cg";
    global_stcs, "global.cs";
    global_stwt, "global.wt";
}

#[inline(always)]
pub fn shared_read<T: Word>(array: u32, offset: SharedIndex) -> T {
    let address = array.wrapping_add(offset);
    load!("shared", reg32, address, (pure, readonly, nostack))
}

#[inline(always)]
pub fn shared_write<T: Word>(array: u32, offset: SharedIndex, value: T) {
    let address = array.wrapping_add(offset);
    store!("shared", reg32, address, value);
}
