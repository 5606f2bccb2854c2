//! Ratios of the words of two strings: sorted, as sets, and the better of both.

use super::common::indel;
use super::of_pairs::{OfPairs, Strings};
use super::ratio::{percent, ratio};
use super::scorer::{Growth, Measure, Scorer, SimilarityToOne};
use super::text::Text;
use super::words::{Compared, Words, compared};

/// Creates a row of the table from a function of the words of two strings.
macro_rules! of_words {
    ($name:literal, $about:literal, $growth:expr, $function:path) => {
        of_words!($name, $about, $growth, $function, None)
    };
    ($name:literal, $about:literal, $growth:expr, $function:path, $of_pairs:expr) => {
        Scorer {
            name: $name,
            about: $about,
            growth: $growth,
            measure: Measure::Similarity {
                two: |a, b, _, least| $function(&Words::new(a), &Words::new(b), least),
                optimal: 100.0,
                prepare: Some(|text, _| prepared(&text, $function)),
            },
            of_pairs: $of_pairs,
        }
    };
}
pub(super) use of_words;

pub(super) const SORT_SCORER: Scorer = of_words!(
    "token-sort-ratio",
    "`ratio` of the sorted words",
    Growth::Words,
    sort_ratio,
    Some(OfPairs { strings: Strings::SortedWords, ..OfPairs::INDEL })
);
pub(super) const SET_SCORER: Scorer =
    of_words!("token-set-ratio", "`ratio` of the words as sets", Growth::Words, set_ratio);
pub(super) const SCORER: Scorer =
    of_words!("token-ratio", "the better of `token-sort-ratio` and `token-set-ratio`", Growth::Words, token_ratio);

/// Prepares a string for comparisons of its words.
pub(super) fn prepared(text: &Text, function: fn(&Words<'_>, &Words<'_>, f64) -> f64) -> SimilarityToOne {
    let words = Words::new(text.symbols()).to_owned();
    SimilarityToOne::new(move |other, least| function(&words, &Words::new(other), least))
}

fn sort_ratio(a: &Words<'_>, b: &Words<'_>, least: f64) -> f64 {
    ratio(a.joined(), b.joined(), least)
}

fn set_ratio(a: &Words<'_>, b: &Words<'_>, least: f64) -> f64 {
    if least > 100.0 || a.is_empty() || b.is_empty() {
        return 0.0;
    }
    let words = compared(a, b);
    if words.common > 0 && (words.only_a.is_empty() || words.only_b.is_empty()) {
        return 100.0;
    }
    best_of_sets(&words, least)
}

/// Returns the better of `set_ratio` and `sort_ratio`.
pub(super) fn token_ratio(a: &Words<'_>, b: &Words<'_>, least: f64) -> f64 {
    if least > 100.0 {
        return 0.0;
    }
    let words = compared(a, b);
    if words.common > 0 && (words.only_a.is_empty() || words.only_b.is_empty()) {
        return 100.0;
    }
    ratio(a.joined(), b.joined(), least).max(best_of_sets(&words, least))
}

/// Returns the best similarity of three strings: the common words, and these followed by the other
/// words of each string. Their common beginning is not compared symbol by symbol.
fn best_of_sets(words: &Compared<'_>, least: f64) -> f64 {
    let common = words.common_len as u64;
    let space = u64::from(common > 0);
    let rest_a = space + words.only_a.joined().len() as u64;
    let rest_b = space + words.only_b.joined().len() as u64;
    let total = 2 * common + rest_a + rest_b;
    let distance = indel(words.only_a.joined(), words.only_b.joined(), u64::MAX);
    let both = percent(distance, total, least);
    if common == 0 {
        return both;
    }
    let of_a = percent(rest_a, 2 * common + rest_a, least);
    let of_b = percent(rest_b, 2 * common + rest_b, least);
    both.max(of_a).max(of_b)
}
