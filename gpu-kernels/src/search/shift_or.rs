//! Exact search at the speed of memory: Shift-Or (Baeza-Yates and Gonnet 1992) in tiles, without halos.
//!
//! **Idea.** As Mitani, Ino and Hagihara (2017) show, R = (R << 1) | M is an inclusive scan, so lanes can take 32 symbols
//! each and join what they found: a symbol of the lane before is 32 to the left, and that is the next word. Two things are
//! done differently. A warp takes its tiles one after the other, and lane 0 joins what lane 31 found in the tile before: nothing
//! is read twice and no warp waits for another. And the bits above the accepting one remember the last verdicts, the *history* of
//! acceptance: a pattern of m symbols leaves 32 `WORDS` - m of them (the paper's wildcards), so that the highest bits need to be
//! looked at only once every `STEPS` symbols.
//!
//! ```text
//! tile t       | lane 0: 32 symbols | lane 1: 32 symbols | … | lane 31 |
//!                 R0 ───────<< 32─────▶ R1 | R0 << 32 ─────▶ …     │
//! tile t + 1   | lane 0 ◀──────────────────<< 32──────────────────┘
//!
//!                history: bit 31 - i = accepted at symbol i    state after 4 symbols, STEPS = 4
//! two words    | a0 a1 a2 … a31 |                            | a0 a1 a2  a3 … s32 | s31 … s0 |    a3: the whole pattern matched
//!                                                              └─ history ─┘
//! ```
//!
//! A set bit is a mismatch. Which kernel, by m:
//!
//! | words \ STEPS | 16 | 4 | 1 |
//! |---|---|---|---|
//! | 1 | 17 | 29 | 32 |
//! | 2 | 49 | 61 | 64 |
//!
//! **Cost** a symbol: an address, a load from shared memory, a shift and an OR; 2 more for the second word, and 1 every `STEPS`
//! symbols. 1 or 3 shuffles for 32 symbols, and 2 for bytes: a lane has the bits of 32 neighbours and stores 16 neighbours'
//! bytes.

use crate::search::match_table::{self, MatchTable};
use crate::search::output::{BITMAP, BYTES, COUNT, SearchOutput};
use simt_std::prelude::*;

/// Symbols of a lane in a tile.
const OWN: u32 = 32;

/// Symbols of a tile.
pub const TILE: u64 = (WARP * OWN) as u64;

/// The bit of the state (of [`MatchTable`]'s words, low to high) that is 0 where the whole pattern matched.
pub const fn accepting(words: usize, steps: u32) -> u32 {
    32 * words as u32 - steps
}

/// The least words and most steps for m symbols, up to 64.
pub const fn kind(m: u32) -> (usize, u32) {
    let words = if m <= 32 { 1 } else { 2 };
    let free = 32 * words as u32 - m;
    (
        words,
        if free >= 15 {
            16
        } else if free >= 3 {
            4
        } else {
            1
        },
    )
}

/// Searches a text. Launch: any number of blocks; warps take `tiles_per_warp` tiles each, from `first_tile` on.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct ShiftOr<const WORDS: usize, const STEPS: u32> {
    /// n symbols, 16 a word, and any up to a whole tile.
    pub text: Global<U32x4>,
    /// n, at least 1.
    pub n: u64,
    /// The first tile that is searched: those before it only go before. Nothing ends where it starts before tile 0.
    pub first_tile: u64,
    /// At least 1.
    pub tiles_per_warp: u64,
    /// m, at least 1.
    pub m: u32,
    /// Of each symbol the mismatches, 256 words for each 32 bits: bit [`accepting`] - m + 1 + i for the pattern's symbol i.
    pub table: Global<u32>,
    /// Where results go.
    pub output: SearchOutput,
}

/// Values from lower lanes. The lowest lanes get them from the highest lanes of the tile before: `before[i]` is value i of these.
struct Neighbours {
    before: [u32; 3],
}

impl Neighbours {
    /// The value of the lane `distance` below, which for the lowest lanes is one of the tile before.
    ///
    /// # Safety
    /// All lanes of the warp are here.
    #[inline(always)]
    unsafe fn below(&mut self, value: u32, distance: u32, number: usize) -> u32 {
        let lane = warp::lane_id();
        // SAFETY: the caller's.
        let (around, _) = unsafe { warp::warp_shuffle_idx(FULL_WARP, value, (lane + WARP - distance) % WARP, WARP) };
        let below = if lane < distance { self.before[number] } else { around };
        self.before[number] = around;
        below
    }
}

const WARPS: u32 = 32;

impl<const WORDS: usize, const STEPS: u32> ShiftOr<WORDS, STEPS> {
    /// The ends among a lane's 32 symbols, the first in bit 0.
    ///
    /// # Safety
    /// All lanes of the warp are here.
    #[inline(always)]
    unsafe fn tile(symbols: [U32x4; 2], table: &MatchTable<WORDS>, neighbours: &mut Neighbours) -> u32 {
        let (mut low, mut high, mut history) = (0u32, 0u32, 0u32);
        unroll!(half in [0 1] {
            let U32x4(four) = symbols[half as usize];
            unroll!(q in [0 1 2 3] {
                unroll!(k in [0 1 2 3] {
                    let words = table.read(four[q as usize], k);
                    if WORDS == 2 {
                        high = high << 1 | low >> 31 | words[WORDS - 1];
                    }
                    low = low << 1 | words[0];
                    if (16 * half + 4 * q + k + 1).is_multiple_of(STEPS) {
                        history = history << STEPS | (if WORDS == 2 { high } else { low }) >> (32 - STEPS);
                    }
                });
            });
        });
        // The state of a lower lane is 32 symbols older for each lane between, so it joins shifted by a word for each.
        // SAFETY: the caller's, as below.
        let one = unsafe { neighbours.below(low, 1, 0) };
        let rejected = if WORDS == 1 {
            history | one << STEPS
        } else {
            // SAFETY: as above.
            let (two, one_high) = unsafe { (neighbours.below(low, 2, 1), neighbours.below(high, 1, 2)) };
            history | (one_high | two) << STEPS | one >> (32 - STEPS)
        };
        (!rejected).reverse_bits()
    }
}

#[kernel(
    threads = WARPS * WARP,
    shared = match_table::bytes(WORDS),
    instances = [
        shift_or_1_16: (1, 16), shift_or_1_4: (1, 4), shift_or_1_1: (1, 1),
        shift_or_2_16: (2, 16), shift_or_2_4: (2, 4), shift_or_2_1: (2, 1),
    ]
)]
pub fn shift_or<const WORDS: usize, const STEPS: u32>(self: ShiftOr<WORDS, STEPS>) {
    // SAFETY: all threads are here.
    let table = unsafe { MatchTable::<WORDS>::load(self.table, WARPS) };
    let lane = warp::lane_id();
    let tiles = self.n.div_ceil(TILE);
    let number = u64::from(thread::block_idx_x() * WARPS + thread::thread_idx_x() / WARP);
    let first = self.first_tile + number * self.tiles_per_warp;
    let end = (first + self.tiles_per_warp).min(tiles);
    let text = |tile: u64| {
        let at = (tile.min(tiles - 1) * (TILE / 16)) as usize + 2 * lane as usize;
        [self.text.read(at), self.text.read(at + 1)]
    };
    // Before the text nothing matches: a mismatch in every bit of the pattern, and only there.
    let outside = (!0u64 << (accepting(WORDS, STEPS) + 1 - self.m)) & (!0 >> (63 - accepting(WORDS, STEPS)));
    let (low, high) = (outside as u32, (outside >> 32) as u32);
    let mut neighbours = Neighbours { before: [low, low, high] };
    if first > 0 && first < end {
        // SAFETY: the whole warp is here: it has one number.
        unsafe { Self::tile(text(first - 1), &table, &mut neighbours) };
    }
    let mut count = 0;
    let mut symbols = text(first);
    let mut tile = first;
    while tile < end {
        // The next is on its way.
        let ahead = text(tile + 1);
        // SAFETY: as above.
        let mut ends = unsafe { Self::tile(symbols, &table, &mut neighbours) };
        symbols = ahead;
        let start = tile * TILE;
        let position = start + u64::from(lane * OWN);
        if tile + 1 == tiles {
            ends &= ((1u64 << self.n.saturating_sub(position).min(OWN.into())) - 1) as u32;
        }
        if self.output.format == BYTES {
            unroll!(half in [0 1] {
                // Neighbouring lanes store neighbouring bytes.
                let of = half * (WARP / 2) + lane / 2;
                // SAFETY: as above.
                let (both, _) = unsafe { warp::warp_shuffle_idx(FULL_WARP, ends, of, WARP) };
                self.output.put_bytes(start + u64::from((half * WARP + lane) * 16), both >> (lane % 2 * 16));
            });
        } else if self.output.format == BITMAP {
            self.output.put_bits(position, ends);
        } else if self.output.format == COUNT {
            count += ends.count_ones();
        } else {
            self.output.put_hits(position, [ends]);
        }
        tile += 1;
    }
    if self.output.format == COUNT {
        // SAFETY: as above.
        unsafe { self.output.put_count(count) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_and_its_history_fit() {
        for m in 1..=64 {
            let (words, steps) = kind(m);
            assert!(accepting(words, steps) + 1 >= m && 32u32.is_multiple_of(steps), "m = {m}");
        }
        assert_eq!([17, 18, 29, 30, 32, 33, 49, 50, 61, 62].map(|m| kind(m).1), [16, 4, 4, 1, 1, 16, 16, 4, 4, 1]);
    }
}
