//! Finds the symbols that occur in a text, so that
//! [`listed_pairs`](crate::distance::listed_pairs) needs planes for these only.
//!
//! **Threads.** A thread reads every n-th word of four symbols, and keeps a bit for each of the 256
//! symbols. The lanes of a warp combine their bits, and one of them adds those to the result.
//!
//! **Cost.** 17 instructions per symbol, and 40 shuffles and 8 atomic operations per warp.

use crate::collectives::reduce::reduce_groups;
use simt_std::prelude::*;

/// Number of words for a bit of each symbol.
pub const SET_WORDS: usize = 8;

/// Finds the symbols that occur. Launch: any number of blocks.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct SymbolsUsed {
    /// The text. A multiple of 4 after `head` symbols.
    pub text: Global<u8>,
    /// Number of symbols.
    pub len: u64,
    /// Symbols before the first word: those before the first address that is a multiple of 4, at
    /// most `len`.
    pub head: u64,
    /// Out: bit s % 32 of word s / 32 is set for each symbol s that occurs; 0 at the start.
    pub set: Global<u32>,
}

/// A bit for each symbol.
type Set = [u32; SET_WORDS];

#[inline(always)]
fn insert(set: &mut Set, symbol: u32) {
    let bit = 1 << (symbol & 31);
    unroll!(w in [0 1 2 3 4 5 6 7] {
        if symbol >> 5 == w {
            set[w as usize] |= bit;
        }
    });
}

#[kernel(threads = 256)]
fn symbols_used(self: SymbolsUsed) {
    let (thread, threads) = (u64::from(thread::index_1d()), u64::from(thread::grid_dim_x() * Self::BLOCK_THREADS));
    let mut set: Set = [0; SET_WORDS];
    let words = (self.len - self.head) / 4;
    let text = self.text.skip(self.head as usize).cast::<u32>();
    let mut i = thread;
    while i < words {
        let word = text.read(i as usize);
        unroll!(b in [0 1 2 3] {
            insert(&mut set, word >> (8 * b) & 0xff);
        });
        i += threads;
    }
    // The symbols before and after the words: fewer than four each.
    let after = self.head + 4 * words;
    if thread < self.head {
        insert(&mut set, self.text.read(thread as usize).into());
    }
    if thread < self.len - after {
        insert(&mut set, self.text.read((after + thread) as usize).into());
    }
    let lane = warp::lane_id();
    unroll!(w in [0 1 2 3 4 5 6 7] {
        let mut used = set[w as usize];
        reduce_groups!(used, 5, other => used | other);
        if lane == 0 && used != 0 {
            atomic::fetch_or(self.set, w as usize, used);
        }
    });
}
