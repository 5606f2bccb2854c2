//! The distance by insertions, deletions, replacements and exchanges of neighbours, where no part
//! is edited twice: optimal string alignment (Hyyrö 2003).

use super::ids::Ids;
use super::scorer::{DistanceToOne, DistancesToOne, Growth, Measure, Parameters, Scorer};
use super::text::trimmed;
use super::word_masks::{WORD, WordMasks};
#[cfg(target_arch = "x86_64")]
use crate::cpu::vector::{Avx2, Isa};
use crate::pairs::Symbols;
use std::sync::Arc;

pub(super) const SCORER: Scorer = Scorer {
    name: "osa",
    about: "optimal string alignment: also exchanges of neighbours (Hyyrö 2003)",
    growth: Growth::Words,
    measure: Measure::Distance {
        two: distance,
        maximum: |m, n, _| m.max(n) as u64,
        prepare: Some(|text, parameters| {
            let parameters = *parameters;
            let rows = text.symbols().len();
            let masks = (1..=WORD).contains(&rows).then(|| Arc::new(WordMasks::new(text.symbols())));
            let of_four = masks.clone();
            DistanceToOne {
                distance: Box::new(move |other, most| match &masks {
                    Some(masks) => by_word(masks, rows, other),
                    None => distance(text.symbols(), other, &parameters, most),
                }),
                four: of_four.map(|masks| -> DistancesToOne { Box::new(move |others| four(&masks, rows, others)) }),
            }
        }),
    },
};

fn distance(a: Symbols<'_>, b: Symbols<'_>, _: &Parameters, most: u64) -> u64 {
    let least = a.len().abs_diff(b.len()) as u64;
    if least > most {
        return least;
    }
    let [a, b] = trimmed(a, b);
    let (rows, columns) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    match rows.len() {
        0 => columns.len() as u64,
        1..=WORD => by_word(&WordMasks::new(rows), rows.len(), columns),
        _ => by_strips(rows, columns),
    }
}

/// State of 64 rows. The names are Hyyrö's.
struct Block {
    vp: u64,
    vn: u64,
    d0: u64,
    equal: u64,
}

/// Bits that go from the rows above into the next 64 rows.
#[derive(Clone, Copy)]
struct Above {
    /// The distance increases in the row above.
    plus: bool,
    /// The distance decreases in the row above.
    minus: bool,
    /// An exchange may end in the first row.
    exchange: bool,
}

impl Block {
    const NEW: Self = Self { vp: !0, vn: 0, d0: 0, equal: 0 };

    /// Takes the rows to the next column, and returns the bits at the row `last`.
    #[inline(always)]
    fn advance(&mut self, equal: u64, above: Above, last: u32) -> Above {
        let candidates = !self.d0 & equal;
        let exchanged = (candidates << 1 | u64::from(above.exchange)) & self.equal;
        let x = equal | u64::from(above.minus);
        let d0 = ((x & self.vp).wrapping_add(self.vp) ^ self.vp) | x | self.vn | exchanged;
        let hp = self.vn | !(d0 | self.vp);
        let hn = d0 & self.vp;
        let bit = |word: u64| word >> last & 1 == 1;
        let below = Above { plus: bit(hp), minus: bit(hn), exchange: bit(candidates) };
        let hp = hp << 1 | u64::from(above.plus);
        let hn = hn << 1 | u64::from(above.minus);
        self.vp = hn | !(d0 | hp);
        self.vn = hp & d0;
        self.d0 = d0;
        self.equal = equal;
        below
    }
}

/// The distance increases by 1 from column to column above the first row.
const TOP: Above = Above { plus: true, minus: false, exchange: false };

#[inline]
fn by_word(masks: &WordMasks, rows: usize, columns: Symbols<'_>) -> u64 {
    let mut block = Block::NEW;
    let mut distance = rows as u64;
    let last = rows as u32 - 1;
    masks.each(columns, |equal| {
        let below = block.advance(equal, TOP, last);
        distance = distance.wrapping_add(below.plus.into()).wrapping_sub(below.minus.into());
    });
    distance
}

/// Strings that are compared at a time.
const LANES: usize = 4;

/// Computes the distances of four strings to the rows. Four tables advance together as far as all
/// strings go.
fn four(masks: &WordMasks, rows: usize, others: [&[u8]; LANES]) -> [u64; LANES] {
    #[cfg(target_arch = "x86_64")]
    if let Some(isa) = Avx2::detect() {
        return isa.run(
            #[inline(always)]
            || in_lanes(masks, rows, others),
        );
    }
    in_lanes(masks, rows, others)
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
            let exchanged = (!d0[lane] & equal[lane]) << 1 & before[lane];
            let sum = (equal[lane] & vp[lane]).wrapping_add(vp[lane]);
            let d = (sum ^ vp[lane]) | equal[lane] | vn[lane] | exchanged;
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
            block.advance(masks.of_byte(byte), TOP, 0);
        });
        let rise = (block.vp & of_rows).count_ones() as usize;
        let fall = (block.vn & of_rows).count_ones() as usize;
        (others[lane].len() + rise - fall) as u64
    })
}

/// Takes the columns through the table, 64 rows at a time. Memory is linear in the lengths.
fn by_strips(a: Symbols<'_>, b: Symbols<'_>) -> u64 {
    let (ids, rows) = Ids::new(a);
    let columns = ids.of(b);
    let mut equal = vec![0u64; ids.count];
    let mut above = vec![TOP; columns.len()];
    for strip in rows.chunks(WORD) {
        crate::threads::check();
        strip.iter().enumerate().for_each(|(bit, &id)| equal[id as usize] |= 1 << bit);
        let mut block = Block::NEW;
        let last = strip.len() as u32 - 1;
        for (&id, above) in columns.iter().zip(&mut above) {
            *above = block.advance(equal[id as usize], *above, last);
        }
        strip.iter().for_each(|&id| equal[id as usize] = 0);
    }
    let change = |below: &Above| i64::from(below.plus) - i64::from(below.minus);
    (rows.len() as i64 + above.iter().map(change).sum::<i64>()).cast_unsigned()
}
