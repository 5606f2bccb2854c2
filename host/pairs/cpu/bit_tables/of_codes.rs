//! Columns of codes of two bytes: a bit operation for each symbol of the texts.

use super::columns::{Columns, Numbers, Symbol};
use crate::cpu::vector::{Isa, Vector};
use std::ops::Range;

impl Symbol for u16 {
    type Columns<'s, I: Isa> = OfCodes<'s, I>;
}

/// The columns of strings of codes.
pub(in crate::pairs::cpu) struct OfCodes<'s, I> {
    isa: I,
    texts: Vec<&'s [u16]>,
}

impl<'s, I: Isa> Columns<'s, u16, I> for OfCodes<'s, I> {
    fn new(isa: I, _: &[&[u16]], texts: &[&'s [u16]]) -> Self {
        Self { isa, texts: texts.to_vec() }
    }

    #[inline(always)]
    fn compare<const C: usize>(&mut self, block: Range<usize>, numbers: &Numbers<u16>, table: &mut [[I::Vector; C]]) {
        // Symbols that no pattern has change entry 0, which no pattern reads.
        let ones = I::Vector::splat(self.isa, !0);
        for text in &self.texts {
            let before = text.get(block.start.saturating_sub(C)..).unwrap_or_default();
            for (c, &symbol) in before.iter().take(block.start.min(C)).enumerate() {
                table[numbers.of(symbol)][c] = ones;
            }
        }
        for (lane, text) in self.texts.iter().enumerate() {
            let (word, bit) = (lane / 64, 1 << (lane % 64));
            for (c, &symbol) in text.get(block.start..).unwrap_or_default().iter().take(C).enumerate() {
                table[numbers.of(symbol)][c].words_mut()[word] &= !bit;
            }
        }
    }
}
