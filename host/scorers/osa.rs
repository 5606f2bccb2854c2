//! The distance by insertions, deletions, replacements and exchanges of neighbours, where no part
//! is edited twice: optimal string alignment (Hyyrö 2003).

use super::ids::Ids;
use super::scorer::{Growth, Measure, Parameters, Scorer};
use super::text::trimmed;
use super::word_masks::{WORD, WordMasks};
use crate::pairs::Symbols;

pub(super) const SCORER: Scorer = Scorer {
    name: "osa",
    about: "optimal string alignment: also exchanges of neighbours (Hyyrö 2003)",
    growth: Growth::Words,
    measure: Measure::Distance {
        two: distance,
        maximum: |m, n, _| m.max(n) as u64,
        prepare: Some(|text, parameters| {
            let parameters = *parameters;
            let masks = (1..=WORD).contains(&text.symbols().len()).then(|| WordMasks::new(text.symbols()));
            Box::new(move |other, most| match &masks {
                Some(masks) => by_word(masks, text.symbols().len(), other),
                None => distance(text.symbols(), other, &parameters, most),
            })
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
