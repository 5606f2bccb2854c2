//! The distance of optimal string alignment (Hyyrö 2003), of one string to four others at a time.

use super::of_pairs::{OfPairs, Strings, Value};
use super::scorer::{DistanceToOne, DistancesToOne, Growth, Measure, Scorer};
use crate::cpu::vector::by_vectors;
use crate::pairs::Cost;
use crate::pairs::cpu::osa::{Above, Block, by_word, distance};
use crate::pairs::word_masks::{WORD, WordMasks};
use std::sync::Arc;

pub(super) const SCORER: Scorer = Scorer {
    name: "osa",
    about: "optimal string alignment: also transpositions of neighbours (Hyyrö 2003)",
    growth: Growth::Words,
    measure: Measure::Distance {
        two: |a, b, _, most| distance(a, b, most, &|_| ()),
        maximum: |m, n, _| m.max(n) as u64,
        prepare: Some(|text, _| {
            let rows = text.symbols().len();
            let masks = (1..=WORD).contains(&rows).then(|| Arc::new(WordMasks::new(text.symbols())));
            let of_four = masks.clone();
            DistanceToOne {
                distance: Box::new(move |other, most| match &masks {
                    Some(masks) => by_word(masks, rows, other),
                    None => distance(text.symbols(), other, most, &|_| ()),
                }),
                four: of_four.map(|masks| -> DistancesToOne { Box::new(move |others| four(&masks, rows, others)) }),
            }
        }),
    },
    of_pairs: Some(OfPairs { cost: |_| Some(Cost::Osa), value: Value::OfLonger, strings: Strings::Whole }),
};

/// Strings that are compared at a time.
const LANES: usize = 4;

/// Computes the distances of four strings to the rows. Four tables advance together as far as all
/// strings go.
fn four(masks: &WordMasks, rows: usize, others: [&[u8]; LANES]) -> [u64; LANES] {
    by_vectors(
        #[inline(always)]
        || in_lanes(masks, rows, others),
    )
}

#[inline(always)]
fn in_lanes(masks: &WordMasks, rows: usize, others: [&[u8]; LANES]) -> [u64; LANES] {
    let common = others.iter().map(|other| other.len()).min().unwrap_or(0);
    let [a, b, c, d] = others.map(|other| &other[..common]);
    let (mut vp, mut vn) = ([!0u64; LANES], [0u64; LANES]);
    let (mut d0, mut before) = ([0u64; LANES], [0u64; LANES]);
    for (((&a, &b), &c), &d) in a.iter().zip(b).zip(c).zip(d) {
        let equal = [masks.of_byte(a), masks.of_byte(b), masks.of_byte(c), masks.of_byte(d)];
        for lane in 0..LANES {
            let transposed = (!d0[lane] & equal[lane]) << 1 & before[lane];
            let sum = (equal[lane] & vp[lane]).wrapping_add(vp[lane]);
            let d = (sum ^ vp[lane]) | equal[lane] | vn[lane] | transposed;
            let hp = (vn[lane] | !(d | vp[lane])) << 1 | 1;
            vp[lane] = (d & vp[lane]) << 1 | !(d | hp);
            vn[lane] = hp & d;
            d0[lane] = d;
        }
        before = equal;
    }
    let of_rows = !0 >> (WORD - rows);
    std::array::from_fn(|lane| {
        let mut block = Block { vp: vp[lane], vn: vn[lane], d0: d0[lane], equal: before[lane] };
        others[lane][common..].iter().for_each(|&byte| {
            block.advance(masks.of_byte(byte), Above::TOP, 0);
        });
        let rise = (block.vp & of_rows).count_ones() as usize;
        let fall = (block.vn & of_rows).count_ones() as usize;
        (others[lane].len() + rise - fall) as u64
    })
}
