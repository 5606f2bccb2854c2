//! The recurrence of a cell: its differences from those above it and to its left, for independent
//! bits.
//!
//! | | Levenshtein | OSA | LCS |
//! |---|---|---|---|
//! | vertical difference | two bits: D rises, D falls | the same | one bit: L does not increase |
//! | horizontal difference | two bits | the same | one bit: L increases |
//! | other bits to the right | | D rises along the diagonal; the symbols differ | |
//! | other bits downwards | | both, of neighbours | |
//! | instructions of AVX-512 | 5 | 7 | 2 |
//! | of AVX2 | 8 | 11 | 4 |
//!
//! Levenshtein's recurrence is that of Myers (1999), written for single cells; that of optimal
//! string alignment (OSA) adds Hyyrö's transpositions (2003); LCS's is that of Crochemore et al.
//! (2001).

use crate::cpu::levenshtein_cell;
use crate::cpu::vector::Vector;

/// A recurrence for a vector of cells, each in a table of its own.
pub(super) trait Recurrence: Copy + Send + Sync + 'static {
    /// The vertical difference of each bit of a vector, and what else a cell needs from its left.
    type Vertical<V: Vector>: Copy + Send;
    /// The horizontal difference, and what else a cell needs from above.
    type Horizontal<V: Vector>: Copy + Send;
    /// True if a cell needs cells beside those of its alignments.
    const NEEDS_NEIGHBOURS: bool = false;

    /// Returns the vertical differences of column 0, the same in all its rows.
    fn left<V: Vector>(isa: V::Isa) -> Self::Vertical<V>;

    /// Returns the horizontal differences of row 0, the same in all its columns.
    fn top<V: Vector>(isa: V::Isa) -> Self::Horizontal<V>;

    /// Computes a cell's differences, vertical and horizontal, from those to its left and above it.
    /// The bits of `differ` are 1 where the cell's symbols differ.
    fn cell<V: Vector>(
        differ: V,
        vertical: Self::Vertical<V>,
        horizontal: Self::Horizontal<V>,
    ) -> (Self::Vertical<V>, Self::Horizontal<V>);

    /// Returns the difference of `horizontal` where the bit of `lanes` is 1, and that of `other`
    /// where it is 0.
    fn select<V: Vector>(lanes: V, horizontal: Self::Horizontal<V>, other: Self::Horizontal<V>) -> Self::Horizontal<V>;

    /// Returns two bits whose number in a row [`total`](Self::total) takes, for the lanes that have
    /// the column.
    fn counted<V: Vector>(horizontal: Self::Horizontal<V>, lanes: V) -> [V; 2];

    /// Returns the distance of strings of m and n symbols, given the number of bits counted in row
    /// m. Modulo 2^32, for lanes whose table is unused.
    fn total(m: u32, n: u32, counted: u32) -> u32;
}

/// Insertions, deletions and substitutions.
#[derive(Debug, Clone, Copy)]
pub(super) struct Levenshtein;

impl Recurrence for Levenshtein {
    /// Bits for an increase of D, and for a decrease of D.
    type Vertical<V: Vector> = [V; 2];
    type Horizontal<V: Vector> = [V; 2];

    #[inline(always)]
    fn left<V: Vector>(isa: V::Isa) -> [V; 2] {
        levenshtein_cell::rising(isa)
    }

    #[inline(always)]
    fn top<V: Vector>(isa: V::Isa) -> [V; 2] {
        Self::left(isa)
    }

    #[inline(always)]
    fn cell<V: Vector>(differ: V, vertical: [V; 2], horizontal: [V; 2]) -> ([V; 2], [V; 2]) {
        levenshtein_cell::cell(differ, vertical, horizontal)
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

/// Insertions, deletions, substitutions and transpositions.
#[derive(Debug, Clone, Copy)]
pub(super) struct Osa;

/// Values of a cell that the cell on its right needs.
#[derive(Debug, Clone, Copy)]
pub(super) struct ToTheRight<V> {
    difference: [V; 2],
    /// 1 if D rises along the diagonal to the cell.
    rises: V,
    /// 1 if the cell's symbols differ.
    differ: V,
}

/// Values of a cell that the cell below it needs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Downwards<V> {
    difference: [V; 2],
    /// 1 if a transposition ends in the cell below, given that the symbols of the cell on that
    /// one's left are equal.
    candidate: V,
}

impl Recurrence for Osa {
    type Vertical<V: Vector> = ToTheRight<V>;
    type Horizontal<V: Vector> = Downwards<V>;
    const NEEDS_NEIGHBOURS: bool = true;

    #[inline(always)]
    fn left<V: Vector>(isa: V::Isa) -> ToTheRight<V> {
        ToTheRight { difference: Levenshtein::left(isa), rises: V::splat(isa, 0), differ: V::splat(isa, !0) }
    }

    #[inline(always)]
    fn top<V: Vector>(isa: V::Isa) -> Downwards<V> {
        Downwards { difference: Levenshtein::top(isa), candidate: V::splat(isa, 0) }
    }

    #[inline(always)]
    fn cell<V: Vector>(differ: V, left: ToTheRight<V>, above: Downwards<V>) -> (ToTheRight<V>, Downwards<V>) {
        let ([pv, mv], [ph, mh]) = (left.difference, above.difference);
        // A transposition ends in the cell.
        let transposed = above.candidate.and_not(left.differ);
        let rises = differ.and_not(mv.or(mh).or(transposed));
        let vertical = [mh.or(rises.and_not(ph)), ph.and_not(rises)];
        let horizontal = [mv.or(rises.and_not(pv)), pv.and_not(rises)];
        let candidate = left.rises.and_not(differ);
        (ToTheRight { difference: vertical, rises, differ }, Downwards { difference: horizontal, candidate })
    }

    #[inline(always)]
    fn select<V: Vector>(lanes: V, horizontal: Downwards<V>, other: Downwards<V>) -> Downwards<V> {
        Downwards { difference: Levenshtein::select(lanes, horizontal.difference, other.difference), ..other }
    }

    #[inline(always)]
    fn counted<V: Vector>(horizontal: Downwards<V>, lanes: V) -> [V; 2] {
        Levenshtein::counted(horizontal.difference, lanes)
    }

    #[inline(always)]
    fn total(m: u32, n: u32, counted: u32) -> u32 {
        Levenshtein::total(m, n, counted)
    }
}

/// Insertions and deletions: the distance is m + n - 2 L for an LCS of length L.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lcs;

impl Recurrence for Lcs {
    /// 1 if L does not increase.
    type Vertical<V: Vector> = V;
    /// 1 if L increases.
    type Horizontal<V: Vector> = V;

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
