//! The sieve: a filter over all positions of the text. It leaves few positions where the pattern
//! may begin.
//!
//! A warp processes a *tile* of 2,048 symbols, 64 neighbouring symbols per lane. There are two
//! sieves:
//!
//! **Window.** Eight neighbouring symbols of the pattern, its *window*, are compared with the text
//! at every position:
//!
//! ```text
//! pattern          | … | window |  …     from symbol `offset` on
//! text       a c g t a c c t g a c …     an occurrence begins `offset` symbols before the window
//! ```
//!
//! The host places the window around a critical position of the pattern, where the least repetition
//! is as long as the pattern's period (Crochemore, Perrin 1991). If the period is more than 4, two
//! windows in any text are at least 5 apart. Cost: 3.75 instructions per symbol, and 4.75 more if a
//! lane of the warp has found a window.
//!
//! **Grams.** The text is cut into aligned blocks of 16 symbols. Among the blocks that an
//! occurrence covers, one begins at one of 16 consecutive positions of the pattern. So it equals
//! one of 16 strings of 16 symbols, the *grams*:
//!
//! ```text
//! pattern    | … 0 1 2 … 15 ………………… 30 … |      31 symbols from `offset` on
//!                |--- gram 0 ---|
//!                  |--- gram 1 ---|             the number of the block's gram determines
//!                        …                      where the occurrence begins
//! text       |---- block ----|---- block ----|---- block ----|
//! ```
//!
//! The host chooses an offset where the 16 grams are all different, so that a block leaves at most
//! one position in any text. A block is looked up by a hash of its four words; the hash's high byte
//! is the index in a table of 256 tags. If the block is a gram, the hashes of up to three blocks
//! after it are compared with those of the pattern's symbols there. The verification rejects false
//! positions with the same hashes. Cost: about 15 instructions per 16 symbols.

use simt_std::integer::funnel_shift_right;
use simt_std::prelude::*;

/// Number of symbols per tile.
pub const TILE: u64 = (WARP * LANE_SYMBOLS) as u64;

/// Number of symbols per lane in a tile.
pub const LANE_SYMBOLS: u32 = 64;

/// Number of symbols per window.
pub const WINDOW: u32 = 8;

/// Number of symbols per gram and per block.
pub const GRAM: u32 = 16;

/// Number of slots in the table of grams.
pub const SLOTS: u32 = 256;

/// Bytes of shared memory for the table of grams.
pub const TABLE_BYTES: u32 = 4 * TABLE_WORDS;

/// Number of words of the table of grams.
pub const TABLE_WORDS: u32 = 2 * SLOTS + MAX_FOLLOWING * GRAM;

/// Maximum number of blocks after a gram that are compared.
pub const MAX_FOLLOWING: u32 = 3;

/// Parameters of both sieves.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Sieve {
    /// Position in the pattern of the first symbol of the window or of gram 0.
    pub offset: u32,
    /// The bits of a symbol that both sieves compare, in each of four bytes.
    pub fold: u32,
    /// The window: eight symbols masked by `fold`, and 0 after the pattern's end.
    pub window: U32x2,
    /// The bits of the window that count: all, unless the window is longer than the pattern.
    pub significant_bits: U32x2,
    /// Multipliers of the four words of a block. The sum of the products is its hash.
    pub multipliers: U32x4,
    /// For each of 256 slots the hash of a gram; an empty slot has a number with another high byte.
    /// Then, for each slot, the number of its gram. Then, three times, for each gram number the
    /// hash of the next 16 symbols.
    pub table: Global<u32>,
    /// Number of blocks after a gram that the pattern covers for each of the grams: up to three.
    pub following: u32,
}

/// A lane's symbols of a tile and the eight after them, four per word.
pub type LaneText = [u32; 18];

/// Reads a lane's symbols of a tile of a text of n symbols, masked by `fold`. Symbols after the
/// text's end are arbitrary.
#[inline(always)]
pub fn read(text: Global<U32x4>, n: u64, tile: u64, fold: u32) -> LaneText {
    let last = (n - 1) / 16;
    let first = tile * (TILE / 16) + u64::from(warp::lane_id() * (LANE_SYMBOLS / 16));
    let mut words = [0; 18];
    unroll!(q in [0 1 2 3] {
        let U32x4(four) = text.read((first + u64::from(q)).min(last) as usize);
        unroll!(i in [0 1 2 3] {
            words[(4 * q + i) as usize] = four[i as usize] & fold;
        });
    });
    let U32x4(after) = text.read((first + 4).min(last) as usize);
    words[16] = after[0] & fold;
    words[17] = after[1] & fold;
    words
}

/// Repeats the block with each of the numbers 0 to 15 as a constant.
macro_rules! sixteen {
    ($q:ident $body:block) => {
        unroll!($q in [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15] $body)
    };
}

impl Sieve {
    /// Returns 0 if the window is at the lane's symbol 4 q + s.
    #[inline(always)]
    fn difference<const SHORT: bool>(&self, text: &LaneText, q: u32, s: u32) -> u32 {
        let at = |word: usize| funnel_shift_right(text[word], text[(word + 1).min(17)], 8 * s);
        let (U32x2(window), U32x2(significant_bits)) = (self.window, self.significant_bits);
        let (low, high) = (at(q as usize) ^ window[0], at(q as usize + 1) ^ window[1]);
        if SHORT { low & significant_bits[0] | high & significant_bits[1] } else { low | high }
    }

    /// Returns true if the window, of eight symbols, is at any of the lane's 64 symbols.
    #[inline(always)]
    pub fn has_window(&self, text: &LaneText) -> bool {
        let mut least = !0;
        sixteen!(q {
            unroll!(s in [0 1 2 3] {
                least = least.min(self.difference::<false>(text, q, s));
            });
        });
        least == 0
    }

    /// Returns the positions of the window: bit i is the lane's symbol i. `SHORT` is for patterns
    /// of less than eight symbols.
    #[inline(always)]
    pub fn windows<const SHORT: bool>(&self, text: &LaneText) -> u64 {
        let (mut low, mut high) = (0, 0);
        sixteen!(q {
            unroll!(s in [0 1 2 3] {
                let is = u32::from(self.difference::<SHORT>(text, q, s) == 0) << ((4 * q + s) % 32);
                if q < 8 {
                    low |= is;
                } else {
                    high |= is;
                }
            });
        });
        u64::from(high) << 32 | u64::from(low)
    }

    /// Copies the table of grams to shared memory.
    ///
    /// # Safety
    /// All threads of a block of `threads` call it together.
    #[inline(always)]
    pub unsafe fn load(&self, threads: u32) -> Grams {
        let shared = dynamic_shared_mem::<u32>();
        let mut i = thread::thread_idx_x();
        while i < TABLE_WORDS {
            shared.write(i, self.table.read(i as usize));
            i += threads;
        }
        // SAFETY: guaranteed by the caller.
        unsafe { thread::sync_threads() };
        Grams { tags: shared }
    }
}

/// The table of grams in shared memory.
#[derive(Debug, Clone, Copy)]
pub struct Grams {
    tags: Shared<u32>,
}

/// Results of a look-up of a lane's four blocks.
#[derive(Debug, Clone, Copy)]
pub struct Found {
    /// Bit i is 1 if block i is a gram.
    pub blocks: u32,
    /// The hash of each block.
    hashes: [u32; 4],
}

impl Grams {
    /// Looks up the lane's four blocks.
    #[inline(always)]
    pub fn look_up(&self, sieve: &Sieve, text: &LaneText) -> Found {
        let U32x4(multipliers) = sieve.multipliers;
        let mut found = Found { blocks: 0, hashes: [0; 4] };
        unroll!(block in [0 1 2 3] {
            let mut hash = 0u32;
            unroll!(i in [0 1 2 3] {
                hash = hash.wrapping_add(text[(4 * block + i) as usize].wrapping_mul(multipliers[i as usize]));
            });
            found.hashes[block as usize] = hash;
            found.blocks |= u32::from(self.tags.read(hash >> 24) == hash) << block;
        });
        found
    }

    /// Returns those grams among the blocks that the pattern's next symbols follow, and their gram
    /// numbers: block i's is byte i.
    ///
    /// # Safety
    /// All 32 lanes of the warp call it together, with neighbouring blocks.
    #[inline(always)]
    pub unsafe fn followed(&self, sieve: &Sieve, found: Found) -> (u32, u32) {
        // The blocks after those of the last lane are unknown; they count as matching.
        let known = if warp::lane_id() + 1 < WARP { MAX_FOLLOWING } else { 0 };
        let Found { mut blocks, hashes: [a, b, c, d] } = found;
        let (mut all, mut gram_numbers) = ([a, b, c, d, 0, 0, 0], 0);
        unroll!(i in [0 1 2] {
            // SAFETY: guaranteed by the caller.
            let (next, _) = unsafe { warp::warp_shuffle_down(FULL_WARP, all[i as usize], 1, WARP) };
            all[4 + i as usize] = next;
        });
        unroll!(block in [0 1 2 3] {
            if blocks >> block & 1 != 0 {
                let gram_number = self.tags.read(SLOTS + (all[block as usize] >> 24));
                gram_numbers |= gram_number << (8 * block);
                unroll!(after in [0 1 2] {
                    if after < sieve.following && block + after < 3 + known {
                        let expected = self.tags.read(2 * SLOTS + after * GRAM + gram_number);
                        if all[(block + after + 1) as usize] != expected {
                            blocks &= !(1 << block);
                        }
                    }
                });
            }
        });
        (blocks, gram_numbers)
    }
}

/// Returns the symbols of a lane in a tile at positions from `from` on and before `to`: bit i is
/// symbol i.
#[inline(always)]
pub fn within(lane_first: u64, from: u64, to: u64) -> u64 {
    let before = |end: u64| {
        let symbols = end.saturating_sub(lane_first).min(u64::from(LANE_SYMBOLS)) as u32;
        if symbols == LANE_SYMBOLS { !0 } else { (1u64 << symbols) - 1 }
    };
    before(to) & !before(from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_of_a_lane() {
        assert_eq!(within(64, 0, 1000), !0);
        assert_eq!(within(64, 64, 128), !0);
        assert_eq!(within(64, 65, 127), !0 << 1 & !0 >> 1);
        assert_eq!(within(64, 128, 1000), 0);
        assert_eq!(within(64, 0, 64), 0);
        assert_eq!(within(64, 70, 71), 1 << 6);
        assert_eq!(within(64, 80, 70), 0);
    }
}
