//! GBPR: Shift-Or and Wu-Manber in a short segment of the text for each thread. Lin, Wang and Huang
//! (2014) published it. Their paper was not available; this kernel follows the description of
//! Mitani, Ino and Hagihara (2017), who reimplemented it as a baseline. m is at most 64, and k is
//! at most 3.
//!
//! **Idea.** The automaton of [`search`](crate::search) processes a text in order. So each thread
//! gets a segment of s symbols of its own. It reads a halo before the segment as well, because an
//! occurrence may begin there:
//!
//! ```text
//! text    |- segment 0 -|- segment 1 -|- segment 2 -| …     s symbols per thread, 8 by default
//!              |-------- halo --------|                     m + k - 1 symbols before a segment,
//!              thread 2 starts here                         read by its thread as well
//!
//! step    0    1    2          a warp's loads are s bytes apart: α = 1, the original
//! α = 4   0-3  4-7  8-11       "tiled": α symbols by one load, α results by one store
//! ```
//!
//! (The paper's text has halos of m - 1 symbols. An occurrence with k insertions is k symbols
//! longer.)
//!
//! **Memory.** The mismatch words are in shared memory. Text and results are in global memory, with
//! one result byte per position.
//!
//! **Cost** per symbol of the text: (s + m + k - 1) / s steps, 8.9 for s = 8 and m = 64. A step
//! takes a load from shared memory, 2 instructions for level 0, and 7 for each level above it. With
//! α = 1 each step also takes a load from global memory. [`wu_manber`](crate::search::wu_manber) is
//! the same idea with segments of thousands of symbols.

use crate::published::scan::Bits;
use crate::published::thread_symbols::{each, symbols};
use crate::search::match_table::{Layout, MatchTable, SYMBOLS};
use crate::search::output::write_bytes;
use core::marker::PhantomData;
use simt_std::prelude::*;

/// Warps per block.
const WARPS: u32 = 8;

/// Threads per block.
pub const THREADS: u32 = WARPS * WARP;

/// Searches a text for a pattern with words of w = 32 or 64 bits, as `WORDS` words of 32 bits.
/// Launch: any number of blocks, whose threads take one segment at a time.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Gbpr<W, const WORDS: usize, const ALPHA: usize, const LEVELS: usize> {
    /// The text: n symbols of one byte, padded with arbitrary bytes up to a multiple of 16.
    pub text: Global<u8>,
    /// n, at least 1.
    pub n: u64,
    /// First position whose results are written, a multiple of 16. The text before it is context.
    pub first: u64,
    /// s, the symbols per segment: a positive multiple of `ALPHA`.
    pub segment: u64,
    /// Number of segments from `first` on.
    pub segments: u64,
    /// Number of blocks of the launch. A thread's next segment is as many segments further on as
    /// the launch has threads.
    pub blocks: u32,
    /// Number of symbols before a segment that its thread reads as well: a multiple of `ALPHA`, at
    /// least m + k - 1.
    pub halo: u32,
    /// m, 1 to w.
    pub m: u32,
    /// Layout of the table in shared memory: a copy for every bank (not 0), or the paper's layout
    /// (0).
    pub banks: u32,
    /// The mismatch words, as [`match_table`](crate::search::match_table) defines them: the
    /// pattern's symbol i has bit i.
    pub table: Global<u32>,
    /// Out: one byte per position, 1 where an occurrence ends, else 0; n bytes, rounded up to a
    /// multiple of 16.
    pub bytes: Global<u8>,
    /// Word type: `u32` or `u64`, w = 32 or 64 bits.
    pub word: PhantomData<W>,
}

impl<W: Bits, const WORDS: usize, const ALPHA: usize, const LEVELS: usize> Gbpr<W, WORDS, ALPHA, LEVELS> {
    /// Searches segment `number`, beginning with the halo before it.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    fn search_segment(&self, number: u64, table: MatchTable<WORDS>) {
        let start = self.first + number * self.segment;
        let end = (start + self.segment).min(self.n);
        let mut at = start.saturating_sub(self.halo.into());
        // A set bit is a state that is not reached. Before any symbol, d errors (d deletions) reach
        // the states of the first d bits.
        let mut states: [W; LEVELS] = core::array::from_fn(|d| W::ones_from(d as u32));
        while at < end {
            let packed = symbols::<ALPHA>(self.text, at);
            let mut ends = 0;
            each!(i in ALPHA {
                let words = table.read(packed[i / 4], (i % 4) as u32);
                let mismatches = W::from_halves(words[0], words[WORDS - 1]);
                // `old` and `new` are the states of level d - 1 before and after the symbol. A
                // substitution and a deletion reach a state from these, shifted by one bit; one
                // shift serves both.
                let (mut old, mut new) = (states[0], states[0]);
                for d in 0..LEVELS {
                    let state = states[d];
                    let matched = state.up(1) | mismatches;
                    states[d] = if d == 0 { matched } else { matched & old & (old & new).up(1) };
                    (old, new) = (state, states[d]);
                }
                ends |= (!states[LEVELS - 1].low_from(self.m - 1) & 1) << i;
            });
            if at >= start {
                write_bytes::<ALPHA>(self.bytes, at, ends);
            }
            at += ALPHA as u64;
        }
    }
}

#[kernel(
    threads = THREADS,
    shared = Layout::from_parameter(self.banks).bytes(WORDS, SYMBOLS),
    instances = [
        gbpr_32_1_0: (u32, 1, 1, 1), gbpr_32_1_1: (u32, 1, 1, 2), gbpr_32_1_2: (u32, 1, 1, 3), gbpr_32_1_3: (u32, 1, 1, 4),
        gbpr_32_4_0: (u32, 1, 4, 1), gbpr_32_4_1: (u32, 1, 4, 2), gbpr_32_4_2: (u32, 1, 4, 3), gbpr_32_4_3: (u32, 1, 4, 4),
        gbpr_32_8_0: (u32, 1, 8, 1), gbpr_32_8_1: (u32, 1, 8, 2), gbpr_32_8_2: (u32, 1, 8, 3), gbpr_32_8_3: (u32, 1, 8, 4),
        gbpr_32_16_0: (u32, 1, 16, 1), gbpr_32_16_1: (u32, 1, 16, 2), gbpr_32_16_2: (u32, 1, 16, 3), gbpr_32_16_3: (u32, 1, 16, 4),
        gbpr_64_1_0: (u64, 2, 1, 1), gbpr_64_1_1: (u64, 2, 1, 2), gbpr_64_1_2: (u64, 2, 1, 3), gbpr_64_1_3: (u64, 2, 1, 4),
        gbpr_64_4_0: (u64, 2, 4, 1), gbpr_64_4_1: (u64, 2, 4, 2), gbpr_64_4_2: (u64, 2, 4, 3), gbpr_64_4_3: (u64, 2, 4, 4),
        gbpr_64_8_0: (u64, 2, 8, 1), gbpr_64_8_1: (u64, 2, 8, 2), gbpr_64_8_2: (u64, 2, 8, 3), gbpr_64_8_3: (u64, 2, 8, 4),
        gbpr_64_16_0: (u64, 2, 16, 1), gbpr_64_16_1: (u64, 2, 16, 2), gbpr_64_16_2: (u64, 2, 16, 3), gbpr_64_16_3: (u64, 2, 16, 4),
    ]
)]
pub fn gbpr<W: Bits, const WORDS: usize, const ALPHA: usize, const LEVELS: usize>(self: Gbpr<W, WORDS, ALPHA, LEVELS>) {
    // SAFETY: all threads of the block reach this call.
    let table = unsafe { MatchTable::<WORDS>::load_as(Layout::from_parameter(self.banks), self.table, WARPS) };
    let mut number = u64::from(thread::index_1d());
    while number < self.segments {
        self.search_segment(number, table);
        number += u64::from(self.blocks * THREADS);
    }
}
