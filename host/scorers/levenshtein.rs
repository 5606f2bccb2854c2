//! Levenshtein's distance, with a weight for each operation (Levenshtein 1966; Myers 1999).

use super::common::indel;
use super::of_pairs::{OfPairs, Strings, Value};
use super::parameters::{Parameters, Weights};
use super::scorer::{DistanceToOne, Growth, Measure, Scorer};
use super::text::Text;
use crate::cpu::myers::{Block, Step};
use crate::cpu::words;
use crate::distance::Comparison;
use crate::pairs::affixes::trimmed;
use crate::pairs::ids::Ids;
use crate::pairs::word_masks::{WORD, WordMasks};
use crate::pairs::{Cost, Symbols};
use crate::text::numbered::number;

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

/// Computes the distance with weights of 1. A result above `most` may be too small.
#[inline]
pub(super) fn unit(a: Symbols<'_>, b: Symbols<'_>, most: u64) -> u64 {
    let least = a.len().abs_diff(b.len()) as u64;
    if least > most {
        return least;
    }
    match (a, b) {
        (Symbols::Bytes(a), Symbols::Bytes(b)) => of_bytes(a, b, most),
        _ => {
            let [a, b] = trimmed(a, b);
            let (a, b) = if a.len() <= b.len() { (a, b) } else { (b, a) };
            if a.is_empty() {
                return b.len() as u64;
            }
            if a.len() <= WORD {
                return by_word(&WordMasks::new(a), a.len(), b);
            }
            match Ids::bytes(a, b) {
                Some([a, b]) => of_bytes(&a, &b, most),
                None => of_many_symbols(a, b, most),
            }
        }
    }
}

/// Takes the columns through a table of 1 to 64 rows.
fn by_word(masks: &WordMasks, rows: usize, columns: Symbols<'_>) -> u64 {
    let mut block = Block::RISING;
    masks.each(columns, |equal| {
        block.advance(equal, Step::from_difference(1), 0);
    });
    (columns.len() as i64 + block.rise(rows as u32)).cast_unsigned()
}

#[inline]
fn of_bytes(a: &[u8], b: &[u8], most: u64) -> u64 {
    words::levenshtein_distance(a, b).unwrap_or_else(|| {
        let comparison = Comparison::new();
        let found = match most {
            u64::MAX => comparison.distance(a, b),
            _ => comparison.maximum(most).within(a, b).map(|distance| distance.unwrap_or(most.saturating_add(1))),
        };
        found.unwrap_or_else(|_| weighted(Symbols::Bytes(a), Symbols::Bytes(b), Weights::UNIT))
    })
}

fn of_many_symbols(a: Symbols<'_>, b: Symbols<'_>, most: u64) -> u64 {
    let (ids, a_numbers) = Ids::new(a);
    let comparison = Comparison::new();
    let found = number(&a_numbers, &ids.of(b)).and_then(|numbered| match most {
        u64::MAX => comparison.distance_of_numbers(&numbered),
        _ => {
            let within = comparison.maximum(most).within_of_numbers(&numbered);
            within.map(|distance| distance.unwrap_or(most.saturating_add(1)))
        }
    });
    found.unwrap_or_else(|_| weighted(a, b, Weights::UNIT))
}

/// Computes the distance by a table, one row at a time.
fn weighted(a: Symbols<'_>, b: Symbols<'_>, weights: Weights) -> u64 {
    let [a, b] = trimmed(a, b);
    let (ids, rows) = Ids::new(a);
    let columns = ids.of(b);
    let Weights { insertion, deletion, replacement } = weights;
    let mut row: Vec<u64> = (0..=columns.len() as u64).map(|number| number.saturating_mul(insertion)).collect();
    for symbol in rows {
        crate::threads::check();
        let Some((first, others)) = row.split_first_mut() else { break };
        let mut diagonal = *first;
        *first = first.saturating_add(deletion);
        let mut left = *first;
        for (&other, cell) in columns.iter().zip(others) {
            let up = *cell;
            let step = if symbol == other { 0 } else { replacement };
            let best = up.saturating_add(deletion).min(left.saturating_add(insertion));
            left = best.min(diagonal.saturating_add(step));
            *cell = left;
            diagonal = up;
        }
    }
    row.last().copied().unwrap_or(0)
}
