//! Exact search by duels with the candidates in shared memory: the second implementation of Wang
//! (2018). [`duel_global`](super::duel_global), the first one, describes the problem and the idea,
//! and has the second kernel.
//!
//! ```text
//! shared memory    |… r candidates of the block …|   one level at a time, with a barrier
//!                                                    between two
//! global memory    |c|c|c|…                          the remaining candidates: one word per block
//! ```
//!
//! **Cost.** The same duels as [`duel_global`](super::duel_global). Each has 5 loads and a store;
//! here two loads and the store access shared memory, and positions need no words of global memory.
//! A block of ⌈m / 2⌉ candidates takes 4 ⌈m / 2⌉ bytes of shared memory, so m is at most half of
//! the bytes available to a block: 116,224 for 227 KiB.
//!
//! Errors of the paper's listing: `docs/papers/wang-2018.md`.

use super::duel_global::{CheckCandidates, Duel, MAX_THREADS, block_positions};
use simt_std::prelude::*;

/// Bytes of shared memory per block.
pub const fn shared_bytes(m: u32) -> u32 {
    block_positions(m) * size_of::<u32>() as u32
}

/// Leaves one candidate of each block. Launch: [`Duel::blocks`] blocks; a block may have
/// [`shared_bytes`] of shared memory.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct DuelShared {
    /// The text, the pattern and the witnesses.
    pub duel: Duel,
    /// Out: one word per block, its candidate.
    pub candidates: Global<u32>,
}

impl DuelShared {
    /// Returns the second kernel, to be launched after this one, with `bytes` as
    /// [`CheckCandidates::bytes`].
    pub fn then(self, bytes: Global<u8>) -> CheckCandidates {
        self.duel.check(self.candidates, 1, bytes)
    }
}

#[kernel(max_threads = MAX_THREADS, threads = self.duel.threads(), shared = shared_bytes(self.duel.m))]
pub fn duel_shared(self: DuelShared) {
    let (duel, threads) = (self.duel, self.duel.threads());
    let (first, mut size) = duel.part();
    let buffer = dynamic_shared_mem::<u32>();
    let mut t = thread::thread_idx_x();
    while t < size {
        buffer.write(t, first + t);
        t += threads;
    }
    // SAFETY: all threads of the block reach this call and the one below: `size` is the same for
    // all of them.
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
