//! The recurrence of a cell: its differences from those above it and to its left, for independent
//! bits.
//!
//! | | Levenshtein | LCS |
//! |---|---|---|
//! | vertical difference | two bits: D rises (Pv), D falls (Mv) | one bit: L does not increase |
//! | horizontal difference | two bits: Ph, Mh | one bit: L increases |
//! | instructions of AVX-512 | 5 | 2 |
//! | of AVX2 | 8 | 4 |
//!
//! Levenshtein's recurrence is that of Myers (1999), written for single cells; LCS's is that of
//! Crochemore et al. (2001).

use crate::cpu::vector::Vector;

/// A recurrence for a vector of cells, each in a table of its own.
pub(super) trait Recurrence: Copy + Send + Sync + 'static {
    /// A difference for each bit of a vector.
    type Difference<V: Vector>: Copy + Send;

    /// Returns the vertical differences of column 0, the same in all its rows.
    fn left<V: Vector>(isa: V::Isa) -> Self::Difference<V>;

    /// Returns the horizontal differences of row 0, the same in all its columns.
    fn top<V: Vector>(isa: V::Isa) -> Self::Difference<V>;

    /// Computes a cell's differences, vertical and horizontal, from those to its left and above it.
    /// The bits of `differ` are 1 where the cell's symbols differ.
    fn cell<V: Vector>(
        differ: V,
        vertical: Self::Difference<V>,
        horizontal: Self::Difference<V>,
    ) -> (Self::Difference<V>, Self::Difference<V>);

    /// Returns `horizontal` where the bit of `lanes` is 1, and `other` where it is 0.
    fn select<V: Vector>(lanes: V, horizontal: Self::Difference<V>, other: Self::Difference<V>) -> Self::Difference<V>;

    /// Returns two bits whose number in a row [`total`](Self::total) takes, for the lanes that have
    /// the column.
    fn counted<V: Vector>(horizontal: Self::Difference<V>, lanes: V) -> [V; 2];

    /// Returns the distance of strings of m and n symbols, given the number of bits counted in row
    /// m. Modulo 2^32, for lanes whose table is unused.
    fn total(m: u32, n: u32, counted: u32) -> u32;
}

/// Insertions, deletions and substitutions.
#[derive(Debug, Clone, Copy)]
pub(super) struct Levenshtein;

impl Recurrence for Levenshtein {
    /// Bits for an increase of D, and for a decrease of D.
    type Difference<V: Vector> = [V; 2];

    #[inline(always)]
    fn left<V: Vector>(isa: V::Isa) -> [V; 2] {
        [V::splat(isa, !0), V::splat(isa, 0)]
    }

    #[inline(always)]
    fn top<V: Vector>(isa: V::Isa) -> [V; 2] {
        Self::left(isa)
    }

    #[inline(always)]
    fn cell<V: Vector>(differ: V, [pv, mv]: [V; 2], [ph, mh]: [V; 2]) -> ([V; 2], [V; 2]) {
        // 1 if D is above that of the cell above and to the left.
        let above = differ.and_not(mv.or(mh));
        ([mh.or(above.and_not(ph)), ph.and_not(above)], [mv.or(above.and_not(pv)), pv.and_not(above)])
    }

    #[inline(always)]
    fn select<V: Vector>(lanes: V, [ph, mh]: [V; 2], [other_ph, other_mh]: [V; 2]) -> [V; 2] {
        [lanes.and(ph).or(other_ph.and_not(lanes)), lanes.and(mh).or(other_mh.and_not(lanes))]
    }

    #[inline(always)]
    fn counted<V: Vector>([ph, mh]: [V; 2], lanes: V) -> [V; 2] {
        // The difference plus 1: 0, 1 or 2.
        [ph.and(lanes), lanes.and_not(mh)]
    }

    #[inline(always)]
    fn total(m: u32, n: u32, counted: u32) -> u32 {
        m.wrapping_add(counted).wrapping_sub(n)
    }
}

/// Insertions and deletions: the distance is m + n - 2 L for an LCS of length L.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lcs;

impl Recurrence for Lcs {
    /// Vertical: 1 if L does not increase. Horizontal: 1 if it does.
    type Difference<V: Vector> = V;

    #[inline(always)]
    fn left<V: Vector>(isa: V::Isa) -> V {
        V::splat(isa, !0)
    }

    #[inline(always)]
    fn top<V: Vector>(isa: V::Isa) -> V {
        V::splat(isa, 0)
    }

    #[inline(always)]
    fn cell<V: Vector>(differ: V, v: V, c: V) -> (V, V) {
        (c.or(v.and(differ)), v.and_not(differ.and_not(c)))
    }

    #[inline(always)]
    fn select<V: Vector>(lanes: V, c: V, other: V) -> V {
        lanes.and(c).or(other.and_not(lanes))
    }

    #[inline(always)]
    fn counted<V: Vector>(c: V, lanes: V) -> [V; 2] {
        [c.and(lanes), c.and_not(c)]
    }

    #[inline(always)]
    fn total(m: u32, n: u32, counted: u32) -> u32 {
        m.wrapping_add(n).wrapping_sub(counted.wrapping_mul(2))
    }
}
