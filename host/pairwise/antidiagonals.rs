//! Antidiagonals of a table: their cells do not depend on one another, so they are computed as
//! vectors. The first string is kept reversed, so that both strings are read in ascending order.
//!
//! ```text
//!   reversed A   row       column j: 0 1 2 3
//!   4            0                   . . . #     cells of one antidiagonal: positions 2..5 in
//!   3            1                   . . # .     reversed A, with the columns 1..4
//!   2            2                   . # . .
//!   ...
//! ```

use std::ops::Range;

/// Number of antidiagonals between two calls for progress.
const BETWEEN_CALLS: usize = 1 << 10;

/// The cells of one antidiagonal: the k-th is in the k-th row and the k-th column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Antidiagonal {
    /// Positions in the reversed first string.
    pub reversed_rows: Range<usize>,
    /// Positions in the second string.
    pub columns: Range<usize>,
}

/// Calls `compute` for all antidiagonals of a table of m × n cells in their order, and `progress`
/// with the number of cells that were computed since its last call.
#[inline(always)]
pub fn for_each(m: usize, n: usize, progress: impl Fn(u64), mut compute: impl FnMut(Antidiagonal)) {
    if m == 0 || n == 0 {
        return;
    }
    let mut cells = 0;
    for number in 0..m + n - 1 {
        // The cells of row i and column j with i + j = number; i is row m - 1 - i of the reversed
        // string.
        let columns = number.saturating_sub(m - 1)..n.min(number + 1);
        let up = m.saturating_sub(number + 1);
        let down = (number + 1).saturating_sub(m);
        let reversed_rows = columns.start + up - down..columns.end + up - down;
        cells += columns.len() as u64;
        compute(Antidiagonal { reversed_rows, columns });
        if number % BETWEEN_CALLS == BETWEEN_CALLS - 1 {
            progress(std::mem::take(&mut cells));
        }
    }
    progress(cells);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_once_after_those_before_it() {
        for (m, n) in [(0, 3), (3, 0), (1, 1), (1, 5), (5, 1), (4, 7), (7, 4), (40, 1100)] {
            let mut done = vec![vec![false; n]; m];
            let counted = std::cell::Cell::new(0);
            for_each(
                m,
                n,
                |cells| counted.set(counted.get() + cells),
                |antidiagonal| {
                    assert_eq!(antidiagonal.reversed_rows.len(), antidiagonal.columns.len());
                    for (row, j) in antidiagonal.reversed_rows.zip(antidiagonal.columns) {
                        let i = m - 1 - row;
                        assert!((i == 0 || done[i - 1][j]) && (j == 0 || done[i][j - 1]) && !done[i][j]);
                        done[i][j] = true;
                    }
                },
            );
            assert!(done.iter().flatten().all(|&done| done));
            assert_eq!(counted.get(), (m * n) as u64);
        }
    }
}
