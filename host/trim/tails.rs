//! Poly-A tails, poly-T heads, and N at the ends.

use std::ops::Range;

/// Shortest tail that is removed.
const SHORTEST: usize = 3;

/// Returns the length of the run of `base` at the end where the iterator starts: the prefix with
/// the highest score (+1 for the base, −2 for another) of those with at most one other base in
/// five; 0 for a run shorter than 3. O(n).
fn run<'s>(symbols: impl Iterator<Item = &'s u8>, base: u8) -> usize {
    let mut score = 0_i64;
    let mut best_score = 0;
    let mut others = 0_usize;
    let mut len = 0;
    for (at, symbol) in symbols.enumerate() {
        if *symbol == base {
            score += 1;
        } else {
            score -= 2;
            others += 1;
        }
        if score > best_score && others * 5 <= at + 1 {
            best_score = score;
            len = at + 1;
        }
    }
    if len < SHORTEST { 0 } else { len }
}

/// Returns the part without a poly-A tail.
pub(super) fn without_poly_a(symbols: &[u8]) -> Range<usize> {
    0..symbols.len() - run(symbols.iter().rev(), b'A')
}

/// Returns the part without a poly-T head.
pub(super) fn without_poly_t(symbols: &[u8]) -> Range<usize> {
    run(symbols.iter(), b'T')..symbols.len()
}

/// Returns the part without N at the ends.
pub(super) fn without_n(symbols: &[u8]) -> Range<usize> {
    let start = symbols.iter().take_while(|symbol| **symbol == b'N').count();
    let end = symbols[start..].iter().rev().take_while(|symbol| **symbol == b'N').count();
    start..symbols.len() - end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tails_with_few_other_bases() {
        assert_eq!(without_poly_a(b"GATTACAGAAAAA"), 0..8);
        assert_eq!(without_poly_a(b"GATTACAGAAAATAAA"), 0..8);
        assert_eq!(without_poly_a(b"GATTACAGAA"), 0..10);
        assert_eq!(without_poly_t(b"TTTTTGATTACA"), 5..12);
        assert_eq!(without_n(b"NNGNANN"), 2..5);
        assert_eq!(without_n(b"NNN"), 3..3);
        assert_eq!(without_n(b""), 0..0);
    }
}
