//! The length of the longest common prefix.

use super::scorer::{DistanceToOne, Growth, Measure, Parameters, Scorer};
use crate::pairs::Symbols;
use crate::pairs::affixes::common_prefix;

pub(super) const SCORER: Scorer = Scorer {
    name: "prefix",
    about: "symbols that both strings have in common at the beginning",
    growth: Growth::Linear,
    measure: Measure::Distance {
        two: distance,
        maximum: |m, n, _| m.max(n) as u64,
        prepare: Some(|text, _| DistanceToOne::new(text, of_bytes, distance)),
    },
    of_pairs: None,
};

fn distance(a: Symbols<'_>, b: Symbols<'_>, _: &Parameters, _: u64) -> u64 {
    (a.len().max(b.len()) - common_prefix(a, b)) as u64
}

/// Compares eight bytes at a time.
#[inline]
fn of_bytes(a: &[u8], b: &[u8]) -> u64 {
    let longer = a.len().max(b.len());
    let mut common = 0;
    for (x, y) in a.as_chunks::<8>().0.iter().zip(b.as_chunks::<8>().0) {
        let differ = u64::from_le_bytes(*x) ^ u64::from_le_bytes(*y);
        if differ != 0 {
            return (longer - common - differ.trailing_zeros() as usize / 8) as u64;
        }
        common += 8;
    }
    common += a[common..].iter().zip(&b[common..]).take_while(|(x, y)| x == y).count();
    (longer - common) as u64
}
