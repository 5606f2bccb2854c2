//! Measures how many bytes of its memory a GPU reads and copies per second: the ceilings of the
//! search kernels.
//!
//! A thread handles one word of 16 bytes and ends. Blocks start in order, so all resident blocks
//! work on one range of a few megabytes, and the copy is as fast as the driver's. If blocks stayed
//! resident and advanced by the words of all blocks, they would drift apart, and a copy would take
//! 6 to 9 % longer (H200).
//!
//! **Cost** per word of 16 bytes: a load and, to copy, a store.

use simt_std::prelude::*;

/// Copies an array, or only reads it. Launch: one thread per word.
#[kernel(threads = 256)]
pub fn memory_rate(
    /// The array to read.
    from: Global<U32x4>,
    /// Length of `from`, in words of 16 bytes.
    words: u64,
    /// Nonzero: copy. Zero: only read. To read, the kernel writes only the words whose bits are all
    /// ones, which should be rare: the compiler removes loads without a use.
    copy: u32,
    /// Out: the copy, as long as `from`.
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
