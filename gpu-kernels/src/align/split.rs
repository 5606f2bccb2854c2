//! Finds, on the device, the row where Hirschberg's recursion (1975) cuts a table. Two columns are
//! given, one filled from the starts of both strings and one from their ends; the cut is the row
//! where the sum of their gains is greatest.
//!
//! From row to row a column gains 1, loses 1 or stays the same ([`Gain`]). A column of an LCS table
//! gains where the length grows; a column of an edit distance table gains where the distance falls.
//! With d\[i\] = gain1(i) - gain2(m - 1 - i), the sum of both gains at row i is the second column's
//! total gain + d\[0\] + … + d\[i - 1\]. The cut is the least i with the greatest sum:
//!
//! ```text
//! thread            0            1            2
//! words         | w0  w1 | | w2  w3 | | w4  w5 |      1. each thread sums d in its words
//! sum before        0         s0        s0 + s1          (popcounts)
//!                                                     2. prefix sums over the block
//!                                                     3. each thread finds its best row
//!                                                     4. the best row of all threads
//! ```
//!
//! **Cost.** Two passes over the bits of both columns. Each cut takes one block of 1,024 threads.

use core::marker::PhantomData;
use simt_std::prelude::*;

/// 64-bit words per entry of [`Split::cuts`].
pub const FIELDS: usize = 3;

/// Encoding of a column's gains in its bits.
pub trait Gain: Copy {
    /// Returns the gains at the 32 rows of word `index` of `column`: the bits of the rows where the
    /// column gains 1, and of the rows where it loses 1. `half` is [`Split::half`].
    fn gains_and_losses(column: Global<u32>, half: u64, index: u64) -> [u32; 2];
}

/// Columns of LCS tables: bit i is 0 where the length grows at row i. The length never falls.
#[derive(Debug, Clone, Copy)]
pub struct Length;

impl Gain for Length {
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    fn gains_and_losses(column: Global<u32>, _half: u64, index: u64) -> [u32; 2] {
        [!column.read(index as usize), 0]
    }
}

/// Columns of edit distance tables: Pv has a 1 where the distance grows, a loss; Mv, `half` words
/// later, has a 1 where the distance falls, a gain.
#[derive(Debug, Clone, Copy)]
pub struct Distance;

impl Gain for Distance {
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    fn gains_and_losses(column: Global<u32>, half: u64, index: u64) -> [u32; 2] {
        [column.read((half + index) as usize), column.read(index as usize)]
    }
}

/// Gains of two columns at 32 rows of A: for each column, the bits of the rows that gain and the
/// bits of the rows that lose.
struct Gains {
    forward: [u32; 2],
    backward: [u32; 2],
}

impl Gains {
    /// Reads the gains at the 32 rows of word `word`. Bit 0 is its first row.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    fn read<G: Gain>(forward: Global<u32>, backward: Global<u32>, half: u64, m: u64, word: u64) -> Self {
        let rows = m - word * 32;
        let exist = if rows < 32 { (1u32 << rows) - 1 } else { !0 };
        // The second column counts rows from the other end: row i of the first is row m - 1 - i of
        // the second, so its bits are in the opposite order.
        let reversed = if rows < 32 {
            G::gains_and_losses(backward, half, 0).map(|bits| bits << (32 - rows))
        } else {
            let (index, shift) = ((rows - 32) / 32, (rows % 32) as u32);
            let low = G::gains_and_losses(backward, half, index);
            if shift == 0 {
                low
            } else {
                let high = G::gains_and_losses(backward, half, index + 1);
                [0, 1].map(|k| low[k] >> shift | high[k] << (32 - shift))
            }
        };
        Self {
            forward: G::gains_and_losses(forward, half, word).map(|bits| bits & exist),
            backward: reversed.map(|bits| bits.reverse_bits() & exist),
        }
    }

    /// Returns the second column's gain over these rows.
    #[inline(always)]
    fn backward(&self) -> i64 {
        i64::from(self.backward[0].count_ones()) - i64::from(self.backward[1].count_ones())
    }

    /// Returns the sum of d over these rows.
    #[inline(always)]
    fn sum(&self) -> i64 {
        i64::from(self.forward[0].count_ones()) - i64::from(self.forward[1].count_ones()) - self.backward()
    }

    /// Returns an upper bound on the sum of d over these rows or the first few of them.
    #[inline(always)]
    fn most(&self) -> i64 {
        i64::from(self.forward[0].count_ones()) + i64::from(self.backward[1].count_ones())
    }

    /// Returns d of one row.
    #[inline(always)]
    fn at(&self, row: u64) -> i64 {
        let bit = |bits: u32| i64::from(bits >> row & 1);
        bit(self.forward[0]) - bit(self.forward[1]) - bit(self.backward[0]) + bit(self.backward[1])
    }
}

/// A candidate for the cut: a row, and the sum of d over all rows before it.
#[derive(Clone, Copy)]
struct Cut {
    sum: i64,
    row: u64,
}

impl Cut {
    /// Returns the better of two candidates: the one with the greater sum, or the lesser row if the
    /// sums are equal.
    #[inline(always)]
    fn better(self, other: Self) -> Self {
        if other.sum > self.sum || other.sum == self.sum && other.row < self.row { other } else { self }
    }

    /// Returns the best candidate of the warp, in all lanes. Cost: five steps with two 64-bit
    /// shuffles each.
    ///
    /// # Safety
    /// All 32 lanes of the warp call it together.
    #[inline(always)]
    unsafe fn best_of_warp(self) -> Self {
        let mut best = self;
        for distance in [16, 8, 4, 2, 1] {
            // SAFETY: the caller guarantees that all lanes are here.
            let sum = unsafe { warp::warp_shuffle_xor(FULL_WARP, best.sum, distance, WARP) }.0;
            // SAFETY: as above.
            let row = unsafe { warp::warp_shuffle_xor(FULL_WARP, best.row, distance, WARP) }.0;
            best = best.better(Self { sum, row });
        }
        best
    }
}

/// The two columns of a cut.
#[derive(Clone, Copy)]
struct Columns<G> {
    forward: Global<u32>,
    backward: Global<u32>,
    half: u64,
    m: u64,
    gain: PhantomData<G>,
}

/// Consecutive words of both columns: the share of one thread.
struct Words<G> {
    columns: Columns<G>,
    first: u64,
    end: u64,
}

/// Gains over a thread's share of the words.
struct Totals {
    /// Sum of d.
    sum: i64,
    /// Gain of the second column.
    backward: i64,
}

impl<G: Gain> Words<G> {
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    fn gains(&self, word: u64) -> Gains {
        let Columns { forward, backward, half, m, .. } = self.columns;
        Gains::read::<G>(forward, backward, half, m, word)
    }

    /// Sums the gains over all words.
    #[inline(always)]
    fn totals(&self) -> Totals {
        let mut totals = Totals { sum: 0, backward: 0 };
        for word in self.first..self.end {
            let gains = self.gains(word);
            totals.sum += gains.sum();
            totals.backward += gains.backward();
        }
        totals
    }

    /// Returns the best cut in these words. `before` is the sum of d over all earlier words. Row 0,
    /// with sum 0, is the first candidate; a row of these words replaces it only with a greater
    /// sum.
    #[inline(always)]
    fn best(&self, mut before: i64) -> Cut {
        let mut best = Cut { sum: 0, row: 0 };
        for word in self.first..self.end {
            let gains = self.gains(word);
            if before + gains.most() > best.sum {
                let mut sum = before;
                for bit in 0..32 {
                    sum += gains.at(bit);
                    if sum > best.sum {
                        best = Cut { sum, row: word * 32 + bit + 1 };
                    }
                }
            }
            before += gains.sum();
        }
        best
    }
}

const WARPS: u32 = 32;

/// Finds the row of each cut. Launch: one block per cut.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Split<G> {
    /// [`FIELDS`] numbers per cut: 0. start of the first column's words in `columns`; 1. start of
    /// the second column's words; 2. m, at least 1.
    pub cuts: Global<u64>,
    /// The last columns as bit-vectors. Row 0 of the second column is A's last row.
    pub columns: Global<u32>,
    /// Offset, in words, from the first bits of all columns to their second bits, for columns with
    /// two bits per row.
    pub half: u64,
    /// Out: two words per cut, in two's complement: the row, and the sum of both columns' gains
    /// there.
    pub found: Global<u64>,
    /// Encoding of the columns' gains.
    pub gain: PhantomData<G>,
}

#[kernel(
    threads = WARPS * WARP,
    instances = [
        split: (Length), split_distance: (Distance),
    ]
)]
fn split<G: Gain>(self: Split<G>) {
    shared_array!(sums: [u64; 32]);
    shared_array!(totals: [u64; 32]);
    shared_array!(rows: [u64; 32]);
    let cut = thread::block_idx_x() as usize;
    let columns = self.columns(self.cuts.skip(cut * FIELDS));
    let (lane, number) = (warp::lane_id(), thread::thread_idx_x() / WARP);
    let words = columns.share(thread::thread_idx_x());
    let own = words.totals();

    // Prefix sums in the warp, then over the warps.
    let (mut before, mut total) = (own.sum, own.backward);
    for distance in [1, 2, 4, 8, 16] {
        // SAFETY: all threads of the block are here, in this loop and in everything below.
        let (lower, exists) = unsafe { warp::warp_shuffle_up(FULL_WARP, before, distance, WARP) };
        before += if exists { lower } else { 0 };
        // SAFETY: as above.
        total += unsafe { warp::warp_shuffle_xor(FULL_WARP, total, distance, WARP) }.0;
    }
    if lane == WARP - 1 {
        sums.write(number, before as u64);
        totals.write(number, total as u64);
    }
    // SAFETY: as above.
    unsafe { thread::sync_threads() };
    before -= own.sum;
    total = 0;
    for other in 0..WARPS {
        before += if other < number { sums.read(other) as i64 } else { 0 };
        total += totals.read(other) as i64;
    }

    // SAFETY: as above.
    let mut best = unsafe { words.best(before).best_of_warp() };
    // SAFETY: as above. `sums` is written again after this.
    unsafe { thread::sync_threads() };
    if lane == 0 {
        sums.write(number, best.sum as u64);
        rows.write(number, best.row);
    }
    // SAFETY: as above.
    unsafe { thread::sync_threads() };
    if thread::thread_idx_x() == 0 {
        for other in 1..WARPS {
            best = best.better(Cut { sum: sums.read(other) as i64, row: rows.read(other) });
        }
        self.found.write(cut * 2, best.row);
        self.found.write(cut * 2 + 1, (total + best.sum) as u64);
    }
}

impl<G: Gain> Split<G> {
    /// Returns the columns of a cut. `fields` is the cut's entry.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    fn columns(&self, fields: Global<u64>) -> Columns<G> {
        let m = fields.read(2);
        let forward = self.columns.skip(fields.read(0) as usize);
        let backward = self.columns.skip(fields.read(1) as usize);
        Columns { forward, backward, half: self.half, m, gain: PhantomData }
    }
}

impl<G: Gain> Columns<G> {
    /// Returns the words of a thread. All threads get about the same number.
    #[inline(always)]
    fn share(self, thread: u32) -> Words<G> {
        let words = self.m.div_ceil(32);
        let each = words.div_ceil((WARPS * WARP).into());
        let first = (u64::from(thread) * each).min(words);
        let end = (first + each).min(words);
        Words { columns: self, first, end }
    }
}
