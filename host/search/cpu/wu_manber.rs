//! Approximate search by k + 1 bit-vectors: S. Wu, U. Manber, Fast text searching allowing errors,
//! Communications of the ACM 35(10), 1992.

use super::row::{CpuAlgorithm, Takes, by};
use crate::algorithm::About;
use crate::infix::End;
use crate::text::Pattern;

/// The algorithm's entry.
pub const ALGORITHM: CpuAlgorithm = CpuAlgorithm {
    about: About::new(
        "wu-manber",
        "one bit per position of the pattern, in one bit-vector per number of errors",
        "Wu, Manber 1992",
        "8 (k + 1) ⌈m / 64⌉ instructions",
    ),
    check: |query| {
        let states = (u64::from(query.k) + 1).saturating_mul(query.len().div_ceil(64) as u64);
        if states <= MAX_WORDS {
            return Ok(());
        }
        let reason =
            format!("needs {states} words of state for {} errors in {} symbols, too many", query.k, query.len());
        Err(ALGORITHM.about.unsupported(reason))
    },
    takes: Takes::one(|_| None, |query, _| by(query, |text, query, _| ends(text, &query.pattern, query.k))),
};

/// Largest state, in words: 128 MiB per thread.
const MAX_WORDS: u64 = 16 << 20;

/// Returns the ends of occurrences with at most k errors, in (k + 1) ⌈m / 64⌉ word steps per
/// symbol.
///
/// Bit i of R_d is 1 if the pattern's first i + 1 classes end here with at most d errors (the
/// paper's equation for R'_d): by a match from R_d, or from R_(d - 1) by an insertion (the old R),
/// a substitution (the old R, one position further) or a deletion (the new R, one position
/// further). A 1 is shifted in at the bottom: the empty prefix of the pattern always ends here.
pub fn ends(text: &[u8], pattern: &Pattern, k: u32) -> Vec<End> {
    let Some(last) = pattern.len().checked_sub(1) else { return Vec::new() };
    let matches = pattern.match_words();
    let words = matches.words();
    // Before the text, i symbols match with i errors: all of them are deleted.
    let ones = |d: usize| (0..words).map(move |w| low_bits(d.saturating_sub(64 * w)));
    let mut states: Vec<u64> = (0..=k as usize).flat_map(ones).collect();
    let mut found = Vec::new();
    // R_(d - 1) before and after the symbol.
    let (mut old, mut new) = (vec![0u64; words], vec![0u64; words]);
    for (j, &symbol) in (1..).zip(text) {
        let yes = matches.mask(symbol);
        let mut errors = None;
        for (d, state) in (0..).zip(states.chunks_mut(words)) {
            let (mut carry, mut wrong_carry) = (1, u64::from(d > 0));
            for w in 0..words {
                let moved = (state[w] << 1 | carry) & yes[w];
                carry = state[w] >> 63;
                let wrong = if d == 0 {
                    0
                } else {
                    // Substitutions and deletions move up together.
                    let either = old[w] | new[w];
                    let up = either << 1 | wrong_carry;
                    wrong_carry = either >> 63;
                    old[w] | up
                };
                old[w] = state[w];
                state[w] = moved | wrong;
                new[w] = state[w];
            }
            if errors.is_none() && state[last / 64] >> (last % 64) & 1 == 1 {
                errors = Some(d);
            }
        }
        if let Some(errors) = errors {
            found.push(End { end: j, errors });
        }
    }
    found
}

/// Returns a word with the lowest `count` bits set, at most 64.
fn low_bits(count: usize) -> u64 {
    if count >= 64 { !0 } else { !(!0 << count) }
}
