//! Exact search by the automaton of Knuth, Morris and Pratt. Its state is the number of symbols of
//! the pattern that the text read so far ends with. After a mismatch it continues with the longest
//! border (a prefix of the pattern that is also a suffix of the matched part), so no symbol of the
//! text is read twice. D. E. Knuth, J. H. Morris, V. R. Pratt, Fast pattern matching in strings,
//! SIAM Journal on Computing 6(2), 1977.
//!
//! ```text
//! text      a b a b a c          5 symbols match, and the next symbol is c
//! pattern   a b a b a d
//! border        a b a b a d      3 of them still match
//! ```
//!
//! It is also the serial baseline of S. J. Wang, Parallel string matching algorithms and
//! implementation in CUDA, 2018, and follows his listings: one loop over the pattern for the
//! failure function, one over the text. His `failure_function[i]` is the length of the longest
//! border of the first i + 1 symbols, `borders[i + 1]` here. Errors of the paper:
//! `docs/papers/wang-2018.md`.

use super::row::{CpuAlgorithm, Takes, by};
use crate::algorithm::{About, Limits};
use crate::infix::End;

/// The algorithm's entry.
pub const ALGORITHM: CpuAlgorithm = CpuAlgorithm {
    about: About::new(
        "kmp",
        "an automaton that reads each symbol once",
        "Knuth, Morris, Pratt 1977",
        "at most 2 comparisons per symbol",
    )
    .limited(Limits { errors: Some(0), classes: false, ..Limits::NONE }),
    check: |_| Ok(()),
    takes: Takes::one(
        |_| None,
        |query, _| by(query, |text, query, _| query.literal().map(|pattern| ends(text, pattern)).unwrap_or_default()),
    ),
};

/// Returns the ends of a string in a text, in O(m + n) time and O(m) space.
fn ends(text: &[u8], pattern: &[u8]) -> Vec<End> {
    matching(text, pattern, &borders(pattern))
}

/// Returns the ends of a string in a text, from the string's [`borders`], in O(n) time.
pub fn matching(text: &[u8], pattern: &[u8], borders: &[usize]) -> Vec<End> {
    let mut matched = 0;
    let mut ends = Vec::new();
    for (end, symbol) in (1..).zip(text) {
        matched = next(pattern, borders, matched, *symbol);
        if matched == pattern.len() {
            ends.push(End { end, errors: 0 });
        }
    }
    ends
}

/// Returns, for every number of matched symbols, the length of their longest border, in O(m) time.
pub fn borders(pattern: &[u8]) -> Vec<usize> {
    let mut borders = vec![0; pattern.len() + 1];
    for i in 1..pattern.len() {
        borders[i + 1] = next(pattern, &borders, borders[i], pattern[i]);
    }
    borders
}

/// Returns the number of symbols of the pattern that match after one more symbol of the text.
fn next(pattern: &[u8], borders: &[usize], mut matched: usize, symbol: u8) -> usize {
    while pattern.get(matched) != Some(&symbol) {
        if matched == 0 {
            return 0;
        }
        matched = borders[matched];
    }
    matched + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The paper's listing line by line, corrected or as printed.
    fn failure_function(pattern: &[u8], printed: bool) -> Vec<usize> {
        let mut failure = vec![0; pattern.len()];
        let (mut k, mut j) = (1, 0);
        while k < pattern.len() {
            if pattern[k] == pattern[j] {
                j += 1;
                failure[k] = j;
                k += 1;
            } else if j == 0 {
                failure[k] = 0;
                k += 1;
            } else if printed {
                k = failure[k - 1];
            } else {
                j = failure[j - 1];
            }
        }
        failure
    }

    #[test]
    fn borders_are_the_papers_failure_function() {
        let mut random = fastrand::Rng::with_seed(3);
        for _ in 0..500 {
            let pattern: Vec<u8> = (0..random.usize(1..40)).map(|_| random.u8(..2)).collect();
            assert_eq!(borders(&pattern)[1..], failure_function(&pattern, false), "{pattern:?}");
        }
        // The printed listing sets k back instead of j.
        assert_eq!((failure_function(b"aab", false), failure_function(b"aab", true)), (vec![0, 1, 0], vec![0, 2, 3]));
    }
}
