//! Solutions of chapter 3: memory in sectors.

use simt_std::prelude::*;

// ANCHOR: gc_by_thread
/// Exercise `gc_by_thread`: `counts[t]` is the number of letters G and C that thread t has seen. In
/// round k, thread t looks at letter 256 k + t. Launch: one block; `letters` has 16,384 elements,
/// `counts` 256.
#[kernel(threads = 256)]
pub fn gc_by_thread(letters: Global<u8>, counts: Global<u32>) {
    let t = thread::index_1d();
    let mut count = 0;
    for k in 0..64 {
        let letter = letters.read(256 * k + t);
        if letter == b'G' || letter == b'C' {
            count += 1;
        }
    }
    counts.write(t, count);
}
// ANCHOR_END: gc_by_thread

/// Returns the letter of the opposite strand of DNA.
#[inline(always)]
fn complement(letter: u8) -> u8 {
    match letter {
        b'A' => b'T',
        b'C' => b'G',
        b'G' => b'C',
        b'T' => b'A',
        other => other,
    }
}

// ANCHOR: complement_by_fours
/// Exercise `complement_by_fours`: `result[i]` is the complement of `letters[i]`. Launch: `fours` /
/// 256 blocks, rounded up; `letters` and `result` have 4 · `fours` elements.
#[kernel(threads = 256)]
pub fn complement_by_fours(letters: Global<u8>, fours: u32, result: Global<u8>) {
    let i = thread::index_1d();
    if i < fours {
        let U8x4([a, b, c, d]) = letters.cast::<U8x4>().read(i);
        let four = U8x4([complement(a), complement(b), complement(c), complement(d)]);
        result.cast::<U8x4>().write(i, four);
    }
}
// ANCHOR_END: complement_by_fours

// ANCHOR: split_hits
/// Exercise `split_hits`: splits n records of four words into four arrays, which follow one another
/// in `result`. Launch: n / 256 blocks, rounded up; n is a multiple of 8; `hits` and `result` have
/// 4 · n elements.
#[kernel(threads = 256)]
pub fn split_hits(hits: Global<u32>, n: u32, result: Global<u32>) {
    let i = thread::index_1d();
    if i < n {
        let U32x4([position, length, score, strand]) = hits.cast::<U32x4>().read(i);
        result.write(i, position);
        result.write(n + i, length);
        result.write(2 * n + i, score);
        result.write(3 * n + i, strand);
    }
}
// ANCHOR_END: split_hits
