//! Exact search for a periodic pattern: its period p is at most half its length m, and less than a
//! few tiles.
//!
//! **Problem.** Two positions at a distance of p cannot duel, and each may begin an occurrence: in
//! a text of `a`s, a pattern of `a`s begins at every position. JáJá (1992) searches for a prefix
//! that is not periodic, and joins its occurrences at distance p by a segmented scan. Wang (2018)
//! excludes such patterns.
//!
//! **Idea.** A *break* is a position t whose symbol differs from the one at t + p
//! ([`breaks`](super::breaks)). An occurrence has no break among its first m - p positions. So a
//! position is a *candidate* if the m - p positions from it on have no break. A candidate begins an
//! occurrence if it begins with the first p symbols of the pattern, because all later symbols
//! repeat these.
//!
//! ```text
//! pattern abcabcab: m = 8, p = 3, m - p = 5             four lanes of 4 symbols, lane 0 first
//!
//! position      0  1  2  3 |  4  5  6  7 |  8  9 10 11 | 12 13 14 15 |
//! text          x  a  b  c |  a  b  c  a |  b  c  y  y |  a  b  c  a |  b  c  y …
//! breaks        1  .  .  . |  .  .  .  1 |  1  1  1  1 |  .  .  .  1 |
//! candidates    .  x  x  . |  .  .  .  . |  .  .  .  . |  .  .  .  . |
//! found            x
//!
//! candidates: 1 and 2, since the next break, 7, is 5 or more positions later
//! found: 1, which begins with abc; 2 begins with bca
//! ```
//!
//! **Threads.** A warp processes a tile of 2,048 symbols; a lane has 64 neighbouring symbols and
//! the 64 bits of their breaks. The steps for a tile:
//!
//! 1. Candidates are found by the breaks alone (`candidates`). If no lane has one, the warp does
//!    not read the text.
//! 2. If all positions of the tile are candidates, the whole tile repeats after p symbols. Then
//!    only the first p positions are tried. An occurrence found there repeats after p, 2 p, …
//!    symbols, up to the tile's end.
//! 3. If p is at most 128 in such a tile, the lanes try these positions one by one. Other positions
//!    are filtered by the window of [`sieve`], and, if the window is shorter than the period, by a
//!    [`tournament`](super::tournament), whose winner is compared with p symbols.
//!
//! **Cost.** One bit of breaks is read per symbol. The text is read where it has no break within
//! m - p symbols, at the cost of [`duel`](super::duel) with a window. In a tile that repeats
//! throughout, only p symbols are read.

use super::breaks::BLOCK_TILES;
use super::needle::{NOWHERE, Needle};
use super::sieve::{self, LANE_SYMBOLS, Sieve, TILE, WINDOW};
use super::tournament::Tournament;
use crate::collectives::broadcast::broadcast;
use crate::collectives::first::{NONE, first};
use crate::search::output::{COUNT, SearchOutput};
use simt_std::prelude::*;

/// Warps per block.
pub const WARPS: u32 = 8;

/// Searches a text with known breaks. Launch: any number of blocks.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Periodic {
    /// The text and the pattern, of at least 8 symbols, with copies of one period. Its reach is its
    /// period.
    pub needle: Needle,
    /// The window, at the pattern's first symbol.
    pub sieve: Sieve,
    /// The first tile where a reported occurrence may begin.
    pub first_tile: u64,
    /// The tile after the last one.
    pub end_tile: u64,
    /// Break bits, 64 symbols per word, of the tiles and of the tile after them.
    pub bits: Global<u64>,
    /// For each tile the result of [`first_breaks`](super::breaks::FirstBreaks); used if m - p is a
    /// tile or more.
    pub next: Global<u32>,
    /// For each block of tiles the result of [`later_breaks`](super::breaks::LaterBreaks); used if
    /// m - p is a tile or more.
    pub later: Global<u32>,
    /// The winners of 2^levels lanes duel: 64 × 2^levels is at most the period, or levels is 0.
    pub levels: u32,
    /// Number of blocks of the launch.
    pub blocks: u32,
    /// Destination and format of the results: counts and hits.
    pub output: SearchOutput,
}

impl Periodic {
    /// Returns the position of the first break after a tile. If it is `span` symbols or more after
    /// the tile, returns any position at least this far.
    ///
    /// # Safety
    /// All 32 lanes of the warp call it together, with one tile.
    #[inline(always)]
    unsafe fn break_after(&self, tile: u64, span: u32) -> u64 {
        let after = tile + 1;
        let found = if u64::from(span) < TILE {
            let lane = u64::from(warp::lane_id());
            let bits = self.bits.read((after * u64::from(WARP) + lane) as usize);
            let position = (after * TILE + lane * 64) as u32 + bits.trailing_zeros();
            // SAFETY: guaranteed by the caller.
            unsafe { first(bits != 0, position) }
        } else if after * TILE >= self.needle.n {
            return after * TILE;
        } else {
            let i = (after - self.first_tile) as usize;
            let block = i / BLOCK_TILES as usize;
            let in_block = self.next.read(i);
            if in_block == NONE { self.later.read(block) } else { in_block }
        };
        if found == NONE { u64::MAX } else { u64::from(found) }
    }

    /// Returns the candidates of a lane, whose breaks are `bits`: the positions with no break among
    /// the next `span` = m - p positions.
    ///
    /// If the span is shorter than a lane's 64 positions, each break is spread to the `span` - 1
    /// positions before it; the remaining positions are candidates. Otherwise a lane's candidates
    /// are behind its last break, and end `span` - 1 positions before the next break:
    ///
    /// ```text
    /// span 3, lanes of 4 bits, lowest first      this lane    next lane
    /// breaks                                     . . . .      . x . .
    /// spread to the position before              . . . .      x x . .
    /// once more                                  . . . x      x x . .
    /// candidates                                 0 1 2
    ///
    /// span 5   lane 0: x . . .   behind its last break: from 1 on
    ///          lane 1: . . . x   the next break is 7, so the candidates end before 7 - 4 = 3
    ///          candidates: 1 and 2
    /// ```
    ///
    /// # Safety
    /// As [`break_after`](Self::break_after).
    #[inline(always)]
    unsafe fn candidates(&self, tile: u64, lane_first: u64, bits: u64, span: u32) -> u64 {
        let lane = warp::lane_id();
        // SAFETY: guaranteed by the caller, also below.
        let after_tile = unsafe { self.break_after(tile, span) };
        if span < LANE_SYMBOLS {
            let next_bits = self.bits.read((lane_first / 64 + 1) as usize);
            // Bit i of `own` is 1 if there is a break among the `covered` positions from i on;
            // `next` has the same for the next lane.
            let (mut own, mut next, mut covered) = (bits, next_bits, 1);
            while covered < span {
                let by = covered.min(span - covered);
                own |= own >> by | next << (64 - by);
                next |= next >> by;
                covered += by;
            }
            return !own;
        }
        let first_break = lane_first as u32 + bits.trailing_zeros();
        // SAFETY: as above.
        let lanes_with_breaks = unsafe { warp::warp_vote_ballot(FULL_WARP, bits != 0) };
        // The lanes after this one with breaks; 0 for lane 31.
        let later = (u64::from(lanes_with_breaks) >> (lane + 1)) as u32;
        let next_lane = (lane + 1 + later.trailing_zeros()) % WARP;
        // SAFETY: as above.
        let (in_next_lane, _) = unsafe { warp::warp_shuffle_idx(FULL_WARP, first_break, next_lane, WARP) };
        let next_break = if later == 0 { after_tile } else { u64::from(in_next_lane) };
        let behind_last_break = lane_first + u64::from(64 - bits.leading_zeros());
        sieve::within(lane_first, behind_last_break, next_break.saturating_sub(u64::from(span) - 1))
    }
}

/// Longest period whose positions the lanes of a warp try one by one, in a tile that repeats
/// throughout.
const FEW: u32 = 4 * WARP;

impl Periodic {
    /// Returns the winner of the p positions from `first` on, to all lanes. Lane l tries first + l,
    /// first + l + 32 and so on.
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
        // Just enough levels to join all lanes that have a position: with fewer positions than
        // lanes, the lanes without one cost no level.
        let mut level = 0;
        while level < 5 && 1 << level < needle.reach {
            // SAFETY: guaranteed by the caller.
            let (other, _) = unsafe { warp::warp_shuffle_xor(FULL_WARP, winner, 1 << level, WARP) };
            winner = needle.duel_if_both(winner, other);
            level += 1;
        }
        // SAFETY: guaranteed by the caller: lane 0 has the winner.
        unsafe { broadcast(winner, 0) }
    }
}

#[kernel(threads = WARPS * WARP)]
pub fn periodic(self: Periodic) {
    let Needle { n, m, reach: period, first, .. } = self.needle;
    let (lane, span) = (warp::lane_id(), m - period);
    let tournament = Tournament { needle: self.needle, levels: self.levels };
    let last_position = u64::from(m - 1);
    let mut tile = self.first_tile + u64::from(thread::block_idx_x() * WARPS + thread::thread_idx_x() / WARP);
    let mut count = 0;
    while tile < self.end_tile {
        let lane_first = tile * TILE + u64::from(lane * LANE_SYMBOLS);
        let bits = self.bits.read((lane_first / 64) as usize);
        // Step 1: candidates by the breaks, among the positions to be searched.
        // SAFETY: all lanes reach this call, and those below: they have the same tiles.
        let mut candidates = unsafe { self.candidates(tile, lane_first, bits, span) };
        candidates &= sieve::within(lane_first, first, n - u64::from(m) + 1);
        // Step 2: if the tile repeats throughout, an occurrence repeats every period up to the
        // tile's end, so only the first period is tried.
        // SAFETY: as above.
        let repeats = period <= TILE as u32 && unsafe { warp::warp_vote_all(FULL_WARP, candidates == !0) };
        let mut repeated_to = 0;
        if repeats {
            candidates &= sieve::within(lane_first, 0, tile * TILE + u64::from(period));
            repeated_to = (tile + 1) * TILE;
        }
        // Step 3: the remaining positions are tried one by one, or by the window and a tournament.
        // SAFETY: as above.
        if unsafe { warp::warp_vote_any(FULL_WARP, candidates != 0) } {
            let output = self.output;
            let mut found = |position: u32| {
                let position = u64::from(position);
                let more = repeated_to.saturating_sub(position + 1) / u64::from(period.max(1));
                output.put_ends(position + last_position, more as u32 + 1, period, &mut count);
            };
            if repeats && period <= FEW {
                // SAFETY: as above.
                let winner = unsafe { self.winner_of_few(tile * TILE) };
                // SAFETY: as above.
                if unsafe { self.needle.begins_at_together(winner, WARP) } && lane == 0 {
                    found(winner);
                }
            } else {
                let mut left = 0;
                if candidates != 0 {
                    let text = sieve::read(self.needle.text, n, tile, self.sieve.fold);
                    left = self.sieve.windows::<false>(&text) & candidates;
                }
                if period <= WINDOW {
                    // The window covers the whole period.
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
