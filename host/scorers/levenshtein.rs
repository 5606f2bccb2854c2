//! Levenshtein's distance, with a weight for each operation (Levenshtein 1966; Myers 1999).

use super::common::indel;
use super::edit_distance::{unit, weighted};
use super::of_pairs::{OfPairs, PairNumber, Strings, Value};
use super::parameters::{Parameters, Weights};
use super::scorer::{Growth, Measure, Scorer};
use crate::pairs::{Cost, Symbols};

pub(super) const SCORER: Scorer = Scorer {
    name: "levenshtein",
    about: "insertions, deletions and replacements (Levenshtein 1966; Myers 1999)",
    growth: Growth::Words,
    measure: Measure::Distance { two: distance, maximum, prepare: None },
    of_pairs: Some(OfPairs {
        number: PairNumber::Distance(pair_cost),
        value: Value::Weighted,
        strings: Strings::Whole,
    }),
};

#[inline]
fn distance(a: Symbols<'_>, b: Symbols<'_>, parameters: &Parameters, most: u64) -> u64 {
    let weights = parameters.weights;
    let Weights { insertion, deletion, replacement } = weights;
    if insertion == deletion && deletion == replacement {
        let limit = if insertion <= 1 { most } else { u64::MAX };
        return unit(a, b, limit).saturating_mul(insertion);
    }
    if insertion == deletion && replacement >= insertion.saturating_mul(2) {
        return indel(a, b, u64::MAX).saturating_mul(insertion);
    }
    weighted(a, b, weights)
}

fn pair_cost(weights: &Weights) -> Option<Cost> {
    let Weights { insertion, deletion, replacement } = *weights;
    match insertion == deletion {
        true if deletion == replacement => Some(Cost::Levenshtein),
        true if replacement >= insertion.saturating_mul(2) => Some(Cost::Indel),
        _ => None,
    }
}

/// Returns the largest distance of strings of these lengths.
fn maximum(m: usize, n: usize, parameters: &Parameters) -> u64 {
    let Weights { insertion, deletion, replacement } = parameters.weights;
    let (m, n) = (m as u64, n as u64);
    let all = m.saturating_mul(deletion).saturating_add(n.saturating_mul(insertion));
    let rest = if m >= n { (m - n).saturating_mul(deletion) } else { (n - m).saturating_mul(insertion) };
    all.min(m.min(n).saturating_mul(replacement).saturating_add(rest))
}
