//! Atomic operations on words of global and shared memory.
//!
//! An atomic operation reads or writes its value as a whole, never half of it, and never races with another. Two more
//! things can be chosen for each:
//!
//! - its **order** ([`Order`]): what it says about the other accesses around it. [`Order::Relaxed`] says nothing.
//!   A [release](Order::Release) operation passes on what its thread has seen and written before to the thread whose
//!   [acquire](Order::Acquire) operation reads the word that it wrote.
//! - its **scope** ([`Scope`]): among whom that holds. The narrower, the cheaper.
//!
//! | function | order | scope | CUDA C++ |
//! |---|---|---|---|
//! | [`fetch_add`] and its like, [`exchange`], [`compare_exchange`] | relaxed | device | `atomicAdd(…)` |
//! | [`load`], [`store`] | relaxed | device | |
//! | [`load_64`], [`load_64_if`], [`store_64`] | relaxed | system | |
//! | [`load_acquire`], [`store_release`], [`fetch_add_acq_rel`] | as named | device | |
//! | [`block`]`(array, i)`, [`device`]`(…)`, [`system`]`(…)` and a method of [`AtomicRef`] | any | as named | `cuda::atomic_ref<T, cuda::thread_scope_block>` |
//!
//! The array is a [`Global`] or a [`Shared`] one, of `u32`, `i32`, `u64` or `i64`; of `f32` or `f64` there are all but
//! the integer operations ([`AtomicInteger`]).
//!
//! A block hands a result to another block, which waits for it:
//!
//! ```
//! # use simt_std::{atomic, global::Global, simulator::{Grid, Simulator}, thread};
//! fn pass_on(results: Global<u32>, flags: Global<u32>, out: Global<u32>) {
//!     let block = thread::block_idx_x() as usize;
//!     if block == 0 {
//!         results.write(0, 42);
//!         atomic::store_release(flags, 0, 1);
//!     } else {
//!         while atomic::load_acquire(flags, 0) == 0 {}
//!         out.write(0, results.read(0));
//!     }
//! }
//! # let mut gpu = Simulator::default();
//! # let [results, flags, out] = ["results", "flags", "out"].map(|name| gpu.alloc::<u32>(1, name));
//! # gpu.upload(&flags, &[0])?;
//! # let [r, f, o] = [&results, &flags, &out].map(|buffer| buffer.handle());
//! # gpu.launch("pass_on", Grid::linear(2, 1), move || pass_on(r, f, o))?;
//! # assert_eq!(gpu.download(&out, 1)?, [42]);
//! # Ok::<(), simt_std::simulator::Fault>(())
//! ```

use crate::ordering::Rmw;
use crate::{Word, backend, global::Global, shared::Shared};

pub use crate::ordering::{Order, Scope};

/// A number that memory can change atomically: `u32`, `i32`, `u64`, `i64`, `f32` or `f64`.
pub trait AtomicWord: Word + backend::AtomicElement {}

/// One of them that is an integer: it also has minimum, maximum and bitwise operations.
pub trait AtomicInteger: AtomicWord {}

macro_rules! words {
    ($($t:ty)*; $($integer:ty)*) => {
        $(impl AtomicWord for $t {})*
        $(impl AtomicInteger for $integer {})*
    };
}
words!(u32 i32 u64 i64 f32 f64; u32 i32 u64 i64);

/// An array that atomic operations work on: [`Global`] or [`Shared`].
pub trait Place: Copy + sealed::Operations<<Self as Place>::Element, <Self as Place>::Index> {
    /// The type of its elements.
    type Element: AtomicWord;
    /// The type of its indices.
    type Index: Copy;
}

/// Which instructions an array's memory has; nobody outside can name this, so there are no other places.
mod sealed {
    use super::{Order, Scope};

    pub trait Operations<T, I> {
        fn rmw<const OP: u8>(self, i: I, value: T, order: Order, scope: Scope) -> T;
        fn cas(self, i: I, current: T, new: T, order: Order, scope: Scope) -> T;
        fn load(self, i: I, order: Order, scope: Scope) -> T;
        fn store(self, i: I, value: T, order: Order, scope: Scope);
    }
}

macro_rules! places {
    ($($array:ident, $index:ty, $backend:ident;)*) => {$(
        impl<T: AtomicWord> Place for $array<T> {
            type Element = T;
            type Index = $index;
        }

        impl<T: AtomicWord> sealed::Operations<T, $index> for $array<T> {
            #[inline(always)]
            #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
            fn rmw<const OP: u8>(self, i: $index, value: T, order: Order, scope: Scope) -> T {
                backend::$backend::rmw::<T, OP>(self.address, i, value, order, scope)
            }

            #[inline(always)]
            #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
            fn cas(self, i: $index, current: T, new: T, order: Order, scope: Scope) -> T {
                backend::$backend::cas(self.address, i, current, new, order, scope)
            }

            #[inline(always)]
            #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
            fn load(self, i: $index, order: Order, scope: Scope) -> T {
                backend::$backend::load(self.address, i, order, scope)
            }

            #[inline(always)]
            #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
            fn store(self, i: $index, value: T, order: Order, scope: Scope) {
                backend::$backend::store(self.address, i, value, order, scope);
            }
        }
    )*};
}

places! {
    Global, usize, global_atomic;
    Shared, u32, shared_atomic;
}

/// One element of an array as an atomic of some scope, made by [`block`], [`device`] or [`system`]; CUDA C++'s
/// `cuda::atomic_ref`. Give the order as a constant: then the operation is one instruction.
///
/// ```
/// # use simt_std::{atomic::{self, Order}, shared_array, simulator::{Grid, Simulator}, thread};
/// # Simulator::default().launch("count", Grid::linear(1, 64), || {
/// shared_array!(count: [u32; 1]);
/// if thread::first() {
///     count.write(0, 0);
/// }
/// # // SAFETY: every thread of the block is here.
/// # unsafe {
/// thread::sync_threads();
/// # }
/// let ticket = atomic::block(count, 0).fetch_add(1, Order::Relaxed);
/// assert!(ticket < 64);
/// # })?;
/// # Ok::<(), simt_std::simulator::Fault>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct AtomicRef<A: Place> {
    array: A,
    i: A::Index,
    scope: Scope,
}

macro_rules! refs {
    ($($(#[$doc:meta])* $name:ident, $scope:ident;)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        pub fn $name<A: Place>(array: A, i: A::Index) -> AtomicRef<A> {
            AtomicRef { array, i, scope: Scope::$scope }
        }
    )*};
}

refs! {
    /// Element `i` as an atomic among the threads of this block (PTX `.cta`).
    block, Block;
    /// Element `i` as an atomic among the threads of this GPU (PTX `.gpu`).
    device, Device;
    /// Element `i` as an atomic among all GPUs and the host (PTX `.sys`).
    system, System;
}

macro_rules! rmw {
    ($($(#[$doc:meta])* $name:ident, $op:ident, $word:ident;)*) => {
        impl<A: Place> AtomicRef<A> {$(
            $(#[$doc])*
            /// Returns the value before.
            #[inline(always)]
            #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
            pub fn $name(self, value: A::Element, order: Order) -> A::Element
            where
                A::Element: $word,
            {
                self.array.rmw::<{ Rmw::$op as u8 }>(self.i, value, order, self.scope)
            }
        )*}

        $(
            $(#[$doc])*
            /// Relaxed, at device scope. Returns the value before.
            #[inline(always)]
            #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
            pub fn $name<A: Place>(array: A, i: A::Index, value: A::Element) -> A::Element
            where
                A::Element: $word,
            {
                device(array, i).$name(value, Order::Relaxed)
            }
        )*
    };
}

rmw! {
    /// Adds `value`; integers wrap (PTX `atom.add`, CUDA C++ `atomicAdd`).
    fetch_add, Add, AtomicWord;
    /// Keeps the lesser of both (PTX `atom.min`, CUDA C++ `atomicMin`).
    fetch_min, Min, AtomicInteger;
    /// Keeps the greater of both (PTX `atom.max`, CUDA C++ `atomicMax`).
    fetch_max, Max, AtomicInteger;
    /// Bitwise and (PTX `atom.and`, CUDA C++ `atomicAnd`).
    fetch_and, And, AtomicInteger;
    /// Bitwise or (PTX `atom.or`, CUDA C++ `atomicOr`).
    fetch_or, Or, AtomicInteger;
    /// Bitwise exclusive or (PTX `atom.xor`, CUDA C++ `atomicXor`).
    fetch_xor, Xor, AtomicInteger;
    /// Puts `value` in (PTX `atom.exch`, CUDA C++ `atomicExch`).
    exchange, Exchange, AtomicWord;
}

impl<A: Place> AtomicRef<A> {
    /// Puts `new` in if the value is `current`, bit for bit; returns the value before (PTX `atom.cas`, CUDA C++
    /// `atomicCAS`).
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn compare_exchange(self, current: A::Element, new: A::Element, order: Order) -> A::Element {
        self.array.cas(self.i, current, new, order, self.scope)
    }

    /// Reads (PTX `ld.relaxed`, `ld.acquire`).
    ///
    /// # Panics
    /// If the order is a release: a read passes nothing on.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn load(self, order: Order) -> A::Element {
        assert!(matches!(order, Order::Relaxed | Order::Acquire), "an atomic read is relaxed or acquires");
        self.array.load(self.i, order, self.scope)
    }

    /// Writes (PTX `st.relaxed`, `st.release`).
    ///
    /// # Panics
    /// If the order is an acquire: a write takes nothing over.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn store(self, value: A::Element, order: Order) {
        assert!(matches!(order, Order::Relaxed | Order::Release), "an atomic write is relaxed or releases");
        self.array.store(self.i, value, order, self.scope);
    }
}

/// Puts `new` in if the value is `current`, bit for bit; returns the value before (PTX `atom.cas`, CUDA C++
/// `atomicCAS`). Relaxed, at device scope.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn compare_exchange<A: Place>(array: A, i: A::Index, current: A::Element, new: A::Element) -> A::Element {
    device(array, i).compare_exchange(current, new, Order::Relaxed)
}

/// Reads a value that other threads change, and never a mixture of two of their writes (PTX `ld.relaxed.gpu`).
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn load<A: Place>(array: A, i: A::Index) -> A::Element {
    device(array, i).load(Order::Relaxed)
}

/// Writes a value for other threads to [`load`], at once as a whole (PTX `st.relaxed.gpu`).
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn store<A: Place>(array: A, i: A::Index, value: A::Element) {
    device(array, i).store(value, Order::Relaxed);
}

/// Reads, and takes over what the thread that wrote the value by [`store_release`] had seen and written before it
/// (PTX `ld.acquire.gpu`).
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn load_acquire<A: Place>(array: A, i: A::Index) -> A::Element {
    device(array, i).load(Order::Acquire)
}

/// Writes, and passes on what this thread has seen and written before to whoever reads the value by [`load_acquire`]
/// (PTX `st.release.gpu`).
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn store_release<A: Place>(array: A, i: A::Index, value: A::Element) {
    device(array, i).store(value, Order::Release);
}

/// Adds `value`, takes over and passes on (PTX `atom.acq_rel.gpu.add`): so the last of several blocks sees what all of
/// them have written. Returns the value before.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn fetch_add_acq_rel<A: Place>(array: A, i: A::Index, value: A::Element) -> A::Element {
    device(array, i).fetch_add(value, Order::AcqRel)
}

/// Reads 64 bits that other blocks or other GPUs change, and never a mixture of two of their writes (PTX
/// `ld.relaxed.sys`).
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn load_64(array: Global<u64>, i: usize) -> u64 {
    system(array, i).load(Order::Relaxed)
}

/// If `wanted`, replaces `value` by what [`load_64`] reads. It is one predicated load and no branch: where branches
/// meet, the compiler copies the register, and the copy would wait for the load; so nothing waits until the value is
/// used.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn load_64_if(wanted: bool, array: Global<u64>, i: usize, value: &mut u64) {
    backend::atomic_load_64_if(wanted, array.address, i, value);
}

/// Writes 64 bits for other blocks or other GPUs to [`load_64`], at once as a whole (PTX `st.relaxed.sys`).
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn store_64(array: Global<u64>, i: usize, value: u64) {
    system(array, i).store(value, Order::Relaxed);
}
