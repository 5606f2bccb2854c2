//! Bit lanes: every bit of a SIMD vector is a strip of rows of its own, and no carry crosses a lane
//! while a column is computed.
//!
//! A cell of a table whose differences are a few bits takes a few logic gates ([`LaneCell`]). An
//! LCS has two bits, one from left to right and one from the top down; an edit distance has four.
//! One instruction evaluates a gate of as many cells as a vector has bits, if no two of these cells
//! share a row or a column. So each lane has `height` rows of its own, and is one step (two
//! columns) behind the lane above it:
//!
//! ```text
//!                 columns, two per step
//!               +---+---+---+---+---+
//!      lane 0   | 1 | 2 | 3 | 4 | 5 |   the numbers are steps; a step takes rows 0 .. height - 1
//!               +---+---+---+---+---+   of all lanes in turn, each one vector; the carries pass
//!      lane 1   | 2 | 3 | 4 | 5 | 6 |   from row to row within their lanes
//!               +---+---+---+---+---+
//!      lane 2   | 3 | 4 | 5 | 6 | 7 |   the carries out of a lane's last row enter the next lane's
//!               +---+---+---+---+---+   first row one step later: the vector moves by one bit
//! ```
//!
//! The match bit m of a cell is not looked up but computed from bit planes: m = AND of ~(row's bit
//! q ^ column's bit q) over all q. A row's planes are loaded once for both columns. The columns'
//! planes move by one lane per step: they are a window of the text's bits.
//!
//! Cost: with P planes and G gates, a vector of cells takes P + G instructions of AVX-512 or about
//! 2 P + 2 G of AVX2. The state of a strip is its rows' planes and vertical differences, read and
//! written once per step.

use super::planes::{plane, transpose};
use super::symbols::{ALONE, PIECE};
use super::vector::{Isa, Lanes, Vector};
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use std::marker::PhantomData;

/// Columns per step.
pub(crate) const PAIR: usize = 2;
/// Columns per word of a stream.
pub(crate) const WORD_COLUMNS: usize = 64 * PAIR;
/// Words of the widest vector.
const MAX_WORDS: usize = 8;
/// Maximum size of a strip's state, in bytes: with its part of the text, it fits a first-level
/// cache of 32 KiB.
const STATE: usize = 28 << 10;

/// Carries of 64 pairs of columns: S bits per column, of the first columns and of the second.
pub(crate) type Carries<const S: usize> = [[u64; S]; PAIR];

/// A cell of a table in bits: S bits pass from column to column (the vertical difference), and S
/// bits from row to row (the horizontal difference, here the carry).
///
/// The carries into the first row are 0 in every column. The encoding must agree with that.
pub(crate) trait LaneCell<const S: usize>: Send + 'static {
    /// Vertical difference before the first column: words of zeros or ones.
    const FIRST: [u64; S];
    /// Carry that, where no symbols match, leaves [`FIRST`](Self::FIRST) unchanged and passes on to
    /// the next row. Lanes start with it, before the first column reaches them.
    const IDLE: [u64; S];
    /// True if a column that matches no row leaves all vertical differences unchanged when no carry
    /// comes in. If false, columns that do not exist are masked.
    const UNMATCHED_KEEPS_VERTICAL: bool;

    /// Computes a row of all lanes: the next vertical differences and carries, from those before
    /// and the positions where symbols match.
    fn next<V: Vector>(matches: V, vertical: &mut [V; S], carry: &mut [V; S]);

    /// Estimates the clock cycles of a step, for lanes of `height` rows and symbols of `planes`
    /// planes.
    fn cycles(planes: usize, height: usize) -> f64;
}

impl Lanes {
    /// Returns the maximum rows per lane: its part of the column is one word, and the strip's state
    /// stays in the first-level cache.
    pub(crate) fn max_height<const S: usize>(self, planes: usize) -> usize {
        (STATE / (8 * self.words() * (planes + S))).clamp(1, 64)
    }

    /// Creates the strip of these rows in lanes of `height` rows, at most 64. `first` are the
    /// vertical differences before the first column. If the rows do not fill the lanes, the last
    /// lanes compute rows that nobody reads.
    pub(crate) fn strip<const S: usize, C: LaneCell<S>>(
        self,
        planes: usize,
        rows: &[u8],
        height: usize,
        first: Option<[&[u64]; S]>,
    ) -> Box<dyn Strip<S>> {
        match self {
            Self::Avx512(isa) => strip::<S, C, _>(isa, planes, rows, height, first),
            Self::Avx2(isa) => strip::<S, C, _>(isa, planes, rows, height, first),
            #[cfg(test)]
            Self::Plain(isa) => strip::<S, C, _>(isa, planes, rows, height, first),
        }
    }
}

/// The columns as streams of bits, one bit per step: planes 0 .. P - 1 of the codes, whether the
/// symbol matches any row, and whether the column exists. The streams of the pairs' first columns
/// come first, then those of their second.
#[derive(Debug)]
pub(crate) struct Text {
    words: Vec<u64>,
    /// Words per stream. A stream begins and ends with as many words of zeros as a vector has.
    /// Lanes see them before the first column reaches them, and after the last has left them.
    stream: usize,
    /// Words of steps that take a strip through all columns.
    steps: usize,
    /// Words of steps that end before a lane passes the last column.
    inside: usize,
}

impl Text {
    /// Creates the streams of codes from [`Codes`](super::codes::Codes), with `symbols` codes in
    /// use.
    pub(crate) fn new(codes: &[u8], symbols: usize, planes: usize, lanes: Lanes) -> Self {
        let pad = lanes.words();
        let steps = codes.len().div_ceil(WORD_COLUMNS) + pad;
        let stream = steps + pad;
        let mut words = vec![0; PAIR * (planes + 2) * stream];
        let part = |(mut streams, codes): (Vec<&mut [u64]>, &[u8])| {
            for (word, codes) in codes.chunks(WORD_COLUMNS).enumerate() {
                for (column, streams) in streams.chunks_mut(planes + 2).enumerate() {
                    let (mut group, mut matched) = ([0; 64], [0; 64]);
                    let codes = codes.iter().skip(column).step_by(PAIR);
                    let exist = u64::MAX.checked_shr(64 - codes.len() as u32).unwrap_or(0);
                    for ((group, matched), &code) in group.iter_mut().zip(&mut matched).zip(codes) {
                        *group = renumbered(code);
                        // Code 0 matches no row, unless all 256 symbols occur.
                        *matched = u8::from(code != 0 || symbols == 256);
                    }
                    for (q, stream) in streams.iter_mut().enumerate() {
                        stream[word] = match q.checked_sub(planes) {
                            None => plane(&group, q),
                            Some(0) => plane(&matched, 0),
                            Some(_) => exist,
                        };
                    }
                }
            }
        };
        // For each part of the columns, its words of every stream.
        let size = if codes.len() <= ALONE { codes.len() } else { PIECE }.div_ceil(WORD_COLUMNS).max(1);
        let mut parts: Vec<Vec<&mut [u64]>> = Vec::new();
        parts.resize_with(codes.len().div_ceil(size * WORD_COLUMNS), Vec::new);
        for stream in words.chunks_mut(stream) {
            parts.iter_mut().zip(stream[pad..].chunks_mut(size)).for_each(|(part, words)| part.push(words));
        }
        let parts = parts.into_iter().zip(codes.chunks(size * WORD_COLUMNS));
        match parts.len() {
            0 | 1 => parts.for_each(part),
            _ => parts.collect::<Vec<_>>().into_par_iter().for_each(part),
        }
        Self { words, stream, steps, inside: codes.len() / WORD_COLUMNS }
    }

    /// Returns the words of steps that take a strip through all columns.
    pub(crate) fn steps(&self) -> usize {
        self.steps
    }

    /// Returns the part of a stream that the lanes see during the 64 steps of a word.
    #[inline(always)]
    fn window<I: Isa>(&self, isa: I, stream: usize, word: usize) -> Window<I::Vector> {
        let words = &self.words[stream * self.stream..][..self.stream][word..];
        Window { low: Vector::load(isa, words), high: Vector::load(isa, &words[1..]) }
    }
}

/// Renumbers codes 1, 2 ... to 0, 1 ...: no row has code 0, so it needs no plane, and DNA needs two
/// planes.
fn renumbered(code: u8) -> u8 {
    code.wrapping_sub(1)
}

/// A vector's words of a stream (`low`), and the words that start one word later (`high`).
#[derive(Clone, Copy)]
struct Window<V> {
    low: V,
    high: V,
}

impl<V: Vector> Window<V> {
    /// Returns a vector's bits of the stream from bit `step` < 64 on.
    #[inline(always)]
    fn at(self, step: u32) -> V {
        self.low.funnel(self.high, step)
    }
}

/// Row r of every lane. Lane 0 is the highest bit, so that lanes further down see columns further
/// left.
#[derive(Clone, Copy)]
struct Row<const P: usize, const S: usize, V> {
    planes: [V; P],
    vertical: [V; S],
}

/// A strip of rows in lanes, on its way through the columns.
pub(crate) trait Strip<const S: usize>: Send {
    /// Takes 64 steps for each of `carries`, from word `start` of the steps on. On entry, `carries`
    /// are the carries into the strip. On return, they are those out of it, for columns that
    /// entered as many steps before as there are lanes.
    fn advance(&mut self, text: &Text, start: usize, carries: &mut [Carries<S>]);

    /// Writes one bit of the strip's vertical differences, rows in order, over zeros; `column` may
    /// end before the strip does.
    fn column(&self, bit: usize, column: &mut [u64]);
}

struct LaneStrip<const P: usize, const S: usize, C, I: Isa> {
    isa: I,
    rows: Vec<Row<P, S, I::Vector>>,
    /// Carries into row 0 at the next step.
    carry: [[I::Vector; S]; PAIR],
    /// True if the vertical differences before the first column differ from [`LaneCell::FIRST`].
    resumed: bool,
    cell: PhantomData<C>,
}

fn strip<const S: usize, C: LaneCell<S>, I: Isa>(
    isa: I,
    planes: usize,
    rows: &[u8],
    height: usize,
    first: Option<[&[u64]; S]>,
) -> Box<dyn Strip<S>> {
    match planes {
        1 => Box::new(LaneStrip::<1, S, C, I>::new(isa, rows, height, first)),
        2 => Box::new(LaneStrip::<2, S, C, I>::new(isa, rows, height, first)),
        3 => Box::new(LaneStrip::<3, S, C, I>::new(isa, rows, height, first)),
        4 => Box::new(LaneStrip::<4, S, C, I>::new(isa, rows, height, first)),
        5 => Box::new(LaneStrip::<5, S, C, I>::new(isa, rows, height, first)),
        6 => Box::new(LaneStrip::<6, S, C, I>::new(isa, rows, height, first)),
        7 => Box::new(LaneStrip::<7, S, C, I>::new(isa, rows, height, first)),
        _ => Box::new(LaneStrip::<8, S, C, I>::new(isa, rows, height, first)),
    }
}

impl<const P: usize, const S: usize, C: LaneCell<S>, I: Isa> LaneStrip<P, S, C, I> {
    fn new(isa: I, codes: &[u8], height: usize, first: Option<[&[u64]; S]>) -> Self {
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
            let vertical = C::FIRST.map(|word| Vector::splat(isa, word));
            Row { planes: planes.map(|words| Vector::load(isa, &words)), vertical }
        };
        let idle = C::IDLE.map(|word| Vector::splat(isa, word));
        let mut strip = Self {
            isa,
            rows: (0..height).map(row).collect(),
            carry: [idle; PAIR],
            resumed: first.is_some(),
            cell: PhantomData,
        };
        for (bit, column) in first.into_iter().flatten().enumerate() {
            strip.set_column(bit, column);
        }
        strip
    }

    /// Sets one bit of the vertical differences, the inverse of [`Strip::column`]. Rows that
    /// `column` does not have keep their values from before the first column.
    fn set_column(&mut self, bit: usize, column: &[u64]) {
        let words = I::Vector::WORDS;
        let height = self.rows.len();
        let mut vectors = vec![[0; MAX_WORDS]; height];
        for word in 0..words {
            let mut lanes = [0; 64];
            for (lane, bits) in lanes.iter_mut().rev().enumerate() {
                let row = ((words - 1 - word) * 64 + lane) * height;
                let at = |at: usize| column.get(at).copied().unwrap_or(C::FIRST[bit]);
                *bits = at(row / 64) >> (row % 64) | at(row / 64 + 1) << 1 << (63 - row % 64);
            }
            transpose(&mut lanes);
            vectors.iter_mut().zip(lanes).for_each(|(vector, lane)| vector[word] = lane);
        }
        for (row, vector) in self.rows.iter_mut().zip(&vectors) {
            row.vertical[bit] = Vector::load(self.isa, vector);
        }
    }
}

impl<const P: usize, const S: usize, C: LaneCell<S>, I: Isa> Strip<S> for LaneStrip<P, S, C, I> {
    fn advance(&mut self, text: &Text, start: usize, carries: &mut [Carries<S>]) {
        let Self { isa, rows, carry, resumed, .. } = self;
        let len = carries.len();
        // In the middle words no lane needs a mask: every lane has begun, or need not have, and no
        // lane is past the last column.
        let begun =
            if *resumed && !C::UNMATCHED_KEEPS_VERTICAL { len.min(I::Vector::WORDS.saturating_sub(start)) } else { 0 };
        let inside =
            if C::UNMATCHED_KEEPS_VERTICAL { len } else { text.inside.saturating_sub(start).clamp(begun, len) };
        let (before, rest) = carries.split_at_mut(begun);
        let (free, past) = rest.split_at_mut(inside - begun);
        if !C::UNMATCHED_KEEPS_VERTICAL {
            isa.run(
                #[inline(always)]
                || advance::<P, S, true, C, I>(*isa, rows, carry, text, start, before),
            );
        }
        isa.run(
            #[inline(always)]
            || advance::<P, S, false, C, I>(*isa, rows, carry, text, start + begun, free),
        );
        if !C::UNMATCHED_KEEPS_VERTICAL {
            isa.run(
                #[inline(always)]
                || advance::<P, S, true, C, I>(*isa, rows, carry, text, start + inside, past),
            );
        }
    }

    fn column(&self, bit: usize, column: &mut [u64]) {
        let words = I::Vector::WORDS;
        let height = self.rows.len();
        for word in 0..words {
            let mut lanes = [0; 64];
            for (lane, row) in lanes.iter_mut().zip(&self.rows) {
                let mut bits = [0; MAX_WORDS];
                row.vertical[bit].store(&mut bits);
                *lane = bits[word];
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

/// Implements [`Strip::advance`]; `MASKED` if there are columns past the last. The loops are plain,
/// with everything inlined: a closure that is called, as in nested `map`s, is not compiled for
/// these instructions and costs half the speed or more.
#[expect(clippy::needless_range_loop, reason = "the same index in several arrays; and see above")]
#[inline(always)]
fn advance<const P: usize, const S: usize, const MASKED: bool, C: LaneCell<S>, I: Isa>(
    isa: I,
    rows: &mut [Row<P, S, I::Vector>],
    carry: &mut [[I::Vector; S]; PAIR],
    text: &Text,
    start: usize,
    carries: &mut [Carries<S>],
) {
    let zero: I::Vector = Vector::splat(isa, 0);
    let mut c = *carry;
    for (word, packed) in carries.iter_mut().enumerate() {
        let mut windows = [[Window { low: zero, high: zero }; P]; PAIR];
        let mut matched_windows = [Window { low: zero, high: zero }; PAIR];
        let mut exist_windows = [Window { low: zero, high: zero }; PAIR];
        for k in 0..PAIR {
            for q in 0..P {
                windows[k][q] = text.window(isa, k * (P + 2) + q, start + word);
            }
            matched_windows[k] = text.window(isa, k * (P + 2) + P, start + word);
            if MASKED {
                exist_windows[k] = text.window(isa, k * (P + 2) + P + 1, start + word);
            }
        }
        let (mut carry_in, mut carry_out) = (*packed, [[0; S]; PAIR]);
        for step in 0..64 {
            let mut planes = [[zero; P]; PAIR];
            let mut matched = [zero; PAIR];
            let mut exist = [zero; PAIR];
            for k in 0..PAIR {
                for q in 0..P {
                    planes[k][q] = windows[k][q].at(step);
                }
                matched[k] = matched_windows[k].at(step);
                if MASKED {
                    exist[k] = exist_windows[k].at(step);
                }
            }
            for row in rows.iter_mut() {
                let mut vertical = row.vertical;
                for k in 0..PAIR {
                    let mut m = matched[k];
                    for q in 0..P {
                        m = m.and_equal(row.planes[q], planes[k][q]);
                    }
                    let before = vertical;
                    C::next(m, &mut vertical, &mut c[k]);
                    if MASKED {
                        for s in 0..S {
                            vertical[s] = vertical[s].and(exist[k]).or(before[s].and_not(exist[k]));
                        }
                    }
                }
                row.vertical = vertical;
            }
            for k in 0..PAIR {
                for s in 0..S {
                    carry_out[k][s] = carry_out[k][s] >> 1 | c[k][s].first() << 63;
                    c[k][s] = c[k][s].shift_down(carry_in[k][s]);
                    carry_in[k][s] >>= 1;
                }
            }
        }
        *packed = carry_out;
    }
    *carry = c;
}
