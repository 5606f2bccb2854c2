//! The LCS of two short strings from the whole table of lengths (Wagner and Fischer 1974).

use crate::alignment::Run;
use crate::alignment::traceback;

/// Finds an LCS of `a` and `b` as maximal runs of matches in ascending order, with positions
/// relative to the slices, in O(mn) time and space.
///
/// Among several LCSs it picks the one whose last match is earliest in `a`, then earliest in `b`,
/// and so on from the end to the start; [`bit_table::lcs`](super::bit_table::lcs) picks the same.
pub fn lcs(a: &[u8], b: &[u8]) -> Vec<Run> {
    let width = b.len() + 1;
    let mut table = vec![0u32; (a.len() + 1) * width];
    for (i, x) in a.iter().enumerate() {
        let (above, row) = table[i * width..][..2 * width].split_at_mut(width);
        let mut left = 0;
        for ((y, above), own) in b.iter().zip(above.windows(2)).zip(&mut row[1..]) {
            left = if x == y { above[0] + 1 } else { above[1].max(left) };
            *own = left;
        }
    }
    let length = |i: usize, j: usize| table[i * width + j];
    traceback::runs(a.len(), b.len(), |i, j| length(i, j) == length(i - 1, j), |i, j| length(i, j) == length(i, j - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_go_to_the_earliest_in_a_then_in_b() {
        // "a" against "aa": the first a of b. "ab" against "ba": the last match earliest in a is
        // a-a.
        assert_eq!(lcs(b"a", b"aa"), [Run { a_start: 0, b_start: 0, len: 1 }]);
        assert_eq!(lcs(b"aa", b"a"), [Run { a_start: 0, b_start: 0, len: 1 }]);
        assert_eq!(lcs(b"ab", b"ba"), [Run { a_start: 0, b_start: 1, len: 1 }]);
    }

    #[test]
    fn runs_are_maximal() {
        assert_eq!(
            lcs(b"xxabcd", b"abyycd"),
            [Run { a_start: 2, b_start: 0, len: 2 }, Run { a_start: 4, b_start: 4, len: 2 }]
        );
    }

    #[test]
    fn empty_strings_have_no_runs() {
        assert_eq!((lcs(b"", b""), lcs(b"", b"a"), lcs(b"a", b"")), (vec![], vec![], vec![]));
    }
}
