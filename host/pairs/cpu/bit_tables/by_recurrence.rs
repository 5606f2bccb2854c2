//! The recurrence of each cost, and the number of columns of its blocks.

use super::table::MAX_WORDS;
use crate::cpu::vector::{Isa, Vector};
use crate::pairs::cost::Cost;
use crate::pairs::cpu::recurrence::{Lcs, Levenshtein, Osa, Recurrence};

/// Number of columns of a block with two bits to a cell. 24 of AVX-512's 32 registers, or 10
/// of AVX2's 16, hold its horizontal differences; the others hold a cell's input and intermediate
/// values.
const LEVENSHTEIN_COLUMNS: usize = 12;
const LEVENSHTEIN_COLUMNS_AVX2: usize = 5;
/// Number of columns of a block with three bits to a cell.
const OSA_COLUMNS: usize = 8;
const OSA_COLUMNS_AVX2: usize = 3;
/// Number of columns of a block with one bit to a cell.
const LCS_COLUMNS: usize = 24;
const LCS_COLUMNS_AVX2: usize = 10;

/// A computation by any recurrence, in blocks of `C` columns.
pub(super) trait ByRecurrence {
    fn run<R: Recurrence, const C: usize>(self);
}

/// Runs a computation by a cost's recurrence.
pub(super) fn by_recurrence<I: Isa>(cost: Cost, computation: impl ByRecurrence) {
    let wide = I::Vector::WORDS == MAX_WORDS;
    match cost {
        Cost::Levenshtein if wide => computation.run::<Levenshtein, LEVENSHTEIN_COLUMNS>(),
        Cost::Levenshtein => computation.run::<Levenshtein, LEVENSHTEIN_COLUMNS_AVX2>(),
        Cost::Indel if wide => computation.run::<Lcs, LCS_COLUMNS>(),
        Cost::Indel => computation.run::<Lcs, LCS_COLUMNS_AVX2>(),
        Cost::Osa if wide => computation.run::<Osa, OSA_COLUMNS>(),
        Cost::Osa => computation.run::<Osa, OSA_COLUMNS_AVX2>(),
    }
}
