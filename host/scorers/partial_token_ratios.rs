//! `partial-ratio` of the words of two strings: sorted, as sets, and the better of both.

use super::partial_ratio::partial_ratio;
use super::scorer::{Growth, Measure, Scorer};
use super::token_ratios::{of_words, prepared};
use super::words::{Words, compared};

pub(super) const SORT_SCORER: Scorer =
    of_words!("partial-token-sort-ratio", "`partial-ratio` of the sorted words", Growth::Windows, sort_ratio);
pub(super) const SET_SCORER: Scorer =
    of_words!("partial-token-set-ratio", "`partial-ratio` of the words that differ", Growth::Windows, set_ratio);
pub(super) const SCORER: Scorer =
    of_words!("partial-token-ratio", "the better of both partial ratios of words", Growth::Windows, token_ratio);

fn sort_ratio(a: &Words<'_>, b: &Words<'_>, least: f64) -> f64 {
    partial_ratio(a.joined(), b.joined(), least)
}

fn set_ratio(a: &Words<'_>, b: &Words<'_>, least: f64) -> f64 {
    if least > 100.0 || a.is_empty() || b.is_empty() {
        return 0.0;
    }
    let words = compared(a, b);
    if words.common > 0 { 100.0 } else { partial_ratio(words.only_a.joined(), words.only_b.joined(), least) }
}

/// Returns the better of `set_ratio` and `sort_ratio`.
pub(super) fn token_ratio(a: &Words<'_>, b: &Words<'_>, least: f64) -> f64 {
    if least > 100.0 {
        return 0.0;
    }
    let words = compared(a, b);
    if words.common > 0 {
        return 100.0;
    }
    let sorted = partial_ratio(a.joined(), b.joined(), least);
    // Without repeated words, both ratios are of the same strings.
    if a.len() == words.only_a.len() && b.len() == words.only_b.len() {
        return sorted;
    }
    sorted.max(partial_ratio(words.only_a.joined(), words.only_b.joined(), least.max(sorted)))
}
