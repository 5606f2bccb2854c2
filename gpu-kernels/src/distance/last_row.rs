//! The distances of 32 pairs a lane, out of the differences along the last row of their tables, which come C columns at a time.
//!
//! D\[m\]\[n\] is m and the sum of the last row's differences, L\[m\]\[n\] the sum alone. The sums are kept bit-sliced
//! ([`bit_sum`](crate::distance::bit_sum)) in shared memory, a word a lane for each bit, while rows go by; at the end they become numbers.
//!
//! **Cost.** C columns take about 4 C logic instructions (the LCS 2 C) and 20 loads and stores; the numbers of 32 pairs about 400.

use crate::distance::bit_sum::{BitSum, LEVELS, add_bits, transpose};
use crate::distance::pair_cell::{Horizontal, Means, plus_minus};
use simt_std::prelude::*;

/// Bits of a sum.
const SUM_BITS: u32 = 20;

/// The most symbols of a string: with P - M + 1 for each column a sum is up to twice as many.
pub const LONGEST: u32 = (1 << (SUM_BITS - 1)) - 256;

/// Bytes of shared memory of a warp.
pub const SUM_BYTES: u32 = SUM_BITS * WARP * 4;

/// Repeats a block for each column c of C, at most 96, known when the kernel is compiled.
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

/// The sums of a warp's pairs.
#[derive(Debug, Clone, Copy)]
pub struct LastRow {
    sums: Shared<u32>,
}

impl LastRow {
    /// In [`SUM_BYTES`] bytes of shared memory from this address on.
    #[inline(always)]
    pub fn at(address: u32) -> Self {
        Self { sums: Shared::at(address) }
    }

    /// Begins with 0.
    #[inline(always)]
    pub fn clear(self) {
        for k in 0..SUM_BITS {
            self.sums.write(k * WARP + warp::lane_id(), 0);
        }
    }

    /// Adds the differences of C columns, each computed as [`Means::of_column`] says: h for the LCS, and P - M + 1 for Levenshtein's
    /// distance, since all bits count up.
    #[inline(always)]
    #[allow(unused_assignments, reason = "where the loop is unrolled, the last carry goes nowhere")]
    pub fn add<const INDEL: bool, const C: usize>(self, h: &[Horizontal; C], logic: u32) {
        let lane = warp::lane_id();
        // One bit of the sums more than there are levels.
        let planes: [u32; LEVELS + 1] = if INDEL {
            let mut sum = BitSum::default();
            for_columns!(c, C, {
                sum.add(c, h[c as usize][0]);
            });
            let [a, b, c, d, e, f, g, h] = sum.finish(C as u32);
            [a, b, c, d, e, f, g, h, 0]
        } else {
            let (mut ones, mut twos) = (0, BitSum::default());
            for_columns!(c, C, {
                let (p, m) = plus_minus(Means::of_column(c, logic), h[c as usize]);
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

    /// The sums of this lane's 32 pairs.
    #[inline(always)]
    pub fn totals(self) -> [u32; 32] {
        let mut totals = [0; 32];
        unroll!(k in [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19] {
            totals[k as usize] = self.sums.read(k * WARP + warp::lane_id());
        });
        transpose(&mut totals);
        totals
    }
}

/// The distance of strings of `m` and `n` symbols, whose sum is `total`, in a table filled up to `width` columns.
#[inline(always)]
pub fn distance<const INDEL: bool>(m: u32, n: u32, total: u32, width: u32) -> u32 {
    if INDEL { m + n - 2 * total } else { m + total - width }
}
