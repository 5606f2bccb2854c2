//! Approximate search with any m and k: Sellers' table by the differences of its columns, 32 rows a word, with a long
//! run of the text for each lane.
//!
//! **Problem.** In Sellers' table D\[i\]\[j\] is the fewest errors of the pattern's first i symbols against any part of
//! the text that ends at symbol j; D\[0\]\[j\] = 0 and D\[i\]\[0\] = i. An occurrence with at most k errors ends where
//! D\[m\]\[j\] is at most k.
//!
//! **Recurrence.** Neighbours in D differ by 1, 0 or -1 (G. Myers, Journal of the ACM 46(3), 1999), so a column is two
//! bits a row: VP where D is one more than in the row above, VN where it is one less. The next column is a few
//! instructions for all rows of a word, whatever k. As H. Hyyrö writes it (Nordic Journal of Computing 10, 2003), with
//! Eq the rows whose symbol matches:
//!
//! ```text
//! X   = Eq | VN                            D[i-1][j-1] ──── D[i-1][j]
//! D0  = (((X & VP) + VP) ^ VP) | X              │      ╲        │
//! HP  = VN | !(D0 | VP)                      VP │    D0 ╲       │ VP'      D0: D is the same along the diagonal
//! HN  = D0 & VP                              VN │        ╲      │ VN'      HP, HN: one more, one less along the row
//! VP' = (HN << 1) | !(D0 | (HP << 1))       D[i][j-1] ───── D[i][j]
//! VN' = D0 & (HP << 1)                                HP, HN
//! ```
//!
//! Hyyrö joins words: what goes from one word to the next is how D changes along the row between them, from column to
//! column. Within a lane that is a carry of the addition, and a bit of each shift.
//!
//! **Strips.** A pattern of more rows than a lane has words for is cut into strips of 32 `WORDS` rows, a launch each:
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
//! The differences along the row below a strip are written where those along the row above it were read: one array is
//! enough.
//!
//! **Padding.** Rows above the pattern match every symbol and begin with D = 0. Then D stays 0 there: with VP = VN = 0
//! and a match, D0 = 1, HP = VN | !(1 | VP) = 0 and HN = 1 & VP = 0, so VP' = 0 | !(1 | 0) = 0 and VN' = 1 & 0 = 0; and
//! 0 + 0 has no carry. So the pattern's first row has D = 0 above it, as a search's has.
//!
//! **Halo.** A lane begins m + k - 1 symbols before its run as if the text began there. What it computes is the fewest
//! errors of the parts that begin there or later: never less than D, which allows more parts. An occurrence with at
//! most k errors is at most m + k symbols long, so one that ends in the run begins in the halo or later. So inside the
//! run the computed number is at most k exactly where D is, and then they are equal.
//!
//! **Cost** a symbol: an address, a load from shared memory, 10 instructions a word, and 3 to follow D\[m\]\[j\], of
//! which only the sign of k - D is pushed into a word: two additions of a highest bit and a funnel shift. (Pushing the
//! two bits of the difference instead is 2, but to find 32 sums again from them is 75, or a walk that one lane in 32
//! makes all others wait for.) Hits want D itself: where there is one among 32 symbols, they are run again. A strip
//! above costs 4 more; one below 2 in place of the 3, and either two words of memory for 32 symbols.

use crate::search::lane_runs::{self, LaneRuns, ROUND, Runs, STEP, search_runs, shared_bytes};
use crate::search::match_table::MatchTable;
use crate::search::output::{COUNT, HITS, SearchOutput};
use crate::search::words::shifted;
use simt_std::integer::opaque;
use simt_std::prelude::*;

/// Searches a text for a pattern, or computes a strip of the pattern: `ABOVE` and `BELOW` say whether there is a strip
/// above and below it. Launch: any number of blocks; each lane takes a run of `runs.run` symbols, from `runs.first` on.
/// The strips of a pattern are launched one after the other, from the top, with the same `runs` and as many blocks.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Myers<const WORDS: usize, const ABOVE: bool, const BELOW: bool> {
    /// The text, and each lane's run of it.
    pub runs: Runs,
    /// m of the whole pattern, 1 to 2^31 - 1.
    pub m: u32,
    /// k, less than m.
    pub k: u32,
    /// Rows of this strip that are the pattern's: at most 32 `WORDS`, and just as many if there is a strip above.
    pub rows: u32,
    /// The mismatch words, as [`match_table`](crate::search::match_table) has them: this strip's last row has the
    /// highest bit. Padding rows have 0, which is a match.
    pub table: Global<u32>,
    /// How D changes along the row between two strips. In, if there is a strip above: along the row above this one.
    /// Out, if there is one below: along this strip's last row. A word holds 32 symbols of a lane, those where D grows
    /// in the low half and those where it shrinks in the high half, the first symbol in the highest bit; there is one
    /// for each quarter of all rounds, halos included, of all warps that have anything to search, the 32 lanes of a
    /// warp side by side.
    pub differences: Global<u64>,
    /// Where results go: those of the last strip.
    pub output: SearchOutput,
}

/// Warps of a block: two blocks of one word fit a multiprocessor's registers, one block of more words.
pub const fn warps(words: usize) -> u32 {
    match words {
        2 => 20,
        _ => 16,
    }
}

/// The strip's rows of a column of D.
#[derive(Clone, Copy)]
struct Column<const WORDS: usize, const ABOVE: bool, const BELOW: bool> {
    /// VP: the rows where D is one more than in the row above.
    vp: [u32; WORDS],
    /// VN: the rows where D is one less than in the row above.
    vn: [u32; WORDS],
    /// Of the symbols still to come, up to 32, where D grows (word 0) and shrinks (word 1) along the row above the
    /// strip, the next symbol's in the highest bit.
    above: [u32; 2],
    /// The same along the strip's last row, for the last 32 symbols, the last one's in the lowest bit.
    below: [u32; 2],
    /// k - D of the last row, modulo 2^32: its highest bit is set where D is more than k.
    k_minus_d: u32,
    /// Of the last 32 symbols, those where D of the last row is more than k, the last one's in bit 0.
    rejected: u32,
}

/// Two words as one of 64 bits.
#[inline(always)]
fn joined([low, high]: [u32; 2]) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

/// The sum of two numbers of up to four words, without the carry out of the highest.
#[inline(always)]
fn sum<const WORDS: usize>(a: [u32; WORDS], b: [u32; WORDS]) -> [u32; WORDS] {
    let wide = |words: [u32; WORDS]| (0..WORDS).fold(0, |wide, w| wide | u128::from(words[w]) << (32 * w));
    let sum = wide(a).wrapping_add(wide(b));
    core::array::from_fn(|w| (sum >> (32 * w)) as u32)
}

impl<const WORDS: usize, const ABOVE: bool, const BELOW: bool> Column<WORDS, ABOVE, BELOW> {
    /// The column before any symbol: D is the row's number, so that VP is set in the pattern's rows, and 0 in the
    /// padding.
    #[inline(always)]
    fn new(kernel: &Myers<WORDS, ABOVE, BELOW>) -> Self {
        let first = 32 * WORDS as u32 - kernel.rows;
        let vp = core::array::from_fn(|w| {
            let padding = first.saturating_sub(32 * w as u32);
            if padding >= 32 { 0 } else { !0 << padding }
        });
        let k_minus_d = kernel.k.wrapping_sub(kernel.m);
        Self { vp, vn: [0; WORDS], above: [0; 2], below: [0; 2], k_minus_d, rejected: !0 }
    }
}

impl<const WORDS: usize, const ABOVE: bool, const BELOW: bool> lane_runs::Automaton<WORDS>
    for Column<WORDS, ABOVE, BELOW>
{
    /// The next column: the formulas at the head of this file.
    #[inline(always)]
    fn step(&mut self, mismatches: [u32; WORDS]) {
        let Self { vp, vn, .. } = *self;
        // HP and HN of the row above the strip: whether D grows along it, whether it shrinks.
        let [grows, shrinks] = if ABOVE { self.above.map(|bits| bits >> 31) } else { [0; 2] };
        let x: [u32; WORDS] = core::array::from_fn(|w| !mismatches[w] | vn[w] | if w == 0 { shrinks } else { 0 });
        // D0: the rows whose D is that of the row above in the column before. A carry takes it down a run of VP.
        let carried = sum(core::array::from_fn(|w| x[w] & vp[w]), vp);
        let d0: [u32; WORDS] = core::array::from_fn(|w| (carried[w] ^ vp[w]) | x[w]);
        // HP and HN: the rows along which D grows and shrinks.
        let hp: [u32; WORDS] = core::array::from_fn(|w| vn[w] | !(d0[w] | vp[w]));
        let hn: [u32; WORDS] = core::array::from_fn(|w| d0[w] & vp[w]);
        let last = [hp[WORDS - 1], hn[WORDS - 1]];
        if BELOW {
            self.below = core::array::from_fn(|i| self.below[i] << 1 | last[i] >> 31);
        } else {
            self.k_minus_d = self.k_minus_d.wrapping_add(last[1] >> 31).wrapping_add((last[0] as i32 >> 31) as u32);
            self.rejected = self.rejected << 1 | self.k_minus_d >> 31;
        }
        if ABOVE {
            self.above = self.above.map(|bits| bits << 1);
        }
        let (hp, hn) = (shifted(hp, grows), shifted(hn, shrinks));
        self.vp = core::array::from_fn(|w| hn[w] | !(d0[w] | hp[w]));
        self.vn = core::array::from_fn(|w| d0[w] & hp[w]);
    }
}

impl<const WORDS: usize, const ABOVE: bool, const BELOW: bool> Myers<WORDS, ABOVE, BELOW> {
    /// Writes a quarter's hits: goes through its 32 symbols again, from the `column` before them, to find D of each
    /// end. `position` is that of the first symbol, and bit b of `ends` is 1 where an occurrence ends at symbol b.
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
                self.output.put_hit(slot, position + u64::from(symbol), 0, self.k.wrapping_sub(column.k_minus_d));
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
