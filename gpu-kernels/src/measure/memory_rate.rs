//! How many bytes of its memory a GPU reads and copies a second: the ceilings that the search kernels are compared
//! with.
//!
//! A thread has one word of 16 bytes and ends. Blocks begin in their order, so at any time all that are on the GPU work
//! on one stretch of a few megabytes, and copying is as fast as by the driver. Blocks that stay and go on, each further
//! by all blocks' words, drift apart, and a copy then takes 6 to 9 % longer (H200).
//!
//! **Cost** a word of 16 bytes: a load and, to copy, a store.

use simt_std::prelude::*;

/// Copies an array, or only reads it. Launch: a thread a word.
#[kernel(threads = 256)]
pub fn memory_rate(
    /// The array that is read.
    from: Global<U32x4>,
    /// Its words of 16 bytes.
    words: u64,
    /// Whether to copy (not 0), or only to read (0). Then only words whose bits are all ones are written, of which
    /// there should be few: the reads must have a use, or the compiler would leave them out.
    copy: u32,
    /// Out: as long as `from`.
    to: Global<U32x4>,
) {
    let at = u64::from(thread::block_idx_x()) * u64::from(Self::BLOCK_THREADS) + u64::from(thread::thread_idx_x());
    if at < words {
        let U32x4(word) = from.read(at as usize);
        if copy != 0 || word[0] & word[1] & word[2] & word[3] == !0 {
            to.write(at as usize, U32x4(word));
        }
    }
}
