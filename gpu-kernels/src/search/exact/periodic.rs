//! Exact search for a pattern that repeats: its period p is at most half its length m, and less than a few tiles.
//!
//! **Problem.** Positions that are p apart cannot duel, and each may begin an occurrence: in a text of `a`s, every
//! position for a pattern of `a`s. JáJá (1992) searches for a prefix that is not periodic, and joins its occurrences p
//! apart by a segmented scan. Wang (2018) leaves such patterns out.
//!
//! **Idea.** The segments are known beforehand: where the text does not repeat after p symbols
//! ([`breaks`]), no occurrence goes on. So a position is looked at only if no break is less than m - p
//! symbols ahead, and then it begins an occurrence if the pattern's first p symbols do: all later ones follow.
//!
//! ```text
//! breaks     1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1 1 …      m - p = 8
//! looked at    x x x x x x x                          no break in 8 positions
//! window       .   .     x                            the pattern's first eight symbols, or duels and its first p symbols
//! also               x                                a whole tile without breaks: only its first p positions are
//!                                                     looked at, and what is found there is there again p symbols later
//! ```
//!
//! **Cost.** Beside the breaks: a bit a symbol is read, and the text where it repeats for m - p symbols, there with the
//! cost of [`duel`](super::duel) with a window; but in tiles that are within a repetition only p symbols of it.

use super::breaks::{self, NONE};
use super::needle::{NOWHERE, Needle};
use super::sieve::{self, LANE_SYMBOLS, Sieve, TILE, WINDOW};
use super::tournament::Tournament;
use crate::search::output::{COUNT, SearchOutput};
use simt_std::prelude::*;

/// Warps of a block.
pub const WARPS: u32 = 8;

/// Searches a text whose breaks are known. Launch: any number of blocks.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Periodic {
    /// The text and the pattern, of at least 8 symbols, with copies of one period; its reach is its period.
    pub needle: Needle,
    /// The window, at the pattern's first symbol.
    pub sieve: Sieve,
    /// The first tile that an occurrence which is wanted may begin in.
    pub first_tile: u64,
    /// The tile after the last one.
    pub end_tile: u64,
    /// For each 64 symbols where breaks are, of the tiles and of the one after them.
    pub bits: Global<u64>,
    /// Of [`first_breaks`](breaks::FirstBreaks), used if m - p is a tile or more.
    pub next: Global<u32>,
    /// Of [`later_breaks`](breaks::LaterBreaks), used if m - p is a tile or more.
    pub later: Global<u32>,
    /// The winners of 2^levels lanes duel: 64 × 2^levels is at most the period, or levels is 0.
    pub levels: u32,
    /// Blocks of the launch.
    pub blocks: u32,
    /// Where results go: counts and hits.
    pub output: SearchOutput,
}

impl Periodic {
    /// Where the first break after a tile is, or is beyond: at least m - p symbols after the tile.
    ///
    /// # Safety
    /// All 32 lanes of the warp call it together, with one tile.
    #[inline(always)]
    unsafe fn break_after(&self, tile: u64, ahead: u32) -> u64 {
        let after = tile + 1;
        let first = if u64::from(ahead) < TILE {
            let lane = u64::from(warp::lane_id());
            let bits = self.bits.read((after * u64::from(WARP) + lane) as usize);
            let position = (after * TILE + lane * 64) as u32 + bits.trailing_zeros();
            // SAFETY: the caller's.
            unsafe { breaks::first_of_warp_lanes(bits != 0, position) }
        } else if after * TILE >= self.needle.n {
            return after * TILE;
        } else {
            let i = (after - self.first_tile) as usize;
            let block = i / breaks::BLOCK_TILES as usize;
            let in_block = self.next.read(i);
            if in_block == NONE { self.later.read(block) } else { in_block }
        };
        if first == NONE { u64::MAX } else { u64::from(first) }
    }

    /// The positions of a lane from which on no break is in the next `ahead` symbols.
    ///
    /// # Safety
    /// As [`break_after`](Self::break_after).
    #[inline(always)]
    unsafe fn repeating(&self, tile: u64, lane_first: u64, bits: u64, ahead: u32) -> u64 {
        let lane = warp::lane_id();
        // SAFETY: the caller's, as below.
        let after_tile = unsafe { self.break_after(tile, ahead) };
        if ahead < LANE_SYMBOLS {
            let of_next = self.bits.read((lane_first / 64 + 1) as usize);
            let (mut low, mut high, mut covered) = (bits, of_next, 1);
            // Each bit also where it is 1, 2, 4, … positions ahead.
            while covered < ahead {
                let by = covered.min(ahead - covered);
                low |= low >> by | high << (64 - by);
                high |= high >> by;
                covered += by;
            }
            return !low;
        }
        let first = lane_first as u32 + bits.trailing_zeros();
        // SAFETY: as above.
        let lanes = unsafe { warp::warp_vote_ballot(FULL_WARP, bits != 0) };
        // The lanes after this one; of lane 31 none.
        let later = (u64::from(lanes) >> (lane + 1)) as u32;
        let from = (lane + 1 + later.trailing_zeros()) % WARP;
        // SAFETY: as above.
        let (there, _) = unsafe { warp::warp_shuffle_idx(FULL_WARP, first, from, WARP) };
        let next = if later == 0 { after_tile } else { u64::from(there) };
        let last_break = lane_first + u64::from(64 - bits.leading_zeros());
        sieve::within(lane_first, last_break, next.saturating_sub(u64::from(ahead) - 1))
    }
}

/// Periods whose positions the lanes of a warp look at one by one, in a tile without breaks.
const FEW: u32 = 4 * WARP;

impl Periodic {
    /// The winner of the positions of one period, in all lanes.
    ///
    /// # Safety
    /// All 32 lanes of the warp call it together.
    #[inline(always)]
    unsafe fn winner_of_few(&self, first: u64) -> u32 {
        let (lane, needle) = (warp::lane_id(), &self.needle);
        let mut winner = NOWHERE;
        let mut i = lane;
        while i < needle.reach {
            let position = first as u32 + i;
            if needle.may_begin_at(position) {
                winner = needle.duel_if_both(winner, position);
            }
            i += WARP;
        }
        // As many levels as make one lane of all that have a position.
        let mut level = 0;
        while level < 5 && 1 << level < needle.reach {
            // SAFETY: the caller's.
            let (other, _) = unsafe { warp::warp_shuffle_xor(FULL_WARP, winner, 1 << level, WARP) };
            winner = needle.duel_if_both(winner, other);
            level += 1;
        }
        // SAFETY: the caller's: lane 0 knows it.
        unsafe { warp::warp_shuffle_idx(FULL_WARP, winner, 0, WARP) }.0
    }
}

#[kernel(threads = WARPS * WARP)]
pub fn periodic(self: Periodic) {
    let Needle { n, m, reach: period, first, .. } = self.needle;
    let (lane, ahead) = (warp::lane_id(), m - period);
    let tournament = Tournament { needle: self.needle, levels: self.levels };
    let last_position = u64::from(m - 1);
    let mut tile = self.first_tile + u64::from(thread::block_idx_x() * WARPS + thread::thread_idx_x() / WARP);
    let mut count = 0;
    while tile < self.end_tile {
        let lane_first = tile * TILE + u64::from(lane * LANE_SYMBOLS);
        let bits = self.bits.read((lane_first / 64) as usize);
        // SAFETY: all lanes are here, as below: they have the same tiles.
        let mut looked_at = unsafe { self.repeating(tile, lane_first, bits, ahead) };
        looked_at &= sieve::within(lane_first, first, n - u64::from(m) + 1);
        // SAFETY: as above.
        let whole = period <= TILE as u32 && unsafe { warp::warp_vote_all(FULL_WARP, looked_at == !0) };
        // What is found is told up to here, a period apart.
        let mut told_to = 0;
        if whole {
            looked_at &= sieve::within(lane_first, 0, tile * TILE + u64::from(period));
            told_to = (tile + 1) * TILE;
        }
        // SAFETY: as above.
        if unsafe { warp::warp_vote_any(FULL_WARP, looked_at != 0) } {
            let output = self.output;
            let mut found = |position: u32| {
                let position = u64::from(position);
                let more = told_to.saturating_sub(position + 1) / u64::from(period.max(1));
                output.put_ends(position + last_position, more as u32 + 1, period, &mut count);
            };
            if whole && period <= FEW {
                // SAFETY: as above.
                let winner = unsafe { self.winner_of_few(tile * TILE) };
                // SAFETY: as above.
                if unsafe { self.needle.begins_at_together(winner, WARP) } && lane == 0 {
                    found(winner);
                }
            } else {
                let mut left = 0;
                if looked_at != 0 {
                    let text = sieve::read(self.needle.text, n, tile, self.sieve.fold);
                    left = self.sieve.windows::<false>(&text) & looked_at;
                }
                if period <= WINDOW {
                    // The window is all of the period.
                    while left != 0 {
                        found((lane_first + u64::from(left.trailing_zeros())) as u32);
                        left &= left - 1;
                    }
                } else {
                    let position = |bit: u32| (lane_first + u64::from(bit)) as u32;
                    // SAFETY: as above.
                    let winner = unsafe { tournament.winner(left, position, &mut found) };
                    // SAFETY: as above.
                    if unsafe { tournament.begins(winner) } {
                        found(winner);
                    }
                }
            }
        }
        tile += u64::from(self.blocks * WARPS);
    }
    if self.output.format == COUNT {
        // SAFETY: as above.
        unsafe { self.output.put_count(count) };
    }
}
