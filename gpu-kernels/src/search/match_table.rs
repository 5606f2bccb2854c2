//! The mismatch words of every symbol in shared memory, with a copy for every bank, so that no text
//! causes a bank conflict.
//!
//! **The table** comes from the host as `words`: 256 words for each 32 bits of a lane's state.
//! `words[256 w + c]` belongs to symbol c and word w of the state. Its bit b is 1 if c does not
//! match the pattern's symbol that has bit 32 w + b of the state. Each kernel defines the bits of
//! the pattern's symbols; bits without a symbol are 0.
//!
//! **The conflict.** With one word per symbol (Mitani, Ino and Hagihara 2017, section 5) lanes that
//! read different symbols of the same bank wait for one another: up to 32 turns for one load. Here
//! a symbol has a row of 128 bytes, which is all 32 banks, full of copies, and each lane reads its
//! own copy:
//!
//! ```text
//! symbol c's row         bank 0   1   2   3   …    28  29  30  31
//! 1 word per symbol      lane 0   1   2   3   …    28  29  30  31
//! 2 words                lanes 0, 16  1, 17   …   14, 30   15, 31
//! 4 words                lanes 0, 8, 16, 24   …   lanes 7, 15, 23, 31
//!
//! 8-byte loads (2 words) are served per half warp, 16-byte loads (4 words) per quarter of a warp
//! ```
//!
//! So the rows of all symbols take 32 KiB for one, two or four words. More than four words take one
//! such table for every four. ([`Layout::Paper`] is the paper's layout, for comparison.)
//!
//! **Cost** of a look-up: two instructions. One is `dp4a` for the address: it computes a byte of
//! four packed symbols × 128 + base. The other is the load, one for every four words. A block fills
//! the table once from global memory.

use simt_std::integer::dp4a;
use simt_std::prelude::*;

/// Number of symbols of a table: all values of a byte.
pub const SYMBOLS: u32 = 256;

/// Maximum number of words of a symbol in one row: one load of 16 bytes.
const ROW_WORDS: usize = 4;

/// Returns the bytes of shared memory of a table with `words` words per symbol and a copy for every
/// bank.
pub const fn bytes(words: usize) -> u32 {
    Layout::Banks.bytes(words, SYMBOLS)
}

/// Layout of a table in shared memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// A symbol's words once, adjacent, for all lanes: the paper's layout.
    Paper,
    /// A row of all banks per symbol, full of copies.
    Banks,
}

impl Layout {
    /// Returns the layout for a kernel's parameter: [`Banks`](Self::Banks) if it is not 0, else
    /// [`Paper`](Self::Paper).
    #[inline(always)]
    pub const fn from_parameter(banks: u32) -> Self {
        if banks != 0 { Self::Banks } else { Self::Paper }
    }

    /// Returns the words from one row to the next if a row holds `in_row` words of a symbol.
    #[inline(always)]
    const fn pitch(self, in_row: u32) -> u32 {
        match self {
            Self::Paper => in_row,
            Self::Banks => WARP,
        }
    }

    /// Returns the bytes of shared memory of a table with `words` words for each of `symbols`
    /// symbols.
    pub const fn bytes(self, words: usize, symbols: u32) -> u32 {
        let in_row = if words < ROW_WORDS { words } else { ROW_WORDS };
        symbols * self.pitch(in_row as u32) * 4 * words.div_ceil(ROW_WORDS) as u32
    }
}

/// A table of `WORDS` words per symbol (1, 2, 4 or 8), as one lane reads it.
#[derive(Debug, Clone, Copy)]
pub struct MatchTable<const WORDS: usize> {
    /// Byte address in shared memory of this lane's copy of symbol 0's words.
    base: u32,
    /// Bytes from one symbol's row to the next.
    pitch: u32,
}

impl<const WORDS: usize> MatchTable<WORDS> {
    /// Number of words of a symbol in one row.
    const IN_ROW: u32 = if WORDS < ROW_WORDS { WORDS as u32 } else { ROW_WORDS as u32 };

    /// Fills the table with a copy for every bank ([`Layout::Banks`]) from `words`, whose format
    /// the head of this file describes. The table is at the start of dynamic shared memory and
    /// takes [`bytes`]. `warps` is the number of warps of the block.
    ///
    /// # Safety
    /// All threads of the block call it together.
    #[inline(always)]
    pub unsafe fn load(words: Global<u32>, warps: u32) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe { Self::load_as(Layout::Banks, words, warps) }
    }

    /// Fills the table as [`load`](Self::load), with a given layout.
    ///
    /// # Safety
    /// As [`load`](Self::load).
    #[inline(always)]
    pub unsafe fn load_as(layout: Layout, words: Global<u32>, warps: u32) -> Self {
        let table = dynamic_shared_mem::<u32>();
        let (pitch, rows) = (layout.pitch(Self::IN_ROW), SYMBOLS * WORDS.div_ceil(ROW_WORDS) as u32);
        let mut i = thread::thread_idx_x();
        while i < rows * pitch {
            let (row, word) = (i / pitch, i % Self::IN_ROW);
            let from = (row / SYMBOLS * Self::IN_ROW + word) * SYMBOLS + row % SYMBOLS;
            table.write(i, words.read(from as usize));
            i += warps * WARP;
        }
        // SAFETY: guaranteed by the caller.
        unsafe { thread::sync_threads() };
        let copy = if layout == Layout::Banks { warp::lane_id() * Self::IN_ROW % WARP } else { 0 };
        Self { base: table.address() + copy * 4, pitch: pitch * 4 }
    }

    /// Fills the table as [`load_as`](Self::load_as), and adds the row `outside` behind that of
    /// symbol 255, for positions outside the text. For a table of one or two words per symbol,
    /// which then takes [`Layout::bytes`] of [`SYMBOLS`] + 1 symbols.
    ///
    /// # Safety
    /// As [`load`](Self::load).
    #[inline(always)]
    pub unsafe fn load_with_outside(layout: Layout, words: Global<u32>, warps: u32, outside: [u32; WORDS]) -> Self {
        let pitch = layout.pitch(Self::IN_ROW);
        let row = dynamic_shared_mem::<u32>();
        let i = thread::thread_idx_x();
        if i < pitch {
            let is_second = WORDS == 2 && i % 2 == 1;
            row.write(SYMBOLS * pitch + i, if is_second { outside[WORDS - 1] } else { outside[0] });
        }
        // SAFETY: guaranteed by the caller. The barrier in `load_as` also covers the additional
        // row.
        unsafe { Self::load_as(layout, words, warps) }
    }

    /// Returns a view of the table whose symbol 0 has the words of the row
    /// [outside](Self::load_with_outside). A thread whose symbols are outside the text reads zeros
    /// as symbols and uses this view, so it runs the same code as all others.
    #[inline(always)]
    pub fn outside(self) -> Self {
        Self { base: self.base + SYMBOLS * self.pitch, ..self }
    }

    /// Returns the mismatch words of the symbol in byte `k` of `packed`, a word of four symbols.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn read(&self, packed: u32, k: u32) -> [u32; WORDS] {
        let row = dp4a(packed, self.pitch << (8 * k), self.base);
        let mut words = [0; WORDS];
        if WORDS == 1 {
            words[0] = Shared::<u32>::at(row).read(0);
        } else if WORDS == 2 {
            let pair = Shared::<u64>::at(row).read(0);
            (words[0], words[1]) = (pair as u32, (pair >> 32) as u32);
        } else {
            let rows: [U32x4; 2] = core::array::from_fn(|i| {
                if i * ROW_WORDS < WORDS {
                    Shared::<U32x4>::at(row + i as u32 * SYMBOLS * self.pitch).read(0)
                } else {
                    U32x4::default()
                }
            });
            words = core::array::from_fn(|w| rows[w / ROW_WORDS].0[w % ROW_WORDS]);
        }
        words
    }
}
