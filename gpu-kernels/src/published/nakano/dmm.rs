//! The matrix in plain row-major order: lemma 3 of the paper, O(mn / w + nl) time units with m
//! threads on the DMM of width w and latency l.
//!
//! The DMM (discrete memory machine) is a model of shared memory. It has w banks, and word a is in
//! bank a mod w. A step takes as many turns as the largest number of different words accessed in
//! one bank. Here d\[i\]\[j\] is word i n' + j, where n' is the least multiple of w ≥ n + 1, so
//! that column j is in bank j mod w in every row:
//!
//! ```text
//! n' = 8, w = 4     bank   0  1  2  3  0  1  2  3
//! d[0]                     0  0  0  0  0  0  .  .
//! d[1]                     1  .  .  .  k  .  .  .     k: the cells of step k are on a diagonal.
//! d[2]                     2  .  .  k  .  .  .  .     Each is one column, and so one bank, to
//! d[3]                     3  .  k  .  .  .  .  .     the left of the one above
//! ```
//!
//! On the UMM a step takes one turn for each group of w neighbouring words. There every row is in a
//! different group, so a step of w threads takes w times as long.

use super::matrix::{MAX_THREADS, Matrix, Strings};
use simt_std::prelude::*;

/// Returns n' of the paper: the least multiple of w that n + 1 columns fit in. w, at least 1, is
/// the number of banks of the machine; a GPU's shared memory has 32.
pub const fn row_length(n: u32, w: u32) -> u32 {
    (n + 1).next_multiple_of(w)
}

/// Finds the least distance of X to a substring of Y. Launch: one block.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Dmm {
    /// X and Y.
    pub strings: Strings,
    /// n', the words per row. The paper's time bound needs [`row_length`] of n and w; the result is
    /// correct for any number ≥ n + 1.
    pub row_words: u32,
    /// Out: the matrix, m + 1 rows of n' words. Words after column n are not written.
    pub d: Global<u32>,
    /// Out: [`FOUND`](super::FOUND) words, the distance and the end.
    pub found: Global<u32>,
}

/// Row-major layout: d\[i\]\[j\] is in row i and column j.
#[derive(Clone, Copy)]
struct Plain {
    d: Global<u32>,
    row_words: u32,
}

impl Plain {
    #[inline(always)]
    fn at(self, i: u32, j: u32) -> usize {
        i as usize * self.row_words as usize + j as usize
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

#[kernel(max_threads = MAX_THREADS, threads = self.strings.threads())]
fn nakano_dmm(self: Dmm) {
    let Self { strings, row_words, d, found } = self;
    // SAFETY: all threads of the block reach this call.
    unsafe { strings.whole(Plain { d, row_words }, found) };
}
