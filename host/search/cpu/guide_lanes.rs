//! The distances of a guide from the symbols beside many sites, one site per bit of a vector.
//!
//! With substitutions only, the distance is the number of symbols that differ. With gaps:
//!
//! ```text
//!             symbols of a site, from the frame outwards: j
//!           1   2   3   4   5   6
//! guide 1   x   x   x                 band of r + 1 + d cells a row, for up to r symbols of the
//!   i   2   x   x   x   x             guide alone and d of the site alone (r = 1, d = 2 here)
//!       3       x   x   x   x
//!       4           x   x   x   x     D = the rises along the diagonal (j = i), and from there the
//!                                     differences in the last row
//! ```
//!
//! A cell has the differences of D from its neighbours ([`levenshtein_cell`]). The cells beside the
//! band count as one more than their neighbour in it. So a distance within the limits is exact or
//! less, and one below the distance without a band does not occur.

use crate::cpu::levenshtein_cell::{Difference, cell, rise, rising};
use crate::cpu::vector::Vector;

/// Largest number of symbols that the guide or the site alone may have.
pub const MOST: usize = 4;

/// Bits of a number of rises.
const PLANES: usize = 6;

/// Largest number of symbols of a guide, and of errors and symbols alone together.
pub const LONGEST: usize = (1 << PLANES) - 1;

/// The symbols beside the sites, from the frame outwards: for each, a vector for each code, with 1
/// where the site's symbol differs from it.
pub type Beside<V> = Vec<[V; 4]>;

/// Upper bounds on the errors of a site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Errors of all kinds.
    pub errors: u32,
    /// Symbols of the site alone, at most [`MOST`].
    pub insertions: usize,
    /// Symbols of the guide alone, at most [`MOST`].
    pub deletions: usize,
}

/// Returns 1 for the sites whose distance is at most `bounds.errors`, of a guide of at most
/// [`LONGEST`] symbols, given as codes from the frame outwards.
#[inline(always)]
pub fn near<V: Vector>(isa: V::Isa, beside: &[[V; 4]], guide: &[u8], bounds: Bounds) -> V {
    match bounds.insertions + bounds.deletions + 1 {
        1 => without_gaps(isa, beside, guide, bounds.errors),
        2 => in_band::<V, 2>(isa, beside, guide, bounds),
        3 => in_band::<V, 3>(isa, beside, guide, bounds),
        4 => in_band::<V, 4>(isa, beside, guide, bounds),
        5 => in_band::<V, 5>(isa, beside, guide, bounds),
        6 => in_band::<V, 6>(isa, beside, guide, bounds),
        7 => in_band::<V, 7>(isa, beside, guide, bounds),
        8 => in_band::<V, 8>(isa, beside, guide, bounds),
        _ => in_band::<V, 9>(isa, beside, guide, bounds),
    }
}

/// Computes [`near`] for substitutions only.
#[inline(always)]
fn without_gaps<V: Vector>(isa: V::Isa, beside: &[[V; 4]], guide: &[u8], most: u32) -> V {
    let mut differences = Rises::new(isa);
    for (codes, beside) in guide.chunks(2).zip(beside.chunks(2)) {
        let mut two = [V::splat(isa, 0); 2];
        for ((own, code), differ) in two.iter_mut().zip(codes).zip(beside) {
            *own = differ[usize::from(code & 3)];
        }
        differences.add(two);
    }
    V::splat(isa, !0).and_not(differences.above(isa, most))
}

/// Computes [`near`] for a band of B cells a row.
#[inline(always)]
fn in_band<V: Vector, const B: usize>(isa: V::Isa, beside: &[[V; 4]], guide: &[u8], bounds: Bounds) -> V {
    let Bounds { errors, insertions, deletions } = bounds;
    let diagonal = deletions;
    // The horizontal differences of a row; in row 0, D is j.
    let mut row = [rising(isa); B];
    let mut rises = Rises::new(isa);
    let (first, rest) = guide.split_at(deletions.min(guide.len()));
    for (i, &code) in first.iter().enumerate() {
        // The cells from j = 1 on.
        let from = deletions - i;
        let rise = step(isa, &mut row, from..B, &beside[..B - from], code, diagonal);
        rises.add([rise, V::splat(isa, 0)]);
    }
    let mut windows = beside.windows(B);
    for codes in rest.chunks(2) {
        let mut two = [V::splat(isa, 0); 2];
        for ((own, &code), beside) in two.iter_mut().zip(codes).zip(&mut windows) {
            *own = step(isa, &mut row, 0..B, beside, code, diagonal);
        }
        rises.add(two);
    }
    let mut near = V::splat(isa, !0).and_not(rises.above(isa, errors));
    let right = row[diagonal + 1..].iter().copied();
    // To the left, an increase is a decrease.
    let left = row[..=diagonal].iter().rev().take(deletions).map(|&[plus, minus]| [minus, plus]);
    for falls in [falls(isa, right), falls(isa, left)] {
        for (fall, lanes) in (1..).zip(falls).take(insertions.max(deletions)) {
            near = near.or(lanes.and_not(rises.above(isa, errors + fall)));
        }
    }
    near
}

/// Computes a row of the band from the row above, for the cells `cells`, whose symbols are
/// `beside`. Returns 1 where D rises along the diagonal.
#[inline(always)]
fn step<V: Vector, const B: usize>(
    isa: V::Isa,
    row: &mut [Difference<V>; B],
    cells: std::ops::Range<usize>,
    beside: &[[V; 4]],
    code: u8,
    diagonal: usize,
) -> V {
    let code = usize::from(code & 3);
    let mut left = rising(isa);
    let mut on_diagonal = V::splat(isa, 0);
    for (c, differ) in cells.zip(beside) {
        let above = if c + 1 < B { row[c + 1] } else { rising(isa) };
        let differ = differ[code];
        if c == diagonal {
            on_diagonal = rise(differ, left, above);
        }
        (left, row[c]) = cell(differ, left, above);
    }
    on_diagonal
}

/// Numbers of rises, one per lane, in bit planes.
struct Rises<V>([V; PLANES]);

impl<V: Vector> Rises<V> {
    #[inline(always)]
    fn new(isa: V::Isa) -> Self {
        Self([V::splat(isa, 0); PLANES])
    }

    #[inline(always)]
    fn add(&mut self, [x, y]: [V; 2]) {
        let [first, others @ ..] = &mut self.0;
        let mut carry = x.and(y).or(first.and(x.or(y)));
        *first = first.xor(x).xor(y);
        for plane in others {
            (*plane, carry) = (plane.xor(carry), plane.and(carry));
        }
    }

    /// Returns 1 where the number is more than `most`.
    #[inline(always)]
    fn above(&self, isa: V::Isa, most: u32) -> V {
        (0..).zip(self.0).fold(
            V::splat(isa, 0),
            |above, (q, plane)| {
                if most >> q & 1 == 1 { above.and(plane) } else { above.or(plane) }
            },
        )
    }
}

/// Returns the lanes in which a running sum reaches -1, those in which it reaches -2, and so on to
/// -[`MOST`]. The sum starts at 0; a step has bits for an increase and for a decrease by 1.
#[inline(always)]
fn falls<V: Vector>(isa: V::Isa, steps: impl Iterator<Item = [V; 2]>) -> [V; MOST] {
    let zero = V::splat(isa, 0);
    // The lanes at each sum from -MOST to MOST, and a sum beyond at either end.
    const START: usize = MOST + 1;
    let mut sums = [zero; 2 * MOST + 3];
    sums[START] = V::splat(isa, !0);
    let mut fallen = [zero; MOST];
    for (number, [plus, minus]) in steps.take(MOST).enumerate() {
        let mut next = [zero; 2 * MOST + 3];
        let reach = number + 1;
        for at in START - reach..=START + reach {
            let stays = sums[at].and_not(plus.or(minus));
            next[at] = stays.or(sums[at - 1].and(plus)).or(sums[(at + 1).min(2 * MOST + 2)].and(minus));
        }
        sums = next;
        for (fall, lanes) in (1..=reach).zip(&mut fallen) {
            *lanes = lanes.or(sums[START - fall]);
        }
    }
    fallen
}
