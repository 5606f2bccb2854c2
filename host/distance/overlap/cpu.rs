//! Tables of the scores of overlaps on the processor, along antidiagonals: a byte a difference, 64
//! cells at a time with AVX-512, on one thread.

use super::table::{Border, LastDifferences, OFFSET, Tables};
use crate::cpu::vector::by_widest_vectors;
use crate::error::Result;
use crate::job::Progress;
use crate::memory;
use crate::pairwise::antidiagonals::{Antidiagonal, for_each};
use crate::pairwise::columns::Direction;
use std::borrow::Cow;
use std::ops::Range;

/// Name of the algorithm in reports.
pub const NAME: &str = "antidiagonals";

/// Score of a match, and of a substitution, as the larger of three differences: plus 2 `OFFSET`.
const MATCH: u8 = 2 + 2 * OFFSET;
const SUBSTITUTION: u8 = 2 * OFFSET - 2;

/// Two strings on the processor.
pub struct CpuTables<'s, T, E> {
    pub a: &'s [T],
    pub b: &'s [T],
    /// Returns true if two symbols count as equal.
    pub equal: E,
    pub progress: Progress<'s>,
}

impl<T: Copy, E: Fn(T, T) -> bool> Tables for CpuTables<'_, T, E> {
    fn last_differences(
        &self,
        a: Range<usize>,
        b: Range<usize>,
        direction: Direction,
        border: Border,
    ) -> Result<LastDifferences> {
        let (a, b) = (&self.a[a], &self.b[b]);
        let (m, n) = (a.len(), b.len());
        // A copy of one string, and the differences.
        let bytes = m.max(n).saturating_mul(size_of::<T>()).saturating_add(m).saturating_add(n);
        memory::check::<u8>(bytes, "the table of an overlap")?;
        let reversed = |symbols: &[T]| Cow::Owned(symbols.iter().rev().copied().collect::<Vec<T>>());
        // Antidiagonals read the first string from its last symbol on.
        let (first, second) = match direction {
            Direction::Forward => (reversed(a), Cow::Borrowed(b)),
            Direction::Backward => (Cow::Borrowed(a), reversed(b)),
        };
        let mut column = vec![border.difference(); m];
        let mut row = vec![border.difference(); n];
        by_widest_vectors(
            #[inline(always)]
            || {
                for_each(m, n, self.progress, |Antidiagonal { reversed_rows: rows, columns }| {
                    let differences = column[rows.clone()].iter_mut().zip(&mut row[columns.clone()]);
                    let symbols = first[rows].iter().zip(&second[columns]);
                    for ((down, right), (&x, &y)) in differences.zip(symbols) {
                        let before = [*down, *right];
                        let diagonal = if (self.equal)(x, y) { MATCH } else { SUBSTITUTION };
                        let greatest = diagonal.max(before[0]).max(before[1]);
                        *down = greatest - before[1];
                        *right = greatest - before[0];
                    }
                });
            },
        );
        column.reverse();
        Ok(LastDifferences { column, row })
    }
}
