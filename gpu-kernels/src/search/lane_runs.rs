//! A long run of the text for each lane, which the lanes of a warp fetch and write results of together.
//!
//! ```text
//! text    |----- run 0 -----|----- run 1 -----|----- run 2 -----| …      a run a lane
//!                    |-halo-|                                            what goes before a run: at least m + k - 1
//!                    lane 1 starts here                                  symbols, but for the text's beginning
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

use crate::search::match_table::MatchTable;
use crate::search::output::SearchOutput;
use simt_std::integer::opaque;
use simt_std::prelude::*;

/// Symbols of a lane that a warp fetches and whose results it writes at a time.
pub const ROUND: u64 = 128;

/// Symbols that are searched between two looks at what was accepted.
pub const STEP: u64 = 32;

/// Bytes of shared memory of a warp: the symbols of a round, and their results.
pub const WARP_BYTES: u32 = WARP * ROUND as u32 + 4 * KEPT_PITCH * 4;

/// Words from a quarter's results of all lanes to the next quarter's: four banks further, so that the results of four lanes'
/// quarters lie in 16 banks.
const KEPT_PITCH: u32 = WARP + 4;

/// What takes a symbol after the other, each as the words of its mismatches.
pub trait Automaton<const WORDS: usize> {
    /// Takes the symbol whose mismatches are `words`.
    fn step(&mut self, words: [u32; WORDS]);
}

/// The runs of a warp's lanes.
#[derive(Debug, Clone, Copy)]
pub struct LaneRuns {
    text: Global<U32x4>,
    n: u64,
    run: u64,
    /// The symbols of this round, 128 a lane.
    symbols: Shared<U32x4>,
    /// The ends of this round, a word a quarter and lane.
    kept: Shared<u32>,
}

/// The next 16 symbols of a lane, and the words of the next four.
#[derive(Debug, Clone, Copy)]
pub struct Ahead<const WORDS: usize> {
    symbols: [u32; 4],
    words: [[u32; WORDS]; 4],
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

impl LaneRuns {
    /// Runs of `run` symbols in a text of n, at least 1, rounded up to a multiple of 16; with [`WARP_BYTES`] of shared memory
    /// at `own`, a multiple of 16.
    #[inline(always)]
    pub fn new(text: Global<U32x4>, n: u64, run: u64, own: u32) -> Self {
        Self { text, n, run, symbols: Shared::at(own), kept: Shared::at(own + WARP * ROUND as u32) }
    }

    /// Fetches 128 symbols of each lane, of this lane those from `position` on.
    ///
    /// # Safety
    /// All lanes of the warp are here, each a run after the one before.
    #[inline(always)]
    pub unsafe fn fetch(&self, position: u64) {
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
                self.symbols.write(place(16 * half + 4 * i + from, part), fetched[i as usize]);
            });
        }
        // SAFETY: as above.
        unsafe { warp::sync_warp(FULL_WARP) };
    }

    /// The beginning of the round that was fetched.
    #[inline(always)]
    pub fn begin<const WORDS: usize>(&self, table: &MatchTable<WORDS>) -> Ahead<WORDS> {
        let U32x4(symbols) = self.symbols.read(place(warp::lane_id(), 0));
        Ahead { symbols, words: four_words(table, symbols[0]) }
    }

    /// Gives the 32 symbols of a quarter of the round to `automaton`. What is `ahead` is the quarter's beginning, and then the
    /// next one's.
    #[inline(always)]
    pub fn quarter<const WORDS: usize, A: Automaton<WORDS>>(
        &self,
        table: &MatchTable<WORDS>,
        quarter: u32,
        ahead: &mut Ahead<WORDS>,
        automaton: &mut A,
    ) {
        // A loop: unrolled, all symbols' words would be in registers at once.
        for half in 0..opaque(2) {
            // Words are read four symbols ahead of their use, symbols sixteen.
            let U32x4(next) = self.symbols.read(place(warp::lane_id(), (2 * quarter + half + 1) % 8));
            unroll!(q in [0 1 2 3] {
                let packed = if q < 3 { ahead.symbols[q as usize + 1] } else { next[0] };
                let words = four_words(table, packed);
                unroll!(k in [0 1 2 3] {
                    automaton.step(ahead.words[k as usize]);
                });
                ahead.words = words;
            });
            ahead.symbols = next;
        }
    }

    /// Four packed symbols of this round, number `number` of 32.
    #[inline(always)]
    pub fn packed(&self, number: u32) -> u32 {
        let at = self.symbols.address() + 16 * place(warp::lane_id(), number / 4) + 4 * (number % 4);
        Shared::<u32>::at(at).read(0)
    }

    /// Keeps the ends among a quarter's 32 positions until they are written, the first in bit 0.
    #[inline(always)]
    pub fn keep(&self, quarter: u32, ends: u32) {
        self.kept.write(KEPT_PITCH * quarter + warp::lane_id(), ends);
    }

    /// Writes the bytes of 128 positions of each lane, that of this lane from `position` on. Each lane has kept its four
    /// words of ends.
    ///
    /// # Safety
    /// As [`fetch`](Self::fetch).
    #[inline(always)]
    pub unsafe fn put_bytes(&self, output: &SearchOutput, position: u64) {
        let lane = warp::lane_id();
        // SAFETY: the caller's, as below.
        unsafe { warp::sync_warp(FULL_WARP) };
        let first = position.wrapping_sub(u64::from(lane) * self.run);
        let (from, part) = (lane / 8, lane % 8);
        let mut at = first.wrapping_add(u64::from(from) * self.run) + u64::from(part * 16);
        for i in 0..opaque(WARP / 4) {
            let of_part = self.kept.read(KEPT_PITCH * (part / 2) + 4 * i + from) >> (part % 2 * 16);
            if at < self.n {
                output.put_bytes(at, of_part);
            }
            at += 4 * self.run;
        }
        // SAFETY: as above: the words are written again.
        unsafe { warp::sync_warp(FULL_WARP) };
    }

    /// Writes the bits of the 128 positions from `position` on, those that this lane has kept.
    #[inline(always)]
    pub fn put_bits(&self, output: &SearchOutput, position: u64) {
        if position < self.n {
            let lane = warp::lane_id();
            let four = core::array::from_fn(|quarter| self.kept.read(KEPT_PITCH * quarter as u32 + lane));
            output.put_128_bits(position, four);
        }
    }
}
