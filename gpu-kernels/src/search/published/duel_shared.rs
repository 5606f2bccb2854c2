//! Exact search by duels, the candidates in shared memory: the second implementation of Wang (2018). The first one,
//! [`duel_global`](super::duel_global), has the problem, the idea and the second kernel.
//!
//! ```text
//! shared memory    |… r candidates of the block …|        a level at a time, with a barrier between two
//! global memory    |c|c|c|…                                what is left: a word a block
//! ```
//!
//! **Cost.** The same duels; of their 5 loads and a store, two loads and the store are from and to shared memory, and a
//! position has no word of global memory. A block of ⌈m / 2⌉ candidates has 4 ⌈m / 2⌉ bytes of shared memory, so m is
//! at most half of the bytes that a block may have: 116,224 where these are 227 KiB.
//!
//! **Slips of the paper**, mended here:
//!
//! | where | printed | right |
//! |---|---|---|
//! | section 4.3 | a buffer of 1,024, as many as a block has threads: m up to 2,048 | as many as a block has positions; a thread takes every 1,024th |
//! | listing, condition | `threadIdx.x <= size / 2` | `< size / 2`, or the next line's condition alone: the thread size / 2 has no partner |
//! | listing, without a partner | `buffer[pid] = id` | nothing: if size is odd, the entry is the winner of earlier duels, and as printed it becomes what it was at first; if size is even, it is thread 0's partner, which reads it at the same time: a race |
//! | listing, loop | `while (s >= 2)`, and nothing after it | a last level of two candidates, with s = 1, as the first listing has |
//! | listing, order; nowhere | `j - i` may be negative; positions and symbols beyond the text | as in the first listing |
//! | table 3 | totals of 2.58, 5.56 and 15.89 ms | the rows' sums are 2.30, 5.31 and 15.65 |
//! | section 7 | "no difference" between global and shared memory | in tables 2 and 3 elimination takes 1.4 to 1.7 times as long in shared memory, and the second kernel, which is the same, 3 to 10 times: they were not measured alike |
//!
//! The listing's first lines, and where it leaves the candidates are not in the paper's text.

use super::duel_global::{CheckCandidates, Duel, MOST_THREADS, block_positions};
use simt_std::prelude::*;

/// Bytes of shared memory of a block.
pub const fn shared_bytes(m: u32) -> u32 {
    block_positions(m) * size_of::<u32>() as u32
}

/// Leaves one candidate of each block. Launch: [`Duel::blocks`]; a block may have [`shared_bytes`] of shared memory.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct DuelShared {
    /// What is searched for, and where.
    pub duel: Duel,
    /// Out: a word a block, its candidate.
    pub candidates: Global<u32>,
}

impl DuelShared {
    /// The second kernel, to be launched after this one, with `bytes` as [`CheckCandidates::bytes`].
    pub fn then(self, bytes: Global<u8>) -> CheckCandidates {
        self.duel.check(self.candidates, 1, bytes)
    }
}

#[kernel(max_threads = MOST_THREADS, threads = self.duel.threads(), shared = shared_bytes(self.duel.m))]
pub fn duel_shared(self: DuelShared) {
    let (duel, threads) = (self.duel, self.duel.threads());
    let (first, mut size) = duel.part();
    let buffer = dynamic_shared_mem::<u32>();
    let mut t = thread::thread_idx_x();
    while t < size {
        buffer.write(t, first + t);
        t += threads;
    }
    // SAFETY: all threads are here, as below: `size` is the block's.
    unsafe { thread::sync_threads() };
    while size > 1 {
        let s = size.div_ceil(2);
        let mut t = thread::thread_idx_x();
        while t + s < size {
            buffer.write(t, duel.winner(buffer.read(t), buffer.read(t + s)));
            t += threads;
        }
        // SAFETY: as above.
        unsafe { thread::sync_threads() };
        size = s;
    }
    if thread::thread_idx_x() == 0 {
        self.candidates.write(thread::block_idx_x() as usize, buffer.read(0));
    }
}
