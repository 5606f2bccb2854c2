//! Takes some rows of an edit distance table through a block of columns: Myers' words (1999), 8 or
//! 16 of them on an anti-diagonal, as in A*PA2 (Groot Koerkamp 2024).
//!
//! ```text
//!            columns of a block
//!           +--+--+--+--+--+--+
//!   word 0  |  | 3| 4|  |  |  |  A step takes each word of 64 rows one column on. The word below
//!   word 1  |  | 2| 3|  |  |  |  is one column behind: it needs to know if D rises or falls in the
//!   word 2  |  | 1| 2| 3|  |  |  last row of the word above, which the step before has found.
//!           +--+--+--+--+--+--+
//! ```
//!
//! Above the first row D is assumed to rise by 1 from column to column, and below the last rows of
//! a block by 1 from row to row: moves that a path can make. So every computed value is the cost of
//! some path, and that of the cheapest path within the rows is exact.
//!
//! If a substitution costs two, like an insertion and a deletion, D differs by 1 from each cell to
//! the next, and the step is that of Crochemore, Iliopoulos, Pinzon, Reid (2001) with its carry
//! from word to word.
//!
//! Cost: with P planes P + 17 vector instructions for a vector's words and a column, or P + 8 if a
//! substitution costs two.

use super::costs::Costs;
#[cfg(target_arch = "x86_64")]
use crate::cpu::vector::{Avx2, Avx512};
use crate::cpu::vector::{Isa, Plain, Vector};

/// Upper bound on the columns of a block.
pub(super) const BLOCK: usize = 256;
/// Number of words of the smaller strip; ranges of rows are multiples of it.
pub(super) const GROUP: usize = 8;
/// Number of words of the larger strip, whose two halves keep the processor busier.
pub(super) const STRIP: usize = 2 * GROUP;
/// Number of words before and after the columns of a stream, for words that have not entered the
/// block or have left it.
pub(super) const PAD: usize = STRIP;
/// Number of words of a stream.
pub(super) const STREAM: usize = PAD + BLOCK + PAD;

/// Instruction set to use.
#[derive(Debug, Clone, Copy)]
pub(super) enum Instructions {
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    Plain(Plain),
}

impl Instructions {
    pub(super) fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        if let Some(isa) = Avx512::detect() {
            return Self::Avx512(isa);
        }
        #[cfg(target_arch = "x86_64")]
        if let Some(isa) = Avx2::detect() {
            return Self::Avx2(isa);
        }
        Self::Plain(Plain)
    }

    /// Returns all instruction sets of this processor.
    #[cfg(test)]
    pub(super) fn all() -> Vec<Self> {
        #[cfg(target_arch = "x86_64")]
        let wide = [Avx512::detect().map(Self::Avx512), Avx2::detect().map(Self::Avx2)];
        #[cfg(not(target_arch = "x86_64"))]
        let wide = [];
        wide.into_iter().flatten().chain([Self::Plain(Plain)]).collect()
    }
}

/// Changes of D in a row, for each column of a block: bits for an increase by 1 from the previous
/// column, and bits for a decrease.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct HorizontalDeltas {
    pub(super) plus: [u64; BLOCK / 64 + 1],
    pub(super) minus: [u64; BLOCK / 64 + 1],
}

impl HorizontalDeltas {
    /// D increases by 1 from column to column.
    pub(super) const RISING: Self = Self { plus: [!0; BLOCK / 64 + 1], minus: [0; BLOCK / 64 + 1] };

    /// Sets a column's bits to the highest bits of two words.
    #[inline(always)]
    fn set(&mut self, column: usize, plus: u64, minus: u64) {
        let place = |bit: u64| bit >> 63 << (column % 64);
        let keep = !(1 << (column % 64));
        self.plus[column / 64] = self.plus[column / 64] & keep | place(plus);
        self.minus[column / 64] = self.minus[column / 64] & keep | place(minus);
    }
}

/// Kind of step of a strip through a block: the number of bit planes of the symbols, the cost of a
/// substitution, and the instruction set.
#[derive(Debug, Clone, Copy)]
pub(super) struct Kind {
    pub(super) instructions: Instructions,
    /// 2, 5 or 8.
    pub(super) planes: usize,
    pub(super) costs: Costs,
}

/// A strip of words, and its neighbourhood.
pub(super) struct Strip<'s> {
    /// Planes of the rows, from the strip's last word on, each `stride` words after the previous
    /// one.
    pub(super) rows: &'s [u64],
    pub(super) stride: usize,
    /// Streams of the columns, and the number of columns.
    pub(super) streams: &'s [u64],
    pub(super) columns: usize,
    pub(super) plus: &'s mut [u64],
    pub(super) minus: &'s mut [u64],
    /// On entry the changes in the row above, on return those in the last row.
    pub(super) above: &'s mut HorizontalDeltas,
}

impl Kind {
    /// Takes a strip of [`GROUP`] or [`STRIP`] words through a block. With `KEEP`, appends two bits
    /// of every cell to `kept`.
    pub(super) fn run<const KEEP: bool>(self, strip: Strip<'_>, kept: &mut Vec<u64>) {
        match self.instructions {
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512(isa) => self.with_planes::<1, 2, KEEP, _>(isa, strip, kept),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2(isa) => self.with_planes::<2, 4, KEEP, _>(isa, strip, kept),
            Instructions::Plain(isa) => self.with_planes::<8, 16, KEEP, _>(isa, strip, kept),
        }
    }

    /// Runs the strip for a number of planes. `HALF` vectors hold the smaller strip, `FULL` the
    /// larger.
    fn with_planes<const HALF: usize, const FULL: usize, const KEEP: bool, I: Isa>(
        self,
        isa: I,
        strip: Strip<'_>,
        kept: &mut Vec<u64>,
    ) {
        match (self.planes, strip.plus.len() == STRIP) {
            (2, true) => self.with_costs::<2, FULL, KEEP, I>(isa, strip, kept),
            (2, false) => self.with_costs::<2, HALF, KEEP, I>(isa, strip, kept),
            (5, true) => self.with_costs::<5, FULL, KEEP, I>(isa, strip, kept),
            (5, false) => self.with_costs::<5, HALF, KEEP, I>(isa, strip, kept),
            (_, true) => self.with_costs::<8, FULL, KEEP, I>(isa, strip, kept),
            (_, false) => self.with_costs::<8, HALF, KEEP, I>(isa, strip, kept),
        }
    }

    fn with_costs<const P: usize, const K: usize, const KEEP: bool, I: Isa>(
        self,
        isa: I,
        strip: Strip<'_>,
        kept: &mut Vec<u64>,
    ) {
        match self.costs {
            Costs::Levenshtein => isa.run(
                #[inline(always)]
                || advance::<P, K, KEEP, false, I>(isa, strip, kept),
            ),
            Costs::Indel => isa.run(
                #[inline(always)]
                || advance::<P, K, KEEP, true, I>(isa, strip, kept),
            ),
        }
    }
}

/// Differences of a vector's cells: Pv and Mv to the row above, Ph and Mh to the previous column.
struct Cells<V> {
    pv: V,
    mv: V,
    ph: V,
    mh: V,
}

/// Takes a vector's cells one column further, by Myers' step. `plus_in` and `minus_in` are the
/// differences in the row above each word.
#[inline(always)]
fn levenshtein<V: Vector>(ones: V, pv: V, mv: V, eq: V, plus_in: V, minus_in: V) -> Cells<V> {
    let xv = eq.or(mv);
    let eq = eq.or(minus_in);
    let xh = eq.and(pv).add(pv).xor(pv).or(eq);
    let ph = mv.or(ones.and_not(xh.or(pv)));
    let mh = pv.and(xh);
    let plus_down = ph.doubled().or(plus_in);
    let minus_down = mh.doubled().or(minus_in);
    Cells { pv: minus_down.or(ones.and_not(xv.or(plus_down))), mv: plus_down.and(xv), ph, mh }
}

/// Takes a vector's cells one column further if a substitution costs two, by Crochemore's step: Pv
/// marks where D rises down the rows, and `minus_in` is the carry.
#[inline(always)]
fn indel<V: Vector>(ones: V, pv: V, eq: V, minus_in: V) -> Cells<V> {
    let both = pv.and(eq);
    let sum = pv.add(both).add(minus_in);
    let mh = both.or(pv.and_not(sum));
    let next = sum.or(pv.and_not(eq));
    Cells { pv: next, mv: ones.and_not(next), ph: ones.and_not(mh), mh }
}

/// Takes K vectors' words through the block. Plain loops with everything inlined, as in
/// `cpu::lanes`.
#[inline(always)]
fn advance<const P: usize, const K: usize, const KEEP: bool, const INDEL: bool, I: Isa>(
    isa: I,
    strip: Strip<'_>,
    kept: &mut Vec<u64>,
) {
    let Strip { rows, stride, streams, columns, plus, minus, above: edge } = strip;
    let width = I::Vector::WORDS;
    let words = K * width;
    // Vector v has the words v V to v V + V - 1, the last one first.
    let at = |v: usize| words - (v + 1) * width;
    let zero: I::Vector = Vector::splat(isa, 0);
    let ones: I::Vector = Vector::splat(isa, !0);
    let mut planes = [[zero; K]; P];
    let mut pv = [zero; K];
    let mut mv = [zero; K];
    for v in 0..K {
        for q in 0..P {
            planes[q][v] = Vector::load(isa, &rows[q * stride + at(v)..]);
        }
        pv[v] = Vector::load(isa, &plus[at(v)..]);
        mv[v] = Vector::load(isa, &minus[at(v)..]);
    }
    // Values of the previous step, in the words' last rows.
    let mut ph = [zero; K];
    let mut mh = [zero; K];
    let above = *edge;
    let mut below = HorizontalDeltas::default();
    let symbols: [&[u64]; P] = std::array::from_fn(|q| &streams[q * STREAM..][..STREAM]);
    let matched = &streams[P * STREAM..][..STREAM];
    let exist = &streams[(P + 1) * STREAM..][..STREAM];
    let base = kept.len();
    if KEEP {
        kept.resize(base + 2 * words * (columns + words - 1), 0);
    }
    let first_full = (words - 1).min(columns);
    for (range, masked) in [(0..first_full, true), (first_full..columns, false), (columns..columns + words - 1, true)] {
        for step in range {
            let mut above_plus = Vector::splat(isa, top_bit(&above.plus, step));
            let mut above_minus = Vector::splat(isa, top_bit(&above.minus, step));
            for v in 0..K {
                let from = PAD + 1 + step - (v + 1) * width;
                let mut eq: I::Vector = Vector::load(isa, &matched[from..]);
                for q in 0..P {
                    eq = eq.and_equal(planes[q][v], Vector::load(isa, &symbols[q][from..]));
                }
                let minus_in = mh[v].words_down(above_minus).top_bits();
                above_minus = mh[v];
                let mut next = if INDEL {
                    indel(ones, pv[v], eq, minus_in)
                } else {
                    let plus_in = ph[v].words_down(above_plus).top_bits();
                    above_plus = ph[v];
                    levenshtein(ones, pv[v], mv[v], eq, plus_in, minus_in)
                };
                if masked {
                    let exist: I::Vector = Vector::load(isa, &exist[from..]);
                    next.pv = next.pv.and(exist).or(pv[v].and_not(exist));
                    next.mv = next.mv.and(exist).or(mv[v].and_not(exist));
                }
                (pv[v], mv[v], ph[v], mh[v]) = (next.pv, next.mv, next.ph, next.mh);
            }
            if KEEP {
                let from = base + 2 * words * step;
                for v in 0..K {
                    pv[v].store(&mut kept[from + at(v)..]);
                    ph[v].store(&mut kept[from + words + at(v)..]);
                }
            }
            // The last word is one column per word behind the first. Bits from before its start are
            // overwritten.
            below.set((step + 1).saturating_sub(words), ph[K - 1].first(), mh[K - 1].first());
        }
    }
    for v in 0..K {
        pv[v].store(&mut plus[at(v)..]);
        mv[v].store(&mut minus[at(v)..]);
    }
    *edge = below;
}

/// Returns the bit of a column, as the highest bit of a word.
#[inline(always)]
fn top_bit(words: &[u64; BLOCK / 64 + 1], column: usize) -> u64 {
    words[column / 64] >> (column % 64) << 63
}
