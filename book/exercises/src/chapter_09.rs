//! Exercises of chapter 9: atomics.

use simt_std::atomic::Order;
use simt_std::prelude::*;

/// Exercise `combined_counts`: adds the number of symbols s in the text to `counts[s]`. The lanes
/// of a warp that have the same symbol find each other by `warp::warp_match_any`, and one of them
/// adds for all. Launch: n / 256 blocks, rounded up; `text` has n symbols, `counts` 256 words.
#[kernel(threads = 256)]
pub fn combined_counts(text: Global<u8>, n: u32, counts: Global<u32>) {
    // Your code here.
}

/// Exercise `counts_in_copies`: adds the number of the letters A, C, T and G to `counts[0]` to
/// `counts[3]`; the bin of a letter is `symbol >> 1 & 3`. Each block counts in 8 copies of the 4
/// bins in shared memory, 32 words in all. Lane l adds to copy l mod 8, so at most 4 lanes of a
/// warp meet at a word. At the end, the block adds each of its 4 sums to `counts` once. Launch: any
/// number of blocks; `text` has n letters, `counts` 4 words.
#[kernel(threads = 256)]
pub fn counts_in_copies(text: Global<u8>, n: u32, counts: Global<u32>) {
    // Your code here.
}

/// Exercise `saturating_counts`: adds the number of symbols s in the text to byte s mod 4 of
/// `counts[s / 4]`; byte 0 is the lowest. A count stops at 255. No instruction of the GPU does
/// this, so write a loop of `atomic::load` and `atomic::compare_exchange`. Launch: n / 256 blocks,
/// rounded up; `text` has n symbols, `counts` 64 words.
#[kernel(threads = 256)]
pub fn saturating_counts(text: Global<u8>, n: u32, counts: Global<u32>) {
    // Your code here.
}

/// Exercise `best_hit`: `best[0]` is the highest of n scores, and `best[1]` the first position that
/// has it. The two words belong together, so each thread changes them under the lock `lock[0]`: 0
/// is open, 1 is taken. A thread takes it by a compare-exchange with `Order::Acquire`, and opens it
/// by `atomic::store_release`. Launch: n / 64 blocks, rounded up; `lock` is 0, `best` is 0 and
/// `u32::MAX`.
#[kernel(threads = 64)]
pub fn best_hit(scores: Global<u32>, n: u32, lock: Global<u32>, best: Global<u32>) {
    // Your code here.
}
