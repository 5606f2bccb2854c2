//! Exact search by the automaton of Knuth, Morris and Pratt (1977), with a part of the text per
//! thread, for any m.
//!
//! **Problem.** The automaton's state is the number of the pattern's first symbols that the text
//! read so far ends with. It reads no symbol twice: after a mismatch it continues with the longest
//! *border* of the matched prefix, a proper prefix that is also its suffix, then with the border's
//! border, until the next symbol matches or nothing is left.
//!
//! ```text
//! text      a b a b a c          5 symbols match, and the next one is c
//! pattern   a b a b a d
//! border        a b a b a d      failure[5] = 3: pattern[3], b, is not c either
//! border            a b a b …    failure[3] = 1, failure[1] = 0: nothing is left
//! ```
//!
//! **Idea.** Each state depends on the one before, but an occurrence that ends in a part begins at
//! most m - 1 symbols before it. So a thread starts there, with nothing matched, and reports only
//! ends in its own part:
//!
//! ```text
//! thread 0 |==============|                                 = its part, at least twice as long as
//! thread 1          ~~~~~~|==============|                  ~ the m - 1 symbols before it
//! thread 2                         ~~~~~~|==============|
//! ```
//!
//! **Memory.** Failure links and pattern are in global memory, where all threads read them: a word
//! and a byte per symbol of the pattern. A load reads 16 symbols of the text, and a store writes 16
//! bytes of results. Neighbouring lanes of a warp access addresses that are a part apart.
//!
//! **Cost** per symbol of the text: 1 to 1.5 symbols are read. Each takes on average at most 2
//! comparisons, with one load each, and at most 1 failure link, which is another load. Each load
//! waits for the one before. But the lanes of a warp *diverge*: one lane may follow up to log m
//! links (to the base of the golden ratio) at a symbol where the other lanes follow none and wait
//! for it. The worst case for a warp is that at each symbol a different lane follows links.

use crate::search::output::write_bytes;
use simt_std::prelude::*;

/// Threads per block.
pub const THREADS: u32 = 256;

/// Number of symbols that a thread loads at a time.
const SYMBOLS: u64 = 16;

/// Searches a text for a pattern. Launch: one thread per part of the text from `first` on,
/// [`blocks`](Self::blocks).
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Kmp {
    /// The text: n symbols of one byte, padded with arbitrary bytes up to a multiple of 16.
    pub text: Global<U32x4>,
    /// n.
    pub n: u64,
    /// First position whose ends are reported, less than n: a multiple of 16.
    pub first: u64,
    /// Number of symbols per part, a multiple of 16; should be at least twice the halo.
    pub part: u64,
    /// Number of symbols before a part that its thread reads as well: a multiple of 16, at least
    /// m - 1.
    pub halo: u64,
    /// The pattern: m symbols of one byte.
    pub pattern: Global<u8>,
    /// The failure links: for 1 to m matched symbols the length of their longest proper border.
    /// Entry 0 is arbitrary.
    pub failure: Global<u32>,
    /// m, at least 1.
    pub m: u32,
    /// Out: one byte per position from `first` on, 1 where an occurrence ends, else 0; n bytes,
    /// rounded up to a multiple of 16.
    pub bytes: Global<u8>,
}

impl Kmp {
    /// Number of blocks of the launch.
    pub const fn blocks(&self) -> u32 {
        (self.n - self.first).div_ceil(self.part).div_ceil(THREADS as u64) as u32
    }

    /// Returns the number of matched symbols after one more symbol.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    fn next(&self, mut matched: u32, symbol: u8) -> u32 {
        // `matched` is less than m.
        while self.pattern.read_only(matched as usize) != symbol {
            if matched == 0 {
                return 0;
            }
            matched = self.failure.read_only(matched as usize);
        }
        matched + 1
    }
}

#[kernel(threads = THREADS)]
pub fn kmp(self: Kmp) {
    let number = u64::from(thread::block_idx_x()) * u64::from(THREADS) + u64::from(thread::thread_idx_x());
    let start = self.first + number * self.part;
    if start >= self.n {
        return;
    }
    let end = (start + self.part).min(self.n);
    let mut at = start.saturating_sub(self.halo);
    let mut matched = 0;
    while at < end {
        let U32x4(four) = self.text.read((at / SYMBOLS) as usize);
        let mut ends = 0;
        unroll!(w in [0 1 2 3] {
            let word = four[w as usize];
            for byte in 0..4 {
                matched = self.next(matched, (word >> (8 * byte)) as u8);
                if matched == self.m {
                    ends |= 1 << (4 * w + byte);
                    matched = self.failure.read_only(matched as usize);
                }
            }
        });
        if at >= start {
            write_bytes::<{ SYMBOLS as usize }>(self.bytes, at, ends);
        }
        at += SYMBOLS;
    }
}
