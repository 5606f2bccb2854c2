//! Cost of the simulator: nanoseconds per access, and bytes of host memory per simulated byte.
//!
//!     cargo bench -p simt_std --bench simulator
//!     cargo bench -p simt_std --bench simulator -- shared   only rows with this in their names
//!
//! The output has one line per memory space and element type: the time without and with accounting,
//! and the memory of the process for an array after a kernel has written and read every element.
//! Times are the minimum of 40 runs.
//! Criterion is not used, since the clock is that of the thread's processor time,
//! and a row has bytes beside the times.
#![allow(missing_docs, reason = "a program")]

use simt_std::simulator::{Grid, Options, Simulator};
use simt_std::{Word, atomic, global::Global, shared, thread, warp};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// The system's allocator with a count of the allocated bytes.
struct Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is passed on unchanged to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        HELD.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: passed on to the caller.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: passed on to the caller.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const BLOCKS: u32 = 8;
const THREADS: u32 = 128;
const TURNS: u32 = 64;

/// Returns the processor time of this thread in seconds.
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
fn now(_: Instant) -> f64 {
    #[repr(C)]
    struct Time {
        seconds: i64,
        nanoseconds: i64,
    }
    unsafe extern "C" {
        fn clock_gettime(clock: i32, time: *mut Time) -> i32;
    }
    /// `CLOCK_THREAD_CPUTIME_ID` of Linux.
    const THREAD: i32 = 3;
    let mut time = Time { seconds: 0, nanoseconds: 0 };
    // SAFETY: a function of the C library, with a `timespec` of 64-bit Linux to write to.
    assert_eq!(unsafe { clock_gettime(THREAD, &mut time) }, 0);
    time.seconds as f64 + time.nanoseconds as f64 / 1e9
}

/// Returns the seconds since the program started.
#[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
fn now(start: Instant) -> f64 {
    start.elapsed().as_secs_f64()
}

/// Returns the seconds of the fastest of 40 launches.
fn seconds(mut launch: impl FnMut()) -> f64 {
    let start = Instant::now();
    let time = |launch: &mut dyn FnMut()| {
        let before = now(start);
        launch();
        now(start) - before
    };
    (0..40).map(|_| time(&mut launch)).fold(f64::MAX, f64::min)
}

/// Returns nanoseconds per access of global memory: each thread writes and reads words of its own,
/// next to those of its neighbours.
fn global<T: Word>(accounting: bool) -> f64 {
    let mut gpu = Simulator::new(Options { accounting, ..Options::default() });
    let data = gpu.alloc::<T>((BLOCKS * THREADS * TURNS) as usize, "data");
    let handle: Global<T> = data.handle();
    let took = seconds(|| {
        let body = move || {
            for turn in 0..TURNS {
                let i = (thread::index_1d() + turn * BLOCKS * THREADS) as usize;
                handle.write(i, bytemuck::Zeroable::zeroed());
                handle.read(i);
            }
        };
        gpu.launch("global", Grid::linear(BLOCKS, THREADS), body).expect("no fault");
    });
    took * 1e9 / f64::from(2 * BLOCKS * THREADS * TURNS)
}

/// Returns nanoseconds per access of shared memory: each thread writes its word and reads its
/// neighbour's, with barriers between.
fn shared<T: Word>(accounting: bool) -> f64 {
    let mut gpu = Simulator::new(Options { accounting, ..Options::default() });
    let grid = Grid { dynamic_shared: THREADS * 16, ..Grid::linear(BLOCKS, THREADS) };
    let took = seconds(|| {
        let body = move || {
            let (x, i) = (shared::dynamic_shared_mem::<T>(), thread::thread_idx_x());
            for _ in 0..TURNS / 4 {
                x.write(i, bytemuck::Zeroable::zeroed());
                // SAFETY: all threads are here.
                unsafe { thread::sync_threads() };
                for near in 0..7 {
                    x.read((i + near) % THREADS);
                }
                // SAFETY: all threads are here.
                unsafe { thread::sync_threads() };
            }
        };
        gpu.launch("shared", grid, body).expect("no fault");
    });
    took * 1e9 / f64::from(8 * BLOCKS * THREADS * (TURNS / 4))
}

/// Returns nanoseconds per operation of a lane, for shuffles of whole warps.
fn shuffles(accounting: bool) -> f64 {
    let mut gpu = Simulator::new(Options { accounting, ..Options::default() });
    let took = seconds(|| {
        let body = || {
            let mut value = warp::lane_id();
            for _ in 0..TURNS {
                // SAFETY: all lanes are here.
                value = unsafe { warp::warp_shuffle_xor(!0, value, 1, 32) }.0;
            }
        };
        gpu.launch("shuffles", Grid::linear(BLOCKS, THREADS), body).expect("no fault");
    });
    took * 1e9 / f64::from(BLOCKS * THREADS * TURNS)
}

/// Returns nanoseconds per atomic operation: each thread of a block increments a word of its own.
fn atomics(accounting: bool) -> f64 {
    let mut gpu = Simulator::new(Options { accounting, ..Options::default() });
    let data = gpu.alloc_from(&[0u32; THREADS as usize], "data");
    let handle: Global<u32> = data.handle();
    let took = seconds(|| {
        let body = move || {
            for _ in 0..TURNS {
                atomic::fetch_add(handle, thread::thread_idx_x() as usize, 1);
            }
        };
        gpu.launch("atomics", Grid::linear(BLOCKS, THREADS), body).expect("no fault");
    });
    took * 1e9 / f64::from(BLOCKS * THREADS * TURNS)
}

/// Returns the bytes of host memory for each byte of an array that a kernel has written and read.
fn host_bytes<T: Word>() -> f64 {
    let len = (4 << 20) / size_of::<T>();
    let mut gpu = Simulator::default();
    let before = HELD.load(Ordering::Relaxed);
    let data = gpu.alloc::<T>(len, "data");
    let handle: Global<T> = data.handle();
    let threads = BLOCKS * THREADS;
    let body = move || {
        for i in (thread::index_1d() as usize..len).step_by(threads as usize) {
            handle.write(i, bytemuck::Zeroable::zeroed());
            handle.read(i);
        }
    };
    gpu.launch("bytes", Grid::linear(BLOCKS, THREADS), body).expect("no fault");
    (HELD.load(Ordering::Relaxed) - before) as f64 / (len * size_of::<T>()) as f64
}

fn main() {
    println!("{:<14} {:>12} {:>16} {:>12}", "memory", "ns an access", "with accounting", "host bytes");
    let wanted = std::env::args().skip(1).find(|word| !word.starts_with('-')).unwrap_or_default();
    let row = |name: &str, times: fn(bool) -> f64, bytes: Option<fn() -> f64>| {
        if !name.contains(&wanted) {
            return;
        }
        let bytes = bytes.map_or(String::from("-"), |bytes| format!("{:.1}", bytes()));
        println!("{name:<14} {:>12.1} {:>16.1} {bytes:>12}", times(false), times(true));
    };
    row("global u8", global::<u8>, Some(host_bytes::<u8>));
    row("global u32", global::<u32>, Some(host_bytes::<u32>));
    row("global U32x4", global::<simt_std::U32x4>, Some(host_bytes::<simt_std::U32x4>));
    row("shared u8", shared::<u8>, None);
    row("shared u32", shared::<u32>, None);
    row("shuffle", shuffles, None);
    row("atomic u32", atomics, None);
}
