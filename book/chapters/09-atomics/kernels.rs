//! Chapter 9: counts of symbols by atomic additions, and a stack by compare-exchange.

use simt_std::atomic::Order;
use simt_std::prelude::*;

// ANCHOR: count_symbols
/// Adds the number of symbols s in the text to `counts[s]`. Launch: any number of blocks; `text`
/// has n symbols, `counts` 256 words; n and the number of threads are below 2^31.
#[kernel(threads = 256)]
pub fn count_symbols(text: Global<u8>, n: u32, counts: Global<u32>) {
    let mut i = thread::index_1d();
    while i < n {
        atomic::fetch_add(counts, text.read(i), 1);
        i += thread::grid_dim_x() * 256;
    }
}
// ANCHOR_END: count_symbols

// ANCHOR: count_in_blocks
/// Does the work of [`count_symbols`](CountSymbols) with bins of each block in shared memory.
#[kernel(threads = 256)]
pub fn count_in_blocks(text: Global<u8>, n: u32, counts: Global<u32>) {
    shared_array!(own: [u32; 256]);
    let t = thread::thread_idx_x();
    own.write(t, 0);
    // SAFETY: all threads of the block are here.
    unsafe { thread::sync_threads() };
    let mut i = thread::index_1d();
    while i < n {
        atomic::fetch_add(own, text.read(i), 1);
        i += thread::grid_dim_x() * 256;
    }
    // SAFETY: all threads of the block are here.
    unsafe { thread::sync_threads() };
    let count = own.read(t);
    if count > 0 {
        atomic::fetch_add(counts, t, count);
    }
}
// ANCHOR_END: count_in_blocks

// ANCHOR: lanes_at_words
/// Lane i adds 1 to word i mod `words`. Launch: one block; `counts` has `words` elements, at least
/// one.
#[kernel(threads = WARP)]
pub fn lanes_at_words(counts: Global<u32>, words: u32) {
    atomic::fetch_add(counts, warp::lane_id() % words, 1);
}
// ANCHOR_END: lanes_at_words

// ANCHOR: stack
/// Takes the top buffer off the stack, and waits until there is one. The low half of `top` is the
/// number of the top buffer, or 0; the high half is the tag. `below[b]` is the buffer below b.
fn pop(top: Global<u64>, below: Global<u32>) -> u32 {
    loop {
        let old = atomic::load_acquire(top, 0);
        let (tag, buffer) = (old >> 32, old as u32);
        if buffer != 0 {
            let new = tag.wrapping_add(1) << 32 | u64::from(atomic::load(below, buffer));
            if atomic::device(top, 0).compare_exchange(old, new, Order::AcqRel) == old {
                return buffer;
            }
        }
    }
}

/// Puts a buffer on top of the stack.
fn push(top: Global<u64>, below: Global<u32>, buffer: u32) {
    loop {
        let old = atomic::load_acquire(top, 0);
        let (tag, next) = (old >> 32, old as u32);
        atomic::store(below, buffer, next);
        let new = tag.wrapping_add(1) << 32 | u64::from(buffer);
        if atomic::device(top, 0).compare_exchange(old, new, Order::AcqRel) == old {
            return;
        }
    }
}
// ANCHOR_END: stack

// ANCHOR: frequent_letters
/// `frequent[p]` is the most frequent letter of piece p, the first of these in the alphabet.
/// Launch: a block for each piece; `text` has 64 letters a to z for each, `frequent` one; `buffers`
/// has 32 words for each buffer, from buffer 1 on; all buffers are in the stack.
#[kernel(threads = 1)]
pub fn frequent_letters(
    text: Global<u8>,
    frequent: Global<u8>,
    top: Global<u64>,
    below: Global<u32>,
    buffers: Global<u32>,
) {
    let piece = thread::block_idx_x();
    let buffer = pop(top, below);
    frequent.write(piece, most_frequent(text, 64 * piece, buffers, 32 * (buffer - 1)));
    push(top, below, buffer);
}
// ANCHOR_END: frequent_letters

// ANCHOR: most_frequent
/// Returns the most frequent letter of 64 letters of `text`, counted in 32 words of `buffers`.
pub fn most_frequent(text: Global<u8>, start: u32, buffers: Global<u32>, bins: u32) -> u8 {
    for letter in 0..32 {
        buffers.write(bins + letter, 0);
    }
    for i in 0..64 {
        buffers.update(bins + u32::from(text.read(start + i) % 32), |count| count + 1);
    }
    let mut best = 1;
    for letter in 2..32 {
        if buffers.read(bins + letter) > buffers.read(bins + best) {
            best = letter;
        }
    }
    b'a' - 1 + best as u8
}
// ANCHOR_END: most_frequent
