//! A GPU's context, which is made when it is first needed.

use crate::device::Limits;
use crate::driver::{attribute, failed, group};
use crate::error::Result;
use crate::process::{Owned, Process};
use cudarc::driver::{CudaContext, CudaStream, DriverError, result, sys, sys::CUdevice_attribute as A};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A GPU and, once it is open, its context.
#[derive(Debug)]
pub(crate) struct Context {
    ordinal: usize,
    limits: Limits,
    /// The process that found the GPU; no other process can use it.
    process: Process,
    opened: OnceLock<Opened>,
    /// Held by the thread that opens the GPU.
    opening: Mutex<()>,
}

/// The context of an open GPU, and a stream.
#[derive(Debug)]
pub(crate) struct Opened {
    pub context: Owned<Arc<CudaContext>>,
    /// The stream of allocations, which belong to none of the caller's streams.
    pub stream: Owned<Arc<CudaStream>>,
}

impl Opened {
    fn new(ordinal: usize) -> Result<Self> {
        let context = CudaContext::new(ordinal).map_err(failed("opening the GPU"))?;
        // SAFETY: this crate never lets two streams access one buffer without waiting for the
        // first. So the events that cudarc would record for each buffer are not needed.
        unsafe { context.disable_event_tracking() };
        let stream = context.new_stream().map_err(failed("making a stream"))?;
        if let Err(error) = keep_freed_memory(&context) {
            log::debug!("freed memory is not kept: {error:?}");
        }
        Ok(Self { context: Owned::new(context), stream: Owned::new(stream) })
    }
}

/// Upper bound on the freed memory that is kept for the next allocation, in bytes, and the part of
/// the GPU's memory that it is at most.
const KEPT: u64 = 1 << 30;
const KEPT_PART: u64 = 32;

/// Makes the driver keep some freed memory. By default it returns all of it whenever a stream is
/// waited for, and a job of a few milliseconds takes longer to get memory than to compute.
fn keep_freed_memory(context: &CudaContext) -> std::result::Result<(), DriverError> {
    let (_, total) = context.mem_get_info()?;
    let mut kept = KEPT.min(total as u64 / KEPT_PART);
    // SAFETY: the context's own device and its pool; this attribute is a number of 64 bits.
    unsafe {
        let pool = result::device::get_default_mem_pool(context.cu_device())?;
        let attribute = sys::CUmemPool_attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD;
        result::mem_pool::set_attribute(pool, attribute, (&raw mut kept).cast())
    }
}

impl Context {
    /// Finds the GPU with this number, without opening it.
    pub fn find(ordinal: usize) -> Result<Self> {
        group(ordinal, 1)?;
        let limits = Limits {
            multiprocessors: attribute(ordinal, A::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
            block_shared: attribute(ordinal, A::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)?,
            exclusive_shared: attribute(ordinal, A::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR)? / 2 + 1,
        };
        let process = Process::current();
        Ok(Self { ordinal, limits, process, opened: OnceLock::new(), opening: Mutex::default() })
    }

    pub fn ordinal(&self) -> usize {
        self.ordinal
    }

    pub fn limits(&self) -> Limits {
        self.limits
    }

    pub fn is_open(&self) -> bool {
        self.opened.get().is_some()
    }

    /// Fails in a child that was forked after the GPU was found.
    pub fn check_process(&self) -> Result<()> {
        self.process.check()
    }

    /// Returns what the open GPU has. The first call opens the GPU, and other threads wait for it.
    pub fn get(&self) -> Result<&Opened> {
        self.process.check()?;
        if let Some(opened) = self.opened.get() {
            return Ok(opened);
        }
        let _opening = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
        match self.opened.get() {
            Some(opened) => Ok(opened),
            None => {
                let opened = Opened::new(self.ordinal)?;
                Ok(self.opened.get_or_init(|| opened))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gpu_opens_when_it_is_needed_and_in_its_own_process_only() {
        let Ok(context) = Context::find(0) else { return };
        assert!(!context.is_open() && context.limits().multiprocessors > 0);
        let of_another = Context { process: Process::other(), ..Context::find(0).unwrap() };
        assert!(of_another.get().is_err() && !of_another.is_open());
        let threads: Vec<_> = std::thread::scope(|scope| {
            let started: Vec<_> =
                (0..4).map(|_| scope.spawn(|| context.get().unwrap().stream.cu_stream() as usize)).collect();
            started.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(context.is_open() && threads.iter().all(|&stream| stream == threads[0]));
    }
}
