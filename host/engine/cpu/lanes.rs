//! The inner loop in lanes: every bit of a SIMD vector is a strip of its own, and no carry crosses a lane while a column
//! is computed.
//!
//! Crochemore's V' = (V + (V & M)) | (V & ~M), taken one row at a time with its carry c (see `strip`), is
//!
//! ```text
//!   v' = c | (v & ~m)      c' = v & (m | c)
//! ```
//!
//! Two instructions with three operands (AVX-512), for as many cells as a vector has bits if these cells lie in
//! different rows *and* columns. So each lane has `height` rows of its own, and works one pair of columns behind the lane
//! above it:
//!
//! ```text
//!   columns    0 1 2 3 4 5 6 7                     the cell of step t, row r of each lane; a step takes all rows,
//!             +---+---+---+---+                    r = 0, 1 .. height - 1, in turn, and a carry goes from row to row
//!   lane 0    | 0 | 1 | 2 | 3 |  height rows       inside its lane
//!             +---+---+---+---+
//!   lane 1    | 1 | 2 | 3 | 4 |  height rows       the carries out of a lane's last row are those into the next lane's
//!             +---+---+---+---+                    first row one step later: once a step, the vector of carries
//!   lane 2    | 2 | 3 | 4 | 5 |  height rows       moves by one bit
//!             +---+---+---+---+
//! ```
//!
//! m is not looked up but computed, from bit planes: m = AND over q of ~(row's bit q ^ column's bit q). A row's planes
//! are loaded once for both columns of the pair. The columns' planes move by one lane per step: a step reads them as an
//! unaligned window of the text's bits.
//!
//! Cost: with P planes, P + 2 instructions of AVX-512 or 2 P + 4 of AVX2 for a vector of cells, and P + 1 loads and a
//! store for two. A step costs about 14 + 10 P instructions more, so `height` should be 16 at least.
//!
//! The loops are plain code over `[u64; L]`, which LLVM turns into vectors of L words, and its logic into three-operand
//! instructions where there are any.

use super::planes::{plane, transpose};

/// Columns that a step takes together.
pub(super) const PAIR: usize = 2;
/// Columns to a word of every stream.
pub(super) const WORD_COLUMNS: usize = 64 * PAIR;
/// Rows of a lane at most: the strip's planes and vector then stay in the first-level cache or (6 planes and more)
/// nearly so, and a lane's part of the column fits a word.
pub(super) const MAX_HEIGHT: usize = 64;

/// Carries of 64 pairs of columns, those of the first columns of the pairs first.
pub(super) type Carries = [u64; PAIR];

/// Instructions that this processor has: a value of such a type is the proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lanes {
    /// 512 lanes, three-operand logic.
    Avx512(Avx512),
    /// 256 lanes.
    Avx2(Avx2),
    /// 64 lanes, for tests: small enough for many strips.
    #[cfg(test)]
    Plain(Plain),
}

impl Lanes {
    /// The fastest for this many planes, if any is faster than the words of `strip`.
    pub(super) fn fastest(planes: usize) -> Option<Self> {
        // AVX2 with 7 planes and more is slower than `strip`.
        let avx2 = || Avx2::detect().filter(|_| planes <= 6).map(Self::Avx2);
        Avx512::detect().map(Self::Avx512).or_else(avx2)
    }

    /// All that the processor has.
    #[cfg(test)]
    pub(super) fn all() -> Vec<Self> {
        let all = [Avx512::detect().map(Self::Avx512), Avx2::detect().map(Self::Avx2), Some(Self::Plain(Plain))];
        all.into_iter().flatten().collect()
    }

    /// 64 lanes to a word.
    pub(super) fn words(self) -> usize {
        match self {
            Self::Avx512(_) => 8,
            Self::Avx2(_) => 4,
            #[cfg(test)]
            Self::Plain(_) => 1,
        }
    }

    /// The strip of these rows, in lanes of `height` ≤ 64 rows. No more rows than that; if there are fewer, the last
    /// lanes compute rows that nobody reads.
    pub(super) fn strip(self, planes: usize, rows: &[u8], height: usize) -> Box<dyn Strip> {
        match self {
            Self::Avx512(isa) => strip::<8>(isa, planes, rows, height),
            Self::Avx2(isa) => strip::<4>(isa, planes, rows, height),
            #[cfg(test)]
            Self::Plain(isa) => strip::<1>(isa, planes, rows, height),
        }
    }
}

/// The columns, as streams of bits: planes 0 .. P - 1 of their codes and whether they match any row at all, of the
/// pairs' first columns and then of their second.
#[derive(Debug)]
pub(super) struct Text {
    words: Vec<u64>,
    /// Words of a stream. It begins with a word of zeros for each word of lanes, the columns "before the first" that
    /// lanes see until the first reaches them, and ends with as many.
    stream: usize,
}

impl Text {
    /// `codes` are those of [`Codes`](super::alphabet::Codes), of `symbols` in use.
    pub(super) fn new(codes: &[u8], symbols: usize, planes: usize, lanes: Lanes) -> Self {
        let pad = lanes.words();
        let stream = codes.len().div_ceil(WORD_COLUMNS) + 2 * pad;
        let mut words = vec![0; PAIR * (planes + 1) * stream];
        for (w, codes) in codes.chunks(WORD_COLUMNS).enumerate() {
            for k in 0..PAIR {
                let mut group = [0; 64];
                let mut matched = [0; 64];
                for ((group, matched), &code) in
                    group.iter_mut().zip(&mut matched).zip(codes.iter().skip(k).step_by(PAIR))
                {
                    *group = renumber(code);
                    // Code 0 matches no row, unless all 256 symbols occur.
                    *matched = u8::from(code != 0 || symbols == 256);
                }
                let at = |q: usize| (k * (planes + 1) + q) * stream + pad + w;
                for q in 0..planes {
                    words[at(q)] = plane(&group, q);
                }
                words[at(planes)] = plane(&matched, 0);
            }
        }
        Self { words, stream }
    }

    /// Words that a strip takes through all columns.
    pub(super) fn steps(&self, lanes: Lanes) -> usize {
        self.stream - lanes.words()
    }

    fn window<const L: usize>(&self, stream: usize, start: usize) -> Window<L> {
        let words = &self.words[stream * self.stream..][..self.stream][start..=start + L];
        let mut window = Window { low: [0; L], high: [0; L] };
        window.low.copy_from_slice(&words[..L]);
        window.high.copy_from_slice(&words[1..]);
        window
    }
}

/// Codes 1, 2 ... as 0, 1 ...: the code without rows has no planes, which saves DNA one.
fn renumber(code: u8) -> u8 {
    code.wrapping_sub(1)
}

/// 64 L + 64 bits of a stream.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Window<const L: usize> {
    low: [u64; L],
    high: [u64; L],
}

impl<const L: usize> Window<L> {
    /// The 64 L bits from bit `shift` < 64 on.
    #[inline(always)]
    fn at(&self, shift: u32) -> [u64; L] {
        zip(self.low, self.high, |low, high| low >> shift | high << 1 << (63 - shift))
    }
}

#[inline(always)]
fn zip<const L: usize>(a: [u64; L], b: [u64; L], f: impl Fn(u64, u64) -> u64) -> [u64; L] {
    let mut result = [0; L];
    for i in 0..L {
        result[i] = f(a[i], b[i]);
    }
    result
}

/// Row r of every lane. Lane 0 is the highest bit of the last word, so that later lanes see earlier columns.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Row<const P: usize, const L: usize> {
    planes: [[u64; L]; P],
    v: [u64; L],
}

/// A strip of rows in lanes, on its way through the columns.
pub(super) trait Strip: Send {
    /// 64 steps for each of `carries`, from word `start` of the steps on. `carries[i]` are the carries into the strip, of
    /// the pairs of word `start + i`; on return those out of it, of the pairs `64 L` before these.
    fn advance(&mut self, text: &Text, start: usize, carries: &mut [Carries]);

    /// The strip's words of the column, in the order of rows; `column` may end before the strip does.
    fn column(&self, column: &mut [u64]);
}

struct LaneStrip<const P: usize, const L: usize, I> {
    isa: I,
    rows: Vec<Row<P, L>>,
    /// The carries into row 0 of every lane at the next step.
    carry: [[u64; L]; PAIR],
}

fn strip<const L: usize>(isa: impl Isa, planes: usize, rows: &[u8], height: usize) -> Box<dyn Strip> {
    match planes {
        1 => Box::new(LaneStrip::<1, L, _>::new(isa, rows, height)),
        2 => Box::new(LaneStrip::<2, L, _>::new(isa, rows, height)),
        3 => Box::new(LaneStrip::<3, L, _>::new(isa, rows, height)),
        4 => Box::new(LaneStrip::<4, L, _>::new(isa, rows, height)),
        5 => Box::new(LaneStrip::<5, L, _>::new(isa, rows, height)),
        6 => Box::new(LaneStrip::<6, L, _>::new(isa, rows, height)),
        7 => Box::new(LaneStrip::<7, L, _>::new(isa, rows, height)),
        _ => Box::new(LaneStrip::<8, L, _>::new(isa, rows, height)),
    }
}

impl<const P: usize, const L: usize, I: Isa> LaneStrip<P, L, I> {
    fn new(isa: I, codes: &[u8], height: usize) -> Self {
        let mut rows = vec![Row { planes: [[0; L]; P], v: [!0; L] }; height];
        for (r, row) in rows.iter_mut().enumerate() {
            for word in 0..L {
                // From the last lane of this word, in its lowest bit, to the first.
                let mut group = [0; 64];
                let first = codes.get((L - 1 - word) * 64 * height + r..).unwrap_or_default();
                for (group, &code) in group.iter_mut().rev().zip(first.iter().step_by(height)) {
                    *group = renumber(code);
                }
                for q in 0..P {
                    row.planes[q][word] = plane(&group, q);
                }
            }
        }
        Self { isa, rows, carry: [[0; L]; PAIR] }
    }
}

impl<const P: usize, const L: usize, I: Isa> Strip for LaneStrip<P, L, I> {
    fn advance(&mut self, text: &Text, start: usize, carries: &mut [Carries]) {
        self.isa.advance(&mut self.rows, &mut self.carry, text, start, carries);
    }

    fn column(&self, column: &mut [u64]) {
        let height = self.rows.len();
        for word in 0..L {
            let mut lanes = [0; 64];
            for (lane, row) in lanes.iter_mut().zip(&self.rows) {
                *lane = row.v[word];
            }
            transpose(&mut lanes);
            for (lane, bits) in lanes.iter().rev().enumerate() {
                let bit = ((L - 1 - word) * 64 + lane) * height;
                for (word, bits) in [(bit / 64, bits << (bit % 64)), (bit / 64 + 1, bits >> 1 >> (63 - bit % 64))] {
                    if let Some(word) = column.get_mut(word) {
                        *word |= bits;
                    }
                }
            }
        }
    }
}

#[inline(always)]
fn advance<const P: usize, const L: usize>(
    rows: &mut [Row<P, L>],
    carry: &mut [[u64; L]; PAIR],
    text: &Text,
    start: usize,
    carries: &mut [Carries],
) {
    let mut c = *carry;
    for (word, packed) in carries.iter_mut().enumerate() {
        let mut windows = [[Window { low: [0; L], high: [0; L] }; P]; PAIR];
        let mut match_any = [Window { low: [0; L], high: [0; L] }; PAIR];
        for k in 0..PAIR {
            for q in 0..P {
                windows[k][q] = text.window(k * (P + 1) + q, start + word);
            }
            match_any[k] = text.window(k * (P + 1) + P, start + word);
        }
        let (mut carry_in, mut carry_out) = (*packed, [0; PAIR]);
        for shift in 0..64 {
            let mut planes = [[[0; L]; P]; PAIR];
            let mut any = [[0; L]; PAIR];
            for k in 0..PAIR {
                for q in 0..P {
                    planes[k][q] = windows[k][q].at(shift);
                }
                any[k] = match_any[k].at(shift);
            }
            for row in rows.iter_mut() {
                let mut v = row.v;
                for k in 0..PAIR {
                    let mut m = any[k];
                    for q in 0..P {
                        let differ = zip(row.planes[q], planes[k][q], |row, column| row ^ column);
                        m = zip(m, differ, |m, differ| m & !differ);
                    }
                    let kept = zip(v, m, |v, m| v & !m);
                    let next = zip(c[k], kept, |c, kept| c | kept);
                    c[k] = zip(v, zip(m, c[k], |m, c| m | c), |v, x| v & x);
                    v = next;
                }
                row.v = v;
            }
            for k in 0..PAIR {
                carry_out[k] = carry_out[k] >> 1 | c[k][0] << 63;
                let mut moved = [0; L];
                for i in 0..L {
                    let above = if i + 1 < L { c[k][i + 1] } else { carry_in[k] };
                    moved[i] = c[k][i] >> 1 | above << 63;
                }
                c[k] = moved;
                carry_in[k] >>= 1;
            }
        }
        *packed = carry_out;
    }
    *carry = c;
}

/// [`advance`], compiled for some instructions.
trait Isa: Copy + Send + 'static {
    fn advance<const P: usize, const L: usize>(
        self,
        rows: &mut [Row<P, L>],
        carry: &mut [[u64; L]; PAIR],
        text: &Text,
        start: usize,
        carries: &mut [Carries],
    );
}

/// A type that proves that the processor has a feature, and the loop compiled for it.
macro_rules! isa {
    ($name:ident, $feature:tt) => {
        #[doc = concat!("Proof that the processor has ", $feature, ".")]
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) struct $name(());

        impl $name {
            fn detect() -> Option<Self> {
                is_x86_feature_detected!($feature).then_some(Self(()))
            }
        }

        impl Isa for $name {
            fn advance<const P: usize, const L: usize>(
                self,
                rows: &mut [Row<P, L>],
                carry: &mut [[u64; L]; PAIR],
                text: &Text,
                start: usize,
                carries: &mut [Carries],
            ) {
                #[target_feature(enable = $feature)]
                fn compiled<const P: usize, const L: usize>(
                    rows: &mut [Row<P, L>],
                    carry: &mut [[u64; L]; PAIR],
                    text: &Text,
                    start: usize,
                    carries: &mut [Carries],
                ) {
                    advance(rows, carry, text, start, carries);
                }
                // SAFETY: `detect` makes the only values of this type, where the processor has the feature.
                unsafe { compiled(rows, carry, text, start, carries) }
            }
        }
    };
}

isa!(Avx512, "avx512f");
isa!(Avx2, "avx2");

/// No instructions but the target's own.
#[cfg(test)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Plain;

#[cfg(test)]
impl Isa for Plain {
    fn advance<const P: usize, const L: usize>(
        self,
        rows: &mut [Row<P, L>],
        carry: &mut [[u64; L]; PAIR],
        text: &Text,
        start: usize,
        carries: &mut [Carries],
    ) {
        advance(rows, carry, text, start, carries);
    }
}
