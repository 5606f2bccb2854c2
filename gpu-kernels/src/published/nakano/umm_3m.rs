//! Three rows of the shifted matrix, m words each: theorem 5 of the paper, which needs the time of
//! lemma 4 and only 3m words.
//!
//! A step reads the last two rows of the shifted matrix ([`umm`](super::umm)) and writes the next
//! one, so three rows are enough:
//!
//! ```text
//! m = 3     j mod 3   0   1   2
//! s'[k - 1]           |   |   |     read        row i + j of the shifted matrix is row
//! s'[k]               |   |   |     read        (i + j) mod 3 here; its m columns in use
//! s'[k + 1]           |   |   |     written     are neighbours, so no two of them are the
//!                                               same column modulo m
//! ```
//!
//! The initial values of the matrix, s\[j\]\[j\] = 0 and s\[i\]\[0\] = i, are not stored: reads
//! return them directly. Row m of the matrix is overwritten by the end of the last step, so the
//! thread that computes it keeps the least value in a register.

use super::matrix::{MAX_THREADS, Matrix, Strings};
use simt_std::prelude::*;

/// Finds the least distance of X to a substring of Y. Launch: one block.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Umm3m {
    /// X and Y.
    pub strings: Strings,
    /// Working memory: 3m words, which need no initial value.
    pub s: Global<u32>,
    /// Out: [`FOUND`](super::FOUND) words, the distance and the end.
    pub found: Global<u32>,
}

/// Three-row layout: d\[i\]\[j\] is in row (i + j) mod 3 and column j mod m.
#[derive(Clone, Copy)]
pub(super) struct ThreeRows {
    /// The three rows, from the first word on.
    pub s: Global<u32>,
    /// Words from one row to the next, at least m.
    pub stride: usize,
    /// m: column j is stored in column j mod m.
    pub m: u32,
}

impl ThreeRows {
    #[inline(always)]
    fn at(self, i: u32, j: u32) -> usize {
        ((i + j) % 3) as usize * self.stride + (j % self.m.max(1)) as usize
    }
}

impl Matrix for ThreeRows {
    #[inline(always)]
    fn read(self, i: u32, j: u32) -> u32 {
        if i == 0 {
            0
        } else if j == 0 {
            i
        } else {
            self.s.read(self.at(i, j))
        }
    }

    #[inline(always)]
    fn write(self, i: u32, j: u32, value: u32) {
        self.s.write(self.at(i, j), value);
    }
}

#[kernel(max_threads = MAX_THREADS, threads = self.strings.threads())]
fn nakano_umm_3m(self: Umm3m) {
    let Self { strings, s, found } = self;
    let rank = thread::thread_idx_x();
    let matrix = ThreeRows { s, stride: strings.m as usize, m: strings.m };
    // SAFETY: all threads of the block reach this call, with the same number of steps.
    let least = unsafe { strings.fill(matrix, rank, strings.m + strings.n - 1) };
    if rank == strings.last() {
        least.write(found);
    }
}
