//! A histogram: many threads add to few bins. In shared memory, each block has its own bins.

use super::barrier;
use simt_std::prelude::*;

/// The counts of the values. Launch: any number of blocks; `values` has n elements, each less than
/// `bins`, which is at most 64.
#[kernel(max_threads = 1024, threads = threads)]
pub fn histogram(
    /// The values to count.
    values: Global<u32>,
    /// Number of values.
    n: u32,
    /// The counts; the kernel adds to them.
    counts: Global<u32>,
    /// Number of bins.
    bins: u32,
    /// True: count in shared memory first.
    shared: bool,
    /// False: add by a read and a write.
    atomically: bool,
    /// True: the block waits until its bins are zero, and again until they are complete.
    waits: bool,
    /// Threads of a block.
    threads: u32,
) {
    shared_array!(own: [u32; 64]);
    let mut bin = thread::thread_idx_x();
    while shared && bin < bins {
        own.write(bin, 0);
        bin += threads;
    }
    // SAFETY: every thread of the block is here.
    unsafe { barrier(shared && waits) };

    let mut i = thread::index_1d();
    while i < n {
        let value = values.read(i as usize);
        match (shared, atomically) {
            (true, true) => drop(atomic::fetch_add(own, value, 1)),
            (true, false) => own.write(value, own.read(value) + 1),
            (false, true) => drop(atomic::fetch_add(counts, value as usize, 1)),
            (false, false) => counts.write(value as usize, counts.read(value as usize) + 1),
        }
        i += thread::grid_dim_x() * threads;
    }
    // SAFETY: every thread of the block is here.
    unsafe { barrier(shared && waits) };

    let mut bin = thread::thread_idx_x();
    while shared && bin < bins {
        atomic::fetch_add(counts, bin as usize, own.read(bin));
        bin += threads;
    }
}
