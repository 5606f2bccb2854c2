//! The first kernel finds the groups of 16 symbols of the text that contain the start of one of the
//! patterns' *grams*, strings of 4 or 8 symbols.
//!
//! The kernel tests the positions of the text in steps of S = 1, 2, 4 or 8 symbols. The host takes
//! S neighbouring grams of Q symbols from each piece, so one of them is at a tested position,
//! wherever the piece is in the text. A piece has at least Q + S - 1 symbols:
//!
//! ```text
//! piece        c a r r y w a       7 symbols, Q = 4, S = 4
//! grams        c a r r             one of these is a text word of 4 symbols at a multiple of 4
//!                a r r y
//!                  r r y w
//!                    r y w a
//! text     . c|a r r y|w a . .|
//! ```
//!
//! **Look-up of a gram.** The high byte of a hash of the gram's words is the index in a table of
//! 256 hashes. The host chooses multipliers that give each gram an entry of its own. Each entry is
//! stored in all 32 banks of shared memory, so there are no conflicts. Other strings of 8 symbols
//! may have the same hash; they cost only time.
//!
//! **Memory.** A lane reads 16 symbols in each of a tile's four rows, so a warp reads 512
//! neighbouring symbols. One bit per 16 symbols is 1 if a gram begins there.
//!
//! **Cost.** A step takes a multiplication for each of its words, `dp4a` for the address, a load
//! from shared memory and a comparison; and a funnel shift for a word that is not at a multiple
//! of 4. For Q = S = 4 that is less than 2 instructions per symbol.

use super::tiles::TILE;
use simt_std::integer::{dp4a, funnel_shift_right};
use simt_std::prelude::*;

/// Number of entries of the table of hashes.
pub const SLOTS: u32 = 256;

/// Bytes per entry: the same word in every bank.
const PITCH: u32 = 4 * WARP;

/// Warps per block.
pub const WARPS: u32 = 16;

/// Number of entries that a warp writes.
const ENTRIES: u32 = SLOTS / WARPS;

/// Finds the positions of the patterns' grams in a text. Launch: `blocks` blocks, any number. A
/// gram has `WORDS` words of four symbols, 1 or 2, and is searched at multiples of `STRIDE`, 1, 2,
/// 4 or 8.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct PieceGrams<const WORDS: usize, const STRIDE: u32> {
    /// The text: n symbols of one byte, 16 per word, padded with arbitrary bytes up to a multiple
    /// of 16.
    pub text: Global<U32x4>,
    /// n, at least 1.
    pub n: u64,
    /// The first tile.
    pub first_tile: u64,
    /// The tile after the last one.
    pub end_tile: u64,
    /// Mask of the symbol bits that are compared, in each of four bytes.
    pub fold: u32,
    /// Multipliers of a gram's words. The sum of the products is its hash.
    pub multipliers: U32x2,
    /// For each of 256 slots the hash of a gram, whose high byte is the slot number. An empty slot
    /// has a number with another high byte.
    pub table: Global<u32>,
    /// Number of blocks of the launch.
    pub blocks: u32,
    /// Out: for each tile from the first on, one word per row. Bit l is 1 if a gram begins among
    /// the row's symbols 16 l to 16 l + 15.
    pub marks: Global<U32x4>,
}

impl<const WORDS: usize, const STRIDE: u32> PieceGrams<WORDS, STRIDE> {
    /// True if a gram may end after the 16 symbols that it begins in.
    const REACHES_ON: bool = STRIDE < 4 * WORDS as u32;

    /// Fills the table. Returns the address of this lane's copy of slot 0.
    ///
    /// # Safety
    /// All threads of the block call it together.
    #[inline(always)]
    unsafe fn load(&self) -> u32 {
        let shared = dynamic_shared_mem::<u32>();
        let (lane, first) = (warp::lane_id(), thread::thread_idx_x() / WARP * ENTRIES);
        // All loads are issued before the first store.
        let mut entries = [0; ENTRIES as usize];
        unroll!(i in [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15] {
            entries[i as usize] = self.table.read((first + i) as usize);
        });
        unroll!(i in [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15] {
            shared.write((first + i) * WARP + lane, entries[i as usize]);
        });
        // SAFETY: guaranteed by the caller.
        unsafe { thread::sync_threads() };
        shared.address() + 4 * lane
    }

    /// Returns the 16 symbols of word `at` of the text, and the 8 after them, masked by `fold`.
    /// Symbols after the text's end are arbitrary.
    #[inline(always)]
    fn read(&self, at: u64) -> [u32; 6] {
        let last = (self.n - 1) / 16;
        let U32x4(own) = self.text.read(at.min(last) as usize);
        let mut words = [own[0], own[1], own[2], own[3], 0, 0];
        if Self::REACHES_ON {
            let U32x2(next) = self.text.cast::<U32x2>().read(2 * (at + 1).min(last) as usize);
            (words[4], words[5]) = (next[0], next[1]);
        }
        words.map(|word| word & self.fold)
    }

    /// Returns true if a gram begins among 16 symbols.
    #[inline(always)]
    fn is_any(&self, table: u32, symbols: [u32; 6]) -> bool {
        let U32x2(multipliers) = self.multipliers;
        let word = |at: u32| {
            let (i, s) = ((at / 4) as usize, at % 4);
            if s == 0 { symbols[i] } else { funnel_shift_right(symbols[i], symbols[i + 1], 8 * s) }
        };
        let mut any = false;
        unroll!(at in [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15] {
            if at.is_multiple_of(STRIDE) {
                let mut hash = word(at).wrapping_mul(multipliers[0]);
                if WORDS == 2 {
                    hash = hash.wrapping_add(word(at + 4).wrapping_mul(multipliers[1]));
                }
                // The high byte × 128.
                let entry = Shared::<u32>::at(dp4a(hash, PITCH << 24, table)).read(0);
                any |= entry == hash;
            }
        });
        any
    }
}

#[kernel(
    threads = WARPS * WARP,
    shared = SLOTS * PITCH,
    instances = [
        piece_grams_1_1: (1, 1), piece_grams_1_4: (1, 4),
        piece_grams_2_1: (2, 1), piece_grams_2_2: (2, 2), piece_grams_2_4: (2, 4), piece_grams_2_8: (2, 8),
    ]
)]
pub fn piece_grams<const WORDS: usize, const STRIDE: u32>(self: PieceGrams<WORDS, STRIDE>) {
    // SAFETY: all threads of the block reach this call.
    let table = unsafe { self.load() };
    let lane = warp::lane_id();
    let mut tile = self.first_tile + u64::from(thread::block_idx_x() * WARPS + thread::thread_idx_x() / WARP);
    while tile < self.end_tile {
        let first = tile * (TILE / 16) + u64::from(lane);
        // The loads of all rows are issued before the first row is processed.
        let mut rows = [[0; 6]; 4];
        unroll!(row in [0 1 2 3] {
            rows[row as usize] = self.read(first + u64::from(row * WARP));
        });
        let mut marks = [0; 4];
        unroll!(row in [0 1 2 3] {
            let any = self.is_any(table, rows[row as usize]);
            // SAFETY: all lanes of the warp reach this call: they have the same tile.
            marks[row as usize] = unsafe { warp::warp_vote_ballot(FULL_WARP, any) };
        });
        if lane == 0 {
            self.marks.write((tile - self.first_tile) as usize, U32x4(marks));
        }
        tile += u64::from(self.blocks * WARPS);
    }
}
