//! Exercises of chapter 6: tiles.

use simt_std::prelude::*;

/// Rows and columns of a tile.
pub const TILE: u32 = 16;

/// Exercise `ranks`: `ranks[i]` is how many of the n numbers are smaller than number i. Each thread
/// compares its number with all others, in tiles of 256 numbers in shared memory. Launch: n / 256
/// blocks, rounded up; both arrays have n elements.
#[kernel(threads = 256)]
pub fn ranks(numbers: Global<u32>, n: u32, ranks: Global<u32>) {
    // Your code here.
}

/// Exercise `pair_distances`: `distances[i * count + j]` is the Hamming distance of the texts i and
/// j, which is the number of positions where they differ. `texts` has `count` texts of `length`
/// symbols, one after the other: symbol p of text i is element `i * length + p`. Each block
/// compares 16 texts with 16 texts, by tiles of 16 texts × 16 positions. Launch: count / 16 blocks
/// in x and in y, rounded up.
#[kernel(threads = [TILE, TILE])]
pub fn pair_distances(texts: Global<u8>, count: u32, length: u32, distances: Global<u32>) {
    // Your code here.
}

/// Exercise `four_results`: C = A B as in `product_by_tiles`, but a block has 16 × 4 threads for
/// 16 × 16 results. Thread (x, y) computes four results, in column x and the rows y, y + 4, y + 8
/// and y + 12 of the block. `unroll!(j in [0 1 2 3] { … });` repeats its body with these values of
/// j; an array of four sums then stays in registers. Launch: n / 16 blocks in x and in y, rounded
/// up; the matrices have n² elements, row by row.
#[kernel(threads = [TILE, 4])]
pub fn four_results(a: Global<f32>, b: Global<f32>, c: Global<f32>, n: u32) {
    // Your code here.
}
