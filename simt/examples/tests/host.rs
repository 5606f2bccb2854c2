//! Streams, events and asynchronous copies, on the simulator and, if there is one, on a GPU. A
//! device of this file forwards to another device and counts its launches.

use simt_examples::saxpy::Saxpy;
use simt_launch::simt_std::simulator::{Fault, FaultKind};
use simt_launch::simt_std::{Blocks, Kernel, Word, global::Global};
use simt_launch::{Device, Error, Gpu, Limits, Result, Simt};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

const N: usize = 10_000;

/// A device that counts the launches of another device.
struct Counting<D> {
    inner: D,
    launches: AtomicU64,
}

// SAFETY: all functions forward to a device.
unsafe impl<D: Device> Device for Counting<D> {
    type Buffer<T: Word> = D::Buffer<T>;
    type Stream = D::Stream;
    type Pinned = D::Pinned;
    type Event = D::Event;

    fn limits(&self) -> Limits {
        self.inner.limits()
    }

    fn stream(&self) -> Result<D::Stream> {
        self.inner.stream()
    }

    fn alloc<T: Word>(&self, len: usize, name: &str) -> Result<D::Buffer<T>> {
        self.inner.alloc(len, name)
    }

    fn handle<T: Word>(&self, buffer: &D::Buffer<T>) -> Global<T> {
        self.inner.handle(buffer)
    }

    fn upload_to<T: Word>(
        &self,
        stream: &D::Stream,
        buffer: &mut D::Buffer<T>,
        start: usize,
        data: &[T],
    ) -> Result<()> {
        self.inner.upload_to(stream, buffer, start, data)
    }

    fn pinned(&self, len: usize) -> Result<D::Pinned> {
        self.inner.pinned(len)
    }

    fn pinned_bytes<'p>(&self, pinned: &'p mut D::Pinned) -> Result<&'p mut [u8]> {
        self.inner.pinned_bytes(pinned)
    }

    fn upload_async<T: Word>(
        &self,
        stream: &D::Stream,
        buffer: &D::Buffer<T>,
        pinned: &mut D::Pinned,
        len: usize,
    ) -> Result<()> {
        self.inner.upload_async(stream, buffer, pinned, len)
    }

    fn download_async<T: Word>(
        &self,
        stream: &D::Stream,
        buffer: &D::Buffer<T>,
        pinned: &mut D::Pinned,
        len: usize,
    ) -> Result<()> {
        self.inner.download_async(stream, buffer, pinned, len)
    }

    fn download_from<T: Word>(
        &self,
        stream: &D::Stream,
        buffer: &D::Buffer<T>,
        start: usize,
        len: usize,
    ) -> Result<Vec<T>> {
        self.inner.download_from(stream, buffer, start, len)
    }

    fn check_memory(&self, address: u64, bytes: u64) -> Result<()> {
        self.inner.check_memory(address, bytes)
    }

    unsafe fn download_at<T: Word>(&self, address: Global<T>, len: usize) -> Result<Vec<T>> {
        // SAFETY: passed on to the caller.
        unsafe { self.inner.download_at(address, len) }
    }

    unsafe fn launch<K: Kernel>(&self, stream: &D::Stream, blocks: impl Into<Blocks>, kernel: K) -> Result<()> {
        self.launches.fetch_add(1, Ordering::Relaxed);
        // SAFETY: passed on to the caller.
        unsafe { self.inner.launch(stream, blocks, kernel) }
    }

    fn resident_blocks<K: Kernel>(&self, kernel: &K) -> Result<u32> {
        self.inner.resident_blocks(kernel)
    }

    fn zero<T: Word>(&self, stream: &D::Stream, buffer: &mut D::Buffer<T>) -> Result<()> {
        self.inner.zero(stream, buffer)
    }

    fn copy<T: Word>(&self, stream: &D::Stream, from: &D::Buffer<T>, to: &mut D::Buffer<T>, len: usize) -> Result<()> {
        self.inner.copy(stream, from, to, len)
    }

    fn is_done(&self, stream: &D::Stream) -> Result<bool> {
        self.inner.is_done(stream)
    }

    fn wait(&self, stream: &D::Stream) -> Result<()> {
        self.inner.wait(stream)
    }

    fn record(&self, stream: &D::Stream) -> Result<D::Event> {
        self.inner.record(stream)
    }

    fn wait_for(&self, stream: &D::Stream, event: &D::Event) -> Result<()> {
        self.inner.wait_for(stream, event)
    }

    fn is_reached(&self, event: &D::Event) -> Result<bool> {
        self.inner.is_reached(event)
    }

    fn wait_event(&self, event: &D::Event) -> Result<()> {
        self.inner.wait_event(event)
    }

    fn elapsed(&self, from: &D::Event, to: &D::Event) -> Result<Duration> {
        self.inner.elapsed(from, to)
    }

    fn free_memory(&self) -> Result<u64> {
        self.inner.free_memory()
    }
}

/// Writes numbers to the start of pinned memory.
fn put<D: Device>(device: &D, pinned: &mut D::Pinned, numbers: impl Iterator<Item = f32>) {
    let bytes = device.pinned_bytes(pinned).unwrap();
    bytes.chunks_exact_mut(4).zip(numbers).for_each(|(bytes, number)| bytes.copy_from_slice(&number.to_ne_bytes()));
}

/// Returns the first `len` numbers of pinned memory.
fn get<D: Device>(device: &D, pinned: &mut D::Pinned, len: usize) -> Vec<f32> {
    let bytes = &device.pinned_bytes(pinned).unwrap()[..4 * len];
    bytes.chunks_exact(4).map(|bytes| f32::from_ne_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])).collect()
}

/// Buffers and streams of the tests.
struct Job<'d, D: Device> {
    device: &'d D,
    /// Streams of copies and of kernels.
    copies: D::Stream,
    kernels: D::Stream,
    x: D::Buffer<f32>,
    y: D::Buffer<f32>,
}

impl<'d, D: Device> Job<'d, D> {
    fn new(device: &'d D) -> Self {
        let [x, y] = ["x", "y"].map(|name| device.alloc(N, name).unwrap());
        Self { device, copies: device.stream().unwrap(), kernels: device.stream().unwrap(), x, y }
    }

    /// Queues y = a x + y.
    fn saxpy(&self, a: f32) -> Result<()> {
        let kernel = Saxpy { a, x: self.device.handle(&self.x), y: self.device.handle(&self.y), n: N as u32 };
        // SAFETY: both arrays have n elements, and are dropped after a wait for the stream.
        unsafe { self.device.launch(&self.kernels, 20, kernel) }
    }

    /// Makes the commands that a stream gets from now on come after those of another stream.
    fn order(&self, before: &D::Stream, after: &D::Stream) {
        let event = self.device.record(before).unwrap();
        self.device.wait_for(after, &event).unwrap();
    }
}

/// Copies and kernels of three rounds take turns by events; the host waits for results alone.
fn copies_and_kernels_in_two_streams<D: Device>(device: &D) {
    let mut job = Job::new(device);
    let [mut input, mut output] = [(); 2].map(|()| device.pinned(4 * N).unwrap());
    device.zero(&job.kernels, &mut job.y).unwrap();
    let mut expected = vec![0.0; N];
    for round in 1..=3u8 {
        let a = f32::from(round);
        let numbers = || (0..N).map(move |i| (i % 100) as f32 + a);
        put(device, &mut input, numbers());
        expected.iter_mut().zip(numbers()).for_each(|(y, x)| *y += a * x);
        // The kernel of the round before reads x.
        job.order(&job.kernels, &job.copies);
        device.upload_async(&job.copies, &job.x, &mut input, N).unwrap();
        job.order(&job.copies, &job.kernels);
        job.saxpy(a).unwrap();
        job.order(&job.kernels, &job.copies);
        device.download_async(&job.copies, &job.y, &mut output, N).unwrap();
        assert_eq!(get(device, &mut output, N), expected, "round {round}");
    }
    // One memory in two streams: the second copy waits for the first.
    put(device, &mut input, std::iter::repeat_n(7.0, N));
    device.upload_async(&job.copies, &job.x, &mut input, N).unwrap();
    device.download_async(&job.kernels, &job.y, &mut input, N).unwrap();
    assert_eq!(get(device, &mut input, N), expected);
    device.wait(&job.copies).unwrap();
    assert_eq!(device.download(&job.kernels, &job.x, N).unwrap(), vec![7.0; N]);
    device.download_to_pinned(&job.copies, &job.x, &mut output, 10).unwrap();
    assert_eq!(get(device, &mut output, 10), [7.0; 10]);
}

fn events_are_reached_in_order<D: Device>(device: &D) {
    let mut job = Job::new(device);
    device.zero(&job.kernels, &mut job.x).unwrap();
    device.zero(&job.kernels, &mut job.y).unwrap();
    let start = device.record(&job.kernels).unwrap();
    job.saxpy(2.0).unwrap();
    let end = device.record(&job.kernels).unwrap();
    device.wait_event(&end).unwrap();
    assert!(device.is_reached(&start).unwrap() && device.is_reached(&end).unwrap());
    assert!(device.elapsed(&start, &end).unwrap() > Duration::ZERO);
    assert_eq!(device.elapsed(&end, &start).unwrap(), Duration::ZERO);
    assert_eq!(device.download(&job.copies, &job.y, N).unwrap(), vec![0.0; N]);
    // A stream that waits for its own event, and one that waits for the same event again.
    job.order(&job.kernels, &job.kernels);
    device.wait_for(&job.copies, &end).unwrap();
    assert!(device.is_done(&job.copies).unwrap() || device.wait(&job.copies).is_ok());
}

fn copies_that_do_not_fit_are_errors<D: Device>(device: &D) {
    let job = Job::new(device);
    let mut long = device.pinned(8 * N).unwrap();
    let mut short = device.pinned(4 * N - 1).unwrap();
    device.pinned_bytes(&mut long).unwrap().fill(0);
    // Reused pinned memory may be longer than requested.
    let is_short = device.pinned_bytes(&mut short).unwrap().len() < 4 * N;
    let refused = |pinned: &mut D::Pinned, len| {
        assert!(device.upload_async(&job.copies, &job.x, pinned, len).is_err(), "{len}");
        assert!(device.download_async(&job.copies, &job.x, pinned, len).is_err(), "{len}");
    };
    for len in [N + 1, usize::MAX, usize::MAX / 4 + 2] {
        refused(&mut long, len);
    }
    if is_short {
        refused(&mut short, N);
    }
    device.upload_async(&job.copies, &job.x, &mut long, N).unwrap();
    device.upload_async(&job.copies, &job.x, &mut short, 0).unwrap();
    device.download_async(&job.copies, &job.x, &mut short, 0).unwrap();
    assert_eq!(device.download(&job.copies, &job.x, N).unwrap(), vec![0.0; N]);
}

/// Buffers and pinned memory may be dropped while copies use them.
fn memory_of_copies_in_flight_can_be_dropped<D: Device>(device: &D) {
    for round in 0..20u8 {
        let stream = device.stream().unwrap();
        let mut from = device.alloc::<u8>(1 << 20, "from").unwrap();
        let mut pinned = device.pinned(1 << 20).unwrap();
        device.pinned_bytes(&mut pinned).unwrap().fill(round);
        device.upload_async(&stream, &from, &mut pinned, 1 << 20).unwrap();
        let mut to = device.alloc::<u8>(1 << 20, "to").unwrap();
        device.copy(&stream, &from, &mut to, 1 << 20).unwrap();
        device.zero(&stream, &mut from).unwrap();
        drop((from, pinned));
        let mut next = device.pinned(1 << 20).unwrap();
        device.pinned_bytes(&mut next).unwrap().fill(255);
        let other = device.stream().unwrap();
        let again = device.alloc_from(&other, &[99u8; 1 << 20], "again").unwrap();
        assert!(device.download(&stream, &to, 1 << 20).unwrap().iter().all(|&byte| byte == round));
        assert!(device.download(&other, &again, 1 << 20).unwrap().iter().all(|&byte| byte == 99));
    }
}

fn check<D: Device>(device: &D) {
    copies_and_kernels_in_two_streams(device);
    events_are_reached_in_order(device);
    copies_that_do_not_fit_are_errors(device);
    memory_of_copies_in_flight_can_be_dropped(device);
}

#[test]
fn streams_work_on_the_simulator() {
    check(&Simt::default());
}

#[test]
fn streams_work_on_a_gpu() {
    if simt_launch::gpu::count().is_ok() {
        let gpu = Gpu::with_module(0, simt_examples::MODULE).unwrap();
        check(&gpu);
        // Another library would pass its own context.
        // SAFETY: `gpu` keeps the context.
        let second = unsafe { Gpu::from_context(gpu.raw_context().unwrap()) }.unwrap();
        second.load_module(simt_examples::MODULE).unwrap();
        assert_eq!(second.raw_context().unwrap(), gpu.raw_context().unwrap());
        check(&second);
        drop(second);
        check(&gpu);
    }
}

#[test]
fn a_device_of_another_crate_works_as_any_other() {
    let device = Counting { inner: Simt::default(), launches: AtomicU64::new(0) };
    check(&device);
    assert_eq!(device.launches.load(Ordering::Relaxed), 4);
}

/// Returns the simulator's fault.
fn fault<T>(result: Result<T>) -> Box<Fault> {
    match result {
        Err(Error::Simulator(fault)) => fault,
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("no fault"),
    }
}

#[test]
fn a_missing_order_is_a_fault_on_the_simulator() {
    let device = Simt::default();
    let mut job = Job::new(&device);
    let mut pinned = device.pinned(4 * N).unwrap();
    let zeroed = |job: &mut Job<'_, Simt>| {
        device.zero(&job.kernels, &mut job.x).unwrap();
        device.zero(&job.kernels, &mut job.y).unwrap();
        device.wait(&job.kernels).unwrap();
    };
    // The copy of x is in another stream than the kernel.
    zeroed(&mut job);
    device.upload_async(&job.copies, &job.x, &mut pinned, N).unwrap();
    let text = fault(job.saxpy(1.0)).to_string();
    let wanted = "no order between two streams on element 0 of `x` (10000 elements): this read in stream 1 and the \
                  write by `upload_async` in stream 0. Record an event in stream 0 after `upload_async` and let stream \
                  1 wait for it (`record`, `wait_for`), or let the host wait for stream 0 (`wait`)";
    assert!(text.starts_with("kernel saxpy, ") && text.contains("saxpy.rs:") && text.ends_with(wanted), "{text}");
    // The result is copied in another stream than the kernel's.
    device.wait(&job.copies).unwrap();
    zeroed(&mut job);
    job.saxpy(1.0).unwrap();
    assert!(matches!(fault(device.download(&job.copies, &job.y, N)).kind, FaultKind::Streams(_)));
    assert!(matches!(fault(device.download_async(&job.copies, &job.y, &mut pinned, N)).kind, FaultKind::Streams(_)));
    // Access of pinned memory waits for its copy, and so for the kernel before it.
    device.download_async(&job.kernels, &job.y, &mut pinned, N).unwrap();
    device.pinned_bytes(&mut pinned).unwrap();
    device.download(&job.copies, &job.y, N).unwrap();
}

#[test]
fn a_buffer_dropped_before_the_wait_is_a_fault_on_the_simulator() {
    let device = Simt::default();
    let mut job = Job::new(&device);
    device.zero(&job.kernels, &mut job.x).unwrap();
    device.zero(&job.kernels, &mut job.y).unwrap();
    job.saxpy(1.0).unwrap();
    let Job { kernels, x, y, .. } = job;
    drop(x);
    let text = fault(device.wait(&kernels)).to_string();
    assert!(text.contains("`x` (10000 elements) was freed while `saxpy` in stream 1 may use it"), "{text}");
    device.wait(&kernels).unwrap();
    drop(y);
    assert!(device.is_done(&kernels).unwrap());
}

#[test]
fn streams_of_another_simulated_gpu_are_refused_and_those_of_a_peer_are_not() {
    let device = Simt::default();
    let (peer, other) = (device.peer(), Simt::default());
    let mut x = device.alloc_from(&peer.stream().unwrap(), &[1u32; 8], "x").unwrap();
    assert_eq!(device.download(&peer.stream().unwrap(), &x, 8).unwrap(), [1; 8]);
    let foreign = other.stream().unwrap();
    assert!(fault(device.zero(&foreign, &mut x)).to_string().contains("another simulated GPU"));
    assert!(device.record(&foreign).is_err() && device.wait(&foreign).is_err());
}
