//! Global memory: the device's own, seen by every thread of a launch. [`Global`] is an array without checks on a GPU,
//! [`Slice`] one with them.

use super::{Word, backend};
use core::marker::PhantomData;

/// An array in global memory, as a kernel's parameter. Indices are in elements.
///
/// **On a GPU nothing checks them**: an access outside the array reads or changes other memory, or ends the launch. A
/// kernel's documentation says how long each of its arrays must be, the host makes sure of it before it launches, and
/// the simulator watches every access. [`slice`](Self::slice) makes a [`Slice`], which is checked on a GPU, too.
#[derive(Debug)]
#[repr(transparent)]
pub struct Global<T> {
    // A pointer on the GPU, so that LLVM can tell that a kernel's parameters point to global memory.
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

// SAFETY: an address; what is done with it is the kernel's contract.
unsafe impl<T: Send> Send for Global<T> {}

impl<T: Word> Global<T> {
    /// The array at a device address.
    #[cfg(not(target_arch = "nvptx64"))]
    pub fn at(address: u64) -> Self {
        Self { address, element: PhantomData }
    }

    /// The device address.
    #[cfg(not(target_arch = "nvptx64"))]
    pub fn address(self) -> u64 {
        self.address
    }

    /// The first `len` elements, with every index checked. That the array is that long is not.
    #[inline(always)]
    pub fn slice(self, len: usize) -> Slice<T> {
        Slice { array: self, len: len as u64 }
    }

    /// The array from element `n` on.
    #[inline(always)]
    pub fn skip(self, n: usize) -> Self {
        #[cfg(target_arch = "nvptx64")]
        let address = self.address.wrapping_add(n);
        #[cfg(not(target_arch = "nvptx64"))]
        let address = self.address.wrapping_add((n as u64).wrapping_mul(size_of::<T>() as u64));
        Self { address, ..self }
    }

    /// The same memory as elements of another type, whose size divides the address.
    #[inline(always)]
    pub fn cast<U: Word>(self) -> Global<U> {
        Global { address: self.address as _, element: PhantomData }
    }

    /// Element `i` (PTX `ld.global`).
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn read(self, i: usize) -> T {
        backend::global_read(self.address, i)
    }

    /// Element `i` of an array that nobody writes during the launch, through the read-only path, which is that of
    /// textures (PTX `ld.global.nc`, CUDA C++ `__ldg`). The compiler may read it at any time of the launch.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn read_only(self, i: usize) -> T {
        backend::global_read_only(self.address, i)
    }

    /// Sets element `i` (PTX `st.global`).
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn write(self, i: usize, value: T) {
        backend::global_write(self.address, i, value);
    }
}

/// An array in global memory that knows its length: an index outside ends the launch, on a GPU (there with a message
/// and the place in the source) and under the simulator (a [`Fault`](crate::simulator::Fault)). An access costs a
/// comparison and a branch more than [`Global`]'s.
///
/// It can be a kernel's parameter, of 16 bytes: address and length.
///
/// ```
/// # use simt_std::{global::Slice, simulator::{Grid, Simulator}, thread};
/// fn double(numbers: Slice<u32>) {
///     let i = thread::index_1d() as usize;
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
    /// The number of elements.
    #[inline(always)]
    pub fn len(self) -> usize {
        self.len as usize
    }

    /// Whether there is no element.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.len == 0
    }

    /// The array without checks, for [atomics](crate::atomic) among others.
    #[inline(always)]
    pub fn array(self) -> Global<T> {
        self.array
    }
}

impl<T: Word> Slice<T> {
    /// Element `i`, if there is one (PTX `ld.global`).
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn get(self, i: usize) -> Option<T> {
        if (i as u64) < self.len { Some(self.array.read(i)) } else { None }
    }

    /// Element `i` (PTX `ld.global`).
    ///
    /// # Panics
    /// If there is none: the launch ends.
    #[inline(always)]
    #[track_caller]
    pub fn read(self, i: usize) -> T {
        if i as u64 >= self.len {
            backend::out_of_bounds(i as u64, self.len);
        }
        self.array.read(i)
    }

    /// Sets element `i` (PTX `st.global`).
    ///
    /// # Panics
    /// If there is none: the launch ends.
    #[inline(always)]
    #[track_caller]
    pub fn write(self, i: usize, value: T) {
        if i as u64 >= self.len {
            backend::out_of_bounds(i as u64, self.len);
        }
        self.array.write(i, value);
    }

    /// The elements from `start` on, `len` of them.
    ///
    /// # Panics
    /// If there are fewer: the launch ends.
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
