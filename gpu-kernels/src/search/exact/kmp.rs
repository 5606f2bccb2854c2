//! Exact search by the automaton of Knuth, Morris and Pratt (1977), a part of the text a thread. m is any.
//!
//! **Problem.** The automaton's state is how many of the pattern's first symbols the text read so far ends with. It
//! reads no symbol twice: after a mismatch it goes on with the longest *border* of what matched, a beginning of it that
//! is also its end, and on to the border's border, until the next symbol fits or nothing is left.
//!
//! ```text
//! text      a b a b a c          5 symbols match, and the next one is c
//! pattern   a b a b a d
//! border        a b a b a d      failure[5] = 3: b is not c either
//! border            a b a b …    failure[3] = 1, failure[1] = 0: nothing is left
//! ```
//!
//! **Idea.** States follow one another, but an occurrence that ends in a part begins at most m - 1 symbols before it.
//! So a thread starts there, with nothing matched, and tells what ends in its own part alone:
//!
//! ```text
//! thread 0 |==============|
//! thread 1          ~~~~~~|==============|                  = its part, at least twice as long as ~ the m - 1 symbols before it
//! thread 2                         ~~~~~~|==============|
//! ```
//!
//! **Memory.** Failure links and pattern are in global memory, where all threads read them: a word and a byte a symbol
//! of the pattern. The text comes 16 symbols a load, and 16 bytes of results go out by a store; neighbours in a warp
//! are a part apart.
//!
//! **Cost** a symbol of the text: 1 to 1.5 symbols are read, for each of which there are at most 2 comparisons on
//! average, of an own load each, and at most 1 failure link, a load more. Each waits for the one before. But the lanes
//! of a warp *diverge*: one of them may follow up to log m links, to the base of the golden section, at a symbol where
//! others follow none, and they wait for it. The worst for a warp is when at each symbol it is another lane's turn.

use crate::search::output::write_bytes;
use simt_std::prelude::*;

/// Threads per block.
pub const THREADS: u32 = 256;

/// Symbols that a thread loads at a time.
const SYMBOLS: u64 = 16;

/// Searches a text for a pattern. Launch: a thread a part of the text from `first` on, [`blocks`](Self::blocks).
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Kmp {
    /// The text: n symbols of a byte, and any up to a multiple of 16.
    pub text: Global<U32x4>,
    /// n.
    pub n: u64,
    /// The first position whose ends are wanted, less than n: a multiple of 16.
    pub first: u64,
    /// Symbols of a part, a multiple of 16; it should be twice the halo at least.
    pub part: u64,
    /// Symbols before a part that its thread reads as well: at least m - 1, and a multiple of 16.
    pub halo: u64,
    /// The pattern: m symbols of a byte.
    pub pattern: Global<u8>,
    /// The failure links: for 1 to m matched symbols the length of their longest border, which is shorter; for 0 any.
    pub failure: Global<u32>,
    /// m, at least 1.
    pub m: u32,
    /// Out: a byte a position from `first` on, 1 where an occurrence ends, else 0; n bytes, rounded up to a multiple of
    /// 16.
    pub bytes: Global<u8>,
}

impl Kmp {
    /// Number of blocks of the launch.
    pub const fn blocks(&self) -> u32 {
        (self.n - self.first).div_ceil(self.part).div_ceil(THREADS as u64) as u32
    }

    /// How many symbols are matched after one more.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    fn next(&self, mut matched: u32, symbol: u8) -> u32 {
        // Fewer than m are matched.
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
