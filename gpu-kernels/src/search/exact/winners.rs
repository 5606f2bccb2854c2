//! Long patterns: the winners of tiles duel on, and few of them are verified, by all of the GPU.
//!
//! **Problem.** [`duel`](super::duel) leaves one position a tile. If two may duel at a distance r of many tiles, most of these positions can
//! be ruled out without being compared; and one that is left is compared with so many symbols that one warp would take long.
//!
//! **Idea.** Kernels follow one another, each on what the one before has left:
//!
//! ```text
//! tiles            x  x  x  x | x  x  x  x | x  x  x  x | x  x  x  x |
//! MergeWinners        x       |       x    |   x        |         x  |    windows of so many tiles that they are no longer than r
//! RemainingWinners    x       |       x    |            |         x  |    neighbours that are nearer than r duel, too
//! LinkWinners         └───────────────┘ a period apart
//! VerifyWinners       |==============||=============================|     each symbol of the text is compared about once
//! ChainWinners        what is found a period later counts here, too; again and again, for twice the distance each time
//! TellWinners         those in which no difference is within m symbols
//! ```
//!
//! **Links.** If the pattern P has the period p, an occurrence p symbols later begins with what this one has left: P\[p + i\] =
//! P\[i\]. So where another position that is left is p symbols later, only p symbols are compared here, and the first
//! difference is here or there. That is how occurrences of a periodic pattern, p apart, share their work, and how those of a pattern of two
//! overlapping parts do.
//!
//! **Cost.** A position that is left stands for at least r symbols, but for the text's edges, so all of them are compared with at most m / r
//! times as many symbols as the text has: 2 times if the pattern is not periodic, less where links are. A block keeps 16,384 symbols of the
//! pattern in shared memory for 64 windows, so that only the text comes from memory.

use super::needle::{NOWHERE, Needle};
use super::sieve::{GRAM, TILE};
use crate::search::output::{COUNT, SearchOutput};
use simt_std::prelude::*;

/// Threads of a block.
pub const THREADS: u32 = 256;

/// Windows that a block of [`VerifyWinners`] looks at.
pub const WINDOWS: u32 = 64;

/// Parts of 16 symbols of the pattern that a block of [`VerifyWinners`] keeps.
pub const PARTS: u32 = 1024;

/// No difference: more than any pattern has symbols.
pub const NONE: u32 = !0;

/// Lets the winners of 2^levels neighbouring windows duel. Launch: a thread a window.
#[kernel(threads = THREADS)]
pub fn merge_winners(
    /// The text and the pattern.
    needle: Needle,
    /// For each window its winner or [`NOWHERE`].
    from: Global<u32>,
    /// How many windows.
    count: u32,
    /// Levels, up to 5: the windows together are no longer than the reach.
    levels: u32,
    /// Out: for each 2^levels windows their winner.
    to: Global<u32>,
) {
    let i = thread::index_1d();
    let mut winner = if i < count { from.read(i as usize) } else { NOWHERE };
    for level in 0..levels {
        // SAFETY: all lanes are here: the levels are the same in each.
        let (other, _) = unsafe { warp::warp_shuffle_xor(FULL_WARP, winner, 1 << level, WARP) };
        winner = needle.duel_if_both(winner, other);
    }
    if i < count && i & ((1 << levels) - 1) == 0 {
        to.write((i >> levels) as usize, winner);
    }
}

/// Leaves the winners that no neighbour which is nearer than the reach has beaten. Launch: a thread a window.
#[kernel(threads = THREADS)]
pub fn remaining_winners(
    /// The text and the pattern.
    needle: Needle,
    /// For each window, which is longer than half the reach, its winner or [`NOWHERE`].
    winners: Global<u32>,
    /// How many windows.
    count: u32,
    /// Out: for each window its winner if it remains, else [`NOWHERE`].
    left: Global<u32>,
) {
    let i = thread::index_1d();
    if i >= count {
        return;
    }
    let own = winners.read(i as usize);
    let mut remains = own;
    // Two windows before to two windows after: those may be nearer than the reach.
    for to_other in [!1, !0, 1, 2] {
        let at = i.wrapping_add(to_other);
        let other = if at < count && own != NOWHERE { winners.read(at as usize) } else { NOWHERE };
        if other != NOWHERE && own.abs_diff(other) < needle.reach && needle.duel_if_both(own, other) != own {
            remains = NOWHERE;
        }
    }
    left.write(i as usize, remains);
}

/// Finds for each winner the one that is a period later. Launch: a thread a window.
#[kernel(threads = THREADS)]
pub fn link_winners(
    /// For each window its winner or [`NOWHERE`].
    left: Global<u32>,
    /// How many windows.
    count: u32,
    /// The pattern's period.
    period: u32,
    /// The pattern's symbol that is looked for in a tile: see [`Sieve`](super::sieve::Sieve).
    offset: u32,
    /// The first tile.
    first_tile: u64,
    /// Tiles of a window: 2^`tiles`.
    tiles: u32,
    /// Out: for each window that of the position a period later, or [`NOWHERE`].
    next: Global<u32>,
    /// Out: for each window [`NONE`].
    differences: Global<u32>,
) {
    let i = thread::index_1d();
    if i >= count {
        return;
    }
    let own = left.read(i as usize);
    let mut found = NOWHERE;
    if own != NOWHERE {
        let later = u64::from(own) + u64::from(period);
        // A block of the text that says where the pattern is begins up to 15 symbols after `offset`.
        for place in [0, GRAM - 1] {
            let tile = (later + u64::from(offset + place)) / TILE - first_tile;
            let window = tile >> tiles;
            if window < u64::from(count) && u64::from(left.read(window as usize)) == later {
                found = window as u32;
            }
        }
    }
    next.write(i as usize, found);
    differences.write(i as usize, NONE);
}

/// Compares the pattern with the text at each winner: m symbols, or a period of them if there is a link. Launch: in x as many
/// blocks as the pattern has [`PARTS`], in y as many as there are [`WINDOWS`].
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct VerifyWinners {
    /// The text and the pattern.
    pub needle: Needle,
    /// For each window its winner or [`NOWHERE`].
    pub left: Global<u32>,
    /// For each window its link or [`NOWHERE`].
    pub next: Global<u32>,
    /// How many windows.
    pub count: u32,
    /// The pattern's period.
    pub period: u32,
    /// Out: for each window the first symbol of the pattern that the text does not have, [`NONE`] before.
    pub differences: Global<u32>,
}

impl VerifyWinners {
    /// The first symbol of the pattern, of 16 in part `part`, that the text does not have; [`NONE`] if it has all. `in_block` is the part
    /// among those that the block keeps.
    #[inline(always)]
    fn first_difference(&self, kept: Kept, position: u32, part: u32, in_block: u32) -> u32 {
        let text = self.needle.sixteen(u64::from(position) + 16 * u64::from(part));
        let (U32x4(symbols), U32x4(cares)) = (kept.symbols.read(in_block), kept.cares.read(in_block));
        let mut first = NONE;
        unroll!(back in [0 1 2 3] {
            let i = 3 - back;
            let differ = (text[i as usize] ^ symbols[i as usize]) & cares[i as usize];
            if differ != 0 {
                first = 16 * part + 4 * i + differ.trailing_zeros() / 8;
            }
        });
        first
    }
}

/// Parts of the pattern in shared memory.
#[derive(Debug, Clone, Copy)]
struct Kept {
    symbols: Shared<U32x4>,
    cares: Shared<U32x4>,
}

#[kernel(threads = THREADS, shared = 2 * 16 * PARTS)]
pub fn verify_winners(self: VerifyWinners) {
    let thread = thread::thread_idx_x();
    let first_window = thread::block_idx_y() * WINDOWS;
    let window = first_window + thread;
    let is_left = thread < WINDOWS && window < self.count && self.left.read(window as usize) != NOWHERE;
    // SAFETY: all threads are here, as below.
    if !unsafe { thread::sync_threads_or(is_left) } {
        return;
    }
    let first_part = thread::block_idx_x() * PARTS;
    let parts = self.needle.m.div_ceil(16);
    let symbols = dynamic_shared_mem::<U32x4>();
    let kept = Kept { symbols, cares: Shared::at(symbols.address() + 16 * PARTS) };
    let mut i = thread;
    while i < PARTS && first_part + i < parts {
        kept.symbols.write(i, self.needle.symbols.read_only((first_part + i) as usize));
        kept.cares.write(i, self.needle.cares.read_only((first_part + i) as usize));
        i += THREADS;
    }
    // SAFETY: as above.
    unsafe { thread::sync_threads() };
    let lane = warp::lane_id();
    let mut number = thread / WARP;
    while number < WINDOWS && first_window + number < self.count {
        let window = (first_window + number) as usize;
        number += THREADS / WARP;
        let position = self.left.read(window);
        // What another block has found ends this one's work: but not within a chunk, so that all lanes do the same.
        let known = if position == NOWHERE { 0 } else { atomic::load(self.differences, window) };
        // SAFETY: all lanes of the warp are here, as below: they have one window.
        let (known, _) = unsafe { warp::warp_shuffle_idx(FULL_WARP, known, 0, WARP) };
        if known <= 16 * first_part {
            continue;
        }
        let length = if self.next.read(window) == NOWHERE { self.needle.m } else { self.period };
        let end = length.div_ceil(16).min(first_part + PARTS);
        let (mut from, mut first) = (first_part, NONE);
        // SAFETY: as above.
        while from < end && !unsafe { warp::warp_vote_any(FULL_WARP, first != NONE) } {
            unroll!(back in [0 1 2 3] {
                let part = from + (3 - back) * WARP + lane;
                if part < end {
                    first = first.min(self.first_difference(kept, position, part, part - first_part));
                }
            });
            from += 4 * WARP;
        }
        if first != NONE {
            atomic::fetch_min(self.differences, window, first);
        }
    }
}

/// Counts what was found at the end of each link here, too, and makes links of twice the length. Launch: a thread a window.
#[kernel(threads = THREADS)]
pub fn chain_winners(
    /// For each window its winner or [`NOWHERE`].
    left: Global<u32>,
    /// For each window its link or [`NOWHERE`].
    next: Global<u32>,
    /// For each window its first difference.
    differences: Global<u32>,
    /// How many windows.
    count: u32,
    /// Out: links of links.
    next_to: Global<u32>,
    /// Out: the first difference of both.
    differences_to: Global<u32>,
) {
    let i = thread::index_1d() as usize;
    if i >= count as usize {
        return;
    }
    let link = next.read(i);
    let (mut difference, mut further) = (differences.read(i), NOWHERE);
    if link != NOWHERE {
        let distance = left.read(link as usize) - left.read(i);
        let there = differences.read(link as usize);
        difference = difference.min(there.saturating_add(distance));
        further = next.read(link as usize);
    }
    next_to.write(i, further);
    differences_to.write(i, difference);
}

/// Writes the winners that begin occurrences. Launch: a thread a window.
#[kernel(threads = THREADS)]
pub fn tell_winners(
    /// For each window its winner or [`NOWHERE`].
    left: Global<u32>,
    /// For each window its first difference, here or at the end of a link.
    differences: Global<u32>,
    /// How many windows.
    count: u32,
    /// m.
    m: u32,
    /// Where results go: counts and hits.
    output: SearchOutput,
) {
    let i = thread::index_1d();
    let position = if i < count { left.read(i as usize) } else { NOWHERE };
    let mut count_here = 0;
    if position != NOWHERE && differences.read(i as usize) >= m {
        output.put_end(u64::from(position) + u64::from(m - 1), &mut count_here);
    }
    if output.format == COUNT {
        // SAFETY: all lanes are here.
        unsafe { output.put_count(count_here) };
    }
}
