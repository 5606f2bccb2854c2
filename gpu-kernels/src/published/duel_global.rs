//! Exact search by duels with the candidates in global memory: the first implementation of S. J.
//! Wang, Parallel string matching algorithms and implementation in CUDA, 2018, of the algorithm in
//! J. JáJá, An introduction to parallel algorithms, 1992, by U. Vishkin (1985). The pattern is
//! *non-periodic*: its period p is more than m / 2.
//!
//! **Duel.** Occurrences of P cannot begin at both i and j with i < j < i + p. Since j - i is not a
//! period of P, there is a k with P\[k\] ≠ P\[j - i + k\], the *witness* against j - i. An
//! occurrence at j has P\[k\] at position j + k of the text, and one at i has P\[j - i + k\] there.
//! So reading this position rules out one of the two:
//!
//! ```text
//! P = a b a a b, k = 1 is a witness against 2                text      a b a a …
//!                                                            at i      a b a a b
//! position j + k of the text is not P[1] = b: j is out       at j          a b a a b
//!                                                                            ↑ j + k
//! ```
//!
//! **Elimination** ([`DuelGlobal`]). The text is cut into blocks of r = ⌈m / 2⌉ positions, with one
//! thread block each. Positions of one block are less than p apart, so an occurrence begins at most
//! at one of them. They are paired in duels by a binary tree:
//!
//! ```text
//! r = 7    0 1 2 3 4 5 6      thread t: winner of entries t and t + 4, to entry t
//!          └───────┘          0 with 4, 1 with 5, 2 with 6; 3 has no opponent and remains
//!          0 1 2 3            barrier; 0 with 2, 1 with 3
//!          0 1                barrier; 0 with 1
//! ```
//!
//! These pairs are the paper's: neighbouring threads access neighbouring words, but the winners are
//! in no order. JáJá's tree pairs neighbours, which stay in order.
//!
//! Within a level only one thread reads and writes an entry: entries from ⌈size / 2⌉ on are only
//! read, each by one thread, and each entry below belongs to the thread with its index. So one
//! barrier between two levels is enough.
//!
//! **Check** ([`CheckCandidates`]). One thread for each block's winner compares the whole pattern
//! there, as [`brute_force`](super::brute_force) does.
//!
//! **Cost.** One word of memory per position. A block has r - 1 duels of 5 loads and a store each,
//! in ⌈log2 r⌉ successive levels. The check takes up to m comparisons by one thread for each of two
//! candidates in m positions. The total is O(n) operations.
//!
//! **The paper**: `docs/papers/wang-2018.md` maps every definition and listing to the code, and
//! lists its errors and its times. One error is easy to repeat: the winners of a level are in no
//! order, so a duel must sort its two positions first.

use super::brute_force::agrees;
use simt_std::prelude::*;

/// Maximum number of threads per block of the elimination.
pub const MAX_THREADS: u32 = 1024;

/// Threads per block of the check.
pub const CHECK_THREADS: u32 = 256;

/// Returns r, the positions per block: ⌈m / 2⌉. An occurrence begins at most at one of them.
pub const fn block_positions(m: u32) -> u32 {
    // The compiler sees that this is never 0, and adds no call for a division by 0.
    if m == 0 { 1 } else { m.div_ceil(2) }
}

/// The text, the pattern and the witnesses of the duels.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Duel {
    /// The text: n symbols of one byte.
    pub text: Global<u8>,
    /// The pattern: m symbols of one byte, with a period of more than m / 2.
    pub pattern: Global<u8>,
    /// r witnesses: for 0 < d < r, pattern\[w\[d\]\] ≠ pattern\[d + w\[d\]\]; entry 0 is arbitrary.
    pub witnesses: Global<u32>,
    /// n, at least 1.
    pub n: u32,
    /// m, at least 1.
    pub m: u32,
}

impl Duel {
    /// Returns the number of blocks of a text. Each has r positions; the last one may have fewer.
    #[inline(always)]
    pub const fn blocks(self) -> u32 {
        self.n.div_ceil(block_positions(self.m))
    }

    /// Returns the threads per block of the elimination.
    #[inline(always)]
    pub(super) fn threads(self) -> u32 {
        block_positions(self.m).min(MAX_THREADS)
    }

    /// Returns the first position of this block and its number of positions.
    #[inline(always)]
    pub(super) fn part(self) -> (u32, u32) {
        let positions = block_positions(self.m);
        let first = thread::block_idx_x() * positions;
        (first, positions.min(self.n - first))
    }

    /// Runs a duel between two positions of a block, and returns the one where an occurrence may
    /// still begin: algorithm 1.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub(super) fn winner(self, one: u32, other: u32) -> u32 {
        // Either may be the smaller one: the duels of entries 0 and 4 and of 1 and 5 may leave 4
        // and 1.
        let (i, j) = (one.min(other), one.max(other));
        let k = self.witnesses.read((j - i) as usize);
        let at = u64::from(j) + u64::from(k);
        // An occurrence does not extend beyond the text.
        if at < u64::from(self.n) && self.text.read(at as usize) == self.pattern.read(k as usize) { j } else { i }
    }

    /// Returns the check of the candidates that an elimination leaves, every `stride`th word of an
    /// array.
    pub(super) fn check(self, candidates: Global<u32>, stride: u32, bytes: Global<u8>) -> CheckCandidates {
        CheckCandidates { duel: self, candidates, stride, bytes }
    }
}

/// Leaves one candidate of each block. Launch: [`Duel::blocks`] blocks.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct DuelGlobal {
    /// The text, the pattern and the witnesses.
    pub duel: Duel,
    /// Out: n words. The first word of each block is its candidate, the others are arbitrary.
    pub output: Global<u32>,
}

impl DuelGlobal {
    /// Returns the second kernel, to be launched after this one, with `bytes` as
    /// [`CheckCandidates::bytes`].
    pub fn then(self, bytes: Global<u8>) -> CheckCandidates {
        self.duel.check(self.output, block_positions(self.duel.m), bytes)
    }
}

#[kernel(max_threads = MAX_THREADS, threads = self.duel.threads())]
pub fn duel_global(self: DuelGlobal) {
    let (duel, threads) = (self.duel, self.duel.threads());
    let (first, mut size) = duel.part();
    let output = self.output.skip(first as usize);
    let mut t = thread::thread_idx_x();
    while t < size {
        output.write(t as usize, first + t);
        t += threads;
    }
    // SAFETY: all threads of the block reach this call and the one below: `size` is the same for
    // all of them.
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

/// Compares the pattern at each block's candidate. Launch: one thread per block of the text,
/// [`blocks`](Self::blocks).
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct CheckCandidates {
    /// The text, the pattern and the witnesses.
    pub duel: Duel,
    /// The candidates: word `stride` b for block b of the text.
    pub candidates: Global<u32>,
    /// Number of words from one candidate to the next.
    pub stride: u32,
    /// Out: one byte per position. 0 before the launch, set to 1 where an occurrence ends.
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
    let start = u64::from(self.candidates.read(block as usize * self.stride as usize));
    let end = start + u64::from(duel.m);
    if end <= u64::from(duel.n) && agrees(duel.text.skip(start as usize), duel.pattern, duel.m) {
        self.bytes.write(end as usize - 1, 1);
    }
}
