//! Indices of elements, for global and for shared memory.

use super::backend;

/// The index of an element in global or shared memory: `u32`, as [`thread`](crate::thread) returns
/// it, or `usize`; `u8` and `u16` for tables that symbols select from. The conversion costs no
/// instruction of its own: an address in global memory has 64 bits, one in shared memory 32.
///
/// `i32` is an index, too, because it is the type of a literal. A negative index is outside every
/// array, and so is the result of an unsigned subtraction below 0: the simulator reports both.
///
/// Rust's `x[i]` is not possible. `core::ops::Index` returns a reference, and the simulator cannot
/// see an access through a reference. The short form of `x[i] += 1` is `x.update(i, |v| v + 1)`.
pub trait Index: convert::Convert {}

/// The conversions. The trait cannot be named outside this crate, so [`Index`] has no other
/// implementors.
pub(crate) mod convert {
    use super::backend::SharedIndex;

    pub trait Convert: Copy {
        /// Returns the index in global memory; a negative one wraps.
        fn global(self) -> usize;
        /// Returns the index in shared memory.
        fn shared(self) -> SharedIndex;
    }
}

macro_rules! indices {
    ($($t:ty, $global:expr, $shared:expr;)*) => {$(
        impl Index for $t {}

        impl convert::Convert for $t {
            #[inline(always)]
            fn global(self) -> usize {
                $global(self)
            }

            #[inline(always)]
            fn shared(self) -> backend::SharedIndex {
                // In the simulator, a u32 beyond i32::MAX is the result of a subtraction below 0.
                $shared(self)
            }
        }
    )*};
}

indices! {
    usize, |i| i, backend::shared_index;
    u32, |i: u32| i as usize, |i: u32| i as i32 as backend::SharedIndex;
    u16, |i: u16| i.into(), |i: u16| i.into();
    u8, |i: u8| i.into(), |i: u8| i.into();
    i32, |i: i32| i as isize as usize, |i: i32| i as backend::SharedIndex;
}
