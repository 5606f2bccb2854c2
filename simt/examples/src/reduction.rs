//! A sum in seven steps, after Mark Harris, "Optimizing Parallel Reduction in CUDA" (NVIDIA, 2007): each step keeps
//! the result and removes what was slowest.
//!
//! A block adds up its part of the array in shared memory, as a tree of log2 128 = 7 levels, and writes one sum; the
//! host launches again on the sums until one is left.
//!
//! | step | kernel | what it changes | what it is rid of |
//! |---|---|---|---|
//! | 1 | [`reduce_1`](Reduce1) | thread t adds if t is a multiple of 2 s | |
//! | 2 | [`reduce_2`](Reduce2) | threads 0, 1, 2 … add, at multiples of 2 s | divergence within warps |
//! | 3 | [`reduce_3`](Reduce3) | threads 0, 1, 2 … add what lies s further on | bank conflicts |
//! | 4 | [`reduce_4`](Reduce4) | each thread adds two words when it reads them | half of the threads, idle from the start |
//! | 5 | [`reduce_5`](Reduce5) | the last warp needs no barriers of the block | 6 of 8 barriers |
//! | 6 | [`reduce_6`](Reduce6) | the loop is unrolled | its counting |
//! | 7 | [`reduce_7`](Reduce7) | each thread adds many words first, grid-stride | most of the blocks, and their trees |
//!
//! **The tree**, of 8 words. Step 1 and 2 (who adds differs, not what), and step 3:
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
//! **Divergence and conflicts.** In step 1, at s = 1, every second lane of every warp adds: each warp goes through
//! the branch with half of its lanes. In step 2 the lanes 0 to 31 of warp 0 add, at words 0, 2, 4 … 62: whole warps
//! do, and the others skip the branch; but words 0 and 32 are in one bank. At s = 2 the words are 0, 4 … 124: four to
//! a bank, and so on. A warp access then takes as many turns as there are different words in a bank. In step 3 lanes
//! touch neighbouring words: never two in a bank.
//!
//! Bank conflicts (turns beyond the first) of step 2, with 128 threads; each addition is two reads and a write:
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
//! That makes 45 a block. All other steps have none. `cargo run -p simt_examples --example harris` prints what every
//! step costs; of 4,096 words, and of the accesses of shared memory alone:
//!
//! | step | blocks | warp accesses | wavefronts | of them conflicts | lanes an access |
//! |---|---|---|---|---|---|
//! | 1 | 32 | 2,368 | 2,368 | 0 | 6.9 |
//! | 2 | 32 | 928 | 2,368 | 1,440 | 17.6 |
//! | 3 | 32 | 928 | 928 | 0 | 17.6 |
//! | 4 | 16 | 464 | 464 | 0 | 17.6 |
//! | 5, 6 | 16 | 464 | 464 | 0 | 30.9 |
//! | 7 | 2 | 58 | 58 | 0 | 30.9 |
//!
//! Shared memory is used as long in step 2 as in step 1: what the whole warps save, the conflicts cost.

use simt_std::prelude::*;

/// Threads of a block, a power of two: 2 warps or more.
pub const THREADS: u32 = 128;

/// The sum of the words of a block, which thread 0 writes.
///
/// # Safety
/// Every thread of the block is here, and the tree's result is in word 0 of `sums`, written by thread 0.
#[inline(always)]
unsafe fn put_sum(sums: Shared<u32>, output: Global<u32>) {
    if thread::first() {
        output.write(thread::block_idx_x() as usize, sums.read(0));
    }
}

/// Word i of the input, or 0 behind its end.
#[inline(always)]
fn word(input: Global<u32>, i: u32, n: u32) -> u32 {
    if i < n { input.read(i as usize) } else { 0 }
}

/// Step 1: interleaved addressing with divergent branches. Launch: ⌈n / [`THREADS`]⌉ blocks; `input` has n words,
/// `output` one a block.
#[kernel(threads = THREADS)]
pub fn reduce_1(
    /// What is added up.
    input: Global<u32>,
    /// The sum of each block; needs no initial value.
    output: Global<u32>,
    /// Words of `input`.
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

/// Step 2: interleaved addressing, the adding threads beside one another. Launch: as [`reduce_1`](Reduce1).
#[kernel(threads = THREADS)]
pub fn reduce_2(
    /// What is added up.
    input: Global<u32>,
    /// The sum of each block; needs no initial value.
    output: Global<u32>,
    /// Words of `input`.
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

/// Adds the upper half of `THREADS` words to the lower one, again and again, down to `last` words.
///
/// # Safety
/// Every thread of the block is here and has written its word of `sums`.
#[inline(always)]
unsafe fn halve(sums: Shared<u32>, last: u32) {
    let t = thread::thread_idx_x();
    // SAFETY: the caller's.
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
    /// What is added up.
    input: Global<u32>,
    /// The sum of each block; needs no initial value.
    output: Global<u32>,
    /// Words of `input`.
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

/// The sum of a thread's two words: those of block b are 2 × [`THREADS`] b and on.
#[inline(always)]
fn two_words(input: Global<u32>, n: u32) -> u32 {
    let i = 2 * THREADS * thread::block_idx_x() + thread::thread_idx_x();
    word(input, i, n) + word(input, i + THREADS, n)
}

/// Step 4: the first addition while reading. Launch: ⌈n / (2 × [`THREADS`])⌉ blocks; otherwise as
/// [`reduce_1`](Reduce1).
#[kernel(threads = THREADS)]
pub fn reduce_4(
    /// What is added up.
    input: Global<u32>,
    /// The sum of each block; needs no initial value.
    output: Global<u32>,
    /// Words of `input`.
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

/// One level of the tree within warp 0: its lanes add words `s` further on. Harris leaves all synchronisation out
/// here, since the lanes of a warp went in step then. Since Volta they need not, and a barrier of the warp stands
/// between a level's reads and its writes, and after them.
///
/// # Safety
/// All lanes of warp 0 are here, and no other thread.
#[inline(always)]
unsafe fn level_of_warp(sums: Shared<u32>, s: u32) {
    let lane = warp::lane_id();
    let sum = sums.read(lane) + sums.read(lane + s);
    // SAFETY: the caller's.
    unsafe { warp::sync_warp(FULL_WARP) };
    sums.write(lane, sum);
    // SAFETY: the caller's.
    unsafe { warp::sync_warp(FULL_WARP) };
}

/// Step 5: the last warp on its own. Launch: as [`reduce_4`](Reduce4).
#[kernel(threads = THREADS)]
pub fn reduce_5(
    /// What is added up.
    input: Global<u32>,
    /// The sum of each block; needs no initial value.
    output: Global<u32>,
    /// Words of `input`.
    n: u32,
) {
    shared_array!(sums: [u32; THREADS as usize]);
    sums.write(thread::thread_idx_x(), two_words(input, n));
    // SAFETY: every thread of the block is here.
    unsafe { halve(sums, 64) };
    if warp::warp_id() == 0 {
        let mut s = 32;
        while s > 0 {
            // SAFETY: warp 0 alone, and all of it.
            unsafe { level_of_warp(sums, s) };
            s /= 2;
        }
        // SAFETY: as above; lane 0 has added last.
        unsafe { put_sum(sums, output) }
    }
}

/// The tree without loops: the number of threads is a constant, and so is every level.
///
/// # Safety
/// Every thread of the block is here.
#[inline(always)]
unsafe fn unrolled(sums: Shared<u32>, output: Global<u32>) {
    const { assert!(THREADS == 128, "one level above those of a warp") };
    let t = thread::thread_idx_x();
    // SAFETY: the caller's.
    unsafe { thread::sync_threads() };
    if t < 64 {
        sums.write(t, sums.read(t) + sums.read(t + 64));
    }
    // SAFETY: the caller's.
    unsafe { thread::sync_threads() };
    if warp::warp_id() == 0 {
        // SAFETY: warp 0 alone, and all of it; lane 0 has added last.
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
    /// What is added up.
    input: Global<u32>,
    /// The sum of each block; needs no initial value.
    output: Global<u32>,
    /// Words of `input`.
    n: u32,
) {
    shared_array!(sums: [u32; THREADS as usize]);
    sums.write(thread::thread_idx_x(), two_words(input, n));
    // SAFETY: every thread of the block is here.
    unsafe { unrolled(sums, output) }
}

/// Step 7: many words a thread. Launch: any number of blocks; `input` has n words, `output` one a block; n + threads
/// < 2^32.
#[kernel(threads = THREADS)]
pub fn reduce_7(
    /// What is added up.
    input: Global<u32>,
    /// The sum of each block; needs no initial value.
    output: Global<u32>,
    /// Words of `input`.
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
