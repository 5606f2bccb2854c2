//! Allocations on a GPU. They are freed after the copies that use them.

use crate::driver::failed;
use crate::process::{Owned, Process};
use crate::stream::{Stream, is_done};
use cudarc::driver::{CudaSlice, CudaStream};
use std::marker::PhantomData;
use std::sync::{Arc, Mutex, PoisonError};

/// An allocation on a GPU.
#[derive(Debug)]
pub struct Buffer<T> {
    pub(crate) bytes: Owned<CudaSlice<u8>>,
    pub(crate) address: u64,
    /// Streams whose copies may be using the buffer.
    streams: Owned<Mutex<Vec<Arc<CudaStream>>>>,
    process: Process,
    element: PhantomData<T>,
}

/// Number of streams of a buffer beyond which those that are done are dropped.
const STREAMS: usize = 8;

impl<T> Buffer<T> {
    pub(crate) fn new(bytes: CudaSlice<u8>, address: u64) -> Self {
        let (bytes, streams) = (Owned::new(bytes), Owned::new(Mutex::default()));
        Self { bytes, address, streams, process: Process::current(), element: PhantomData }
    }

    /// Notes that a command that the host does not wait for uses the buffer.
    pub(crate) fn used_in(&self, stream: &Stream) {
        let mut streams = self.streams.lock().unwrap_or_else(PoisonError::into_inner);
        if streams.iter().any(|used| Arc::ptr_eq(used, stream)) {
            return;
        }
        if streams.len() >= STREAMS {
            streams.retain(|used| !matches!(is_done(used), Ok(true)));
        }
        streams.push(Arc::clone(stream));
    }
}

impl<T> Drop for Buffer<T> {
    fn drop(&mut self) {
        if self.process != Process::current() {
            return;
        }
        // The stream of allocations frees the memory. Without this, it could belong to another
        // buffer before the copies are done.
        for used in self.streams.get_mut().unwrap_or_else(PoisonError::into_inner).drain(..) {
            if !matches!(is_done(&used), Ok(true))
                && let Err(error) = self.bytes.stream().join(&used)
            {
                log::warn!("{}", failed("freeing a buffer")(error));
            }
        }
    }
}
