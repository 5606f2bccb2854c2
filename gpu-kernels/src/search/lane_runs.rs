//! How kernels read a text and write results where each lane has a long run of the text for itself: the lanes of a warp
//! fetch and write for one another, so that memory sees whole lines.
//!
//! **Problem.** An automaton that goes through the text in order needs no help from other lanes, if each lane has its
//! own part of the text. The parts are *runs* of thousands of symbols. Before its run a lane reads a *halo*, since an
//! occurrence that ends in the run may begin there:
//!
//! ```text
//! text    |----- run 0 -----|----- run 1 -----|----- run 2 -----| …      a run a lane
//!                    |-halo-|                                            what goes before a run: at least m + k - 1
//!                    lane 1 starts here                                  symbols, but for the text's beginning
//! ```
//!
//! But then the 32 lanes of a warp read at 32 places far apart, a few bytes each, and that is slow: memory moves whole
//! sectors of 32 bytes, and is fast only where many that are neighbours are asked for at once.
//!
//! **Idea.** A warp fetches the next 128 symbols of all its lanes (a *round*) together, through shared memory, and
//! writes their results together as well. A round is fetched by eight loads of 16 bytes a lane; load i goes to four
//! runs:
//!
//! ```text
//! load i      lanes 0 to 7: 128 bytes of lane 4 i's run | lanes 8 to 15: of lane 4 i + 1's | … | of lane 4 i + 3's
//! ```
//!
//! **Shared memory.** A lane's 128 bytes are 8 chunks of 16 bytes, in 8 slots that take all 32 banks. They are
//! swizzled: chunk p of lane r is in slot p ^ (r mod 8). So there are no bank conflicts when eight lanes store the
//! chunks of one run, a row of the picture, nor when eight lanes load the same chunk of theirs:
//!
//! ```text
//! slot       0   1   2   3   4   5   6   7
//! lane 0     p0  p1  p2  p3  p4  p5  p6  p7
//! lane 1     p1  p0  p3  p2  p5  p4  p7  p6        each p is in another slot in each of eight lanes
//! lane 2     p2  p3  p0  p1  p6  p7  p4  p5
//!  ⋮
//! lane 7     p7  p6  p5  p4  p3  p2  p1  p0
//! ```
//!
//! **The order of calls**, which `search_runs!` makes for a kernel:
//!
//! ```text
//! for each round of 128 symbols, first those of the halo
//!     fetch(position)        all lanes together; lane l passes lane 0's position + l × run
//!     begin                  looks up the match words of the round's first four symbols
//!     for each quarter of 32 symbols
//!         quarter            hands their match words to the automaton, and looks up the next ones ahead
//!         keep(ends)         the format is bytes or bits, and the round belongs to the run: keeps the quarter's ends
//!     put_bytes or put_bits  writes all ends that were kept; put_bytes is called by all lanes together
//! ```
//!
//! **Cost.** A round takes 8 loads, 8 stores to shared memory and 8 loads from there a lane, for 128 symbols: little
//! beside the automaton. Halos are searched twice, which makes the work (halo + run) / run times as much.
//! Shared memory is 4,672 bytes a warp, beside the table.

use crate::search::match_table::{self, MatchTable};
use crate::search::output::SearchOutput;
use simt_std::integer::opaque;
use simt_std::prelude::*;

/// Symbols of a round: what a warp fetches of each lane's run at a time.
pub const ROUND: u64 = 128;

/// Symbols of a quarter of a round: after each, a kernel looks at what its automaton has found.
pub const STEP: u64 = 32;

/// Bytes of shared memory of a warp: the symbols of a round, and the ends that were kept, a word a quarter and lane.
pub const WARP_BYTES: u32 = WARP * ROUND as u32 + 4 * KEPT_PITCH * 4;

/// Words from one quarter's ends of all lanes to the next quarter's. The four more than a warp move each quarter by
/// four banks, so that `put_bytes`, which reads the ends of four lanes and four quarters at once, finds them in 16
/// different banks.
const KEPT_PITCH: u32 = WARP + 4;

/// Which part of a text is searched, and how it is shared out: part of a kernel's parameters. Lane i of the launch
/// searches the run of the positions `first` + i × `run` on.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Runs {
    /// The text: n symbols of a byte, 16 a word; after the last one any, up to a multiple of 16.
    pub text: Global<U32x4>,
    /// n, at least 1.
    pub n: u64,
    /// The first position whose results are wanted, a multiple of [`ROUND`]: the text before it is context.
    pub first: u64,
    /// Symbols of a run, a multiple of [`ROUND`], at least one.
    pub run: u64,
    /// Symbols before a run, a multiple of [`ROUND`]: at least m + k - 1 of the longest pattern, or all there are before the
    /// last run.
    pub halo: u64,
}

/// An automaton that takes one symbol of the text after the other, each as its mismatch words.
pub trait Automaton<const WORDS: usize> {
    /// Takes a symbol, whose mismatch words are `words`: bit b of word w is 1 where it does not match the pattern's
    /// symbol with bit 32 w + b.
    fn step(&mut self, words: [u32; WORDS]);
}

/// Bytes of shared memory of a block: the table of mismatch words, and what each warp needs for its rounds.
pub const fn shared_bytes(words: usize, warps: u32) -> u32 {
    match_table::bytes(words) + warps * WARP_BYTES
}

/// The loop of a search by runs: all that the kernels have in common, in the order of calls at the head of this file.
/// What is a kernel's own is
///
/// - `start`: statements before the loop, which may end a warp that has nothing to do. They know `index`, the lane's
///   number in the whole launch, and `start`, the first position of its run;
/// - `automaton`: its name and its state before any symbol;
/// - `before`: statements before each quarter;
/// - `after`: statements after each quarter. They know `runs` and `table`, the number of the `quarter` in its round,
///   the `position` of its first symbol, and `left`, how many of its symbols have results that are wanted: none in a
///   halo, fewer than [`STEP`] where the run or the text ends; and they may add to `count`;
/// - `keeps`: whether these statements keep the quarter's ends ([`LaneRuns::keep`]), to be written for the whole round;
/// - `counts`: whether they add to `count`, which goes to the output at the end if the format is a count.
///
/// It is a macro, since of a function with closures, or of a trait with these parts, the compiler makes other machine
/// code.
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
        // All lanes take as many rounds. The first lanes' may begin before the text, where the position wraps to a huge
        // number, and the last lanes' may end after it. An automaton begins anew where the text does.
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

/// The runs of a warp's lanes, as one of the lanes sees them.
#[derive(Debug, Clone, Copy)]
pub struct LaneRuns {
    text: Global<U32x4>,
    n: u64,
    run: u64,
    /// The symbols of this round, 128 of each lane, swizzled.
    symbols: Shared<U32x4>,
    /// The ends of this round: word [`KEPT_PITCH`] q + l is quarter q of lane l.
    kept: Shared<u32>,
}

/// What a lane has read ahead: the next 16 symbols, four in a word, and the mismatch words of the first four of them.
#[derive(Debug, Clone, Copy)]
pub struct Ahead<const WORDS: usize> {
    symbols: [u32; 4],
    words: [[u32; WORDS]; 4],
}

/// The swizzle: in which word of 16 bytes the chunk `part` of a lane's round lies.
#[inline(always)]
fn place(lane: u32, part: u32) -> u32 {
    lane * 8 + (part ^ (lane % 8))
}

/// The mismatch words of four symbols, packed in a word.
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
    /// Runs of `run` symbols in a text of n symbols, n at least 1. `own` is where the warp's [`WARP_BYTES`] of shared
    /// memory begin, a byte address that is a multiple of 16.
    #[inline(always)]
    pub fn new(text: Global<U32x4>, n: u64, run: u64, own: u32) -> Self {
        Self { text, n, run, symbols: Shared::at(own), kept: Shared::at(own + WARP * ROUND as u32) }
    }

    /// Fetches a round: 128 symbols of each lane, of this lane those from `position` on. Positions before the text's
    /// beginning (they wrap) or after its end are read as its last symbols, which nobody uses.
    ///
    /// # Safety
    /// All 32 lanes of the warp call it together, and lane l passes lane 0's position + l × run.
    #[inline(always)]
    pub unsafe fn fetch(&self, position: u64) {
        let lane = warp::lane_id();
        let first = position.wrapping_sub(u64::from(lane) * self.run);
        // SAFETY: the caller's, as below. It waits until all lanes have read the symbols of the round before.
        unsafe { warp::sync_warp(FULL_WARP) };
        let (from, part) = (lane / 8, lane % 8);
        let mut at = first.wrapping_add(u64::from(from) * self.run).wrapping_add(u64::from(part * 16));
        // Twice four loads, so that four are on the way at once.
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

    /// Reads ahead for the first quarter of the round that was fetched.
    #[inline(always)]
    pub fn begin<const WORDS: usize>(&self, table: &MatchTable<WORDS>) -> Ahead<WORDS> {
        let U32x4(symbols) = self.symbols.read(place(warp::lane_id(), 0));
        Ahead { symbols, words: four_words(table, symbols[0]) }
    }

    /// Hands the mismatch words of a quarter's 32 symbols to `automaton`. `ahead` is what [`begin`](Self::begin) or the
    /// quarter before has read ahead, and becomes what the next quarter needs.
    #[inline(always)]
    pub fn quarter<const WORDS: usize, A: Automaton<WORDS>>(
        &self,
        table: &MatchTable<WORDS>,
        quarter: u32,
        ahead: &mut Ahead<WORDS>,
        automaton: &mut A,
    ) {
        // A loop that must stay one, hence `opaque`: unrolled, all symbols' words would be in registers at once.
        for half in 0..opaque(2) {
            // Mismatch words are read four symbols ahead of their use, symbols sixteen.
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

    /// Four symbols of this lane's round, packed in a word: word `number` of 32.
    #[inline(always)]
    pub fn packed(&self, number: u32) -> u32 {
        let at = self.symbols.address() + 16 * place(warp::lane_id(), number / 4) + 4 * (number % 4);
        Shared::<u32>::at(at).read(0)
    }

    /// Keeps the ends among this lane's 32 positions of a quarter until the round is written: the first position in bit
    /// 0.
    #[inline(always)]
    pub fn keep(&self, quarter: u32, ends: u32) {
        self.kept.write(KEPT_PITCH * quarter + warp::lane_id(), ends);
    }

    /// Writes the bytes of a round, 128 positions of each lane, of this lane those from `position` on. All lanes have
    /// kept the ends of all four quarters. As in [`fetch`](Self::fetch) lanes write for one another: eight lanes write
    /// 128 neighbouring bytes.
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
        // SAFETY: as above: the words are written again.
        unsafe { warp::sync_warp(FULL_WARP) };
    }

    /// Writes the bits of this lane's round, 128 positions from `position` on, by one store of 16 bytes: it has kept
    /// the ends of all four quarters.
    #[inline(always)]
    pub fn put_bits(&self, output: &SearchOutput, position: u64) {
        if position < self.n {
            let lane = warp::lane_id();
            let four = core::array::from_fn(|quarter| self.kept.read(KEPT_PITCH * quarter as u32 + lane));
            output.put_128_bits(position, four);
        }
    }
}
