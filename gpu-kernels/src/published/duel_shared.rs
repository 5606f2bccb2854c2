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
//! Slips of the paper's listing: `docs/papers/wang-2018.md`.

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
