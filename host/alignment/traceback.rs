//! Reads the matches off a filled LCS table.

use super::run::Run;

/// Returns the matches of the LCS that the tie rule selects, as maximal runs in ascending order.
///
/// `up(i, j)` returns true if L\[i\]\[j\] = L\[i - 1\]\[j\], and `left(i, j)` if L\[i\]\[j\] =
/// L\[i\]\[j - 1\], for i, j ≥ 1.
///
/// The tie rule: from the end, drop symbols of the first string while the length stays the same,
/// then symbols of the second, then take the match. So among all LCSs, the last match is the one
/// that ends earliest in the first string and, for that position, earliest in the second; the same
/// holds for the matches before it.
pub(crate) fn runs(
    m: usize,
    n: usize,
    up: impl Fn(usize, usize) -> bool,
    left: impl Fn(usize, usize) -> bool,
) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let mut i = m;
    let mut j = n;
    while i > 0 && j > 0 {
        if up(i, j) {
            i -= 1;
        } else if left(i, j) {
            j -= 1;
        } else {
            (i, j) = (i - 1, j - 1);
            let a_start = i as u64;
            let b_start = j as u64;
            match runs.last_mut() {
                Some(run) if run.a_start == a_start + 1 && run.b_start == b_start + 1 => {
                    *run = Run { a_start, b_start, len: run.len + 1 };
                }
                _ => runs.push(Run { a_start, b_start, len: 1 }),
            }
        }
    }
    runs.reverse();
    runs
}
