//! Edit distances by bit vectors (Myers 1999, in Hyyrö's form of 2003): a thread compares one text
//! with the pattern, and a column of the table is two words.

use super::barrier;
use simt_std::prelude::*;

/// The edit distance of the pattern and each text. Launch: at least `count` threads.
#[kernel(max_threads = 1024, threads = threads)]
pub fn myers(
    /// For each of the 4 symbols, the pattern's positions that have it.
    matches: Global<u32>,
    /// The texts, of symbols 0 to 3.
    texts: Global<u32>,
    /// Number of texts.
    count: u32,
    /// Length of each text.
    len: u32,
    /// Length of the pattern: 1 to 32.
    m: u32,
    /// The distances.
    distances: Global<u32>,
    /// True: symbol j of all texts is in one row; false: the symbols of a text are.
    interleaved: bool,
    /// True: the block waits until the table is in shared memory.
    waits: bool,
    /// Threads of a block.
    threads: u32,
) {
    shared_array!(table: [u32; 4]);
    let t = thread::thread_idx_x();
    if t < 4 {
        table.write(t, matches.read(t as usize));
    }
    // SAFETY: every thread of the block is here.
    unsafe { barrier(waits) };
    let i = thread::block_idx_x() * threads + thread::thread_idx_x();
    if i >= count {
        return;
    }
    let (mut up, mut down, mut distance) = (u32::MAX, 0, m);
    for j in 0..len {
        let symbol = texts.read(if interleaved { j * count + i } else { i * len + j } as usize);
        assert!(symbol < 4, "symbol {symbol} of text {i} is not in the table");
        let equal = table.read(symbol);
        let diagonal = ((equal & up).wrapping_add(up) ^ up) | equal | down;
        let (right, left) = (down | !(diagonal | up), up & diagonal);
        distance = distance + (right >> (m - 1) & 1) - (left >> (m - 1) & 1);
        let (right, left) = (right << 1 | 1, left << 1);
        up = left | !(diagonal | right);
        down = right & diagonal;
    }
    distances.write(i as usize, distance);
}
