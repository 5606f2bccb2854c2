//! Many patterns in one pass over the text: the automaton of Wu and Manber (1992) on patterns that lie side by side in
//! the words of a lane, as Kusudo, Ino and Hagihara (2015) pack them. Up to 128 symbols of all patterns, k at most 3.
//!
//! **Idea.** A state of m bits seldom fills its word, and what a symbol costs besides (its fetch, its address, its
//! load) it costs once for all patterns of a pass. So patterns are put one after the other, over the borders of words
//! too: what is shifted out of one goes into the next, whose first bit is set aside by a mask.
//!
//! ```text
//! bit        0            m1 - 1  m1                    m1 + m2 - 1  m1 + m2
//! words     | pattern 1 …     a1 | pattern 2 …                   a2 | pattern 3 …      a: all of it matched
//! starts      1                    1                                  1                 here nothing is shifted in
//! accepting                   1                                   1
//! ```
//!
//! **Counting by an AND.** The AND of the last level's states says whether any pattern ended at any of the last
//! symbols. It is looked at every 32 symbols. Only where something ended, the lane goes through these 32 symbols again
//! from the states before them, one by one, to see what: occurrences are rare, or there is much to write.
//!
//! **Threads, memory.** A long run of the text for each lane, as [`lane_runs`] shows.
//!
//! **Cost** a symbol: an address and a load for each four words; per word 3 instructions for k = 0, and 4 more for each
//! further level. A second look costs the lane, and so its warp, the 32 symbols once more.

use crate::search::lane_runs::{self, LaneRuns, Runs, search_runs, shared_bytes};
use crate::search::match_table::MatchTable;
use crate::search::output::{COUNT, SearchOutput};
use crate::search::words::shifted;
use simt_std::prelude::*;

/// Searches a text for several patterns. Launch: any number of blocks; each lane takes a run of `runs.run` symbols,
/// from `runs.first` on. The output's format is hits or a count.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Packed<const WORDS: usize, const LEVELS: usize> {
    /// The text, and each lane's run of it.
    pub runs: Runs,
    /// 1 in the first bit of each pattern. Each has more than k symbols.
    pub starts: [u32; WORDS],
    /// 1 in the last bit of each pattern.
    pub accepting: [u32; WORDS],
    /// The mismatch words, as [`match_table`](crate::search::match_table) has them: each pattern's symbols have the
    /// bits from its first bit on.
    pub table: Global<u32>,
    /// Where results go.
    pub output: SearchOutput,
}

/// Warps of a block: as many as let two blocks fit a multiprocessor's registers, or, for four words and four levels,
/// one of 16 warps.
pub const fn warps(words: usize, levels: usize) -> u32 {
    match (words, levels) {
        (1, _) | (4, 4) => 16,
        (2, _) => 12,
        _ => 10,
    }
}

/// The states of all levels, `states[d]`, for all patterns. A set bit is a state that is not reached.
#[derive(Debug, Clone, Copy)]
pub(super) struct Automaton<const WORDS: usize, const LEVELS: usize> {
    states: [[u32; WORDS]; LEVELS],
    starts: [u32; WORDS],
    /// The AND of the last level's states over the symbols since it was last set.
    pub seen: [u32; WORDS],
}

impl<const WORDS: usize, const LEVELS: usize> Automaton<WORDS, LEVELS> {
    /// The states before any symbol: at level d, d errors reach the first d bits of each pattern (as d deletions).
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

    /// Whether a pattern ended at one of the symbols that were seen.
    #[expect(clippy::needless_range_loop, reason = "an iterator over an array of registers could take it to memory")]
    #[inline(always)]
    pub fn has_seen(&self, accepting: [u32; WORDS]) -> bool {
        let mut any = 0;
        for w in 0..WORDS {
            any |= !self.seen[w] & accepting[w];
        }
        any != 0
    }

    /// Returns how many patterns ended at the last symbol, which is at `position`. Unless they are only counted, it writes
    /// which.
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
        // Of level d - 1: its states before the symbol (for an insertion), those shifted (for a substitution), and its
        // states with the symbol, shifted (for a deletion).
        let (mut old, mut old_shifted, mut new_shifted) = ([0; WORDS], [0; WORDS], [0; WORDS]);
        for d in 0..LEVELS {
            let state = self.states[d];
            let moved = shifted(state, 0);
            let new: [u32; WORDS] = core::array::from_fn(|w| {
                if d == 0 {
                    moved[w] & !self.starts[w] | words[w]
                } else {
                    // With an error a pattern's first symbol always counts as matched: 0 in its first bit.
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
    /// Goes through the first `left` symbols of a quarter again, with the `automaton` as it was before them, and
    /// returns how many patterns ended there. Unless they are only counted, it writes which. `position` is that of the
    /// quarter's first symbol.
    #[inline(always)]
    fn look_again(
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
                count += self.look_again(before, (&runs, &table), quarter, (position, left));
            }
        },
        keeps: false, counts: true,
    );
}
