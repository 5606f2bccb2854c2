//! The number of positions with different symbols (Hamming 1950).

use super::scorer::{Growth, Measure, Parameters, Scorer};
use super::text::on_numbers;
use crate::pairs::Symbols;

pub(super) const SCORER: Scorer = Scorer {
    name: "hamming",
    about: "positions with different symbols (Hamming 1950)",
    growth: Growth::Linear,
    measure: Measure::Distance { two: distance, maximum: |m, n, _| m.max(n) as u64, prepare: None },
};

/// Symbols that the longer string has in addition count as differences.
fn distance(a: Symbols<'_>, b: Symbols<'_>, _: &Parameters, _: u64) -> u64 {
    let differences = on_numbers!(a, b, |a, b| a.zip(b).filter(|(a, b)| a != b).count());
    (differences + a.len().abs_diff(b.len())) as u64
}
