//! The distance by insertions and deletions: the lengths of both strings minus twice that of a
//! longest common subsequence.

use super::common::{Common, indel};
use super::of_pairs::OfPairs;
use super::scorer::{DistanceToOne, Growth, Measure, Scorer};

pub(super) const SCORER: Scorer = Scorer {
    name: "indel",
    about: "insertions and deletions (Crochemore et al. 2001)",
    growth: Growth::Words,
    measure: Measure::Distance {
        two: |a, b, _, most| indel(a, b, most),
        maximum: |m, n, _| (m + n) as u64,
        prepare: Some(|text, _| {
            let string = Common::new(text);
            DistanceToOne { distance: Box::new(move |other, most| string.indel(other, most)), many: None }
        }),
    },
    of_pairs: Some(OfPairs::INDEL),
};
