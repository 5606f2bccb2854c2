//! The simulator as a device: runs kernels on the CPU, slowly, and checks them for faults.

use crate::device::{Device, Limits, check_fits, sealed::Sealed};
use crate::error::{Error, Result};
use crate::forked_lock::ForkedLock;
use simt_std::simulator::{self, Body, Costs, KernelCosts, Options, Simulator, Spaces, Trace};
use simt_std::{Blocks, Grid, Kernel, Source, Word, global::Global};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Bytes of memory of the simulated GPU. Each byte that kernels access takes up to 9 bytes on the
/// host.
const MEMORY: u64 = 256 << 20;

/// Limits with few multiprocessors, so that launches have few blocks to simulate.
const LIMITS: Limits = Limits { multiprocessors: 2, block_shared: 227 << 10, exclusive_shared: 0 };

/// Number of resident blocks per multiprocessor that it reports for every kernel.
const RESIDENT_BLOCKS: u32 = 2;

/// The simulator as a device: a simulated GPU.
#[derive(Debug)]
pub struct Simt {
    simulator: Arc<ForkedLock<Simulator>>,
    /// Number of bytes of memory that can be allocated.
    memory: u64,
    limits: Limits,
}

impl Default for Simt {
    fn default() -> Self {
        Self::new(false)
    }
}

/// An allocation on a simulated GPU.
#[derive(Debug)]
pub struct Buffer<T: Word> {
    buffer: Option<simulator::Buffer<T>>,
    simulator: Arc<ForkedLock<Simulator>>,
}

impl<T: Word> Drop for Buffer<T> {
    fn drop(&mut self) {
        if let Some(buffer) = self.buffer.take()
            && let Ok(mut simulator) = self.simulator.lock()
        {
            simulator.free(buffer);
        }
    }
}

impl Simt {
    /// Makes another simulated GPU that shares this one's address space, like GPUs of one host with
    /// peer access.
    pub fn peer(&self) -> Self {
        Self { simulator: self.simulator.clone(), ..*self }
    }

    /// Makes a simulated GPU with `bytes` bytes of memory.
    pub fn with_memory(bytes: u64) -> Self {
        Self { memory: bytes, ..Self::default() }
    }

    /// Returns this simulated GPU with other limits, so that the host chooses launches as for a GPU
    /// with these limits. A block still has at most 227 KiB of shared memory.
    pub fn with_limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// Makes a simulated GPU; with `accounting`, it counts the costs of memory accesses
    /// ([`costs`](Self::costs)).
    pub fn new(accounting: bool) -> Self {
        Self::with_options(Options { accounting, ..Options::default() })
    }

    /// Makes a simulated GPU that records the accesses of threads in these memories
    /// ([`take_trace`](Self::take_trace)).
    pub fn recording(spaces: Spaces) -> Self {
        Self::with_options(Options { trace: spaces, ..Options::default() })
    }

    /// Makes a simulated GPU with these options of the simulator.
    pub fn with_options(options: Options) -> Self {
        Self { simulator: Arc::new(ForkedLock::new(Simulator::new(options))), memory: MEMORY, limits: LIMITS }
    }

    /// Launches a kernel. Not generic, so that it is compiled once.
    fn start(&self, name: &str, source: Option<Source>, grid: Grid, body: Body) -> Result<()> {
        self.simulator.lock()?.launch_body(name, source, grid, body).map_err(Error::from)
    }

    /// Returns the trace of all launches since the last call; empty if nothing is recorded.
    pub fn take_trace(&self) -> Trace {
        self.simulator.lock().ok().and_then(|mut simulator| simulator.take_trace()).unwrap_or_default()
    }

    /// Returns the costs of the launches so far, by source line; empty without accounting.
    pub fn costs(&self) -> Costs {
        self.simulator.lock().map(|simulator| simulator.costs().clone()).unwrap_or_default()
    }

    /// Returns the costs of the launches so far, by kernel; empty without accounting.
    pub fn costs_by_kernel(&self) -> BTreeMap<String, KernelCosts> {
        self.simulator.lock().map(|simulator| simulator.costs_by_kernel().clone()).unwrap_or_default()
    }
}

impl Sealed for Simt {}

impl Device for Simt {
    type Buffer<T: Word> = Buffer<T>;
    type Stream = ();
    type Pinned = Vec<u8>;
    type Event = Instant;

    fn limits(&self) -> Limits {
        self.limits
    }

    fn stream(&self) -> Result<()> {
        Ok(())
    }

    fn alloc<T: Word>(&self, len: usize, name: &str) -> Result<Buffer<T>> {
        let (needed, free) = ((len as u64).saturating_mul(size_of::<T>() as u64), self.free_memory()?);
        if needed > free {
            return Err(Error::DeviceMemory { needed, free });
        }
        let buffer = self.simulator.lock()?.alloc(len, name);
        Ok(Buffer { buffer: Some(buffer), simulator: self.simulator.clone() })
    }

    fn handle<T: Word>(&self, buffer: &Buffer<T>) -> Global<T> {
        buffer.buffer.as_ref().map_or(Global::at(0), simulator::Buffer::handle)
    }

    fn upload_to<T: Word>(&self, _: &(), buffer: &mut Buffer<T>, start: usize, data: &[T]) -> Result<()> {
        match &buffer.buffer {
            Some(buffer) => self.simulator.lock()?.upload_to(buffer, start, data).map_err(Error::from),
            None => Ok(()),
        }
    }

    fn pinned(&self, len: usize) -> Result<Vec<u8>> {
        Ok(vec![0; len])
    }

    fn pinned_bytes<'p>(&self, pinned: &'p mut Vec<u8>) -> &'p mut [u8] {
        pinned
    }

    unsafe fn upload_async<T: Word>(&self, _: &(), buffer: &Buffer<T>, pinned: &Vec<u8>, len: usize) -> Result<()> {
        let mut data = vec![T::zeroed(); len / size_of::<T>()];
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut data);
        let from = pinned.get(..bytes.len());
        let too_few = || Error::Gpu { call: "upload".into(), reason: format!("{len} bytes of {}", pinned.len()) };
        bytes.copy_from_slice(from.ok_or_else(too_few)?);
        // Copies at once: the simulator has no asynchronous copies.
        match &buffer.buffer {
            Some(buffer) => self.simulator.lock()?.upload(buffer, &data).map_err(Error::from),
            None => Ok(()),
        }
    }

    fn download_from<T: Word>(&self, _: &(), buffer: &Buffer<T>, start: usize, len: usize) -> Result<Vec<T>> {
        match &buffer.buffer {
            Some(buffer) => self.simulator.lock()?.download_from(buffer, start, len).map_err(Error::from),
            None => Ok(Vec::new()),
        }
    }

    fn check_memory(&self, address: u64, bytes: u64) -> Result<()> {
        self.simulator.lock()?.check_memory(address, bytes).map_err(Error::from)
    }

    unsafe fn download_at<T: Word>(&self, address: Global<T>, len: usize) -> Result<Vec<T>> {
        self.simulator.lock()?.download_at(address, len).map_err(Error::from)
    }

    unsafe fn launch<K: Kernel>(&self, _: &(), blocks: impl Into<Blocks>, kernel: K) -> Result<()> {
        let grid = Grid::for_kernel(blocks, &kernel);
        if grid.cooperative {
            check_fits(K::NAME, grid, self.limits, RESIDENT_BLOCKS)?;
        }
        self.start(K::NAME, K::SOURCE, grid, Body::kernel(kernel))
    }

    fn resident_blocks<K: Kernel>(&self, _: &K) -> Result<u32> {
        Ok(RESIDENT_BLOCKS)
    }

    fn zero<T: Word>(&self, stream: &(), buffer: &mut Buffer<T>) -> Result<()> {
        let len = buffer.buffer.as_ref().map_or(0, simulator::Buffer::len);
        self.upload(stream, buffer, &vec![T::zeroed(); len])
    }

    fn copy<T: Word>(&self, stream: &(), from: &Buffer<T>, to: &mut Buffer<T>, len: usize) -> Result<()> {
        let data = self.download(stream, from, len)?;
        self.upload(stream, to, &data)
    }

    fn record(&self, _: &()) -> Result<Instant> {
        Ok(Instant::now())
    }

    fn elapsed(&self, from: &Instant, to: &Instant) -> Result<Duration> {
        Ok(to.saturating_duration_since(*from))
    }

    fn is_done(&self, _: &()) -> Result<bool> {
        Ok(true)
    }

    fn wait(&self, _: &()) -> Result<()> {
        Ok(())
    }

    fn free_memory(&self) -> Result<u64> {
        Ok(self.memory.saturating_sub(self.simulator.lock()?.allocated()))
    }
}
