//! Columns of bytes: a few operations on bit planes for each symbol and column.

use super::columns::{Columns, Numbers, Symbol};
use crate::cpu::vector::{Isa, Vector};
use crate::pairs::cpu::symbols::{Planes, bits};
use std::ops::Range;

impl Symbol for u8 {
    type Columns<'s, I: Isa> = OfBytes<'s, I>;
}

/// The columns of byte strings.
pub(in crate::pairs::cpu) struct OfBytes<'s, I: Isa> {
    isa: I,
    /// Bits of the symbols, one per plane.
    bits: Vec<u32>,
    planes: Planes<'s, I>,
}

impl<'s, I: Isa> Columns<'s, u8, I> for OfBytes<'s, I> {
    fn new(isa: I, patterns: &[&[u8]], texts: &[&'s [u8]]) -> Self {
        let strings: Vec<&[u8]> = patterns.iter().chain(texts).copied().collect();
        let bits = bits(isa, &strings);
        Self { isa, planes: Planes::new(isa, texts.to_vec(), &bits), bits }
    }

    #[inline(always)]
    fn compare<const C: usize>(&mut self, block: Range<usize>, numbers: &Numbers<u8>, table: &mut [[I::Vector; C]]) {
        let count = self.bits.len();
        let (low, high) = self.bits.split_at(count.min(4));
        let columns = &self.planes.up_to(block.end)[block.start * count..block.end * count];
        for (c, planes) in columns.chunks_exact(count).enumerate() {
            let (low_planes, high_planes) = planes.split_at(low.len());
            let without_low = without(self.isa, low_planes);
            let without_high = without(self.isa, high_planes);
            for (entry, &symbol) in table.iter_mut().skip(1).zip(numbers.symbols()) {
                entry[c] = without_low[number(symbol, low)].or(without_high[number(symbol, high)]);
            }
        }
    }
}

/// Returns, for each number with a bit per plane (at most 4), the lanes whose planes have another
/// number.
#[inline(always)]
fn without<I: Isa>(isa: I, planes: &[I::Vector]) -> [I::Vector; 16] {
    let ones = I::Vector::splat(isa, !0);
    let mut all = [I::Vector::splat(isa, 0); 16];
    for (q, &plane) in planes.iter().enumerate() {
        for number in 0..1 << q {
            all[number + (1 << q)] = all[number].or(plane.xor(ones));
            all[number] = all[number].or(plane);
        }
    }
    all
}

/// Packs some bits of a symbol, at most 4.
#[inline(always)]
fn number(symbol: u8, bits: &[u32]) -> usize {
    bits.iter().enumerate().fold(0, |number, (q, bit)| number | usize::from(symbol >> bit & 1) << q) % 16
}
