//! Solutions of chapter 9: atomics.

use simt_std::atomic::Order;
use simt_std::prelude::*;

// ANCHOR: combined_counts
/// Exercise `combined_counts`: adds the number of symbols s in the text to `counts[s]`, one
/// addition for each symbol of a warp. Launch: n / 256 blocks, rounded up; `text` has n symbols,
/// `counts` 256 words; n < 2^31.
#[kernel(threads = 256)]
pub fn combined_counts(text: Global<u8>, n: u32, counts: Global<u32>) {
    let i = thread::index_1d();
    let symbol = if i < n { u32::from(text.read(i)) } else { 256 };
    // SAFETY: all 32 lanes are here.
    let same = unsafe { warp::warp_match_any(FULL_WARP, symbol) };
    // The lowest lane of each group adds.
    if i < n && same & warp::lanemask_lt() == 0 {
        atomic::fetch_add(counts, symbol, same.count_ones());
    }
}
// ANCHOR_END: combined_counts

// ANCHOR: counts_in_copies
/// Exercise `counts_in_copies`: adds the number of the letters A, C, T and G to `counts[0]` to
/// `counts[3]`. Launch: any number of blocks; `text` has n letters, `counts` 4 words; n and the
/// number of threads are below 2^31.
#[kernel(threads = 256)]
pub fn counts_in_copies(text: Global<u8>, n: u32, counts: Global<u32>) {
    shared_array!(bins: [u32; 32]);
    let t = thread::thread_idx_x();
    if t < 32 {
        bins.write(t, 0);
    }
    // SAFETY: all threads of the block are here.
    unsafe { thread::sync_threads() };
    let mut i = thread::index_1d();
    while i < n {
        let bin = u32::from(text.read(i) >> 1 & 3);
        atomic::fetch_add(bins, 8 * bin + t % 8, 1);
        i += thread::grid_dim_x() * 256;
    }
    // SAFETY: all threads of the block are here.
    unsafe { thread::sync_threads() };
    if t < 4 {
        atomic::fetch_add(counts, t, (0..8).map(|copy| bins.read(8 * t + copy)).sum());
    }
}
// ANCHOR_END: counts_in_copies

// ANCHOR: saturating_counts
/// Exercise `saturating_counts`: adds the number of symbols s in the text to byte s mod 4 of
/// `counts[s / 4]`, up to 255. Launch: n / 256 blocks, rounded up; `text` has n symbols, `counts`
/// 64 words; n < 2^31.
#[kernel(threads = 256)]
pub fn saturating_counts(text: Global<u8>, n: u32, counts: Global<u32>) {
    let i = thread::index_1d();
    if i >= n {
        return;
    }
    let symbol = text.read(i);
    let (word, shift) = (symbol / 4, symbol % 4 * 8);
    let mut old = atomic::load(counts, word);
    while old >> shift & 255 < 255 {
        let found = atomic::compare_exchange(counts, word, old, old + (1 << shift));
        if found == old {
            return;
        }
        old = found;
    }
}
// ANCHOR_END: saturating_counts

// ANCHOR: best_hit
/// Exercise `best_hit`: `best[0]` is the highest of n scores, and `best[1]` the first position that
/// has it. Launch: n / 64 blocks, rounded up; `lock` is 0, `best` is 0 and `u32::MAX`; n < 2^31.
#[kernel(threads = 64)]
pub fn best_hit(scores: Global<u32>, n: u32, lock: Global<u32>, best: Global<u32>) {
    let i = thread::index_1d();
    if i >= n {
        return;
    }
    let score = scores.read(i);
    let mut is_done = false;
    while !is_done {
        if atomic::device(lock, 0).compare_exchange(0, 1, Order::Acquire) == 0 {
            let highest = best.read(0);
            if score > highest || (score == highest && i < best.read(1)) {
                best.write(0, score);
                best.write(1, i);
            }
            atomic::store_release(lock, 0, 0);
            is_done = true;
        }
    }
}
// ANCHOR_END: best_hit
