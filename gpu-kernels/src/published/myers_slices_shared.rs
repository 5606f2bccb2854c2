//! Myers' bit-vectors in short slices of the text, with text and results in shared memory: the
//! future work of Melo and Canalli (2014, section 6). m is at most 32, k is less than m.
//!
//! **Problem.** The slices of [`myers_slices`](super::myers_slices) are about 30 to 60 symbols
//! long. When 32 threads read the next symbol, each of its own slice, they load 32 sectors of 32
//! bytes. A thread that finds an occurrence writes its 1 alone. The paper names both as its
//! bottlenecks.
//!
//! **Idea.** The slices of a block are neighbours. So the block loads the text of all its slices
//! together, in coalesced words, collects the ends as bits, and writes them out together as bytes:
//!
//! ```text
//! global memory    |…… text of 256 slices ……|        |…… one byte per position ……|
//!                          │ 1. load                           ↑ 4. write: 16 bytes per thread
//!                       barrier                             barrier
//!                          ▼                                   │
//! shared memory    |…… words of 4 symbols ……|  2. search   |…… one bit per position ……|
//!                                              ──────────▶
//!                                              3. sets bits: only where there are ends
//! ```
//!
//! **Overlap.** It lies before a slice, not after it, and a thread reports its own slice only. The
//! threads compute the same m + k - 1 symbols twice, but no two threads report the same position.
//! So nothing has to be 0 before the launch, and no two blocks write the same byte. A thread begins
//! at a multiple of four, up to three symbols earlier, so that it reads whole words; an earlier
//! start never makes a result worse.
//!
//! **Banks.** Slices of 32 or 64 symbols are 8 or 16 words apart, so 32 threads would read from 4
//! or 2 banks. Therefore one word is skipped after every 32 words, which moves the next 32 by one
//! bank. A few two-way conflicts remain:
//!
//! ```text
//! word of the text        0 … 31 | 32 … 63 | 64 … 95
//! word in shared memory   0 … 31 | 33 … 64 | 66 … 97
//! ```
//!
//! **Cost** per symbol: as [`myers_slices`](super::myers_slices), except that one load of a word
//! from shared memory fetches four symbols of the text. Match words come from read-only memory here
//! too.

use super::myers_slices::{SliceColumn, Slices};
use crate::search::output::write_bytes;
use simt_std::prelude::*;

/// Threads per block.
pub const THREADS: u32 = 256;

/// Number of symbols per word of the text.
const PACKED: u64 = 4;

/// Number of positions per word of ends.
const BITS: u64 = 32;

/// Number of positions that one store writes.
const STORE: u64 = 16;

/// Index in shared memory of a word of the text: one word is skipped after every 32.
#[inline(always)]
const fn shared_index(word: u32) -> u32 {
    word + word / WARP
}

/// Words of shared memory for a block's text and for its ends: enough for the longest slices at any
/// alignment, with `halo` symbols before them.
const fn words(slices: Slices, halo: u64) -> (u32, u32) {
    let longest = THREADS as u64 * (slices.base + if slices.remaining > 0 { 1 } else { 0 });
    let text = (longest + halo + 2 * (PACKED - 1)) / PACKED;
    (shared_index(text as u32), ((longest + 2 * (BITS - 1)) / BITS) as u32)
}

/// Bytes of shared memory per block.
pub const fn shared_bytes(slices: Slices, halo: u64) -> u32 {
    let (text, ends) = words(slices, halo);
    4 * (text + ends)
}

/// Searches a text for a pattern. Launch: one thread per slice, in as few blocks as possible.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct MyersSlicesShared {
    /// The text: n symbols of one byte, four per word, padded with arbitrary bytes up to a multiple
    /// of 4.
    pub text: Global<u32>,
    /// The slices of the text.
    pub slices: Slices,
    /// Number of symbols before a slice that its thread computes as well, at least m + k - 1.
    pub halo: u64,
    /// m, 1 to 32.
    pub m: u32,
    /// k, less than m.
    pub k: u32,
    /// PEq, one word for each of 256 symbols: bit i is 1 if the symbol matches the pattern's symbol
    /// i. Read-only during the launch.
    pub peq: Global<u32>,
    /// Out: one byte per position, 1 where an occurrence ends, else 0; n bytes, aligned to 16.
    pub bytes: Global<u8>,
}

/// A block's part of the text and of the results. Positions count from the start of the text.
#[derive(Debug, Clone, Copy)]
struct Block {
    /// The first position of the block's slices, and the position after the last one.
    first: u64,
    end: u64,
    /// The position of the first symbol in `symbols`, a multiple of 4.
    fetched: u64,
    /// The position of bit 0 of `ends`, a multiple of 32.
    marked: u64,
    /// The text, four symbols per word, at the indices that [`shared_index`] returns.
    symbols: Shared<u32>,
    /// The ends, one bit per position.
    ends: Shared<u32>,
}

impl Block {
    /// Returns the part of this thread's block.
    #[inline(always)]
    fn new(kernel: &MyersSlicesShared) -> Self {
        let slices = kernel.slices;
        let number = u64::from(thread::block_idx_x()) * u64::from(THREADS);
        let first = slices.start(number);
        let end = slices.start((number + u64::from(THREADS)).min(slices.count));
        let symbols = dynamic_shared_mem::<u32>();
        let ends = Shared::at(symbols.address() + 4 * words(slices, kernel.halo).0);
        let fetched = first.saturating_sub(kernel.halo) / PACKED * PACKED;
        Self { first, end, fetched, marked: first / BITS * BITS, symbols, ends }
    }

    /// Loads the text, coalesced, and clears the ends.
    #[inline(always)]
    fn fetch(&self, text: Global<u32>) {
        let text = text.skip((self.fetched / PACKED) as usize);
        let words = (self.end - self.fetched).div_ceil(PACKED) as u32;
        let mut i = thread::thread_idx_x();
        while i < words {
            self.symbols.write(shared_index(i), text.read(i as usize));
            i += THREADS;
        }
        let words = (self.end - self.marked).div_ceil(BITS) as u32;
        let mut i = thread::thread_idx_x();
        while i < words {
            self.ends.write(i, 0);
            i += THREADS;
        }
    }

    /// Searches a slice.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    fn search(&self, kernel: &MyersSlicesShared, start: u64, end: u64) {
        let from = start.saturating_sub(kernel.halo) / PACKED * PACKED;
        let mut column = SliceColumn::new(kernel.m);
        let mut at = from;
        while at < end {
            let packed = self.symbols.read(shared_index(((at - self.fetched) / PACKED) as u32));
            // Bit i is 1 if the end at symbol i has at most k errors.
            let mut found = 0;
            unroll!(i in [0 1 2 3] {
                let symbol = packed >> (8 * i) & 0xff;
                column.step(kernel.peq.read_only(symbol as usize), kernel.m);
                found |= u32::from(column.score <= kernel.k) << i;
            });
            if found != 0 {
                self.mark(at, found, start, end);
            }
            at += PACKED;
        }
    }

    /// Marks those of four ends that are in the slice: bit i is position `at` + i.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    fn mark(&self, at: u64, found: u32, start: u64, end: u64) {
        let before = start.saturating_sub(at).min(PACKED) as u32;
        let after = (at + PACKED).saturating_sub(end).min(PACKED) as u32;
        let own = found & 0xf << before & 0xf >> after;
        if own != 0 {
            let bit = (at - self.marked) as u32;
            atomic::block(self.ends, bit / BITS as u32).fetch_or(own << (bit % BITS as u32), atomic::Order::Relaxed);
        }
    }

    /// Writes the bytes of all positions, 16 per thread where all 16 belong to the block.
    #[inline(always)]
    fn write_results(&self, bytes: Global<u8>) {
        let mut at = self.marked + u64::from(thread::thread_idx_x()) * STORE;
        while at < self.end {
            let bit = (at - self.marked) as u32;
            let ends = self.ends.read(bit / BITS as u32) >> (bit % BITS as u32);
            if at >= self.first && at + STORE <= self.end {
                write_bytes::<{ STORE as usize }>(bytes, at, ends);
            } else {
                for i in 0..STORE {
                    if (self.first..self.end).contains(&(at + i)) {
                        bytes.write((at + i) as usize, (ends >> i) as u8 & 1);
                    }
                }
            }
            at += u64::from(THREADS) * STORE;
        }
    }
}

#[kernel(threads = THREADS, shared = shared_bytes(self.slices, self.halo))]
pub fn myers_slices_shared(self: MyersSlicesShared) {
    let block = Block::new(&self);
    block.fetch(self.text);
    // SAFETY: all threads of the block reach this call, and those below.
    unsafe { thread::sync_threads() };
    let number = u64::from(thread::block_idx_x()) * u64::from(THREADS) + u64::from(thread::thread_idx_x());
    if number < self.slices.count {
        block.search(&self, self.slices.start(number), self.slices.start(number + 1));
    }
    // SAFETY: as above.
    unsafe { thread::sync_threads() };
    block.write_results(self.bytes);
}
