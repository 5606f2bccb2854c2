//! Symbols' codes as digits, by which match tables over many symbols become a few tables over few digits.
//!
//! The [`wavefront`](crate::lcs::wavefront) looks up which rows have a column's symbol: a row of match words for each
//! symbol. With 256 symbols, or a million, that is more than shared memory holds. So a code is taken as D digits of b
//! bits, and there is a row for each value of each digit. The rows that have a symbol are those that have all of its
//! digits: the AND of D match words.
//!
//! ```text
//! σ = 256, D = 2, b = 4     code 0x5c = digits 5 and c     M(0x5c) = M1(5) & M0(c)     16 + 16 rows for 256
//! ```
//!
//! Digit 0 has the lowest bits. All digits but the last have 2^b values; the last has as many as the alphabet needs.

use simt_std::prelude::*;

/// The code of a symbol as it lies in memory.
pub trait Code: Word {
    /// The code as a number.
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

/// How codes are cut into digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Digits {
    /// D, how many digits a code has: 1 to [`MOST`].
    pub count: u32,
    /// b, the bits of a digit: 1 to 8.
    pub bits: u32,
}

/// Digits of a code at most.
pub const MOST: u32 = 6;

impl Digits {
    /// So many digits a code, of as many bits as make the fewest rows for an alphabet of σ symbols; `None` if codes do not
    /// fit into so many digits of 8 bits.
    pub fn of(symbols: u32, count: u32) -> Option<Self> {
        let all = (1..=8).map(|bits| Self { count, bits });
        all.filter(|digits| digits.last_values(symbols) <= 256).min_by_key(|digits| digits.rows(symbols))
    }

    /// How many values the last digit has, of the codes below σ.
    #[inline(always)]
    pub const fn last_values(self, symbols: u32) -> u32 {
        let below = self.bits * (self.count - 1);
        if below >= u32::BITS { 1 } else { (symbols.saturating_sub(1) >> below) + 1 }
    }

    /// Rows of match words for an alphabet of σ symbols: one for each value of each digit.
    pub const fn rows(self, symbols: u32) -> u32 {
        ((self.count - 1) << self.bits) + self.last_values(symbols)
    }

    /// A digit of a code.
    #[inline(always)]
    pub const fn digit(self, code: u32, digit: u32) -> u32 {
        let below = digit * self.bits;
        let code = if below >= u32::BITS { 0 } else { code >> below };
        if digit + 1 == self.count { code } else { code & ((1 << self.bits) - 1) }
    }

    /// The greatest number of values that a digit has.
    pub const fn most_values(self, symbols: u32) -> u32 {
        let (last, others) = (self.last_values(symbols), 1 << self.bits);
        if self.count == 1 || last > others { last } else { others }
    }
}

#[cfg(all(test, not(target_arch = "nvptx64")))]
mod tests {
    use super::*;

    #[test]
    fn rows_are_the_fewest() {
        let rows = |symbols, count| Digits::of(symbols, count).map(|digits| digits.rows(symbols));
        assert_eq!([1, 4, 20, 256].map(|symbols| rows(symbols, 1)), [Some(1), Some(4), Some(20), Some(256)]);
        assert_eq!(rows(257, 1), None, "8 bits have 256 values");
        assert_eq!([20, 64, 100, 256].map(|symbols| rows(symbols, 2)), [Some(9), Some(16), Some(21), Some(32)]);
        assert_eq!(
            [(4096, 3), (65_536, 4), (1 << 20, 5), (1 << 24, 6)].map(|(s, d)| rows(s, d)),
            [48, 64, 80, 96].map(Some)
        );
    }

    /// Every code below σ has digits below the numbers of values, and no two codes have the same.
    #[test]
    fn digits_tell_all_codes_apart() {
        for symbols in [1, 2, 3, 16, 17, 255, 256, 257, 1000, 70_000] {
            for count in 1..=MOST {
                let Some(digits) = Digits::of(symbols, count) else { continue };
                let of = |code| -> Vec<u32> { (0..count).map(|digit| digits.digit(code, digit)).collect() };
                let all: std::collections::HashSet<_> = (0..symbols).map(of).collect();
                assert_eq!(all.len(), symbols as usize, "{symbols} symbols, {digits:?}");
                for digits_of_code in &all {
                    let (last, others) = digits_of_code.split_last().unwrap();
                    assert!(*last < digits.last_values(symbols) && others.iter().all(|&d| d < 1 << digits.bits));
                }
                assert!(digits.most_values(symbols) <= 256, "a digit is a byte");
            }
        }
    }
}
