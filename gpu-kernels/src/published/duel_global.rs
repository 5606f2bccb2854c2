//! Exact search by duels, the candidates in global memory: the first implementation of S. J. Wang, Parallel string
//! matching algorithms and implementation in CUDA, 2018, of the algorithm in J. JáJá, An introduction to parallel
//! algorithms, 1992, which is U. Vishkin's (1985). The pattern is *non-periodic*: its period p is more than m / 2.
//!
//! **Duel.** Occurrences of P cannot begin at both i and j, i < j < i + p: since j - i is not a period of P, there is a
//! k with P\[k\] ≠ P\[j - i + k\], the *witness* against j - i. An occurrence at j has P\[k\] at position j + k of the
//! text, and one at i has P\[j - i + k\]. So one look there rules out one of the two:
//!
//! ```text
//! P = a b a a b, k = 1 is a witness against 2                text      a b a a …
//!                                                            at i      a b a a b
//! position j + k of the text is not P[1] = b: j is out       at j          a b a a b
//!                                                                            ↑ j + k
//! ```
//!
//! **Elimination** ([`DuelGlobal`]). The text is cut into blocks of r = ⌈m / 2⌉ positions, a thread block each.
//! Positions of one block are less than p apart, so at most one of them begins an occurrence: all meet in duels, by a
//! binary tree.
//!
//! ```text
//! r = 7    0 1 2 3 4 5 6      thread t: winner of entries t and t + 4, to entry t
//!          └───────┘          0 with 4, 1 with 5, 2 with 6; 3 has nobody and stays
//!          0 1 2 3            barrier; 0 with 2, 1 with 3
//!          0 1                barrier; 0 with 1
//! ```
//!
//! These pairs are the paper's, so that neighbours read neighbours; their winners are in no order. JáJá's tree pairs
//! neighbours, which stay in order.
//!
//! In a level an entry is read and written by one thread alone: those from ⌈size / 2⌉ on are read only, each by one
//! thread, and each one below belongs to the thread of its number. So a barrier between two levels is enough.
//!
//! **Check** ([`CheckCandidates`]). A thread for each block's winner compares all of the pattern there, as
//! [`brute_force`](super::brute_force) does.
//!
//! **Cost.** A word of memory a position; r - 1 duels a block, of 5 loads and a store each, one after another in ⌈log2
//! r⌉ levels; and for two candidates in m positions up to m comparisons, by one thread. So O(n) operations in all.
//!
//! **The paper**, from every definition and listing to the code, its slips and its times: `docs/papers/wang-2018.md`. A slip that
//! is easily made again: winners of a level are in no order, so a duel is between the greater and the smaller position.

use super::brute_force::agrees;
use simt_std::prelude::*;

/// Threads of a block that eliminates, at most.
pub const MOST_THREADS: u32 = 1024;

/// Threads of a block that checks candidates.
pub const CHECK_THREADS: u32 = 256;

/// r, the positions of a block, of which one at most begins an occurrence: ⌈m / 2⌉.
pub const fn block_positions(m: u32) -> u32 {
    // Never 0: so the compiler knows it, and adds no call for a division by 0.
    if m == 0 { 1 } else { m.div_ceil(2) }
}

/// What a duel looks at.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Duel {
    /// The text: n symbols of one byte.
    pub text: Global<u8>,
    /// The pattern: m symbols of a byte, with a period of more than m / 2.
    pub pattern: Global<u8>,
    /// r witnesses: for 0 < d < r, pattern\[w\[d\]\] ≠ pattern\[d + w\[d\]\]; entry 0 is any.
    pub witnesses: Global<u32>,
    /// n, at least 1.
    pub n: u32,
    /// m, at least 1.
    pub m: u32,
}

impl Duel {
    /// Blocks of a text: each has r positions, but the last one may have fewer.
    #[inline(always)]
    pub const fn blocks(self) -> u32 {
        self.n.div_ceil(block_positions(self.m))
    }

    /// Threads of a block that eliminates.
    #[inline(always)]
    pub(super) fn threads(self) -> u32 {
        block_positions(self.m).min(MOST_THREADS)
    }

    /// The first position of this block, and how many it has.
    #[inline(always)]
    pub(super) fn part(self) -> (u32, u32) {
        let positions = block_positions(self.m);
        let first = thread::block_idx_x() * positions;
        (first, positions.min(self.n - first))
    }

    /// The one of two positions of a block where an occurrence may begin still: algorithm 1.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub(super) fn winner(self, one: u32, other: u32) -> u32 {
        // Either may be the first one: entry 0 with 4 and entry 1 with 5 may leave 4 and 1.
        let (i, j) = (one.min(other), one.max(other));
        let k = self.witnesses.read((j - i) as usize);
        let at = u64::from(j) + u64::from(k);
        // Beyond the text nothing occurs.
        if at < u64::from(self.n) && self.text.read(at as usize) == self.pattern.read(k as usize) { j } else { i }
    }

    /// The check of the candidates that an elimination has left, every `apart`th word of an array.
    pub(super) fn check(self, candidates: Global<u32>, apart: u32, bytes: Global<u8>) -> CheckCandidates {
        CheckCandidates { duel: self, candidates, apart, bytes }
    }
}

/// Leaves one candidate of each block. Launch: [`Duel::blocks`].
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct DuelGlobal {
    /// What is searched for, and where.
    pub duel: Duel,
    /// Out: n words. The first one of each block is its candidate, the others are any.
    pub output: Global<u32>,
}

impl DuelGlobal {
    /// The second kernel, to be launched after this one, with `bytes` as [`CheckCandidates::bytes`].
    pub fn then(self, bytes: Global<u8>) -> CheckCandidates {
        self.duel.check(self.output, block_positions(self.duel.m), bytes)
    }
}

#[kernel(max_threads = MOST_THREADS, threads = self.duel.threads())]
pub fn duel_global(self: DuelGlobal) {
    let (duel, threads) = (self.duel, self.duel.threads());
    let (first, mut size) = duel.part();
    let output = self.output.skip(first as usize);
    let mut t = thread::thread_idx_x();
    while t < size {
        output.write(t as usize, first + t);
        t += threads;
    }
    // SAFETY: all threads are here, as below: `size` is the block's.
    unsafe { thread::sync_threads() };
    while size > 1 {
        let s = size.div_ceil(2);
        let mut t = thread::thread_idx_x();
        while t + s < size {
            let winner = duel.winner(output.read(t as usize), output.read((t + s) as usize));
            output.write(t as usize, winner);
            t += threads;
        }
        // SAFETY: as above.
        unsafe { thread::sync_threads() };
        size = s;
    }
}

/// Compares the pattern at each block's candidate. Launch: a thread a block of the text, [`blocks`](Self::blocks).
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct CheckCandidates {
    /// What is searched for, and where.
    pub duel: Duel,
    /// The candidates: of block b of the text, word `apart` b.
    pub candidates: Global<u32>,
    /// Words from one candidate to the next.
    pub apart: u32,
    /// Out: a byte a position; 0 when the launch starts, set to 1 where an occurrence ends.
    pub bytes: Global<u8>,
}

impl CheckCandidates {
    /// Number of blocks of the launch.
    pub const fn blocks(&self) -> u32 {
        self.duel.blocks().div_ceil(CHECK_THREADS)
    }
}

#[kernel(threads = CHECK_THREADS)]
pub fn check_candidates(self: CheckCandidates) {
    let duel = self.duel;
    let block = thread::index_1d();
    if block >= duel.blocks() {
        return;
    }
    let start = u64::from(self.candidates.read(block as usize * self.apart as usize));
    let end = start + u64::from(duel.m);
    if end <= u64::from(duel.n) && agrees(duel.text.skip(start as usize), duel.pattern, duel.m) {
        self.bytes.write(end as usize - 1, 1);
    }
}
