//! A GPU's context, which is made when it is first needed.

use crate::device::Limits;
use crate::driver::{attribute, count, failed, group};
use crate::error::{Error, Result};
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
        let opened = Self::with(CudaContext::new(ordinal).map_err(failed("opening the GPU"))?)?;
        if let Err(error) = keep_freed_memory(&opened.context) {
            log::debug!("freed memory is not kept: {error:?}");
        }
        Ok(opened)
    }

    fn with(context: Arc<CudaContext>) -> Result<Self> {
        // SAFETY: the host orders the commands of streams (`Device`), and a buffer waits for its
        // copies before it is freed. So the events that cudarc would record for each buffer are not
        // needed.
        unsafe { context.disable_event_tracking() };
        let stream = context.new_stream().map_err(failed("making a stream"))?;
        Ok(Self { context: Owned::new(context), stream: Owned::new(stream) })
    }
}

/// Returns the device of a context.
///
/// # Safety
/// The context exists.
unsafe fn device_of(raw: sys::CUcontext) -> std::result::Result<sys::CUdevice, DriverError> {
    let mut device = 0;
    let mut popped = std::ptr::null_mut();
    // SAFETY: guaranteed by the caller; afterwards, the thread has its own context again.
    unsafe {
        sys::cuCtxPushCurrent_v2(raw).result()?;
        let found = sys::cuCtxGetDevice(&mut device).result();
        sys::cuCtxPopCurrent_v2(&mut popped).result()?;
        found.map(|()| device)
    }
}

/// Returns a handle of a context that another library has opened. Dropping it does not destroy the
/// context.
///
/// # Safety
/// The context exists, for as long as the handle and what is made from it, and belongs to `device`,
/// which has this number.
unsafe fn adopted(
    raw: sys::CUcontext,
    device: sys::CUdevice,
    ordinal: usize,
) -> std::result::Result<Arc<CudaContext>, DriverError> {
    let (mut flags, mut active) = (0, 0);
    // SAFETY: variables for the answers, and a device that the driver knows.
    unsafe { sys::cuDevicePrimaryCtxGetState(device, &mut flags, &mut active) }.result()?;
    if active != 0 {
        // Retains the primary context, which is released with the last handle.
        let primary = CudaContext::new(ordinal)?;
        if primary.cu_ctx() == raw {
            return Ok(primary);
        }
    }
    // SAFETY: guaranteed by the caller.
    let context = unsafe { CudaContext::from_raw_context(ordinal, device, raw) }?;
    // cudarc destroys such a context with its last handle; this handle is never dropped.
    std::mem::forget(context.clone());
    Ok(context)
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

    /// Takes the context that another library has opened.
    ///
    /// # Safety
    /// The context exists for as long as the result and what is made from it.
    pub unsafe fn adopt(raw: sys::CUcontext) -> Result<Self> {
        let call = "using the context of another library";
        if raw.is_null() {
            return Err(Error::Gpu { call: call.into(), reason: "it is null".into() });
        }
        let present = count()?;
        // SAFETY: guaranteed by the caller.
        let device = unsafe { device_of(raw) }.map_err(failed(call))?;
        let is_its = |&ordinal: &usize| result::device::get(ordinal as i32) == Ok(device);
        let Some(ordinal) = (0..present).find(is_its) else {
            return Err(Error::Gpu { call: call.into(), reason: "its GPU is unknown".into() });
        };
        let this = Self::find(ordinal)?;
        // SAFETY: guaranteed by the caller, and the device is the context's.
        let context = unsafe { adopted(raw, device, ordinal) }.map_err(failed(call))?;
        let opened = Opened::with(context)?;
        this.opened.get_or_init(|| opened);
        Ok(this)
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

    /// Copies through the context, if a handle of it still works.
    fn works(context: &Arc<CudaContext>) -> bool {
        let stream = context.new_stream().unwrap();
        stream.clone_htod(&[1u8, 2, 3]).and_then(|there| stream.clone_dtoh(&there)).is_ok_and(|back| back == [1, 2, 3])
    }

    #[test]
    fn the_context_of_another_library_is_used_and_not_destroyed() {
        // SAFETY: null is refused before it is used.
        assert!(unsafe { Context::adopt(std::ptr::null_mut()) }.is_err());
        if count().is_err() {
            return;
        }
        let primary = CudaContext::new(0).unwrap();
        let other = CudaContext::new_non_primary(0, 0).unwrap();
        for (library, is_primary) in [(&primary, true), (&other, false), (&primary, true), (&other, false)] {
            // SAFETY: the library's context lives until the end of the test.
            let context = unsafe { Context::adopt(library.cu_ctx()) }.unwrap();
            let opened = context.get().unwrap();
            assert!(context.is_open() && context.ordinal() == 0 && works(&opened.context));
            assert_eq!((opened.context.cu_ctx(), opened.context.is_primary()), (library.cu_ctx(), is_primary));
            drop(context);
            assert!(works(library));
        }
    }
}
