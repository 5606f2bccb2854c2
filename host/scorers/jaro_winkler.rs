//! Jaro's similarity, increased for a common prefix (Winkler 1990).

use super::jaro::{self, Query};
use super::scorer::{Growth, Measure, Scorer, SimilarityToOne};
use crate::pairs::Symbols;
use crate::pairs::affixes::{common_prefix, part};
use std::sync::Arc;

pub(super) const SCORER: Scorer = Scorer {
    name: "jaro-winkler",
    about: "Jaro's similarity, increased for a common prefix (Winkler 1990)",
    growth: Growth::Linear,
    measure: Measure::Similarity {
        two: |a, b, parameters, least| {
            increased(a, b, parameters.prefix_weight, least, |least| jaro::similarity(a, b, least))
        },
        optimal: 1.0,
        prepare: Some(|text, parameters| {
            let weight = parameters.prefix_weight;
            let query = Arc::new(Query::new(text));
            let of_many = query.clone();
            SimilarityToOne {
                similarity: Box::new(move |other, least| {
                    increased(query.symbols(), other, weight, least, |least| query.similarity(other, least))
                }),
                many: Some(Box::new(move |others, similarities| {
                    of_many.similarities(others, similarities);
                    for (similarity, &other) in similarities.iter_mut().zip(others) {
                        let jaro = *similarity;
                        *similarity = increased(of_many.symbols(), other, weight, 0.0, |_| jaro);
                    }
                })),
            }
        }),
    },
    of_pairs: None,
};

/// Maximum length of the prefix.
const PREFIX: usize = 4;
/// The prefix counts for strings that are more similar than this.
const THRESHOLD: f64 = 0.7;

#[inline]
fn increased(a: Symbols<'_>, b: Symbols<'_>, weight: f64, least: f64, jaro: impl FnOnce(f64) -> f64) -> f64 {
    let mut similarity = jaro(if least > THRESHOLD { THRESHOLD.min(least) - 1e-5 } else { least });
    if similarity > THRESHOLD {
        let start = |string: Symbols<'_>| string.len().min(PREFIX);
        let prefix = common_prefix(part(a, 0..start(a)), part(b, 0..start(b)));
        similarity += prefix as f64 * weight * (1.0 - similarity);
        similarity = similarity.min(1.0);
    }
    if similarity >= least { similarity } else { 0.0 }
}
