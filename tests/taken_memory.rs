//! The wavefront on a simulated device whose memory others take between the query for free memory
//! and the allocations: the answers are those of the recurrence, in smaller bands and blocks.
#![cfg(feature = "simt")]
mod common;

use carrywave::Error;
use carrywave::internal::lcs::gpu::WavefrontLcs;
use carrywave::internal::pairwise::{Cut, CutRequest, Cuts, Distances, Kernels, Lengths, Part, Side, Wavefront};
use common::oracle::{edits, lcs as oracle};
use common::texts::{relative, text};
use simt_launch::device::Limits;
use simt_launch::{Device, Result as DeviceResult, Simt};
use simt_std::global::Global;
use simt_std::{Blocks, Kernel, Word};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Bytes that a wavefront leaves to other users.
const RESERVE: u64 = 64 << 20;

/// A device that reports more free memory than it has.
struct Shared {
    simt: Simt,
    /// Bytes that others take after a query.
    taken: u64,
    /// Number of first queries; after each of them, others take memory. Later queries are exact.
    queries: AtomicU64,
}

impl Shared {
    fn new(memory: u64, taken: u64, queries: u64) -> Self {
        Self { simt: Simt::with_memory(memory), taken, queries: queries.into() }
    }
}

// SAFETY: all functions forward to a device.
unsafe impl Device for Shared {
    type Buffer<T: Word> = <Simt as Device>::Buffer<T>;
    type Stream = <Simt as Device>::Stream;
    type Pinned = <Simt as Device>::Pinned;
    type Event = <Simt as Device>::Event;

    fn limits(&self) -> Limits {
        self.simt.limits()
    }

    fn stream(&self) -> DeviceResult<Self::Stream> {
        self.simt.stream()
    }

    fn alloc<T: Word>(&self, len: usize, name: &str) -> DeviceResult<Self::Buffer<T>> {
        self.simt.alloc(len, name)
    }

    fn handle<T: Word>(&self, buffer: &Self::Buffer<T>) -> Global<T> {
        self.simt.handle(buffer)
    }

    fn upload_to<T: Word>(
        &self,
        stream: &Self::Stream,
        to: &mut Self::Buffer<T>,
        start: usize,
        data: &[T],
    ) -> DeviceResult<()> {
        self.simt.upload_to(stream, to, start, data)
    }

    fn pinned(&self, len: usize) -> DeviceResult<Self::Pinned> {
        self.simt.pinned(len)
    }

    fn pinned_bytes<'p>(&self, pinned: &'p mut Self::Pinned) -> DeviceResult<&'p mut [u8]> {
        self.simt.pinned_bytes(pinned)
    }

    fn upload_async<T: Word>(
        &self,
        stream: &Self::Stream,
        buffer: &Self::Buffer<T>,
        pinned: &mut Self::Pinned,
        len: usize,
    ) -> DeviceResult<()> {
        self.simt.upload_async(stream, buffer, pinned, len)
    }

    fn download_async<T: Word>(
        &self,
        stream: &Self::Stream,
        buffer: &Self::Buffer<T>,
        pinned: &mut Self::Pinned,
        len: usize,
    ) -> DeviceResult<()> {
        self.simt.download_async(stream, buffer, pinned, len)
    }

    fn download_from<T: Word>(
        &self,
        stream: &Self::Stream,
        from: &Self::Buffer<T>,
        start: usize,
        len: usize,
    ) -> DeviceResult<Vec<T>> {
        self.simt.download_from(stream, from, start, len)
    }

    fn check_memory(&self, address: u64, bytes: u64) -> DeviceResult<()> {
        self.simt.check_memory(address, bytes)
    }

    unsafe fn download_at<T: Word>(&self, address: Global<T>, len: usize) -> DeviceResult<Vec<T>> {
        // SAFETY: passed on to the caller.
        unsafe { self.simt.download_at(address, len) }
    }

    unsafe fn launch<K: Kernel>(
        &self,
        stream: &Self::Stream,
        blocks: impl Into<Blocks>,
        kernel: K,
    ) -> DeviceResult<()> {
        // SAFETY: passed on to the caller.
        unsafe { self.simt.launch(stream, blocks, kernel) }
    }

    fn resident_blocks<K: Kernel>(&self, kernel: &K) -> DeviceResult<u32> {
        self.simt.resident_blocks(kernel)
    }

    fn zero<T: Word>(&self, stream: &Self::Stream, buffer: &mut Self::Buffer<T>) -> DeviceResult<()> {
        self.simt.zero(stream, buffer)
    }

    fn copy<T: Word>(
        &self,
        stream: &Self::Stream,
        from: &Self::Buffer<T>,
        to: &mut Self::Buffer<T>,
        len: usize,
    ) -> DeviceResult<()> {
        self.simt.copy(stream, from, to, len)
    }

    fn record(&self, stream: &Self::Stream) -> DeviceResult<Self::Event> {
        self.simt.record(stream)
    }

    fn wait_for(&self, stream: &Self::Stream, event: &Self::Event) -> DeviceResult<()> {
        self.simt.wait_for(stream, event)
    }

    fn is_reached(&self, event: &Self::Event) -> DeviceResult<bool> {
        self.simt.is_reached(event)
    }

    fn wait_event(&self, event: &Self::Event) -> DeviceResult<()> {
        self.simt.wait_event(event)
    }

    fn elapsed(&self, from: &Self::Event, to: &Self::Event) -> DeviceResult<Duration> {
        self.simt.elapsed(from, to)
    }

    fn is_done(&self, stream: &Self::Stream) -> DeviceResult<bool> {
        self.simt.is_done(stream)
    }

    fn wait(&self, stream: &Self::Stream) -> DeviceResult<()> {
        self.simt.wait(stream)
    }

    fn free_memory(&self) -> DeviceResult<u64> {
        let left = self.queries.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
        Ok(self.simt.free_memory()? + RESERVE + if left.is_ok() { self.taken } else { 0 })
    }
}

/// Memories, and the bytes that others take: from everything in core to bands and blocks.
const SITUATIONS: [(u64, u64); 8] = [
    (6_000, 1_000),
    (6_000, 300_000),
    (12_000, 20_000),
    (12_000, 10 << 20),
    (40_000, 40_000),
    (100_000, 10 << 20),
    (300_000, 1 << 30),
    (2 << 20, 1 << 40),
];

fn strings() -> [Vec<u8>; 2] {
    let a = text(7_000, 4, 1);
    let b = relative(&a[2000..], 350, 4, 2);
    [a, b]
}

/// Requests of a level of a recursion.
fn requests() -> Vec<CutRequest> {
    let part = |side, range| Part { side, range };
    let request = |rows, columns, middle| CutRequest { rows, columns, middle };
    vec![
        request(part(Side::A, 0..7_000), part(Side::B, 0..350), 133),
        request(part(Side::B, 0..350), part(Side::A, 1000..6_999), 4_000),
        request(part(Side::A, 17..2_000), part(Side::B, 100..102), 1),
    ]
}

fn cells(requests: &[CutRequest]) -> u64 {
    requests.iter().map(|request| (request.rows.range.len() * request.columns.range.len()) as u64).sum()
}

/// Returns the symbols of a request's rows and columns.
fn symbols<'s>(request: &CutRequest, strings: &'s [Vec<u8>; 2]) -> [&'s [u8]; 2] {
    let part = |part: &Part| &strings[part.side as usize][part.range.clone()];
    [part(&request.rows), part(&request.columns)]
}

/// Compares cuts, the last column of the first request's table and its last value with the expected
/// ones, in all situations.
fn check<K: Kernels>(
    [a, b]: &[Vec<u8>; 2],
    requests: &[CutRequest],
    cuts: &[Cut],
    is_column: impl Fn(K::Column) -> bool,
) where
    for<'d> Wavefront<'d, Shared, K>: Cuts,
{
    for (memory, taken) in SITUATIONS {
        for queries in [1, 2, 3, 5, u64::MAX] {
            let place = format!("{memory} bytes, {taken} less after {queries} queries");
            let device = Shared::new(memory, taken, queries);
            let done = AtomicU64::new(0);
            let progress = |cells| {
                done.fetch_add(cells, Ordering::Relaxed);
            };
            let engine = Wavefront::<_, K>::new(&[&device], a, b, &progress).expect(&place);
            assert_eq!(engine.cuts(requests).expect(&place), cuts, "{place}");
            assert_eq!((done.load(Ordering::Relaxed), engine.timings().cells), (cells(requests), cells(requests)));
            let CutRequest { rows, columns, .. } = &requests[0];
            assert!(is_column(engine.column_of(rows, columns).expect(&place)), "{place}");
            assert_eq!(engine.value(rows, columns).expect(&place), cuts[0].length, "{place}");
        }
    }
}

#[test]
fn lengths_when_others_take_memory() {
    let strings = strings();
    let [a, b] = &strings;
    let requests = requests();
    let expected = |request: &CutRequest| {
        let [x, y] = symbols(request, &strings);
        let forward = oracle::prefixes(x, &y[..request.middle]);
        let backward = oracle::suffixes(x, &y[request.middle..]);
        let sum = |i: usize| (forward[i] + backward[x.len() - i]) as u64;
        let length = (0..=x.len()).map(sum).max().unwrap();
        Cut { row: (0..=x.len()).find(|&i| sum(i) == length).unwrap(), length }
    };
    let cuts: Vec<Cut> = requests.iter().map(expected).collect();
    let column = oracle::prefixes(a, b);
    check::<Lengths>(&strings, &requests, &cuts, |found| found.lengths() == column);
}

#[test]
fn distances_when_others_take_memory() {
    let strings = strings();
    let [a, b] = &strings;
    let requests = requests();
    let prefixes = |rows: &[u8], columns: &[u8]| {
        let replaced = |cell: u64, i: usize, j: usize| cell + u64::from(rows[i - 1] != columns[j - 1]);
        edits::columns((rows.len(), columns.len()), |j| j as u64, |cell| cell + 1, replaced).last().unwrap()
    };
    let reversed = |text: &[u8]| text.iter().rev().copied().collect::<Vec<u8>>();
    let expected = |request: &CutRequest| {
        let [x, y] = symbols(request, &strings);
        let forward = prefixes(x, &y[..request.middle]);
        let backward = prefixes(&reversed(x), &reversed(&y[request.middle..]));
        let sum = |i: usize| forward[i] + backward[x.len() - i];
        let length = (0..=x.len()).map(sum).min().unwrap();
        Cut { row: (0..=x.len()).find(|&i| sum(i) == length).unwrap(), length }
    };
    let cuts: Vec<Cut> = requests.iter().map(expected).collect();
    let column = prefixes(a, b);
    check::<Distances>(&strings, &requests, &cuts, |found| found.distances() == column);
}

/// The error reports the allocation that the smallest plan needs.
#[test]
fn the_smallest_plan_does_not_fit() {
    let [a, b] = strings();
    for taken in [1_000, 1 << 20, 1 << 40] {
        let device = Shared::new(1_500, taken, u64::MAX);
        let engine = WavefrontLcs::new(&[&device], &a, &b, &|_| ()).unwrap();
        let error = engine.cuts(&requests()[..1]).unwrap_err();
        let Error::DeviceMemory { needed, .. } = error else { panic!("{error}") };
        assert!(needed < 10_000, "{taken}: {error}");
    }
}
