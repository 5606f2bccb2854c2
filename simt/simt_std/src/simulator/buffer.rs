//! The host's handle of an allocation of global memory.

use crate::{Word, global::Global};
use std::marker::PhantomData;

/// An allocation of global memory, of elements of `T`.
#[derive(Debug)]
pub struct Buffer<T> {
    address: u64,
    len: usize,
    element: PhantomData<T>,
}

impl<T> Buffer<T> {
    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns true if it has no elements.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub(super) fn new(address: u64, len: usize) -> Self {
        Self { address, len, element: PhantomData }
    }

    pub(super) fn address(&self) -> u64 {
        self.address
    }
}

impl<T: Word> Buffer<T> {
    /// Returns the array as a kernel's parameter.
    pub fn handle(&self) -> Global<T> {
        Global::at(self.address)
    }
}
