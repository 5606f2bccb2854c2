//! Computes the distances of 32 pairs per lane from the differences along the last row of their
//! tables, C columns at a time.
//!
//! D\[m\]\[n\] is m plus the sum of the last row's differences; L\[m\]\[n\] is the sum alone. The
//! sums are kept bit-sliced ([`bit_sum`](crate::distance::bit_sum)) in shared memory, one word per
//! lane and bit, and become plain numbers at the end.
//!
//! **Cost.** C columns take about 4 C logic instructions (2 C for the LCS) and 20 loads and stores.
//! The conversion to numbers takes about 400 instructions per 32 pairs.

use crate::distance::bit_sum::{BitSum, LEVELS, add_bits, transpose};
use crate::distance::pair_cell::{Horizontal, INDEL, Instructions, plus_minus};
use simt_std::prelude::*;

/// Bits of a sum.
const SUM_BITS: u32 = 20;

/// Upper bound on the symbols of a string. With P - M + 1 per column, a sum is up to twice the
/// length.
pub const LONGEST: u32 = (1 << (SUM_BITS - 1)) - 256;

/// Bytes of shared memory per warp.
pub const SUM_BYTES: u32 = SUM_BITS * WARP * 4;

/// Repeats a block for each column c of C columns, at most 96. c is a compile-time constant in each
/// copy.
macro_rules! for_columns {
    ($c:ident, $C:ident, $body:block) => {
        unroll!($c in [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45
            46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79 80 81 82 83 84 85 86 87 88 89
            90 91 92 93 94 95] {
            if ($c as usize) < $C {
                $body
            }
        });
    };
}
pub(crate) use for_columns;

/// The sums of a warp's pairs, in shared memory.
#[derive(Debug, Clone, Copy)]
pub struct LastRow {
    sums: Shared<u32>,
}

impl LastRow {
    /// Returns the sums at `address`, which take [`SUM_BYTES`] bytes of shared memory.
    #[inline(always)]
    pub fn at(address: u32) -> Self {
        Self { sums: Shared::at(address) }
    }

    /// Sets all sums to 0.
    #[inline(always)]
    pub fn clear(self) {
        for k in 0..SUM_BITS {
            self.sums.write(k * WARP + warp::lane_id(), 0);
        }
    }

    /// Adds the differences of C columns, each computed as [`Instructions::for_column`] says: h for
    /// the LCS, and P - M + 1 for the other distances, since the sums only add bits.
    #[inline(always)]
    #[allow(unused_assignments, reason = "where the loop is unrolled, the last carry goes nowhere")]
    pub fn add<const COST: u32, const C: usize>(self, h: &[Horizontal; C], logic: u32) {
        let lane = warp::lane_id();
        // Bits of the sum over these columns, one more than [`LEVELS`] for the ones of
        // the other distances.
        let planes: [u32; LEVELS + 1] = if COST == INDEL {
            let mut sum = BitSum::default();
            for_columns!(c, C, {
                sum.add(c, h[c as usize][0]);
            });
            let [a, b, c, d, e, f, g, h] = sum.finish(C as u32);
            [a, b, c, d, e, f, g, h, 0]
        } else {
            let (mut ones, mut twos) = (0, BitSum::default());
            for_columns!(c, C, {
                let (p, m) = plus_minus(Instructions::for_column(c, logic), h[c as usize]);
                let carry;
                (ones, carry) = add_bits(ones, p, !m);
                twos.add(c, carry);
            });
            let [a, b, c, d, e, f, g, h] = twos.finish(C as u32);
            [ones, a, b, c, d, e, f, g, h]
        };
        let mut carry = 0;
        unroll!(k in [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19] {
            let plane = if (k as usize) < planes.len() { planes[k as usize % planes.len()] } else { 0 };
            let (sum, over) = add_bits(self.sums.read(k * WARP + lane), plane, carry);
            self.sums.write(k * WARP + lane, sum);
            carry = over;
        });
    }

    /// Returns the sums of this lane's 32 pairs.
    #[inline(always)]
    pub fn totals(self) -> [u32; 32] {
        self.totals_of(warp::lane_id())
    }

    #[inline(always)]
    fn totals_of(self, lane: u32) -> [u32; 32] {
        let mut totals = [0; 32];
        unroll!(k in [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19] {
            totals[k as usize] = self.sums.read(k * WARP + lane);
        });
        transpose(&mut totals);
        totals
    }

    /// Adds up the sums of all lanes, which have the same 32 pairs, and returns the total of the
    /// pair with this lane's number. Changes the sums.
    ///
    /// # Safety
    /// All lanes of the warp call it together.
    #[inline(always)]
    pub unsafe fn total_of_lanes(self) -> u32 {
        let lane = warp::lane_id();
        for level in 0..5 {
            let distance = 1 << level;
            // SAFETY: the caller guarantees that all lanes are here.
            unsafe { warp::sync_warp(FULL_WARP) };
            if lane.is_multiple_of(2 * distance) {
                let mut carry = 0;
                for k in 0..SUM_BITS {
                    let (own, other) = (k * WARP + lane, k * WARP + lane + distance);
                    let (sum, over) = add_bits(self.sums.read(own), self.sums.read(other), carry);
                    self.sums.write(own, sum);
                    carry = over;
                }
            }
        }
        // SAFETY: as above.
        unsafe { warp::sync_warp(FULL_WARP) };
        let totals = self.totals_of(0);
        let mut total = 0;
        unroll!(b in [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31] {
            if lane == b {
                total = totals[b as usize];
            }
        });
        // SAFETY: as above. The sums may be cleared now.
        unsafe { warp::sync_warp(FULL_WARP) };
        total
    }
}

/// Returns the distance of two strings of `m` and `n` symbols. `total` is their sum of differences,
/// in a table filled up to `width` columns.
#[inline(always)]
pub fn distance<const COST: u32>(m: u32, n: u32, total: u32, width: u32) -> u32 {
    if COST == INDEL { m + n - 2 * total } else { m + total - width }
}
