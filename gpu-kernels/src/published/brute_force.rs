//! Exact search that compares the pattern with the text at every position, one thread per position:
//! the baseline of Wang's duels (S. J. Wang, Parallel string matching algorithms and implementation
//! in CUDA, 2018).
//!
//! ```text
//! text      a b a a b a b a …
//! thread j        a b a b       compares from the left and stops at the first difference,
//!                               here after four symbols
//! thread j + 1      a b a b     stops after one
//! ```
//!
//! The paper's match vector is indexed by starts: 1 where an occurrence begins. Here the byte of an
//! occurrence is that of its last symbol, as for all kernels of [`search`](crate::search), so
//! thread j compares the m symbols that end at position j.
//!
//! **Cost** per position: one comparison more than the number of leading symbols that agree, at
//! most m. Each comparison takes two loads of a byte. In a random text of σ symbols that is
//! σ / (σ - 1) comparisons, in a text of a single repeated symbol m.
//!
//! The available copy of the paper lacks the listing; `docs/papers/wang-2018.md` says what its
//! times reveal about it.

use simt_std::prelude::*;

/// Threads per block.
pub const THREADS: u32 = 256;

/// Searches a text for a pattern. Launch: one thread per position, [`blocks`](Self::blocks).
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct BruteForce {
    /// The text: n symbols of one byte.
    pub text: Global<u8>,
    /// n, at least 1.
    pub n: u64,
    /// The pattern: m symbols of one byte.
    pub pattern: Global<u8>,
    /// m, at least 1.
    pub m: u32,
    /// Out: one byte per position, 1 where an occurrence ends, else 0.
    pub bytes: Global<u8>,
}

impl BruteForce {
    /// Number of blocks of the launch.
    pub const fn blocks(&self) -> u32 {
        self.n.div_ceil(THREADS as u64) as u32
    }
}

#[kernel(threads = THREADS)]
pub fn brute_force(self: BruteForce) {
    let end = u64::from(thread::block_idx_x()) * u64::from(THREADS) + u64::from(thread::thread_idx_x());
    if end >= self.n {
        return;
    }
    let occurs = end + 1 >= u64::from(self.m) && {
        let start = end + 1 - u64::from(self.m);
        agrees(self.text.skip(start as usize), self.pattern, self.m)
    };
    self.bytes.write(end as usize, occurs.into());
}

/// Returns true if the text begins with the pattern. Compares up to the first difference.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub(super) fn agrees(text: Global<u8>, pattern: Global<u8>, m: u32) -> bool {
    let mut i = 0;
    while i < m && text.read(i as usize) == pattern.read(i as usize) {
        i += 1;
    }
    i == m
}
