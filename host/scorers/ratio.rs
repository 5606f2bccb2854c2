//! The normalized similarity by insertions and deletions, in per cent.

use super::common::{Common, indel};
use super::of_pairs::{OfPairs, Value};
use super::scorer::{Growth, Measure, Scorer, SimilarityToOne};
use crate::pairs::Symbols;

pub(super) const SCORER: Scorer = Scorer {
    name: "ratio",
    about: "similarity by insertions and deletions, in per cent",
    growth: Growth::Words,
    measure: Measure::Similarity {
        two: |a, b, _, least| ratio(a, b, least),
        optimal: 100.0,
        prepare: Some(|text, _| {
            let string = Common::new(text);
            SimilarityToOne::new(move |other, least| prepared_ratio(&string, other, least))
        }),
    },
    of_pairs: Some(OfPairs::INDEL),
};

/// [`SCORER`], but 0 if one of the strings is empty.
pub(super) const QUICK_SCORER: Scorer = Scorer {
    name: "quick-ratio",
    about: "`ratio`, but 0 if one of the strings is empty",
    growth: Growth::Words,
    measure: Measure::Similarity {
        two: |a, b, _, least| if a.is_empty() || b.is_empty() { 0.0 } else { ratio(a, b, least) },
        optimal: 100.0,
        prepare: Some(|text, _| {
            let string = Common::new(text);
            SimilarityToOne::new(move |other, least| match string.len() == 0 || other.is_empty() {
                true => 0.0,
                false => prepared_ratio(&string, other, least),
            })
        }),
    },
    of_pairs: Some(OfPairs { value: Value::OfNonEmpty, ..OfPairs::INDEL }),
};

/// Computes the similarity of two strings, or 0 if it is below `least`.
#[inline]
pub(super) fn ratio(a: Symbols<'_>, b: Symbols<'_>, least: f64) -> f64 {
    of_distance(a.len() + b.len(), a.len().abs_diff(b.len()), least, |most| indel(a, b, most))
}

fn prepared_ratio(string: &Common, other: Symbols<'_>, least: f64) -> f64 {
    let lengths = [string.len(), other.len()];
    let difference = lengths[0].abs_diff(lengths[1]);
    of_distance(lengths[0] + lengths[1], difference, least, |most| string.indel(other, most))
}

#[inline]
pub(super) fn of_distance(total: usize, difference: usize, least: f64, distance: impl FnOnce(u64) -> u64) -> f64 {
    if total == 0 {
        return if least <= 100.0 { 100.0 } else { 0.0 };
    }
    let score = |distance: u64| 1.0 - distance as f64 / total as f64;
    let least = least / 100.0;
    // No pair of these lengths is more similar.
    if score(difference as u64) < least {
        return 0.0;
    }
    let score = score(distance(u64::MAX));
    if score >= least { score * 100.0 } else { 0.0 }
}

/// Returns 100 minus the percentage of a distance, or 0 if it is below `least`.
pub(super) fn percent(distance: u64, total: u64, least: f64) -> f64 {
    let score = if total == 0 { 100.0 } else { 100.0 - (100 * distance) as f64 / total as f64 };
    if score >= least { score } else { 0.0 }
}
