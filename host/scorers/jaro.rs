//! Jaro's similarity (Jaro 1989): symbols that the strings have in common at nearby positions, and
//! how many of them are in another order.

use super::jaro_lanes::{Jaro, value, window};
use super::lanes::{LaneString, by_lanes};
use super::of_pairs::{OfPairs, Value};
use super::parameters::Parameters;
use super::scorer::{Growth, Measure, Scorer, SimilarityToOne};
use super::text::Text;
use crate::pairs::Symbols;
use crate::pairs::ids::Ids;
use crate::pairs::pair_codes::by_bytes;
use crate::pairs::position_number::PositionNumber;
use crate::pairs::word_masks::{WORD, WordMasks};
use std::sync::Arc;

pub(super) const SCORER: Scorer = Scorer {
    name: "jaro",
    about: "common symbols at nearby positions (Jaro 1989)",
    growth: Growth::Linear,
    measure: Measure::Similarity {
        two: |a, b, _: &Parameters, least| similarity(a, b, least),
        optimal: 1.0,
        prepare: Some(|text, _| {
            let query = Arc::new(Query::new(text));
            let of_many = query.clone();
            SimilarityToOne {
                similarity: Box::new(move |other, least| query.similarity(other, least)),
                many: Some(Box::new(move |others, similarities| of_many.similarities(others, similarities))),
            }
        }),
    },
    of_pairs: Some(OfPairs::of_positions(PositionNumber::Jaro, Value::Jaro)),
};

/// Common symbols of two strings.
#[derive(Clone, Copy)]
struct Matches {
    common: usize,
    /// Common symbols that are at different positions among the common symbols of both strings.
    moved: usize,
}

/// Computes the similarity, or 0 if it is below `least`.
#[inline]
pub(super) fn similarity(a: Symbols<'_>, b: Symbols<'_>, least: f64) -> f64 {
    let of_two = |a: Symbols<'_>, b: Symbols<'_>| match a.len() <= WORD && b.len() <= WORD {
        true => by_word(&WordMasks::new(a), b, window(a.len(), b.len())),
        false => by_lists(a, b),
    };
    with([a.len(), b.len()], least, || by_bytes(a, b, of_two))
}

/// Returns the similarity of strings of these lengths from their number of the
/// [GPU](crate::pairs::position_number::PositionNumber::Jaro), or 0 if it is below `least`.
pub(super) fn of_number(lengths: [usize; 2], number: u32, least: f64) -> f64 {
    let [common, moved] = [number & 0xff, number >> 8 & 0xff].map(|count| count as usize);
    with(lengths, least, || Matches { common, moved })
}

/// Computes the similarity from the common symbols, which `matches` returns for strings that are
/// not empty.
#[inline]
fn with([m, n]: [usize; 2], least: f64, matches: impl FnOnce() -> Matches) -> f64 {
    let similarity = match (m, n) {
        _ if least > 1.0 => 0.0,
        (0, 0) => 1.0,
        (0, _) | (_, 0) => 0.0,
        _ => {
            let least_symbols = m.min(n) as f64;
            // With all symbols of the shorter string in common and in order.
            if (least_symbols / m as f64 + least_symbols / n as f64 + 1.0) / 3.0 < least {
                return 0.0;
            }
            let Matches { common, moved } = matches();
            let [m, n, common, in_order] = [m, n, common, common - moved / 2].map(|count| count as f64);
            if common == 0.0 { 0.0 } else { value([m, n], common, in_order) }
        }
    };
    if similarity >= least { similarity } else { 0.0 }
}

/// Finds the common symbols of strings of at most 64 symbols, by words.
#[inline]
fn by_word(masks: &WordMasks, other: Symbols<'_>, window: usize) -> Matches {
    let mut near = !0 >> (63 - window.min(63));
    let (mut of_string, mut of_other) = (0u64, 0u64);
    let mut at = 0;
    masks.each(other, |equal| {
        let free = equal & near & !of_string;
        of_string |= free & free.wrapping_neg();
        of_other |= u64::from(free != 0) << at;
        near = near << 1 | u64::from(at < window);
        at += 1;
    });
    let of_position = |position: usize| match other {
        Symbols::Bytes(bytes) => masks.of_byte(bytes[position]),
        Symbols::Numbers(numbers) => masks.of(numbers[position]),
    };
    counted(of_string, of_other, of_position)
}

/// Counts the common symbols, and those that are in another order, from their positions in both
/// strings. `equal` returns the positions in one string of a symbol of the other.
#[inline(always)]
fn counted(of_string: u64, of_other: u64, equal: impl Fn(usize) -> u64) -> Matches {
    let (mut moved, mut left, mut at) = (0, of_string, of_other);
    while at != 0 {
        let own = left & left.wrapping_neg();
        moved += usize::from(equal(at.trailing_zeros() as usize) & own == 0);
        left ^= own;
        at &= at - 1;
    }
    Matches { common: of_other.count_ones() as usize, moved }
}

/// Marks the end of a list of positions.
const NONE: usize = usize::MAX;

/// Finds the common symbols by the list of the positions of each symbol. A position before the
/// window of one symbol is before the windows of all later symbols.
fn by_lists(a: Symbols<'_>, b: Symbols<'_>) -> Matches {
    let window = window(a.len(), b.len());
    let (ids, string) = Ids::new(a);
    let other = ids.of(b);
    let mut first = vec![NONE; ids.count];
    let mut next = vec![NONE; string.len()];
    for (at, &id) in string.iter().enumerate().rev() {
        next[at] = std::mem::replace(&mut first[id as usize], at);
    }
    let mut of_string = vec![false; string.len()];
    let mut of_other = Vec::new();
    for (at, &id) in other.iter().enumerate() {
        let head = &mut first[id as usize];
        while *head != NONE && *head < at.saturating_sub(window) {
            *head = next[*head];
        }
        if *head != NONE && *head <= at.saturating_add(window) {
            of_string[*head] = true;
            of_other.push(id);
            *head = next[*head];
        }
    }
    let in_string = string.iter().zip(&of_string).filter(|&(_, &is_common)| is_common);
    let moved = in_string.zip(&of_other).filter(|((a, _), b)| a != b).count();
    Matches { common: of_other.len(), moved }
}

/// A string that is prepared for many comparisons.
pub(super) struct Query {
    text: Text,
    /// `None` for strings that are empty, or too long.
    lanes: Option<LaneString>,
}

impl Query {
    pub(super) fn new(text: Text) -> Self {
        Self { lanes: LaneString::new(text.symbols()), text }
    }

    pub(super) fn symbols(&self) -> Symbols<'_> {
        self.text.symbols()
    }

    pub(super) fn similarity(&self, other: Symbols<'_>, least: f64) -> f64 {
        let string = self.symbols();
        with([string.len(), other.len()], least, || match &self.lanes {
            Some(lanes) if other.len() <= WORD => by_word(lanes.masks(), other, window(string.len(), other.len())),
            _ => by_lists(string, other),
        })
    }

    /// Computes the similarities of several strings.
    pub(super) fn similarities(&self, others: &[Symbols<'_>], similarities: &mut [f64]) {
        let together = |others: &_| self.lanes.as_ref()?.numbers::<Jaro>(others);
        by_lanes(others, similarities, together, |other| self.similarity(other, 0.0));
    }
}
