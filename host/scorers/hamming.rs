//! The number of positions with different symbols (Hamming 1950).

use super::of_pairs::{OfPairs, Value};
use super::parameters::Parameters;
use super::scorer::{DistanceToOne, Growth, Measure, Scorer};
use crate::pairs::Symbols;
use crate::pairs::affixes::on_numbers;
use crate::pairs::position_number::PositionNumber;

pub(super) const SCORER: Scorer = Scorer {
    name: "hamming",
    about: "positions with different symbols (Hamming 1950)",
    growth: Growth::Linear,
    measure: Measure::Distance {
        two: distance,
        maximum: |m, n, _| m.max(n) as u64,
        prepare: Some(|text, _| DistanceToOne::new(text, distance)),
    },
    of_pairs: Some(OfPairs::of_positions(PositionNumber::Hamming, Value::OfLonger)),
};

/// Symbols that the longer string has in addition count as differences.
fn distance(a: Symbols<'_>, b: Symbols<'_>, _: &Parameters, _: u64) -> u64 {
    if let (Symbols::Bytes(a), Symbols::Bytes(b)) = (a, b) {
        return of_bytes(a, b);
    }
    let differences = on_numbers!(a, b, |a, b| a.zip(b).filter(|(a, b)| a != b).count());
    (differences + a.len().abs_diff(b.len())) as u64
}

#[inline]
fn of_bytes(a: &[u8], b: &[u8]) -> u64 {
    let common = a.len().min(b.len());
    let (x, y) = (a[..common].as_chunks::<8>(), b[..common].as_chunks::<8>());
    let words = x.0.iter().zip(y.0).map(|(x, y)| differences(u64::from_ne_bytes(*x) ^ u64::from_ne_bytes(*y)));
    let rest = x.1.iter().zip(y.1).filter(|(x, y)| x != y).count();
    (words.sum::<usize>() + rest + a.len().abs_diff(b.len())) as u64
}

/// Returns the number of bytes of a word that are not 0.
#[inline]
fn differences(word: u64) -> usize {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    // The sum sets the highest bit of a byte with any of the other bits.
    ((((word & LOW) + LOW) | word) & !LOW).count_ones() as usize
}
