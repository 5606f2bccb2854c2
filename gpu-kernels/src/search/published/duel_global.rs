//! Exact search by duels, the candidates in global memory: the first implementation of S. J. Wang, Parallel string
//! matching algorithms and implementation in CUDA, 2018, of the algorithm in J. JáJá, An introduction to parallel
//! algorithms, 1992, which is U. Vishkin's (1985). The pattern is *non-periodic*: its period p is more than m / 2.
//!
//! **Duel.** Occurrences of P cannot begin at both i and j, i < j < i + p: since j - i is not a period of P, there is a
//! k with P\[k\] ≠ P\[j - i + k\], the *witness* against j - i. An occurrence at j has P\[k\] at position j + k of the
//! text, and one at i has P\[j - i + k\]. So one look there rules out one of the two:
//!
//! ```text
//! P = a b b a b, k = 1 is a witness against 3                text      a b b a a …
//!                                                            at i      a b b a b
//! position j + k of the text is not P[1] = b: j is out       at j            a b b a b
//!                                                                              ↑ j + k
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
//! **Slips of the paper**, mended here (those of its second listing are in [`duel_shared`](super::duel_shared)):
//!
//! | where | printed | right |
//! |---|---|---|
//! | φ | 0 if "n = 1" | if i = 1 |
//! | algorithm 1 | "T(j + k - 1) ≠ T(k)" | ≠ P(k): the witness is a position of the pattern |
//! | algorithm 2 | a WITNESS array of m / 2 | of ⌈m / 2⌉ |
//! | its step 1 | ⌈2n / m⌉ blocks | ⌈n / ⌈m / 2⌉⌉ have positions, which is fewer if m is odd: half of them for m = 1 |
//! | listing, duel | `text[output[j + k]]` | `text[j + k]`: j is a position already |
//! | listing, order | `j - i` of entries t + s and t, as if the first one came later in the text | of the greater and the smaller one: after a level with entries s apart the winners are in no order, and as printed the index is negative |
//! | listing, condition | `starting_pos + s < size`, where `starting_pos` is a position of the text | `threadIdx.x + s < size`: as printed, in no block but the first is there a duel before the last |
//! | listing, indices | `witness_array[j - i]` and `pattern[k]` count from 0, φ(i) and k in the text from 1 | all from 0: entry i is φ(i + 1) - 1, but entry 0 is 0 |
//! | listing, last duel | between `output[starting_pos]` and `output[starting_pos + s]` | none if a block is one position (m up to 2): the second one is another block's, and against it there is no witness |
//! | its text | "store the index candidate to the output\[0\]" | to the block's first entry |
//! | nowhere | positions from n on, of the last block; `text[j + k]` beyond the text | there are no such entries, and j loses: an occurrence at j would end beyond the text |
//! | section 4.2 | as many threads as a block has positions: not more than 1,024, so m up to 2,048 | a thread takes every 1,024th entry |
//!
//! The listing's `while (s >= 2)` is right with thread 0's last duel after it; here that is a level like the others.

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
    /// The text: n symbols of a byte.
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
    /// Blocks of the launch.
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
