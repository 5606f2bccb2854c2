//! Approximate search: Wu-Manber (1992) with a long run of the text for each lane.
//!
//! **Idea.** With k errors the scans of Mitani, Ino and Hagihara (2017) need the states of k - 1 errors first, so every
//! level is a pass of its own. A lane that goes through the text in order needs none of that: k + 1 words of state and
//! about 3 instructions a symbol and level. What made this slow on a GPU (GBPR, Lin et al. 2014) were its short runs, 8
//! symbols for a halo of m + k - 1, and its loads of single bytes far apart. Here a run is hundreds to thousands of
//! symbols, and a lane reads 32 bytes at a time, whole sectors.
//!
//! ```text
//! text    |----- run 0 -----|----- run 1 -----|----- run 2 -----| …      a run a lane
//!                    |-halo-|                                            m + k - 1 symbols before a run,
//!                    lane 1 starts here                                  rounded up to 32
//! ```
//!
//! **Cost** a symbol: an address, a load from shared memory, and per level d and word 3 instructions (the shift, and two of
//! three operands), 1 to take out what is accepted.

use crate::cuda::global::Global;
use crate::cuda::{Kernel, U32x4, thread};
use crate::match_table::{self, MatchTable};
use crate::search_output::{BITMAP, BYTES, COUNT, SearchOutput};
use crate::{WARP, entry, unroll};

/// Symbols that a lane reads at a time.
pub const STEP: u64 = 32;

/// Searches a text. Launch: any number of blocks; lanes take `run` symbols each, from `first` on.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct WuManber<const WORDS: usize, const LEVELS: usize> {
    /// n symbols, 16 a word, and any up to a multiple of [`STEP`].
    pub text: Global<U32x4>,
    /// n, at least 1.
    pub n: u64,
    /// The first position that is searched, a multiple of [`STEP`]: those before it only go before.
    pub first: u64,
    /// Symbols of a lane, a multiple of [`STEP`], at least one.
    pub run: u64,
    /// Symbols before a run, a multiple of [`STEP`], at least m + k - 1.
    pub halo: u64,
    /// m, at most 32 `WORDS`.
    pub m: u32,
    /// Of each symbol the mismatches, 256 words for each 32 bits, the pattern's last symbol in the highest bit.
    pub table: Global<u32>,
    /// Where results go.
    pub output: SearchOutput,
}

const WARPS: u32 = 16;

/// `x` one to the left.
#[inline(always)]
fn shifted<const WORDS: usize>(x: [u32; WORDS]) -> [u32; WORDS] {
    core::array::from_fn(|w| if w == 0 { x[0] << 1 } else { x[w] << 1 | x[w - 1] >> 31 })
}

/// The states of all levels, and each shifted by one. A set bit is a state that is not reached.
struct Automaton<const WORDS: usize, const LEVELS: usize> {
    states: [[u32; WORDS]; LEVELS],
    shifted: [[u32; WORDS]; LEVELS],
    /// Of each level, what was accepted at the last 32 symbols, the last in bit 0.
    rejected: [u32; LEVELS],
}

impl<const WORDS: usize, const LEVELS: usize> Automaton<WORDS, LEVELS> {
    /// Before any symbol: d errors reach the first d states. Bits below the pattern are reached always.
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
            automaton.shifted[d] = shifted(automaton.states[d]);
        }
        automaton
    }

    /// Takes the symbol whose mismatches are `words`.
    #[inline(always)]
    fn step(&mut self, words: [u32; WORDS]) {
        // Of the level before: its states before the symbol, those shifted, and the new ones shifted.
        let (mut old, mut old_shifted, mut new_shifted) = ([0; WORDS], [0; WORDS], [0; WORDS]);
        for d in 0..LEVELS {
            let (state, moved) = (self.states[d], self.shifted[d]);
            let new: [u32; WORDS] = core::array::from_fn(|w| {
                let matched = moved[w] | words[w];
                if d == 0 { matched } else { matched & old[w] & (old_shifted[w] & new_shifted[w]) }
            });
            (old, old_shifted, new_shifted) = (state, moved, shifted(new));
            self.states[d] = new;
            self.shifted[d] = new_shifted;
            self.rejected[d] = self.rejected[d] << 1 | new[WORDS - 1] >> 31;
        }
    }
}

impl<const WORDS: usize, const LEVELS: usize> WuManber<WORDS, LEVELS> {
    /// # Safety
    /// As [`Kernel::run`].
    #[inline(always)]
    unsafe fn search(self) {
        // SAFETY: all threads are here.
        let table = unsafe { MatchTable::<WORDS>::load(self.table, WARPS) };
        let start = self.first + u64::from(thread::index_1d()) * self.run;
        let end = (start + self.run).min(self.n);
        let read = |position: u64| {
            let i = (position.min(self.n - 1) / STEP * (STEP / 16)) as usize;
            (self.text.read(i), self.text.read(i + 1))
        };
        let mut automaton = Automaton::<WORDS, LEVELS>::new(self.m);
        let mut count = 0;
        let mut position = start.saturating_sub(self.halo);
        let mut next = read(position);
        while position < end {
            let (U32x4(low), U32x4(high)) = next;
            next = read(position + STEP);
            // A loop: unrolled, all 32 symbols' words would be in registers at once.
            for half in 0..2 {
                let four = if half == 0 { low } else { high };
                unroll!(q in [0 1 2 3] {
                    unroll!(k in [0 1 2 3] {
                        automaton.step(table.read(four[q as usize], k));
                    });
                });
            }
            if position >= start {
                let left = (end - position).min(STEP) as u32;
                let exist = !0 >> (32 - left);
                let levels: [u32; LEVELS] = core::array::from_fn(|d| (!automaton.rejected[d]).reverse_bits() & exist);
                let ends = levels[LEVELS - 1];
                if self.output.format == BYTES {
                    self.output.put_bytes(position, ends);
                    self.output.put_bytes(position + 16, ends >> 16);
                } else if self.output.format == BITMAP {
                    self.output.put_bits(position, ends);
                } else if self.output.format == COUNT {
                    count += ends.count_ones();
                } else {
                    self.output.put_hits(position, levels);
                }
            }
            position += STEP;
        }
        if self.output.format == COUNT {
            // SAFETY: all lanes of the warp come here.
            unsafe { self.output.put_count(count) };
        }
    }
}

/// A kernel of each number of words and levels (k + 1).
macro_rules! kernels {
    ($($name:ident $words:literal $levels:literal;)*) => {$(
        // SAFETY: repr(C); `entry!` below makes the entry of this name.
        unsafe impl Kernel for WuManber<$words, $levels> {
            const NAME: &'static str = stringify!($name);
            const BLOCK_THREADS: u32 = WARPS * WARP;

            fn dynamic_shared_bytes(&self) -> u32 {
                match_table::BYTES * $words
            }

            #[inline(always)]
            unsafe fn run(self) {
                // SAFETY: the caller's.
                unsafe { self.search() }
            }
        }

        entry!($name: WuManber<$words, $levels>);
    )*};
}

kernels! {
    wu_manber_1_0 1 1; wu_manber_1_1 1 2; wu_manber_1_2 1 3; wu_manber_1_3 1 4; wu_manber_1_4 1 5;
    wu_manber_2_0 2 1; wu_manber_2_1 2 2; wu_manber_2_2 2 3; wu_manber_2_3 2 4; wu_manber_2_4 2 5;
}
