//! The kernels. This file is compiled twice: as a part of the package for the simulator, and on its
//! own for the GPU.

use simt_std::prelude::*;

/// Number of values that a block adds up.
pub const EACH: u32 = 256;

/// `sums[b]` is the sum of `numbers[256 * b .. min(256 * b + 256, n)]`.
/// Launch: ⌈n / 256⌉ blocks; `numbers` has n elements, and `sums` one a block.
///
/// ```text
/// 8 threads   a b c d e f g h     half = 4: thread i adds what thread i + 4 has
///             ╰─┼─┼─┼─╯ │ │ │
///             A B C D           half = 2, then 1: element 0 is the sum
/// ```
#[kernel(threads = EACH)]
pub fn block_sums(numbers: Global<f32>, n: u32, sums: Global<f32>) {
    shared_array!(partial: [f32; EACH as usize]);
    let (i, thread) = (thread::index_1d(), thread::thread_idx_x());
    partial.write(thread, if i < n { numbers.read(i as usize) } else { 0.0 });
    let mut half = EACH / 2;
    while half > 0 {
        // All threads of the block reach this barrier with the same `half`. Without the barrier,
        // the simulator reports a race.
        unsafe { thread::sync_threads() };
        if thread < half {
            partial.write(thread, partial.read(thread) + partial.read(thread + half));
        }
        half /= 2;
    }
    if thread == 0 {
        sums.write(thread::block_idx_x() as usize, partial.read(0));
    }
}
