//! Global memory: device memory that every thread of a launch can access. [`Global`] is an array
//! without bounds checks on a GPU, [`Slice`] an array with them.

use super::{Word, backend};
use crate::index::Index;
use core::marker::PhantomData;

macro_rules! hinted_loads {
    ($($(#[$doc:meta])* $name:ident, $backend:ident;)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
        pub fn $name(self, i: impl Index) -> T {
            backend::$backend(self.address, i.global())
        }
    )*};
}

macro_rules! hinted_stores {
    ($($(#[$doc:meta])* $name:ident, $backend:ident;)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
        pub fn $name(self, i: impl Index, value: T) {
            backend::$backend(self.address, i.global(), value);
        }
    )*};
}

/// An array in global memory, as a kernel's parameter. Indices are in elements.
///
/// **A GPU does not check the indices**: an access outside the array reads or changes other memory,
/// or ends the launch. A kernel's documentation states each array's length, the host ensures it,
/// and the simulator checks every access. A [`slice`](Self::slice) is checked on a GPU, too.
#[derive(Debug)]
#[repr(transparent)]
pub struct Global<T> {
    // A pointer on the GPU, so that LLVM knows that a kernel's parameters point to global memory.
    #[cfg(target_arch = "nvptx64")]
    pub(crate) address: *mut T,
    #[cfg(not(target_arch = "nvptx64"))]
    pub(crate) address: u64,
    element: PhantomData<T>,
}

impl<T> Clone for Global<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Global<T> {}

// SAFETY: an address; the kernel's contract covers every access through it.
unsafe impl<T: Send> Send for Global<T> {}

impl<T: Word> Global<T> {
    /// Returns the array at a device address.
    #[cfg(not(target_arch = "nvptx64"))]
    pub fn at(address: u64) -> Self {
        Self { address, element: PhantomData }
    }

    /// Returns the device address.
    #[cfg(not(target_arch = "nvptx64"))]
    pub fn address(self) -> u64 {
        self.address
    }

    /// Returns the first `len` elements as a slice with checked indices; `len` is not checked.
    #[inline(always)]
    pub fn slice(self, len: usize) -> Slice<T> {
        Slice { array: self, len: len as u64 }
    }

    /// Returns the array from element `n` on.
    #[inline(always)]
    pub fn skip(self, n: impl Index) -> Self {
        let n = n.global();
        #[cfg(target_arch = "nvptx64")]
        let address = self.address.wrapping_add(n);
        #[cfg(not(target_arch = "nvptx64"))]
        let address = self.address.wrapping_add((n as u64).wrapping_mul(size_of::<T>() as u64));
        Self { address, ..self }
    }

    /// Returns the same memory as an array of another type, whose size divides the address.
    #[inline(always)]
    pub fn cast<U: Word>(self) -> Global<U> {
        Global { address: self.address as _, element: PhantomData }
    }

    /// Reads element `i` (PTX `ld.global`).
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn read(self, i: impl Index) -> T {
        backend::global_read(self.address, i.global())
    }

    /// Reads element `i` of an array that the launch does not write, through the texture path (PTX
    /// `ld.global.nc`, CUDA C++ `__ldg`). The compiler may move the read to any time of the launch.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn read_only(self, i: impl Index) -> T {
        backend::global_read_only(self.address, i.global())
    }

    /// Writes element `i` (PTX `st.global`).
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn write(self, i: impl Index, value: T) {
        backend::global_write(self.address, i.global(), value);
    }

    /// Replaces element `i` by the result of `change`: `x.update(i, |v| v + 1)` is CUDA C++'s `x[i]
    /// += 1`. It is a read and a write, not an [atomic](crate::atomic) operation.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn update(self, i: impl Index, change: impl FnOnce(T) -> T) {
        let i = i.global();
        let value = backend::global_read(self.address, i);
        backend::global_write(self.address, i, change(value));
    }
}

/// Loads and stores with a cache operator, which is a hint about the caches and changes no result.
/// The simulator treats them as [`read`](Self::read) and [`write`](Self::write).
///
/// ```
/// # use simt_std::{global::Global, simulator::{Grid, Simulator}, thread};
/// fn double(numbers: Global<u32>) {
///     let i = thread::index_1d();
///     numbers.stcs(i, 2 * numbers.ldcs(i));
/// }
/// # let mut gpu = Simulator::default();
/// # let buffer = gpu.alloc_from(&[7u32; 64], "numbers");
/// # let numbers = buffer.handle();
/// # gpu.launch("double", Grid::linear(2, 32), move || double(numbers))?;
/// # assert_eq!(gpu.download(&buffer, 64)?, [14; 64]);
/// # Ok::<(), simt_std::simulator::Fault>(())
/// ```
impl<T: Word> Global<T> {
    hinted_loads! {
        /// Reads element `i`, cached at all levels (PTX `ld.global.ca`, CUDA C++ `__ldca`).
        ldca, global_ldca;
        /// Reads element `i`, cached in L2 and not in L1 (PTX `ld.global.cg`, CUDA C++ `__ldcg`).
        ldcg, global_ldcg;
        /// Reads element `i`, which is likely to be used only once: it leaves the caches first (PTX
        /// `ld.global.cs`, CUDA C++ `__ldcs`).
        ldcs, global_ldcs;
        /// Reads element `i` for the last time before it is overwritten (PTX `ld.global.lu`, CUDA
        /// C++ `__ldlu`).
        ldlu, global_ldlu;
        /// Reads element `i` from memory again, whatever the caches hold (PTX `ld.global.cv`, CUDA
        /// C++ `__ldcv`).
        ldcv, global_ldcv;
    }

    hinted_stores! {
        /// Writes element `i`, cached at all levels (PTX `st.global.wb`, CUDA C++ `__stwb`).
        stwb, global_stwb;
        /// Writes element `i`, cached in L2 and not in L1 (PTX `st.global.cg`, CUDA C++ `__stcg`).
        stcg, global_stcg;
        /// Writes element `i`, which is unlikely to be used soon: it leaves the caches first (PTX
        /// `st.global.cs`, CUDA C++ `__stcs`).
        stcs, global_stcs;
        /// Writes element `i` through the caches to memory (PTX `st.global.wt`, CUDA C++ `__stwt`).
        stwt, global_stwt;
    }
}

/// An array in global memory with its length. An index outside it ends the launch, on a GPU (with a
/// message and the source line) and under the simulator (with a
/// [`Fault`](crate::simulator::Fault)). An access costs a comparison and a branch more than one of
/// [`Global`].
///
/// A slice can be a kernel's parameter, of 16 bytes: address and length.
///
/// ```
/// # use simt_std::{global::Slice, simulator::{Grid, Simulator}, thread};
/// fn double(numbers: Slice<u32>) {
///     let i = thread::index_1d();
///     if let Some(number) = numbers.get(i) {
///         numbers.write(i, 2 * number);
///     }
/// }
/// # let mut gpu = Simulator::default();
/// # let buffer = gpu.alloc::<u32>(40, "numbers");
/// # gpu.upload(&buffer, &[7; 40])?;
/// # let numbers = buffer.handle().slice(40);
/// # gpu.launch("double", Grid::linear(2, 32), move || double(numbers))?;
/// # assert_eq!(gpu.download(&buffer, 40)?, [14; 40]);
/// # Ok::<(), simt_std::simulator::Fault>(())
/// ```
#[derive(Debug)]
#[repr(C)]
pub struct Slice<T> {
    array: Global<T>,
    len: u64,
}

impl<T> Clone for Slice<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Slice<T> {}

impl<T> Slice<T> {
    /// Returns the number of elements.
    #[inline(always)]
    pub fn len(self) -> usize {
        self.len as usize
    }

    /// Returns true if the slice has no elements.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.len == 0
    }

    /// Returns the array without checks, for example for [atomics](crate::atomic).
    #[inline(always)]
    pub fn array(self) -> Global<T> {
        self.array
    }
}

impl<T: Word> Slice<T> {
    /// Reads element `i`, or returns `None` if `i` is outside the slice (PTX `ld.global`).
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn get(self, i: impl Index) -> Option<T> {
        let i = i.global();
        if (i as u64) < self.len { Some(self.array.read(i)) } else { None }
    }

    /// Reads element `i` (PTX `ld.global`).
    ///
    /// # Panics
    /// If `i` is outside the slice: the launch ends.
    #[inline(always)]
    #[track_caller]
    pub fn read(self, i: impl Index) -> T {
        let i = i.global();
        if i as u64 >= self.len {
            backend::out_of_bounds(i as u64, self.len);
        }
        self.array.read(i)
    }

    /// Writes element `i` (PTX `st.global`).
    ///
    /// # Panics
    /// If `i` is outside the slice: the launch ends.
    #[inline(always)]
    #[track_caller]
    pub fn write(self, i: impl Index, value: T) {
        let i = i.global();
        if i as u64 >= self.len {
            backend::out_of_bounds(i as u64, self.len);
        }
        self.array.write(i, value);
    }

    /// Returns the `len` elements from `start` on.
    ///
    /// # Panics
    /// If the slice has fewer: the launch ends.
    #[inline(always)]
    #[track_caller]
    pub fn part(self, start: usize, len: usize) -> Self {
        let (start_64, len_64) = (start as u64, len as u64);
        if start_64 > self.len || len_64 > self.len - start_64 {
            backend::out_of_bounds(start_64.saturating_add(len_64), self.len);
        }
        self.array.skip(start).slice(len)
    }
}
