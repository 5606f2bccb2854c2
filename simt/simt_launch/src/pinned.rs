//! Page-locked host memory, which the driver copies asynchronously, and a store of dropped memory
//! for reuse.

use crate::driver::failed;
use crate::process::{Owned, Process};
use cudarc::driver::{CudaContext, DriverError, result};
use std::sync::{Arc, Mutex, PoisonError};

/// Maximum number of bytes of pinned memory that are kept for reuse.
const SPARE: usize = 256 << 20;

/// Page-locked host memory, allocated by the driver.
#[derive(Debug)]
pub(crate) struct PageLocked {
    start: *mut u8,
    pub(crate) len: usize,
    context: Owned<Arc<CudaContext>>,
    process: Process,
}

// SAFETY: this value alone owns the memory.
unsafe impl Send for PageLocked {}
// SAFETY: as above; the memory is only written through a unique reference.
unsafe impl Sync for PageLocked {}

impl PageLocked {
    pub(crate) fn new(context: &Arc<CudaContext>, len: usize) -> std::result::Result<Self, DriverError> {
        context.bind_to_thread()?;
        // Without flags, the CPU caches the memory, so that it can also read it.
        // SAFETY: all of the memory is written before it is read.
        let start = unsafe { result::malloc_host(len.max(1), 0) }?.cast::<u8>();
        // SAFETY: at least `len` bytes were allocated.
        unsafe { start.write_bytes(0, len) };
        Ok(Self { start, len, context: Owned::new(context.clone()), process: Process::current() })
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        // SAFETY: `len` bytes, initialised at allocation; writers have a unique reference.
        unsafe { std::slice::from_raw_parts(self.start, self.len) }
    }

    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as above, and the reference is unique.
        unsafe { std::slice::from_raw_parts_mut(self.start, self.len) }
    }
}

impl Drop for PageLocked {
    fn drop(&mut self) {
        if self.process != Process::current() {
            return;
        }
        // SAFETY: allocated by `malloc_host`, and all copies from it are done, as
        // `Device::upload_async` requires.
        let freed = self.context.bind_to_thread().and_then(|()| unsafe { result::free_host(self.start.cast()) });
        if let Err(error) = freed {
            log::warn!("{}", failed("freeing pinned memory")(error));
        }
    }
}

/// Pinned host memory; its GPU keeps it for reuse when it is dropped.
#[derive(Debug)]
pub struct Pinned {
    pub(crate) memory: Option<PageLocked>,
    pub(crate) spare: Arc<Mutex<Vec<PageLocked>>>,
    pub(crate) process: Process,
}

impl Drop for Pinned {
    fn drop(&mut self) {
        if self.process != Process::current() {
            // A thread of the parent process may have held the lock.
            return;
        }
        let mut spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner);
        spare.extend(self.memory.take());
        // The oldest memory is freed first, because later allocations had other sizes.
        let mut kept: usize = spare.iter().map(|memory| memory.len).sum();
        while kept > SPARE {
            kept -= spare.remove(0).len;
        }
    }
}
