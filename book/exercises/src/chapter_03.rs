//! Exercises of chapter 3: memory in sectors.

use simt_std::prelude::*;

/// Exercise `gc_by_thread`: the 256 threads of one block count the letters G and C in a text of
/// 16,384 letters. Each thread looks at 64 letters, and `counts[t]` is the count of thread t. The
/// kernel is right, but it reads 32 times as many sectors as the text has. Let each thread look at
/// other letters. Launch: one block; `letters` has 16,384 elements, `counts` 256.
#[kernel(threads = 256)]
pub fn gc_by_thread(letters: Global<u8>, counts: Global<u32>) {
    let t = thread::index_1d();
    let mut count = 0;
    for k in 0..64 {
        let letter = letters.read(64 * t + k);
        if letter == b'G' || letter == b'C' {
            count += 1;
        }
    }
    counts.write(t, count);
}

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

/// Exercise `complement_by_fours`: `result[i]` is the complement of `letters[i]`. Each thread reads
/// four letters at once, as a `U8x4`, and writes four. `U8x4([a, b, c, d])` makes a vector, and
/// `four.0` is its array of bytes. Launch: `fours` / 256 blocks, rounded up; `letters` and `result`
/// have 4 · `fours` elements.
#[kernel(threads = 256)]
pub fn complement_by_fours(letters: Global<u8>, fours: u32, result: Global<u8>) {
    // Your code here.
}

/// Exercise `split_hits`: a hit is a record of four words: position, length, score and strand. The
/// kernel splits n records into four arrays, which follow one another in `result`: all positions,
/// all lengths, all scores, all strands. No sector is moved twice. Launch: n / 256 blocks, rounded
/// up; n is a multiple of 8; `hits` and `result` have 4 · n elements.
#[kernel(threads = 256)]
pub fn split_hits(hits: Global<u32>, n: u32, result: Global<u32>) {
    // Your code here.
}
