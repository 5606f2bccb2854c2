//! Two strings coded for strips, and a column of their table that goes through a block of columns.

use super::costs::Costs;
use super::strip::{GROUP, HorizontalDeltas, Instructions, Kind, PAD, STREAM, STRIP, Strip};
use crate::cpu::codes::Codes;
use crate::cpu::planes::{plane, planes};
use crate::cpu::vector::Isa;
use std::ops::Range;

/// Two strings in the format for strips: A in bit planes, B in codes.
#[derive(Debug)]
pub(super) struct CodedStrings {
    pub(super) kind: Kind,
    /// Bit planes: a bit a row, 64 rows to a word, the last word first.
    rows: Vec<u64>,
    /// Number of words of a plane; there are more rows than A has symbols, with unused values.
    pub(super) words: usize,
    /// Symbols of the columns.
    cols: Vec<u8>,
    /// True for columns that match any row.
    matches: Vec<bool>,
    pub(super) m: usize,
    pub(super) n: usize,
}

impl CodedStrings {
    /// Prepares A, the rows, and B, the columns.
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
            // No row has code 0, so it needs no plane.
            group.iter_mut().zip(symbols).for_each(|(group, &code)| *group = code.wrapping_sub(1));
            for q in 0..planes {
                rows[q * words + words - 1 - word] = plane(&group, q);
            }
        }
        let all = codes.symbols == 256;
        let matches = codes.cols.iter().map(|&code| code != 0 || all).collect();
        let mut cols = codes.cols;
        cols.iter_mut().for_each(|code| *code = code.wrapping_sub(1));
        let kind = Kind { instructions, planes, costs };
        Self { kind, rows, words, cols, matches, m: a.len(), n: b.len() }
    }

    /// Returns the words of a block of columns that contain some rows, in whole strips, if the
    /// previous block has the words `before`: neither edge moves up.
    pub(super) fn words_of(&self, before: &Range<usize>, rows: Range<usize>) -> Range<usize> {
        let last = self.m.div_ceil(64);
        let start = (rows.start / 64).max(before.start).min(last.saturating_sub(1));
        let end = rows.end.div_ceil(64).max(before.end).min(last).max(start + 1);
        start..start + (end - start).next_multiple_of(GROUP)
    }

    /// Returns the columns of a block, at most [`BLOCK`], as streams.
    pub(super) fn streams(&self, columns: Range<usize>, text: &mut Streams) {
        match self.kind.instructions {
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
    fn fill(&self, columns: Range<usize>, text: &mut Streams) {
        text.words.resize((self.kind.planes + 2) * STREAM, 0);
        if text.columns != columns.len() {
            text.columns = columns.len();
            text.words.fill(0);
            text.words[(self.kind.planes + 1) * STREAM + PAD..][..columns.len()].fill(!0);
        }
        let cols = &self.cols[columns.clone()];
        let matches = &self.matches[columns];
        for (q, stream) in text.words.chunks_mut(STREAM).enumerate() {
            if q < self.kind.planes {
                for (word, &code) in stream[PAD..].iter_mut().zip(cols) {
                    *word = u64::from(code >> q & 1).wrapping_neg();
                }
            } else if q == self.kind.planes {
                for (word, &matches) in stream[PAD..].iter_mut().zip(matches) {
                    *word = u64::from(matches).wrapping_neg();
                }
            }
        }
    }
}

/// Columns of a block, with a word of zeros or of ones for each bit of a symbol: streams of the
/// planes, of whether the symbol matches any row, and of whether the column exists.
#[derive(Debug, Default)]
pub(super) struct Streams {
    words: Vec<u64>,
    pub(super) columns: usize,
}

/// 64 differences: a bit for each increase of D by 1, and a bit for each decrease by 1.
#[derive(Debug, Clone, Copy)]
pub(super) struct Deltas {
    pub(super) plus: u64,
    pub(super) minus: u64,
}

impl Deltas {
    /// Returns the first `count` of them, 0 to 63, with 0 for the others.
    #[inline]
    pub(super) fn first(self, count: usize) -> Self {
        let mask = !(!0 << count);
        Self { plus: self.plus & mask, minus: self.minus & mask }
    }

    /// Returns their sum.
    #[inline]
    pub(super) fn rise(self) -> i64 {
        i64::from(self.plus.count_ones()) - i64::from(self.minus.count_ones())
    }

    /// Returns a lower bound, slightly too low at most, on D in the cells before each of the
    /// differences. `start` is D before the first.
    #[inline]
    pub(super) fn least_from(self, start: i64) -> i64 {
        start - i64::from(self.minus.count_ones())
    }
}

/// Words of a column, the last one first.
pub(super) struct Words<'c> {
    pub(super) plus: &'c [u64],
    pub(super) minus: &'c [u64],
}

/// A column of the table, or some of its rows, as differences from row to row.
#[derive(Debug, Clone)]
pub(super) struct VerticalDeltas {
    /// Bits of the rows where D increases by 1 from the row above, 64 rows a word, the last word
    /// first.
    plus: Vec<u64>,
    /// Bits of the rows where D decreases.
    minus: Vec<u64>,
    /// Words in use; all others are in their initial state.
    pub(super) range: Range<usize>,
    /// D in the row above the first row in use.
    pub(super) top: i64,
}

impl VerticalDeltas {
    /// Returns a column without rows, which starts at the first one, and D = 0.
    pub(super) fn new(strings: &CodedStrings) -> Self {
        Self { plus: vec![0; strings.words], minus: vec![0; strings.words], range: 0..0, top: 0 }
    }

    /// Returns the differences of the 64 rows of a word.
    #[inline]
    pub(super) fn word(&self, word: usize) -> Deltas {
        let at = self.plus.len() - 1 - word;
        Deltas { plus: self.plus[at], minus: self.minus[at] }
    }

    /// Restarts in the row above a word: no rows, and D = 0.
    pub(super) fn restart(&mut self, start: usize) {
        (self.range, self.top) = (start..start, 0);
    }

    /// Sets the end of the words, with D rising by 1 from row to row in new ones. The end may move
    /// back if the previous words were past the last row.
    pub(super) fn extend(&mut self, end: usize) {
        self.extend_by(end, !0, 0);
    }

    /// Sets the end of the words, with D = 0 in all rows, or, if D must differ between adjacent
    /// rows, in every other row, and -1 in the rest.
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

    /// Drops the words before `start`, which stays within the rows of the range.
    pub(super) fn forget(&mut self, start: usize) {
        for word in self.range.start..start {
            self.top += self.rise(word);
        }
        self.range.start = start;
    }

    /// Returns D in a word's last row minus D in the row above its first.
    pub(super) fn rise(&self, word: usize) -> i64 {
        self.word(word).rise()
    }

    /// Returns D in the last row of the words.
    pub(super) fn bottom(&self) -> i64 {
        self.top + self.range.clone().map(|word| self.rise(word)).sum::<i64>()
    }

    /// Returns D in a row that is in use, or in the row above the first one: `row` rows are above
    /// it.
    pub(super) fn value(&self, row: usize) -> i64 {
        let whole: i64 = (self.range.start..row / 64).map(|word| self.rise(word)).sum();
        let rest = if row.is_multiple_of(64) { 0 } else { self.word(row / 64).first(row % 64).rise() };
        self.top + whole + rest
    }

    /// Returns the words in use, the last one first.
    pub(super) fn words(&self) -> Words<'_> {
        let words = self.plus.len() - self.range.end..self.plus.len() - self.range.start;
        Words { plus: &self.plus[words.clone()], minus: &self.minus[words] }
    }

    /// Sets the words from `start` on; they are given the last one first.
    pub(super) fn set(&mut self, start: usize, plus: &[u64], minus: &[u64]) {
        self.range = start..start + plus.len();
        let words = self.plus.len() - self.range.end..self.plus.len() - self.range.start;
        self.plus[words.clone()].copy_from_slice(plus);
        self.minus[words].copy_from_slice(minus);
    }

    /// Takes the words, a multiple of [`GROUP`], through a block of columns. Returns the changes of
    /// D in the last row. `kept`, if given, receives the bits of all cells.
    pub(super) fn advance(
        &mut self,
        strings: &CodedStrings,
        text: &Streams,
        mut kept: Option<&mut Kept>,
    ) -> HorizontalDeltas {
        let mut deltas = HorizontalDeltas::RISING;
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
                rows: &strings.rows[at..],
                stride: strings.words,
                streams: &text.words,
                columns: text.columns,
                plus: &mut self.plus[at..at + words],
                minus: &mut self.minus[at..at + words],
                above: &mut deltas,
            };
            match kept.as_deref_mut() {
                Some(kept) => strings.kind.run::<true>(strip, &mut kept.bits),
                None => strings.kind.run::<false>(strip, &mut Vec::new()),
            }
            start += words;
        }
        self.top += text.columns as i64;
        deltas
    }
}

/// Two bits of every cell of some words in a block: whether D is one more than in the row above,
/// and whether it is one more than in the previous column.
#[derive(Debug, Default)]
pub(super) struct Kept {
    start: usize,
    /// Number of words of a group of [`GROUP`] rows' words.
    group: usize,
    /// Bits group by group, and step by step.
    bits: Vec<u64>,
}

impl Kept {
    /// Returns the bits of a row, 0-based, and a column of the block.
    #[inline(always)]
    pub(super) fn bits(&self, row: usize, column: usize) -> (bool, bool) {
        let word = row / 64 - self.start;
        let group = word / GROUP;
        let word = word % GROUP;
        let at = group * self.group + (column + word) * 2 * GROUP + GROUP - 1 - word;
        let bit = |at: usize| self.bits.get(at).is_some_and(|word| word >> (row % 64) & 1 == 1);
        (bit(at), bit(at + GROUP))
    }
}

#[cfg(test)]
mod tests {
    use super::super::strip::BLOCK;
    use super::*;
    use crate::cpu::codes::random;

    /// Compares whole columns of a table, block by block, and all bits of its cells with the plain
    /// table.
    #[test]
    fn every_instruction_set_against_the_plain_table() {
        for (m, n, symbols) in
            [(500, 600, 4), (1000, 300, 2), (512, 256, 4), (1100, 257, 25), (90, 10, 256), (900, 7, 3)]
        {
            let rows: Vec<u8> =
                (0..symbols.min(m)).map(|symbol| symbol as u8).chain(random(m, symbols, 1)).take(m).collect();
            // Includes symbols that no row has.
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
                for instructions in Instructions::all() {
                    let strings = CodedStrings::with(instructions, &rows, &cols, costs);
                    for keep in [false, true] {
                        let (mut column, mut text, mut kept) =
                            (VerticalDeltas::new(&strings), Streams::default(), Kept::default());
                        column.extend(m.div_ceil(64).next_multiple_of(GROUP));
                        for start in (0..n).step_by(BLOCK) {
                            let end = (start + BLOCK).min(n);
                            let what = format!("{m} x {n}, column {end}, {costs:?}, {instructions:?}, kept {keep}");
                            let before = column.bottom();
                            strings.streams(start..end, &mut text);
                            let steps = column.advance(&strings, &text, keep.then_some(&mut kept));
                            let mut value = column.top;
                            assert_eq!(value, d[end][0], "{what}");
                            for i in 0..m {
                                let Deltas { plus, minus } = column.word(i / 64);
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
