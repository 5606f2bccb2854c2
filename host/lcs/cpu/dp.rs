//! The last column of an LCS table by dynamic programming, a column at a time: listing 1 of
//! Hirschberg (1975).

use super::algorithm::CpuAlgorithm;
use crate::algorithm::About;
use crate::pairwise::columns::{Direction, LcsColumn};
use crate::pairwise::rows::Computes;
use crate::threads::CHECK;

/// The algorithm's entry.
pub const ALGORITHM: CpuAlgorithm = CpuAlgorithm {
    about: About::new("dp", "dynamic programming in one column, as a reference", "Hirschberg 1975", "mn cells"),
    computes: Computes::Columns(watched),
};

/// Computes the last column of the LCS table of `rows` and `cols`, filled from the end that
/// `direction` gives, in O(mn) time and O(m) space.
pub fn last_column(rows: &[u8], cols: &[u8], direction: Direction) -> LcsColumn {
    watched(rows, cols, direction, &|_| ())
}

/// Computes [`last_column`], and reports the cells done.
pub fn watched(rows: &[u8], cols: &[u8], direction: Direction, progress: &(dyn Fn(u64) + Sync)) -> LcsColumn {
    match direction {
        Direction::Forward => fill(rows.iter(), cols.iter(), progress),
        Direction::Backward => fill(rows.iter().rev(), cols.iter().rev(), progress),
    }
}

fn fill<'a>(
    rows: impl ExactSizeIterator<Item = &'a u8> + Clone,
    cols: impl Iterator<Item = &'a u8>,
    progress: &(dyn Fn(u64) + Sync),
) -> LcsColumn {
    let mut done = 0;
    // Overwritten in place: `left` and `upper_left` keep the values of the column before that are
    // still needed.
    let mut lengths = vec![0u32; rows.len() + 1];
    for col in cols {
        let mut upper = 0;
        let mut upper_left = 0;
        for (row, length) in rows.clone().zip(lengths.iter_mut().skip(1)) {
            let left = *length;
            *length = if row == col { upper_left + 1 } else { upper.max(left) };
            upper_left = left;
            upper = *length;
        }
        done += rows.len();
        if done >= CHECK {
            progress(done as u64);
            done = 0;
        }
    }
    progress(done as u64);
    LcsColumn::from_lengths(&lengths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hirschberg_s_small_case_by_hand() {
        // LCS of the prefixes of ABC with BCA: "", A, AB, ABC -> 0, 1, 1, 2.
        assert_eq!(last_column(b"ABC", b"BCA", Direction::Forward).lengths(), [0, 1, 1, 2]);
        // LCS of the suffixes "", C, BC, ABC with BCA.
        assert_eq!(last_column(b"ABC", b"BCA", Direction::Backward).lengths(), [0, 1, 2, 2]);
    }

    #[test]
    fn empty_strings() {
        for direction in [Direction::Forward, Direction::Backward] {
            assert_eq!(last_column(b"", b"A", direction).lengths(), [0]);
            assert_eq!(last_column(b"A", b"", direction).lengths(), [0, 0]);
        }
    }
}
