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
//! In shared memory the 16 bytes are swizzled: chunk p of lane r is in slot p ^ (r mod 8) of the lane's 128 bytes, so that neither
//! the warp's stores nor a lane's loads have bank conflicts.
//!
//! The order of calls, which `search_runs!` makes for a kernel:
//!
//! ```text
//! for each round of 128 symbols
//!     fetch(position)        all lanes together; lane l passes lane 0's position + l × run
//!     begin                  reads the first match words of the round
//!     for each quarter of 32 symbols
//!         quarter            gives them to the automaton, reading ahead; then
//!         keep(ends)         where the format is one of positions
//!     put_bytes or put_bits  all that was kept: for bytes all lanes together
//! ```

use crate::search::match_table::{self, MatchTable};
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

/// What of a text is searched, and how it is shared out: part of a kernel's parameters.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Runs {
    /// n symbols, 16 a word, and any up to a multiple of 16.
    pub text: Global<U32x4>,
    /// n, at least 1.
    pub n: u64,
    /// The first position whose results are wanted, a multiple of [`ROUND`]: the text before it is context.
    pub first: u64,
    /// Symbols of a lane, a multiple of [`ROUND`], at least one.
    pub run: u64,
    /// Symbols before a run, a multiple of [`ROUND`]: at least m + k - 1 of the longest pattern, or all there are before the
    /// last run.
    pub halo: u64,
}

/// What takes a symbol after the other, each as the words of its mismatches.
pub trait Automaton<const WORDS: usize> {
    /// Takes the symbol whose mismatches are `words`.
    fn step(&mut self, words: [u32; WORDS]);
}

/// Bytes of shared memory of a block: the table of the mismatches, and each warp's symbols and results.
pub const fn shared_bytes(words: usize, warps: u32) -> u32 {
    match_table::bytes(words) + warps * WARP_BYTES
}

/// The loop of a search by runs: all that the kernels have in common. What is a kernel's own is
///
/// - `start`: statements before the loop, which may end a warp that has nothing to do: it knows the lane's number among all and
///   its first position;
/// - `automaton`: what it is before any symbol;
/// - `before`: statements before each quarter;
/// - `after`: statements after each quarter, which know the quarter's number in the round, the position of its first symbol, and
///   how many of its symbols are wanted: none in a halo, fewer than [`STEP`] where the run ends;
/// - `keeps`: whether those keep the ends of the quarter ([`LaneRuns::keep`]), to be written for the whole round;
/// - `counts`: whether they count them.
///
/// A macro: of a function with closures or a trait for these the compiler makes other machine code.
macro_rules! search_runs {
    (
        $kernel:ident, $words:ident, $warps:expr,
        start: |$index:ident, $start:ident| { $($first:tt)* },
        automaton: $automaton:ident = $new:expr,
        before: { $($before:tt)* },
        after: |$runs:ident, $table:ident, $quarter:ident, $position:ident, $left:ident, $count:ident| { $($after:tt)* },
        keeps: $keeps:expr, counts: $counts:expr $(,)?
    ) => {
        // SAFETY: all threads are here.
        let $table = unsafe { $crate::search::match_table::MatchTable::<$words>::load($kernel.table, $warps) };
        let number = thread::thread_idx_x() / WARP;
        let own = dynamic_shared_mem::<u8>().address() + $crate::search::match_table::bytes($words) + number * $crate::search::lane_runs::WARP_BYTES;
        let $crate::search::lane_runs::Runs { text, n, first, run, halo } = $kernel.runs;
        let $runs = $crate::search::lane_runs::LaneRuns::new(text, n, run, own);
        let $index = u64::from(thread::index_1d());
        let $start = first + $index * run;
        let end = ($start + run).min(n);
        $($first)*
        let mut $automaton = $new;
        let mut $count = 0;
        // All lanes take as many steps. Those of the first lanes may begin before the text, those of the last end after it.
        let mut $position = $start.wrapping_sub(halo);
        for round in 0..(halo + run) / $crate::search::lane_runs::ROUND {
            if $position == 0 {
                $automaton = $new;
            }
            // SAFETY: all lanes are here: the rounds are the same in each.
            unsafe { $runs.fetch($position) };
            let mut ahead = $runs.begin(&$table);
            let searches = round * $crate::search::lane_runs::ROUND >= halo;
            for $quarter in 0..simt_std::integer::opaque(4) {
                $($before)*
                $runs.quarter(&$table, $quarter, &mut ahead, &mut $automaton);
                let $left = if searches { end.saturating_sub($position).min($crate::search::lane_runs::STEP) as u32 } else { 0 };
                $($after)*
                $position = $position.wrapping_add($crate::search::lane_runs::STEP);
            }
            if $keeps && searches && $kernel.output.format == $crate::search::output::BYTES {
                // SAFETY: all lanes are here: the rounds are the same in each.
                unsafe { $runs.put_bytes(&$kernel.output, $position - $crate::search::lane_runs::ROUND) };
            } else if $keeps && searches && $kernel.output.format == $crate::search::output::BITMAP {
                $runs.put_bits(&$kernel.output, $position - $crate::search::lane_runs::ROUND);
            }
        }
        if $counts && $kernel.output.format == $crate::search::output::COUNT {
            // SAFETY: all lanes of the warp come here.
            unsafe { $kernel.output.put_count($count) };
        }
    };
}
pub(crate) use search_runs;

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
    /// All 32 lanes call it, and lane l passes lane 0's position + l × run.
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
