//! The match words of every symbol in shared memory: one copy for each bank.
//!
//! The paper's table (Mitani, Ino and Hagihara 2017, section 5) has one word a symbol. Lanes that read different symbols
//! of the same bank then wait for one another: up to 32 ways. Here every lane has a copy in its own bank:
//!
//! ```text
//!              bank 0    bank 1    …    bank 31
//! symbol 0     lane 0    lane 1    …    lane 31        32 words a symbol: 32 KiB for 256 symbols
//! symbol 1     lane 0    lane 1    …    lane 31
//! ```
//!
//! ([`Layout::Paper`] is theirs, to see the difference.) No text makes a conflict, and the address is one instruction: a byte of four packed symbols × 128 + base is what `dp4a`
//! computes. Words of more than 32 bits take one such table for each 32 bits.

use crate::WARP;
use crate::cuda::global::Global;
use crate::cuda::integer::dp4a;
use crate::cuda::shared::{Shared, dynamic_shared_mem};
use crate::cuda::{thread, warp};

/// Symbols that a table has words for.
pub const SYMBOLS: u32 = 256;

/// Bytes of shared memory of a table for each 32 bits.
pub const BYTES: u32 = SYMBOLS * WARP * 4;

/// How a table lies in shared memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// A word a symbol, for all lanes.
    Paper,
    /// A word a symbol and bank.
    Banks,
}

impl Layout {
    /// Bytes from a symbol's words to the next one's.
    #[inline(always)]
    const fn pitch(self) -> u32 {
        match self {
            Layout::Paper => 4,
            Layout::Banks => WARP * 4,
        }
    }
}

/// A lane's copy of a table of `WORDS` words a symbol.
#[derive(Debug, Clone, Copy)]
pub struct MatchTable<const WORDS: usize> {
    /// The shared address of symbol 0's word.
    base: u32,
    layout: Layout,
}

impl<const WORDS: usize> MatchTable<WORDS> {
    /// Copies the words to every bank, at the start of dynamic shared memory: all of symbol 0 to 255, then the next 32 bits.
    ///
    /// # Safety
    /// All threads of the block are here.
    #[inline(always)]
    pub unsafe fn load(words: Global<u32>, warps: u32) -> Self {
        // SAFETY: the caller's.
        unsafe { Self::load_as(Layout::Banks, words, warps) }
    }

    /// Copies words of which each lane has its own: for every 32 bits of a lane, of each symbol those of lane 0 to 31. A warp
    /// then has one row a symbol, a word of 1,024 bits.
    ///
    /// # Safety
    /// As [`load`](Self::load).
    #[inline(always)]
    pub unsafe fn load_lanes(words: Global<u32>, warps: u32) -> Self {
        let own = dynamic_shared_mem::<u32>();
        let mut i = thread::thread_idx_x();
        while i < SYMBOLS * WARP * WORDS as u32 {
            own.write(i, words.read(i as usize));
            i += warps * WARP;
        }
        // SAFETY: the caller's.
        unsafe { thread::sync_threads() };
        Self { base: own.address() + warp::lane_id() * 4, layout: Layout::Banks }
    }

    /// Copies the words in a layout.
    ///
    /// # Safety
    /// As [`load`](Self::load).
    #[inline(always)]
    pub unsafe fn load_as(layout: Layout, words: Global<u32>, warps: u32) -> Self {
        let lane = warp::lane_id();
        let base = dynamic_shared_mem::<u32>().address();
        let base = if layout == Layout::Banks { base + lane * 4 } else { base };
        let thread = thread::thread_idx_x();
        // A warp writes a symbol's words of all banks, or the words of 32 symbols.
        let (mut row, step) = if layout == Layout::Banks { (thread / WARP, warps) } else { (thread, warps * WARP) };
        while row < SYMBOLS * WORDS as u32 {
            Shared::<u32>::at(base + row * layout.pitch()).write(0, words.read(row as usize));
            row += step;
        }
        // SAFETY: the caller's.
        unsafe { thread::sync_threads() };
        Self { base, layout }
    }

    /// The words of the symbol that is byte `k` of `packed`.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn read(&self, packed: u32, k: u32) -> [u32; WORDS] {
        let word = Shared::<u32>::at(dp4a(packed, self.layout.pitch() << (8 * k), self.base));
        core::array::from_fn(|w| word.read(w as u32 * SYMBOLS * self.layout.pitch() / 4))
    }
}
