//! A cell of a table of Levenshtein's distance in bits, for independent tables.
//!
//! The recurrence is that of Myers (1999), written for single cells: 5 instructions of AVX-512, 8
//! of AVX2.

use super::vector::Vector;

/// A difference of D between neighbouring cells: bits for an increase, and for a decrease.
pub(crate) type Difference<V> = [V; 2];

/// Returns a difference of 1 in all tables: D at an edge.
#[inline(always)]
pub(crate) fn rising<V: Vector>(isa: V::Isa) -> Difference<V> {
    [V::splat(isa, !0), V::splat(isa, 0)]
}

/// Returns 1 where D is above that of the cell above and to the left. The bits of `differ` are 1
/// where the cell's symbols differ.
#[inline(always)]
pub(crate) fn rise<V: Vector>(differ: V, [_, mv]: Difference<V>, [_, mh]: Difference<V>) -> V {
    differ.and_not(mv.or(mh))
}

/// Computes a cell's differences, vertical and horizontal, from those to its left and above it.
#[inline(always)]
pub(crate) fn cell<V: Vector>(
    differ: V,
    vertical: Difference<V>,
    horizontal: Difference<V>,
) -> (Difference<V>, Difference<V>) {
    let above = rise(differ, vertical, horizontal);
    let [pv, mv] = vertical;
    let [ph, mh] = horizontal;
    ([mh.or(above.and_not(ph)), ph.and_not(above)], [mv.or(above.and_not(pv)), pv.and_not(above)])
}
