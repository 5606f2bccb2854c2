//! Chapter 3: a vector at an address that is no multiple of its size.

use simt_std::prelude::*;

// ANCHOR: copy_from
/// Copies 4 · `fours` words from word `first` on, four in each thread. Launch: `fours` / 256
/// blocks, rounded up; `words` has `first` + 4 · `fours` elements, `result` 4 · `fours`.
#[kernel(threads = 256)]
pub fn copy_fours_from(words: Global<u32>, first: u32, fours: u32, result: Global<u32>) {
    let i = thread::index_1d();
    if i < fours {
        let four = words.skip(first).cast::<U32x4>().read(i);
        result.cast::<U32x4>().write(i, four);
    }
}
// ANCHOR_END: copy_from
