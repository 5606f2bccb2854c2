//! Atomic operations and fences: one instruction each.
//!
//! No `asm!` here is `pure`, `nomem` or `readonly`, because the compiler, too, must not move other
//! accesses across an acquire or a release. Order and scope are constants at each call, so that a
//! single instruction remains.

use super::memory::SharedIndex;
use crate::Word;
use crate::ordering::{Order, Rmw, Scope};
use core::arch::asm;
use core::mem::transmute_copy;

/// Selects the instruction of the scope `$scope`.
macro_rules! scoped {
    ($scope:ident, $instruction:ident, $($arguments:tt)*) => {
        match $scope {
            Scope::Block => $instruction!("cta", $($arguments)*),
            Scope::Device => $instruction!("gpu", $($arguments)*),
            Scope::System => $instruction!("sys", $($arguments)*),
        }
    };
}

/// Selects the instruction of the order `$order`, among the orders that the operation supports. The
/// fence of a sequentially consistent operation comes before it.
macro_rules! ordered {
    (any $order:ident, $($rest:tt)*) => {
        match $order {
            Order::Relaxed => ordered!(@ "relaxed", $($rest)*),
            Order::Acquire => ordered!(@ "acquire", $($rest)*),
            Order::Release => ordered!(@ "release", $($rest)*),
            Order::AcqRel | Order::SeqCst => ordered!(@ "acq_rel", $($rest)*),
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

/// The instructions of [`atomic::AtomicArray`](crate::atomic::AtomicArray) for one element type. An
/// address in global memory is a pointer, one in shared memory is 32 bits.
///
/// # Safety
/// For all methods: by the launch's contract, the element is inside its array.
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
    ($t:ident as $bits:ident, $reg:ident; $add:literal, $plain:literal, $raw:literal, $comparisons:tt) => {
        impl AtomicElement for $t {
            atomic_element!("global" reg64 (*mut $t) global_rmw global_cas global_load global_store
                $bits $reg $add $plain $raw $comparisons);
            atomic_element!("shared" reg32 (u32) shared_rmw shared_cas shared_load shared_store
                $bits $reg $add $plain $raw $comparisons);
        }
    };
    ($space:literal $class:ident ($address:ty) $rmw:ident $cas:ident $load:ident $store:ident
        $bits:ident $reg:ident $add:literal $plain:literal $raw:literal
        ($($ordered:literal)? $(; $signed:literal $unsigned:literal)?)) => {
        #[inline(always)]
        unsafe fn $rmw<const OP: u8>(address: $address, value: Self, order: Order, scope: Scope) -> Self {
            // SAFETY: passed on to the caller; each transmute is between numbers of one size.
            unsafe {
                $(
                    // A NaN becomes the one that changes nothing.
                    let _ = $signed;
                    let is_nan = value.is_nan();
                )?
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
                    $(
                        MIN => {
                            let value = if is_nan { $bits::MAX >> 1 } else { value };
                            if value >> ($bits::BITS - 1) == 0 {
                                ordered!(any order, scope, rmw_instruction, $space, "min", $signed, $reg old, $class address, value)
                            } else {
                                ordered!(any order, scope, rmw_instruction, $space, "max", $unsigned, $reg old, $class address, value)
                            }
                        }
                        MAX => {
                            let value = if is_nan { $bits::MAX } else { value };
                            if value >> ($bits::BITS - 1) == 0 {
                                ordered!(any order, scope, rmw_instruction, $space, "max", $signed, $reg old, $class address, value)
                            } else {
                                ordered!(any order, scope, rmw_instruction, $space, "min", $unsigned, $reg old, $class address, value)
                            }
                        }
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

// The PTX types of additions, of loads and stores, of bitwise operations, and of comparisons. There
// are no instructions for the minimum and maximum of floats. The bits of a positive float are
// ordered as a signed integer against all floats, those of a negative one as an unsigned integer in
// reverse.
atomic_element!(u32 as u32, reg32; "u32", "u32", "b32", ("u32"));
atomic_element!(i32 as u32, reg32; "s32", "u32", "b32", ("s32"));
atomic_element!(u64 as u64, reg64; "u64", "u64", "b64", ("u64"));
atomic_element!(i64 as u64, reg64; "u64", "u64", "b64", ("s64"));
atomic_element!(f32 as u32, reg32; "f32", "u32", "b32", (; "s32" "u32"));
atomic_element!(f64 as u64, reg64; "f64", "u64", "b64", (; "s64" "u64"));

macro_rules! atomic_functions {
    ($module:ident, $array:ty, $index:ty, $address:ident, $rmw:ident $cas:ident $load:ident $store:ident) => {
        pub mod $module {
            use super::*;

            #[inline(always)]
            pub fn rmw<T: Word + AtomicElement, const OP: u8>(
                a: $array,
                i: $index,
                value: T,
                order: Order,
                scope: Scope,
            ) -> T {
                // SAFETY: the launch's contract: the element is inside.
                unsafe { T::$rmw::<OP>($address::<T>(a, i), value, order, scope) }
            }

            #[inline(always)]
            pub fn cas<T: Word + AtomicElement>(
                a: $array,
                i: $index,
                current: T,
                new: T,
                order: Order,
                scope: Scope,
            ) -> T {
                // SAFETY: the launch's contract: the element is inside.
                unsafe { T::$cas($address::<T>(a, i), current, new, order, scope) }
            }

            #[inline(always)]
            pub fn load<T: Word + AtomicElement>(a: $array, i: $index, order: Order, scope: Scope) -> T {
                // SAFETY: the launch's contract: the element is inside.
                unsafe { T::$load($address::<T>(a, i), order, scope) }
            }

            #[inline(always)]
            pub fn store<T: Word + AtomicElement>(a: $array, i: $index, value: T, order: Order, scope: Scope) {
                // SAFETY: the launch's contract: the element is inside.
                unsafe { T::$store($address::<T>(a, i), value, order, scope) }
            }
        }
    };
}

#[inline(always)]
fn global_address<T>(array: *mut T, i: usize) -> *mut T {
    array.wrapping_add(i)
}

#[inline(always)]
fn shared_address<T>(array: u32, i: SharedIndex) -> u32 {
    array.wrapping_add(i.wrapping_mul(size_of::<T>() as u32))
}

atomic_functions!(global_atomic, *mut T, usize, global_address, global_rmw global_cas global_load global_store);
atomic_functions!(shared_atomic, u32, SharedIndex, shared_address, shared_rmw shared_cas shared_load shared_store);

#[inline(always)]
pub fn atomic_load_64_if(wanted: bool, array: *mut u64, i: usize, value: &mut u64) {
    // SAFETY: the launch's contract: if `wanted`, the element is inside.
    unsafe {
        asm!("{{ .reg .pred p; setp.ne.u32 p, {}, 0; @p ld.relaxed.sys.global.u64 {}, [{}]; }}",
            in(reg32) wanted as u32, inout(reg64) *value, in(reg64) array.wrapping_add(i), options(nostack));
    }
}

macro_rules! fence_instruction {
    ($scope:literal, $order:literal) => {
        asm!(concat!("fence.", $order, ".", $scope, ";"), options(nostack))
    };
}

#[inline(always)]
pub fn fence(scope: Scope) {
    // SAFETY: a fence only orders accesses.
    unsafe { scoped!(scope, fence_instruction, "acq_rel") }
}

#[inline(always)]
pub fn fence_seq_cst(scope: Scope) {
    // SAFETY: as above.
    unsafe { scoped!(scope, fence_instruction, "sc") }
}
