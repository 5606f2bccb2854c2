//! The length of the longest common suffix.

use super::scorer::{DistanceToOne, Growth, Measure, Parameters, Scorer};
use crate::pairs::Symbols;
use crate::pairs::affixes::common_suffix;

pub(super) const SCORER: Scorer = Scorer {
    name: "postfix",
    about: "symbols that both strings have in common at the end",
    growth: Growth::Linear,
    measure: Measure::Distance {
        two: distance,
        maximum: |m, n, _| m.max(n) as u64,
        prepare: Some(|text, _| DistanceToOne::new(text, of_bytes, distance)),
    },
    of_pairs: None,
};

fn distance(a: Symbols<'_>, b: Symbols<'_>, _: &Parameters, _: u64) -> u64 {
    (a.len().max(b.len()) - common_suffix(a, b)) as u64
}

/// Compares eight bytes at a time.
#[inline]
fn of_bytes(a: &[u8], b: &[u8]) -> u64 {
    let longer = a.len().max(b.len());
    let (mut x, mut y) = (a, b);
    while let (Some((before_x, last_x)), Some((before_y, last_y))) =
        (x.split_last_chunk::<8>(), y.split_last_chunk::<8>())
    {
        let differ = u64::from_le_bytes(*last_x) ^ u64::from_le_bytes(*last_y);
        if differ != 0 {
            return (longer - (a.len() - x.len()) - differ.leading_zeros() as usize / 8) as u64;
        }
        (x, y) = (before_x, before_y);
    }
    let rest = x.iter().rev().zip(y.iter().rev()).take_while(|(x, y)| x == y).count();
    (longer - (a.len() - x.len()) - rest) as u64
}
