//! The two memories of Nakano's models (2012). The DMM is shared memory: a bank serves one word at
//! a time. The UMM is global memory: a whole group of neighbouring words moves at once.

use super::barrier;
use simt_std::prelude::*;

/// Words of the longest array, with its gaps.
pub const WORDS: u32 = 128 * 33;

/// Reverses an array: puts its words at a stride into shared or global memory, and reads them there
/// from the end. Launch: one block; `input` and `output` have n words; n · `stride` is at most
/// 4,224.
#[kernel(max_threads = 128, threads = threads)]
pub fn reverse_at_stride(
    /// The words.
    input: Global<u32>,
    /// The words in reverse order.
    output: Global<u32>,
    /// Number of words.
    n: u32,
    /// The words with their gaps: n · `stride` words.
    spread: Global<u32>,
    /// Distance from one word to the next in shared memory or in `spread`.
    stride: u32,
    /// True: shared memory, the DMM. False: global memory, the UMM.
    shared: bool,
    /// False: no test of the array's end.
    checked: bool,
    /// True: the block waits until all words are there.
    waits: bool,
    /// Threads of a block.
    threads: u32,
) {
    shared_array!(own: [u32; WORDS as usize]);
    for first in (0..n).step_by(threads as usize) {
        let i = first + thread::thread_idx_x();
        if i < n || !checked {
            let word = input.read(i);
            if shared {
                own.write(i * stride, word);
            } else {
                spread.write(i * stride, word);
            }
        }
    }
    // SAFETY: every thread of the block is here.
    unsafe { barrier(waits) };
    for first in (0..n).step_by(threads as usize) {
        let i = first + thread::thread_idx_x();
        if i < n {
            let at = (n - 1 - i) * stride;
            output.write(i, if shared { own.read(at) } else { spread.read(at) });
        }
    }
}
