//! The length of the longest common suffix.

use super::of_pairs::{OfPairs, Value};
use super::parameters::Parameters;
use super::scorer::{DistanceToOne, Growth, Measure, Scorer};
use crate::pairs::Symbols;
use crate::pairs::affixes::common_suffix;
use crate::pairs::position_number::PositionNumber;

pub(super) const SCORER: Scorer = Scorer {
    name: "postfix",
    about: "symbols that both strings have in common at the end",
    growth: Growth::Linear,
    measure: Measure::Distance {
        two: distance,
        maximum: |m, n, _| m.max(n) as u64,
        prepare: Some(|text, _| DistanceToOne::new(text, distance)),
    },
    of_pairs: Some(OfPairs::of_positions(PositionNumber::Suffix, Value::OutsideAffix)),
};

fn distance(a: Symbols<'_>, b: Symbols<'_>, _: &Parameters, _: u64) -> u64 {
    (a.len().max(b.len()) - common_suffix(a, b)) as u64
}
