//! What host code asks of a machine that runs kernels: an NVIDIA GPU or the simulator.

use crate::error::{Error, Result};
use simt_std::{Blocks, Kernel, Word, global::Global};

/// The properties of a GPU.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Description {
    /// Its number among the GPUs of this host, from 0.
    pub ordinal: usize,
    /// The model's name.
    pub name: String,
    /// The compute capability, major and minor.
    pub compute_capability: (i32, i32),
    /// Streaming multiprocessors.
    pub multiprocessors: i32,
    /// The greatest clock rate, in MHz.
    pub clock_mhz: i32,
    /// Bytes of memory.
    pub memory: u64,
    /// Bytes of memory not in use.
    pub free_memory: u64,
}

/// As `NVIDIA H200: compute capability 9.0, 132 multiprocessors, 1980 MHz, 139.8 GiB`.
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

/// The sizes of a device that the host has to know to choose the shape of a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Streaming multiprocessors.
    pub multiprocessors: u32,
    /// Bytes of shared memory that a block may have at most.
    pub block_shared: u32,
    /// Bytes of dynamic shared memory that a block asks for to be alone on its multiprocessor: with so much, no second
    /// one fits.
    pub exclusive_shared: u32,
}

/// Keeps [`Device`] from being implemented elsewhere, so that it can get more functions.
#[doc(hidden)]
pub mod sealed {
    /// See the module.
    pub trait Sealed {}
}

/// A machine with memory of its own that runs kernels, a GPU or the simulator. Its work is put into streams, each of which runs in order.
/// No other crate implements it.
pub trait Device: sealed::Sealed + Send + Sync + 'static {
    /// An allocation of device memory, freed when dropped.
    type Buffer<T: Word>: Send + Sync;
    /// A stream: a queue of copies and launches that run in order. Those of different streams may run at the same time.
    type Stream: Send + Sync;
    /// Host memory that a device can copy from by itself, while the CPU goes on: page-locked on a GPU.
    type Pinned: Send + Sync;

    /// The sizes of the device.
    fn limits(&self) -> Limits;

    /// A new stream.
    ///
    /// # Errors
    /// When the driver refuses.
    fn stream(&self) -> Result<Self::Stream>;

    /// Allocates `len` elements, uninitialised.
    ///
    /// # Errors
    /// When there is not enough memory.
    fn alloc<T: Word>(&self, len: usize, name: &str) -> Result<Self::Buffer<T>>;

    /// Allocates as many elements as `data` has and copies them there.
    ///
    /// # Errors
    /// As [`alloc`](Self::alloc) and [`upload`](Self::upload).
    fn alloc_from<T: Word>(&self, stream: &Self::Stream, data: &[T], name: &str) -> Result<Self::Buffer<T>> {
        let mut buffer = self.alloc(data.len(), name)?;
        self.upload(stream, &mut buffer, data)?;
        Ok(buffer)
    }

    /// A buffer as a kernel takes it: its address.
    fn handle<T: Word>(&self, buffer: &Self::Buffer<T>) -> Global<T>;

    /// Copies `data` to the start of a buffer that is at least as long, and waits for it.
    ///
    /// # Errors
    /// When the copy fails.
    fn upload<T: Word>(&self, stream: &Self::Stream, buffer: &mut Self::Buffer<T>, data: &[T]) -> Result<()> {
        self.upload_to(stream, buffer, 0, data)
    }

    /// Copies `data` to a buffer, from element `start` on, and waits for it.
    ///
    /// # Errors
    /// When the copy fails, or the buffer ends before `data` does.
    fn upload_to<T: Word>(
        &self,
        stream: &Self::Stream,
        buffer: &mut Self::Buffer<T>,
        start: usize,
        data: &[T],
    ) -> Result<()>;

    /// Allocates at least `len` bytes of pinned host memory, whose content is arbitrary. Page-locking takes the system
    /// a third of a millisecond for each MiB, so pinned memory that was dropped is kept and handed out again.
    ///
    /// # Errors
    /// When the driver refuses.
    fn pinned(&self, len: usize) -> Result<Self::Pinned>;

    /// The bytes of pinned memory.
    fn pinned_bytes<'p>(&self, pinned: &'p mut Self::Pinned) -> &'p mut [u8];

    /// Puts a copy into the stream, of the first `len` bytes of pinned memory to the start of a buffer, and does not
    /// wait for it. `len` is a multiple of an element's size.
    ///
    /// # Safety
    /// Until the stream was waited for, the pinned memory is not written, and neither it nor the buffer is dropped.
    ///
    /// # Errors
    /// When the copy does not fit, or the driver refuses.
    unsafe fn upload_async<T: Word>(
        &self,
        stream: &Self::Stream,
        buffer: &Self::Buffer<T>,
        pinned: &Self::Pinned,
        len: usize,
    ) -> Result<()>;

    /// Waits for the stream, then copies `len` elements out, from element `start` on.
    ///
    /// # Errors
    /// When the copy fails, or a kernel before it did.
    fn download_from<T: Word>(
        &self,
        stream: &Self::Stream,
        buffer: &Self::Buffer<T>,
        start: usize,
        len: usize,
    ) -> Result<Vec<T>>;

    /// Waits for the stream, then copies the first `len` elements out.
    ///
    /// # Errors
    /// As [`download_from`](Self::download_from).
    fn download<T: Word>(&self, stream: &Self::Stream, buffer: &Self::Buffer<T>, len: usize) -> Result<Vec<T>> {
        self.download_from(stream, buffer, 0, len)
    }

    /// Waits for the stream, then copies `len` elements from the start of a buffer to the start of pinned memory, several times as fast as to
    /// other memory.
    ///
    /// # Errors
    /// When the copy does not fit, when it fails, or a kernel before it did.
    fn download_to_pinned<T: Word>(
        &self,
        stream: &Self::Stream,
        buffer: &Self::Buffer<T>,
        pinned: &mut Self::Pinned,
        len: usize,
    ) -> Result<()> {
        let data = self.download(stream, buffer, len)?;
        let bytes: &[u8] = bytemuck::cast_slice(&data);
        let pinned = self.pinned_bytes(pinned);
        let room = pinned.len();
        let Some(target) = pinned.get_mut(..bytes.len()) else {
            let reason = format!("{} bytes into {room}", bytes.len());
            return Err(Error::Gpu { call: "download".into(), reason });
        };
        target.copy_from_slice(bytes);
        Ok(())
    }

    /// Puts a launch into the stream, and does not wait for it. `blocks` is the grid: a number, or `[x, y]`, or `[x, y,
    /// z]`.
    ///
    /// # Safety
    /// The launch meets the contract in the documentation of `K`: every array is as long as it says and stays allocated
    /// until the stream is waited for.
    ///
    /// # Errors
    /// When the launch fails.
    unsafe fn launch<K: Kernel>(&self, stream: &Self::Stream, blocks: impl Into<Blocks>, kernel: K) -> Result<()>;

    /// Blocks of a launch of this kernel that one multiprocessor runs at a time, by their threads, registers and shared memory: at least 1.
    /// With so many for each multiprocessor a launch has no second round; each block then takes more than one part of the work.
    ///
    /// # Errors
    /// When the driver refuses, or the kernel is not in the PTX that was loaded.
    fn resident_blocks<K: Kernel>(&self, kernel: &K) -> Result<u32>;

    /// Puts a command into the stream that sets all bytes of a buffer to 0.
    ///
    /// # Errors
    /// When the driver refuses.
    fn zero<T: Word>(&self, stream: &Self::Stream, buffer: &mut Self::Buffer<T>) -> Result<()>;

    /// Puts a copy of the first `len` elements of a buffer to the start of another one into the stream, both of this device: what the
    /// driver itself takes for it is a ceiling for kernels that read and write as much.
    ///
    /// # Errors
    /// When one of them is shorter, or the driver refuses.
    fn copy<T: Word>(
        &self,
        stream: &Self::Stream,
        from: &Self::Buffer<T>,
        to: &mut Self::Buffer<T>,
        len: usize,
    ) -> Result<()>;

    /// Whether all work of the stream is done.
    ///
    /// # Errors
    /// When a kernel failed.
    fn is_done(&self, stream: &Self::Stream) -> Result<bool>;

    /// Waits for all work of the stream.
    ///
    /// # Errors
    /// When a kernel failed.
    fn wait(&self, stream: &Self::Stream) -> Result<()>;

    /// Bytes of memory that can still be allocated.
    ///
    /// # Errors
    /// When the driver does not tell.
    fn free_memory(&self) -> Result<u64>;
}
