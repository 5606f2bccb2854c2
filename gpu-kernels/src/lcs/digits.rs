//! Splits the codes of symbols into digits, so that a few small match tables replace one table over
//! many symbols.
//!
//! The [`wavefront`](crate::lcs::wavefront) looks up the rows that match a column's symbol, in a
//! table with one row of match words per symbol. With 256 symbols, or a million, that table exceeds
//! shared memory. So a code is split into D digits of b bits, and the table has one row per value
//! of each digit. The rows that match a symbol are those that match all of its digits: the AND of D
//! match words.
//!
//! ```text
//! σ = 256, D = 2, b = 4     code 0x5c = digits 5 and c     M(0x5c) = M1(5) & M0(c)
//! 16 + 16 rows for 256 symbols
//! ```
//!
//! Digit 0 has the lowest bits. All digits except the last have 2^b values; the last has only as
//! many as the alphabet needs.

use simt_std::prelude::*;

/// The code of a symbol as stored in memory.
pub trait Code: Word {
    /// Returns the code as a number.
    fn number(self) -> u32;
}

impl Code for u8 {
    #[inline(always)]
    fn number(self) -> u32 {
        self.into()
    }
}

impl Code for u32 {
    #[inline(always)]
    fn number(self) -> u32 {
        self
    }
}

/// A split of codes into digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Digits {
    /// D, the number of digits of a code: 1 to [`MAX_DIGITS`].
    pub count: u32,
    /// b, the number of bits of a digit: 1 to 8.
    pub bits: u32,
}

/// Upper bound on the digits of a code.
pub const MAX_DIGITS: u32 = 6;

impl Digits {
    /// Returns the split into `count` digits that needs the fewest rows for an alphabet of
    /// `symbols` symbols (σ), or `None` if the codes do not fit into `count` digits of 8 bits.
    pub fn with_fewest_rows(symbols: u32, count: u32) -> Option<Self> {
        let all = (1..=8).map(|bits| Self { count, bits });
        all.filter(|digits| digits.last_values(symbols) <= 256).min_by_key(|digits| digits.rows(symbols))
    }

    /// Returns the number of values of the last digit, for codes below σ.
    #[inline(always)]
    pub const fn last_values(self, symbols: u32) -> u32 {
        let below = self.bits * (self.count - 1);
        if below >= u32::BITS { 1 } else { (symbols.saturating_sub(1) >> below) + 1 }
    }

    /// Returns the number of rows of match words for an alphabet of σ symbols: one per value of
    /// each digit.
    pub const fn rows(self, symbols: u32) -> u32 {
        ((self.count - 1) << self.bits) + self.last_values(symbols)
    }

    /// Returns a digit of a code.
    #[inline(always)]
    pub const fn digit(self, code: u32, digit: u32) -> u32 {
        let below = digit * self.bits;
        let code = if below >= u32::BITS { 0 } else { code >> below };
        if digit + 1 == self.count { code } else { code & ((1 << self.bits) - 1) }
    }

    /// Returns the greatest number of values of any digit.
    pub const fn max_values(self, symbols: u32) -> u32 {
        let (last, others) = (self.last_values(symbols), 1 << self.bits);
        if self.count == 1 || last > others { last } else { others }
    }
}

#[cfg(all(test, not(target_arch = "nvptx64")))]
mod tests {
    use super::*;

    #[test]
    fn rows_are_the_fewest() {
        let rows = |symbols, count| Digits::with_fewest_rows(symbols, count).map(|digits| digits.rows(symbols));
        assert_eq!([1, 4, 20, 256].map(|symbols| rows(symbols, 1)), [Some(1), Some(4), Some(20), Some(256)]);
        assert_eq!(rows(257, 1), None, "8 bits have 256 values");
        assert_eq!([20, 64, 100, 256].map(|symbols| rows(symbols, 2)), [Some(9), Some(16), Some(21), Some(32)]);
        assert_eq!(
            [(4096, 3), (65_536, 4), (1 << 20, 5), (1 << 24, 6)].map(|(s, d)| rows(s, d)),
            [48, 64, 80, 96].map(Some)
        );
    }

    /// Every code below σ has digits within the numbers of values, and no two codes have the same
    /// digits.
    #[test]
    fn digits_tell_all_codes_apart() {
        for symbols in [1, 2, 3, 16, 17, 255, 256, 257, 1000, 70_000] {
            for count in 1..=MAX_DIGITS {
                let Some(digits) = Digits::with_fewest_rows(symbols, count) else { continue };
                let of = |code| -> Vec<u32> { (0..count).map(|digit| digits.digit(code, digit)).collect() };
                let all: std::collections::HashSet<_> = (0..symbols).map(of).collect();
                assert_eq!(all.len(), symbols as usize, "{symbols} symbols, {digits:?}");
                for digits_of_code in &all {
                    let (last, others) = digits_of_code.split_last().unwrap();
                    assert!(*last < digits.last_values(symbols) && others.iter().all(|&d| d < 1 << digits.bits));
                }
                assert!(digits.max_values(symbols) <= 256, "a digit is a byte");
            }
        }
    }
}
