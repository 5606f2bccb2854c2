//! The two access patterns of Nakano's paper on memory machines: contiguous, and contiguous by
//! banks.
//!
//! **Idea** (Nakano, "Efficient Implementations of the Approximate String Matching on the Memory
//! Machine Models", 2012, section III). p threads access n cells; in step t, thread i accesses cell
//! pt + i, so a warp's cells are neighbours. The second pattern spreads the cells out but leaves
//! each in its bank. A memory whose banks are addressed separately (shared memory) is as fast with
//! it; a memory that serves one address group at a time (global memory) is slower.
//!
//! ```text
//! w = 4, n = 8, p = 8        bank 0  1  2  3                            bank 0  1  2  3
//! contiguous       group 0       0  1  2  3   by banks        group 0        0  .  .  .
//!                  group 1       4  5  6  7                   group 1        .  1  .  .
//!                                                             group 2        .  .  2  .
//! i: the cell of access i                                     group 3        .  .  .  3
//!                                                             group 4        4  .  .  .
//! ```
//!
//! **Cost** per cell: one access.

use simt_std::prelude::*;

/// Upper bound on the threads per block.
const BLOCK: u32 = 1024;

/// Returns the number of blocks for a launch of p threads.
pub fn blocks(p: u32) -> u32 {
    p.div_ceil(BLOCK)
}

/// Accesses the cells 0 to n - 1 (lemma 1). Launch: [`blocks`]`(p)` blocks.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Contiguous {
    /// n cells. To be read, they must be 0.
    pub a: Global<u32>,
    /// n, the number of cells.
    pub n: u64,
    /// p, the number of threads.
    pub p: u32,
    /// Nonzero: write i into cell i. Zero: read the cells.
    pub write: u32,
}

#[kernel(max_threads = BLOCK, threads = self.p.clamp(1, BLOCK))]
fn contiguous(self: Contiguous) {
    if thread::index_1d() >= self.p {
        return;
    }
    let mut i = u64::from(thread::index_1d());
    let mut sum = 0u32;
    while i < self.n {
        if self.write != 0 {
            self.a.write(i as usize, i as u32);
        } else {
            sum = sum.wrapping_add(self.a.read(i as usize));
        }
        i += u64::from(self.p);
    }
    // Never true for cells of 0, but it keeps the compiler from removing the reads.
    if sum != 0 {
        self.a.write(0, sum);
    }
}

/// Accesses the cells b(0) to b(n - 1), b(i) = iw + i mod w: cell b(i) is in bank i mod w, and each
/// cell is in a different address group (lemma 2). Launch: [`blocks`]`(p)` blocks.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct ContiguousBank {
    /// n w cells. To be read, they must be 0.
    pub a: Global<u32>,
    /// n, the number of cells to access.
    pub n: u64,
    /// p, the number of threads.
    pub p: u32,
    /// w, the number of banks, at least 1.
    pub w: u32,
    /// Nonzero: write i into cell b(i). Zero: read the cells.
    pub write: u32,
}

#[kernel(max_threads = BLOCK, threads = self.p.clamp(1, BLOCK))]
fn contiguous_bank(self: ContiguousBank) {
    if thread::index_1d() >= self.p {
        return;
    }
    let w = u64::from(self.w.max(1));
    let mut i = u64::from(thread::index_1d());
    let mut sum = 0u32;
    while i < self.n {
        let b = i * w + i % w;
        if self.write != 0 {
            self.a.write(b as usize, i as u32);
        } else {
            sum = sum.wrapping_add(self.a.read(b as usize));
        }
        i += u64::from(self.p);
    }
    // Never true for cells of 0, but it keeps the compiler from removing the reads.
    if sum != 0 {
        self.a.write(0, sum);
    }
}
