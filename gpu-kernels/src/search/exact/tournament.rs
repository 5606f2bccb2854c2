//! The tournament of a warp: duels between the positions that a sieve has left.
//!
//! First each lane's own positions duel, one after the other, then the lanes' winners, by shuffles:
//!
//! ```text
//! in a lane       a   b   c   d          a and b duel; the winner and c; that winner and d
//! by shuffles     lane 0 ─ lane 1        level 0
//!                 lane 0 ─ lane 2        level 1, of winners that both lanes have; and so on,
//!                                        while all are less than r apart
//! ```
//!
//! **Cost.** One duel per position in a lane, and one per level.

use super::needle::{NOWHERE, Needle};
use crate::collectives::reduce::reduce_groups;
use simt_std::prelude::*;

/// Parameters of a warp's tournaments.
#[derive(Debug, Clone, Copy)]
pub struct Tournament {
    /// The text and the pattern, with copies of the symbols that verify an occurrence.
    pub needle: Needle,
    /// The winners of 2^levels lanes duel: the positions of these lanes are less than the reach
    /// apart, or levels is 0.
    pub levels: u32,
}

impl Tournament {
    /// Returns the winner of the positions of the bits in `left`, in ascending order, to all lanes
    /// of a group of 2^levels; [`NOWHERE`] if there are no positions. If the reach is less than a
    /// lane's positions, there may be several winners. The others are verified here, and `found` is
    /// called with those that begin an occurrence.
    ///
    /// # Safety
    /// All 32 lanes of the warp call it together.
    #[inline(always)]
    pub unsafe fn winner(&self, mut left: u64, position: impl Fn(u32) -> u32, mut found: impl FnMut(u32)) -> u32 {
        let needle = &self.needle;
        let mut winner = NOWHERE;
        while left != 0 {
            let next = position(left.trailing_zeros());
            left &= left - 1;
            if winner == NOWHERE {
                winner = next;
            } else if next - winner < needle.reach {
                winner = needle.duel(winner, next);
            } else {
                if needle.begins_at(winner) {
                    found(winner);
                }
                winner = next;
            }
        }
        // SAFETY: guaranteed by the caller.
        reduce_groups!(winner, self.levels, other => needle.duel_if_both(winner, other));
        winner
    }

    /// Verifies the groups' winners. Returns true if the winner of this lane's group begins an
    /// occurrence and the lane is the group's first.
    ///
    /// # Safety
    /// As [`winner`](Self::winner), with its return value.
    #[inline(always)]
    pub unsafe fn begins(&self, winner: u32) -> bool {
        let group = 1 << self.levels;
        // SAFETY: guaranteed by the caller.
        let begins = unsafe { self.needle.begins_at_together(winner, group) };
        begins && warp::lane_id() & (group - 1) == 0
    }
}
