//! Chapter 7: the sum of each block's numbers, in seven steps.

use simt_std::prelude::*;

// ANCHOR: step_sum
/// Adds up the numbers of each block, as in step `STEP` of 7: `sums[b]` is the sum of block b.
/// Launch: n / 256 blocks in steps 1 to 3, n / 512 in steps 4 to 6, both rounded up, and any number
/// in step 7. `numbers` has n elements, `sums` one for each block; n is at most 2^31.
#[kernel(threads = 256, instances = [
    sum_step_1: (1), sum_step_2: (2), sum_step_3: (3), sum_step_4: (4),
    sum_step_5: (5), sum_step_6: (6), sum_step_7: (7)
])]
pub fn step_sum<const STEP: u32>(numbers: Global<u32>, n: u32, sums: Global<u32>) {
    shared_array!(partial: [u32; 256]);
    let t = thread::thread_idx_x();
    let own = match STEP {
        1..=3 => number(numbers, n, thread::index_1d()),
        4..=6 => two_numbers(numbers, n),
        _ => many_numbers(numbers, n),
    };
    partial.write(t, own);
    // SAFETY: all threads of the block are here, and each has written its word.
    unsafe {
        thread::sync_threads();
        match STEP {
            1 => interleaved(partial),
            2 => packed(partial),
            3 | 4 => halves(partial, 1),
            5 => halves_and_warp(partial),
            _ => unrolled(partial),
        }
    }
    if t == 0 {
        sums.write(thread::block_idx_x(), partial.read(0));
    }
}
// ANCHOR_END: step_sum

/// Returns number i, or 0 beyond the end.
#[inline(always)]
fn number(numbers: Global<u32>, n: u32, i: u32) -> u32 {
    if i < n { numbers.read(i) } else { 0 }
}

// ANCHOR: interleaved
/// Step 1: thread t adds if t is a multiple of twice the distance.
///
/// # Safety
/// All threads of the block are here, and a barrier lies behind their writes of `partial`.
#[inline(always)]
unsafe fn interleaved(partial: Shared<u32>) {
    let t = thread::thread_idx_x();
    let mut distance = 1;
    while distance < 256 {
        if t.is_multiple_of(2 * distance) {
            partial.write(t, partial.read(t) + partial.read(t + distance));
        }
        // SAFETY: all threads of the block are here, each with the same `distance`.
        unsafe { thread::sync_threads() };
        distance *= 2;
    }
}
// ANCHOR_END: interleaved

/// Step 2: the threads 0, 1, 2, … add, at the words where step 1 adds.
///
/// # Safety
/// As [`interleaved`].
#[inline(always)]
unsafe fn packed(partial: Shared<u32>) {
    let t = thread::thread_idx_x();
    let mut distance = 1;
    while distance < 256 {
        // ANCHOR: packed
        let i = 2 * distance * t;
        if i < 256 {
            partial.write(i, partial.read(i) + partial.read(i + distance));
        }
        // ANCHOR_END: packed
        // SAFETY: all threads of the block are here, each with the same `distance`.
        unsafe { thread::sync_threads() };
        distance *= 2;
    }
}

// ANCHOR: halves
/// Steps 3 to 5: the upper half is added to the lower half, until `last` words are left.
///
/// # Safety
/// As [`interleaved`].
#[inline(always)]
unsafe fn halves(partial: Shared<u32>, last: u32) {
    let t = thread::thread_idx_x();
    let mut half = 128;
    while half >= last {
        if t < half {
            partial.write(t, partial.read(t) + partial.read(t + half));
        }
        // SAFETY: all threads of the block are here, each with the same `half`.
        unsafe { thread::sync_threads() };
        half /= 2;
    }
}
// ANCHOR_END: halves

// ANCHOR: two_numbers
/// Steps 4 to 6: the sum of two numbers, 256 apart.
#[inline(always)]
fn two_numbers(numbers: Global<u32>, n: u32) -> u32 {
    let i = 512 * thread::block_idx_x() + thread::thread_idx_x();
    number(numbers, n, i) + number(numbers, n, i + 256)
}
// ANCHOR_END: two_numbers

// ANCHOR: warp
/// Step 5: two levels by the block, and six by warp 0 alone.
///
/// # Safety
/// As [`interleaved`].
#[inline(always)]
unsafe fn halves_and_warp(partial: Shared<u32>) {
    // SAFETY: as the caller promises; then warp 0 with all of its lanes.
    unsafe { halves(partial, 64) };
    if warp::warp_id() == 0 {
        let mut distance = 32;
        while distance > 0 {
            // SAFETY: warp 0 is here with all of its lanes.
            unsafe { level_of_warp(partial, distance) };
            distance /= 2;
        }
    }
}

/// Each lane adds the word that is `distance` words on.
///
/// # Safety
/// All lanes of warp 0 are here, and no other thread uses the words 0 to 63.
#[inline(always)]
unsafe fn level_of_warp(partial: Shared<u32>, distance: u32) {
    let lane = warp::lane_id();
    let sum = partial.read(lane) + partial.read(lane + distance);
    // All lanes have read before any writes.
    // SAFETY: as the caller promises.
    unsafe { warp::sync_warp(FULL_WARP) };
    partial.write(lane, sum);
    // All lanes have written before any reads.
    // SAFETY: as the caller promises.
    unsafe { warp::sync_warp(FULL_WARP) };
}
// ANCHOR_END: warp

/// Step 6: the levels without a loop.
///
/// # Safety
/// As [`interleaved`].
#[inline(always)]
unsafe fn unrolled(partial: Shared<u32>) {
    let t = thread::thread_idx_x();
    unroll!(half in [128 64] {
        if t < half {
            partial.write(t, partial.read(t) + partial.read(t + half));
        }
        // SAFETY: all threads of the block are here.
        unsafe { thread::sync_threads() };
    });
    if warp::warp_id() == 0 {
        // ANCHOR: unrolled
        unroll!(distance in [32 16 8 4 2 1] {
            // SAFETY: warp 0 is here with all of its lanes.
            unsafe { level_of_warp(partial, distance) };
        });
        // ANCHOR_END: unrolled
    }
}

// ANCHOR: many_numbers
/// Step 7: the sum of the numbers i, i + threads of the grid, i + 2 · threads of the grid, …
#[inline(always)]
fn many_numbers(numbers: Global<u32>, n: u32) -> u32 {
    let mut sum = 0;
    let mut i = thread::index_1d();
    while i < n {
        sum += numbers.read(i);
        i += thread::grid_dim_x() * 256;
    }
    sum
}
// ANCHOR_END: many_numbers
