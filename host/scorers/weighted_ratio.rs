//! The best of the ratios, each with a weight that depends on the lengths.

use super::partial_ratio::partial_ratio;
use super::partial_token_ratios::token_ratio as partial_token_ratio;
use super::ratio::ratio;
use super::scorer::{Growth, Measure, Scorer, SimilarityToOne};
use super::token_ratios::token_ratio;
use super::words::Words;
use crate::pairs::Symbols;
use std::sync::OnceLock;

pub(super) const SCORER: Scorer = Scorer {
    name: "weighted-ratio",
    about: "the best of the ratios, with weights by the lengths",
    growth: Growth::Windows,
    measure: Measure::Similarity {
        two: |a, b, _, least| weighted(a, b, least, |part| part(&Words::new(a))),
        optimal: 100.0,
        prepare: Some(|text, _| {
            let words = OnceLock::new();
            SimilarityToOne::new(move |other, least| {
                let string = text.symbols();
                weighted(string, other, least, |part| part(words.get_or_init(|| Words::new(string).to_owned())))
            })
        }),
    },
    of_pairs: None,
};

/// Weight of the ratios of words.
const WORDS: f64 = 0.95;

/// Computes the score. `with_words` calls a function with the words of `a`.
fn weighted(
    a: Symbols<'_>,
    b: Symbols<'_>,
    least: f64,
    with_words: impl FnOnce(&dyn Fn(&Words<'_>) -> f64) -> f64,
) -> f64 {
    if least > 100.0 || a.is_empty() || b.is_empty() {
        return 0.0;
    }
    let longer = a.len().max(b.len()) as f64;
    let lengths = longer / a.len().min(b.len()) as f64;
    let whole = ratio(a, b, least);
    if lengths < 1.5 {
        let least = least.max(whole) / WORDS;
        return whole.max(with_words(&|words| token_ratio(words, &Words::new(b), least)) * WORDS);
    }
    let weight = if lengths <= 8.0 { 0.9 } else { 0.6 };
    let least = least.max(whole) / weight;
    let best = whole.max(partial_ratio(a, b, least) * weight);
    let least = least.max(best) / WORDS;
    best.max(with_words(&|words| partial_token_ratio(words, &Words::new(b), least)) * WORDS * weight)
}
