//! The inner loop in lanes: every bit of a SIMD vector is a strip of rows of its own, and no carry crosses a lane while
//! a column is computed.
//!
//! Crochemore's V' = (V + (V & M)) | (V & ~M), taken one row at a time with its carry c, is
//!
//! ```text
//!   v' = c | (v & ~m)      c' = v & (m | c)
//! ```
//!
//! Two instructions of three operands for as many cells as a vector has bits, if no two of these cells share a row or a
//! column. So each lane has `height` rows of its own, and is one step (two columns) behind the lane above it:
//!
//! ```text
//!                 columns, two a step
//!               +---+---+---+---+---+
//!      lane 0   | 1 | 2 | 3 | 4 | 5 |   the number of the step; it takes rows 0, 1 .. height - 1 of all lanes in turn,
//!               +---+---+---+---+---+   each one vector, and the carries pass from row to row within their lanes
//!      lane 1   | 2 | 3 | 4 | 5 | 6 |
//!               +---+---+---+---+---+   the carries out of a lane's last row are those into the next lane's first row
//!      lane 2   | 3 | 4 | 5 | 6 | 7 |   one step later: once a step, the vector of carries moves by one bit
//!               +---+---+---+---+---+
//! ```
//!
//! m is not looked up but computed, from bit planes: m = AND of ~(row's bit q ^ column's bit q) over all q. A row's
//! planes are loaded once for both columns. The columns' planes move by one lane a step: a window of the text's bits.
//!
//! Cost: with P planes, P + 2 instructions of AVX-512 or 2 P + 4 of AVX2 for a vector of cells, and P + 1 loads and a
//! store for two vectors; see [`cycles`] for what a step adds. The state of a strip is its rows' planes and V, read and
//! written once a step.

use crate::cpu::planes::{plane, transpose};
#[cfg(test)]
use crate::cpu::vector::Plain;
use crate::cpu::vector::{Avx2, Avx512, Isa, Vector};

/// Columns that a step takes together.
pub(super) const PAIR: usize = 2;
/// Columns to a word of a stream.
pub(super) const WORD_COLUMNS: usize = 64 * PAIR;
/// Words of the widest vector.
const MAX_WORDS: usize = 8;
/// Bytes of a strip's state at most: with its part of the text, what a first-level cache of 32 KiB holds.
const STATE: usize = 28 << 10;

/// The carries of 64 pairs of columns: of their first columns, and of their second.
pub(super) type Carries = [u64; PAIR];

/// The vectors whose bits are the lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lanes {
    /// 512 lanes and logic of three operands.
    Avx512(Avx512),
    /// 256 lanes.
    Avx2(Avx2),
    /// 64 lanes, for tests: short strings already make several strips.
    #[cfg(test)]
    Plain(Plain),
}

impl Lanes {
    /// The widest that the processor has.
    pub(super) fn widest() -> Option<Self> {
        Avx512::detect().map(Self::Avx512).or_else(|| Avx2::detect().map(Self::Avx2))
    }

    /// All that the processor has.
    #[cfg(test)]
    pub(super) fn all() -> Vec<Self> {
        let all =
            [Avx512::detect().map(Self::Avx512), Avx2::detect().map(Self::Avx2), Plain::detect().map(Self::Plain)];
        all.into_iter().flatten().collect()
    }

    /// Words of 64 lanes.
    pub(super) fn words(self) -> usize {
        match self {
            Self::Avx512(_) => 8,
            Self::Avx2(_) => 4,
            #[cfg(test)]
            Self::Plain(_) => 1,
        }
    }

    /// Rows of a lane at most: its part of the column is a word, and the strip's state stays in the first-level cache.
    pub(super) fn max_height(self, planes: usize) -> usize {
        (STATE / (8 * self.words() * (planes + 1))).clamp(1, 64)
    }

    /// The strip of these rows in lanes of `height` of them, at most 64. Should there be fewer rows, the last lanes
    /// compute some that nobody reads.
    pub(super) fn strip(self, planes: usize, rows: &[u8], height: usize) -> Box<dyn Strip> {
        match self {
            Self::Avx512(isa) => strip(isa, planes, rows, height),
            Self::Avx2(isa) => strip(isa, planes, rows, height),
            #[cfg(test)]
            Self::Plain(isa) => strip(isa, planes, rows, height),
        }
    }
}

/// About how many clock cycles a step takes: measured on Zen 4 with 512 lanes (2 and 6 planes, 2 to 64 rows), and not
/// far from it with 256.
pub(super) fn cycles(planes: usize, height: usize) -> f64 {
    let (planes, height) = (planes as f64, height as f64);
    18.0 + 5.0 * planes + height * (2.5 + 1.5 * planes)
}

/// The columns as streams of bits, one bit a step: planes 0 .. P - 1 of the codes, and whether the symbol matches any row
/// at all, of the pairs' first columns and then of their second.
#[derive(Debug)]
pub(super) struct Text {
    words: Vec<u64>,
    /// Words of a stream. It begins and ends with zeros for as many words as a vector has: what lanes see before the
    /// first column has come down to them, and after the last has left.
    stream: usize,
    /// Words of steps that take a strip through all columns.
    steps: usize,
}

impl Text {
    /// `codes` are those of [`Codes`](super::codes::Codes), `symbols` of them in use.
    pub(super) fn new(codes: &[u8], symbols: usize, planes: usize, lanes: Lanes) -> Self {
        let pad = lanes.words();
        let steps = codes.len().div_ceil(WORD_COLUMNS) + pad;
        let stream = steps + pad;
        let mut words = vec![0; PAIR * (planes + 1) * stream];
        for (word, codes) in codes.chunks(WORD_COLUMNS).enumerate() {
            for column in 0..PAIR {
                let (mut group, mut matched) = ([0; 64], [0; 64]);
                let codes = codes.iter().skip(column).step_by(PAIR);
                for ((group, matched), &code) in group.iter_mut().zip(&mut matched).zip(codes) {
                    *group = renumbered(code);
                    // Code 0 matches no row, unless all 256 symbols occur.
                    *matched = u8::from(code != 0 || symbols == 256);
                }
                let at = |q: usize| (column * (planes + 1) + q) * stream + pad + word;
                for q in 0..planes {
                    words[at(q)] = plane(&group, q);
                }
                words[at(planes)] = plane(&matched, 0);
            }
        }
        Self { words, stream, steps }
    }

    /// Words of steps that take a strip through all columns.
    pub(super) fn steps(&self) -> usize {
        self.steps
    }

    /// What the lanes see of a stream during the 64 steps of a word.
    #[inline(always)]
    fn window<I: Isa>(&self, isa: I, stream: usize, word: usize) -> Window<I::Vector> {
        let words = &self.words[stream * self.stream..][..self.stream][word..];
        Window { low: Vector::load(isa, words), high: Vector::load(isa, &words[1..]) }
    }
}

/// Codes 1, 2 ... as 0, 1 ...: code 0, which no row has, then needs no plane, and DNA needs two.
fn renumbered(code: u8) -> u8 {
    code.wrapping_sub(1)
}

/// A vector's words of a stream (`low`), and those a word later.
#[derive(Clone, Copy)]
struct Window<V> {
    low: V,
    high: V,
}

impl<V: Vector> Window<V> {
    /// A vector's bits of the stream from bit `step` < 64 on.
    #[inline(always)]
    fn at(self, step: u32) -> V {
        self.low.funnel(self.high, step)
    }
}

/// Row r of every lane. Lane 0 is the highest bit, so that lanes further down see columns further left.
#[derive(Clone, Copy)]
struct Row<const P: usize, V> {
    planes: [V; P],
    v: V,
}

/// A strip of rows in lanes, on its way through the columns.
pub(super) trait Strip: Send {
    /// 64 steps for each of `carries`, from word `start` of the steps on. `carries` are those into the strip on entry;
    /// on return those out of it, of columns that came in as many steps before as there are lanes.
    fn advance(&mut self, text: &Text, start: usize, carries: &mut [Carries]);

    /// Writes the strip's part of the column, rows in order, over zeros; `column` may end before the strip does.
    fn column(&self, column: &mut [u64]);
}

struct LaneStrip<const P: usize, I: Isa> {
    isa: I,
    rows: Vec<Row<P, I::Vector>>,
    /// The carries into row 0 at the next step.
    carry: [I::Vector; PAIR],
}

fn strip<I: Isa>(isa: I, planes: usize, rows: &[u8], height: usize) -> Box<dyn Strip> {
    match planes {
        1 => Box::new(LaneStrip::<1, I>::new(isa, rows, height)),
        2 => Box::new(LaneStrip::<2, I>::new(isa, rows, height)),
        3 => Box::new(LaneStrip::<3, I>::new(isa, rows, height)),
        4 => Box::new(LaneStrip::<4, I>::new(isa, rows, height)),
        5 => Box::new(LaneStrip::<5, I>::new(isa, rows, height)),
        6 => Box::new(LaneStrip::<6, I>::new(isa, rows, height)),
        7 => Box::new(LaneStrip::<7, I>::new(isa, rows, height)),
        _ => Box::new(LaneStrip::<8, I>::new(isa, rows, height)),
    }
}

impl<const P: usize, I: Isa> LaneStrip<P, I> {
    fn new(isa: I, codes: &[u8], height: usize) -> Self {
        let words = I::Vector::WORDS;
        let row = |r: usize| {
            let mut planes = [[0; MAX_WORDS]; P];
            for word in 0..words {
                // The word's highest bit is its first lane.
                let mut group = [0; 64];
                let lanes = codes.get((words - 1 - word) * 64 * height + r..).unwrap_or_default();
                for (group, &code) in group.iter_mut().rev().zip(lanes.iter().step_by(height)) {
                    *group = renumbered(code);
                }
                for (q, planes) in planes.iter_mut().enumerate() {
                    planes[word] = plane(&group, q);
                }
            }
            Row { planes: planes.map(|words| Vector::load(isa, &words)), v: Vector::splat(isa, !0) }
        };
        Self { isa, rows: (0..height).map(row).collect(), carry: [Vector::splat(isa, 0); PAIR] }
    }
}

impl<const P: usize, I: Isa> Strip for LaneStrip<P, I> {
    fn advance(&mut self, text: &Text, start: usize, carries: &mut [Carries]) {
        let Self { isa, rows, carry } = self;
        isa.run(
            #[inline(always)]
            || advance(*isa, rows, carry, text, start, carries),
        );
    }

    fn column(&self, column: &mut [u64]) {
        let (words, height) = (I::Vector::WORDS, self.rows.len());
        for word in 0..words {
            let mut lanes = [0; 64];
            for (lane, row) in lanes.iter_mut().zip(&self.rows) {
                let mut v = [0; MAX_WORDS];
                row.v.store(&mut v);
                *lane = v[word];
            }
            transpose(&mut lanes);
            for (lane, bits) in lanes.iter().rev().enumerate() {
                let row = ((words - 1 - word) * 64 + lane) * height;
                for (at, bits) in [(row / 64, bits << (row % 64)), (row / 64 + 1, bits >> 1 >> (63 - row % 64))] {
                    if let Some(word) = column.get_mut(at) {
                        *word |= bits;
                    }
                }
            }
        }
    }
}

/// [`Strip::advance`]. Plain loops with everything inlined: a closure that is called, as in nested `map`s, is not
/// compiled for these instructions and costs half the speed or more.
#[expect(clippy::needless_range_loop, reason = "the same index in several arrays; and see above")]
#[inline(always)]
fn advance<const P: usize, I: Isa>(
    isa: I,
    rows: &mut [Row<P, I::Vector>],
    carry: &mut [I::Vector; PAIR],
    text: &Text,
    start: usize,
    carries: &mut [Carries],
) {
    let zero: I::Vector = Vector::splat(isa, 0);
    let mut c = *carry;
    for (word, packed) in carries.iter_mut().enumerate() {
        let mut windows = [[Window { low: zero, high: zero }; P]; PAIR];
        let mut matched_windows = [Window { low: zero, high: zero }; PAIR];
        for k in 0..PAIR {
            for q in 0..P {
                windows[k][q] = text.window(isa, k * (P + 1) + q, start + word);
            }
            matched_windows[k] = text.window(isa, k * (P + 1) + P, start + word);
        }
        let (mut carry_in, mut carry_out) = (*packed, [0; PAIR]);
        for step in 0..64 {
            let mut planes = [[zero; P]; PAIR];
            let mut matched = [zero; PAIR];
            for k in 0..PAIR {
                for q in 0..P {
                    planes[k][q] = windows[k][q].at(step);
                }
                matched[k] = matched_windows[k].at(step);
            }
            for row in rows.iter_mut() {
                let mut v = row.v;
                for k in 0..PAIR {
                    let mut m = matched[k];
                    for q in 0..P {
                        m = m.and_not(row.planes[q].xor(planes[k][q]));
                    }
                    let next = c[k].or(v.and_not(m));
                    c[k] = v.and(m.or(c[k]));
                    v = next;
                }
                row.v = v;
            }
            for k in 0..PAIR {
                carry_out[k] = carry_out[k] >> 1 | c[k].first() << 63;
                c[k] = c[k].shift_down(carry_in[k]);
                carry_in[k] >>= 1;
            }
        }
        *packed = carry_out;
    }
    *carry = c;
}
