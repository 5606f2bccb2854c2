//! The first look: which 16 symbols of the text have one of the patterns' *grams*, strings of 4 or 8 symbols.
//!
//! The text is looked at in steps of S = 1, 2, 4 or 8 symbols. Of the places in a piece at which a gram of Q symbols may
//! begin, S neighbours are taken, so one of these is at a step, wherever the piece is in the text. A piece has Q + S - 1
//! symbols at least:
//!
//! ```text
//! piece        c a r r y w a       7 symbols, Q = 4, S = 4
//! grams        c a r r             a text word of 4 symbols, at a multiple of 4, is one of these
//!                a r r y
//!                  r r y w
//!                    r y w a
//! text     . c|a r r y|w a . .|
//! ```
//!
//! **A gram is looked up** by a hash of its words, whose high byte is the place in a table of 256 hashes. The host has
//! multipliers with which no two grams have one place. Each place's hash is there in all 32 banks of shared memory, so there
//! are no conflicts. Other strings of 8 symbols may have the same hash; that costs time and no more.
//!
//! **Memory.** A lane takes 16 symbols in each of a tile's four rows, so that a warp reads 512 neighbours. One bit for each 16
//! symbols says whether a gram begins there.
//!
//! **Cost.** For each step a multiplication for each of its words, `dp4a` for the address, a load from shared memory, a
//! comparison; and for a word at no multiple of 4 a funnel shift. For Q = S = 4 that is less than 2 instructions a symbol.

use super::tiles::TILE;
use simt_std::integer::{dp4a, funnel_shift_right};
use simt_std::prelude::*;

/// Entries of the table of hashes.
pub const SLOTS: u32 = 256;

/// Bytes of an entry: the same word in every bank.
const PITCH: u32 = 4 * WARP;

/// Warps per block.
pub const WARPS: u32 = 16;

/// Entries that a warp writes.
const ENTRIES: u32 = SLOTS / WARPS;

/// Finds where the grams of patterns are in a text. Launch: `blocks` blocks, any number. A gram has `WORDS` words of four
/// symbols, 1 or 2, and is looked for at multiples of `STRIDE`, 1, 2, 4 or 8.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct PieceGrams<const WORDS: usize, const STRIDE: u32> {
    /// The text: n symbols of a byte, 16 a word; after the last one any, up to a multiple of 16.
    pub text: Global<U32x4>,
    /// n, at least 1.
    pub n: u64,
    /// The first tile.
    pub first_tile: u64,
    /// The tile after the last one.
    pub end_tile: u64,
    /// The bits of a symbol that are compared, in each of four bytes.
    pub fold: u32,
    /// What a gram's words are multiplied by; the sum is its hash.
    pub multipliers: U32x2,
    /// For each of 256 slots the hash of a gram, whose high byte is the slot; in an empty slot a number that belongs to
    /// another one.
    pub table: Global<u32>,
    /// Number of blocks of the launch.
    pub blocks: u32,
    /// Out: for each tile from the first on a word for each row, of which bit l is set where a gram begins among the row's
    /// symbols 16 l to 16 l + 15.
    pub marks: Global<U32x4>,
}

impl<const WORDS: usize, const STRIDE: u32> PieceGrams<WORDS, STRIDE> {
    /// Whether a gram may end after the 16 symbols that it begins in.
    const REACHES_ON: bool = STRIDE < 4 * WORDS as u32;

    /// Fills the table. Returns the address of this lane's copy of slot 0.
    ///
    /// # Safety
    /// All threads of the block call it together.
    #[inline(always)]
    unsafe fn load(&self) -> u32 {
        let shared = dynamic_shared_mem::<u32>();
        let (lane, first) = (warp::lane_id(), thread::thread_idx_x() / WARP * ENTRIES);
        // All are asked for before the first one is written.
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

    /// The 16 symbols of word `at` of the text, and the 8 after them, `fold`ed; after the text's end any.
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

    /// Whether a gram begins among 16 symbols.
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
        // All rows are asked for before the first one is looked at.
        let mut rows = [[0; 6]; 4];
        unroll!(row in [0 1 2 3] {
            rows[row as usize] = self.read(first + u64::from(row * WARP));
        });
        let mut marks = [0; 4];
        unroll!(row in [0 1 2 3] {
            let any = self.is_any(table, rows[row as usize]);
            // SAFETY: the whole warp is here: its lanes have one tile.
            marks[row as usize] = unsafe { warp::warp_vote_ballot(FULL_WARP, any) };
        });
        if lane == 0 {
            self.marks.write((tile - self.first_tile) as usize, U32x4(marks));
        }
        tile += u64::from(self.blocks * WARPS);
    }
}
