//! Jaro's similarity, increased for a common prefix (Winkler 1990).

use super::jaro::{self, Query};
use super::of_pairs::{OfPairs, Value};
use super::scorer::{Growth, Measure, Scorer, SimilarityToOne};
use crate::pairs::Symbols;
use crate::pairs::affixes::{common_prefix, part};
use crate::pairs::position_number::PositionNumber;
use std::sync::Arc;

pub(super) const SCORER: Scorer = Scorer {
    name: "jaro-winkler",
    about: "Jaro's similarity, increased for a common prefix (Winkler 1990)",
    growth: Growth::Linear,
    measure: Measure::Similarity {
        two: |a, b, parameters, least| {
            increased(parameters.prefix_weight, least, |least| jaro::similarity(a, b, least), || prefix(a, b))
        },
        optimal: 1.0,
        prepare: Some(|text, parameters| {
            let weight = parameters.prefix_weight;
            let query = Arc::new(Query::new(text));
            let of_many = query.clone();
            SimilarityToOne {
                similarity: Box::new(move |other, least| {
                    let prefix = || prefix(query.symbols(), other);
                    increased(weight, least, |least| query.similarity(other, least), prefix)
                }),
                many: Some(Box::new(move |others, similarities| {
                    of_many.similarities(others, similarities);
                    for (similarity, &other) in similarities.iter_mut().zip(others) {
                        let jaro = *similarity;
                        *similarity = increased(weight, 0.0, |_| jaro, || prefix(of_many.symbols(), other));
                    }
                })),
            }
        }),
    },
    of_pairs: Some(OfPairs::of_positions(PositionNumber::Jaro, Value::JaroWinkler)),
};

/// Maximum length of the prefix.
const PREFIX: usize = 4;
/// The prefix counts for strings that are more similar than this.
const THRESHOLD: f64 = 0.7;

/// Returns the length of the prefix that counts.
#[inline]
fn prefix(a: Symbols<'_>, b: Symbols<'_>) -> usize {
    let start = |string: Symbols<'_>| string.len().min(PREFIX);
    common_prefix(part(a, 0..start(a)), part(b, 0..start(b)))
}

/// Returns the similarity of strings of these lengths from their number of the
/// [GPU](crate::pairs::position_number::PositionNumber::Jaro), or 0 if it is below `least`.
pub(super) fn of_number(lengths: [usize; 2], number: u32, weight: f64, least: f64) -> f64 {
    increased(weight, least, |least| jaro::of_number(lengths, number, least), || (number >> 16 & 0xff) as usize)
}

#[inline]
fn increased(weight: f64, least: f64, jaro: impl FnOnce(f64) -> f64, prefix: impl FnOnce() -> usize) -> f64 {
    let mut similarity = jaro(if least > THRESHOLD { THRESHOLD.min(least) - 1e-5 } else { least });
    if similarity > THRESHOLD {
        similarity += prefix() as f64 * weight * (1.0 - similarity);
        similarity = similarity.min(1.0);
    }
    if similarity >= least { similarity } else { 0.0 }
}
