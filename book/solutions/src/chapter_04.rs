//! Solutions of chapter 4: shared memory and barriers.

use simt_std::prelude::*;

// ANCHOR: dot_product
/// Exercise `dot_product`: `sums[b]` is the sum of `a[i] * b[i]` over the 256 elements i of block
/// b. Launch: n / 256 blocks, rounded up; `a` and `b` have n elements.
#[kernel(threads = 256)]
pub fn dot_product(a: Global<u32>, b: Global<u32>, n: u32, sums: Global<u32>) {
    shared_array!(partial: [u32; 256]);
    let t = thread::thread_idx_x();
    let i = thread::index_1d();
    partial.write(t, if i < n { a.read(i) * b.read(i) } else { 0 });
    // SAFETY: all threads of the block are here.
    unsafe { thread::sync_threads() };
    let mut half = 128;
    while half > 0 {
        if t < half {
            partial.write(t, partial.read(t) + partial.read(t + half));
        }
        // SAFETY: all threads of the block are here, each with the same `half`.
        unsafe { thread::sync_threads() };
        half /= 2;
    }
    if t == 0 {
        sums.write(thread::block_idx_x(), partial.read(0));
    }
}
// ANCHOR_END: dot_product

// ANCHOR: deal
/// Exercise `deal`: deals each 256 numbers to 8 players: number t of the 256 goes to word 32 * (t %
/// 8) + t / 8 of them. Launch: one block for each 256 numbers.
#[kernel(threads = 256)]
pub fn deal(numbers: Global<u32>) {
    shared_array!(part: [u32; 256]);
    let t = thread::thread_idx_x();
    let i = thread::index_1d();
    part.write(32 * (t % 8) + t / 8, numbers.read(i));
    // SAFETY: all threads of the block are here.
    unsafe { thread::sync_threads() };
    numbers.write(i, part.read(t));
}
// ANCHOR_END: deal

// ANCHOR: running_sums
/// Exercise `running_sums`: `sums[i]` is the sum of the numbers 0 to i of 256 numbers. Launch: one
/// block.
#[kernel(threads = 256)]
pub fn running_sums(numbers: Global<u32>, sums: Global<u32>) {
    shared_array!(partial: [u32; 256]);
    let t = thread::thread_idx_x();
    partial.write(t, numbers.read(t));
    let mut distance = 1;
    while distance < 256 {
        // All have written before any reads.
        // SAFETY: all threads of the block are here.
        unsafe { thread::sync_threads() };
        let left = if t >= distance { partial.read(t - distance) } else { 0 };
        // All have read before any writes.
        // SAFETY: all threads of the block are here.
        unsafe { thread::sync_threads() };
        partial.write(t, partial.read(t) + left);
        distance *= 2;
    }
    sums.write(t, partial.read(t));
}
// ANCHOR_END: running_sums
