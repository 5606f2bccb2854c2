//! Computes one cell of an edit distance table for 32 pairs of strings at once: bit b of each word
//! belongs to pair b.
//!
//! **The table.** D\[i\]\[j\] is the distance of the first i symbols of one string and the first j
//! symbols of the other. Neighbours in a row or a column differ by -1, 0 or 1 (Ukkonen 1985), so
//! two bits hold a difference: P is 1 for a difference of 1, M for -1 (Myers 1999). The inputs of a
//! cell are the difference h along its top edge, the difference v along its left edge, and the
//! equality of its symbols. The outputs are h' and v', the differences along its bottom and right
//! edges:
//!
//! ```text
//!     D ── h ── .      D' = D + 1 - s      s = 1 if the diagonal step, or a step of -1
//!     v         v'     h' = 1 - s - v      along an edge, costs nothing:
//!     . ── h' ─ D'     v' = 1 - s - h      s = equal | M of v | M of h
//! ```
//!
//! **Levenshtein**, in five logic instructions of three operands each: n = !(equal | Mv | Mh),
//! which is 1 - s; Ph' = Mv | (n & !Pv), Mh' = !n & Pv, Pv' = Mh | (n & !Ph), Mv' = !n & Ph. No
//! code of two bits needs fewer.
//!
//! But h' = n - v is also an equation of *integers*, with U = P - M as a number of 32 bits: a
//! borrow from a neighbouring bit is undone when M is added, P = U + M. Subtractions use the
//! multiplication pipe, which is idle otherwise. So a cell of three logic instructions and four
//! additions is faster than a cell of five logic instructions, and a mixture of both keeps both
//! pipes busy.
//!
//! **The longest common subsequence** uses L in place of D, with h and v 0 or 1: L' = L + s with
//! s = equal | h | v, so h' = s - v and v' = s - h. By logic alone, h' = !v & (equal | h) and
//! v' = !h & (equal | v) take two instructions; otherwise a cell takes one logic instruction and
//! two subtractions. The distance without substitutions (indel distance) is m + n - 2 L.
//!
//! **Optimal string alignment** also counts transpositions of two neighbours (Hyyrö 2003). A
//! transposition ends in cell (i, j) if the symbols of the cells (i - 1, j) and (i, j - 1) match
//! and D rises along the diagonal to cell (i - 1, j - 1). It makes D\[i\]\[j\] that cell's D.
//!
//! **Cost** per 32 cells: 5 logic instructions, or 3 and 4 additions; for the LCS, 2 logic
//! instructions, or 1 and 2 additions; 7 logic instructions for optimal string alignment.

use simt_std::integer::{LOP3_A as A, LOP3_B as B, LOP3_C as C, lop3};

/// Levenshtein's distance.
pub const LEVENSHTEIN: u32 = 0;
/// The indel distance.
pub const INDEL: u32 = 1;
/// Optimal string alignment: Levenshtein's operations, and transpositions of two neighbours.
pub const OSA: u32 = 2;

/// Equality of the symbols of a cell, in each of 32 pairs.
#[derive(Debug, Clone, Copy)]
pub enum Symbols {
    /// Bits are 1 where the symbols are equal.
    Equal(u32),
    /// Bits are 1 where the symbols differ.
    Differ(u32),
}

/// The instructions that compute a column of cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Instructions {
    /// Logic instructions only.
    Logic,
    /// Fewer logic instructions, and additions.
    Sums,
}

impl Instructions {
    /// Returns the means for a column, if every `logic`-th column of the kernel uses logic
    /// instructions only: with `logic` 1 all columns do, with 0 none.
    #[inline(always)]
    pub const fn for_column(column: u32, logic: u32) -> Self {
        if logic != 0 && column.is_multiple_of(logic) { Self::Logic } else { Self::Sums }
    }
}

/// The differences along a horizontal edge: P and M for [`Instructions::Logic`], U and M for
/// [`Instructions::Sums`], h alone for the LCS.
pub type Horizontal = [u32; 2];

/// The differences along a vertical edge. For the LCS, `p` is v, and the other fields are unused.
#[derive(Debug, Clone, Copy, Default)]
pub struct Vertical {
    /// P, the bits of the pairs with a difference of 1.
    pub p: u32,
    /// M, the bits of the pairs with a difference of -1.
    pub m: u32,
    /// U = P - M, for [`Instructions::Sums`].
    pub u: u32,
}

impl Vertical {
    /// Returns the differences for the given P and M.
    #[inline(always)]
    pub fn new(p: u32, m: u32) -> Self {
        Self { p, m, u: p.wrapping_sub(m) }
    }
}

/// Returns P and M of a horizontal edge.
#[inline(always)]
pub fn plus_minus(instructions: Instructions, h: Horizontal) -> (u32, u32) {
    match instructions {
        Instructions::Logic => (h[0], h[1]),
        Instructions::Sums => (h[0].wrapping_add(h[1]), h[1]),
    }
}

/// Computes a cell of the Levenshtein distance: `h` becomes h' and `v` becomes v'.
#[inline(always)]
pub fn levenshtein(instructions: Instructions, symbols: Symbols, h: &mut Horizontal, v: &mut Vertical) {
    let n = match symbols {
        Symbols::Equal(equal) => lop3::<{ !(A | B | C) }>(equal, v.m, h[1]),
        Symbols::Differ(differ) => lop3::<{ A & !(B | C) }>(differ, v.m, h[1]),
    };
    match instructions {
        Instructions::Logic => {
            let (p, m) = (h[0], h[1]);
            *h = [lop3::<{ A | (B & !C) }>(v.m, n, v.p), lop3::<{ !A & B }>(n, v.p, 0)];
            *v = Vertical::new(lop3::<{ A | (B & !C) }>(m, n, p), lop3::<{ !A & B }>(n, p, 0));
        }
        Instructions::Sums => {
            let p = h[0].wrapping_add(h[1]);
            let u = n.wrapping_sub(h[0]);
            *h = [n.wrapping_sub(v.u), lop3::<{ !A & B }>(n, v.p, 0)];
            let m = lop3::<{ !A & B }>(n, p, 0);
            *v = Vertical { p: u.wrapping_add(m), m, u };
        }
    }
}

/// Computes a cell of the LCS: `h` becomes h' and `v` becomes v'.
#[inline(always)]
pub fn lcs(instructions: Instructions, symbols: Symbols, h: &mut Horizontal, v: &mut Vertical) {
    let (above, left) = (h[0], v.p);
    match (instructions, symbols) {
        (Instructions::Logic, Symbols::Equal(equal)) => {
            h[0] = lop3::<{ !A & (B | C) }>(left, equal, above);
            v.p = lop3::<{ !A & (B | C) }>(above, equal, left);
        }
        (Instructions::Logic, Symbols::Differ(differ)) => {
            h[0] = lop3::<{ !A & (!B | C) }>(left, differ, above);
            v.p = lop3::<{ !A & (!B | C) }>(above, differ, left);
        }
        (Instructions::Sums, symbols) => {
            let s = match symbols {
                Symbols::Equal(equal) => lop3::<{ A | B | C }>(equal, above, left),
                Symbols::Differ(differ) => lop3::<{ !A | B | C }>(differ, above, left),
            };
            h[0] = s.wrapping_sub(left);
            v.p = s.wrapping_sub(above);
        }
    }
}

/// The cell on the left: the differences along the edge between it and the next cell and, for
/// optimal string alignment, more of its state.
#[derive(Debug, Clone, Copy, Default)]
pub struct LeftCell {
    /// The differences along its right edge.
    pub v: Vertical,
    /// The pairs where D stays the same along the diagonal to the cell.
    pub d0: u32,
    /// The word of its [`Symbols`].
    pub symbols: u32,
}

/// Computes a cell of the distance `COST`: [`LEVENSHTEIN`], [`INDEL`] or [`OSA`]. `h` becomes h',
/// and `left` becomes this cell. `candidate` is as for [`osa`].
#[inline(always)]
pub fn cell<const COST: u32>(
    instructions: Instructions,
    symbols: Symbols,
    h: &mut Horizontal,
    candidate: &mut u32,
    left: &mut LeftCell,
) {
    match COST {
        INDEL => lcs(instructions, symbols, h, &mut left.v),
        OSA => osa(symbols, h, candidate, left),
        _ => levenshtein(instructions, symbols, h, &mut left.v),
    }
}

/// Computes a cell of optimal string alignment by logic instructions: `h` becomes h', and `left`
/// becomes this cell. `candidate` are the pairs where a transposition ends in this cell if the
/// symbols of the cell on the left match; it becomes that of the cell below. All cells take their
/// symbols in the same form.
#[inline(always)]
pub fn osa(symbols: Symbols, h: &mut Horizontal, candidate: &mut u32, left: &mut LeftCell) {
    let ([p, m], v) = (*h, left.v);
    let (symbols, d0, below) = match symbols {
        Symbols::Equal(equal) => {
            let d0 = lop3::<{ A | B | C }>(equal, v.m, m);
            let d0 = lop3::<{ A | (B & C) }>(d0, *candidate, left.symbols);
            (equal, d0, lop3::<{ A & !B }>(equal, left.d0, 0))
        }
        Symbols::Differ(differ) => {
            let d0 = lop3::<{ !A | B | C }>(differ, v.m, m);
            let d0 = lop3::<{ A | (B & !C) }>(d0, *candidate, left.symbols);
            (differ, d0, lop3::<{ !(A | B) }>(differ, left.d0, 0))
        }
    };
    *candidate = below;
    *h = [lop3::<{ A | !(B | C) }>(v.m, d0, v.p), lop3::<{ A & B }>(d0, v.p, 0)];
    let v = Vertical::new(lop3::<{ A | !(B | C) }>(m, d0, p), lop3::<{ A & B }>(d0, p, 0));
    *left = LeftCell { v, d0, symbols };
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares all possible cells, one per bit, with the recurrence.
    #[test]
    fn cells_are_those_of_the_recurrence() {
        let all = [Instructions::Logic, Instructions::Sums]
            .into_iter()
            .flat_map(|instructions| [(instructions, true), (instructions, false)]);
        for (instructions, by_equal) in all {
            let symbols = |equal: u32| if by_equal { Symbols::Equal(equal) } else { Symbols::Differ(!equal) };
            let mut cells = Vec::new();
            for equal in [0, 1] {
                for h in [-1i32, 0, 1] {
                    for v in [-1i32, 0, 1] {
                        cells.push((equal, h, v));
                    }
                }
            }
            let word = |of: &dyn Fn(&(i32, i32, i32)) -> bool| -> u32 {
                cells.iter().enumerate().map(|(b, cell)| u32::from(of(cell)) << b).sum()
            };
            let equal = word(&|c| c.0 == 1);
            let (hp, hm) = (word(&|c| c.1 == 1), word(&|c| c.1 == -1));
            let mut h = [if instructions == Instructions::Sums { hp.wrapping_sub(hm) } else { hp }, hm];
            let mut v = Vertical::new(word(&|c| c.2 == 1), word(&|c| c.2 == -1));
            levenshtein(instructions, symbols(equal), &mut h, &mut v);
            let (p, m) = plus_minus(instructions, h);
            assert_eq!(v.u, v.p.wrapping_sub(v.m));
            for (b, &(equal, h, v_in)) in cells.iter().enumerate() {
                // The corner is 0; the top edge ends at h, the left one at v.
                let corner = (h + 1).min(v_in + 1).min(1 - equal);
                let bit = |word: u32| (word >> b & 1) as i32;
                assert_eq!(bit(p) - bit(m), corner - v_in, "{instructions:?} {equal} {h} {v_in}");
                assert_eq!(bit(v.p) - bit(v.m), corner - h, "{instructions:?} {equal} {h} {v_in}");
            }

            let cells = [(0, 0, 0), (0, 0, 1), (0, 1, 0), (0, 1, 1), (1, 0, 0), (1, 0, 1), (1, 1, 0), (1, 1, 1)];
            let word = |of: &dyn Fn(&(u32, u32, u32)) -> u32| -> u32 {
                cells.iter().enumerate().map(|(b, cell)| of(cell) << b).sum()
            };
            let (mut h, mut v) = ([word(&|c| c.1), 0], Vertical::new(word(&|c| c.2), 0));
            lcs(instructions, symbols(word(&|c| c.0)), &mut h, &mut v);
            for (b, &(equal, h_in, v_in)) in cells.iter().enumerate() {
                let corner = h_in.max(v_in).max(equal);
                assert_eq!((h[0] >> b & 1, v.p >> b & 1), (corner - v_in, corner - h_in));
            }
        }
    }
}
