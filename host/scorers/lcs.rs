//! The length of a longest common subsequence (Crochemore et al. 2001).

use super::common::{Common, lcs_length};
use super::of_pairs::{OfPairs, Value};
use super::scorer::{DistanceToOne, Growth, Measure, Scorer};
use crate::pairs::Symbols;

pub(super) const SCORER: Scorer = Scorer {
    name: "lcs",
    about: "a longest common subsequence (Crochemore et al. 2001)",
    growth: Growth::Words,
    measure: Measure::Distance {
        two: |a, b, _, most| {
            let longest = a.len().max(b.len()) as u64;
            if a.len().abs_diff(b.len()) as u64 > most { longest } else { longest - lcs_length(a, b) }
        },
        maximum: |m, n, _| m.max(n) as u64,
        prepare: Some(|text, _| {
            let string = Common::new(text);
            let distance =
                Box::new(move |other: Symbols<'_>, _| string.len().max(other.len()) as u64 - string.lcs_length(other));
            DistanceToOne { distance, many: None }
        }),
    },
    of_pairs: Some(OfPairs { value: Value::OutsideLcs, ..OfPairs::INDEL }),
};
