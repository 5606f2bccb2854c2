//! How many bytes of its memory a GPU reads and copies a second: the ceilings that the search kernels are compared
//! with.
//!
//! Every thread has four loads of 16 bytes on the way at once; the words of a warp are neighbours. **Cost** a word of
//! 16 bytes: a load and, to copy, a store.

use simt_std::prelude::*;

/// Copies an array, or only reads it. Launch: any number of blocks.
#[kernel(threads = 512)]
pub fn memory_rate(
    /// The array that is read.
    from: Global<U32x4>,
    /// Its words of 16 bytes, at least 1.
    words: u64,
    /// Whether to copy (not 0), or only to read (0). Then only words whose bits are all ones are written, of which
    /// there should be few: the reads must have a use, or the compiler would leave them out.
    copy: u32,
    /// Out: as long as `from`.
    to: Global<U32x4>,
    /// Threads of the whole launch.
    threads: u64,
) {
    let mut i = u64::from(thread::index_1d());
    while i < words {
        // Four loads on the way, then four stores.
        let mut fetched = [U32x4::default(); 4];
        unroll!(k in [0 1 2 3] {
            fetched[k as usize] = from.read((i + u64::from(k) * threads).min(words - 1) as usize);
        });
        unroll!(k in [0 1 2 3] {
            let at = i + u64::from(k) * threads;
            let U32x4(word) = fetched[k as usize];
            let wanted = copy != 0 || word[0] & word[1] & word[2] & word[3] == !0;
            if wanted && at < words {
                to.write(at as usize, fetched[k as usize]);
            }
        });
        i += 4 * threads;
    }
}
