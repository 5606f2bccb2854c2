//! Prefix sums by a tree: the work-efficient exclusive scan of Blelloch (1990), as Harris, Sengupta and Owens brought
//! it to GPUs ("GPU Gems 3", chapter 39).
//!
//! **Up and down.** A block has 2 T words for T threads. On the way up the tree adds pairs, as a
//! [reduction](crate::reduction) does, and keeps all partial sums where they arise. The root is then set to 0, and on
//! the way down each node hands its value to its left child, and its value plus the left child's sum to the right
//! one:
//!
//! ```text
//!             a    b     c     d
//! up, s = 1   a    a+b   c     c+d          each right word takes its left one on
//!     s = 2   a    a+b   c     a+b+c+d
//! root        a    a+b   c     0
//! down, s = 2 a    0     c     a+b          left: 0; right: 0 + (a+b)
//!       s = 1 0    a     a+b   a+b+c        left: 0 and a+b; right: 0 + a and (a+b) + c
//! ```
//!
//! That is 2 (n - 1) additions for n words; the scan by doubling (Hillis and Steele) has n log2 n.
//!
//! **Conflicts.** At distance s the words that are added are 2 s apart, so that 2 s of them share a bank, up to s =
//! 16. The padded way leaves one word out after every 32, word i lies at i + i / 32: then words that are 32 apart are
//! in neighbouring banks.
//!
//! **Many blocks.** Each block scans its own words and writes its total; the totals are scanned by a second launch,
//! of one block; and a third launch adds to each word the totals before its block. So up to 256 × 256 words.
//! [`look_back`](crate::look_back) does it in one launch.
//!
//! **Cost** of a block of 256 words in bank conflicts: 245 without padding, none with it.

use simt_std::prelude::*;

/// Threads of a block.
pub const THREADS: u32 = 128;

/// Words of a block.
pub const WORDS: u32 = 2 * THREADS;

/// Where word i lies.
#[inline(always)]
const fn place<const PADDED: bool>(i: u32) -> u32 {
    if PADDED { i + i / WARP } else { i }
}

/// Scans the words of this block, exclusive, and returns their total to thread 0.
///
/// # Safety
/// Every thread of the block is here; `words` has `place(WORDS)` words.
#[inline(always)]
unsafe fn scan<const PADDED: bool>(words: Shared<u32>, input: Global<u32>, output: Global<u32>, n: u32) -> u32 {
    let t = thread::thread_idx_x();
    let first = WORDS * thread::block_idx_x();
    for i in [t, t + THREADS] {
        words.write(place::<PADDED>(i), if first + i < n { input.read((first + i) as usize) } else { 0 });
    }
    let mut s = 1;
    while s < WORDS {
        // SAFETY: the caller's.
        unsafe { thread::sync_threads() };
        // Thread t's node covers words 2 s t to 2 s (t + 1) - 1.
        let right = 2 * s * (t + 1) - 1;
        if right < WORDS {
            let sum = words.read(place::<PADDED>(right - s)) + words.read(place::<PADDED>(right));
            words.write(place::<PADDED>(right), sum);
        }
        s *= 2;
    }
    let mut total = 0;
    if t == 0 {
        // Its own: thread 0 has added last.
        total = words.read(place::<PADDED>(WORDS - 1));
        words.write(place::<PADDED>(WORDS - 1), 0);
    }
    while s > 1 {
        s /= 2;
        // SAFETY: the caller's.
        unsafe { thread::sync_threads() };
        let right = 2 * s * (t + 1) - 1;
        if right < WORDS {
            let left_sum = words.read(place::<PADDED>(right - s));
            let before = words.read(place::<PADDED>(right));
            words.write(place::<PADDED>(right - s), before);
            words.write(place::<PADDED>(right), before + left_sum);
        }
    }
    // SAFETY: the caller's.
    unsafe { thread::sync_threads() };
    for i in [t, t + THREADS] {
        if first + i < n {
            output.write((first + i) as usize, words.read(place::<PADDED>(i)));
        }
    }
    total
}

/// The exclusive scan of every block's words, with bank conflicts. Launch: ⌈n / [`WORDS`]⌉ blocks; `input` and
/// `output` have n words, and may be the same; `totals` has one a block.
#[kernel(threads = THREADS)]
pub fn blelloch(
    /// What is added up.
    input: Global<u32>,
    /// In front of each word the sum of those before it in its block; needs no initial value.
    output: Global<u32>,
    /// The sum of each block; needs no initial value.
    totals: Global<u32>,
    /// Words of `input`.
    n: u32,
) {
    shared_array!(words: [u32; WORDS as usize]);
    // SAFETY: every thread of the block is here.
    let total = unsafe { scan::<false>(words, input, output, n) };
    if thread::first() {
        totals.write(thread::block_idx_x() as usize, total);
    }
}

/// The same with words left out, so that there are no bank conflicts. Launch: as [`blelloch`](Blelloch).
#[kernel(threads = THREADS)]
pub fn blelloch_padded(
    /// What is added up.
    input: Global<u32>,
    /// In front of each word the sum of those before it in its block; needs no initial value.
    output: Global<u32>,
    /// The sum of each block; needs no initial value.
    totals: Global<u32>,
    /// Words of `input`.
    n: u32,
) {
    shared_array!(padded: [u32; place::<true>(WORDS) as usize]);
    // SAFETY: every thread of the block is here.
    let total = unsafe { scan::<true>(padded, input, output, n) };
    if thread::first() {
        totals.write(thread::block_idx_x() as usize, total);
    }
}

/// Adds to every word what comes before its block. Launch: as [`blelloch`](Blelloch) before it.
#[kernel(threads = THREADS)]
pub fn add_totals(
    /// The scans of the blocks; in place.
    words: Global<u32>,
    /// The exclusive scan of the blocks' totals.
    totals: Global<u32>,
    /// Words of `words`.
    n: u32,
) {
    let before = totals.read(thread::block_idx_x() as usize);
    for half in 0..2 {
        let i = WORDS * thread::block_idx_x() + half * THREADS + thread::thread_idx_x();
        if i < n {
            words.write(i as usize, words.read(i as usize) + before);
        }
    }
}
