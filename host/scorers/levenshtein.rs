//! Levenshtein's distance, with a weight for each operation (Levenshtein 1966; Myers 1999).

use super::common::indel;
use super::edit_distance::{by_word, unit, weighted};
use super::of_pairs::{OfPairs, Strings, Value};
use super::parameters::{Parameters, Weights};
use super::scorer::{DistanceToOne, Growth, Measure, Scorer};
use super::text::Text;
use crate::pairs::word_masks::{WORD, WordMasks};
use crate::pairs::{Cost, Symbols};

pub(super) const SCORER: Scorer = Scorer {
    name: "levenshtein",
    about: "insertions, deletions and replacements (Levenshtein 1966; Myers 1999)",
    growth: Growth::Words,
    measure: Measure::Distance { two: distance, maximum, prepare: Some(prepare) },
    of_pairs: Some(OfPairs { cost: pair_cost, value: Value::Weighted, strings: Strings::Whole }),
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

fn prepare(text: Text, parameters: &Parameters) -> DistanceToOne {
    let (rows, parameters) = (text.symbols().len(), *parameters);
    let is_word = (1..=WORD).contains(&rows) && parameters.weights == Weights::UNIT;
    let masks = is_word.then(|| WordMasks::new(text.symbols()));
    let distance = move |other: Symbols<'_>, most| match &masks {
        Some(masks) if rows.abs_diff(other.len()) as u64 <= most => by_word(masks, rows, other),
        _ => distance(text.symbols(), other, &parameters, most),
    };
    DistanceToOne { distance: Box::new(distance), many: None }
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
