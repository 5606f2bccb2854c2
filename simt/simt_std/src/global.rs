//! Global memory: the device's own, seen by every thread of a launch.

use super::{Word, backend};
use core::marker::PhantomData;

/// An array in global memory, as a kernel's parameter. Indices are in elements, and on the GPU nothing checks them: a
/// kernel's documentation says how long each of its arrays must be, the host makes sure of it before it launches, and
/// the simulator watches every access.
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
        backend::global_read(self, i)
    }

    /// Sets element `i` (PTX `st.global`).
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn write(self, i: usize, value: T) {
        backend::global_write(self, i, value);
    }
}
