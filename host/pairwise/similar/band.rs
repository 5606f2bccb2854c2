//! Some rows of an edit distance table on their way through a block of columns: Myers' words (1999), 8 or 16 of them on an anti-diagonal,
//! as A*PA2 has them (Groot Koerkamp 2024).
//!
//! ```text
//!            columns of a block
//!           +--+--+--+--+--+--+
//!   word 0  |  | 3| 4|  |  |  |   a step takes each word of 64 rows one column on, the word below a column later: what it needs from
//!   word 1  |  | 2| 3|  |  |  |   the word above, whether D rises or falls in its last row, is of the step before
//!   word 2  |  | 1| 2| 3|  |  |
//!           +--+--+--+--+--+--+
//! ```
//!
//! Above the first row D is taken to rise by 1 from column to column, and below the last rows of a block to rise by 1 from row to row: moves
//! that a path can make. So all that is computed is the cost of some path, and of the cheapest one of those that stay in the rows.
//!
//! Where a substitution costs two, as an insertion and a deletion, D differs by 1 from each cell to the next, and the step is that of
//! Crochemore, Iliopoulos, Pinzon, Reid (2001) with its carry from word to word.
//!
//! Cost: with P planes P + 17 vector instructions for a vector's words and a column, or P + 8.

use super::Costs;
use crate::cpu::codes::Codes;
use crate::cpu::planes::{plane, planes};
#[cfg(target_arch = "x86_64")]
use crate::cpu::vector::{Avx2, Avx512};
use crate::cpu::vector::{Isa, Plain, Vector};
use std::ops::Range;

/// Columns of a block at most.
pub(super) const BLOCK: usize = 256;
/// Words of the smaller strip; ranges of rows are multiples of it.
pub(super) const GROUP: usize = 8;
/// Words of the larger strip, whose two halves keep the processor busier.
const STRIP: usize = 2 * GROUP;
/// Words before and after the columns of a stream, for words that are not in the block yet or no longer.
const PAD: usize = STRIP;
/// Words of a stream.
const STREAM: usize = PAD + BLOCK + PAD;

/// The instructions to use.
#[derive(Debug, Clone, Copy)]
enum Instructions {
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    Plain(Plain),
}

impl Instructions {
    fn best() -> Self {
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
}

/// Two strings as the strips need them.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) costs: Costs,
    instructions: Instructions,
    /// Planes of the codes: 2, 5 or 8.
    planes: usize,
    /// Of each plane a bit a row, 64 rows to a word, the last word first.
    rows: Vec<u64>,
    /// Words of a plane; there are more rows than A has symbols, with values that nobody reads.
    pub(super) words: usize,
    /// The columns' symbols.
    cols: Vec<u8>,
    /// Whether they match any row.
    matches: Vec<bool>,
    pub(super) m: usize,
    pub(super) n: usize,
}

impl Table {
    /// The table of A, the rows, and B, the columns.
    pub(super) fn new(a: &[u8], b: &[u8], costs: Costs) -> Self {
        Self::with(Instructions::best(), a, b, costs)
    }

    fn with(instructions: Instructions, a: &[u8], b: &[u8], costs: Costs) -> Self {
        let codes = Codes::new(a, b, false);
        let needed = planes(codes.symbols.max(2) - 1);
        let planes = [2, 5].into_iter().find(|&planes| needed <= planes).unwrap_or(8);
        let words = a.len().div_ceil(64) + STRIP;
        let mut rows = vec![0; planes * words];
        for (word, symbols) in codes.rows.chunks(64).enumerate() {
            let mut group = [0; 64];
            // Code 0, which no row has, needs no plane.
            group.iter_mut().zip(symbols).for_each(|(group, &code)| *group = code.wrapping_sub(1));
            for q in 0..planes {
                rows[q * words + words - 1 - word] = plane(&group, q);
            }
        }
        let all = codes.symbols == 256;
        let matches = codes.cols.iter().map(|&code| code != 0 || all).collect();
        let mut cols = codes.cols;
        cols.iter_mut().for_each(|code| *code = code.wrapping_sub(1));
        Self { costs, instructions, planes, rows, words, cols, matches, m: a.len(), n: b.len() }
    }

    /// The words of a block of columns that hold some rows, as many as strips take, if the block before has those of `before`: neither edge
    /// goes up.
    pub(super) fn words_of(&self, before: &Range<usize>, rows: Range<usize>) -> Range<usize> {
        let last = self.m.div_ceil(64);
        let start = (rows.start / 64).max(before.start).min(last.saturating_sub(1));
        let end = rows.end.div_ceil(64).max(before.end).min(last).max(start + 1);
        start..start + (end - start).next_multiple_of(GROUP)
    }

    /// The columns of a block, at most [`BLOCK`], as streams.
    pub(super) fn text(&self, columns: Range<usize>, text: &mut Text) {
        match self.instructions {
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512(isa) => isa.run(
                #[inline(always)]
                || self.fill(columns, text),
            ),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2(isa) => isa.run(
                #[inline(always)]
                || self.fill(columns, text),
            ),
            Instructions::Plain(_) => self.fill(columns, text),
        }
    }

    #[inline(always)]
    fn fill(&self, columns: Range<usize>, text: &mut Text) {
        text.words.resize((self.planes + 2) * STREAM, 0);
        if text.columns != columns.len() {
            text.columns = columns.len();
            text.words.fill(0);
            text.words[(self.planes + 1) * STREAM + PAD..][..columns.len()].fill(!0);
        }
        let (cols, matches) = (&self.cols[columns.clone()], &self.matches[columns]);
        for (q, stream) in text.words.chunks_mut(STREAM).enumerate() {
            if q < self.planes {
                for (word, &code) in stream[PAD..].iter_mut().zip(cols) {
                    *word = u64::from(code >> q & 1).wrapping_neg();
                }
            } else if q == self.planes {
                for (word, &matches) in stream[PAD..].iter_mut().zip(matches) {
                    *word = u64::from(matches).wrapping_neg();
                }
            }
        }
    }
}

/// A block's columns, a word of zeros or of ones for each bit of a symbol: streams of the planes, of whether the symbol matches any row, and
/// of whether there is such a column.
#[derive(Debug, Default)]
pub(super) struct Text {
    words: Vec<u64>,
    pub(super) columns: usize,
}

/// In a row, for each column of a block: whether D increases by 1 from the column before, and whether it decreases.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Steps {
    pub(super) plus: [u64; BLOCK / 64 + 1],
    pub(super) minus: [u64; BLOCK / 64 + 1],
}

impl Steps {
    /// D increases by 1 from column to column.
    const RISING: Self = Self { plus: [!0; BLOCK / 64 + 1], minus: [0; BLOCK / 64 + 1] };
}

/// A column of the table, or some rows of it, as differences from row to row.
#[derive(Debug, Clone)]
pub(super) struct Column {
    /// 64 rows a word, the last word first: where D increases by 1 from the row above.
    plus: Vec<u64>,
    /// Where it decreases.
    minus: Vec<u64>,
    /// The words that are in use: all others are as they were.
    pub(super) range: Range<usize>,
    /// D in the row above the first.
    pub(super) top: i64,
}

impl Column {
    /// No rows yet: from the first one on, and D = 0.
    pub(super) fn new(table: &Table) -> Self {
        Self { plus: vec![0; table.words], minus: vec![0; table.words], range: 0..0, top: 0 }
    }

    /// Where D increases by 1 and where it decreases, in the 64 rows of a word.
    pub(super) fn word(&self, word: usize) -> (u64, u64) {
        let at = self.plus.len() - 1 - word;
        (self.plus[at], self.minus[at])
    }

    /// Begins anew in the row above a word: no rows yet, and D = 0.
    pub(super) fn restart(&mut self, start: usize) {
        (self.range, self.top) = (start..start, 0);
    }

    /// The words up to `end`, with D rising by 1 from row to row in new ones. There may be fewer than before where those were past the
    /// last row.
    pub(super) fn extend(&mut self, end: usize) {
        self.extend_by(end, !0, 0);
    }

    /// The words up to `end`, with D = 0 in all of their rows, or in every other one where it differs in each from the next; in the others
    /// it is -1.
    pub(super) fn extend_flat(&mut self, end: usize, costs: Costs) {
        match costs {
            Costs::Levenshtein => self.extend_by(end, 0, 0),
            Costs::Indel => self.extend_by(end, 0xaaaa_aaaa_aaaa_aaaa, 0x5555_5555_5555_5555),
        }
    }

    fn extend_by(&mut self, end: usize, plus: u64, minus: u64) {
        if end > self.range.end {
            let words = self.plus.len() - end..self.plus.len() - self.range.end;
            self.plus[words.clone()].fill(plus);
            self.minus[words].fill(minus);
        }
        self.range.end = end;
    }

    /// Forgets the words before `start`, which stay in the range's rows.
    pub(super) fn forget(&mut self, start: usize) {
        for word in self.range.start..start {
            self.top += self.rise(word);
        }
        self.range.start = start;
    }

    /// D in a word's last row less D in the row above its first.
    pub(super) fn rise(&self, word: usize) -> i64 {
        let (plus, minus) = self.word(word);
        i64::from(plus.count_ones()) - i64::from(minus.count_ones())
    }

    /// D in the last row of the words.
    pub(super) fn bottom(&self) -> i64 {
        self.top + self.range.clone().map(|word| self.rise(word)).sum::<i64>()
    }

    /// The words in use, the last one first.
    pub(super) fn words(&self) -> (&[u64], &[u64]) {
        let words = self.plus.len() - self.range.end..self.plus.len() - self.range.start;
        (&self.plus[words.clone()], &self.minus[words])
    }

    /// Some words, the last one first, from `start` on.
    pub(super) fn set(&mut self, start: usize, plus: &[u64], minus: &[u64]) {
        self.range = start..start + plus.len();
        let words = self.plus.len() - self.range.end..self.plus.len() - self.range.start;
        self.plus[words.clone()].copy_from_slice(plus);
        self.minus[words].copy_from_slice(minus);
    }

    /// Takes the words, a multiple of [`GROUP`], through a block of columns: how D changes in the last row. `kept`, if given, is filled with
    /// the bits of all cells.
    pub(super) fn advance(&mut self, table: &Table, text: &Text, mut kept: Option<&mut Kept>) -> Steps {
        let mut steps = Steps::RISING;
        let mut start = self.range.start;
        if let Some(kept) = kept.as_deref_mut() {
            kept.start = start;
            kept.group = (text.columns + GROUP - 1) * 2 * GROUP;
            kept.bits.clear();
        }
        while start < self.range.end {
            let large = kept.is_none() && self.range.end - start >= STRIP;
            let words = if large { STRIP } else { GROUP };
            let at = self.plus.len() - start - words;
            let strip = Strip {
                rows: &table.rows[at..],
                stride: table.words,
                text,
                plus: &mut self.plus[at..at + words],
                minus: &mut self.minus[at..at + words],
                steps: &mut steps,
            };
            match kept.as_deref_mut() {
                Some(kept) => run::<true>(table, strip, &mut kept.bits),
                None => run::<false>(table, strip, &mut Vec::new()),
            }
            start += words;
        }
        self.top += text.columns as i64;
        steps
    }
}

/// Two bits of every cell of some words in a block: whether D is one more than in the row above, and than in the column before.
#[derive(Debug, Default)]
pub(super) struct Kept {
    start: usize,
    /// Words of a group of [`GROUP`] rows' words.
    group: usize,
    /// Group after group, step after step.
    bits: Vec<u64>,
}

impl Kept {
    /// Those of a row, counted from 0, and a column of the block.
    #[inline(always)]
    pub(super) fn bits(&self, row: usize, column: usize) -> (bool, bool) {
        let word = row / 64 - self.start;
        let (group, word) = (word / GROUP, word % GROUP);
        let at = group * self.group + (column + word) * 2 * GROUP + GROUP - 1 - word;
        let bit = |at: usize| self.bits.get(at).is_some_and(|word| word >> (row % 64) & 1 == 1);
        (bit(at), bit(at + GROUP))
    }
}

/// A strip of words and what it passes by.
struct Strip<'s> {
    rows: &'s [u64],
    stride: usize,
    text: &'s Text,
    plus: &'s mut [u64],
    minus: &'s mut [u64],
    /// On entry those in the row above, on return those in the last row.
    steps: &'s mut Steps,
}

fn run<const KEEP: bool>(table: &Table, strip: Strip<'_>, kept: &mut Vec<u64>) {
    match table.instructions {
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx512(isa) => with_planes::<1, 2, KEEP, _>(isa, table, strip, kept),
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx2(isa) => with_planes::<2, 4, KEEP, _>(isa, table, strip, kept),
        Instructions::Plain(isa) => with_planes::<8, 16, KEEP, _>(isa, table, strip, kept),
    }
}

/// `HALF` vectors hold the smaller strip, `FULL` the larger.
fn with_planes<const HALF: usize, const FULL: usize, const KEEP: bool, I: Isa>(
    isa: I,
    table: &Table,
    strip: Strip<'_>,
    kept: &mut Vec<u64>,
) {
    match (table.planes, strip.plus.len() == STRIP) {
        (2, true) => with_costs::<2, FULL, KEEP, I>(isa, table.costs, strip, kept),
        (2, false) => with_costs::<2, HALF, KEEP, I>(isa, table.costs, strip, kept),
        (5, true) => with_costs::<5, FULL, KEEP, I>(isa, table.costs, strip, kept),
        (5, false) => with_costs::<5, HALF, KEEP, I>(isa, table.costs, strip, kept),
        (_, true) => with_costs::<8, FULL, KEEP, I>(isa, table.costs, strip, kept),
        (_, false) => with_costs::<8, HALF, KEEP, I>(isa, table.costs, strip, kept),
    }
}

fn with_costs<const P: usize, const K: usize, const KEEP: bool, I: Isa>(
    isa: I,
    costs: Costs,
    strip: Strip<'_>,
    kept: &mut Vec<u64>,
) {
    match costs {
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

/// K vectors' words through the block. Plain loops with everything inlined, as in `cpu::lanes`.
#[inline(always)]
fn advance<const P: usize, const K: usize, const KEEP: bool, const INDEL: bool, I: Isa>(
    isa: I,
    strip: Strip<'_>,
    kept: &mut Vec<u64>,
) {
    let Strip { rows, stride, text, plus, minus, steps } = strip;
    let width = I::Vector::WORDS;
    let words = K * width;
    // The vector v has the words v V .. v V + V - 1, the last one first.
    let at = |v: usize| words - (v + 1) * width;
    let zero: I::Vector = Vector::splat(isa, 0);
    let ones: I::Vector = Vector::splat(isa, !0);
    let mut planes = [[zero; K]; P];
    let (mut pv, mut mv) = ([zero; K], [zero; K]);
    for v in 0..K {
        for q in 0..P {
            planes[q][v] = Vector::load(isa, &rows[q * stride + at(v)..]);
        }
        pv[v] = Vector::load(isa, &plus[at(v)..]);
        mv[v] = Vector::load(isa, &minus[at(v)..]);
    }
    // Of the step before, in the words' last rows.
    let (mut ph, mut mh) = ([zero; K], [zero; K]);
    let columns = text.columns;
    let above = *steps;
    let mut below = Steps::default();
    let streams: [&[u64]; P] = std::array::from_fn(|q| &text.words[q * STREAM..][..STREAM]);
    let matched = &text.words[P * STREAM..][..STREAM];
    let exist = &text.words[(P + 1) * STREAM..][..STREAM];
    let base = kept.len();
    if KEEP {
        kept.resize(base + 2 * words * (columns + words - 1), 0);
    }
    let first_full = (words - 1).min(columns);
    for (range, masked) in [(0..first_full, true), (first_full..columns, false), (columns..columns + words - 1, true)] {
        for step in range {
            let bit = |words: &[u64; BLOCK / 64 + 1]| words[step / 64] >> (step % 64) << 63;
            let (mut above_plus, mut above_minus) =
                (Vector::splat(isa, bit(&above.plus)), Vector::splat(isa, bit(&above.minus)));
            for v in 0..K {
                let from = PAD + 1 + step - (v + 1) * width;
                let mut eq: I::Vector = Vector::load(isa, &matched[from..]);
                for q in 0..P {
                    eq = eq.and_equal(planes[q][v], Vector::load(isa, &streams[q][from..]));
                }
                let minus_in = mh[v].words_down(above_minus).top_bits();
                above_minus = mh[v];
                let (mut next_pv, mut next_mv);
                if INDEL {
                    // Where D rises down the rows, and the symbols match; minus_in is the carry.
                    let both = pv[v].and(eq);
                    let sum = pv[v].add(both).add(minus_in);
                    mh[v] = both.or(pv[v].and_not(sum));
                    ph[v] = ones.and_not(mh[v]);
                    next_pv = sum.or(pv[v].and_not(eq));
                    next_mv = ones.and_not(next_pv);
                } else {
                    let plus_in = ph[v].words_down(above_plus).top_bits();
                    above_plus = ph[v];
                    let xv = eq.or(mv[v]);
                    let eq = eq.or(minus_in);
                    let xh = eq.and(pv[v]).add(pv[v]).xor(pv[v]).or(eq);
                    ph[v] = mv[v].or(ones.and_not(xh.or(pv[v])));
                    mh[v] = pv[v].and(xh);
                    let (plus_down, minus_down) = (ph[v].doubled().or(plus_in), mh[v].doubled().or(minus_in));
                    next_pv = minus_down.or(ones.and_not(xv.or(plus_down)));
                    next_mv = plus_down.and(xv);
                }
                if masked {
                    let exist: I::Vector = Vector::load(isa, &exist[from..]);
                    next_pv = next_pv.and(exist).or(pv[v].and_not(exist));
                    next_mv = next_mv.and(exist).or(mv[v].and_not(exist));
                }
                (pv[v], mv[v]) = (next_pv, next_mv);
            }
            if KEEP {
                let from = base + 2 * words * step;
                for v in 0..K {
                    pv[v].store(&mut kept[from + at(v)..]);
                    ph[v].store(&mut kept[from + words + at(v)..]);
                }
            }
            // Of the last word, as many columns behind the first as there are words above it. Before it begins: overwritten.
            let column = (step + 1).saturating_sub(words);
            let place = |bit: u64| bit >> 63 << (column % 64);
            let keep = !(1 << (column % 64));
            below.plus[column / 64] = below.plus[column / 64] & keep | place(ph[K - 1].first());
            below.minus[column / 64] = below.minus[column / 64] & keep | place(mh[K - 1].first());
        }
    }
    for v in 0..K {
        pv[v].store(&mut plus[at(v)..]);
        mv[v].store(&mut minus[at(v)..]);
    }
    *steps = below;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::codes::random;

    fn all() -> Vec<Instructions> {
        #[cfg(target_arch = "x86_64")]
        let wide = [Avx512::detect().map(Instructions::Avx512), Avx2::detect().map(Instructions::Avx2)];
        #[cfg(not(target_arch = "x86_64"))]
        let wide = [];
        wide.into_iter().flatten().chain([Instructions::Plain(Plain)]).collect()
    }

    /// Whole columns of a table, block by block, and all bits of its cells, against the plain table.
    #[test]
    fn every_instruction_set_against_the_plain_table() {
        for (m, n, symbols) in
            [(500, 600, 4), (1000, 300, 2), (512, 256, 4), (1100, 257, 25), (90, 10, 256), (900, 7, 3)]
        {
            let rows: Vec<u8> =
                (0..symbols.min(m)).map(|symbol| symbol as u8).chain(random(m, symbols, 1)).take(m).collect();
            // With some symbols that no row has.
            let cols = random(n, (symbols + 1).min(256), 2);
            for costs in [Costs::Levenshtein, Costs::Indel] {
                let substitution = if costs == Costs::Indel { 2 } else { 1 };
                let mut d: Vec<Vec<i64>> = vec![(0..=m as i64).collect()];
                for (j, col) in cols.iter().enumerate() {
                    let mut next = vec![j as i64 + 1];
                    for (i, row) in rows.iter().enumerate() {
                        let diagonal = d[j][i] + if row == col { 0 } else { substitution };
                        next.push(diagonal.min(next[i] + 1).min(d[j][i + 1] + 1));
                    }
                    d.push(next);
                }
                for instructions in all() {
                    let table = Table::with(instructions, &rows, &cols, costs);
                    for keep in [false, true] {
                        let (mut column, mut text, mut kept) = (Column::new(&table), Text::default(), Kept::default());
                        column.extend(m.div_ceil(64).next_multiple_of(GROUP));
                        for start in (0..n).step_by(BLOCK) {
                            let end = (start + BLOCK).min(n);
                            let what = format!("{m} x {n}, column {end}, {costs:?}, {instructions:?}, kept {keep}");
                            let before = column.bottom();
                            table.text(start..end, &mut text);
                            let steps = column.advance(&table, &text, keep.then_some(&mut kept));
                            let mut value = column.top;
                            assert_eq!(value, d[end][0], "{what}");
                            for i in 0..m {
                                let (plus, minus) = column.word(i / 64);
                                value += (plus >> (i % 64) & 1) as i64 - (minus >> (i % 64) & 1) as i64;
                                assert_eq!(value, d[end][i + 1], "row {i}, {what}");
                            }
                            let ones = |words: &[u64; BLOCK / 64 + 1]| -> i64 {
                                let masks = |j: usize| ((end - start).saturating_sub(64 * j)).min(64);
                                let mask = |j: usize| u64::MAX.checked_shr(64 - masks(j) as u32).unwrap_or(0);
                                (0..words.len()).map(|j| i64::from((words[j] & mask(j)).count_ones())).sum()
                            };
                            assert_eq!(before + ones(&steps.plus) - ones(&steps.minus), column.bottom(), "{what}");
                            for j in if keep { start..end } else { 0..0 } {
                                for i in 0..m {
                                    let up = d[j + 1][i + 1] == d[j + 1][i] + 1;
                                    let left = d[j + 1][i + 1] == d[j][i + 1] + 1;
                                    assert_eq!(kept.bits(i, j - start), (up, left), "cell {i}, {j}, {what}");
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
