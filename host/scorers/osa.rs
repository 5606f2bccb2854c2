//! The distance of optimal string alignment (Hyyrö 2003).

use super::of_pairs::{OfPairs, PairNumber, Strings, Value};
use super::scorer::{DistanceToOne, Growth, Measure, Scorer};
use crate::pairs::cpu::osa::{by_word, distance};
use crate::pairs::word_masks::{WORD, WordMasks};
use crate::pairs::{Cost, Symbols};

pub(super) const SCORER: Scorer = Scorer {
    name: "osa",
    about: "optimal string alignment: also transpositions of neighbours (Hyyrö 2003)",
    growth: Growth::Words,
    measure: Measure::Distance {
        two: |a, b, _, most| distance(a, b, most, &|_| ()),
        maximum: |m, n, _| m.max(n) as u64,
        prepare: Some(|text, _| {
            let rows = text.symbols().len();
            let masks = (1..=WORD).contains(&rows).then(|| WordMasks::new(text.symbols()));
            let distance = move |other: Symbols<'_>, most| match &masks {
                Some(masks) => by_word(masks, rows, other),
                None => distance(text.symbols(), other, most, &|_| ()),
            };
            DistanceToOne { distance: Box::new(distance), many: None }
        }),
    },
    of_pairs: Some(OfPairs {
        number: PairNumber::Distance(|_| Some(Cost::Osa)),
        value: Value::OfLonger,
        strings: Strings::Whole,
    }),
};
