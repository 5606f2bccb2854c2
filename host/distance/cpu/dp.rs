//! The last column of an edit distance table by dynamic programming, a column at a time: R. A.
//! Wagner, M. J. Fischer, The string-to-string correction problem, Journal of the ACM 21(1), 1974.

use super::algorithm::{CpuAlgorithm, DistanceTable};
use crate::algorithm::About;
use crate::pairwise::columns::Direction;
use crate::pairwise::differences::{Differences, FirstColumn};
use crate::pairwise::rows::Computes;
use crate::text::Equality;
use crate::threads::CHECK;

/// The algorithm's entry.
pub const ALGORITHM: CpuAlgorithm = CpuAlgorithm {
    about: About::new("dp", "dynamic programming in one column, as a reference", "Wagner, Fischer 1974", "mn cells"),
    computes: Computes::Columns(of_table),
};

/// Computes the last column of the edit distance table of `rows` and `cols`, filled from the end
/// that `direction` gives.
#[cfg(test)]
pub fn last_column(rows: &[u8], cols: &[u8], direction: Direction) -> Differences {
    of_table(
        &DistanceTable { rows, cols, direction, first: FirstColumn::Rising, equality: &Equality::exact() },
        &|_| (),
    )
}

/// Computes the last column of a table in O(mn) time and O(m) space, and reports the cells done.
pub(in crate::distance) fn of_table(
    &DistanceTable { rows, cols, direction, first, equality }: &DistanceTable<'_>,
    progress: &(dyn Fn(u64) + Sync),
) -> Differences {
    match direction {
        Direction::Forward => fill(rows.iter(), cols.iter(), first, equality, progress),
        Direction::Backward => fill(rows.iter().rev(), cols.iter().rev(), first, equality, progress),
    }
}

fn fill<'a>(
    rows: impl ExactSizeIterator<Item = &'a u8> + Clone,
    cols: impl Iterator<Item = &'a u8>,
    first: FirstColumn,
    equality: &Equality,
    progress: &(dyn Fn(u64) + Sync),
) -> Differences {
    let mut distances: Vec<u64> = match first {
        FirstColumn::Rising => (0..=rows.len() as u64).collect(),
        FirstColumn::Zero => vec![0; rows.len() + 1],
    };
    let mut done = 0;
    // Overwritten in place: `left` and `upper_left` keep the values of the column before that are
    // still needed.
    for (j, col) in (1u64..).zip(cols) {
        let mut upper = j;
        let mut upper_left = j - 1;
        distances[0] = j;
        for (row, distance) in rows.clone().zip(distances.iter_mut().skip(1)) {
            let left = *distance;
            *distance = (upper_left + u64::from(!equality.equal(*row, *col))).min(upper.min(left) + 1);
            upper_left = left;
            upper = *distance;
        }
        done += rows.len();
        if done >= CHECK {
            progress(done as u64);
            done = 0;
        }
    }
    progress(done as u64);
    Differences::from_distances(&distances)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_table_by_hand() {
        // "", k, ki, kit, kitt to "sit".
        assert_eq!(last_column(b"kitt", b"sit", Direction::Forward).distances(), [3, 3, 2, 1, 2]);
        // "", t, tt, itt, kitt.
        assert_eq!(last_column(b"kitt", b"sit", Direction::Backward).distances(), [3, 2, 2, 2, 2]);
    }

    #[test]
    fn empty_strings() {
        for direction in [Direction::Forward, Direction::Backward] {
            assert_eq!(last_column(b"", b"A", direction).distances(), [1]);
            assert_eq!(last_column(b"A", b"", direction).distances(), [0, 1]);
        }
    }
}
