//! Approximate search with any m and k: the differences of a column, 32 rows a word, with a long run of the text for each lane.
//!
//! **Idea.** G. Myers (Journal of the ACM 46(3), 1999): neighbours in Sellers' table D differ by 1, 0 or -1, so a column is
//! two bits a row, and the next column is a few instructions for all rows of a word, whatever k. H. Hyyrö (Nordic Journal of
//! Computing 10, 2003) joins words: what goes from one to the next is how the row between them changes from column to column.
//! Within a lane that is a carry. A pattern of more rows than a lane has is cut into *strips*, a launch each:
//!
//! ```text
//!                text                                    a lane's rows, WORDS = 4
//! strip 0        | ▒ ■■■  the first symbols              ▒ padding, so that the last row is a highest bit
//!                |────────────────────────               how D changes along this row, 2 bits a symbol, goes through memory:
//! strip 1        | ■■■■■                                 32 symbols at a time, of a warp's 32 lanes together
//!                |────────────────────────
//! strip 2        | ■■■■■  the last symbols  ──▶ D[m][j]
//! ```
//!
//! Strips of 32 WORDS rows lie one above the other, and the differences are left where they were read: one array is enough.
//!
//! **Padding.** Rows above the pattern match every symbol and begin with D = 0. Then D stays 0 there: with VP = VN = 0 and a
//! match, the diagonal is zero, HP = VN | !(1 | VP) = 0 and HN = 1 & VP = 0, so VP' = 0 | !(1 | 0) = 0 and VN' = 1 & 0 = 0; and
//! 0 + 0 has no carry. So the pattern's first row has D = 0 above it, as a search's has.
//!
//! **Halo.** A lane begins m + k - 1 symbols before its run as if the text began there. That gives D for the text from there on:
//! the fewest errors of occurrences that start there or later, which are D or more. An occurrence with at most k errors is at most
//! m + k symbols long, so one that ends in the run starts in the halo or later. So inside the run the computed number is at most k
//! exactly where D is, and then they are equal.
//!
//! **Cost** a symbol: an address, a load from shared memory, 10 instructions a word, and 3 to follow D\[m\]\[j\], of which only the
//! sign of k - D is pushed into a word: two additions of a highest bit and a funnel shift. (Pushing the two bits of the
//! difference instead is 2, but to find 32 sums again from them is 75, or a walk that one lane in 32 makes all others wait
//! for.) Hits want D itself: where there is one among 32 symbols, they are run again. A strip above costs 4 more; one below 2
//! in place of the 3, and either two words of memory for 32 symbols.

use crate::search::lane_runs::{self, LaneRuns, ROUND, Runs, STEP, search_runs, shared_bytes};
use crate::search::match_table::MatchTable;
use crate::search::output::{COUNT, HITS, SearchOutput};
use crate::search::words::shifted;
use simt_std::integer::opaque;
use simt_std::prelude::*;

/// Searches a text, or a strip of the pattern in it: `ABOVE` and `BELOW` say whether there are other strips. Launch: any number
/// of blocks; lanes take `run` symbols each, from `first` on.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Myers<const WORDS: usize, const ABOVE: bool, const BELOW: bool> {
    /// The text, and each lane's part of it.
    pub runs: Runs,
    /// m of the whole pattern, less than 2^31.
    pub m: u32,
    /// k, less than m.
    pub k: u32,
    /// Rows of the pattern in this strip, at most 32 `WORDS`, and as many if there is a strip above.
    pub rows: u32,
    /// Of each symbol the mismatches, 256 words for each 32 rows, the last row in the highest bit, 0 above the pattern.
    pub table: Global<u32>,
    /// How D changes along the row between two strips: a word a lane, for each 32 symbols of halos and runs of all warps that
    /// search anything. In: above this strip. Out: below it.
    pub differences: Global<u64>,
    /// Where results go, of the last strip.
    pub output: SearchOutput,
}

/// Warps of a block: two blocks of one word fit a multiprocessor, one of more.
pub const fn warps(words: usize) -> u32 {
    match words {
        2 => 20,
        _ => 16,
    }
}

/// The strip's rows of a column.
#[derive(Clone, Copy)]
struct Column<const WORDS: usize, const ABOVE: bool, const BELOW: bool> {
    /// VP: rows with D one more than in the row above.
    more: [u32; WORDS],
    /// VN: rows with D one less.
    less: [u32; WORDS],
    /// Of 32 symbols, where D of the row above the strip grows and shrinks; the next in the highest bit.
    above: [u32; 2],
    /// The same of the strip's last row; the last in the lowest bit.
    below: [u32; 2],
    /// k - D of the last row.
    left: u32,
    /// Of the last 32 symbols, where D is more than k.
    rejected: u32,
}

/// Two words as one.
#[inline(always)]
fn joined([low, high]: [u32; 2]) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

/// The sum of two numbers of up to four words.
#[inline(always)]
fn sum<const WORDS: usize>(a: [u32; WORDS], b: [u32; WORDS]) -> [u32; WORDS] {
    let wide = |words: [u32; WORDS]| (0..WORDS).fold(0, |wide, w| wide | u128::from(words[w]) << (32 * w));
    let sum = wide(a).wrapping_add(wide(b));
    core::array::from_fn(|w| (sum >> (32 * w)) as u32)
}

impl<const WORDS: usize, const ABOVE: bool, const BELOW: bool> Column<WORDS, ABOVE, BELOW> {
    /// Before any symbol: D is the row's number.
    #[inline(always)]
    fn new(kernel: &Myers<WORDS, ABOVE, BELOW>) -> Self {
        let first = 32 * WORDS as u32 - kernel.rows;
        let more = core::array::from_fn(|w| {
            let padding = first.saturating_sub(32 * w as u32);
            if padding >= 32 { 0 } else { !0 << padding }
        });
        let left = kernel.k.wrapping_sub(kernel.m);
        Self { more, less: [0; WORDS], above: [0; 2], below: [0; 2], left, rejected: !0 }
    }
}

impl<const WORDS: usize, const ABOVE: bool, const BELOW: bool> lane_runs::Automaton<WORDS>
    for Column<WORDS, ABOVE, BELOW>
{
    /// Myers's step, as Hyyrö writes it.
    #[inline(always)]
    fn step(&mut self, mismatches: [u32; WORDS]) {
        let Self { more, less, .. } = *self;
        // Along the row above: whether D grows, whether it shrinks.
        let [grows, shrinks] = if ABOVE { self.above.map(|bits| bits >> 31) } else { [0; 2] };
        let zero: [u32; WORDS] = core::array::from_fn(|w| !mismatches[w] | less[w] | if w == 0 { shrinks } else { 0 });
        // D0: rows whose D is that of the row above in the column before. A carry takes it down a run of VP.
        let carried = sum(core::array::from_fn(|w| zero[w] & more[w]), more);
        let diagonal: [u32; WORDS] = core::array::from_fn(|w| (carried[w] ^ more[w]) | zero[w]);
        // HP and HN: rows along which D grows and shrinks.
        let plus: [u32; WORDS] = core::array::from_fn(|w| less[w] | !(diagonal[w] | more[w]));
        let minus: [u32; WORDS] = core::array::from_fn(|w| diagonal[w] & more[w]);
        let last = [plus[WORDS - 1], minus[WORDS - 1]];
        if BELOW {
            self.below = core::array::from_fn(|i| self.below[i] << 1 | last[i] >> 31);
        } else {
            self.left = self.left.wrapping_add(last[1] >> 31).wrapping_add((last[0] as i32 >> 31) as u32);
            self.rejected = self.rejected << 1 | self.left >> 31;
        }
        if ABOVE {
            self.above = self.above.map(|bits| bits << 1);
        }
        let (plus, minus) = (shifted(plus, grows), shifted(minus, shrinks));
        self.more = core::array::from_fn(|w| minus[w] | !(diagonal[w] | plus[w]));
        self.less = core::array::from_fn(|w| diagonal[w] & plus[w]);
    }
}

impl<const WORDS: usize, const ABOVE: bool, const BELOW: bool> Myers<WORDS, ABOVE, BELOW> {
    /// Runs a quarter again from the `column` before it, whose first symbol is at `position`, and writes `ends` with D.
    #[inline(always)]
    fn put_hits(
        &self,
        runs: &LaneRuns,
        table: &MatchTable<WORDS>,
        mut column: Column<WORDS, ABOVE, BELOW>,
        quarter: u32,
        (position, ends): (u64, u32),
    ) {
        use lane_runs::Automaton;
        let mut slot = self.output.slots(ends.count_ones());
        for symbol in 0..opaque(STEP as u32) {
            column.step(table.read(runs.packed(8 * quarter + symbol / 4), symbol % 4));
            if ends >> symbol & 1 == 1 {
                self.output.put_hit(slot, position + u64::from(symbol), 0, self.k.wrapping_sub(column.left));
                slot += 1;
            }
        }
    }
}

#[kernel(
    threads = warps(WORDS) * WARP,
    shared = shared_bytes(WORDS, warps(WORDS)),
    instances = [
        myers_1: (1, false, false), myers_2: (2, false, false), myers_4: (4, false, false),
        myers_top: (4, false, true), myers_middle: (4, true, true), myers_bottom: (4, true, false),
    ]
)]
pub fn myers<const WORDS: usize, const ABOVE: bool, const BELOW: bool>(self: Myers<WORDS, ABOVE, BELOW>) {
    let lane = warp::lane_id();
    search_runs!(
        self, WORDS, warps(WORDS),
        start: |index, start| {
            let rounds = (self.runs.halo + self.runs.run) / ROUND;
            let mut slot = index / u64::from(WARP) * rounds * (ROUND / STEP) * u64::from(WARP) + u64::from(lane);
            // A warp with nothing to search has no place for differences.
            if start - u64::from(lane) * self.runs.run >= self.runs.n {
                return;
            }
        },
        automaton: column = Column::<WORDS, ABOVE, BELOW>::new(&self),
        before: {
            if ABOVE {
                let above = self.differences.read(slot as usize);
                column.above = [above as u32, (above >> 32) as u32];
            }
            let before = column;
        },
        after: |runs, table, quarter, position, left, count| {
            if BELOW {
                self.differences.write(slot as usize, joined(column.below));
            } else {
                let exist = if left == 0 { 0 } else { !0 >> (32 - left) };
                let ends = (!column.rejected).reverse_bits() & exist;
                if self.output.format == COUNT {
                    count += ends.count_ones();
                } else if self.output.format != HITS {
                    runs.keep(quarter, ends);
                } else if ends != 0 {
                    self.put_hits(&runs, &table, before, quarter, (position, ends));
                }
            }
            slot += u64::from(WARP);
        },
        keeps: !BELOW, counts: !BELOW,
    );
}
