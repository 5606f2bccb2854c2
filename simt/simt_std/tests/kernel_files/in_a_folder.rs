//! A kernel in another folder than its crate's root.

use simt_std::prelude::*;

/// Writes its number into each word.
#[kernel(threads = 8)]
pub fn numbers(words: Global<u32>) {
    words.write(thread::index_1d() as usize, thread::index_1d());
}
