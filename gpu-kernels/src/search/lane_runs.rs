//! Reading a text and writing results when each lane has a long run of the text: the lanes of a
//! warp load and store for one another, so that memory accesses cover whole cache lines.
//!
//! **Problem.** An automaton that processes the text in order needs no communication between lanes
//! if each lane has its own part of the text. These parts are *runs* of thousands of symbols.
//! Before its run a lane reads a *halo*, because an occurrence that ends in the run may begin
//! there:
//!
//! ```text
//! text    |----- run 0 -----|----- run 1 -----|----- run 2 -----| …   one run per lane
//!                    |-halo-|                                         halo: at least m + k - 1
//!                    lane 1 starts here                               symbols before a run, fewer
//!                                                                     at the beginning of the text
//! ```
//!
//! But then the 32 lanes of a warp read at 32 positions far apart, a few bytes each. That is slow:
//! memory moves whole sectors of 32 bytes, and reaches its throughput only with many neighbouring
//! accesses at once.
//!
//! **Idea.** A warp loads the next 128 symbols of all its lanes (a *round*) together, through
//! shared memory, and writes their results together as well. A round takes eight 16-byte loads per
//! lane. Load i covers four runs:
//!
//! ```text
//! load i      lanes 0 to 7:      128 bytes of lane 4 i's run
//!             lanes 8 to 15:     128 bytes of lane 4 i + 1's run
//!                ⋮
//!             lanes 24 to 31:    128 bytes of lane 4 i + 3's run
//! ```
//!
//! **Shared memory.** A lane's 128 bytes are 8 chunks of 16 bytes, in 8 slots that take all 32
//! banks. They are swizzled: chunk p of lane r is in slot p ^ (r mod 8). So there are no bank
//! conflicts, neither when eight lanes store the chunks of one run, a row of the picture, nor when
//! eight lanes load the same chunk of their runs:
//!
//! ```text
//! slot       0   1   2   3   4   5   6   7
//! lane 0     p0  p1  p2  p3  p4  p5  p6  p7
//! lane 1     p1  p0  p3  p2  p5  p4  p7  p6     each p is in another slot in each of eight lanes
//! lane 2     p2  p3  p0  p1  p6  p7  p4  p5
//!  ⋮
//! lane 7     p7  p6  p5  p4  p3  p2  p1  p0
//! ```
//!
//! **The order of calls** that `search_runs!` makes for a kernel:
//!
//! ```text
//! for each round of 128 symbols, first those of the halo
//!     fetch(position)        all lanes together; lane l passes lane 0's position + l × run
//!     begin                  looks up the match words of the round's first four symbols
//!     for each quarter of 32 symbols
//!         quarter            passes their match words to the automaton, and looks up the next
//!                            ones in advance
//!         keep(ends)         if the format is bytes or bits, and the round belongs to the run:
//!                            stores the quarter's ends
//!     put_bytes or put_bits  writes all stored ends; put_bytes is called by all lanes together
//! ```
//!
//! **Cost.** A round of 128 symbols takes 8 loads, 8 stores to shared memory and 8 loads from there
//! per lane, little compared with the automaton. Halos are searched twice, so the total work is
//! (halo + run) / run times that of the runs. Shared memory is 4,672 bytes per warp, besides the
//! table.

use crate::search::match_table::{self, MatchTable};
use crate::search::output::SearchOutput;
use simt_std::integer::opaque;
use simt_std::prelude::*;

/// Number of symbols per round: a warp loads this many of each lane's run at a time.
pub const ROUND: u64 = 128;

/// Number of symbols per quarter of a round. After each quarter, a kernel reads its automaton's
/// results.
pub const STEP: u64 = 32;

/// Bytes of shared memory per warp: the symbols of a round, and the stored ends, one word per
/// quarter and lane.
pub const WARP_BYTES: u32 = WARP * ROUND as u32 + 4 * KEPT_PITCH * 4;

/// Words from one quarter's ends of all lanes to the next quarter's. The four additional words
/// shift each quarter by four banks, so that `put_bytes`, which reads the ends of four lanes and
/// four quarters at once, reads from 16 different banks.
const KEPT_PITCH: u32 = WARP + 4;

/// The searched part of a text and its partition into runs: part of a kernel's parameters. Lane i
/// of the launch searches the run that begins at position `first` + i × `run`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Runs {
    /// The text: n symbols of one byte, 16 per word, padded with arbitrary bytes up to a multiple
    /// of 16.
    pub text: Global<U32x4>,
    /// n, at least 1.
    pub n: u64,
    /// First position whose results are written, a multiple of [`ROUND`]. The text before it is
    /// context.
    pub first: u64,
    /// Number of symbols per run: a positive multiple of [`ROUND`].
    pub run: u64,
    /// Number of symbols before a run that its lane reads as well, a multiple of [`ROUND`]: at
    /// least m + k - 1 of the longest pattern, or all symbols before the last run.
    pub halo: u64,
}

/// An automaton that processes one symbol of the text after the other, each as its mismatch words.
pub trait Automaton<const WORDS: usize> {
    /// Processes a symbol. `words` are its mismatch words: bit b of word w is 1 if it does not
    /// match the pattern's symbol with bit 32 w + b.
    fn step(&mut self, words: [u32; WORDS]);
}

/// Returns the bytes of shared memory per block: the table of mismatch words, and [`WARP_BYTES`]
/// per warp.
pub const fn shared_bytes(words: usize, warps: u32) -> u32 {
    match_table::bytes(words) + warps * WARP_BYTES
}

/// The loop of a search by runs: the common part of the kernels, in the order of calls at the head
/// of this file. A kernel supplies
///
/// - `start`: statements before the loop, which may end a warp that has nothing to do. They can use
///   `index`, the lane's number in the whole launch, and `start`, the first position of its run;
/// - `automaton`: its name and its state before any symbol;
/// - `before`: statements before each quarter;
/// - `after`: statements after each quarter. They can use `runs` and `table`, the number of the
///   `quarter` in its round, the `position` of its first symbol, and `left`, the number of its
///   symbols whose results are written: 0 in a halo, fewer than [`STEP`] at the end of the run or
///   of the text. They may add to `count`;
/// - `keeps`: true if these statements store the quarter's ends ([`LaneRuns::keep`]), to be written
///   for the whole round;
/// - `counts`: true if they add to `count`, which is added to the output at the end if the format
///   is a count.
///
/// It is a macro because the compiler generates different machine code for a function with
/// closures, or for a trait with these parts.
macro_rules! search_runs {
    (
        $kernel:ident, $words:ident, $warps:expr,
        start: |$index:ident, $start:ident| { $($first:tt)* },
        automaton: $automaton:ident = $new:expr,
        before: { $($before:tt)* },
        after: |$runs:ident, $table:ident, $quarter:ident, $position:ident, $left:ident, $count:ident| { $($after:tt)* },
        keeps: $keeps:expr, counts: $counts:expr $(,)?
    ) => {
        // SAFETY: all threads of the block reach this call.
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
        // All lanes run the same number of rounds. The first lanes may begin before the text, where
        // the position wraps to a huge number, and the last lanes may end after it. An automaton
        // restarts at the beginning of the text.
        let mut $position = $start.wrapping_sub(halo);
        for round in 0..(halo + run) / $crate::search::lane_runs::ROUND {
            if $position == 0 {
                $automaton = $new;
            }
            // SAFETY: all lanes reach this call: the rounds are the same in each.
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
                // SAFETY: all lanes reach this call: the rounds are the same in each.
                unsafe { $runs.put_bytes(&$kernel.output, $position - $crate::search::lane_runs::ROUND) };
            } else if $keeps && searches && $kernel.output.format == $crate::search::output::BITMAP {
                $runs.put_bits(&$kernel.output, $position - $crate::search::lane_runs::ROUND);
            }
        }
        if $counts && $kernel.output.format == $crate::search::output::COUNT {
            // SAFETY: all lanes of the warp reach this call.
            unsafe { $kernel.output.put_count($count) };
        }
    };
}
pub(crate) use search_runs;

/// The runs of a warp's lanes, from the view of one lane.
#[derive(Debug, Clone, Copy)]
pub struct LaneRuns {
    text: Global<U32x4>,
    n: u64,
    run: u64,
    /// The symbols of this round, 128 per lane, swizzled.
    symbols: Shared<U32x4>,
    /// The ends of this round: word [`KEPT_PITCH`] q + l is quarter q of lane l.
    kept: Shared<u32>,
}

/// A lane's prefetched data: the next 16 symbols, four per word, and the mismatch words of the
/// first four of them.
#[derive(Debug, Clone, Copy)]
pub struct Ahead<const WORDS: usize> {
    symbols: [u32; 4],
    words: [[u32; WORDS]; 4],
}

/// Returns the swizzled index, in words of 16 bytes, of chunk `part` of a lane's round.
#[inline(always)]
fn swizzled_index(lane: u32, part: u32) -> u32 {
    lane * 8 + (part ^ (lane % 8))
}

/// Returns the mismatch words of four symbols, packed in a word.
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
    /// Returns runs of `run` symbols in a text of n symbols, n at least 1. `own` is the byte
    /// address of the warp's [`WARP_BYTES`] of shared memory, a multiple of 16.
    #[inline(always)]
    pub fn new(text: Global<U32x4>, n: u64, run: u64, own: u32) -> Self {
        Self { text, n, run, symbols: Shared::at(own), kept: Shared::at(own + WARP * ROUND as u32) }
    }

    /// Loads a round: 128 symbols of each lane, for this lane those from `position` on. Positions
    /// before the text (they wrap) or after its end return the text's last symbols, which are not
    /// used.
    ///
    /// # Safety
    /// All 32 lanes of the warp call it together, and lane l passes lane 0's position + l × run.
    #[inline(always)]
    pub unsafe fn fetch(&self, position: u64) {
        let lane = warp::lane_id();
        let first = position.wrapping_sub(u64::from(lane) * self.run);
        // SAFETY: guaranteed by the caller, also below. This waits until all lanes have read the
        // symbols of the previous round.
        unsafe { warp::sync_warp(FULL_WARP) };
        let (from, part) = (lane / 8, lane % 8);
        let mut at = first.wrapping_add(u64::from(from) * self.run).wrapping_add(u64::from(part * 16));
        // Two times four loads, so that four are in flight at once.
        for half in 0..opaque(2) {
            let mut fetched = [U32x4::default(); 4];
            unroll!(i in [0 1 2 3] {
                fetched[i as usize] = self.text.read((at.min(self.n - 1) / 16) as usize);
                at = at.wrapping_add(4 * self.run);
            });
            unroll!(i in [0 1 2 3] {
                self.symbols.write(swizzled_index(16 * half + 4 * i + from, part), fetched[i as usize]);
            });
        }
        // SAFETY: as above.
        unsafe { warp::sync_warp(FULL_WARP) };
    }

    /// Prefetches for the first quarter of the loaded round.
    #[inline(always)]
    pub fn begin<const WORDS: usize>(&self, table: &MatchTable<WORDS>) -> Ahead<WORDS> {
        let U32x4(symbols) = self.symbols.read(swizzled_index(warp::lane_id(), 0));
        Ahead { symbols, words: four_words(table, symbols[0]) }
    }

    /// Passes the mismatch words of a quarter's 32 symbols to `automaton`. `ahead` has the data
    /// prefetched by [`begin`](Self::begin) or by the previous quarter, and is replaced by those of
    /// the next quarter.
    #[inline(always)]
    pub fn quarter<const WORDS: usize, A: Automaton<WORDS>>(
        &self,
        table: &MatchTable<WORDS>,
        quarter: u32,
        ahead: &mut Ahead<WORDS>,
        automaton: &mut A,
    ) {
        // `opaque` prevents unrolling: the words of all symbols would be in registers at once.
        for half in 0..opaque(2) {
            // Mismatch words are read four symbols before their use, symbols sixteen.
            let U32x4(next) = self.symbols.read(swizzled_index(warp::lane_id(), (2 * quarter + half + 1) % 8));
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

    /// Returns four symbols of this lane's round, packed in a word: word `number` of 32.
    #[inline(always)]
    pub fn packed(&self, number: u32) -> u32 {
        let at = self.symbols.address() + 16 * swizzled_index(warp::lane_id(), number / 4) + 4 * (number % 4);
        Shared::<u32>::at(at).read(0)
    }

    /// Stores the ends among this lane's 32 positions of a quarter until the round is written. Bit
    /// 0 is the first position.
    #[inline(always)]
    pub fn keep(&self, quarter: u32, ends: u32) {
        self.kept.write(KEPT_PITCH * quarter + warp::lane_id(), ends);
    }

    /// Writes the bytes of a round, 128 positions per lane, for this lane those from `position` on.
    /// All lanes have stored the ends of all four quarters. As in [`fetch`](Self::fetch), lanes
    /// write for one another: eight lanes write 128 neighbouring bytes.
    ///
    /// # Safety
    /// As [`fetch`](Self::fetch).
    #[inline(always)]
    pub unsafe fn put_bytes(&self, output: &SearchOutput, position: u64) {
        let lane = warp::lane_id();
        // SAFETY: guaranteed by the caller, also below.
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
        // SAFETY: as above. This waits until all lanes have read the words, because they will be
        // overwritten.
        unsafe { warp::sync_warp(FULL_WARP) };
    }

    /// Writes the bits of this lane's round, 128 positions from `position` on, by one store of 16
    /// bytes. The lane has stored the ends of all four quarters.
    #[inline(always)]
    pub fn put_bits(&self, output: &SearchOutput, position: u64) {
        if position < self.n {
            let lane = warp::lane_id();
            let four = core::array::from_fn(|quarter| self.kept.read(KEPT_PITCH * quarter as u32 + lane));
            output.put_128_bits(position, four);
        }
    }
}
