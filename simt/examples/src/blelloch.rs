//! Prefix sums by a tree: the work-efficient exclusive scan of Blelloch (1990), adapted to GPUs by
//! Harris, Sengupta and Owens ("GPU Gems 3", chapter 39).
//!
//! **Up and down.** A block has 2 T words for T threads. On the way up, the tree adds pairs, as a
//! [reduction](crate::reduction) does, and keeps all partial sums in place. Then the root is set to
//! zero. On the way down, each node passes its value to its left child, and its value plus the left
//! child's sum to its right child:
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
//! This takes 2 (n - 1) additions for n words; the scan by doubling (Hillis and Steele) takes n
//! log2 n.
//!
//! **Conflicts.** At distance s, the added words are 2 s apart, so 2 s of them share a bank, up to
//! s = 16. The padded version leaves one word out after every 32: word i is stored at i + i / 32.
//! Words that are 32 apart are then in neighbouring banks.
//!
//! **Many blocks.** Each block scans its own words and writes its total. A second launch, of one
//! block, scans the totals. A third launch adds to each word the total of all earlier blocks. This
//! works for up to 256 × 256 words. [`look_back`](crate::look_back) needs only one launch.
//!
//! **Cost**: a block of 256 words has 245 bank conflicts without padding and none with it.

use simt_std::prelude::*;

/// Number of threads of a block.
pub const THREADS: u32 = 128;

/// Number of words per block.
pub const WORDS: u32 = 2 * THREADS;

/// Returns the position of word i.
#[inline(always)]
const fn place<const PADDED: bool>(i: u32) -> u32 {
    if PADDED { i + i / WARP } else { i }
}

/// Computes the exclusive scan of this block's words, and returns their total to thread 0.
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
        // SAFETY: passed on to the caller.
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
        // Thread 0 has written this word itself, in the last addition.
        total = words.read(place::<PADDED>(WORDS - 1));
        words.write(place::<PADDED>(WORDS - 1), 0);
    }
    while s > 1 {
        s /= 2;
        // SAFETY: passed on to the caller.
        unsafe { thread::sync_threads() };
        let right = 2 * s * (t + 1) - 1;
        if right < WORDS {
            let left_sum = words.read(place::<PADDED>(right - s));
            let before = words.read(place::<PADDED>(right));
            words.write(place::<PADDED>(right - s), before);
            words.write(place::<PADDED>(right), before + left_sum);
        }
    }
    // SAFETY: passed on to the caller.
    unsafe { thread::sync_threads() };
    for i in [t, t + THREADS] {
        if first + i < n {
            output.write((first + i) as usize, words.read(place::<PADDED>(i)));
        }
    }
    total
}

/// The exclusive scan of every block's words, with bank conflicts. Launch: ⌈n / [`WORDS`]⌉ blocks;
/// `input` and `output` have n words, and may be the same array; `totals` has one word per block.
#[kernel(threads = THREADS)]
pub fn blelloch(
    /// The summands.
    input: Global<u32>,
    /// For each word, the sum of the words before it in its block; needs no initial value.
    output: Global<u32>,
    /// The sum of each block; needs no initial value.
    totals: Global<u32>,
    /// Number of words in `input`.
    n: u32,
) {
    shared_array!(words: [u32; WORDS as usize]);
    // SAFETY: every thread of the block is here.
    let total = unsafe { scan::<false>(words, input, output, n) };
    if thread::first() {
        totals.write(thread::block_idx_x() as usize, total);
    }
}

/// The exclusive scan of every block's words, padded and without bank conflicts. Launch: as
/// [`blelloch`](Blelloch).
#[kernel(threads = THREADS)]
pub fn blelloch_padded(
    /// The summands.
    input: Global<u32>,
    /// For each word, the sum of the words before it in its block; needs no initial value.
    output: Global<u32>,
    /// The sum of each block; needs no initial value.
    totals: Global<u32>,
    /// Number of words in `input`.
    n: u32,
) {
    shared_array!(padded: [u32; place::<true>(WORDS) as usize]);
    // SAFETY: every thread of the block is here.
    let total = unsafe { scan::<true>(padded, input, output, n) };
    if thread::first() {
        totals.write(thread::block_idx_x() as usize, total);
    }
}

/// Adds the total of all earlier blocks to every word. Launch: as [`blelloch`](Blelloch) before it.
#[kernel(threads = THREADS)]
pub fn add_totals(
    /// The scans of the blocks, changed in place.
    words: Global<u32>,
    /// The exclusive scan of the blocks' totals.
    totals: Global<u32>,
    /// Number of words in `words`.
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
