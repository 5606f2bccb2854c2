//! Chapter 11: complements of DNA, with 1, 4 and 16 symbols a thread.

use simt_std::prelude::*;

// ANCHOR: complement
/// `result[i]` is the complement of `text[i]`: A and T, C and G change places. Launch: n / 256
/// blocks, rounded up; `text` and `result` have n symbols, all of them A, C, G or T.
#[kernel(threads = 256)]
pub fn complement(text: Global<u8>, n: u32, result: Global<u8>) {
    let i = thread::index_1d();
    if i < n {
        let symbol = text.read(i);
        let c_or_g = (symbol >> 1) & 1;
        result.write(i, symbol ^ (0x15 - 0x11 * c_or_g));
    }
}
// ANCHOR_END: complement

// ANCHOR: four
/// Returns the complements of 4 symbols in a word.
#[inline(always)]
fn complement_of_four(symbols: u32) -> u32 {
    let c_or_g = (symbols >> 1) & 0x0101_0101;
    symbols ^ (0x1515_1515 - 0x11 * c_or_g)
}

/// [`complement`](Complement) with 4 symbols a thread. Launch: `words` / 256 blocks, rounded up;
/// `text` and `result` have `words` words.
#[kernel(threads = 256)]
pub fn complement_words(text: Global<u32>, words: u32, result: Global<u32>) {
    let i = thread::index_1d();
    if i < words {
        result.write(i, complement_of_four(text.read(i)));
    }
}

/// [`complement`](Complement) with 16 symbols a thread. Launch: `vectors` / 256 blocks, rounded
/// up; `text` and `result` have `vectors` vectors.
#[kernel(threads = 256)]
pub fn complement_vectors(text: Global<U32x4>, vectors: u32, result: Global<U32x4>) {
    let i = thread::index_1d();
    if i < vectors {
        result.write(i, U32x4(text.read(i).0.map(complement_of_four)));
    }
}
// ANCHOR_END: four
