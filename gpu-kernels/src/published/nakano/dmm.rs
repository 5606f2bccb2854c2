//! The matrix as it is: lemma 3 of the paper, O(mn / w + nl) time units with m threads on the DMM of width w and
//! latency l.
//!
//! The DMM (discrete memory machine) is a model of shared memory: it has w banks, word a is in bank a mod w, and a step
//! takes as many turns as the most different words that one bank is asked for. Here d\[i\]\[j\] is word i n' + j, with
//! n' the least multiple of w that is not below n + 1, so that column j is in bank j mod w in every row:
//!
//! ```text
//! n' = 8, w = 4     bank   0  1  2  3  0  1  2  3
//! d[0]                     0  0  0  0  0  0  .  .
//! d[1]                     1  .  .  .  k  .  .  .        k: the cells of step k are on a diagonal. Each is one
//! d[2]                     2  .  .  k  .  .  .  .        column, and so one bank, to the left of the one above
//! d[3]                     3  .  k  .  .  .  .  .
//! ```
//!
//! On the UMM, where a step takes a turn for each group of w neighbouring words, every row is another group, and a step
//! of w threads takes w times as long.

use super::matrix::{MOST_THREADS, Matrix, Strings};
use simt_std::prelude::*;

/// n' of the paper: the least multiple of w that n + 1 columns fit in. w is at least 1, the banks of the machine; on a GPU, whose
/// shared memory has 32 banks, 32.
pub const fn row_length(n: u32, w: u32) -> u32 {
    (n + 1).next_multiple_of(w)
}

/// Finds the least distance of X to a substring of Y. Launch: one block.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Dmm {
    /// X and Y.
    pub strings: Strings,
    /// n', the words of a row: [`row_length`] of n and w for the paper's time; any number from n + 1 on for the result.
    pub stride: u32,
    /// Out: the matrix, m + 1 rows of n' words; those after column n are not written.
    pub d: Global<u32>,
    /// Out: [`FOUND`](super::FOUND) words, the distance and the end.
    pub found: Global<u32>,
}

/// The layout: d\[i\]\[j\] in row i and column j.
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
