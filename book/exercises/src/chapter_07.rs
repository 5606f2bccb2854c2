//! Exercises of chapter 7: divergence.

use simt_std::prelude::*;

/// Exercise `copy_and_reverse`: `copy[i]` is symbol i of a text, and `reversed[i]` is symbol
/// n - 1 - i. The kernel is right, but each warp runs both branches with half of its lanes. Give
/// the work to other threads, so that each warp runs one branch. Launch: 2 n / 256 blocks, rounded
/// up; the arrays have n elements, and n is a multiple of 32.
#[kernel(threads = 256)]
pub fn copy_and_reverse(text: Global<u8>, n: u32, copy: Global<u8>, reversed: Global<u8>) {
    let i = thread::index_1d();
    let at = i / 2;
    if at < n {
        if i.is_multiple_of(2) {
            copy.write(at, text.read(at));
        } else {
            reversed.write(at, text.read(n - 1 - at));
        }
    }
}

/// Exercise `count_by_stride`: `counts[b]` is how often `symbol` occurs among the symbols that the
/// threads of block b read. Thread i of the grid reads the symbols i, i + threads of the grid,
/// i + 2 · threads of the grid, and so on. At most 3 barriers a block. Launch: any number of
/// blocks; `text` has n elements, and `counts` one for each block.
#[kernel(threads = 256)]
pub fn count_by_stride(text: Global<u8>, n: u32, symbol: u32, counts: Global<u32>) {
    // Your code here.
}

/// Exercise `first_maximum`: `maxima[b]` is the largest number of the 256 numbers of block b, and
/// `indices[b]` is the least i such that `numbers[i]` is this number. No bank conflicts. Launch:
/// n / 256 blocks, rounded up; `numbers` has n elements, the others one for each block.
#[kernel(threads = 256)]
pub fn first_maximum(numbers: Global<u32>, n: u32, maxima: Global<u32>, indices: Global<u32>) {
    // Your code here.
}

/// Exercise `one_barrier`: an eighth step. `sums[b]` is the sum of the 256 numbers of block b. Each
/// warp adds up its own 32 numbers; then one barrier of the block; then warp 0 adds up the 8 sums.
/// Launch: one block for each 256 numbers.
#[kernel(threads = 256)]
pub fn one_barrier(numbers: Global<u32>, sums: Global<u32>) {
    // Your code here.
}
