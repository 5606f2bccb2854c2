//! The edit distance of two strings of any symbols, with a weight for each operation (Levenshtein
//! 1966; Myers 1999).

use super::parameters::Weights;
use crate::cpu::words;
use crate::distance::Comparison;
use crate::pairs::Symbols;
use crate::pairs::affixes::trimmed;
use crate::pairs::ids::Ids;
use crate::pairs::pair_codes::by_bytes;
use crate::text::numbered::number;

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
            if a.is_empty() || b.is_empty() {
                return a.len().max(b.len()) as u64;
            }
            let of_two = |a: Symbols<'_>, b: Symbols<'_>| match (a, b) {
                (Symbols::Bytes(a), Symbols::Bytes(b)) => of_bytes(a, b, most),
                _ => of_many_symbols(a, b, most),
            };
            by_bytes(a, b, of_two)
        }
    }
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
pub(super) fn weighted(a: Symbols<'_>, b: Symbols<'_>, weights: Weights) -> u64 {
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
