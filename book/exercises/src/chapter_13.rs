//! Exercises of chapter 13: Kawanami, Fujimoto 2014: carries.

use simt_std::prelude::*;

/// Exercise `lcs_words`: `lengths[i]` is the length of an LCS of the text and pattern i, for
/// `count` patterns of 32 symbols. Symbol k of pattern i is `patterns[count * k + i]`; all symbols
/// are 0 to 3. Each thread has one pattern: collect the match words of the four symbols, then
/// compute V from column to column. Launch: `count` / 64 blocks, rounded up.
#[kernel(threads = 64)]
pub fn lcs_words(patterns: Global<u8>, count: u32, text: Global<u8>, n: u32, lengths: Global<u32>) {
    // Your code here.
}

/// Exercise `lcs_masks`: `column` is the last column of the table of a pattern of m symbols,
/// m ≤ 1,024, and a text of n symbols, as 32 words; all symbols are 0 to 3. In round k, the warp
/// reads the symbols 32k to 32k + 31 of the pattern, and a ballot for each symbol gives word k of
/// its matches. Positions from m on match nothing. Launch: one block.
#[kernel(threads = WARP)]
pub fn lcs_masks(pattern: Global<u8>, m: u32, text: Global<u8>, n: u32, column: Global<u32>) {
    shared_array!(matches: [u32; 128]);
    // Your code here.
}

/// Exercise `add_long`: `sum` is `a` + `b`. The numbers have 32 words of 64 bits, the lowest first,
/// and `sum` has a word more, for the carry out. Launch: one block.
#[kernel(threads = WARP)]
pub fn add_long(a: Global<u64>, b: Global<u64>, sum: Global<u64>) {
    // Your code here.
}
