//! Approximate search: Wu-Manber (1992) with a long run of the text for each lane.
//!
//! **Idea.** With k errors the scans of Mitani, Ino and Hagihara (2017) need the states of k - 1 errors first, so every
//! level is a pass of its own. A lane that goes through the text in order needs none of that: k + 1 words of state and
//! about 3 instructions a symbol and level. What made this slow on a GPU (GBPR, Lin et al. 2014) were its short runs, 8
//! symbols for a halo of m + k - 1, and its loads of single bytes far apart. Here a run is hundreds to thousands of
//! symbols.
//!
//! ```text
//! text    |----- run 0 -----|----- run 1 -----|----- run 2 -----| …      a run a lane
//!                    |-halo-|                                            m + k - 1 symbols before a run,
//!                    lane 1 starts here                                  rounded up to 128
//! ```
//!
//! Memory takes a few bytes here and a few there badly. So a warp fetches the next 128 symbols of all its lanes together,
//! through shared memory, and writes their results together as well:
//!
//! ```text
//! load and store i     lanes 0 to 7: 128 bytes of lane 4 i's run | lanes 8 to 15: of lane 4 i + 1's | … | of lane 4 i + 3's
//! ```
//!
//! In shared memory lane r's 16 bytes number p lie at place p ^ (r mod 8) of its line, so that neither the warp's stores nor a
//! lane's loads meet in a bank.
//!
//! **Cost** a symbol: an address, a load from shared memory, and per level d and word 3 instructions (the shift, and two of
//! three operands), 1 to take out what is accepted.

use crate::cuda::global::Global;
use crate::cuda::integer::opaque;
use crate::cuda::shared::{Shared, dynamic_shared_mem};
use crate::cuda::{Kernel, U32x4, thread, warp};
use crate::match_table::{self, MatchTable};
use crate::search_output::{BITMAP, BYTES, COUNT, HITS, SearchOutput};
use crate::{FULL_WARP, WARP, entry, unroll};

/// Symbols of a lane that a warp fetches and whose results it writes at a time.
pub const ROUND: u64 = 128;

/// Symbols that go through the automaton between two looks at what was accepted.
const STEP: u64 = 32;

/// Bytes of shared memory of a warp: the symbols of a round, and their results.
const WARP_BYTES: u32 = WARP * ROUND as u32 + 4 * KEPT_PITCH * 4;

/// Words from a quarter's results of all lanes to the next quarter's: four banks further, so that the results of four lanes'
/// quarters lie in 16 banks.
const KEPT_PITCH: u32 = WARP + 4;

/// Searches a text. Launch: any number of blocks; lanes take `run` symbols each, from `first` on.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct WuManber<const WORDS: usize, const LEVELS: usize> {
    /// n symbols, 16 a word, and any up to a multiple of 16.
    pub text: Global<U32x4>,
    /// n, at least 1.
    pub n: u64,
    /// The first position that is searched, a multiple of [`ROUND`]: those before it only go before.
    pub first: u64,
    /// Symbols of a lane, a multiple of [`ROUND`], at least one.
    pub run: u64,
    /// Symbols before a run, a multiple of [`ROUND`], at least m + k - 1.
    pub halo: u64,
    /// m, at most 32 `WORDS`.
    pub m: u32,
    /// Of each symbol the mismatches, 256 words for each 32 bits, the pattern's last symbol in the highest bit.
    pub table: Global<u32>,
    /// Where results go.
    pub output: SearchOutput,
}

/// Warps of a block, so that two blocks of one word and one of two fit a multiprocessor's registers and shared memory.
pub const fn warps(words: usize) -> u32 {
    if words == 1 { 14 } else { 20 }
}

/// Where a lane's 16 symbols number `part` of a round lie.
#[inline(always)]
fn place(lane: u32, part: u32) -> u32 {
    lane * 8 + (part ^ (lane % 8))
}

/// The words of four packed symbols.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
fn four_words<const WORDS: usize>(table: &MatchTable<WORDS>, packed: u32) -> [[u32; WORDS]; 4] {
    let mut words = [[0; WORDS]; 4];
    unroll!(k in [0 1 2 3] {
        words[k as usize] = table.read(packed, k);
    });
    words
}

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
    /// Fetches 128 symbols of each lane, of this lane those from `position` on.
    ///
    /// # Safety
    /// As [`put_bytes`](Self::put_bytes).
    #[inline(always)]
    unsafe fn fetch(&self, position: u64, symbols: Shared<U32x4>) {
        let lane = warp::lane_id();
        let first = position.wrapping_sub(u64::from(lane) * self.run);
        // SAFETY: the caller's, as below: all have read the symbols before these.
        unsafe { warp::sync_warp(FULL_WARP) };
        let (from, part) = (lane / 8, lane % 8);
        let mut at = first.wrapping_add(u64::from(from) * self.run).wrapping_add(u64::from(part * 16));
        // Four loads on the way at a time.
        for half in 0..opaque(2) {
            let mut fetched = [U32x4::default(); 4];
            unroll!(i in [0 1 2 3] {
                fetched[i as usize] = self.text.read((at.min(self.n - 1) / 16) as usize);
                at = at.wrapping_add(4 * self.run);
            });
            unroll!(i in [0 1 2 3] {
                symbols.write(place(16 * half + 4 * i + from, part), fetched[i as usize]);
            });
        }
        // SAFETY: as above.
        unsafe { warp::sync_warp(FULL_WARP) };
    }

    /// Writes the bytes of 128 positions of each lane, that of this lane from `position` on. Each lane has left its four
    /// words of bits.
    ///
    /// # Safety
    /// All lanes of the warp are here, at equal distances from one another.
    #[inline(always)]
    unsafe fn put_bytes(&self, position: u64, kept: Shared<u32>) {
        let lane = warp::lane_id();
        // SAFETY: the caller's, as below.
        unsafe { warp::sync_warp(FULL_WARP) };
        let first = position.wrapping_sub(u64::from(lane) * self.run);
        let (from, part) = (lane / 8, lane % 8);
        let mut at = first.wrapping_add(u64::from(from) * self.run) + u64::from(part * 16);
        for i in 0..opaque(WARP / 4) {
            let of_part = kept.read(KEPT_PITCH * (part / 2) + 4 * i + from) >> (part % 2 * 16);
            if at < self.n {
                self.output.put_bytes(at, of_part);
            }
            at += 4 * self.run;
        }
        // SAFETY: as above: the words are written again.
        unsafe { warp::sync_warp(FULL_WARP) };
    }

    /// # Safety
    /// As [`Kernel::run`].
    #[inline(always)]
    unsafe fn search(self) {
        // SAFETY: all threads are here.
        let table = unsafe { MatchTable::<WORDS>::load(self.table, warps(WORDS)) };
        let (lane, number) = (warp::lane_id(), thread::thread_idx_x() / WARP);
        let own = dynamic_shared_mem::<u8>().address() + match_table::BYTES * WORDS as u32 + number * WARP_BYTES;
        let symbols = Shared::<U32x4>::at(own);
        // The bits of this round, a word a quarter and lane.
        let kept = Shared::<u32>::at(own + WARP * ROUND as u32);
        let start = self.first + u64::from(thread::index_1d()) * self.run;
        let end = (start + self.run).min(self.n);
        let mut automaton = Automaton::<WORDS, LEVELS>::new(self.m);
        let mut count = 0;
        // All lanes take as many steps. Those of the first lanes may begin before the text, those of the last end after it.
        let mut position = start.wrapping_sub(self.halo);
        for round in 0..(self.halo + self.run) / ROUND {
            if position == 0 {
                automaton = Automaton::new(self.m);
            }
            // SAFETY: all lanes are here: the rounds are the same in each.
            unsafe { self.fetch(position, symbols) };
            let U32x4(mut four) = symbols.read(place(lane, 0));
            let mut words = four_words(&table, four[0]);
            let searches = round * ROUND >= self.halo;
            for quarter in 0..opaque(4) {
                // A loop: unrolled, all symbols' words would be in registers at once.
                for half in 0..opaque(2) {
                    // Words are read four symbols ahead of their use, symbols sixteen.
                    let U32x4(next) = symbols.read(place(lane, (2 * quarter + half + 1) % 8));
                    unroll!(q in [0 1 2 3] {
                        let ahead = if q < 3 { four[q as usize + 1] } else { next[0] };
                        let words_ahead = four_words(&table, ahead);
                        unroll!(k in [0 1 2 3] {
                            automaton.step(words[k as usize]);
                        });
                        words = words_ahead;
                    });
                    four = next;
                }
                let left = if searches { end.saturating_sub(position).min(STEP) as u32 } else { 0 };
                let exist = if left == 0 { 0 } else { !0 >> (32 - left) };
                let levels: [u32; LEVELS] = core::array::from_fn(|d| (!automaton.rejected[d]).reverse_bits() & exist);
                let ends = levels[LEVELS - 1];
                if self.output.format == COUNT {
                    count += ends.count_ones();
                } else if self.output.format == HITS {
                    self.output.put_hits(position, levels);
                } else {
                    kept.write(KEPT_PITCH * quarter + lane, ends);
                }
                position = position.wrapping_add(STEP);
            }
            if searches && self.output.format == BYTES {
                // SAFETY: all lanes are here: the rounds are the same in each.
                unsafe { self.put_bytes(position - ROUND, kept) };
            } else if searches && self.output.format == BITMAP && position - ROUND < self.n {
                let four = core::array::from_fn(|quarter| kept.read(KEPT_PITCH * quarter as u32 + lane));
                self.output.put_128_bits(position - ROUND, four);
            }
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
            const BLOCK_THREADS: u32 = warps($words) * WARP;

            fn dynamic_shared_bytes(&self) -> u32 {
                match_table::BYTES * $words + warps($words) * WARP_BYTES
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
