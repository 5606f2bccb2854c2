//! Many patterns in one pass over the text: the automaton of Wu and Manber (1992) on patterns that
//! lie side by side in the words of a lane, as Kusudo, Ino and Hagihara (2015) pack them. Up to 128
//! symbols in total, k at most 3.
//!
//! **Idea.** A state of m bits rarely fills its word. The other costs of a symbol (reading it, its
//! address, its load) arise once for all patterns of a pass. So the patterns are stored one after
//! the other, also across word borders. A shift moves the last bit of a pattern into the first bit
//! of the next; a mask clears that bit:
//!
//! ```text
//! bit        0            m1 - 1  m1                    m1 + m2 - 1  m1 + m2
//! words     | pattern 1 …     a1 | pattern 2 …                   a2 | pattern 3 …
//! starts      1                    1                                  1
//! accepting                   1                                   1
//!
//! a1, a2     the whole pattern matched
//! starts     nothing is shifted in here
//! ```
//!
//! **Counting by an AND.** The AND of the last level's states says if any pattern ended at any of
//! the last symbols. The lane tests it every 32 symbols. Only if something ended, it processes
//! these 32 symbols again, one by one, from the states before them, to find the ends. That is rare
//! unless there are many results to write.
//!
//! **Threads, memory.** Each lane has a long run of the text, as [`lane_runs`] describes.
//!
//! **Cost** per symbol: an address and a load for every four words; per word 3 instructions for
//! k = 0, and 4 more for each further level. Processing 32 symbols again costs the lane, and so its
//! warp, these 32 symbols once more.

use crate::search::lane_runs::{self, LaneRuns, Runs, search_runs, shared_bytes};
use crate::search::match_table::MatchTable;
use crate::search::output::{COUNT, SearchOutput};
use crate::search::words::shifted;
use simt_std::prelude::*;

/// Searches a text for several patterns. Launch: any number of blocks; each lane searches a run of
/// `runs.run` symbols, from `runs.first` on. The output's format is hits or a count.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Packed<const WORDS: usize, const LEVELS: usize> {
    /// The text and its partition into runs.
    pub runs: Runs,
    /// 1 in the first bit of each pattern. Each has more than k symbols.
    pub starts: [u32; WORDS],
    /// 1 in the last bit of each pattern.
    pub accepting: [u32; WORDS],
    /// The mismatch words, as [`match_table`](crate::search::match_table) defines them. Each
    /// pattern's symbols have the bits from its first bit on.
    pub table: Global<u32>,
    /// Destination and format of the results.
    pub output: SearchOutput,
}

/// Warps per block, chosen so that the registers of a multiprocessor hold two blocks, or for four
/// words and four levels one block of 16 warps.
pub const fn warps(words: usize, levels: usize) -> u32 {
    match (words, levels) {
        (1, _) | (4, 4) => 16,
        (2, _) => 12,
        _ => 10,
    }
}

/// The states of all levels, `states[d]`, for all patterns. A set bit is a state that is not
/// reached.
#[derive(Debug, Clone, Copy)]
pub(super) struct Automaton<const WORDS: usize, const LEVELS: usize> {
    states: [[u32; WORDS]; LEVELS],
    starts: [u32; WORDS],
    /// The AND of the last level's states over all symbols since the last reset.
    pub seen: [u32; WORDS],
}

impl<const WORDS: usize, const LEVELS: usize> Automaton<WORDS, LEVELS> {
    /// Returns the states before any symbol: at level d, d errors (d deletions) reach the first d
    /// bits of each pattern.
    #[inline(always)]
    pub fn new(starts: [u32; WORDS]) -> Self {
        let mut states = [[!0; WORDS]; LEVELS];
        let mut reached = starts;
        for level in states.iter_mut().skip(1) {
            *level = core::array::from_fn(|w| !reached[w]);
            let more = shifted(reached, 0);
            reached = core::array::from_fn(|w| reached[w] | more[w]);
        }
        Self { states, starts, seen: [!0; WORDS] }
    }

    /// Returns true if a pattern ended at any symbol since the last reset of `seen`.
    #[expect(clippy::needless_range_loop, reason = "an iterator over an array of registers could take it to memory")]
    #[inline(always)]
    pub fn has_seen(&self, accepting: [u32; WORDS]) -> bool {
        let mut any = 0;
        for w in 0..WORDS {
            any |= !self.seen[w] & accepting[w];
        }
        any != 0
    }

    /// Returns the number of patterns that end at the last symbol, which is at `position`. Writes
    /// the hits unless the format is a count.
    #[expect(clippy::needless_range_loop, reason = "an iterator over an array of registers could take it to memory")]
    #[inline(always)]
    pub fn put(&self, output: &SearchOutput, accepting: [u32; WORDS], position: u64) -> u32 {
        let mut count = 0;
        for w in 0..WORDS {
            let ends = !self.states[LEVELS - 1][w] & accepting[w];
            count += ends.count_ones();
            if output.format != COUNT && ends != 0 {
                let levels = core::array::from_fn(|d| !self.states[d][w] & accepting[w]);
                output.put_patterns::<LEVELS>(position, 32 * w as u32, levels);
            }
        }
        count
    }
}

impl<const WORDS: usize, const LEVELS: usize> lane_runs::Automaton<WORDS> for Automaton<WORDS, LEVELS> {
    #[inline(always)]
    fn step(&mut self, words: [u32; WORDS]) {
        // Values of level d - 1: its states before the symbol (for an insertion), these states
        // shifted (for a substitution), and its states after the symbol, shifted (for a deletion).
        let (mut old, mut old_shifted, mut new_shifted) = ([0; WORDS], [0; WORDS], [0; WORDS]);
        for d in 0..LEVELS {
            let state = self.states[d];
            let moved = shifted(state, 0);
            let new: [u32; WORDS] = core::array::from_fn(|w| {
                if d == 0 {
                    moved[w] & !self.starts[w] | words[w]
                } else {
                    // With an error, a pattern's first symbol always counts as matched: its first
                    // bit is 0.
                    (moved[w] | words[w]) & old[w] & (old_shifted[w] & new_shifted[w]) & !self.starts[w]
                }
            });
            (old, old_shifted, new_shifted) = (state, moved, shifted(new, 0));
            self.states[d] = new;
        }
        self.seen = core::array::from_fn(|w| self.seen[w] & self.states[LEVELS - 1][w]);
    }
}

impl<const WORDS: usize, const LEVELS: usize> Packed<WORDS, LEVELS> {
    /// Processes the first `left` symbols of a quarter again, with the `automaton` before them.
    /// Returns the number of patterns that end there, and writes the hits unless the format is a
    /// count. `position` is that of the quarter's first symbol.
    #[inline(always)]
    fn rescan(
        &self,
        mut automaton: Automaton<WORDS, LEVELS>,
        (runs, table): (&LaneRuns, &MatchTable<WORDS>),
        quarter: u32,
        (position, left): (u64, u32),
    ) -> u32 {
        let mut count = 0;
        for j in 0..left {
            let packed = runs.packed(8 * quarter + j / 4);
            lane_runs::Automaton::step(&mut automaton, table.read(packed >> (8 * (j % 4)), 0));
            count += automaton.put(&self.output, self.accepting, position + u64::from(j));
        }
        count
    }
}

#[kernel(
    threads = warps(WORDS, LEVELS) * WARP,
    shared = shared_bytes(WORDS, warps(WORDS, LEVELS)),
    instances = [
        packed_1_0: (1, 1), packed_1_1: (1, 2), packed_1_2: (1, 3), packed_1_3: (1, 4),
        packed_2_0: (2, 1), packed_2_1: (2, 2), packed_2_2: (2, 3), packed_2_3: (2, 4),
        packed_4_0: (4, 1), packed_4_1: (4, 2), packed_4_2: (4, 3), packed_4_3: (4, 4),
    ]
)]
pub fn packed<const WORDS: usize, const LEVELS: usize>(self: Packed<WORDS, LEVELS>) {
    search_runs!(
        self, WORDS, warps(WORDS, LEVELS),
        start: |index, start| {},
        automaton: automaton = Automaton::<WORDS, LEVELS>::new(self.starts),
        before: {
            let before = automaton;
            automaton.seen = [!0; WORDS];
        },
        after: |runs, table, quarter, position, left, count| {
            if automaton.has_seen(self.accepting) {
                count += self.rescan(before, (&runs, &table), quarter, (position, left));
            }
        },
        keeps: false, counts: true,
    );
}
