//! Approximate search: the automaton of Wu and Manber (1992), with a long run of the text for each
//! lane. m is at most 64, k at most 4.
//!
//! **Recurrence.** There are k + 1 levels of m bits; a bit is 0 if a prefix of the pattern matches
//! with at most d errors. The formulas are in [`search`](crate::search). A set bit is a state that
//! is not reached.
//!
//! **Idea.** In a scan across lanes (Mitani, Ino and Hagihara 2017) a level needs the states of the
//! level below first, so every level is a separate pass. A lane that processes the text in order
//! needs only k + 1 words of state, and a few instructions per symbol and level. GBPR (Lin, Wang
//! and Huang 2014) does this too, but is slow: it has short runs, 8 symbols with a halo of
//! m + k - 1, and loads single bytes far apart. Here a run has hundreds to thousands of symbols,
//! and [`lane_runs`] describes how a warp reads the runs and writes their results.
//!
//! ```text
//! state of a level, m = 20, one word     bit 31 … 12      11 … 0
//!                                           p19 … p0      below the pattern: always 0,
//!                                            ↑            so that each shift shifts in a 0,
//!                                            │            "nothing matched yet"
//!                                            accepting: pushed into `rejected` after each symbol
//! ```
//!
//! **Cost** per symbol: an address and a load from shared memory; for each level and word a shift
//! and two operations of three operands (one for level 0); and for each level 1 instruction to
//! store the accepting bit.

use crate::search::lane_runs::{self, Runs, search_runs, shared_bytes};
use crate::search::output::{COUNT, HITS, SearchOutput};
use crate::search::words::shifted;
use simt_std::prelude::*;

/// Searches a text for a pattern. Launch: any number of blocks; each lane searches a run of
/// `runs.run` symbols, from `runs.first` on.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct WuManber<const WORDS: usize, const LEVELS: usize> {
    /// The text and its partition into runs.
    pub runs: Runs,
    /// m, 1 to 32 `WORDS`.
    pub m: u32,
    /// The mismatch words, as [`match_table`](crate::search::match_table) defines them. The
    /// pattern's last symbol has the highest bit, the one before it the next lower, and so on.
    pub table: Global<u32>,
    /// Destination and format of the results.
    pub output: SearchOutput,
}

/// Warps per block, chosen so that the registers of a multiprocessor hold two blocks.
pub const fn warps(words: usize, levels: usize) -> u32 {
    match (words, levels) {
        (1, _) | (_, ..4) => 14,
        (_, 4) => 12,
        _ => 10,
    }
}

/// The states of all levels, `states[d]`, and each shifted up by one bit, `shifted[d]`. A set bit
/// is a state that is not reached.
struct Automaton<const WORDS: usize, const LEVELS: usize> {
    states: [[u32; WORDS]; LEVELS],
    shifted: [[u32; WORDS]; LEVELS],
    /// For each level the highest bit of its last 32 states, 1 if no match ended; the latest state
    /// has bit 0.
    rejected: [u32; LEVELS],
}

impl<const WORDS: usize, const LEVELS: usize> Automaton<WORDS, LEVELS> {
    /// Returns the states before any symbol: at level d, d errors (d deletions) reach the first d
    /// bits of the pattern. Bits below the pattern are always reached.
    #[inline(always)]
    fn new(m: u32) -> Self {
        let first = 32 * WORDS as u32 - m;
        let states = core::array::from_fn(|d| {
            core::array::from_fn(|w| {
                let below = (first + d as u32).saturating_sub(32 * w as u32);
                if below >= 32 { 0 } else { !0 << below }
            })
        });
        let mut automaton = Self { states, shifted: states, rejected: [!0; LEVELS] };
        for d in 0..LEVELS {
            automaton.shifted[d] = shifted(automaton.states[d], 0);
        }
        automaton
    }
}

impl<const WORDS: usize, const LEVELS: usize> lane_runs::Automaton<WORDS> for Automaton<WORDS, LEVELS> {
    #[inline(always)]
    fn step(&mut self, words: [u32; WORDS]) {
        // Values of level d - 1: its states before the symbol (for an insertion), these states
        // shifted (for a substitution), and its states after the symbol, shifted (for a deletion).
        let (mut old, mut old_shifted, mut new_shifted) = ([0; WORDS], [0; WORDS], [0; WORDS]);
        for d in 0..LEVELS {
            let (state, moved) = (self.states[d], self.shifted[d]);
            let new: [u32; WORDS] = core::array::from_fn(|w| {
                let matched = moved[w] | words[w];
                if d == 0 { matched } else { matched & old[w] & (old_shifted[w] & new_shifted[w]) }
            });
            (old, old_shifted, new_shifted) = (state, moved, shifted(new, 0));
            self.states[d] = new;
            self.shifted[d] = new_shifted;
            self.rejected[d] = self.rejected[d] << 1 | new[WORDS - 1] >> 31;
        }
    }
}

#[kernel(
    threads = warps(WORDS, LEVELS) * WARP,
    shared = shared_bytes(WORDS, warps(WORDS, LEVELS)),
    instances = [
        wu_manber_1_0: (1, 1), wu_manber_1_1: (1, 2), wu_manber_1_2: (1, 3), wu_manber_1_3: (1, 4), wu_manber_1_4: (1, 5),
        wu_manber_2_0: (2, 1), wu_manber_2_1: (2, 2), wu_manber_2_2: (2, 3), wu_manber_2_3: (2, 4), wu_manber_2_4: (2, 5),
    ]
)]
pub fn wu_manber<const WORDS: usize, const LEVELS: usize>(self: WuManber<WORDS, LEVELS>) {
    search_runs!(
        self, WORDS, warps(WORDS, LEVELS),
        start: |index, start| {},
        automaton: automaton = Automaton::<WORDS, LEVELS>::new(self.m),
        before: {},
        after: |runs, table, quarter, position, left, count| {
            let exist = if left == 0 { 0 } else { !0 >> (32 - left) };
            let levels: [u32; LEVELS] = core::array::from_fn(|d| (!automaton.rejected[d]).reverse_bits() & exist);
            let ends = levels[LEVELS - 1];
            if self.output.format == COUNT {
                count += ends.count_ones();
            } else if self.output.format == HITS {
                self.output.put_hits(position, levels);
            } else {
                runs.keep(quarter, ends);
            }
        },
        keeps: true, counts: true,
    );
}
