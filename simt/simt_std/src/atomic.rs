//! Atomic operations on words of global and shared memory.
//!
//! An atomic operation reads or writes its value as a whole, never half of it, and never races with
//! another atomic operation. Each operation also has
//!
//! - an **order** ([`Order`]): its effect on the surrounding accesses. [`Order::Relaxed`] has none.
//!   A [release](Order::Release) operation passes on all that its thread has seen and written to
//!   the thread whose [acquire](Order::Acquire) operation reads the word that it wrote. A
//!   [sequentially consistent](Order::SeqCst) operation does both, and all of them have one order.
//! - a **scope** ([`Scope`]): the set of threads that the order includes. A narrower scope is
//!   cheaper.
//!
//! | function | order | scope |
//! |---|---|---|
//! | [`fetch_add`] and its like, [`exchange`], [`compare_exchange`] | relaxed | device |
//! | [`load`], [`store`] | relaxed | device |
//! | [`load_64`], [`load_64_if`], [`store_64`] | relaxed | system |
//! | [`load_acquire`], [`store_release`], [`fetch_add_acq_rel`] | as named | device |
//! | [`block`]`(array, i)` and a method of [`AtomicRef`] | any | block |
//! | [`device`]`(array, i)` and a method of [`AtomicRef`] | any | device |
//! | [`system`]`(array, i)` and a method of [`AtomicRef`] | any | system |
//! | [`fence`] | any but relaxed | any |
//!
//! In CUDA C++, the first line is `atomicAdd(…)` and its like, and the last three are methods of
//! `cuda::atomic_ref<T, cuda::thread_scope_block>` and its like.
//!
//! The array is a [`Global`] or a [`Shared`] array of `u32`, `i32`, `u64` or `i64`. Arrays of `f32`
//! and `f64` support all but the bitwise operations ([`AtomicInteger`]).
//!
//! Example: one block passes a result to another block, which waits for it:
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

use crate::index::Index;
use crate::ordering::Rmw;
use crate::{Word, backend, global::Global, shared::Shared};

pub use crate::ordering::{Order, Scope};

/// A number that memory can change atomically: `u32`, `i32`, `u64`, `i64`, `f32` or `f64`.
pub trait AtomicWord: Word + backend::AtomicElement {}

/// An atomic integer, which also has bitwise operations.
pub trait AtomicInteger: AtomicWord {}

macro_rules! words {
    ($($t:ty)*; $($integer:ty)*) => {
        $(impl AtomicWord for $t {})*
        $(impl AtomicInteger for $integer {})*
    };
}
words!(u32 i32 u64 i64 f32 f64; u32 i32 u64 i64);

/// An array that atomic operations work on: [`Global`] or [`Shared`].
pub trait AtomicArray: Copy + sealed::Operations<<Self as AtomicArray>::Element, <Self as AtomicArray>::Index> {
    /// The type of its elements.
    type Element: AtomicWord;
    /// Its own type of an index, which every [`Index`] converts to.
    type Index: Copy;
}

/// Instructions of each memory space. The trait cannot be named outside this module, so
/// [`AtomicArray`] has no other implementors.
mod sealed {
    use super::{Order, Scope};

    pub trait Operations<T, I> {
        fn index(i: impl super::Index) -> I;
        fn rmw<const OP: u8>(self, i: I, value: T, order: Order, scope: Scope) -> T;
        fn cas(self, i: I, current: T, new: T, order: Order, scope: Scope) -> T;
        fn load(self, i: I, order: Order, scope: Scope) -> T;
        fn store(self, i: I, value: T, order: Order, scope: Scope);
    }
}

macro_rules! places {
    ($($array:ident, $index:ty, $convert:ident, $backend:ident;)*) => {$(
        impl<T: AtomicWord> AtomicArray for $array<T> {
            type Element = T;
            type Index = $index;
        }

        impl<T: AtomicWord> sealed::Operations<T, $index> for $array<T> {
            #[inline(always)]
            fn index(i: impl Index) -> $index {
                i.$convert()
            }

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
    Global, usize, global, global_atomic;
    Shared, backend::SharedIndex, shared, shared_atomic;
}

/// One element of an array as an atomic of a given scope, made by [`block`], [`device`] or
/// [`system`] (`cuda::atomic_ref` in CUDA C++). If the order is a constant, the operation is one
/// instruction.
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
pub struct AtomicRef<A: AtomicArray> {
    array: A,
    i: A::Index,
    scope: Scope,
}

macro_rules! refs {
    ($($(#[$doc:meta])* $name:ident, $scope:ident;)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        pub fn $name<A: AtomicArray>(array: A, i: impl Index) -> AtomicRef<A> {
            AtomicRef { array, i: A::index(i), scope: Scope::$scope }
        }
    )*};
}

refs! {
    /// Element `i` as an atomic for the threads of this block (PTX `.cta`).
    block, Block;
    /// Element `i` as an atomic for the threads of this GPU (PTX `.gpu`).
    device, Device;
    /// Element `i` as an atomic for all GPUs and the host (PTX `.sys`).
    system, System;
}

macro_rules! rmw {
    ($($(#[$doc:meta])* $name:ident, $op:ident, $word:ident;)*) => {
        impl<A: AtomicArray> AtomicRef<A> {$(
            $(#[$doc])*
            /// Returns the old value.
            #[inline(always)]
            #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
            pub fn $name(self, value: A::Element, order: Order) -> A::Element
            where
                A::Element: $word,
            {
                let order = after_fence(order, self.scope);
                self.array.rmw::<{ Rmw::$op as u8 }>(self.i, value, order, self.scope)
            }
        )*}

        $(
            $(#[$doc])*
            /// Relaxed, at device scope. Returns the old value.
            #[inline(always)]
            #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
            pub fn $name<A: AtomicArray>(array: A, i: impl Index, value: A::Element) -> A::Element
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
    /// Stores the lesser of the old value and `value` (PTX `atom.min`, CUDA C++ `atomicMin`).
    ///
    /// Floats are ordered as by `f32::total_cmp`: −0 is less than +0. A `value` that is NaN changes
    /// nothing. A NaN in memory counts as more than +∞, or as less than −∞ if its sign is negative.
    /// So the result does not depend on the order of the threads. It is one instruction on the
    /// integer of the same bits, selected by the sign of `value`.
    fetch_min, Min, AtomicWord;
    /// Stores the greater of the old value and `value` (PTX `atom.max`, CUDA C++ `atomicMax`).
    /// Floats as for [`fetch_min`].
    fetch_max, Max, AtomicWord;
    /// Bitwise and (PTX `atom.and`, CUDA C++ `atomicAnd`).
    fetch_and, And, AtomicInteger;
    /// Bitwise or (PTX `atom.or`, CUDA C++ `atomicOr`).
    fetch_or, Or, AtomicInteger;
    /// Bitwise exclusive or (PTX `atom.xor`, CUDA C++ `atomicXor`).
    fetch_xor, Xor, AtomicInteger;
    /// Stores `value` (PTX `atom.exch`, CUDA C++ `atomicExch`).
    exchange, Exchange, AtomicWord;
}

/// Runs the fence of a sequentially consistent operation, and returns the order of the operation
/// after it.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
fn after_fence(order: Order, scope: Scope) -> Order {
    if matches!(order, Order::SeqCst) {
        backend::fence_seq_cst(scope);
        return Order::AcqRel;
    }
    order
}

/// Orders this thread's accesses before and after it for the threads of a scope (CUDA C++
/// `cuda::atomic_thread_fence`).
///
/// With [`Order::SeqCst`] and [`Scope::Device`], it is CUDA C++'s `__threadfence` (PTX
/// `fence.sc.gpu`). Two such fences are ordered even if other threads of their blocks execute the
/// atomic operations between them: all threads of a block write and execute the fence, thread 0
/// increments a counter after a barrier, and after another barrier, all threads of the last block
/// execute the fence and read. Every other order makes the fence of
/// [`thread::device_fence`](crate::thread::device_fence), which is faster.
///
/// # Panics
/// If the order is relaxed: such a fence would order nothing.
///
/// ```
/// # use simt_std::{global::Global, simulator::{Grid, Simulator}, shared_array, thread};
/// use simt_std::atomic::{self, Order, Scope};
///
/// /// Each block writes its number; the last one returns the sum.
/// fn sum(numbers: Global<u32>, count: Global<u32>, out: Global<u32>) {
///     numbers.write(thread::block_idx_x(), thread::block_idx_x());
///     atomic::fence(Order::SeqCst, Scope::Device);
///     if atomic::fetch_add(count, 0, 1) == thread::grid_dim_x() - 1 {
///         atomic::fence(Order::SeqCst, Scope::Device);
///         out.write(0, (0..thread::grid_dim_x()).map(|i| numbers.read(i)).sum());
///     }
/// }
/// # let mut gpu = Simulator::default();
/// # let [numbers, count] = ["numbers", "count"].map(|name| gpu.alloc_from(&[0u32; 8], name));
/// # let out = gpu.alloc::<u32>(1, "out");
/// # let [n, c, o] = [&numbers, &count, &out].map(|buffer| buffer.handle());
/// # gpu.launch("sum", Grid::linear(8, 1), move || sum(n, c, o))?;
/// # assert_eq!(gpu.download(&out, 1)?, [28]);
/// # Ok::<(), simt_std::simulator::Fault>(())
/// ```
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn fence(order: Order, scope: Scope) {
    assert!(!matches!(order, Order::Relaxed), "a fence is not relaxed");
    match order {
        Order::SeqCst => backend::fence_seq_cst(scope),
        _ => backend::fence(scope),
    }
}

impl<A: AtomicArray> AtomicRef<A> {
    /// Stores `new` if the old value equals `current` bit for bit. Returns the old value (PTX
    /// `atom.cas`, CUDA C++ `atomicCAS`).
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn compare_exchange(self, current: A::Element, new: A::Element, order: Order) -> A::Element {
        let order = after_fence(order, self.scope);
        self.array.cas(self.i, current, new, order, self.scope)
    }

    /// Reads the value (PTX `ld.relaxed`, `ld.acquire`).
    ///
    /// # Panics
    /// If the order is a release, which only an operation that writes can have.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn load(self, order: Order) -> A::Element {
        let allowed = matches!(order, Order::Relaxed | Order::Acquire | Order::SeqCst);
        assert!(allowed, "an atomic read is relaxed, acquires or is sequentially consistent");
        let order = after_fence(order, self.scope);
        self.array.load(self.i, order, self.scope)
    }

    /// Writes the value (PTX `st.relaxed`, `st.release`).
    ///
    /// # Panics
    /// If the order is an acquire, which only an operation that reads can have.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn store(self, value: A::Element, order: Order) {
        let allowed = matches!(order, Order::Relaxed | Order::Release | Order::SeqCst);
        assert!(allowed, "an atomic write is relaxed, releases or is sequentially consistent");
        let order = after_fence(order, self.scope);
        self.array.store(self.i, value, order, self.scope);
    }
}

/// Stores `new` if the old value equals `current` bit for bit. Returns the old value (PTX
/// `atom.cas`, CUDA C++ `atomicCAS`). Relaxed, at device scope.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn compare_exchange<A: AtomicArray>(array: A, i: impl Index, current: A::Element, new: A::Element) -> A::Element {
    device(array, i).compare_exchange(current, new, Order::Relaxed)
}

/// Reads a value that other threads may write, as a whole: never a mixture of two writes (PTX
/// `ld.relaxed.gpu`).
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn load<A: AtomicArray>(array: A, i: impl Index) -> A::Element {
    device(array, i).load(Order::Relaxed)
}

/// Writes a value as a whole, for other threads to [`load`] (PTX `st.relaxed.gpu`).
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn store<A: AtomicArray>(array: A, i: impl Index, value: A::Element) {
    device(array, i).store(value, Order::Relaxed);
}

/// Reads a value. If [`store_release`] wrote it, this thread then sees all that the writing thread
/// had seen and written before (PTX `ld.acquire.gpu`).
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn load_acquire<A: AtomicArray>(array: A, i: impl Index) -> A::Element {
    device(array, i).load(Order::Acquire)
}

/// Writes a value. A thread that reads it by [`load_acquire`] then sees all that this thread has
/// seen and written before (PTX `st.release.gpu`).
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn store_release<A: AtomicArray>(array: A, i: impl Index, value: A::Element) {
    device(array, i).store(value, Order::Release);
}

/// Adds `value` as an acquire and a release (PTX `atom.acq_rel.gpu.add`), so that the last of
/// several blocks sees what all of them have written. Returns the old value.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn fetch_add_acq_rel<A: AtomicArray>(array: A, i: impl Index, value: A::Element) -> A::Element {
    device(array, i).fetch_add(value, Order::AcqRel)
}

/// Reads 64 bits that other blocks or other GPUs may write, as a whole: never a mixture of two
/// writes (PTX `ld.relaxed.sys`).
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn load_64(array: Global<u64>, i: impl Index) -> u64 {
    system(array, i).load(Order::Relaxed)
}

/// Replaces `value` by the result of [`load_64`] if `wanted`. It is one predicated load without a
/// branch. After a branch, the compiler copies the register where the paths join, and the copy
/// would wait for the load; here nothing waits until the value is used.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn load_64_if(wanted: bool, array: Global<u64>, i: impl Index, value: &mut u64) {
    backend::atomic_load_64_if(wanted, array.address, i.global(), value);
}

/// Writes 64 bits as a whole, for other blocks or other GPUs to [`load_64`] (PTX `st.relaxed.sys`).
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn store_64(array: Global<u64>, i: impl Index, value: u64) {
    system(array, i).store(value, Order::Relaxed);
}
