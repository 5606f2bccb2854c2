//! The simulator as a device: runs kernels on the CPU, slowly, and checks them for faults.

use crate::device::{Device, Limits, check_fits};
use crate::error::{Error, Result};
use crate::forked_lock::ForkedLock;
use simt_std::simulator::{self, Body, Costs, Fault, KernelCosts, Options, Simulator, Spaces, StreamEvent, Trace};
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

impl<T: Word> Buffer<T> {
    fn get(&self) -> Result<&simulator::Buffer<T>> {
        let reason = "it is being dropped";
        self.buffer.as_ref().ok_or_else(|| Error::Gpu { call: "using a buffer".into(), reason: reason.into() })
    }
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

/// A stream of a simulated GPU. Commands run when the host queues them. Commands of two streams
/// that access the same element need an order all the same; without one, the later command ends
/// with [`FaultKind::Streams`](simulator::FaultKind::Streams).
#[derive(Debug)]
pub struct Stream {
    stream: simulator::Stream,
    simulator: Arc<ForkedLock<Simulator>>,
}

impl Drop for Stream {
    fn drop(&mut self) {
        if let Ok(mut simulator) = self.simulator.lock() {
            simulator.close(&self.stream);
        }
    }
}

/// An event of a simulated GPU.
#[derive(Debug)]
pub struct Event {
    event: StreamEvent,
    at: Instant,
}

/// Host memory for copies.
#[derive(Debug)]
pub struct Pinned {
    bytes: Vec<u8>,
    /// The point after the last copy that the host has not waited for.
    copied: Option<StreamEvent>,
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
    fn start(&self, stream: &Stream, name: &str, source: Option<Source>, grid: Grid, body: Body) -> Result<()> {
        self.command(stream, |gpu, stream| gpu.launch_body(Some(stream), name, source, grid, body))
    }

    /// Runs a command of a stream.
    fn command<R>(
        &self,
        stream: &Stream,
        run: impl FnOnce(&mut Simulator, &simulator::Stream) -> std::result::Result<R, Fault>,
    ) -> Result<R> {
        Ok(run(&mut *self.simulator.lock()?, &stream.stream)?)
    }

    /// Runs a copy between a buffer and pinned memory, and notes the point after it.
    fn pinned_copy(
        &self,
        stream: &Stream,
        pinned: &mut Pinned,
        copy: impl FnOnce(&mut Simulator, &simulator::Stream, &mut [u8]) -> Result<()>,
    ) -> Result<()> {
        let (mut simulator, stream) = (self.simulator.lock()?, &stream.stream);
        if let Some(copied) = &pinned.copied {
            simulator.wait_for(stream, copied)?;
        }
        copy(&mut simulator, stream, &mut pinned.bytes)?;
        pinned.copied = Some(simulator.record(stream)?);
        Ok(())
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

// SAFETY: the simulator checks every access, and runs a command when it is queued.
unsafe impl Device for Simt {
    type Buffer<T: Word> = Buffer<T>;
    type Stream = Stream;
    type Pinned = Pinned;
    type Event = Event;

    fn limits(&self) -> Limits {
        self.limits
    }

    fn stream(&self) -> Result<Stream> {
        let stream = self.simulator.lock()?.stream();
        Ok(Stream { stream, simulator: self.simulator.clone() })
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

    fn upload_to<T: Word>(&self, stream: &Stream, buffer: &mut Buffer<T>, start: usize, data: &[T]) -> Result<()> {
        let buffer = buffer.get()?;
        self.command(stream, |gpu, stream| gpu.upload_in(stream, buffer, start, data))
    }

    fn pinned(&self, len: usize) -> Result<Pinned> {
        Ok(Pinned { bytes: vec![0; len], copied: None })
    }

    fn pinned_bytes<'p>(&self, pinned: &'p mut Pinned) -> Result<&'p mut [u8]> {
        if let Some(copied) = pinned.copied.take() {
            self.simulator.lock()?.wait_event(&copied)?;
        }
        Ok(&mut pinned.bytes)
    }

    fn upload_async<T: Word>(
        &self,
        stream: &Stream,
        buffer: &Buffer<T>,
        pinned: &mut Pinned,
        len: usize,
    ) -> Result<()> {
        let buffer = buffer.get()?;
        self.pinned_copy(stream, pinned, |gpu, stream, bytes| {
            let mut data = vec![T::zeroed(); len.min(bytes.len() / size_of::<T>())];
            let to: &mut [u8] = bytemuck::cast_slice_mut(&mut data);
            to.copy_from_slice(&bytes[..to.len()]);
            check_room("upload", data.len(), len)?;
            Ok(gpu.upload_async(stream, "upload_async", buffer, &data)?)
        })
    }

    fn download_async<T: Word>(
        &self,
        stream: &Stream,
        buffer: &Buffer<T>,
        pinned: &mut Pinned,
        len: usize,
    ) -> Result<()> {
        let buffer = buffer.get()?;
        self.pinned_copy(stream, pinned, |gpu, stream, bytes| {
            check_room("download", len.min(bytes.len() / size_of::<T>()), len)?;
            let data = gpu.download_async(stream, "download_async", buffer, len)?;
            let data: &[u8] = bytemuck::cast_slice(&data);
            bytes[..data.len()].copy_from_slice(data);
            Ok(())
        })
    }

    fn download_from<T: Word>(&self, stream: &Stream, buffer: &Buffer<T>, start: usize, len: usize) -> Result<Vec<T>> {
        let buffer = buffer.get()?;
        self.command(stream, |gpu, stream| gpu.download_in(stream, buffer, start, len))
    }

    fn check_memory(&self, address: u64, bytes: u64) -> Result<()> {
        self.simulator.lock()?.check_memory(address, bytes).map_err(Error::from)
    }

    unsafe fn download_at<T: Word>(&self, address: Global<T>, len: usize) -> Result<Vec<T>> {
        self.simulator.lock()?.download_at(address, len).map_err(Error::from)
    }

    unsafe fn launch<K: Kernel>(&self, stream: &Stream, blocks: impl Into<Blocks>, kernel: K) -> Result<()> {
        let grid = Grid::for_kernel(blocks, &kernel);
        if grid.cooperative {
            check_fits(K::NAME, grid, self.limits, RESIDENT_BLOCKS)?;
        }
        self.start(stream, K::NAME, K::SOURCE, grid, Body::kernel(kernel))
    }

    fn resident_blocks<K: Kernel>(&self, _: &K) -> Result<u32> {
        Ok(RESIDENT_BLOCKS)
    }

    fn zero<T: Word>(&self, stream: &Stream, buffer: &mut Buffer<T>) -> Result<()> {
        let buffer = buffer.get()?;
        let zeros = vec![T::zeroed(); buffer.len()];
        self.command(stream, |gpu, stream| gpu.upload_async(stream, "zero", buffer, &zeros))
    }

    fn copy<T: Word>(&self, stream: &Stream, from: &Buffer<T>, to: &mut Buffer<T>, len: usize) -> Result<()> {
        let (from, to) = (from.get()?, to.get()?);
        self.command(stream, |gpu, stream| {
            let data = gpu.download_async(stream, "copy", from, len)?;
            gpu.upload_async(stream, "copy", to, &data)
        })
    }

    fn record(&self, stream: &Stream) -> Result<Event> {
        let event = self.command(stream, |gpu, stream| gpu.record(stream))?;
        Ok(Event { event, at: Instant::now() })
    }

    fn wait_for(&self, stream: &Stream, event: &Event) -> Result<()> {
        self.command(stream, |gpu, stream| gpu.wait_for(stream, &event.event))
    }

    fn is_reached(&self, event: &Event) -> Result<bool> {
        self.wait_event(event)?;
        Ok(true)
    }

    fn wait_event(&self, event: &Event) -> Result<()> {
        self.simulator.lock()?.wait_event(&event.event).map_err(Error::from)
    }

    fn elapsed(&self, from: &Event, to: &Event) -> Result<Duration> {
        self.wait_event(from)?;
        self.wait_event(to)?;
        Ok(to.at.saturating_duration_since(from.at))
    }

    fn is_done(&self, stream: &Stream) -> Result<bool> {
        self.wait(stream)?;
        Ok(true)
    }

    fn wait(&self, stream: &Stream) -> Result<()> {
        self.command(stream, Simulator::wait)
    }

    fn free_memory(&self) -> Result<u64> {
        Ok(self.memory.saturating_sub(self.simulator.lock()?.allocated()))
    }
}

/// Checks that pinned memory has room for a copy of `len` elements.
fn check_room(call: &str, room: usize, len: usize) -> Result<()> {
    if room == len {
        return Ok(());
    }
    let reason = format!("{len} elements, but the pinned memory has {room}");
    Err(Error::Gpu { call: call.into(), reason })
}
