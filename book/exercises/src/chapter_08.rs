//! Exercises of chapter 8: warps.

use simt_std::prelude::*;

/// Exercise `equal_symbols`: `counts[b]` is the number of positions i, of the 32 of block b, at
/// which `first[i]` and `second[i]` are equal. Launch: n / 32 blocks, rounded up; `first` and
/// `second` have n symbols, `counts` has an element for each block.
#[kernel(threads = WARP)]
pub fn equal_symbols(first: Global<u8>, second: Global<u8>, n: u32, counts: Global<u32>) {
    // Your code here.
}

/// Exercise `spaces_of_warps`: a block has 80 threads, so its warps have 32, 32 and 16 lanes. Warp
/// w of block b writes the number of spaces among its symbols to `counts[3 * b + w]`; positions
/// from n on have no symbol. The kernel has two wrong masks in one line: repair it. Launch: n / 80
/// blocks, rounded up; `text` has n symbols, `counts` 3 elements for each block.
#[kernel(threads = 80)]
pub fn spaces_of_warps(text: Global<u8>, n: u32, counts: Global<u32>) {
    let i = thread::index_1d();
    if i < n {
        let is_space = text.read(i) == b' ';
        // SAFETY: not true.
        let spaces = unsafe { warp::warp_vote_ballot(FULL_WARP, is_space) };
        if warp::lane_id() == 0 {
            counts.write(3 * thread::block_idx_x() + warp::warp_id(), spaces.count_ones());
        }
    }
}

/// Exercise `run_heads`: bit j of `heads[b]` is 1 if a run of equal symbols starts at position i =
/// 32 b + j: `text[i]` is not `text[i - 1]`, or i is 0. Bits of positions from n on are 0. Each
/// lane reads its own symbol and takes the symbol to its left from the next lane; lane 0 alone
/// reads a second one. Launch: n / 32 blocks, rounded up; `text` has n symbols, `heads` an element
/// for each block.
#[kernel(threads = WARP)]
pub fn run_heads(text: Global<u8>, n: u32, heads: Global<u32>) {
    // Your code here.
}

/// Exercise `sort_32`: sorts each 32 numbers in place, in ascending order, by odd-even exchange. In
/// the rounds 0, 2, 4, … the lanes 0 and 1, 2 and 3, … compare their numbers, and the lower lane
/// keeps the smaller one. In the rounds 1, 3, 5, … the lanes 1 and 2, 3 and 4, … do. After 32
/// rounds the numbers are in order. No shared memory. Launch: a block for each 32 numbers.
#[kernel(threads = WARP)]
pub fn sort_32(numbers: Global<u32>) {
    // Your code here.
}
