//! Exact search at the speed of memory: Shift-Or (Baeza-Yates and Gonnet 1992) in tiles, without halos.
//!
//! **Idea.** As Mitani, Ino and Hagihara (2017) show, R = (R << 1) | M is an inclusive scan, so lanes can take 16 symbols
//! each and join what they found: a symbol of the lane before is 16 to the left. Two things are done differently.
//! A warp takes its tiles one after the other, and lane 0 joins what lane 31 found in the tile before: nothing is read
//! twice and no warp waits for another. And the accepting state is the highest bit of the word, so that what is shifted
//! out of it is the *history* of acceptance: the paper's wildcards, without taking bits from the pattern.
//!
//! ```text
//! tile t       | lane 0: 16 symbols | lane 1: 16 symbols | … | lane 31 |
//!                 R0 ───────<< 16─────▶ R1 | R0 << 16 ─────▶ …     │
//! tile t + 1   | lane 0 ◀──────────────────<< 16──────────────────┘
//!
//!                history: bit i = accepted i + 1 symbols ago   state
//! two words    | 0 … 0  a14 a13 … a1 a0 |                    | a  s30 s29 … s0 |    a: the whole pattern matched
//! ```
//!
//! A set bit is a mismatch. Three kinds, by m:
//!
//! | kind | m | words of state | history | joins |
//! |---|---|---|---|---|
//! | [`SHORT`] | up to 17 | 1 | in the same word: accepted at bit 16 | 1 lane |
//! | [`WORD`] | up to 32 | 1 | a word | 2 lanes |
//! | [`PAIR`] | up to 64 | 2 | a word | 4 lanes, by a scan of 2 steps and 1 |
//!
//! **Cost** a symbol: an address, a load from shared memory, a shift and an OR; 1 more for a history word, 3 for the second
//! word. 1, 2 or 5 shuffles for 16 symbols.

use crate::cuda::global::Global;
use crate::cuda::{Kernel, U32x4, thread, warp};
use crate::match_table::{self, MatchTable};
use crate::search_output::{ALPHA, BITMAP, BYTES, COUNT, SearchOutput};
use crate::{FULL_WARP, WARP, entry, unroll};

/// m up to 17.
pub const SHORT: u32 = 0;
/// m up to 32.
pub const WORD: u32 = 1;
/// m up to 64.
pub const PAIR: u32 = 2;

/// Symbols of a tile.
pub const TILE: u64 = (WARP * ALPHA) as u64;

/// The bit of the state (of [`MatchTable`]'s words, low to high) that is 0 where the whole pattern matched.
pub const fn accepting(kind: u32) -> u32 {
    match kind {
        SHORT => 16,
        WORD => 31,
        _ => 63,
    }
}

/// Searches a text. Launch: any number of blocks; warps take `tiles_per_warp` tiles each, from `first_tile` on.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct ShiftOr<const KIND: u32, const WORDS: usize> {
    /// n symbols, 16 a word, and any up to two whole tiles.
    pub text: Global<U32x4>,
    /// n, at least 1.
    pub n: u64,
    /// The first tile that is searched, even: those before it only go before. Nothing ends where it starts before tile 0.
    pub first_tile: u64,
    /// Even, at least 2.
    pub tiles_per_warp: u64,
    /// m, at least 1.
    pub m: u32,
    /// Of each symbol the mismatches, 256 words for each 32 bits: bit [`accepting`] - m + 1 + i for the pattern's symbol i.
    pub table: Global<u32>,
    /// Where results go.
    pub output: SearchOutput,
}

/// What lanes get from lanes below: of each value that is handed up, what came around from the tile before.
struct Neighbours {
    before: [u32; 5],
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

impl<const KIND: u32, const WORDS: usize> ShiftOr<KIND, WORDS> {
    /// The ends among a lane's 16 symbols, the first in bit 0.
    ///
    /// # Safety
    /// All lanes of the warp are here.
    #[inline(always)]
    unsafe fn tile(symbols: U32x4, table: &MatchTable<WORDS>, neighbours: &mut Neighbours) -> u32 {
        let (mut low, mut high, mut history) = (0u32, 0u32, 0u32);
        let U32x4(four) = symbols;
        unroll!(q in [0 1 2 3] {
            unroll!(k in [0 1 2 3] {
                let words = table.read(four[q as usize], k);
                if KIND == WORD {
                    history = history << 1 | low >> 31;
                }
                if KIND == PAIR {
                    history = history << 1 | high >> 31;
                    high = high << 1 | low >> 31 | words[WORDS - 1];
                }
                low = low << 1 | words[0];
            });
        });
        // What lanes below found goes 16 to the left for each lane.
        let accepted = if KIND == SHORT {
            // SAFETY: the caller's, as below.
            low |= unsafe { neighbours.below(low, 1, 0) } << 16;
            low >> 16
        } else if KIND == WORD {
            // SAFETY: as above.
            let (one, two) = unsafe { (neighbours.below(low, 1, 0), neighbours.below(low, 2, 1)) };
            history |= one >> 16 | two;
            history << 1 | (low | one << 16) >> 31
        } else {
            // Two lanes, then four; and of these the ones below.
            // SAFETY: as above.
            let (l, h) = unsafe { (neighbours.below(low, 1, 0), neighbours.below(high, 1, 1)) };
            let (l, h) = (low | l << 16, high | h << 16 | l >> 16);
            // SAFETY: as above.
            let h = h | unsafe { neighbours.below(l, 2, 2) };
            // SAFETY: as above.
            let (l, h) = unsafe { (neighbours.below(l, 1, 3), neighbours.below(h, 1, 4)) };
            high |= h << 16 | l >> 16;
            history |= h >> 16;
            history << 1 | high >> 31
        };
        (!accepted).reverse_bits() >> 16
    }

    /// # Safety
    /// As [`Kernel::run`].
    #[inline(always)]
    unsafe fn search(self) {
        // SAFETY: all threads are here.
        let table = unsafe { MatchTable::<WORDS>::load(self.table, WARPS) };
        let lane = warp::lane_id();
        let tiles = self.n.div_ceil(TILE);
        let number = u64::from(thread::block_idx_x() * WARPS + thread::thread_idx_x() / WARP);
        let first = self.first_tile + number * self.tiles_per_warp;
        let end = (first + self.tiles_per_warp).min(tiles);
        let text = |tile: u64| self.text.read((tile.min(tiles - 1) * u64::from(WARP)) as usize + lane as usize);
        // Before the text nothing matches: a mismatch in every bit of the pattern, and only there.
        let outside = (!0u64 << (accepting(KIND) + 1 - self.m)) & (!0 >> (63 - accepting(KIND)));
        let (low, high) = (outside as u32, (outside >> 32) as u32);
        let mut neighbours = Neighbours { before: if KIND == PAIR { [low, high, low, low, high] } else { [low; 5] } };
        if first > 0 && first < end {
            // SAFETY: the whole warp is here: it has one number.
            unsafe { Self::tile(text(first - 1), &table, &mut neighbours) };
        }
        let mut count = 0;
        let (mut symbols, mut next) = (text(first), text(first + 1));
        let mut tile = first;
        while tile < end {
            // Two tiles at a time, so that a store of bits fills all lanes; the next two are on their way.
            let ahead = (text(tile + 2), text(tile + 3));
            // SAFETY: as above.
            let mut one = unsafe { Self::tile(symbols, &table, &mut neighbours) };
            // SAFETY: as above.
            let mut two = unsafe { Self::tile(next, &table, &mut neighbours) };
            (symbols, next) = ahead;
            let position = tile * TILE + u64::from(lane * ALPHA);
            if tile + 2 >= tiles {
                let exist = |position: u64| (1u32 << self.n.saturating_sub(position).min(16)) - 1;
                one &= exist(position);
                two &= exist(position + TILE);
            }
            if self.output.format == BYTES {
                self.output.put_bytes(position, one);
                self.output.put_bytes(position + TILE, two);
            } else if self.output.format == BITMAP {
                // Even lanes take the words of the first tile, odd lanes those of the second.
                let even = lane.is_multiple_of(2);
                let (mine, yours) = if even { (one, two) } else { (two, one) };
                // SAFETY: as above.
                let (other, _) = unsafe { warp::warp_shuffle_xor(FULL_WARP, yours, 1, WARP) };
                let word = if even { other << 16 | mine } else { mine << 16 | other };
                self.output.put_bits((tile + u64::from(lane % 2)) * TILE + u64::from(lane / 2 * 32), word);
            } else if self.output.format == COUNT {
                count += (two << 16 | one).count_ones();
            } else {
                self.output.put_hits(position, [one]);
                self.output.put_hits(position + TILE, [two]);
            }
            tile += 2;
        }
        if self.output.format == COUNT {
            // SAFETY: as above.
            unsafe { self.output.put_count(count) };
        }
    }
}

/// A kernel of each kind.
macro_rules! kinds {
    ($($name:ident $kind:ident $words:literal;)*) => {$(
        // SAFETY: repr(C); `entry!` below makes the entry of this name.
        unsafe impl Kernel for ShiftOr<$kind, $words> {
            const NAME: &'static str = stringify!($name);
            const BLOCK_THREADS: u32 = WARPS * WARP;

            fn dynamic_shared_bytes(&self) -> u32 {
                match_table::bytes($words)
            }

            #[inline(always)]
            unsafe fn run(self) {
                // SAFETY: the caller's.
                unsafe { self.search() }
            }
        }

        entry!($name: ShiftOr<$kind, $words>);
    )*};
}

kinds! {
    shift_or_short SHORT 1;
    shift_or_word WORD 1;
    shift_or_pair PAIR 2;
}
