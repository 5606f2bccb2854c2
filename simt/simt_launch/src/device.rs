//! The operations of a device that runs kernels: an NVIDIA GPU or the simulator.

use crate::error::{Error, Result};
use simt_std::{Blocks, Grid, Kernel, Word, global::Global};
use std::time::Duration;

/// The properties of a GPU.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Description {
    /// Number of the GPU on this host, from 0.
    pub ordinal: usize,
    /// Name of the model.
    pub name: String,
    /// Compute capability, major and minor.
    pub compute_capability: (i32, i32),
    /// Number of streaming multiprocessors.
    pub multiprocessors: i32,
    /// Maximum clock rate, in MHz.
    pub clock_mhz: i32,
    /// Memory, in bytes.
    pub memory: u64,
    /// Free memory, in bytes.
    pub free_memory: u64,
}

/// Example: `NVIDIA H200: compute capability 9.0, 132 multiprocessors, 1980 MHz, 139.8 GiB`.
impl std::fmt::Display for Description {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { name, compute_capability: (major, minor), multiprocessors, clock_mhz, .. } = self;
        let gib = self.memory as f64 / f64::from(1 << 30);
        write!(
            f,
            "{name}: compute capability {major}.{minor}, {multiprocessors} multiprocessors, {clock_mhz} MHz, {gib:.1} GiB"
        )
    }
}

/// The limits of a device that the host needs for choosing the shape of a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Number of streaming multiprocessors.
    pub multiprocessors: u32,
    /// Maximum number of bytes of shared memory of a block.
    pub block_shared: u32,
    /// Number of bytes of dynamic shared memory that makes a block exclusive: a multiprocessor then
    /// has no room for a second block.
    pub exclusive_shared: u32,
}

/// Checks that all blocks of a cooperative launch can run at the same time. `resident`: number of
/// blocks that run on one multiprocessor at a time.
pub(crate) fn check_fits(name: &str, grid: Grid, limits: Limits, resident: u32) -> Result<()> {
    let blocks: u64 = grid.blocks.iter().map(|&count| u64::from(count)).product();
    let most = u64::from(limits.multiprocessors) * u64::from(resident);
    if blocks <= most {
        return Ok(());
    }
    Err(Error::Launch(format!(
        "the kernel `{name}` is cooperative, so all of its blocks must run at the same time: {blocks} blocks were launched, \
         and {} multiprocessors run {resident} each, {most} in all. Launch at most `Device::resident_blocks` times \
         `Limits::multiprocessors`, and give each block several parts of the work",
        limits.multiprocessors
    )))
}

/// A device with its own memory that runs kernels: a GPU or the simulator.
///
/// Commands are launches, copies, and setting memory to 0. They are queued in streams. The commands
/// of one stream run in order. Commands of two streams may run at the same time, and there is no
/// stream that others wait for without being told. The order of two commands of two streams is the
/// task of the host, which has three means:
///
/// - an event: [`record`](Self::record) in the first stream, [`wait_for`](Self::wait_for) in the
///   second;
/// - a wait of the host between them: [`wait`](Self::wait), [`wait_event`](Self::wait_event), and
///   all functions that say so, such as [`download`](Self::download);
/// - a positive answer to [`is_done`](Self::is_done) or [`is_reached`](Self::is_reached).
///
/// A buffer may be dropped while copies use it, which are then done first. It must not be dropped
/// while a launch may use it, as [`launch`](Self::launch) says. The simulator reports commands
/// without an order and buffers that are dropped too early as faults.
///
/// ```
/// use simt_launch::{Device, Result, Simt};
/// use simt_std::prelude::*;
///
/// /// Launch: 1 block; `x` has 32 elements.
/// #[kernel(threads = 32)]
/// fn double(x: Global<u32>) {
///     let i = thread::thread_idx_x() as usize;
///     x.write(i, 2 * x.read(i));
/// }
///
/// fn doubled_by_two_streams(device: &impl Device) -> Result<Vec<u32>> {
///     let (copies, kernels) = (device.stream()?, device.stream()?);
///     let x = device.alloc::<u32>(32, "x")?;
///     let mut pinned = device.pinned(32 * size_of::<u32>())?;
///     device.pinned_bytes(&mut pinned)?.fill(1);
///     device.upload_async(&copies, &x, &mut pinned, 32)?;
///     device.wait_for(&kernels, &device.record(&copies)?)?;
///     // SAFETY: `x` has 32 elements, and `download` waits for the launch.
///     unsafe { device.launch(&kernels, 1, Double { x: device.handle(&x) })? };
///     device.download(&kernels, &x, 32)
/// }
///
/// assert_eq!(doubled_by_two_streams(&Simt::default())?, [0x0202_0202; 32]);
/// # Ok::<(), simt_launch::Error>(())
/// ```
///
/// # Implementations
///
/// Other crates may implement this trait, for example to count or record the commands of a device
/// that they forward to. Functions that are added later have an implementation here.
///
/// # Safety
///
/// Callers rely on an implementation to launch kernels, so it ensures:
///
/// - A buffer has at least the requested number of elements at the address that
///   [`handle`](Self::handle) returns, until it is dropped. No two buffers share memory. Memory of
///   a dropped buffer is not used again before the copies that use it are done.
/// - The commands of a stream run in order, after the events of its `wait_for` calls, and are
///   done when a function that waits for them returns without an error.
/// - [`launch`](Self::launch) runs the kernel `K` with these parameters and this grid, and nothing
///   else.
/// - [`pinned_bytes`](Self::pinned_bytes) returns memory that no command accesses as long as the
///   slice lives.
/// - Buffers, streams, events and pinned memory of another device are an error, unless the devices
///   share their memory.
pub unsafe trait Device: Send + Sync + 'static {
    /// An allocation of device memory, freed when dropped.
    type Buffer<T: Word>: Send + Sync;
    /// A stream: a queue of commands that run in order. A dropped stream finishes its commands.
    type Stream: Send + Sync;
    /// Host memory for asynchronous copies: page-locked on a GPU. It waits for its copies before it
    /// is accessed or freed.
    type Pinned: Send + Sync;
    /// A point between two commands of a stream, with the time when the device reached it.
    type Event: Send + Sync;

    /// Returns the limits of the device.
    fn limits(&self) -> Limits;

    /// Returns the number of the GPU on this host, from 0.
    fn ordinal(&self) -> usize {
        0
    }

    /// Returns true if the device is open. A GPU that was only [found](crate::Gpu::find) opens at
    /// its first command.
    fn is_open(&self) -> bool {
        true
    }

    /// Opens the device if it is not open.
    ///
    /// # Errors
    /// If the driver fails.
    fn ensure_open(&self) -> Result<()> {
        Ok(())
    }

    /// Makes a stream.
    ///
    /// # Errors
    /// If the driver refuses.
    fn stream(&self) -> Result<Self::Stream>;

    /// Allocates `len` elements, uninitialised.
    ///
    /// # Errors
    /// If there is not enough memory.
    fn alloc<T: Word>(&self, len: usize, name: &str) -> Result<Self::Buffer<T>>;

    /// Allocates memory for the elements of `data` and copies them there.
    ///
    /// # Errors
    /// As [`alloc`](Self::alloc) and [`upload`](Self::upload).
    fn alloc_from<T: Word>(&self, stream: &Self::Stream, data: &[T], name: &str) -> Result<Self::Buffer<T>> {
        let mut buffer = self.alloc(data.len(), name)?;
        self.upload(stream, &mut buffer, data)?;
        Ok(buffer)
    }

    /// Returns a buffer's address as a kernel's parameter.
    fn handle<T: Word>(&self, buffer: &Self::Buffer<T>) -> Global<T>;

    /// Copies `data` to the start of a buffer that is at least as long, and waits for the copy.
    ///
    /// # Errors
    /// If the copy fails.
    fn upload<T: Word>(&self, stream: &Self::Stream, buffer: &mut Self::Buffer<T>, data: &[T]) -> Result<()> {
        self.upload_to(stream, buffer, 0, data)
    }

    /// Copies `data` to a buffer, from element `start` on, and waits for the copy.
    ///
    /// # Errors
    /// If the copy fails, or the buffer ends before `data` does.
    fn upload_to<T: Word>(
        &self,
        stream: &Self::Stream,
        buffer: &mut Self::Buffer<T>,
        start: usize,
        data: &[T],
    ) -> Result<()>;

    /// Allocates at least `len` bytes of pinned host memory with arbitrary content. The system
    /// takes a third of a millisecond to page-lock a MiB, so dropped pinned memory is kept for
    /// reuse.
    ///
    /// # Errors
    /// If the driver refuses.
    fn pinned(&self, len: usize) -> Result<Self::Pinned>;

    /// Waits for the copies from and to pinned memory, and returns its bytes.
    ///
    /// # Errors
    /// If a copy, or an earlier kernel of its stream, failed.
    fn pinned_bytes<'p>(&self, pinned: &'p mut Self::Pinned) -> Result<&'p mut [u8]>;

    /// Queues a copy of `len` elements from the start of pinned memory to the start of a buffer,
    /// and does not wait for it (CUDA `cuMemcpyHtoDAsync`). If an earlier copy of this pinned
    /// memory is in another stream, this stream waits for it.
    ///
    /// # Errors
    /// If the copy does not fit, or the driver refuses.
    fn upload_async<T: Word>(
        &self,
        stream: &Self::Stream,
        buffer: &Self::Buffer<T>,
        pinned: &mut Self::Pinned,
        len: usize,
    ) -> Result<()>;

    /// Queues a copy of `len` elements from the start of a buffer to the start of pinned memory,
    /// and does not wait for it (CUDA `cuMemcpyDtoHAsync`). [`pinned_bytes`](Self::pinned_bytes)
    /// waits for it. If an earlier copy of this pinned memory is in another stream, this stream
    /// waits for it.
    ///
    /// # Errors
    /// If the copy does not fit, or the driver refuses.
    fn download_async<T: Word>(
        &self,
        stream: &Self::Stream,
        buffer: &Self::Buffer<T>,
        pinned: &mut Self::Pinned,
        len: usize,
    ) -> Result<()>;

    /// Waits for the stream, then copies `len` elements to the host, from element `start` on.
    ///
    /// # Errors
    /// If the copy or an earlier kernel fails.
    fn download_from<T: Word>(
        &self,
        stream: &Self::Stream,
        buffer: &Self::Buffer<T>,
        start: usize,
        len: usize,
    ) -> Result<Vec<T>>;

    /// Waits for the stream, then copies the first `len` elements to the host.
    ///
    /// # Errors
    /// As [`download_from`](Self::download_from).
    fn download<T: Word>(&self, stream: &Self::Stream, buffer: &Self::Buffer<T>, len: usize) -> Result<Vec<T>> {
        self.download_from(stream, buffer, 0, len)
    }

    /// Waits for the stream, then copies `len` elements from the start of a buffer to the start of
    /// pinned memory. This is several times as fast as a copy to other host memory.
    ///
    /// # Errors
    /// If the copy does not fit, or if the copy or an earlier kernel fails.
    fn download_to_pinned<T: Word>(
        &self,
        stream: &Self::Stream,
        buffer: &Self::Buffer<T>,
        pinned: &mut Self::Pinned,
        len: usize,
    ) -> Result<()> {
        self.download_async(stream, buffer, pinned, len)?;
        self.wait(stream)
    }

    /// Waits for all work of the device, also that of other code of this process. Then checks that
    /// `bytes` bytes at an address are memory of this device, which any code may have allocated.
    ///
    /// # Errors
    /// [`Error::Gpu`] if they are not, or not all in one allocation, or if an earlier kernel
    /// failed.
    fn check_memory(&self, address: u64, bytes: u64) -> Result<()>;

    /// Checks memory as [`check_memory`](Self::check_memory), and copies `len` elements at an
    /// address to the host.
    ///
    /// # Safety
    /// The elements are initialised, and stay allocated during the call.
    ///
    /// # Errors
    /// As [`check_memory`](Self::check_memory), or if the copy fails.
    unsafe fn download_at<T: Word>(&self, address: Global<T>, len: usize) -> Result<Vec<T>>;

    /// Queues a launch, and does not wait for it. `blocks` is the grid: a number, or `[x, y]`, or
    /// `[x, y, z]`.
    ///
    /// # Safety
    /// The launch meets the contract in the documentation of `K`: every array is at least as long
    /// as stated there, and its buffer is not dropped before the host has waited for the stream,
    /// or for an event after the launch.
    ///
    /// # Errors
    /// If the launch fails; [`Error::Launch`] if the kernel is cooperative
    /// ([`Kernel::COOPERATIVE`]) and its blocks cannot all run at the same time.
    unsafe fn launch<K: Kernel>(&self, stream: &Self::Stream, blocks: impl Into<Blocks>, kernel: K) -> Result<()>;

    /// Returns the number of blocks of this kernel that run on one multiprocessor at a time,
    /// limited by their threads, registers and shared memory: at least 1. A grid of this many
    /// blocks per multiprocessor runs in a single wave; give each block several parts of the work.
    ///
    /// # Errors
    /// If the driver refuses, or the kernel is not in the loaded PTX.
    fn resident_blocks<K: Kernel>(&self, kernel: &K) -> Result<u32>;

    /// Queues a command that sets all bytes of a buffer to 0, and does not wait for it (CUDA
    /// `cuMemsetD8Async`).
    ///
    /// # Errors
    /// If the driver refuses.
    fn zero<T: Word>(&self, stream: &Self::Stream, buffer: &mut Self::Buffer<T>) -> Result<()>;

    /// Queues a copy of the first `len` elements of a buffer to the start of another one of the
    /// same device, and does not wait for it (CUDA `cuMemcpyDtoDAsync`). The speed of the driver's
    /// own copy is an upper bound for kernels that read and write the same amount of memory.
    ///
    /// # Errors
    /// If one of the buffers is shorter, or the driver refuses.
    fn copy<T: Word>(
        &self,
        stream: &Self::Stream,
        from: &Self::Buffer<T>,
        to: &mut Self::Buffer<T>,
        len: usize,
    ) -> Result<()>;

    /// Returns true if all work of the stream is done (CUDA `cuStreamQuery`).
    ///
    /// # Errors
    /// If a kernel failed.
    fn is_done(&self, stream: &Self::Stream) -> Result<bool>;

    /// Waits for all work of the stream (CUDA `cuStreamSynchronize`).
    ///
    /// # Errors
    /// If a kernel failed.
    fn wait(&self, stream: &Self::Stream) -> Result<()>;

    /// Queues an event, which gets the time when the stream's work so far is done (CUDA
    /// `cuEventRecord`).
    ///
    /// # Errors
    /// If the driver refuses.
    fn record(&self, stream: &Self::Stream) -> Result<Self::Event>;

    /// Makes the further work of a stream wait for an event, which may be of another stream (CUDA
    /// `cuStreamWaitEvent`). The host does not wait.
    ///
    /// # Errors
    /// If the driver refuses.
    fn wait_for(&self, stream: &Self::Stream, event: &Self::Event) -> Result<()>;

    /// Returns true if the device has reached an event (CUDA `cuEventQuery`).
    ///
    /// # Errors
    /// If a kernel before it failed.
    fn is_reached(&self, event: &Self::Event) -> Result<bool>;

    /// Waits for an event (CUDA `cuEventSynchronize`).
    ///
    /// # Errors
    /// If a kernel before it failed.
    fn wait_event(&self, event: &Self::Event) -> Result<()>;

    /// Waits for two events, and returns the time from one to the other by the device's clock: half
    /// a microsecond exact. Zero if `to` is the earlier one.
    ///
    /// # Errors
    /// If a kernel before one of them failed.
    fn elapsed(&self, from: &Self::Event, to: &Self::Event) -> Result<Duration>;

    /// Returns the number of bytes of memory that can still be allocated.
    ///
    /// # Errors
    /// If the driver does not report it.
    fn free_memory(&self) -> Result<u64>;
}
