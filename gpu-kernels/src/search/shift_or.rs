//! Exact search at memory throughput: Shift-Or (Baeza-Yates and Gonnet 1992) in tiles, without
//! halos. m is at most 64.
//!
//! **Problem.** R = (R << 1) | M for each symbol, as [`search`](crate::search) explains: R's
//! accepting bit is 0 where the whole pattern matches. This recurrence is sequential and leaves no
//! parallel work for a warp's 32 lanes.
//!
//! **Idea.** As Mitani, Ino and Hagihara (2017) show, R = (R << 1) | M is an inclusive scan. So
//! each lane can process 32 symbols by itself, and the lanes then join their states. The state of a
//! lower lane is 32 symbols older per lane of distance, so it is shifted by 32 bits, a whole word.
//! There are two differences from the paper:
//!
//! 1. A warp processes its tiles of 1,024 symbols one after the other, and lane 0 joins the state
//!    of lane 31 in the previous tile. So no symbol is read twice, and no warp waits for another.
//! 2. The pattern is not at the top of the words. The bits above the accepting one, which a pattern
//!    of m symbols leaves free (32 `WORDS` - m of them; the paper has wildcards there), hold the
//!    verdicts on the last symbols. So the top bits have to be read only once every `STEPS`
//!    symbols. They are then pushed into a word of 32 verdicts, the *history*.
//!
//! ```text
//! tile t       | lane 0: 32 symbols | lane 1: 32 symbols | … | lane 31 |
//!                 R0 ───────<< 32─────▶ R1 | R0 << 32 ─────▶ …     │
//! tile t + 1   | lane 0 ◀──────────────────<< 32──────────────────┘
//!
//! one word, STEPS = 4: after every fourth symbol the top four bits are pushed into the history
//!
//! state     bit 31  30  29  28   27 … 0            vi: the verdict on symbol i, 0 if the whole
//!               v0  v1  v2  v3 | shorter matches   pattern matches
//!               └──────┬─────┘                     bit 28 is the accepting bit, 32 WORDS - STEPS
//! history = history << 4 | v0 v1 v2 v3             after 32 symbols bit 31 - i is vi
//! ```
//!
//! When the lanes join, bit b of the state of the lane below is 32 symbols old: it would be shifted
//! to bit b + 32 of this lane's state, and from there into bit b + `STEPS` of the history. So with
//! one word the verdicts are `history | one << STEPS`, where `one` is the state of the lane below.
//!
//! **Choice of the kernel** by m. The table has the greatest m of each kernel:
//!
//! | words \ STEPS | 16 | 4 | 1 |
//! |---|---|---|---|
//! | 1 | 17 | 29 | 32 |
//! | 2 | 49 | 61 | 64 |
//!
//! **Threads.** A block has 32 warps, and each warp processes a run of tiles. **Memory.** Each
//! symbol is read once, 32 bytes per lane and tile. Only the tile before a warp's first is read a
//! second time, as context. The next tile's symbols are loaded while this one is searched. The
//! mismatch words are in shared memory ([`match_table`]).
//!
//! **Cost** per symbol: an address, a load from shared memory, a shift and an OR; 2 more for the
//! second word, and 1 every `STEPS` symbols. 32 symbols take 1 shuffle (3 with two words), and 2
//! more for the format of bytes, because a lane has the bits of 32 neighbouring positions and
//! stores the bytes of 16.

use crate::collectives::neighbours::below;
use crate::search::match_table::{self, MatchTable};
use crate::search::output::{BITMAP, BYTES, COUNT, SearchOutput};
use simt_std::prelude::*;

/// Number of symbols per lane in a tile: a word of verdicts.
const LANE_SYMBOLS: u32 = 32;

/// Number of symbols per tile, which a warp processes at a time.
pub const TILE: u64 = (WARP * LANE_SYMBOLS) as u64;

/// Returns the accepting bit of the state, counted over its words: the bit of the pattern's last
/// symbol, 0 where the whole pattern matches.
pub const fn accepting(words: usize, steps: u32) -> u32 {
    32 * words as u32 - steps
}

/// Returns the kernel for a pattern of m symbols, 1 to 64, as (words, steps): the fewest words, and
/// with these the most steps.
pub const fn kernel_for(m: u32) -> (usize, u32) {
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

/// Searches a text. Launch: any number of blocks; each warp takes `tiles_per_warp` tiles, from
/// `first_tile` on.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct ShiftOr<const WORDS: usize, const STEPS: u32> {
    /// The text: n symbols of one byte, 16 per word, padded with arbitrary bytes up to a whole
    /// tile.
    pub text: Global<U32x4>,
    /// n, at least 1.
    pub n: u64,
    /// The first tile to be searched. The tile before it, if any, is read as context. No occurrence
    /// begins before tile 0.
    pub first_tile: u64,
    /// Number of tiles per warp, at least 1.
    pub tiles_per_warp: u64,
    /// m, at least 1.
    pub m: u32,
    /// The mismatch words, as [`match_table`] defines them: the pattern's symbol i has bit
    /// [`accepting`] - m + 1 + i.
    pub table: Global<u32>,
    /// Destination and format of the results.
    pub output: SearchOutput,
}

/// Values of lower lanes across the borders of tiles. `tile` shuffles three values: the low word of
/// the lane below, that of the second lane below, and the high word of the lane below. For each,
/// `before` has the value for the lowest lanes of the next tile.
struct Neighbours {
    before: [u32; 3],
}

/// Warps per block.
const WARPS: u32 = 32;

impl Neighbours {
    /// Returns `value` of the lane `distance` below. `number` is the index of the value among the
    /// three.
    ///
    /// # Safety
    /// As [`below`], with the same `number`.
    #[inline(always)]
    unsafe fn below(&mut self, value: u32, distance: u32, number: usize) -> u32 {
        // SAFETY: guaranteed by the caller.
        unsafe { below(value, distance, &mut self.before[number]) }
    }
}

impl<const WORDS: usize, const STEPS: u32> ShiftOr<WORDS, STEPS> {
    /// Searches this lane's 32 symbols, joins them with the states of the lanes below, and returns
    /// the ends: bit i is 1 if an occurrence ends at symbol i.
    ///
    /// # Safety
    /// All 32 lanes of the warp call it together, each with its symbols of one tile.
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
        // The state of a lower lane is 32 symbols older per lane of distance, so it is shifted by
        // that many words: the low word of the second lane below joins at the position of the high
        // word of the first.
        // SAFETY: guaranteed by the caller, also below.
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
    // SAFETY: all threads of the block reach this call.
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
    // The state before the text, where nothing matches: 1 in every bit of the pattern, 0 above and
    // below it.
    let outside = (!0u64 << (accepting(WORDS, STEPS) + 1 - self.m)) & (!0 >> (63 - accepting(WORDS, STEPS)));
    let (low, high) = (outside as u32, (outside >> 32) as u32);
    let mut neighbours = Neighbours { before: [low, low, high] };
    if first > 0 && first < end {
        // SAFETY: all lanes of the warp reach this call: `first` is the same for all of them.
        unsafe { Self::tile(text(first - 1), &table, &mut neighbours) };
    }
    let mut count = 0;
    let mut symbols = text(first);
    let mut tile = first;
    while tile < end {
        // The next tile's symbols are loaded while this one is searched.
        let ahead = text(tile + 1);
        // SAFETY: as above.
        let mut ends = unsafe { Self::tile(symbols, &table, &mut neighbours) };
        symbols = ahead;
        let start = tile * TILE;
        let position = start + u64::from(lane * LANE_SYMBOLS);
        if tile + 1 == tiles {
            ends &= ((1u64 << self.n.saturating_sub(position).min(LANE_SYMBOLS.into())) - 1) as u32;
        }
        if self.output.format == BYTES {
            unroll!(half in [0 1] {
                // Neighbouring lanes store neighbouring bytes: lane l stores the 16 positions from
                // 512 half + 16 l of the tile on, which are half of the ends of lane 16
                // half + l / 2.
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
            let (words, steps) = kernel_for(m);
            assert!(accepting(words, steps) + 1 >= m && 32u32.is_multiple_of(steps), "m = {m}");
        }
        assert_eq!(
            [17, 18, 29, 30, 32, 33, 49, 50, 61, 62].map(|m| kernel_for(m).1),
            [16, 4, 4, 1, 1, 16, 16, 4, 4, 1]
        );
    }
}
