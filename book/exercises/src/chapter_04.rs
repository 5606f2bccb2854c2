//! Exercises of chapter 4: shared memory and barriers.

use simt_std::prelude::*;

/// Exercise `dot_product`: `sums[b]` is the sum of `a[i] * b[i]` over the 256 elements i of block
/// b. As in `block_sum`, the threads of a block share the additions. Launch: n / 256 blocks,
/// rounded up; `a` and `b` have n elements.
#[kernel(threads = 256)]
pub fn dot_product(a: Global<u32>, b: Global<u32>, n: u32, sums: Global<u32>) {
    // Your code here.
}

/// Exercise `deal`: deals each 256 numbers to 8 players, as cards. Number t of the 256 goes to
/// player t % 8, and is number t / 8 of the player's 32. The players' numbers follow one another in
/// the same 256 words: number t goes to word 32 * (t % 8) + t / 8. Neighbouring threads read and
/// write neighbouring words of global memory, and there is one barrier. Launch: one block for each
/// 256 numbers.
#[kernel(threads = 256)]
pub fn deal(numbers: Global<u32>) {
    // Your code here.
}

/// Exercise `running_sums`: `sums[i]` is the sum of the numbers 0 to i of 256 numbers. In round 1
/// each thread adds the number 1 to its left, in round 2 the sum 2 to its left, then 4, 8, …, 128.
/// The kernel has races: add what is missing. Launch: one block.
#[kernel(threads = 256)]
pub fn running_sums(numbers: Global<u32>, sums: Global<u32>) {
    shared_array!(partial: [u32; 256]);
    let t = thread::thread_idx_x();
    partial.write(t, numbers.read(t));
    let mut distance = 1;
    while distance < 256 {
        let left = if t >= distance { partial.read(t - distance) } else { 0 };
        partial.write(t, partial.read(t) + left);
        distance *= 2;
    }
    sums.write(t, partial.read(t));
}
