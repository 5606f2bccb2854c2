//! Exact search for plain bytes, by the crate memchr: a SIMD search for two rare bytes, then
//! Two-Way.

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

/// Estimates the instructions per symbol.
fn cost(query: &Query) -> Option<f64> {
    let rare = query.pattern.distinct().classes.len() >= FEW_SYMBOLS;
    Some(if rare { 1.0 } else { 16.0 })
}

/// Least number of different symbols of a pattern for its rarest byte to be rare in the text.
const FEW_SYMBOLS: usize = 5;

/// A string with its searcher and its period.
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

/// Returns the ends of all occurrences without errors, including overlapping ones, in O(m + n).
fn ends(text: &[u8], Prepared { finder, period }: &Prepared) -> Vec<End> {
    let symbols = finder.needle();
    if symbols.is_empty() {
        return Vec::new();
    }
    // Symbols that must follow an occurrence for another one a period later. The finder would read
    // the whole pattern again: mn symbols for a pattern of `a`s in a text of `a`s.
    let again = &symbols[symbols.len() - period..];
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = text.get(from..).and_then(|rest| finder.find(rest)) {
        let mut start = from + at;
        loop {
            let end = start + symbols.len();
            found.push(End { end: end as u64, errors: 0 });
            // No occurrence starts less than a period after another one.
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
