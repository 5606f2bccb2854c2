//! Exercises of chapter 1: threads.

use simt_std::prelude::*;

/// Exercise `matching`: `same[i]` is 1 if `a[i]` and `b[i]` are equal, else 0. Launch: n / 64
/// blocks, rounded up; the arrays have n elements.
#[kernel(threads = 64)]
pub fn matching(a: Global<u8>, b: Global<u8>, n: u32, same: Global<u8>) {
    // Your code here.
}

/// Exercise `reverse_complement`: the text of the other strand. The last base of `text` comes
/// first, and each base is replaced by its complement: `GATTACA` becomes `TGTAATC`. Launch: n / 64
/// blocks, rounded up; `text` has n bases, which are A, C, G or T, and `result` has n elements.
#[kernel(threads = 64)]
pub fn reverse_complement(text: Global<u8>, n: u32, result: Global<u8>) {
    // Your code here.
}

/// Exercise `saxpy_any_grid`: y = a x + y, with any number of blocks. With T threads in the grid,
/// thread t computes the elements t, t + T, t + 2 T, …, which is called a *grid-stride loop*. T is
/// `thread::grid_dim_x() * thread::block_dim_x()`: blocks of the grid, times threads of a block.
/// Launch: any number of blocks; `x` and `y` have n elements, and n + T is below 2^32.
#[kernel(threads = 64)]
pub fn saxpy_any_grid(a: f32, x: Global<f32>, y: Global<f32>, n: u32) {
    // Your code here.
}
