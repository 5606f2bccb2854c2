//! Exact search by duels, after Wang (2018), Vishkin (1985) and JáJá (1992). The pattern has a
//! period of more than m / 2, so it occurs at most once among ⌈m / 2⌉ neighbouring positions. A
//! duel reads one symbol of the text, and eliminates one of two positions.

use super::barrier;
use simt_std::prelude::*;

/// The text, the pattern, and a witness against each shift.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Search {
    /// The text.
    pub text: Global<u32>,
    /// Length of the text.
    pub n: u32,
    /// The pattern.
    pub pattern: Global<u32>,
    /// Length of the pattern.
    pub m: u32,
    /// For each shift d from 1 to ⌈m / 2⌉ - 1, a k with P\[k\] ≠ P\[d + k\].
    pub witnesses: Global<u32>,
}

/// Returns the position that remains of two.
#[inline(always)]
fn winner(search: Search, one: u32, other: u32, sorted: bool) -> u32 {
    let (i, j) = if sorted { (one.min(other), one.max(other)) } else { (one, other) };
    let k = search.witnesses.read(j.wrapping_sub(i));
    if j + k < search.n && search.text.read(j + k) == search.pattern.read(k) { j } else { i }
}

/// Sets `matches[i]` to 1 where the pattern begins at i. Launch: ⌈n / `positions`⌉ blocks;
/// `matches` is 0.
#[kernel(max_threads = 32, threads = positions)]
pub fn search_by_duels(
    /// The text, the pattern and the witnesses.
    search: Search,
    /// A position of the text for each position.
    candidates: Global<u32>,
    /// 1 where the pattern begins.
    matches: Global<u32>,
    /// True: the candidates are in shared memory.
    shared: bool,
    /// False: the candidate of the greater index counts as the later position.
    sorted: bool,
    /// True: both threads of a duel write its winner.
    both: bool,
    /// True: the block waits after each round of duels.
    waits: bool,
    /// Positions and threads of a block: ⌈m / 2⌉.
    positions: u32,
) {
    shared_array!(own: [u32; 32]);
    let t = thread::thread_idx_x();
    let first = thread::block_idx_x() * positions;
    let here = candidates.skip(first as usize);
    let mut size = positions.min(search.n - first);
    if t < size {
        if shared { own.write(t, first + t) } else { here.write(t, first + t) }
    }
    // SAFETY: every thread of the block is here.
    unsafe { barrier(waits) };
    while size > 1 {
        let half = size.div_ceil(2);
        // The candidates e and e + half duel, in thread e.
        let e = if both && t >= half { t - half } else { t };
        if e + half < size {
            let (one, other) =
                if shared { (own.read(e), own.read(e + half)) } else { (here.read(e), here.read(e + half)) };
            let remains = winner(search, one, other, sorted);
            if shared { own.write(e, remains) } else { here.write(e, remains) }
        }
        // SAFETY: every thread of the block is here, each with the same `size`.
        unsafe { barrier(waits) };
        size = half;
    }
    // All threads compare the pattern with the text at the last candidate.
    let start = if shared { own.read(0) } else { here.read(0) };
    let mut equal = start + search.m <= search.n;
    let mut k = t;
    while equal && k < search.m {
        equal = search.text.read(start + k) == search.pattern.read(k);
        k += positions;
    }
    // SAFETY: every thread of the block is here.
    let occurs = unsafe { thread::sync_threads_and(equal) };
    if t == 0 && occurs {
        matches.write(start, 1);
    }
}
