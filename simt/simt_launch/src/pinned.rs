//! Page-locked host memory, which the driver copies asynchronously, and a store of dropped memory
//! for reuse.

use crate::driver::failed;
use crate::process::{Owned, Process};
use cudarc::driver::{CudaContext, CudaEvent, CudaStream, DriverError, result};
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
// SAFETY: as above; the memory is only accessed through a unique reference.
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

    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: `len` bytes, initialised at allocation, and the reference is unique.
        unsafe { std::slice::from_raw_parts_mut(self.start, self.len) }
    }
}

impl Drop for PageLocked {
    fn drop(&mut self) {
        if self.process != Process::current() {
            return;
        }
        // SAFETY: allocated by `malloc_host`, and all copies from and to it are done: `Pinned`
        // waits for them.
        let freed = self.context.bind_to_thread().and_then(|()| unsafe { result::free_host(self.start.cast()) });
        if let Err(error) = freed {
            log::warn!("{}", failed("freeing pinned memory")(error));
        }
    }
}

/// Pinned host memory; its GPU keeps it for reuse when it is dropped.
#[derive(Debug)]
pub struct Pinned {
    memory: Option<PageLocked>,
    /// The point after the last copy, once there was one.
    copied: Option<Owned<CudaEvent>>,
    /// True if a copy may be in flight.
    is_busy: bool,
    spare: Arc<Mutex<Vec<PageLocked>>>,
    process: Process,
}

impl Pinned {
    pub(crate) fn new(memory: PageLocked, spare: Arc<Mutex<Vec<PageLocked>>>) -> Self {
        Self { memory: Some(memory), copied: None, is_busy: false, spare, process: Process::current() }
    }

    /// Waits for the copies in flight.
    fn wait(&mut self) -> std::result::Result<(), DriverError> {
        if let Some(copied) = self.copied.as_ref().filter(|_| self.is_busy) {
            copied.synchronize()?;
        }
        self.is_busy = false;
        Ok(())
    }

    /// Waits for the copies in flight, and returns the bytes.
    pub(crate) fn bytes_mut(&mut self) -> std::result::Result<&mut [u8], DriverError> {
        self.wait()?;
        Ok(self.memory.as_mut().map_or(&mut [], PageLocked::bytes_mut))
    }

    pub(crate) fn len(&self) -> usize {
        self.memory.as_ref().map_or(0, |memory| memory.len)
    }

    /// Queues a copy, which `queue` does with the memory, after the copies in flight.
    pub(crate) fn copy(
        &mut self,
        stream: &CudaStream,
        queue: impl FnOnce(&mut [u8]) -> std::result::Result<(), DriverError>,
    ) -> std::result::Result<(), DriverError> {
        let Some(memory) = &mut self.memory else { return Ok(()) };
        let copied = match &mut self.copied {
            Some(copied) => copied,
            none => none.insert(Owned::new(stream.context().new_event(None)?)),
        };
        if self.is_busy {
            stream.wait(copied)?;
        }
        // Before anything is queued, so that an error leaves it so.
        self.is_busy = true;
        let queued = queue(memory.bytes_mut());
        let recorded = copied.record(stream);
        if recorded.is_err() {
            stream.synchronize()?;
        }
        queued.and(recorded)
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        if self.process != Process::current() {
            // A thread of the parent process may have held the lock.
            return;
        }
        if let Err(error) = self.wait() {
            log::warn!("{}", failed("waiting for a copy")(error));
            // The copy may still be in flight.
            std::mem::forget(self.memory.take());
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
