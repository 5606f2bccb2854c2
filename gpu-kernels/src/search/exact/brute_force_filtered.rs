//! Brute force with a filter: eight symbols of the pattern are compared with the text at every
//! position, and the rest only where these match.
//!
//! **Problem.** The published brute force ([`brute_force`](crate::published::brute_force)) loads a
//! byte of the text and one of the pattern for each comparison, and at most positions the first
//! comparison fails.
//!
//! **Idea.** A lane loads 64 neighbouring symbols by four loads of 16 bytes, and compares a window
//! of eight symbols at all of them, four symbols per instruction ([`sieve`]). At each match of the
//! window, the lane compares the whole pattern, 16 symbols at a time, up to the first difference.
//!
//! ```text
//! text       a c g t a c c t g a c g t a c c t g …
//! window             ‾‾‾‾‾‾‾‾ match: the pattern is compared from its first symbol on
//! pattern        | | |        | | | | | …
//! ```
//!
//! **Cost** per symbol: 3.75 instructions in a random text. In the worst text the window matches
//! everywhere and the pattern almost everywhere: then m / 16 parts of the pattern are compared for
//! every fifth symbol, which [`duel`](super::duel) avoids.

use super::needle::Needle;
use super::sieve::{self, LANE_SYMBOLS, Sieve, TILE};
use crate::search::output::{COUNT, SearchOutput};
use simt_std::prelude::*;

/// Warps per block.
const WARPS: u32 = 8;

/// Searches a text. Launch: any number of blocks. `SHORT` is 1 for patterns of less than eight
/// symbols, else 0.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct BruteForceFiltered<const SHORT: u32> {
    /// The text and the pattern; witnesses and copies are not used.
    pub needle: Needle,
    /// The window.
    pub sieve: Sieve,
    /// The first tile where the window of a reported occurrence may begin.
    pub first_tile: u64,
    /// The tile after the last one.
    pub end_tile: u64,
    /// Number of parts of 16 symbols to compare where the window matches: all of the pattern, or 0
    /// if the window is the pattern.
    pub parts: u32,
    /// Number of blocks of the launch.
    pub blocks: u32,
    /// Destination and format of the results: counts and hits.
    pub output: SearchOutput,
}

#[kernel(threads = WARPS * WARP, instances = [brute_force_filtered_0: (0), brute_force_filtered_1: (1)])]
pub fn brute_force_filtered<const SHORT: u32>(self: BruteForceFiltered<SHORT>) {
    let Needle { n, m, first, .. } = self.needle;
    let offset = u64::from(self.sieve.offset);
    let last_position = u64::from(m - 1);
    let mut tile = self.first_tile + u64::from(thread::block_idx_x() * WARPS + thread::thread_idx_x() / WARP);
    let mut count = 0;
    while tile < self.end_tile {
        let text = sieve::read(self.needle.text, n, tile, self.sieve.fold);
        let short = SHORT != 0;
        // Short windows are frequent: a lane almost always has one.
        if short || self.sieve.has_window(&text) {
            let lane_first = tile * TILE + u64::from(warp::lane_id() * LANE_SYMBOLS);
            let windows = if short { self.sieve.windows::<true>(&text) } else { self.sieve.windows::<false>(&text) };
            let mut left = windows & sieve::within(lane_first, first + offset, n - u64::from(m) + offset + 1);
            if self.parts == 0 && self.output.format == COUNT {
                count += left.count_ones();
                left = 0;
            }
            while left != 0 {
                let position = lane_first + u64::from(left.trailing_zeros()) - offset;
                if self.needle.begins_with(position, self.parts) {
                    self.output.put_end(position + last_position, &mut count);
                }
                left &= left - 1;
            }
        }
        tile += u64::from(self.blocks * WARPS);
    }
    if self.output.format == COUNT {
        // SAFETY: all lanes of the warp reach this call: they have the same tiles.
        unsafe { self.output.put_count(count) };
    }
}
