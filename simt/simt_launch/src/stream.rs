//! Streams of a GPU. A dropped stream is kept for reuse, because making one takes longer than
//! queueing a launch.

use crate::driver::failed;
use crate::error::Result;
use crate::process::{Owned, Process};
use cudarc::driver::{CudaContext, CudaStream, DriverError, sys};
use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError};

/// Maximum number of streams that are kept for reuse.
const KEPT: usize = 32;

/// Dropped streams of a GPU that have nothing left to do.
pub(crate) type IdleStreams = Mutex<Vec<Owned<Arc<CudaStream>>>>;

/// A stream of a GPU; its GPU keeps it for reuse when it is dropped.
#[derive(Debug)]
pub struct Stream {
    stream: Owned<Arc<CudaStream>>,
    idle: Arc<IdleStreams>,
    process: Process,
}

impl Stream {
    /// Takes an idle stream, or makes one if there is none.
    pub(crate) fn take(idle: &Arc<IdleStreams>, context: &Arc<CudaContext>) -> Result<Self> {
        let kept = idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let stream = match kept {
            Some(stream) => stream,
            None => Owned::new(context.new_stream().map_err(failed("making a stream"))?),
        };
        Ok(Self { stream, idle: idle.clone(), process: Process::current() })
    }

    /// Returns true if all work of the stream is done.
    pub(crate) fn is_done(&self) -> Result<bool> {
        is_done(&self.stream)
    }
}

/// Returns true if all work of a stream is done.
pub(crate) fn is_done(stream: &CudaStream) -> Result<bool> {
    stream.context().bind_to_thread().map_err(failed("using the GPU"))?;
    // SAFETY: a live stream of this context.
    match unsafe { sys::cuStreamQuery(stream.cu_stream()) } {
        sys::CUresult::CUDA_SUCCESS => Ok(true),
        sys::CUresult::CUDA_ERROR_NOT_READY => Ok(false),
        error => Err(failed("waiting for the GPU")(DriverError(error))),
    }
}

impl Deref for Stream {
    type Target = Arc<CudaStream>;

    fn deref(&self) -> &Arc<CudaStream> {
        &self.stream
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        // A thread of the parent process may have held the lock. Work that is left after an error
        // must not delay the next user of the stream.
        if self.process != Process::current() || !matches!(self.is_done(), Ok(true)) {
            return;
        }
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < KEPT {
            idle.push(Owned::new(self.stream.clone()));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Device, Gpu};

    #[test]
    fn a_dropped_stream_is_used_again() {
        let Ok(gpu) = Gpu::open(0) else { return };
        let first = gpu.stream().unwrap();
        let second = gpu.stream().unwrap();
        let address = first.cu_stream();
        assert_ne!(second.cu_stream(), address);
        drop(first);
        assert_eq!(gpu.stream().unwrap().cu_stream(), address);
    }
}
