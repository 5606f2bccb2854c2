//! The matrix with its rows shifted so that a diagonal becomes a row: lemma 4 of the paper,
//! O(mn / w + nl) time units with m threads on the UMM of width w and latency l, and on the DMM.
//!
//! The UMM (unified memory machine) is a model of global memory. A step takes one turn for each
//! group of w neighbouring words that it accesses, so the cells of a step should be neighbours:
//!
//! ```text
//! m = 3, n = 5      0   1   2   3   4   5
//! s[0]              0
//! s[1]              1   0
//! s[2]              2   k1  0
//! s[3]              3   k2  k2  0              d[i][j] lies in s[i + j][j]: step k writes
//! s[4]                  k3  k3  k3  0          row k + 1, from rows k and k - 1,
//! s[5]                      k4  k4  k4  0      m words side by side
//! s[6]                          k5  k5  k5
//! s[7]                              k6  k6
//! s[8]                                  k7
//! ```
//!
//! **Cost.** The same number of accesses as lemma 3, in (n + m + 1)(n + 1) words of memory instead
//! of (m + 1) n'.

use super::matrix::{MAX_THREADS, Matrix, Strings};
use simt_std::prelude::*;

/// Finds the least distance of X to a substring of Y. Launch: one block.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Umm {
    /// X and Y.
    pub strings: Strings,
    /// Out: the shifted matrix, n + m + 1 rows of n + 1 words. Words that hold no d\[i\]\[j\] are
    /// not written.
    pub s: Global<u32>,
    /// Out: [`FOUND`](super::FOUND) words, the distance and the end.
    pub found: Global<u32>,
}

/// Shifted layout: d\[i\]\[j\] is in row i + j and column j.
#[derive(Clone, Copy)]
struct Slid {
    s: Global<u32>,
    stride: u32,
}

impl Slid {
    #[inline(always)]
    fn at(self, i: u32, j: u32) -> usize {
        (i + j) as usize * self.stride as usize + j as usize
    }
}

impl Matrix for Slid {
    #[inline(always)]
    fn read(self, i: u32, j: u32) -> u32 {
        self.s.read(self.at(i, j))
    }

    #[inline(always)]
    fn write(self, i: u32, j: u32, value: u32) {
        self.s.write(self.at(i, j), value);
    }
}

#[kernel(max_threads = MAX_THREADS, threads = self.strings.threads())]
fn nakano_umm(self: Umm) {
    let Self { strings, s, found } = self;
    // SAFETY: all threads of the block reach this call.
    unsafe { strings.whole(Slid { s, stride: strings.n + 1 }, found) };
}
