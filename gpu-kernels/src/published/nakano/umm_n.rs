//! Windows of Y side by side: theorem 6 of the paper, O(mn / w + ml) time units with n threads and
//! 3n words, on the UMM and the DMM of width w and latency l.
//!
//! The least distance is at most m, the distance of the empty substring. A substring of more than
//! 2m symbols has a distance of more than m. So the nearest substring has at most 2m symbols, and
//! lies within a window of three parts of m symbols each:
//!
//! ```text
//! Y          | part 0 | part 1 | part 2 | part 3 | part 4 | 5 |        the last may be shorter
//! Z0         |--------------------------|
//! Z1                  |--------------------------|
//! Z2                           |--------------------------|
//! Z3                                    |---------------------|
//!
//! s'         | Z0: m columns | Z1 | Z2 | Z3 |      three rows for all windows;
//!                                                  a window has m neighbouring threads
//! flags      0 … m: the least end with this distance, or NONE
//! ```
//!
//! Each window is computed as in theorem 5 ([`umm_3m`](super::umm_3m)). There is one flag for each
//! distance from 0 to m, and the thread that holds a window's least distance marks the flag of that
//! distance. A second launch searches for the first marked flag. In the paper the windows'
//! distances are in an array s, and thread i sets flag s\[i\] to 1. Here the mark is the end of the
//! substring, written by an atomic minimum by the thread that has the distance in a register. So
//! the second launch returns the end with the distance, and s is neither written nor read.
//!
//! **Threads.** A block computes as many whole windows as its threads allow, because the threads of
//! a window wait for one another.
//!
//! **Cost** per cell: 5 reads and one write, as for the others. Each symbol of Y is in three
//! windows, so there are three times as many cells.

use super::matrix::{Least, MAX_THREADS, Strings};
use super::umm_3m::ThreeRows;
use simt_std::prelude::*;

/// Value of a flag that is not marked.
pub const NONE: u32 = !0;

/// Returns the number of windows for strings of m and n symbols: n / m - 2, with n / m rounded up;
/// at least 1.
pub fn windows(m: u32, n: u32) -> u32 {
    n.div_ceil(m.max(1)).saturating_sub(2).max(1)
}

/// Computes all windows, and marks the flag of each window's least distance. Launch:
/// [`blocks`](UmmN::blocks) blocks.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct UmmN {
    /// X and Y.
    pub strings: Strings,
    /// Number of windows: [`windows`] of m and n.
    pub windows: u32,
    /// Working memory: 3m words per window; needs no initial value.
    pub s: Global<u32>,
    /// In and out: m + 1 words, all [`NONE`] before the launch. Word d becomes the least end
    /// (exclusive, in Y) over the windows whose least distance is d.
    pub flags: Global<u32>,
}

impl UmmN {
    /// Number of windows per block.
    #[inline(always)]
    fn each(&self) -> u32 {
        (MAX_THREADS / self.strings.m.max(1)).min(self.windows).max(1)
    }

    /// Number of blocks of the launch.
    pub fn blocks(&self) -> u32 {
        self.windows.div_ceil(self.each())
    }
}

#[kernel(max_threads = MAX_THREADS, threads = self.each() * self.strings.threads())]
fn nakano_umm_n(self: UmmN) {
    let Self { strings: Strings { x, y, m, n }, windows, s, flags } = self;
    let (number, rank) = (thread::thread_idx_x() / m.max(1), thread::thread_idx_x() % m.max(1));
    let window = thread::block_idx_x() * self.each() + number;
    let exists = window < windows;
    let start = window * m;
    let longest = if n / 3 < m { n } else { 3 * m };
    // The last block may have threads beyond the last window: they get no symbols.
    let strings = Strings { x, y: y.skip(start as usize), m, n: if exists { longest.min(n - start) } else { 0 } };
    let matrix = ThreeRows { s: s.skip(start as usize), stride: windows as usize * m as usize, m };
    // SAFETY: all threads of the block reach this call, with the same number of steps.
    let Least { distance, end } = unsafe { strings.fill(matrix, rank, m + longest - 1) };
    if exists && rank == strings.last() {
        atomic::fetch_min(flags, distance as usize, start + end);
    }
}

/// Searches for the first marked flag, with one thread. Launch: one block, after [`UmmN`].
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct FirstFlag {
    /// m + 1 words, at least one of them not [`NONE`].
    pub flags: Global<u32>,
    /// m.
    pub m: u32,
    /// Out: [`FOUND`](super::FOUND) words, the distance and the end.
    pub found: Global<u32>,
}

#[kernel(threads = 1)]
fn nakano_first_flag(self: FirstFlag) {
    let mut distance = 0;
    while distance <= self.m {
        let end = self.flags.read(distance as usize);
        if end != NONE {
            Least { distance, end }.write(self.found);
            break;
        }
        distance += 1;
    }
}
