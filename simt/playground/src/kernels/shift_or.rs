//! Shift-Or (Baeza-Yates and Gonnet 1992) as a prefix scan: a step shifts the state by one and ors
//! a mask. Steps compose to a shift and a mask again, so that a scan computes all states at once.

use super::barrier;
use simt_std::prelude::*;

/// The pattern's occurrences by their last position. Launch: ⌈n / (`threads` - m + 1)⌉ blocks: each
/// starts m - 1 positions before the end of the one before.
#[kernel(max_threads = 256, threads = threads)]
pub fn shift_or_scan(
    /// For each of the 4 symbols: bit i is 0 if the pattern has it at i.
    masks: Global<u32>,
    /// The text, of symbols 0 to 3.
    text: Global<u32>,
    /// Length of the text.
    n: u32,
    /// Length of the pattern: at most 32, and less than `threads`.
    m: u32,
    /// For each position, 1 if an occurrence ends there.
    ends: Global<u32>,
    /// True: each step of the scan writes another buffer than it reads.
    two_buffers: bool,
    /// True: the block waits after each step.
    waits: bool,
    /// Threads of a block.
    threads: u32,
) {
    shared_array!(buffers: [u32; 512]);
    let t = thread::thread_idx_x();
    let at = thread::block_idx_x() * (threads - (m - 1)) + t;
    let mut state = if at < n { masks.read(text.read(at as usize) as usize) } else { u32::MAX };
    // Before step s, the state covers the last s symbols; symbols more than m back do not matter.
    let (mut s, mut from) = (1, 0);
    buffers.write(t, state);
    while s < m {
        // SAFETY: every thread of the block is here.
        unsafe { barrier(waits) };
        let to = if two_buffers { threads - from } else { from };
        let before = if t >= s { buffers.read(from + t - s) } else { u32::MAX };
        state |= before << s;
        buffers.write(to + t, state);
        from = to;
        s *= 2;
    }
    let whole = thread::block_idx_x() == 0 || t >= m - 1;
    if at < n && whole {
        ends.write(at as usize, u32::from(at + 1 >= m && state >> (m - 1) & 1 == 0));
    }
}
