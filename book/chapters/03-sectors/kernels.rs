//! Chapter 3: copies, by single words with a stride and by vectors of four words.

use simt_std::prelude::*;

// ANCHOR: strided_copy
/// Copies every `stride`-th word from `offset` on: `result[i]` is `words[offset + i * stride]`.
/// Launch: n / 256 blocks, rounded up; `result` has n elements, and `words` has at least
/// `offset + (n - 1) * stride + 1`, at most 2^31, so that each index fits into a `u32`.
#[kernel(threads = 256)]
pub fn strided_copy(words: Global<u32>, offset: u32, stride: u32, n: u32, result: Global<u32>) {
    let i = thread::index_1d();
    if i < n {
        result.write(i, words.read(offset + i * stride));
    }
}
// ANCHOR_END: strided_copy

// ANCHOR: copy_by_fours
/// Copies 4 · `fours` words, four in each thread. Launch: `fours` / 256 blocks, rounded up; `words`
/// and `result` have 4 · `fours` elements, and their addresses are multiples of 16.
#[kernel(threads = 256)]
pub fn copy_by_fours(words: Global<u32>, fours: u32, result: Global<u32>) {
    let i = thread::index_1d();
    if i < fours {
        let four = words.cast::<U32x4>().read(i);
        result.cast::<U32x4>().write(i, four);
    }
}
// ANCHOR_END: copy_by_fours
