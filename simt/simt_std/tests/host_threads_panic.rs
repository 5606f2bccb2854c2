//! A kernel's panic in a launch on several host threads. A file of its own, because the panic hook
//! belongs to the whole process.

use simt_std::prelude::*;
use simt_std::simulator::{Options, Simulator};
use std::sync::atomic::{AtomicU32, Ordering};

const THREADS: u32 = 256;
const BLOCKS: u32 = 64;

/// Thread `last` panics. Launch: n / [`THREADS`] blocks; `data` has n elements.
#[kernel(threads = THREADS)]
fn panics(data: Global<u32>, last: u32) {
    let i = thread::index_1d();
    data.write(i as usize, i);
    assert!(i != last, "thread {i} is the last");
}

#[test]
fn a_panic_of_a_kernel_is_reported_once() {
    static CALLS: AtomicU32 = AtomicU32::new(0);
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if info.to_string().contains("is the last") {
            CALLS.fetch_add(1, Ordering::Relaxed);
        } else {
            before(info);
        }
    }));
    let mut gpu = Simulator::new(Options { host_threads: 4, ..Options::default() });
    let data = gpu.alloc::<u32>((BLOCKS * THREADS) as usize, "data");
    let fault = gpu.launch_kernel(BLOCKS, Panics { data: data.handle(), last: BLOCKS * THREADS - 1 }).unwrap_err();
    assert!(fault.to_string().contains("thread 16383 is the last"), "{fault}");
    assert_eq!(CALLS.load(Ordering::Relaxed), 1);
}
