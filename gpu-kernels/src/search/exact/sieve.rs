//! The sieve: the first look at every position of the text. It leaves few positions where the pattern may begin.
//!
//! A warp takes a *tile* of 2,048 symbols, 64 neighbours a lane. There are two sieves:
//!
//! **Window.** Eight neighbouring symbols of the pattern, its *window*, are compared with the text at every position:
//!
//! ```text
//! pattern          | … | window |  …        from symbol `offset` on
//! text       a c g t a c c t g a c …        an occurrence begins `offset` symbols before the window
//! ```
//!
//! The host puts the window about a critical position of the pattern, where the least repetition is as long as the
//! pattern's period (Crochemore, Perrin 1991): if that is more than 4, two windows in any text are at least 5 apart. Cost: a symbol
//! is 3.75 instructions, and 4.75 more where a lane of the warp has found a window.
//!
//! **Grams.** The text is cut into aligned blocks of 16 symbols. Of the blocks that an occurrence covers one begins at
//! one of 16 places in a row of the pattern, and so is one of 16 strings of 16 symbols, the *grams*:
//!
//! ```text
//! pattern    | … 0 1 2 … 15 ………………… 30 … |         31 symbols from `offset` on
//!                |--- gram 0 ---|
//!                  |--- gram 1 ---|                    which gram a block is says where the occurrence begins
//!                        …
//! text       |---- block ----|---- block ----|---- block ----|
//! ```
//!
//! The host finds a place where the 16 grams are all different, so that a block leaves one position at most, whatever
//! the text. A block is looked up by a hash of its four words, whose high byte is the place in a table of 256 tags. Where it is a
//! gram, the hashes of up to three blocks after it are compared with those of the pattern's symbols there. A wrong
//! position that has the same hashes is found out later. Cost: some 15 instructions for 16 symbols.

use simt_std::integer::funnel_shift_right;
use simt_std::prelude::*;

/// Symbols of a tile.
pub const TILE: u64 = (WARP * LANE_SYMBOLS) as u64;

/// Symbols of a lane in a tile.
pub const LANE_SYMBOLS: u32 = 64;

/// Symbols of a window.
pub const WINDOW: u32 = 8;

/// Symbols of a gram and of a block.
pub const GRAM: u32 = 16;

/// Entries of the table of grams.
pub const SLOTS: u32 = 256;

/// Bytes of shared memory for the table of grams.
pub const TABLE_BYTES: u32 = 4 * TABLE_WORDS;

/// Words of the table of grams.
pub const TABLE_WORDS: u32 = 2 * SLOTS + MORE * GRAM;

/// Blocks after a gram that are compared, at most.
pub const MORE: u32 = 3;

/// What the sieves look for.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Sieve {
    /// The pattern's symbol that the window, or gram 0, begins at.
    pub offset: u32,
    /// The bits of a symbol that both sieves look at, in each of four bytes.
    pub fold: u32,
    /// The window: eight symbols of which only the bits of `fold` are left, and 0 after the pattern's end.
    pub window: U32x2,
    /// The bits of the window that count: all, unless it is longer than the pattern.
    pub cares: U32x2,
    /// What the four words of a block are multiplied by; the sum is its hash.
    pub multipliers: U32x4,
    /// For each of 256 slots the hash of a gram; in an empty slot a number that belongs to another slot. After these, for each slot
    /// the gram's place after the first one; and then three times for each place the hash of the next 16 symbols.
    pub table: Global<u32>,
    /// Blocks after a gram that the pattern has for each of the grams: up to three.
    pub more: u32,
}

/// A lane's symbols of a tile and the eight after them, four in a word.
pub type LaneText = [u32; 18];

/// Reads a lane's symbols of a tile of a text of n symbols, `fold`ed; after the text's end any.
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

/// Calls the block with each of the numbers 0 to 15 as a constant.
macro_rules! sixteen {
    ($q:ident $body:block) => {
        unroll!($q in [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15] $body)
    };
}

impl Sieve {
    /// 0 if the window is at symbol 4 q + s of the lane's.
    #[inline(always)]
    fn difference<const SHORT: bool>(&self, text: &LaneText, q: u32, s: u32) -> u32 {
        let at = |word: usize| funnel_shift_right(text[word], text[(word + 1).min(17)], 8 * s);
        let (U32x2(window), U32x2(cares)) = (self.window, self.cares);
        let (low, high) = (at(q as usize) ^ window[0], at(q as usize + 1) ^ window[1]);
        if SHORT { low & cares[0] | high & cares[1] } else { low | high }
    }

    /// Whether the window, of eight symbols, is at any of the lane's 64.
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

    /// Where the window is: bit i is the lane's symbol i. `SHORT` is for patterns of less than eight symbols.
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

    /// Takes the table of grams to shared memory.
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

/// What the table says of a lane's four blocks.
#[derive(Debug, Clone, Copy)]
pub struct Found {
    /// Bit i: block i is a gram.
    pub blocks: u32,
    /// The hash of each block.
    hashes: [u32; 4],
}

impl Grams {
    /// Looks the lane's four blocks up.
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

    /// Of the blocks that are grams those that are followed by what the pattern has there, and of each its place after the first
    /// gram: block i's is byte i.
    ///
    /// # Safety
    /// All 32 lanes of the warp call it together, with neighbouring blocks.
    #[inline(always)]
    pub unsafe fn followed(&self, sieve: &Sieve, found: Found) -> (u32, u32) {
        // The blocks after the last lane's are not known, and are as they should be.
        let known = if warp::lane_id() + 1 < WARP { MORE } else { 0 };
        let Found { mut blocks, hashes: [a, b, c, d] } = found;
        let (mut all, mut places) = ([a, b, c, d, 0, 0, 0], 0);
        unroll!(i in [0 1 2] {
            // SAFETY: guaranteed by the caller.
            let (next, _) = unsafe { warp::warp_shuffle_down(FULL_WARP, all[i as usize], 1, WARP) };
            all[4 + i as usize] = next;
        });
        unroll!(block in [0 1 2 3] {
            if blocks >> block & 1 != 0 {
                let place = self.tags.read(SLOTS + (all[block as usize] >> 24));
                places |= place << (8 * block);
                unroll!(after in [0 1 2] {
                    if after < sieve.more && block + after < 3 + known {
                        let expected = self.tags.read(2 * SLOTS + after * GRAM + place);
                        if all[(block + after + 1) as usize] != expected {
                            blocks &= !(1 << block);
                        }
                    }
                });
            }
        });
        (blocks, places)
    }
}

/// The symbols of a lane in a tile that a window, or a block, may begin at: bit i is symbol i. These are the positions
/// from `from` on, and before `to`.
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
