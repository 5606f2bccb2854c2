//! Exact search for plain bytes, by the crate memchr: a SIMD search for two rare bytes, then Two-Way.

use super::query::Query;
use super::row::{CpuAlgorithm, FindOne, Takes};
use crate::algorithm::{About, Limits};
use crate::infix::End;
use crate::text::period;
use memchr::memmem::Finder;

/// The algorithm's entry.
pub const ALGORITHM: CpuAlgorithm = CpuAlgorithm {
    about: About::new(
        "literal",
        "a SIMD search for two rare bytes, then Two-Way",
        "the crate memchr",
        "less than 1 instruction",
    )
    .limited(Limits { errors: Some(0), classes: false, ..Limits::NONE }),
    check: |_| Ok(()),
    takes: Takes::one(cost, |query, _| Box::new(Prepared::new(query.literal().unwrap_or_default()))),
};

/// About how many instructions a symbol takes.
fn cost(query: &Query) -> Option<f64> {
    let rare = query.pattern.distinct().classes.len() >= FEW_SYMBOLS;
    Some(if rare { 1.0 } else { 16.0 })
}

/// Different symbols of a pattern from which on a rare byte to look for is rare.
const FEW_SYMBOLS: usize = 5;

/// What is made of a string once.
#[derive(Debug)]
struct Prepared {
    finder: Finder<'static>,
    period: usize,
}

impl Prepared {
    fn new(symbols: &[u8]) -> Self {
        Self { finder: Finder::new(symbols).into_owned(), period: period(symbols) }
    }
}

impl FindOne for Prepared {
    fn ends(&self, text: &[u8], _: &dyn Fn(u64)) -> Vec<End> {
        ends(text, self)
    }
}

/// The ends of occurrences without errors, also of those that overlap: O(m + n).
fn ends(text: &[u8], Prepared { finder, period }: &Prepared) -> Vec<End> {
    let symbols = finder.needle();
    if symbols.is_empty() {
        return Vec::new();
    }
    // What the text must have after an occurrence for another one a period later. The finder would read all of it anew:
    // for as many `a`s in a text of `a`s, mn symbols.
    let again = &symbols[symbols.len() - period..];
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = text.get(from..).and_then(|rest| finder.find(rest)) {
        let mut start = from + at;
        loop {
            let end = start + symbols.len();
            found.push(End { end: end as u64, errors: 0 });
            // No occurrence begins less than a period after another one.
            start += period;
            if !text[end..].starts_with(again) {
                break;
            }
        }
        from = start;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::Prepared;

    #[test]
    fn overlapping_occurrences() {
        let ends = |text: &str, symbols: &str| -> Vec<u64> {
            let (text, symbols) = (text.as_bytes(), symbols.as_bytes());
            super::ends(text, &Prepared::new(symbols)).iter().map(|end| end.end).collect()
        };
        assert_eq!(ends("aaaaa", "aaa"), [3, 4, 5]);
        assert_eq!(ends("abaababaab", "abaab"), [5, 10]);
        assert_eq!(ends("xabaababa", "aba"), [4, 7, 9]);
        assert!(ends("ab", "abc").is_empty());
    }
}
