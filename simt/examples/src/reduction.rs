//! A sum in seven steps, after Mark Harris, "Optimizing Parallel Reduction in CUDA" (NVIDIA, 2007).
//! Each step keeps the result and removes the slowest part.
//!
//! A block sums its part of the array in shared memory, as a tree of log2 128 = 7 levels, and
//! writes one sum. The host repeats the launch on the sums until one is left.
//!
//! | step | kernel | change | removed cost |
//! |---|---|---|---|
//! | 1 | [`reduce_1`](Reduce1) | thread t adds if t is a multiple of 2 s | |
//! | 2 | [`reduce_2`](Reduce2) | threads 0, 1, 2 … add, at multiples of 2 s | divergence in warps |
//! | 3 | [`reduce_3`](Reduce3) | threads 0, 1, 2 … add the word s positions on | bank conflicts |
//! | 4 | [`reduce_4`](Reduce4) | each thread adds two on reading | half the threads idle at start |
//! | 5 | [`reduce_5`](Reduce5) | the last warp needs no barriers of the block | 6 of 8 barriers |
//! | 6 | [`reduce_6`](Reduce6) | the loop is unrolled | the loop's control instructions |
//! | 7 | [`reduce_7`](Reduce7) | each adds many words, grid-stride | most blocks and their trees |
//!
//! **The tree** for 8 words. Left: steps 1 and 2, which only differ in the threads that add. Right:
//! step 3.
//!
//! ```text
//! s = 1   a  b  c  d  e  f  g  h        s = 4   a   b   c   d   e  f  g  h
//!         └─ab  └─cd  └─ef  └─gh                ae  bf  cg  dh
//! s = 2   ab    cd    ef    gh          s = 2   ae  bf  cg  dh
//!         └──abcd     └──efgh                   aecg bfdh
//! s = 4   abcd        efgh              s = 1   aecg bfdh
//!         └──abcdefgh                           all
//! ```
//!
//! **Divergence and conflicts.** In step 1, at s = 1, every second lane of every warp adds: each
//! warp takes the branch with half of its lanes. In step 2, lanes 0 to 31 of warp 0 add, at words
//! 0, 2, 4 … 62: whole warps take or skip the branch. But words 0 and 32 are in one bank. At s = 2
//! the words are 0, 4 … 124, four per bank, and so on. A warp access then takes as many wavefronts
//! as the fullest bank has different words. In step 3, lanes access neighbouring words, never two
//! in one bank.
//!
//! Bank conflicts (wavefronts beyond the first) of step 2, with 128 threads; each addition is two
//! reads and a write:
//!
//! | s | lanes that add | words apart | words in a bank | warps | conflicts of the three accesses |
//! |---|---|---|---|---|---|
//! | 1 | 64 | 2 | 2 | 2 | 3 × 2 × 1 = 6 |
//! | 2 | 32 | 4 | 4 | 1 | 3 × 3 = 9 |
//! | 4 | 16 | 8 | 4 | 1 | 9 |
//! | 8 | 8 | 16 | 4 | 1 | 9 |
//! | 16 | 4 | 32 | 4 | 1 | 9 |
//! | 32 | 2 | 64 | 2 | 1 | 3 |
//! | 64 | 1 | | 1 | 1 | 0 |
//!
//! The sum is 45 conflicts per block. All other steps have none. `cargo run -p simt_examples
//! --example harris` prints the costs of every step. For 4,096 words, the accesses of shared memory
//! are:
//!
//! | step | blocks | warp accesses | wavefronts | of them conflicts | lanes per access |
//! |---|---|---|---|---|---|
//! | 1 | 32 | 2,368 | 2,368 | 0 | 6.9 |
//! | 2 | 32 | 928 | 2,368 | 1,440 | 17.6 |
//! | 3 | 32 | 928 | 928 | 0 | 17.6 |
//! | 4 | 16 | 464 | 464 | 0 | 17.6 |
//! | 5, 6 | 16 | 464 | 464 | 0 | 30.9 |
//! | 7 | 2 | 58 | 58 | 0 | 30.9 |
//!
//! Shared memory is busy for the same time in steps 1 and 2: the conflicts cost as much as the full
//! warps save.

use simt_std::prelude::*;

/// Number of threads of a block, a power of two: at least 2 warps.
pub const THREADS: u32 = 128;

/// Writes the sum of a block's words, in thread 0.
///
/// # Safety
/// Every thread of the block is here, and the tree's result is in word 0 of `sums`, written by
/// thread 0.
#[inline(always)]
unsafe fn put_sum(sums: Shared<u32>, output: Global<u32>) {
    if thread::first() {
        output.write(thread::block_idx_x() as usize, sums.read(0));
    }
}

/// Returns word i of the input, or 0 beyond its end.
#[inline(always)]
fn word(input: Global<u32>, i: u32, n: u32) -> u32 {
    if i < n { input.read(i as usize) } else { 0 }
}

/// Step 1: interleaved addressing with divergent branches. Launch: ⌈n / [`THREADS`]⌉ blocks;
/// `input` has n words, `output` one word per block.
#[kernel(threads = THREADS)]
pub fn reduce_1(
    /// The summands.
    input: Global<u32>,
    /// The sum of each block; needs no initial value.
    output: Global<u32>,
    /// Number of words in `input`.
    n: u32,
) {
    shared_array!(sums: [u32; THREADS as usize]);
    let t = thread::thread_idx_x();
    sums.write(t, word(input, thread::index_1d(), n));
    // SAFETY: every thread of the block is here.
    unsafe { thread::sync_threads() };
    let mut s = 1;
    while s < THREADS {
        if t.is_multiple_of(2 * s) {
            sums.write(t, sums.read(t) + sums.read(t + s));
        }
        // SAFETY: every thread of the block is here, also those that did not add.
        unsafe { thread::sync_threads() };
        s *= 2;
    }
    // SAFETY: as above; thread 0 has added last.
    unsafe { put_sum(sums, output) }
}

/// Step 2: interleaved addressing, with neighbouring threads that add. Launch: as
/// [`reduce_1`](Reduce1).
#[kernel(threads = THREADS)]
pub fn reduce_2(
    /// The summands.
    input: Global<u32>,
    /// The sum of each block; needs no initial value.
    output: Global<u32>,
    /// Number of words in `input`.
    n: u32,
) {
    shared_array!(sums: [u32; THREADS as usize]);
    let t = thread::thread_idx_x();
    sums.write(t, word(input, thread::index_1d(), n));
    // SAFETY: every thread of the block is here.
    unsafe { thread::sync_threads() };
    let mut s = 1;
    while s < THREADS {
        let i = 2 * s * t;
        if i < THREADS {
            sums.write(i, sums.read(i) + sums.read(i + s));
        }
        // SAFETY: every thread of the block is here, also those that did not add.
        unsafe { thread::sync_threads() };
        s *= 2;
    }
    // SAFETY: as above; thread 0 has added last.
    unsafe { put_sum(sums, output) }
}

/// Adds the upper half of `THREADS` words to the lower half, and repeats this down to `last` words.
///
/// # Safety
/// Every thread of the block is here and has written its word of `sums`.
#[inline(always)]
unsafe fn halve(sums: Shared<u32>, last: u32) {
    let t = thread::thread_idx_x();
    // SAFETY: passed on to the caller.
    unsafe { thread::sync_threads() };
    let mut s = THREADS / 2;
    while s >= last {
        if t < s {
            sums.write(t, sums.read(t) + sums.read(t + s));
        }
        // SAFETY: every thread of the block is here, also those that did not add.
        unsafe { thread::sync_threads() };
        s /= 2;
    }
}

/// Step 3: sequential addressing. Launch: as [`reduce_1`](Reduce1).
#[kernel(threads = THREADS)]
pub fn reduce_3(
    /// The summands.
    input: Global<u32>,
    /// The sum of each block; needs no initial value.
    output: Global<u32>,
    /// Number of words in `input`.
    n: u32,
) {
    shared_array!(sums: [u32; THREADS as usize]);
    sums.write(thread::thread_idx_x(), word(input, thread::index_1d(), n));
    // SAFETY: every thread of the block is here; thread 0 adds last.
    unsafe {
        halve(sums, 1);
        put_sum(sums, output);
    }
}

/// Returns the sum of a thread's two words; those of block b start at 2 × [`THREADS`] b.
#[inline(always)]
fn two_words(input: Global<u32>, n: u32) -> u32 {
    let i = 2 * THREADS * thread::block_idx_x() + thread::thread_idx_x();
    word(input, i, n) + word(input, i + THREADS, n)
}

/// Step 4: the first addition happens while reading. Launch: ⌈n / (2 × [`THREADS`])⌉ blocks;
/// otherwise as [`reduce_1`](Reduce1).
#[kernel(threads = THREADS)]
pub fn reduce_4(
    /// The summands.
    input: Global<u32>,
    /// The sum of each block; needs no initial value.
    output: Global<u32>,
    /// Number of words in `input`.
    n: u32,
) {
    shared_array!(sums: [u32; THREADS as usize]);
    sums.write(thread::thread_idx_x(), two_words(input, n));
    // SAFETY: every thread of the block is here; thread 0 adds last.
    unsafe {
        halve(sums, 1);
        put_sum(sums, output);
    }
}

/// Computes one level of the tree within warp 0: each lane adds the word `s` positions further.
/// Harris omits all synchronisation here, because the lanes of a warp run in lockstep on GPUs
/// before Volta. From Volta on they need not, so a barrier of the warp stands between a level's
/// reads and its writes, and another after the writes.
///
/// # Safety
/// All lanes of warp 0 are here, and no other thread.
#[inline(always)]
unsafe fn level_of_warp(sums: Shared<u32>, s: u32) {
    let lane = warp::lane_id();
    let sum = sums.read(lane) + sums.read(lane + s);
    // SAFETY: passed on to the caller.
    unsafe { warp::sync_warp(FULL_WARP) };
    sums.write(lane, sum);
    // SAFETY: passed on to the caller.
    unsafe { warp::sync_warp(FULL_WARP) };
}

/// Step 5: the last warp works alone. Launch: as [`reduce_4`](Reduce4).
#[kernel(threads = THREADS)]
pub fn reduce_5(
    /// The summands.
    input: Global<u32>,
    /// The sum of each block; needs no initial value.
    output: Global<u32>,
    /// Number of words in `input`.
    n: u32,
) {
    shared_array!(sums: [u32; THREADS as usize]);
    sums.write(thread::thread_idx_x(), two_words(input, n));
    // SAFETY: every thread of the block is here.
    unsafe { halve(sums, 64) };
    if warp::warp_id() == 0 {
        let mut s = 32;
        while s > 0 {
            // SAFETY: warp 0 alone, with all of its lanes.
            unsafe { level_of_warp(sums, s) };
            s /= 2;
        }
        // SAFETY: as above; lane 0 has added last.
        unsafe { put_sum(sums, output) }
    }
}

/// Computes the tree without loops: the number of threads is a constant, and so is every level.
///
/// # Safety
/// Every thread of the block is here.
#[inline(always)]
unsafe fn unrolled(sums: Shared<u32>, output: Global<u32>) {
    const { assert!(THREADS == 128, "one level above those of a warp") };
    let t = thread::thread_idx_x();
    // SAFETY: passed on to the caller.
    unsafe { thread::sync_threads() };
    if t < 64 {
        sums.write(t, sums.read(t) + sums.read(t + 64));
    }
    // SAFETY: passed on to the caller.
    unsafe { thread::sync_threads() };
    if warp::warp_id() == 0 {
        // SAFETY: warp 0 alone, with all of its lanes; lane 0 has added last.
        unsafe {
            unroll!(level in [5 4 3 2 1 0] {
                level_of_warp(sums, 1 << level);
            });
            put_sum(sums, output);
        }
    }
}

/// Step 6: completely unrolled. Launch: as [`reduce_4`](Reduce4).
#[kernel(threads = THREADS)]
pub fn reduce_6(
    /// The summands.
    input: Global<u32>,
    /// The sum of each block; needs no initial value.
    output: Global<u32>,
    /// Number of words in `input`.
    n: u32,
) {
    shared_array!(sums: [u32; THREADS as usize]);
    sums.write(thread::thread_idx_x(), two_words(input, n));
    // SAFETY: every thread of the block is here.
    unsafe { unrolled(sums, output) }
}

/// Step 7: many words per thread. Launch: any number of blocks; `input` has n words, `output` one
/// word per block; n + threads < 2^32.
#[kernel(threads = THREADS)]
pub fn reduce_7(
    /// The summands.
    input: Global<u32>,
    /// The sum of each block; needs no initial value.
    output: Global<u32>,
    /// Number of words in `input`.
    n: u32,
) {
    shared_array!(sums: [u32; THREADS as usize]);
    let mut sum = 0;
    let mut i = thread::index_1d();
    while i < n {
        sum += input.read(i as usize);
        i += thread::grid_dim_x() * THREADS;
    }
    sums.write(thread::thread_idx_x(), sum);
    // SAFETY: every thread of the block is here.
    unsafe { unrolled(sums, output) }
}
