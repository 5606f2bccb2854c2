//! Single words, for processors without vectors and for tests.

use super::isa::{Isa, Survey, Vector, padded};
use crate::cpu::planes::plane;

/// Instructions on single words only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Plain;

impl Isa for Plain {
    type Vector = Word;

    fn detect() -> Option<Self> {
        Some(Self)
    }

    #[inline(always)]
    fn run<R>(self, work: impl FnOnce() -> R) -> R {
        work()
    }
}

/// One word.
#[derive(Clone, Copy)]
pub(crate) struct Word(pub(in crate::cpu) u64);

impl Vector for Word {
    type Isa = Plain;
    const WORDS: usize = 1;

    #[inline(always)]
    fn splat(_: Plain, word: u64) -> Self {
        Self(word)
    }

    #[inline(always)]
    fn load(_: Plain, words: &[u64]) -> Self {
        Self(words[0])
    }

    #[inline(always)]
    fn store(self, words: &mut [u64]) {
        words[0] = self.0;
    }

    #[inline(always)]
    fn words_mut(&mut self) -> &mut [u64] {
        std::slice::from_mut(&mut self.0)
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }

    #[inline(always)]
    fn and_not(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    fn shift_right(self, shift: u32) -> Self {
        Self(self.0 >> shift)
    }

    fn shift_left(self, shift: u32) -> Self {
        Self(self.0 << shift)
    }

    #[inline(always)]
    fn planes<const P: usize>(_: Plain, symbols: &[u8], bits: [u32; P]) -> [u64; P] {
        let symbols = padded(symbols, 0);
        bits.map(|bit| plane(&symbols, bit as usize))
    }

    #[inline(always)]
    fn survey(_: Plain, strings: &[&[u8]], known: [u8; 4]) -> Survey {
        let symbols = || strings.iter().copied().flatten();
        Survey {
            varying: symbols().fold(0, |varying, symbol| varying | (symbol ^ known[0])),
            others: symbols().any(|symbol| !known.contains(symbol)),
        }
    }

    #[inline(always)]
    fn funnel(self, high: Self, shift: u32) -> Self {
        Self(self.0 >> shift | high.0 << 1 << (63 - shift))
    }

    #[inline(always)]
    fn shift_down(self, above: u64) -> Self {
        Self(self.0 >> 1 | above << 63)
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }

    #[inline(always)]
    fn doubled(self) -> Self {
        Self(self.0 << 1)
    }

    #[inline(always)]
    fn top_bits(self) -> Self {
        Self(self.0 >> 63)
    }

    #[inline(always)]
    fn words_down(self, above: Self) -> Self {
        above
    }

    #[inline(always)]
    fn first(self) -> u64 {
        self.0
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        self.0 == 0
    }
}
