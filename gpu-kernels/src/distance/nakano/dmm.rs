//! The matrix as it is: lemma 3, O(mn / w + nl) time units with m threads on the DMM of width w and latency l.
//!
//! ```text
//! n' = 8, w = 4     bank   0  1  2  3  0  1  2  3
//! d[0]                     0  0  0  0  0  0  .  .
//! d[1]                     1  .  .  .  k  .  .  .        the cells of a step are on a diagonal: one column, and so one bank,
//! d[2]                     2  .  .  k  .  .  .  .        to the left with each row
//! d[3]                     3  .  k  .  .  .  .  .
//! ```
//!
//! On the UMM every row is another address group, and a step of w threads takes w times as long.

use super::{MOST_THREADS, Matrix, Strings};
use simt_std::prelude::*;

/// Finds the best substring. Launch: one block.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Dmm {
    /// What is compared.
    pub strings: Strings,
    /// n', at least n + 1; a multiple of w for the paper's time.
    pub stride: u32,
    /// Out: the matrix, of m + 1 rows of n' words; those behind column n are left alone.
    pub d: Global<u32>,
    /// Out: [`FOUND`](super::FOUND) words.
    pub found: Global<u32>,
}

/// d\[i\]\[j\] in row i and column j.
#[derive(Clone, Copy)]
struct Plain {
    d: Global<u32>,
    stride: u32,
}

impl Plain {
    #[inline(always)]
    fn at(self, i: u32, j: u32) -> usize {
        i as usize * self.stride as usize + j as usize
    }
}

impl Matrix for Plain {
    #[inline(always)]
    fn read(self, i: u32, j: u32) -> u32 {
        self.d.read(self.at(i, j))
    }

    #[inline(always)]
    fn write(self, i: u32, j: u32, value: u32) {
        self.d.write(self.at(i, j), value);
    }
}

#[kernel(max_threads = MOST_THREADS, threads = self.strings.threads())]
fn nakano_dmm(self: Dmm) {
    let Self { strings, stride, d, found } = self;
    // SAFETY: all threads are here.
    unsafe { strings.whole(Plain { d, stride }, found) };
}
