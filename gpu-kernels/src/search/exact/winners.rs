//! Long patterns: the winners of tiles duel further, and the whole GPU verifies the few remaining
//! ones.
//!
//! **Problem.** [`duel`](super::duel) leaves one position per tile. If two positions may duel at a
//! distance r of many tiles, duels can rule out most of these positions without comparing them.
//! Comparing the pattern at a remaining position would take a single warp a long time.
//!
//! **Idea.** Six kernels run one after the other, each on the result of the previous one. A
//! *window* is a number of neighbouring tiles. It has one position, its *winner*, or none.
//!
//! - [`MergeWinners`] joins 2^levels windows to one, no longer than r: their winners duel.
//! - [`RemainingWinners`] lets the winners of neighbouring windows duel if they are less than r
//!   apart.
//! - [`LinkWinners`] links a winner to the winner one period later, if there is one.
//! - [`VerifyWinners`] compares the pattern with the text at each winner, up to its first
//!   difference: p symbols if it is linked, m if not.
//! - [`ChainWinners`] carries first differences back along the links, over 1, 2, 4, … of them,
//!   until all are covered.
//! - [`TellWinners`] writes the winners whose first difference is at m or later: they begin
//!   occurrences.
//!
//! **Links.** If the pattern P has the period p, then P\[p + i\] = P\[i\]: all but the first p
//! symbols of an occurrence are the first m - p symbols of an occurrence one period later. So if
//! there is a winner one period later, only p symbols are compared at this one. A difference i
//! symbols after the later winner is a difference at p + i here. In this way occurrences at
//! distance p share their work.
//!
//! ```text
//! P = U U with U of 8 symbols: m = 16, p = r = 8. The text has U U U from position 1 on.
//! Tiles of 4 symbols (instead of 2,048)
//!
//! position   0 . . . 4 . . . 8 . . . 12 . . 16 . . . 20 . . 24
//! text       x U U U U U U U U U U U U U U U U U U U U U U U U y
//! tiles         1   |   6   |   9   |   -   |   17  |   22  |  one winner per tile
//! merge, 2 tiles    1       |       9       |       17      |  duels of 1 and 6, and of 17 and 22
//! remaining         1               9               17         8 apart, not nearer than r: no duel
//! link              └──────────────→└──────────────→┘
//! verify            none            none            8          first differences, comparing
//!                                                              8, 8 and 16 symbols
//! chain, 1 link     none            16 = 8 + 8      8          differences of the winner at the
//! chain, 2 links    24 = 16 + 8     16              8          link's end, one period later
//! tell              occurrence      occurrence      no         a first difference at m = 16 or
//!                                                              more is outside P
//! ```
//!
//! **Threads.** One thread per window. In [`VerifyWinners`] one warp per window, with 16
//! neighbouring symbols per lane. A block of it keeps 16,384 symbols of the pattern in shared
//! memory, its *chunk*, for 64 windows, so that only the text is read from memory.
//!
//! **Cost.** A remaining winner accounts for at least r symbols, except at the text's edges. So the
//! symbols compared at all winners are at most m / r times those of the text: 2 times if the
//! pattern is not periodic, less with links.

use super::needle::{NOWHERE, Needle};
use super::sieve::{GRAM, TILE};
use crate::collectives::broadcast::broadcast;
use crate::collectives::reduce::reduce_groups;
use crate::search::output::{COUNT, SearchOutput};
use simt_std::prelude::*;

/// Threads per block.
pub const THREADS: u32 = 256;

/// Number of windows per block of [`VerifyWinners`].
pub const WINDOWS: u32 = 64;

/// Number of parts of 16 symbols of the pattern that a block of [`VerifyWinners`] keeps.
pub const PARTS: u32 = 1024;

/// First difference of a winner without one: greater than any pattern's length.
pub const NONE: u32 = !0;

/// Lets the winners of 2^levels neighbouring windows duel. Launch: one thread per window.
#[kernel(threads = THREADS)]
pub fn merge_winners(
    /// The text and the pattern.
    needle: Needle,
    /// For each window its winner or [`NOWHERE`].
    from: Global<u32>,
    /// Number of windows.
    count: u32,
    /// Number of levels, up to 5: the windows together are no longer than the reach.
    levels: u32,
    /// Out: for each 2^levels windows their winner.
    to: Global<u32>,
) {
    let i = thread::index_1d();
    let mut winner = if i < count { from.read(i as usize) } else { NOWHERE };
    // SAFETY: all lanes reach this call: the levels are the same in each.
    reduce_groups!(winner, levels, other => needle.duel_if_both(winner, other));
    if i < count && i & ((1 << levels) - 1) == 0 {
        to.write((i >> levels) as usize, winner);
    }
}

/// Leaves the winners that no other winner at a distance less than the reach has beaten. Launch:
/// one thread per window.
#[kernel(threads = THREADS)]
pub fn remaining_winners(
    /// The text and the pattern.
    needle: Needle,
    /// For each window, which is longer than half the reach, its winner or [`NOWHERE`].
    winners: Global<u32>,
    /// Number of windows.
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
    // A window is longer than half the reach, so only the two windows before and the two after may
    // have a winner near enough.
    for distance in [!1, !0, 1, 2] {
        let at = i.wrapping_add(distance);
        let other = if at < count && own != NOWHERE { winners.read(at as usize) } else { NOWHERE };
        if other != NOWHERE && own.abs_diff(other) < needle.reach && needle.duel_if_both(own, other) != own {
            remains = NOWHERE;
        }
    }
    left.write(i as usize, remains);
}

/// Finds for each winner the one that is a period later. Launch: one thread per window.
#[kernel(threads = THREADS)]
pub fn link_winners(
    /// For each window its winner or [`NOWHERE`].
    left: Global<u32>,
    /// Number of windows.
    count: u32,
    /// The pattern's period.
    period: u32,
    /// The pattern's symbol that the sieve searches for in a tile: see
    /// [`Sieve`](super::sieve::Sieve).
    offset: u32,
    /// The first tile.
    first_tile: u64,
    /// Binary logarithm of the number of tiles per window.
    log2_tiles: u32,
    /// Out: for each window the window of the winner a period later, or [`NOWHERE`].
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
        // A winner belongs to the window where the sieve has found it. With grams the block begins
        // up to 15 symbols after `offset`.
        for after in [0, GRAM - 1] {
            let tile = (later + u64::from(offset + after)) / TILE - first_tile;
            let window = tile >> log2_tiles;
            if window < u64::from(count) && u64::from(left.read(window as usize)) == later {
                found = window as u32;
            }
        }
    }
    next.write(i as usize, found);
    differences.write(i as usize, NONE);
}

/// Compares the pattern with the text at each winner: m symbols, or one period if there is a link.
/// Launch: in x one block for each [`PARTS`] parts of the pattern, in y one for each [`WINDOWS`]
/// windows.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct VerifyWinners {
    /// The text and the pattern.
    pub needle: Needle,
    /// For each window its winner or [`NOWHERE`].
    pub left: Global<u32>,
    /// For each window its link or [`NOWHERE`].
    pub next: Global<u32>,
    /// Number of windows.
    pub count: u32,
    /// The pattern's period.
    pub period: u32,
    /// Out: for each window the first symbol of the pattern that differs from the text; [`NONE`]
    /// before the launch.
    pub differences: Global<u32>,
}

impl VerifyWinners {
    /// Returns the first difference among the 16 symbols of part `part` of the pattern, or
    /// [`NONE`]. `in_chunk` is the index of the part in the block's chunk.
    #[inline(always)]
    fn first_difference(&self, chunk: Chunk, position: u32, part: u32, in_chunk: u32) -> u32 {
        let text = self.needle.sixteen(u64::from(position) + 16 * u64::from(part));
        let (U32x4(symbols), U32x4(significant_bits)) =
            (chunk.symbols.read(in_chunk), chunk.significant_bits.read(in_chunk));
        let mut first = NONE;
        unroll!(back in [0 1 2 3] {
            let i = 3 - back;
            let differ = (text[i as usize] ^ symbols[i as usize]) & significant_bits[i as usize];
            if differ != 0 {
                first = 16 * part + 4 * i + differ.trailing_zeros() / 8;
            }
        });
        first
    }
}

/// The parts of the pattern that a block keeps in shared memory: their symbols, and the bits that
/// count.
#[derive(Debug, Clone, Copy)]
struct Chunk {
    symbols: Shared<U32x4>,
    significant_bits: Shared<U32x4>,
}

#[kernel(threads = THREADS, shared = 2 * 16 * PARTS)]
pub fn verify_winners(self: VerifyWinners) {
    let thread = thread::thread_idx_x();
    let first_window = thread::block_idx_y() * WINDOWS;
    let window = first_window + thread;
    let has_winner = thread < WINDOWS && window < self.count && self.left.read(window as usize) != NOWHERE;
    // SAFETY: all threads of the block reach this call, and those below.
    if !unsafe { thread::sync_threads_or(has_winner) } {
        return;
    }
    let first_part = thread::block_idx_x() * PARTS;
    let parts = self.needle.m.div_ceil(16);
    let symbols = dynamic_shared_mem::<U32x4>();
    let chunk = Chunk { symbols, significant_bits: Shared::at(symbols.address() + 16 * PARTS) };
    let mut i = thread;
    while i < PARTS && first_part + i < parts {
        chunk.symbols.write(i, self.needle.symbols.read_only((first_part + i) as usize));
        chunk.significant_bits.write(i, self.needle.significant_bits.read_only((first_part + i) as usize));
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
        // A difference that another block has found before this chunk ends the work on the window.
        // All lanes use the value that one lane has read, so that they agree.
        let known = if position == NOWHERE { 0 } else { atomic::load(self.differences, window) };
        // SAFETY: all lanes of the warp reach this call, and those below: they share a window.
        let known = unsafe { broadcast(known, 0) };
        if known <= 16 * first_part {
            continue;
        }
        let length = if self.next.read(window) == NOWHERE { self.needle.m } else { self.period };
        let end = length.div_ceil(16).min(first_part + PARTS);
        let (mut from, mut first) = (first_part, NONE);
        // 128 neighbouring parts at a time, 4 per lane, until one has a difference.
        // SAFETY: as above.
        while from < end && !unsafe { warp::warp_vote_any(FULL_WARP, first != NONE) } {
            unroll!(back in [0 1 2 3] {
                let part = from + (3 - back) * WARP + lane;
                if part < end {
                    first = first.min(self.first_difference(chunk, position, part, part - first_part));
                }
            });
            from += 4 * WARP;
        }
        if first != NONE {
            atomic::fetch_min(self.differences, window, first);
        }
    }
}

/// Takes over the first difference at the end of each link, increased by the link's distance, and
/// makes links of twice the length. Launch: one thread per window.
#[kernel(threads = THREADS)]
pub fn chain_winners(
    /// For each window its winner or [`NOWHERE`].
    left: Global<u32>,
    /// For each window its link or [`NOWHERE`].
    next: Global<u32>,
    /// For each window its first difference.
    differences: Global<u32>,
    /// Number of windows.
    count: u32,
    /// Out: links of links.
    next_to: Global<u32>,
    /// Out: the lesser of both first differences.
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

/// Writes the winners that begin occurrences. Launch: one thread per window.
#[kernel(threads = THREADS)]
pub fn tell_winners(
    /// For each window its winner or [`NOWHERE`].
    left: Global<u32>,
    /// For each window its first difference, at its own winner or at the end of a link.
    differences: Global<u32>,
    /// Number of windows.
    count: u32,
    /// m.
    m: u32,
    /// Destination and format of the results: counts and hits.
    output: SearchOutput,
) {
    let i = thread::index_1d();
    let position = if i < count { left.read(i as usize) } else { NOWHERE };
    let mut count_here = 0;
    if position != NOWHERE && differences.read(i as usize) >= m {
        output.put_end(u64::from(position) + u64::from(m - 1), &mut count_here);
    }
    if output.format == COUNT {
        // SAFETY: all lanes of the warp reach this call.
        unsafe { output.put_count(count_here) };
    }
}
