//! Exact search by duels (Vishkin 1985, JáJá 1992), arranged for warps: for a pattern of any length
//! that is not periodic, in any text, at the speed at which the text is read.
//!
//! **Problem.** Comparing the pattern at every position takes mn steps at worst. Duels leave few
//! positions to compare: if two positions are less than r = min(p, ⌈m / 2⌉) apart, where p is the
//! pattern's period, one symbol of the text rules one of them out ([`needle`](super::needle)). In
//! the published form ([`duel_shared`](crate::published::duel_shared)) each position has a thread,
//! and a duel takes three dependent loads, which is more than reading the text.
//!
//! **Idea.** Three differences from the published form:
//!
//! 1. A sieve ([`sieve`]) filters all positions first, and leaves at most one in 16, or in five, to
//!    a tournament.
//! 2. The tournament is held in registers: first a lane's own positions one after the other, then
//!    the winners of neighbouring lanes by shuffles, while the lanes' symbols together are no more
//!    than r.
//! 3. The lanes of a group verify its winner together, 16 neighbouring symbols per lane, up to the
//!    first difference.
//!
//! ```text
//! tile        |64 symbols|64 symbols|64 symbols|64 symbols|64 symbols| …   one lane each
//! sieve           x  x        x           x          x x        x
//! in a lane          x        x           x            x        x          duels of neighbours
//! shuffles           x────────x           x────────────x                   levels = 2: groups of
//!                             x────────────────────────x                   four lanes, 256 ≤ r
//!                             x                                            verified by these four
//! ```
//!
//! If r is less than a lane's 64 symbols, a lane has several winners, and verifies each alone. If r
//! is much more than a tile, the tile's winner is stored instead of verified
//! ([`winners`](super::winners)).
//!
//! **Cost** per symbol: with grams about 1.2 instructions if the sieve leaves nothing. Otherwise,
//! for every 64 symbols, up to four duels in a lane, up to five by shuffles, and at most four times
//! the verification of 64 symbols.

use super::needle::{NOWHERE, Needle};
use super::sieve::{self, GRAM, LANE_SYMBOLS, LaneText, Sieve, TABLE_BYTES, TILE};
use super::tournament::Tournament;
use crate::search::output::{COUNT, SearchOutput};
use simt_std::prelude::*;

/// Warps per block.
pub const WARPS: u32 = 8;

/// `SIEVE`: blocks of the text are looked up among the grams.
pub const GRAMS: u32 = 0;
/// `SIEVE`: the window is compared at every position.
pub const WINDOW: u32 = 1;

/// `THEN`: the winners are verified.
pub const VERIFY: u32 = 0;
/// `THEN`: each tile's winner is stored.
pub const KEEP: u32 = 1;

/// Searches a text. Launch: any number of blocks.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Duel<const SIEVE: u32, const THEN: u32> {
    /// The text and the pattern. The pattern has at least 31 symbols and a reach of at least 16
    /// with grams, at least 8 with a window. Verification needs copies of the whole pattern.
    pub needle: Needle,
    /// The sieve.
    pub sieve: Sieve,
    /// The first tile where the window or gram of a reported occurrence may begin.
    pub first_tile: u64,
    /// The tile after the last one.
    pub end_tile: u64,
    /// The winners of 2^levels lanes duel: 64 × 2^levels is at most the reach, or levels is 0.
    pub levels: u32,
    /// Number of blocks of the launch.
    pub blocks: u32,
    /// Out, when storing winners, with five levels: for each tile from `first_tile` on the start
    /// position of its winner, or [`NOWHERE`].
    pub winners: Global<u32>,
    /// Destination and format of the results when verifying winners: counts and hits.
    pub output: SearchOutput,
}

/// The positions of a lane that a sieve has left, in order.
struct Left {
    /// Bit i is the lane's symbol i, or block i.
    bits: u64,
    /// With grams, byte i is the gram number of block i.
    gram_numbers: u32,
}

impl<const SIEVE: u32, const THEN: u32> Duel<SIEVE, THEN> {
    /// Returns the positions that the sieve leaves of a lane's symbols. The first symbol is
    /// `lane_first`. `grams` has the table and the look-up result of the lane's blocks when
    /// searching with grams.
    ///
    /// # Safety
    /// All 32 lanes of the warp call it together, in one tile.
    #[inline(always)]
    unsafe fn left(&self, text: &LaneText, grams: Option<(sieve::Grams, sieve::Found)>, lane_first: u64) -> Left {
        let Needle { n, m, first, .. } = self.needle;
        if let Some((grams, found)) = grams {
            // SAFETY: guaranteed by the caller.
            let (blocks, gram_numbers) = unsafe { grams.followed(&self.sieve, found) };
            let mut left = Left { bits: 0, gram_numbers };
            unroll!(block in [0 1 2 3] {
                let gram_number = gram_numbers >> (8 * block) & 0xff;
                let position = (lane_first + u64::from(block * GRAM)).wrapping_sub((self.sieve.offset + gram_number).into());
                if blocks >> block & 1 != 0 && self.needle.has_room_at(position) {
                    left.bits |= 1 << block;
                }
            });
            return left;
        }
        let offset = u64::from(self.sieve.offset);
        let wanted = sieve::within(lane_first, first + offset, n - u64::from(m) + offset + 1);
        Left { bits: self.sieve.windows::<false>(text) & wanted, gram_numbers: 0 }
    }

    /// Returns the position that bit `bit` of `left` stands for.
    #[inline(always)]
    fn position(&self, left: &Left, bit: u32, lane_first: u64) -> u32 {
        let (symbol, gram_number) =
            if SIEVE == GRAMS { (bit * GRAM, left.gram_numbers >> (8 * bit) & 0xff) } else { (bit, 0) };
        (lane_first + u64::from(symbol) - u64::from(self.sieve.offset + gram_number)) as u32
    }
}

#[kernel(
    threads = WARPS * WARP,
    shared = if SIEVE == GRAMS { TABLE_BYTES } else { 0 },
    instances = [
        duel_grams: (GRAMS, VERIFY), duel_grams_keep: (GRAMS, KEEP),
        duel_window: (WINDOW, VERIFY), duel_window_keep: (WINDOW, KEEP),
    ]
)]
pub fn duel<const SIEVE: u32, const THEN: u32>(self: Duel<SIEVE, THEN>) {
    let grams = if SIEVE == GRAMS {
        // SAFETY: all threads of the block reach this call.
        Some(unsafe { self.sieve.load(WARPS * WARP) })
    } else {
        None
    };
    let (lane, needle) = (warp::lane_id(), self.needle);
    let tournament = Tournament { needle, levels: self.levels };
    let last_position = u64::from(needle.m - 1);
    let mut tile = self.first_tile + u64::from(thread::block_idx_x() * WARPS + thread::thread_idx_x() / WARP);
    let mut count = 0;
    while tile < self.end_tile {
        let text = sieve::read(needle.text, needle.n, tile, self.sieve.fold);
        let lane_first = tile * TILE + u64::from(lane * LANE_SYMBOLS);
        let looked_up = grams.map(|grams| (grams, grams.look_up(&self.sieve, &text)));
        let may_be_left = looked_up.map_or_else(|| self.sieve.has_window(&text), |(_, found)| found.blocks != 0);
        let mut winner = NOWHERE;
        // SAFETY: all lanes reach this call, and those below: they have the same tiles.
        if unsafe { warp::warp_vote_any(FULL_WARP, may_be_left) } {
            // SAFETY: as above.
            let left = unsafe { self.left(&text, looked_up, lane_first) };
            let mut found = |position: u32| self.output.put_end(u64::from(position) + last_position, &mut count);
            // SAFETY: as above.
            winner = unsafe { tournament.winner(left.bits, |bit| self.position(&left, bit, lane_first), &mut found) };
            // SAFETY: as above.
            if THEN == VERIFY && unsafe { tournament.begins(winner) } {
                found(winner);
            }
        }
        if THEN == KEEP && lane == 0 {
            self.winners.write((tile - self.first_tile) as usize, winner);
        }
        tile += u64::from(self.blocks * WARPS);
    }
    if THEN == VERIFY && self.output.format == COUNT {
        // SAFETY: as above.
        unsafe { self.output.put_count(count) };
    }
}
