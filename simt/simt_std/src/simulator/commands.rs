//! The commands of a simulated GPU in streams: launches, copies and events.
//!
//! Each command runs when the host queues it, as if the host then waited for it. The order that the
//! streams, the events and the waits of the host give is checked
//! ([`stream_checks`](super::stream_checks)).

use super::body::Body;
use super::buffer::Buffer;
use super::fault::Fault;
use super::gpu::Simulator;
use super::launch::Machine;
use super::stream_checks::{Copy, HostRange};
use super::streams::{Stream, StreamEvent};
use crate::{Blocks, Grid, Kernel, Word, global::Global};

impl Simulator {
    /// Makes a stream.
    ///
    /// ```
    /// # use simt_std::{simulator::{Grid, Simulator}, thread};
    /// let mut gpu = Simulator::default();
    /// let (first, second) = (gpu.stream(), gpu.stream());
    /// let numbers = gpu.alloc::<u32>(64, "numbers");
    /// let x = numbers.handle();
    /// let i = || thread::index_1d() as usize;
    /// gpu.launch_in(&first, "fill", Grid::linear(2, 32), move || x.write(i(), 1))?;
    /// let filled = gpu.record(&first)?;
    /// gpu.wait_for(&second, &filled)?;
    /// gpu.launch_in(&second, "double", Grid::linear(2, 32), move || x.write(i(), 2 * x.read(i())))?;
    /// gpu.wait(&second)?;
    /// assert_eq!(gpu.download(&numbers, 64)?, [2; 64]);
    /// # Ok::<(), simt_std::simulator::Fault>(())
    /// ```
    ///
    /// Without the event, the second launch ends with
    /// [`FaultKind::Streams`](super::FaultKind::Streams).
    pub fn stream(&mut self) -> Stream {
        self.checks.open()
    }

    /// Records that the host will use a stream no more. Its commands stay pending until the host
    /// waits for it or for an event after them.
    pub fn close(&mut self, stream: &Stream) {
        self.checks.close(stream);
    }

    /// Runs `body` in every thread of the grid, as a command of a stream.
    ///
    /// # Errors
    /// As [`launch`](Self::launch), and if the launch accesses an element that a command of another
    /// stream also accesses, one of them by a write, without an order between them.
    #[track_caller]
    pub fn launch_in(
        &mut self,
        stream: &Stream,
        kernel: &str,
        grid: Grid,
        body: impl Fn() + 'static,
    ) -> Result<(), Fault> {
        self.launch_body(Some(stream), kernel, None, grid, Body::closure(body))
    }

    /// Launches a kernel as a command of a stream, with `blocks` blocks: a number, or `[x, y]`, or
    /// `[x, y, z]`.
    ///
    /// # Errors
    /// As [`launch_in`](Self::launch_in).
    #[track_caller]
    pub fn launch_kernel_in<K: Kernel>(
        &mut self,
        stream: &Stream,
        blocks: impl Into<Blocks>,
        kernel: K,
    ) -> Result<(), Fault> {
        self.launch_body(Some(stream), K::NAME, K::SOURCE, Grid::for_kernel(blocks, &kernel), Body::kernel(kernel))
    }

    /// Copies `data` to an allocation, from element `start` on, as a command of a stream that the
    /// host waits for.
    ///
    /// # Errors
    /// As [`upload_to`](Self::upload_to), and without an order to a command of another stream.
    pub fn upload_in<T: Word>(
        &mut self,
        stream: &Stream,
        buffer: &Buffer<T>,
        start: usize,
        data: &[T],
    ) -> Result<(), Fault> {
        self.write_bytes(Some(stream), "upload", buffer, start, data, true)
    }

    /// Copies `data` to the start of an allocation, as a command of a stream that the host does not
    /// wait for. `name` is the command's name in faults.
    ///
    /// # Errors
    /// As [`upload_in`](Self::upload_in).
    pub fn upload_async<T: Word>(
        &mut self,
        stream: &Stream,
        name: &'static str,
        buffer: &Buffer<T>,
        data: &[T],
    ) -> Result<(), Fault> {
        self.write_bytes(Some(stream), name, buffer, 0, data, false)
    }

    /// Copies `len` elements of an allocation to the host, from element `start` on, as a command of
    /// a stream that the host waits for.
    ///
    /// # Errors
    /// As [`download_from`](Self::download_from), and without an order to a command of another
    /// stream.
    pub fn download_in<T: Word>(
        &mut self,
        stream: &Stream,
        buffer: &Buffer<T>,
        start: usize,
        len: usize,
    ) -> Result<Vec<T>, Fault> {
        self.read_bytes(Some(stream), "download", buffer, start, len, true)
    }

    /// Copies the first `len` elements of an allocation to the host, as a command of a stream that
    /// the host does not wait for. `name` is the command's name in faults.
    ///
    /// # Errors
    /// As [`download_in`](Self::download_in).
    pub fn download_async<T: Word>(
        &mut self,
        stream: &Stream,
        name: &'static str,
        buffer: &Buffer<T>,
        len: usize,
    ) -> Result<Vec<T>, Fault> {
        self.read_bytes(Some(stream), name, buffer, 0, len, false)
    }

    /// Records an event: the point after the commands of a stream so far (CUDA `cuEventRecord`).
    ///
    /// # Errors
    /// For a stream of another simulated GPU, and the fault of a call that could not return it
    /// ([`free`](Self::free)).
    pub fn record(&mut self, stream: &Stream) -> Result<StreamEvent, Fault> {
        self.checks.record(stream, &self.machine)
    }

    /// Orders the further commands of a stream after an event (CUDA `cuStreamWaitEvent`).
    ///
    /// # Errors
    /// As [`record`](Self::record).
    pub fn wait_for(&mut self, stream: &Stream, event: &StreamEvent) -> Result<(), Fault> {
        self.checks.wait_for(stream, event)
    }

    /// Waits for the commands of a stream (CUDA `cuStreamSynchronize`).
    ///
    /// # Errors
    /// As [`record`](Self::record).
    pub fn wait(&mut self, stream: &Stream) -> Result<(), Fault> {
        self.checks.wait(stream)
    }

    /// Waits for an event (CUDA `cuEventSynchronize`).
    ///
    /// # Errors
    /// The fault of a call that could not return it ([`free`](Self::free)).
    pub fn wait_event(&mut self, event: &StreamEvent) -> Result<(), Fault> {
        self.checks.waited(event);
        self.checks.deferred()
    }

    /// Waits for all commands of all streams, then checks that `bytes` bytes at an address are inside
    /// one allocation.
    ///
    /// # Errors
    /// If they are not.
    pub fn check_memory(&mut self, address: u64, bytes: u64) -> Result<(), Fault> {
        self.checks.deferred()?;
        self.checks.wait_for_all();
        self.machine.memory.check(address, bytes).map_err(|kind| Fault::on_host("check", kind))
    }

    /// Waits for all commands of all streams, then copies `len` elements at an address to the host.
    ///
    /// # Errors
    /// If they are not inside one allocation, or if some of them were never written.
    pub fn download_at<T: Word>(&mut self, address: Global<T>, len: usize) -> Result<Vec<T>, Fault> {
        self.checks.deferred()?;
        self.checks.wait_for_all();
        let Machine { memory, last_launch, .. } = &mut self.machine;
        let downloaded = memory.download_at(address.address(), len, last_launch.as_deref());
        downloaded.map_err(|kind| Fault::on_host("download", kind))
    }

    pub(super) fn write_bytes<T: Word>(
        &mut self,
        stream: Option<&Stream>,
        name: &'static str,
        buffer: &Buffer<T>,
        start: usize,
        data: &[T],
        is_waited_for: bool,
    ) -> Result<(), Fault> {
        let range = range(buffer, start, data.len(), true);
        self.checks.copy(stream, Copy { name, ranges: range.as_slice(), is_waited_for }, &self.machine)?;
        let Machine { memory, records, .. } = &mut self.machine;
        memory.upload(buffer.address(), start, data, records).map_err(|kind| Fault::on_host(name, kind))
    }

    pub(super) fn read_bytes<T: Word>(
        &mut self,
        stream: Option<&Stream>,
        name: &'static str,
        buffer: &Buffer<T>,
        start: usize,
        len: usize,
        is_waited_for: bool,
    ) -> Result<Vec<T>, Fault> {
        let range = range(buffer, start, len, false);
        self.checks.copy(stream, Copy { name, ranges: range.as_slice(), is_waited_for }, &self.machine)?;
        let Machine { memory, last_launch, .. } = &mut self.machine;
        let downloaded = memory.download(buffer.address(), start, len, last_launch.as_deref());
        downloaded.map_err(|kind| Fault::on_host(name, kind))
    }
}

/// Returns the bytes of a copy, or `None` if the copy does not fit, which then fails.
fn range<T: Word>(buffer: &Buffer<T>, start: usize, len: usize, writes: bool) -> Option<HostRange> {
    let end = start.checked_add(len).filter(|&end| end <= buffer.len() && len > 0)?;
    let of = |elements: usize| (elements * size_of::<T>()) as u64;
    let (first, size) = (of(start), of(end - start));
    Some(HostRange { allocation: buffer.address(), bytes: of(buffer.len()), first, size, writes })
}
