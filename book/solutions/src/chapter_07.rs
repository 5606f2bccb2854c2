//! Solutions of chapter 7: divergence.

use simt_std::prelude::*;

// ANCHOR: copy_and_reverse
/// Exercise `copy_and_reverse`: `copy[i]` is symbol i of a text, and `reversed[i]` is symbol
/// n - 1 - i. Launch: 2 n / 256 blocks, rounded up; the arrays have n elements, and n is a multiple
/// of 32.
#[kernel(threads = 256)]
pub fn copy_and_reverse(text: Global<u8>, n: u32, copy: Global<u8>, reversed: Global<u8>) {
    let i = thread::index_1d();
    if i < n {
        copy.write(i, text.read(i));
    } else if i - n < n {
        reversed.write(i - n, text.read(n - 1 - (i - n)));
    }
}
// ANCHOR_END: copy_and_reverse

// ANCHOR: count_by_stride
/// Exercise `count_by_stride`: `counts[b]` is how often `symbol` occurs among the symbols that the
/// threads of block b read. Launch: any number of blocks; `text` has n elements, and `counts` one
/// for each block; n is at most 2^31.
#[kernel(threads = 256)]
pub fn count_by_stride(text: Global<u8>, n: u32, symbol: u32, counts: Global<u32>) {
    shared_array!(partial: [u32; 256]);
    let t = thread::thread_idx_x();
    let mut count = 0;
    let mut i = thread::index_1d();
    while i < n {
        count += u32::from(u32::from(text.read(i)) == symbol);
        i += thread::grid_dim_x() * 256;
    }
    partial.write(t, count);
    // SAFETY: all threads of the block are here.
    unsafe { thread::sync_threads() };
    let mut half = 128;
    while half >= 64 {
        if t < half {
            partial.write(t, partial.read(t) + partial.read(t + half));
        }
        // SAFETY: all threads of the block are here, each with the same `half`.
        unsafe { thread::sync_threads() };
        half /= 2;
    }
    if t < 32 {
        while half > 0 {
            let sum = partial.read(t) + partial.read(t + half);
            // SAFETY: warp 0 is here with all of its lanes.
            unsafe { warp::sync_warp(FULL_WARP) };
            partial.write(t, sum);
            // SAFETY: as above.
            unsafe { warp::sync_warp(FULL_WARP) };
            half /= 2;
        }
    }
    if t == 0 {
        counts.write(thread::block_idx_x(), partial.read(0));
    }
}
// ANCHOR_END: count_by_stride

// ANCHOR: first_maximum
/// Exercise `first_maximum`: `maxima[b]` is the largest number of the 256 numbers of block b, and
/// `indices[b]` is the least i such that `numbers[i]` is this number. Launch: n / 256 blocks,
/// rounded up; `numbers` has n elements, the others one for each block.
#[kernel(threads = 256)]
pub fn first_maximum(numbers: Global<u32>, n: u32, maxima: Global<u32>, indices: Global<u32>) {
    shared_array!(best: [u32; 256]);
    shared_array!(index: [u32; 256]);
    let t = thread::thread_idx_x();
    let i = thread::index_1d();
    best.write(t, if i < n { numbers.read(i) } else { 0 });
    index.write(t, i);
    // SAFETY: all threads of the block are here.
    unsafe { thread::sync_threads() };
    let mut half = 128;
    while half > 0 {
        if t < half {
            let (own, other) = (best.read(t), best.read(t + half));
            if other > own || (other == own && index.read(t + half) < index.read(t)) {
                best.write(t, other);
                index.write(t, index.read(t + half));
            }
        }
        // SAFETY: all threads of the block are here, each with the same `half`.
        unsafe { thread::sync_threads() };
        half /= 2;
    }
    if t == 0 {
        maxima.write(thread::block_idx_x(), best.read(0));
        indices.write(thread::block_idx_x(), index.read(0));
    }
}
// ANCHOR_END: first_maximum

// ANCHOR: one_barrier
/// Exercise `one_barrier`: `sums[b]` is the sum of the 256 numbers of block b, with one barrier of
/// the block. Launch: one block for each 256 numbers.
#[kernel(threads = 256)]
pub fn one_barrier(numbers: Global<u32>, sums: Global<u32>) {
    shared_array!(partial: [u32; 256]);
    shared_array!(of_warps: [u32; 8]);
    let t = thread::thread_idx_x();
    let lane = warp::lane_id();
    partial.write(t, numbers.read(thread::index_1d()));
    let mut distance = 16;
    while distance > 0 {
        // SAFETY: all lanes of each warp are here.
        unsafe { warp::sync_warp(FULL_WARP) };
        if lane < distance {
            partial.write(t, partial.read(t) + partial.read(t + distance));
        }
        distance /= 2;
    }
    if lane == 0 {
        of_warps.write(warp::warp_id(), partial.read(t));
    }
    // SAFETY: all threads of the block are here.
    unsafe { thread::sync_threads() };
    if warp::warp_id() == 0 {
        let mut half = 4;
        while half > 0 {
            if lane < half {
                of_warps.write(lane, of_warps.read(lane) + of_warps.read(lane + half));
            }
            // SAFETY: warp 0 is here with all of its lanes.
            unsafe { warp::sync_warp(FULL_WARP) };
            half /= 2;
        }
        if lane == 0 {
            sums.write(thread::block_idx_x(), of_warps.read(0));
        }
    }
}
// ANCHOR_END: one_barrier
