//! The kernels. This file is compiled twice: with the rest of the package, for the simulator, and by itself, for the GPU.

use simt_std::prelude::*;

/// Numbers that a block adds up.
pub const EACH: u32 = 256;

/// `sums[b]` is the sum of numbers 256 b to 256 b + 255, of which the last ones may not exist.
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
        // All threads of the block come here, each with the same `half`. Leave this line out, and the simulator finds the race.
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
