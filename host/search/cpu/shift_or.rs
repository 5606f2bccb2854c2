//! Exact search by one bit per position of the pattern: R. Baeza-Yates, G. H. Gonnet, A new
//! approach to text searching, Communications of the ACM 35(10), 1992.

use super::row::{CpuAlgorithm, Takes, by};
use crate::algorithm::{About, Limits};
use crate::infix::End;
use crate::text::Pattern;

/// The algorithm's entry.
pub const ALGORITHM: CpuAlgorithm = CpuAlgorithm {
    about: About::new(
        "shift-or",
        "one bit per position of the pattern",
        "Baeza-Yates, Gonnet 1992",
        "4 ⌈m / 64⌉ instructions",
    )
    .limited(Limits { errors: Some(0), ..Limits::NONE }),
    check: |_| Ok(()),
    takes: Takes::one(|_| None, |query, _| by(query, |text, query, _| ends(text, &query.pattern))),
};

/// Returns the ends of occurrences without errors, in ⌈m / 64⌉ word steps per symbol.
///
/// Bit i of the state is 0 if the pattern's first i + 1 classes match the last i + 1 symbols. The
/// state is shifted up by one with every symbol, and bit i becomes 1 if the symbol is not in class
/// i. A 0 is shifted in at the bottom.
pub fn ends(text: &[u8], pattern: &Pattern) -> Vec<End> {
    let Some(last) = pattern.len().checked_sub(1) else { return Vec::new() };
    let matches = pattern.match_words();
    let mut state = vec![!0u64; matches.words()];
    let mut found = Vec::new();
    for (j, &symbol) in (1..).zip(text) {
        let mut carry = 0;
        for (word, yes) in state.iter_mut().zip(matches.mask(symbol)) {
            let moved = *word << 1 | carry;
            carry = *word >> 63;
            *word = moved | !yes;
        }
        if state[last / 64] >> (last % 64) & 1 == 0 {
            found.push(End { end: j, errors: 0 });
        }
    }
    found
}
