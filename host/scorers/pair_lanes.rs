//! Distances of one string to several others at a time: the bit-vectors of G. Myers (1999) and H.
//! Hyyrö (2003), and those of M. Crochemore et al. (2001) for the LCS.

use super::common::indel;
use super::edit_distance::unit;
use super::lanes::{LANES, LaneNumber, LaneString, Positions, by_lanes};
use super::text::Text;
use crate::pairs::cpu::osa;
use crate::pairs::{Cost, Symbols};

/// A string whose distances by a cost are computed.
pub(super) struct PairLanes {
    lanes: LaneString,
    string: Text,
    cost: Cost,
}

impl PairLanes {
    /// Returns the string; `None` if it is empty, or too long.
    pub(super) fn new(string: Symbols<'_>, cost: Cost) -> Option<Self> {
        LaneString::new(string).map(|lanes| Self { lanes, string: Text::new(string), cost })
    }

    /// Computes the distances of strings, of fewer than 2^30 symbols.
    pub(super) fn distances(&self, others: &[Symbols<'_>], distances: &mut [u32]) {
        let lanes = &self.lanes;
        let string = self.string.symbols();
        let alone = |other: Symbols<'_>| {
            (match self.cost {
                Cost::Levenshtein => unit(string, other, u64::MAX),
                Cost::Indel => indel(string, other, u64::MAX),
                Cost::Osa => osa::distance(string, other, u64::MAX, &|_| ()),
            }) as u32
        };
        match self.cost {
            Cost::Levenshtein => by_lanes(others, distances, |others| lanes.numbers::<Edits<false>>(others), alone),
            Cost::Osa => by_lanes(others, distances, |others| lanes.numbers::<Edits<true>>(others), alone),
            Cost::Indel => by_lanes(others, distances, |others| lanes.numbers::<Indels>(others), alone),
        }
    }
}

/// The edit distance, also with transpositions of neighbours.
struct Edits<const TRANSPOSITIONS: bool>;

impl<const TRANSPOSITIONS: bool> LaneNumber for Edits<TRANSPOSITIONS> {
    type Number = u32;

    // The names are Hyyrö's.
    #[inline(always)]
    fn numbers<W: Positions>(
        m: u32,
        columns: &[[W; LANES]],
        _: &mut [[W; LANES]],
        lengths: &[u32; LANES],
    ) -> [u32; LANES] {
        let none = W::default();
        let mut vp = [!none; LANES];
        let [mut vn, mut d0, mut left] = [[none; LANES]; 3];
        for (at, equal) in (0..).zip(columns) {
            for lane in 0..LANES {
                let (eq, p, n) = (equal[lane], vp[lane], vn[lane]);
                let mut d = ((eq & p).plus(p) ^ p) | eq | n;
                if TRANSPOSITIONS {
                    d = d | (!d0[lane] & eq) << 1 & left[lane];
                    d0[lane] = d;
                    left[lane] = eq;
                }
                let hp = (n | !(d | p)) << 1 | W::new(1);
                let hn = (d & p) << 1;
                // After its end, a string's column stays.
                let is_inside = at < lengths[lane];
                vp[lane] = if is_inside { hn | !(d | hp) } else { p };
                vn[lane] = if is_inside { hp & d } else { n };
            }
        }
        let rows = W::new(!0 >> (u64::BITS - m));
        let mut distances = *lengths;
        for lane in 0..LANES {
            distances[lane] = distances[lane] + (vp[lane] & rows).count() - (vn[lane] & rows).count();
        }
        distances
    }
}

/// The distance by insertions and deletions.
struct Indels;

impl LaneNumber for Indels {
    type Number = u32;

    #[inline(always)]
    fn numbers<W: Positions>(
        m: u32,
        columns: &[[W; LANES]],
        _: &mut [[W; LANES]],
        lengths: &[u32; LANES],
    ) -> [u32; LANES] {
        let mut v = [!W::default(); LANES];
        for equal in columns {
            for lane in 0..LANES {
                let matched = v[lane] & equal[lane];
                v[lane] = v[lane].plus(matched) | v[lane] & !matched;
            }
        }
        let mut distances = *lengths;
        for lane in 0..LANES {
            distances[lane] = m + distances[lane] - 2 * (!v[lane]).count();
        }
        distances
    }
}
