//! A histogram: the number of occurrences of each value.
//!
//! **Threads.** A grid-stride loop over the values; each value adds 1 to its bin. The additions are
//! atomic, because threads that add to the same bin at the same time must not lose a count.
//!
//! **Two versions.** [`histogram_global`](HistogramGlobal) adds in global memory: one atomic
//! operation per value, serialised at the same few bins. [`histogram_shared`](HistogramShared)
//! gives each block its own bins in shared memory, where atomics are faster and only the block's
//! threads compete. At the end, it adds these bins to the global ones:
//!
//! ```text
//! values     3 1 3 3  |  0 3 1 1         blocks count on their own …
//! bins       0 1 0 3  |  1 2 0 1
//!               └─────+─────┘            … and add up once a bin
//! result         1 3 0 4
//! ```
//!
//! **Cost**: one global atomic operation per value, or one per bin and block.

use simt_std::atomic::Order;
use simt_std::prelude::*;

/// Number of threads of a block.
pub const THREADS: u32 = 128;

/// Maximum number of bins.
pub const BINS: u32 = 256;

/// Counts in global memory. Launch: any number of blocks; `values` has n elements, each less than
/// `bins`; `counts` has `bins` words; n + threads < 2^32.
#[kernel(threads = THREADS)]
pub fn histogram_global(
    /// The values to count.
    values: Global<u8>,
    /// Number of elements in `values`.
    n: u32,
    /// The counts; the kernel adds to them.
    counts: Global<u32>,
) {
    let mut i = thread::index_1d();
    while i < n {
        atomic::fetch_add(counts, values.read(i), 1);
        i += thread::grid_dim_x() * THREADS;
    }
}

/// Counts in shared memory first. Launch: as [`histogram_global`](HistogramGlobal); `bins` is at
/// most [`BINS`].
#[kernel(threads = THREADS)]
pub fn histogram_shared(
    /// The values to count.
    values: Global<u8>,
    /// Number of elements in `values`.
    n: u32,
    /// The counts; the kernel adds to them.
    counts: Global<u32>,
    /// Number of words in `counts`.
    bins: u32,
) {
    shared_array!(own: [u32; BINS as usize]);
    let t = thread::thread_idx_x();
    let mut bin = t;
    while bin < bins {
        own.write(bin, 0);
        bin += THREADS;
    }
    // SAFETY: every thread of the block is here.
    unsafe { thread::sync_threads() };

    let mut i = thread::index_1d();
    while i < n {
        // Only the block uses these bins.
        atomic::block(own, values.read(i)).fetch_add(1, Order::Relaxed);
        i += thread::grid_dim_x() * THREADS;
    }
    // SAFETY: every thread of the block is here.
    unsafe { thread::sync_threads() };

    let mut bin = t;
    while bin < bins {
        atomic::fetch_add(counts, bin as usize, own.read(bin));
        bin += THREADS;
    }
}
