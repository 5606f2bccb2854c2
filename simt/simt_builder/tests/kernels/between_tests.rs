//! A function with a barrier, called between two tests of one condition. Before LLVM inlines the
//! call, it copies it into both arms, and threads of one warp wait at two barriers for ever.

use simt_std::prelude::*;

/// Adds the words to the left. Launch: at least n threads; `words` and `sums` have n elements.
#[kernel(threads = 256)]
pub fn between_tests(words: Global<u32>, n: u32, m: u32, sums: Global<u32>) {
    shared_array!(shared: [u32; 256]);
    let i = thread::index_1d();
    let word = if i < n { words.read(i) } else { u32::MAX };
    // SAFETY: all threads of the block are here.
    let sum = unsafe { scan(shared, word, m) };
    if i < n && (thread::block_idx_x() == 0 || thread::thread_idx_x() >= m - 1) {
        sums.write(i, sum);
    }
}

/// Combines a thread's word with those of the threads before it.
///
/// # Safety
/// All threads of the block call it, with the same m.
#[inline(always)]
unsafe fn scan(shared: Shared<u32>, word: u32, m: u32) -> u32 {
    let t = thread::thread_idx_x();
    let (mut sum, mut distance) = (word, 1);
    while distance < m {
        shared.write(t, sum);
        // SAFETY: all threads of the block are here, each with the same `distance`.
        unsafe { thread::sync_threads() };
        let before = if t >= distance { shared.read(t - distance) } else { u32::MAX };
        // SAFETY: as above.
        unsafe { thread::sync_threads() };
        sum |= before << distance;
        distance *= 2;
    }
    sum
}
