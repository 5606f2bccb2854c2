//! Approximate search with any m and k: Sellers' table by the differences within its columns, 32
//! rows per word, with a long run of the text for each lane.
//!
//! **Problem.** In Sellers' table D\[i\]\[j\] is the minimum number of errors between the pattern's
//! first i symbols and any part of the text that ends at symbol j; D\[0\]\[j\] = 0 and
//! D\[i\]\[0\] = i. An occurrence with at most k errors ends where D\[m\]\[j\] is at most k.
//!
//! **Recurrence.** Neighbours in D differ by 1, 0 or -1 (G. Myers, Journal of the ACM 46(3), 1999),
//! so a column takes two bits per row: VP where D is one more than in the row above, VN where it is
//! one less. The next column takes a few instructions for all rows of a word, for any k. In the
//! form of H. Hyyrö (Nordic Journal of Computing 10, 2003), with Eq the rows whose symbol matches:
//!
//! ```text
//! X   = Eq | VN                            D[i-1][j-1] ──── D[i-1][j]
//! D0  = (((X & VP) + VP) ^ VP) | X              │      ╲        │
//! HP  = VN | !(D0 | VP)                      VP │    D0 ╲       │ VP'
//! HN  = D0 & VP                              VN │        ╲      │ VN'
//! VP' = (HN << 1) | !(D0 | (HP << 1))       D[i][j-1] ───── D[i][j]
//! VN' = D0 & (HP << 1)                                HP, HN
//!
//! D0: D is the same along the diagonal; HP, HN: one more, one less along the row
//! ```
//!
//! Hyyrö joins words: each word passes the change of D along its last row, from column to column,
//! to the next word. Within a lane that is a carry of the addition, and one bit of each shift.
//!
//! **Strips.** A pattern with more rows than fit in a lane's words is cut into strips of 32 `WORDS`
//! rows, with one launch each:
//!
//! ```text
//!                text                             a lane's rows, WORDS = 4
//! strip 0        | ▒ ■■■  the first symbols       ▒ padding, so that the last row is a highest bit
//!                |────────────────────────        changes of D along this row, 2 bits per symbol,
//! strip 1        | ■■■■■                          go through memory: 32 symbols at a time, for all
//!                |────────────────────────        32 lanes of a warp together
//! strip 2        | ■■■■■  the last symbols  ──▶ D[m][j]
//! ```
//!
//! The differences along the row below a strip overwrite those along the row above it, so one array
//! is enough.
//!
//! **Padding.** Rows above the pattern match every symbol and begin with D = 0. Then D stays 0
//! there: with VP = VN = 0 and a match, D0 = 1, HP = VN | !(1 | VP) = 0 and HN = 1 & VP = 0, so
//! VP' = 0 | !(1 | 0) = 0 and VN' = 1 & 0 = 0; and 0 + 0 has no carry. So the row above the
//! pattern's first row has D = 0, as in any search.
//!
//! **Halo.** A lane begins m + k - 1 symbols before its run as if the text began there. It computes
//! the minimum over the parts that begin there or later, which is never less than D, the minimum
//! over all parts. An occurrence with at most k errors has at most m + k symbols, so one that ends
//! in the run begins in the halo or later. So inside the run the computed value is at most k
//! exactly where D is, and there both are equal.
//!
//! **Cost** per symbol: an address, a load from shared memory, 10 instructions per word, and 3 to
//! follow D\[m\]\[j\]: two additions of a highest bit, and a funnel shift that pushes the sign of
//! k - D into a word. (Pushing the two bits of the difference instead takes 2 instructions. But
//! recomputing 32 sums from them takes 75, or a loop of one lane while the other 31 wait.) Hits
//! need D itself: if a hit is among 32 symbols, they are processed again. A strip above costs 4
//! more instructions; a strip below costs 2 instead of the 3. Each of them adds two words of memory
//! traffic per 32 symbols.
//!
//! **The fewest errors.** In the format [`LEAST`], the kernel finds the end with the fewest errors,
//! at most k. One word in memory has the best end of all lanes. When a lane of a warp has an end
//! among 32 symbols, the lane lowers the word, and all lanes of the warp read it. From then on, an
//! end counts only if it is better: if it has fewer errors, or as many at an earlier position. So k
//! falls to the least D soon after the start, and few symbols are processed again.

use crate::search::lane_runs::{self, LaneRuns, ROUND, Runs, STEP, search_runs, shared_bytes};
use crate::search::match_table::MatchTable;
use crate::search::output::{COUNT, HITS, LEAST, SearchOutput, least_parts, least_word};
use crate::search::words::shifted;
use simt_std::integer::opaque;
use simt_std::prelude::*;

/// Searches a text for a pattern, or computes a strip of the pattern. `ABOVE` and `BELOW` are true
/// if there is a strip above or below it. Launch: any number of blocks; each lane searches a run of
/// `runs.run` symbols, from `runs.first` on. The strips of a pattern are launched one after the
/// other from the top, with the same `runs` and number of blocks.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Myers<const WORDS: usize, const ABOVE: bool, const BELOW: bool> {
    /// The text and its partition into runs.
    pub runs: Runs,
    /// m of the whole pattern, 1 to 2^31 - 1.
    pub m: u32,
    /// k, less than m.
    pub k: u32,
    /// Number of pattern rows in this strip: at most 32 `WORDS`, and exactly 32 `WORDS` if there is
    /// a strip above.
    pub rows: u32,
    /// The mismatch words, as [`match_table`](crate::search::match_table) defines them. This
    /// strip's last row has the highest bit. Padding rows have 0, which is a match.
    pub table: Global<u32>,
    /// Changes of D along the row between two strips. In, if there is a strip above: along the row
    /// above this strip. Out, if there is a strip below: along this strip's last row. A word holds
    /// 32 symbols of a lane: the low half has those where D grows, the high half those where it
    /// shrinks, the first symbol in the highest bit. There is a word for each quarter of all
    /// rounds, including halos, of all warps that have something to search; the words of a warp's
    /// 32 lanes are adjacent.
    pub differences: Global<u64>,
    /// Destination and format of the results; only the last strip writes them.
    pub output: SearchOutput,
}

/// Warps per block: a multiprocessor's registers hold two blocks with one word, one block with more
/// words.
pub const fn warps(words: usize) -> u32 {
    match words {
        2 => 20,
        _ => 16,
    }
}

/// The strip's rows of a column of D.
#[derive(Clone, Copy)]
struct StripColumn<const WORDS: usize, const ABOVE: bool, const BELOW: bool> {
    /// VP: the rows where D is one more than in the row above.
    vp: [u32; WORDS],
    /// VN: the rows where D is one less than in the row above.
    vn: [u32; WORDS],
    /// Changes of D along the row above the strip at the symbols to come, up to 32: where it grows
    /// (word 0) and where it shrinks (word 1). The next symbol has the highest bit.
    above: [u32; 2],
    /// Changes of D along the strip's last row at the last 32 symbols; the latest symbol has the
    /// lowest bit.
    below: [u32; 2],
    /// k - D of the last row, modulo 2^32. Its highest bit is set if D is more than k.
    k_minus_d: u32,
    /// For each of the last 32 symbols, 1 if D of the last row is more than k; the latest symbol
    /// has bit 0.
    rejected: u32,
}

/// Joins two words to one of 64 bits.
#[inline(always)]
fn joined([low, high]: [u32; 2]) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

/// Adds two numbers of up to four words; drops the carry out of the highest word.
#[inline(always)]
fn sum<const WORDS: usize>(a: [u32; WORDS], b: [u32; WORDS]) -> [u32; WORDS] {
    let wide = |words: [u32; WORDS]| (0..WORDS).fold(0, |wide, w| wide | u128::from(words[w]) << (32 * w));
    let sum = wide(a).wrapping_add(wide(b));
    core::array::from_fn(|w| (sum >> (32 * w)) as u32)
}

impl<const WORDS: usize, const ABOVE: bool, const BELOW: bool> StripColumn<WORDS, ABOVE, BELOW> {
    /// Returns the column before any symbol: D is the row number, so VP is 1 in the pattern's rows,
    /// and 0 in the padding.
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
    for StripColumn<WORDS, ABOVE, BELOW>
{
    /// Advances to the next column by the formulas at the head of this file.
    #[inline(always)]
    fn step(&mut self, mismatches: [u32; WORDS]) {
        let Self { vp, vn, .. } = *self;
        // HP and HN of the row above the strip: 1 if D grows or shrinks along it.
        let [grows, shrinks] = if ABOVE { self.above.map(|bits| bits >> 31) } else { [0; 2] };
        let x: [u32; WORDS] = core::array::from_fn(|w| !mismatches[w] | vn[w] | if w == 0 { shrinks } else { 0 });
        // D0: the rows where D equals D of the row above in the previous column. The carry of the
        // addition propagates it down a run of VP.
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
    /// Writes a quarter's hits. Processes its 32 symbols again, from the `column` before them, to
    /// find D at each end. `position` is that of the first symbol. Bit b of `ends` is 1 if an
    /// occurrence ends at symbol b.
    #[inline(always)]
    fn put_hits(
        &self,
        runs: &LaneRuns,
        table: &MatchTable<WORDS>,
        mut column: StripColumn<WORDS, ABOVE, BELOW>,
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

    /// Returns the least word of a quarter's ends, with the parameters of
    /// [`put_hits`](Self::put_hits); an end has at most `most` errors. Without an end, it is
    /// greater than the word of any end.
    #[inline(always)]
    fn least(
        &self,
        runs: &LaneRuns,
        table: &MatchTable<WORDS>,
        mut column: StripColumn<WORDS, ABOVE, BELOW>,
        quarter: u32,
        (position, ends): (u64, u32),
        most: u32,
    ) -> u64 {
        use lane_runs::Automaton;
        let mut least = !0;
        if ends != 0 {
            for symbol in 0..opaque(STEP as u32) {
                column.step(table.read(runs.packed(8 * quarter + symbol / 4), symbol % 4));
                if ends >> symbol & 1 == 1 {
                    let errors = most.wrapping_sub(column.k_minus_d);
                    least = least.min(least_word(errors, position + u64::from(symbol)));
                }
            }
        }
        least
    }

    /// Lowers the best word to `least`, and returns the most errors of a better end at `next` or
    /// later: -1 if no end is better.
    #[inline(always)]
    fn put_least(&self, least: u64, next: u64) -> u32 {
        let known = if least == !0 {
            atomic::load(self.output.hits, 0)
        } else {
            atomic::fetch_min(self.output.hits, 0, least).min(least)
        };
        let (position, errors) = least_parts(known);
        errors.wrapping_sub(u32::from(position < next))
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
            // The most errors of an end that counts: fewer and fewer in the format LEAST.
            let mut most = self.k;
            // The array of differences has no entries for a warp that has nothing to search.
            if start - u64::from(lane) * self.runs.run >= self.runs.n {
                return;
            }
        },
        automaton: column = StripColumn::<WORDS, ABOVE, BELOW>::new(&self),
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
                } else if self.output.format == LEAST {
                    // SAFETY: all lanes of the warp are here: they take the same quarters.
                    if unsafe { warp::warp_vote_any(FULL_WARP, ends != 0) } {
                        let least = self.least(&runs, &table, before, quarter, (position, ends), most);
                        let better = self.put_least(least, position.wrapping_add(STEP));
                        column.k_minus_d = column.k_minus_d.wrapping_add(better).wrapping_sub(most);
                        most = better;
                    }
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
