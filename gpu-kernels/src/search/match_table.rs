//! The match words of every symbol in shared memory: a copy for every bank.
//!
//! The paper's table (Mitani, Ino and Hagihara 2017, section 5) has one word a symbol. Lanes that read different symbols
//! of the same bank then wait for one another: up to 32 ways. Here a symbol has a row of all banks, full of copies, and a lane
//! reads its own:
//!
//! ```text
//!                bank 0   1   2   3   …    28  29  30  31
//! 1 word a row   lane 0   1   2   3   …    28  29  30  31
//! 2 words        lanes 0, 16  1, 17   …   14, 30   15, 31        a load of 8 bytes goes by half warps
//! 4 words        lanes 0, 8, 16, 24   …   lanes 7, 15, 23, 31    one of 16 bytes by quarters
//! ```
//!
//! So no text makes a conflict, and all symbols' rows take 32 KiB, be it one word or four. ([`Layout::Paper`] is the paper's,
//! to see the difference.) The address is one instruction: a byte of four packed symbols × 128 + base is what `dp4a`
//! computes. More than 4 words take one such table for every four.

use simt_std::integer::dp4a;
use simt_std::prelude::*;

/// Symbols that a table has words for.
pub const SYMBOLS: u32 = 256;

/// Words of a row.
const ROW_WORDS: usize = 4;

/// Bytes of shared memory of a table of so many words a symbol.
pub const fn bytes(words: usize) -> u32 {
    SYMBOLS * WARP * 4 * words.div_ceil(ROW_WORDS) as u32
}

/// How a table lies in shared memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// A symbol's words once, for all lanes.
    Paper,
    /// A copy for every bank.
    Banks,
}

/// A lane's copy of a table of `WORDS` words a symbol: 1, 2, 4 or 8.
#[derive(Debug, Clone, Copy)]
pub struct MatchTable<const WORDS: usize> {
    /// The shared address of symbol 0's words.
    base: u32,
    layout: Layout,
}

impl<const WORDS: usize> MatchTable<WORDS> {
    /// Words of a symbol in one row.
    const IN_ROW: u32 = if WORDS < ROW_WORDS { WORDS as u32 } else { ROW_WORDS as u32 };

    /// Words from a symbol's row to the next one's.
    #[inline(always)]
    const fn pitch(layout: Layout) -> u32 {
        match layout {
            Layout::Paper => Self::IN_ROW,
            Layout::Banks => WARP,
        }
    }

    /// Copies the words to every bank, at the start of dynamic shared memory ([`bytes`]): in `words` are 256 for each 32 bits.
    ///
    /// # Safety
    /// All threads of the block are here.
    #[inline(always)]
    pub unsafe fn load(words: Global<u32>, warps: u32) -> Self {
        // SAFETY: the caller's.
        unsafe { Self::load_as(Layout::Banks, words, warps) }
    }

    /// Copies the words in a layout.
    ///
    /// # Safety
    /// As [`load`](Self::load).
    #[inline(always)]
    pub unsafe fn load_as(layout: Layout, words: Global<u32>, warps: u32) -> Self {
        let table = dynamic_shared_mem::<u32>();
        let (pitch, rows) = (Self::pitch(layout), SYMBOLS * WORDS.div_ceil(ROW_WORDS) as u32);
        let mut i = thread::thread_idx_x();
        while i < rows * pitch {
            let (row, word) = (i / pitch, i % Self::IN_ROW);
            let from = (row / SYMBOLS * Self::IN_ROW + word) * SYMBOLS + row % SYMBOLS;
            table.write(i, words.read(from as usize));
            i += warps * WARP;
        }
        // SAFETY: the caller's.
        unsafe { thread::sync_threads() };
        let copy = if layout == Layout::Banks { warp::lane_id() * Self::IN_ROW % WARP } else { 0 };
        Self { base: table.address() + copy * 4, layout }
    }

    /// The words of the symbol that is byte `k` of `packed`.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn read(&self, packed: u32, k: u32) -> [u32; WORDS] {
        let pitch = 4 * Self::pitch(self.layout);
        let row = dp4a(packed, pitch << (8 * k), self.base);
        let mut words = [0; WORDS];
        if WORDS == 1 {
            words[0] = Shared::<u32>::at(row).read(0);
        } else if WORDS == 2 {
            let pair = Shared::<u64>::at(row).read(0);
            (words[0], words[1]) = (pair as u32, (pair >> 32) as u32);
        } else {
            let rows: [U32x4; 2] = core::array::from_fn(|i| {
                if i * ROW_WORDS < WORDS {
                    Shared::<U32x4>::at(row + i as u32 * SYMBOLS * pitch).read(0)
                } else {
                    U32x4::default()
                }
            });
            words = core::array::from_fn(|w| rows[w / ROW_WORDS].0[w % ROW_WORDS]);
        }
        words
    }
}
