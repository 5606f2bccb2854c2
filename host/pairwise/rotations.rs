//! Scores of one string with all rotations of another one, by one table.
//!
//! A rotation of B is a window of BB, B twice. Strands (seaweeds) cross the table of A and BB from
//! the left and upper border to the right and lower border. In each cell two strands meet: they
//! bounce off if the symbols match or if they have crossed before, else they cross. The LCS length
//! of A and a window of BB is the window's length less the number of strands that start above the
//! window and end below it (Tiskin 2008, Krusche and Tiskin 2009).
//!
//! ```text
//!       BB:  r       r + n         LCS(r) = n - strands from above r.. to below ..r + n
//!       +----v-------v-----+
//!     A |     \__          |       Strand numbers: the left border from the lowest row up,
//!       |        \_        |       then the upper border from left to right.
//!       +----------v-------+
//! ```
//!
//! The edit distance is an LCS, too: with a wildcard before each symbol, which only matches another
//! wildcard, a match counts 2, a substitution 1 and a gap 0, so D = m + n - LCS. The wildcards are
//! not stored: a cell of A and B is a block of four cells.
//!
//! Takes 2 mn cells for the LCS and 8 mn cells for the distance, as vectors on one thread; 4 bytes
//! for each symbol of A and 8 for each symbol of B, twice as many for the distance.

use super::antidiagonals::{Antidiagonal, for_each};
use crate::cpu::vector::by_widest_vectors;
use crate::error::{Result, UsageFault};
use crate::memory;

/// A number for each rotation of B: the k-th for the rotation that begins at position k.
pub type Scores = Vec<u64>;

/// Strands that enter a row or leave it, or that enter a column or leave it.
type Strands = Vec<i32>;

/// Computes the LCS lengths of `a` and each rotation of `b`. `progress` gets the number of cells of
/// the table of A and BB.
///
/// # Errors
/// [`Error::Memory`](crate::Error::Memory); [`Error::Usage`](crate::Error::Usage) with
/// [`UsageFault::TooLarge`] for 2^29 symbols of `a` or more, or 2^28 of `b`.
pub fn lcs_lengths<T: Copy>(a: &[T], b: &[T], equal: impl Fn(T, T) -> bool, progress: impl Fn(u64)) -> Result<Scores> {
    let Strings { reversed_a, bb } = Strings::new(a, b)?;
    let m = a.len();
    let mut rows = numbers(0..m)?;
    let mut columns = numbers(m..m + bb.len())?;
    by_widest_vectors(
        #[inline(always)]
        || {
            for_each(m, bb.len(), progress, |antidiagonal| {
                let Antidiagonal { reversed_rows, columns: range } = antidiagonal;
                let strands = rows[reversed_rows.clone()].iter_mut().zip(&mut columns[range.clone()]);
                let symbols = reversed_a[reversed_rows].iter().zip(&bb[range]);
                for ((row, column), (&x, &y)) in strands.zip(symbols) {
                    meet(row, column, equal(x, y));
                }
            });
        },
    );
    Ok(windows(&columns, m, b.len()).map(|strands| b.len() as u64 - strands).collect())
}

/// Computes the edit distances of `a` and each rotation of `b`. `progress` gets the number of cells
/// of the table of A and BB.
///
/// # Errors
/// As [`lcs_lengths`].
pub fn distances<T: Copy>(a: &[T], b: &[T], equal: impl Fn(T, T) -> bool, progress: impl Fn(u64)) -> Result<Scores> {
    let Strings { reversed_a, bb } = Strings::new(a, b)?;
    let m = a.len();
    // The strands of wildcards and of symbols; a wildcard's row is above its symbol's.
    let [mut symbol_rows, mut wildcard_rows] = alternating(0, m)?;
    let [mut wildcard_columns, mut symbol_columns] = alternating(2 * m, bb.len())?;
    by_widest_vectors(
        #[inline(always)]
        || {
            for_each(m, bb.len(), progress, |antidiagonal| {
                let Antidiagonal { reversed_rows, columns } = antidiagonal;
                let rows = wildcard_rows[reversed_rows.clone()].iter_mut().zip(&mut symbol_rows[reversed_rows.clone()]);
                let strands =
                    rows.zip(wildcard_columns[columns.clone()].iter_mut().zip(&mut symbol_columns[columns.clone()]));
                let symbols = reversed_a[reversed_rows].iter().zip(&bb[columns]);
                for (((upper, lower), (left, right)), (&x, &y)) in strands.zip(symbols) {
                    meet(upper, left, true);
                    meet(upper, right, false);
                    meet(lower, left, false);
                    meet(lower, right, equal(x, y));
                }
            });
        },
    );
    let ends: Strands =
        wildcard_columns.into_iter().zip(symbol_columns).flat_map(|(left, right)| [left, right]).collect();
    let lcs = |strands: u64| 2 * b.len() as u64 - strands;
    let lengths = windows(&ends, 2 * m, 2 * b.len()).step_by(2).map(lcs);
    Ok(lengths.map(|length| (m + b.len()) as u64 - length).collect())
}

/// Lets the strands of a row and a column cross in a cell, or bounce off.
#[inline(always)]
fn meet(row: &mut i32, column: &mut i32, is_match: bool) {
    let from_left = *row;
    let from_above = *column;
    // Without branches, so that the compiler makes vectors.
    let bounce = -i32::from(is_match) | -i32::from(from_left > from_above);
    let exchanged = (from_left ^ from_above) & bounce;
    *row = from_left ^ exchanged;
    *column = from_above ^ exchanged;
}

/// The strings of a table.
struct Strings<T> {
    reversed_a: Vec<T>,
    bb: Vec<T>,
}

impl<T: Copy> Strings<T> {
    fn new(a: &[T], b: &[T]) -> Result<Self> {
        const MOST: usize = 1 << 29;
        if a.len() >= MOST || b.len() >= MOST / 2 {
            let what = format!("rotations of strings of {} and {} symbols: too many", a.len(), b.len());
            return Err(UsageFault::TooLarge.error(what));
        }
        memory::check::<T>(a.len() + 2 * b.len(), "the strings of a table of rotations")?;
        Ok(Self { reversed_a: a.iter().rev().copied().collect(), bb: [b, b].concat() })
    }
}

fn numbers(range: std::ops::Range<usize>) -> Result<Strands> {
    memory::check::<i32>(range.len(), "the strands of a table of rotations")?;
    Ok(range.map(|number| number as i32).collect())
}

/// Returns the even and the odd of 2 `len` consecutive numbers.
fn alternating(first: usize, len: usize) -> Result<[Strands; 2]> {
    memory::check::<i32>(2 * len, "the strands of a table of rotations")?;
    Ok([0, 1].map(|odd| (0..len).map(|k| (first + 2 * k + odd) as i32).collect()))
}

/// Returns, for each of the n first windows of n columns, the number of strands that start above
/// the window and end below it. `ends` are the numbers of the strands that end below each of the 2n
/// columns; those that start above column 0 have the number `first`.
fn windows(ends: &[i32], first: usize, n: usize) -> impl Iterator<Item = u64> {
    let mut end_of = vec![usize::MAX; ends.len()];
    for (end, &strand) in ends.iter().enumerate() {
        if let Some(column) = (strand as usize).checked_sub(first) {
            end_of[column] = end;
        }
    }
    let starts: Vec<Option<usize>> = ends.iter().map(|&strand| (strand as usize).checked_sub(first)).collect();
    let mut strands = starts[..n].iter().flatten().count() as u64;
    (0..n).map(move |start| {
        let here = strands;
        strands -= u64::from(end_of[start] < start + n);
        strands += u64::from(starts[start + n].is_some_and(|column| column > start));
        here
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::naive;
    use crate::pairwise::recurrence;

    fn check(a: &[u32], b: &[u32]) {
        let lengths = lcs_lengths(a, b, |x, y| x == y, |_| ()).unwrap();
        let found = distances(a, b, |x, y| x == y, |_| ()).unwrap();
        assert_eq!([lengths.len(), found.len()], [b.len(); 2]);
        for start in 0..b.len() {
            let rotation = [&b[start..], &b[..start]].concat();
            let length = *recurrence::lcs_lengths(a.iter(), rotation.iter()).last().unwrap_or(&0);
            assert_eq!(lengths[start], u64::from(length), "{a:?} {b:?} from {start}");
            assert_eq!(found[start], naive::distance(a, &rotation), "{a:?} {b:?} from {start}");
        }
    }

    #[test]
    fn all_rotations() {
        let mut random = fastrand::Rng::with_seed(1);
        for round in 0..300 {
            let [m, n] = [random.usize(0..20), random.usize(0..20)];
            let kinds = 2 + round % 4;
            let a: Vec<u32> = (0..m).map(|_| random.u32(..kinds)).collect();
            let b: Vec<u32> = (0..n).map(|_| random.u32(..kinds)).collect();
            check(&a, &b);
        }
        let a: Vec<u32> = (0..90).map(|_| random.u32(..4)).collect();
        let mut b = [&a[70..], &a[..70]].concat();
        b.drain(30..34);
        check(&a, &b);
        check(&b, &a);
    }

    #[test]
    fn too_many_symbols() {
        let many = vec![(); 1 << 29];
        assert!(lcs_lengths(&many, &[()], |_, _| true, |_| ()).is_err());
        assert!(distances(&[()], &many, |_, _| true, |_| ()).is_err());
    }
}
