//! Sums of bits, 32 at a time. The numbers are *bit-sliced*: word k holds bit k of each of 32
//! numbers.
//!
//! Adding a word of 32 single bits to 32 numbers takes about one full adder, two logic
//! instructions, if carries are held back until there are two of the same weight (a tree of
//! carry-save adders, as in the Harley-Seal population count).
//!
//! ```text
//! words      w0  w1   w2  w3   w4  w5   w6  w7     each ┴ adds two carries, or words, to the
//! weight 1     ┴        ┴        ┴        ┴        sum of that weight, and hands one carry of
//! weight 2          ┴                 ┴            twice the weight down
//! weight 4                   ┴
//! ```

use simt_std::prelude::*;

/// Words of a sum, which counts up to 2^8 - 1 bits per number.
pub const LEVELS: usize = 8;

/// A full adder: returns the sum of three bits, and the carry.
#[inline(always)]
pub fn add_bits(a: u32, b: u32, c: u32) -> (u32, u32) {
    (a ^ b ^ c, (a & b) | (c & (a | b)))
}

/// 32 sums of bits, in progress.
#[derive(Debug, Clone, Copy, Default)]
pub struct BitSum {
    /// The sums, without the words that are held back.
    sums: [u32; LEVELS],
    /// For each weight, a carry or word that waits for a second one.
    waiting: [u32; LEVELS],
}

impl BitSum {
    /// Adds a word. `i` is the number of words added before; the kernels pass a compile-time
    /// constant.
    #[inline(always)]
    #[allow(unused_assignments, reason = "where the loop is unrolled, the last carry goes nowhere")]
    pub fn add(&mut self, i: u32, word: u32) {
        let mut carry = word;
        unroll!(level in [0 1 2 3 4 5 6 7] {
            let below = (1 << level) - 1;
            if i & below == below {
                if i >> level & 1 == 0 {
                    self.waiting[level as usize] = carry;
                } else {
                    let at = level as usize;
                    let (sum, over) = add_bits(self.sums[at], self.waiting[at], carry);
                    self.sums[at] = sum;
                    carry = over;
                }
            }
        });
    }

    /// Returns the sums. `words` is the number of words that were added, less than 2^8.
    #[inline(always)]
    #[allow(unused_assignments, reason = "where the loop is unrolled, the last carry goes nowhere")]
    pub fn finish(self, words: u32) -> [u32; LEVELS] {
        let (mut sums, mut carry) = (self.sums, 0);
        unroll!(level in [0 1 2 3 4 5 6 7] {
            let at = level as usize;
            let waiting = if words >> level & 1 == 0 { 0 } else { self.waiting[at] };
            let (sum, over) = add_bits(sums[at], waiting, carry);
            sums[at] = sum;
            carry = over;
        });
        sums
    }
}

/// Turns bit-sliced numbers into plain ones: word k becomes the number of bit k. This is the
/// transposition of a square of 32 × 32 bits, by halves, quarters and so on (Warren, *Hacker's
/// Delight*, 7-3).
#[inline(always)]
pub fn transpose(words: &mut [u32; 32]) {
    macro_rules! blocks {
        ($size:literal, $mask:literal) => {
            unroll!(k in [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31] {
                if k & $size == 0 {
                    let (low, high) = (k as usize, (k + $size) as usize % 32);
                    let swap = (words[low] >> $size ^ words[high]) & $mask;
                    words[high] ^= swap;
                    words[low] ^= swap << $size;
                }
            });
        };
    }
    blocks!(16, 0x0000_ffff);
    blocks!(8, 0x00ff_00ff);
    blocks!(4, 0x0f0f_0f0f);
    blocks!(2, 0x3333_3333);
    blocks!(1, 0x5555_5555);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_count_the_bits() {
        let mut random = 1u32;
        for words in 0..200 {
            let (mut sum, mut expected) = (BitSum::default(), [0u32; 32]);
            for i in 0..words {
                random = random.wrapping_mul(0x9e37_79b9) ^ random >> 13 ^ i;
                sum.add(i, random);
                for (b, number) in expected.iter_mut().enumerate() {
                    *number += random >> b & 1;
                }
            }
            let mut sliced = [0; 32];
            sliced[..LEVELS].copy_from_slice(&sum.finish(words));
            transpose(&mut sliced);
            assert_eq!(sliced, expected, "{words} words");
        }
    }

    #[test]
    fn a_transposition_swaps_rows_and_bits() {
        let rows: [u32; 32] = std::array::from_fn(|k| (k as u32 + 1).wrapping_mul(0x85eb_ca6b));
        let mut words = rows;
        transpose(&mut words);
        for (k, row) in rows.iter().enumerate() {
            for (b, word) in words.iter().enumerate() {
                assert_eq!(row >> b & 1, word >> k & 1);
            }
        }
    }
}
