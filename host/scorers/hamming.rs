//! The number of positions with different symbols (Hamming 1950).

use super::scorer::{Growth, Measure, Parameters, Scorer};
use crate::pairs::Symbols;
use crate::pairs::affixes::on_numbers;

pub(super) const SCORER: Scorer = Scorer {
    name: "hamming",
    about: "positions with different symbols (Hamming 1950)",
    growth: Growth::Linear,
    measure: Measure::Distance { two: distance, maximum: |m, n, _| m.max(n) as u64, prepare: None },
    of_pairs: None,
};

/// Symbols that the longer string has in addition count as differences.
fn distance(a: Symbols<'_>, b: Symbols<'_>, _: &Parameters, _: u64) -> u64 {
    let differences = match (a, b) {
        // A sum of bytes is computed for many bytes at a time.
        (Symbols::Bytes(a), Symbols::Bytes(b)) => {
            let of = |(a, b): (&[u8], &[u8])| a.iter().zip(b).map(|(a, b)| u8::from(a != b)).sum::<u8>();
            a.chunks(255).zip(b.chunks(255)).map(|parts| usize::from(of(parts))).sum()
        }
        _ => on_numbers!(a, b, |a, b| a.zip(b).filter(|(a, b)| a != b).count()),
    };
    (differences + a.len().abs_diff(b.len())) as u64
}
