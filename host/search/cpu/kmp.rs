//! Exact search by Knuth, Morris and Pratt's automaton: how many symbols of the pattern the text so far ends with. After a mismatch the
//! longest border (a beginning of the pattern that is also the end of what matched) goes on, so no symbol of the text is read twice.
//! D. E. Knuth, J. H. Morris, V. R. Pratt, Fast pattern matching in strings, SIAM Journal on Computing 6(2), 1977.
//!
//! ```text
//! text      a b a b a c          matched 5, and the next symbol is c
//! pattern   a b a b a d
//! border        a b a b a d      3 of them are still matched
//! ```

use super::CpuAlgorithm;
use crate::algorithm::{About, Limits};
use crate::align::infix::End;

/// The algorithm's entry.
pub const ALGORITHM: CpuAlgorithm = CpuAlgorithm {
    about: About::new(
        "kmp",
        "an automaton that reads no symbol twice",
        "Knuth, Morris, Pratt 1977",
        "at most 2 comparisons a symbol",
    )
    .limited(Limits { errors: Some(0), classes: false, ..Limits::NONE }),
    check: |_| Ok(()),
    cost: |_| None,
    ends: |text, query, _| query.literal().map(|pattern| ends(text, pattern)).unwrap_or_default(),
    count: None,
};

/// The ends of a string in a text: O(m + n) time, O(m) space.
fn ends(text: &[u8], pattern: &[u8]) -> Vec<End> {
    let borders = borders(pattern);
    let mut matched = 0;
    let mut ends = Vec::new();
    for (end, symbol) in (1..).zip(text) {
        matched = next(pattern, &borders, matched, *symbol);
        if matched == pattern.len() {
            ends.push(End { end, errors: 0 });
        }
    }
    ends
}

/// For every number of matched symbols the length of their longest border.
fn borders(pattern: &[u8]) -> Vec<usize> {
    let mut borders = vec![0; pattern.len() + 1];
    for i in 1..pattern.len() {
        borders[i + 1] = next(pattern, &borders, borders[i], pattern[i]);
    }
    borders
}

/// How many symbols of the pattern match after one more of the text.
fn next(pattern: &[u8], borders: &[usize], mut matched: usize, symbol: u8) -> usize {
    while pattern.get(matched) != Some(&symbol) {
        if matched == 0 {
            return 0;
        }
        matched = borders[matched];
    }
    matched + 1
}
