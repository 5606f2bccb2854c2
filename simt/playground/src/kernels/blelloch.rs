//! Prefix sums by a tree, up and down (Blelloch 1990; "GPU Gems 3", chapter 39).

use super::barrier;
use simt_std::prelude::*;

/// The exclusive prefix sums of each block's words. Launch: `threads` is a power of two; the arrays
/// have 2 × `threads` words per block.
#[kernel(max_threads = 256, threads = threads)]
pub fn blelloch(
    /// The summands.
    input: Global<u32>,
    /// The sum of the words before each in its block.
    output: Global<u32>,
    /// True: one word is left out after every 32.
    padded: bool,
    /// False: the root keeps the total.
    clears: bool,
    /// True: the block waits between two levels.
    waits: bool,
    /// Threads of a block.
    threads: u32,
) {
    shared_array!(words: [u32; 512 + 512 / 32]);
    let place = |i: u32| if padded { i + i / WARP } else { i };
    let (t, len) = (thread::thread_idx_x(), 2 * threads);
    let first = len * thread::block_idx_x();
    for i in [t, t + threads] {
        words.write(place(i), input.read((first + i) as usize));
    }

    // Up: thread t's node covers words 2 s t to 2 s (t + 1) - 1.
    let mut s = 1;
    while s < len {
        // SAFETY: every thread of the block is here.
        unsafe { barrier(waits) };
        let right = 2 * s * (t + 1) - 1;
        if right < len {
            let left = words.read(place(right - s));
            words.write(place(right), left + words.read(place(right)));
        }
        s *= 2;
    }
    if t == 0 && clears {
        words.write(place(len - 1), 0);
    }

    // Down: the left child gets its parent's value, the right child also its sibling's sum.
    while s > 1 {
        s /= 2;
        // SAFETY: every thread of the block is here.
        unsafe { barrier(waits) };
        let right = 2 * s * (t + 1) - 1;
        if right < len {
            let left = words.read(place(right - s));
            let parent = words.read(place(right));
            words.write(place(right - s), parent);
            words.write(place(right), parent + left);
        }
    }
    // SAFETY: every thread of the block is here.
    unsafe { barrier(waits) };
    for i in [t, t + threads] {
        output.write((first + i) as usize, words.read(place(i)));
    }
}
