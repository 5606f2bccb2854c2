//! The table of two sequences of tokens by blocks of 64 rows. Match words are made from the
//! positions of each token among the rows.

use crate::cpu::myers::{Block, Step};
use crate::error::Result;
use crate::job::Progress;
use crate::memory;

/// Rows per block.
const ROWS: usize = 64;

/// Value of D in cells that were not computed.
pub(super) const FAR: u64 = u64::MAX / 4;

/// Cells between two reports of progress.
const CELLS: u64 = 1 << 24;

/// The rows that have each token.
pub(in crate::distance) struct MatchTable {
    /// Index of each token's first word in `words`, then the end of the last token's words.
    starts: Vec<usize>,
    /// The blocks that have the token, in order, with the token's rows in each.
    words: Vec<(u32, u64)>,
    rows: usize,
}

impl MatchTable {
    pub(in crate::distance) fn new(rows: &[u32]) -> Result<Self> {
        let kinds = rows.iter().max().map_or(0, |&most| most as usize + 1);
        memory::check::<usize>(kinds.saturating_mul(2), "the kinds of tokens")?;
        memory::check::<(u32, u64)>(rows.len(), "the places of tokens")?;
        // Equal tokens of a block share one word. The blocks are read twice, to count the words and
        // to fill them.
        let mut starts = vec![0; kinds + 1];
        let mut last = vec![usize::MAX; kinds];
        for (row, &token) in rows.iter().enumerate() {
            if std::mem::replace(&mut last[token as usize], row / ROWS) != row / ROWS {
                starts[token as usize + 1] += 1;
            }
        }
        for kind in 0..kinds {
            starts[kind + 1] += starts[kind];
        }
        let mut words = vec![(u32::MAX, 0); starts[kinds]];
        let mut next: Vec<usize> = starts[..kinds].to_vec();
        for (row, &token) in rows.iter().enumerate() {
            let block = (row / ROWS) as u32;
            let bit = 1 << (row % ROWS);
            let next = &mut next[token as usize];
            if *next > starts[token as usize] && words[*next - 1].0 == block {
                words[*next - 1].1 |= bit;
            } else {
                words[*next] = (block, bit);
                *next += 1;
            }
        }
        Ok(Self { starts, words, rows: rows.len() })
    }

    /// Returns the words of a token from block `first` on.
    fn words_from(&self, token: u32, first: usize) -> &[(u32, u64)] {
        let bounds = self.starts.get(token as usize).zip(self.starts.get(token as usize + 1));
        let words = bounds.map_or(&[][..], |(&start, &end)| &self.words[start..end]);
        &words[words.partition_point(|&(block, _)| (block as usize) < first)..]
    }

    /// Computes all columns of the table, each as the words of its blocks: bits of the rows where D
    /// increases from the row above, and of those where it decreases.
    pub(in crate::distance) fn columns(&self, columns: &[u32], progress: Progress<'_>) -> Result<Vec<(u64, u64)>> {
        let blocks = self.rows.div_ceil(ROWS);
        let mut all = Vec::new();
        memory::reserve(&mut all, blocks.saturating_mul(columns.len()), "the table of a script")?;
        let mut column = vec![Block::RISING; blocks];
        let mut cells = 0;
        for &token in columns {
            let mut words = self.words_from(token, 0).iter().copied().peekable();
            let mut step = Step::from_difference(1);
            for (number, block) in column.iter_mut().enumerate() {
                let equal = words.next_if(|&(block, _)| block as usize == number).map_or(0, |(_, word)| word);
                step = block.advance(equal, step, ROWS as u32 - 1);
                all.push(block.words());
            }
            cells += (blocks * ROWS) as u64;
            if cells > CELLS {
                progress(std::mem::take(&mut cells));
            }
        }
        progress(cells);
        Ok(all)
    }

    /// Computes all columns of the LCS table. A bit is 0 if the length grows from row to row.
    pub(in crate::distance) fn lcs_columns(&self, columns: &[u32], progress: Progress<'_>) -> Result<Vec<u64>> {
        let blocks = self.rows.div_ceil(ROWS);
        let mut all = Vec::new();
        memory::reserve(&mut all, blocks.saturating_mul(columns.len()), "the table of a script")?;
        let mut column = vec![!0u64; blocks];
        let mut cells = 0;
        for &token in columns {
            self.lcs_step(token, &mut column, |word| all.push(word));
            cells += (blocks * ROWS) as u64;
            if cells > CELLS {
                progress(std::mem::take(&mut cells));
            }
        }
        progress(cells);
        Ok(all)
    }

    /// Computes the length of a longest common subsequence. Takes 6 instructions per 64 cells.
    pub(super) fn lcs_length(&self, columns: &[u32], progress: Progress<'_>) -> u64 {
        // A bit is 0 if the length grows from row to row. Rows past the last one match nothing, and
        // stay 1.
        let mut column = vec![!0; self.rows.div_ceil(ROWS)];
        let mut cells = 0;
        for &token in columns {
            self.lcs_step(token, &mut column, |_| ());
            cells += (column.len() * ROWS) as u64;
            if cells > CELLS {
                progress(std::mem::take(&mut cells));
            }
        }
        progress(cells);
        column.iter().map(|word| u64::from(word.count_zeros())).sum()
    }

    /// Computes the next column of the LCS table, for this token. Calls `each` with its words in
    /// order.
    #[inline]
    fn lcs_step(&self, token: u32, column: &mut [u64], mut each: impl FnMut(u64)) {
        let mut words = self.words_from(token, 0).iter().copied().peekable();
        let mut carry = false;
        for (number, word) in column.iter_mut().enumerate() {
            let equal = words.next_if(|&(block, _)| block as usize == number).map_or(0, |(_, word)| word);
            let matched = *word & equal;
            let (sum, over) = word.carrying_add(matched, carry);
            (*word, carry) = (sum | (*word ^ matched), over);
            each(*word);
        }
    }

    /// Calls `each` with D in the last row of each column. In the first row, D is 0 if
    /// `first_is_zero`; otherwise it grows by 1 from column to column. There must be a row.
    pub(in crate::distance) fn last_row(
        &self,
        columns: &[u32],
        first_is_zero: bool,
        progress: Progress<'_>,
        mut each: impl FnMut(u64),
    ) {
        let blocks = self.rows.div_ceil(ROWS);
        let mut column = vec![Block::RISING; blocks];
        let mut distance = self.rows as u64;
        let mut cells = 0;
        for &token in columns {
            let mut words = self.words_from(token, 0).iter().copied().peekable();
            let mut step = Step::from_difference(if first_is_zero { 0 } else { 1 });
            for (number, block) in column.iter_mut().enumerate() {
                let equal = words.next_if(|&(block, _)| block as usize == number).map_or(0, |(_, word)| word);
                let height = (self.rows - number * ROWS).min(ROWS);
                step = block.advance(equal, step, height as u32 - 1);
            }
            distance = distance.wrapping_add_signed(step.difference());
            each(distance);
            cells += (blocks * ROWS) as u64;
            if cells > CELLS {
                progress(std::mem::take(&mut cells));
            }
        }
        progress(cells);
    }

    /// Computes the part of the last column that is within reach of the diagonal. There must be a
    /// row and a column.
    pub(in crate::distance) fn last_column<'c>(
        &self,
        columns: impl ExactSizeIterator<Item = &'c u32>,
        reach: u64,
        progress: Progress<'_>,
    ) -> LastColumn {
        let blocks = self.rows.div_ceil(ROWS);
        let reach = usize::try_from(reach).unwrap_or(usize::MAX);
        let height = |block: usize| (self.rows - block * ROWS).min(ROWS);
        // D in the last row of each block.
        let mut column = LastColumn { blocks: Vec::with_capacity(blocks), first: 0, columns: columns.len() as u64 };
        let mut cells = 0;
        for (number, &token) in columns.enumerate() {
            let last = (number.saturating_add(reach) / ROWS).min(blocks - 1);
            column.first = (number.saturating_sub(reach) / ROWS).min(blocks - 1);
            while column.blocks.len() <= last {
                let above = column.blocks.last().map_or(number as u64, |&(_, below)| below);
                let block = column.blocks.len();
                column.blocks.push((Block::RISING, above + height(block) as u64));
            }
            let mut words = self.words_from(token, column.first).iter().copied().peekable();
            let mut step = Step::from_difference(1);
            for (number, (block, below)) in column.blocks.iter_mut().enumerate().skip(column.first) {
                let equal = words.next_if(|&(block, _)| block as usize == number).map_or(0, |(_, word)| word);
                step = block.advance(equal, step, height(number) as u32 - 1);
                *below = below.wrapping_add_signed(step.difference());
            }
            cells += ((last + 1 - column.first) * ROWS) as u64;
            if cells > CELLS {
                progress(std::mem::take(&mut cells));
            }
        }
        progress(cells);
        while column.blocks.len() < blocks {
            column.blocks.push((Block::RISING, FAR));
        }
        column
    }
}

/// The last column of a table.
pub(in crate::distance) struct LastColumn {
    /// Blocks of rows, with D in the last row of each.
    blocks: Vec<(Block, u64)>,
    /// Index of the first block that was computed.
    first: usize,
    /// Number of columns of the table.
    columns: u64,
}

impl LastColumn {
    /// Returns D in the last row.
    pub(super) fn last(&self) -> u64 {
        self.blocks.last().map_or(self.columns, |&(_, below)| below)
    }

    /// Returns D in all rows, including the one above the first; [`FAR`] where it was not computed.
    pub(in crate::distance) fn values(&self, rows: usize) -> Vec<u64> {
        let mut values = Vec::with_capacity(rows + 1);
        values.push(if self.first == 0 { self.columns } else { FAR });
        for (number, &(block, below)) in self.blocks.iter().enumerate() {
            let height = (rows - number * ROWS).min(ROWS);
            if number < self.first || below >= FAR {
                values.extend(std::iter::repeat_n(FAR, height));
                continue;
            }
            let above = below.wrapping_add_signed(-block.rise(height as u32));
            values.extend((1..=height).map(|rows| above.wrapping_add_signed(block.rise(rows as u32))));
        }
        values
    }
}
