//! The edit distance of two sequences of numbers (tokens), which stand for characters of a large alphabet, for lines, words or anything else
//! that can be compared; and a cheapest script.
//!
//! Sequences that share up to 254 kinds of tokens are strings of bytes, and go the way of all strings. Of others the table is computed by blocks
//! of 64 rows ([`Block`]), near the diagonal alone (Ukkonen 1985): first so far from it as a small distance needs, then twice as far, until
//! the distance found is not greater than that.
//!
//! ```text
//!        b                     Only the blocks that cells within `reach` of the diagonal are in are computed. Above them D is
//!      + - - - - - - - +       taken to grow by 1 from column to column, and below them from row to row: there it may be too
//!    a | # # . . . . . |       large, never too small, so that a distance of at most `reach` is exact.
//!      | # # # # . . . |
//!      | . # # # # # . |       The script: the columns are cut in the middle, where D of both halves tells the row of a cheapest
//!      | . . . # # # # |       path (Hirschberg 1975); a part with few kinds of tokens is bytes again.
//!      + - - - - - - - +
//! ```

use crate::alignment::runs::Run;
use crate::cpu::myers::{Block, Step};
use crate::error::Result;
use crate::memory;
use crate::pairwise::furthest::{common_prefix, common_suffix};
use crate::job::Progress;
use crate::text::numbered::number;
use crate::threads;

/// Rows of a block.
const ROWS: usize = 64;
/// How far from the diagonal is looked first.
const REACH: u64 = 256;
/// What stands for D where it was not computed.
const FAR: u64 = u64::MAX / 4;

/// Solves a part whose tokens are bytes: the runs of matches of a cheapest script.
type OfBytes<'f> = &'f (dyn Fn(&[u8], &[u8]) -> Result<Vec<Run>> + Sync);

/// The edit distance, or none if it is above the maximum. 17 instructions for 64 cells of the band.
///
/// # Errors
/// [`Error::Memory`](crate::Error::Memory).
pub(crate) fn distance(a: &[u32], b: &[u32], maximum: Option<u64>, progress: Progress<'_>) -> Result<Option<u64>> {
    let (a, b) = trimmed(a, b).0;
    let (rows, columns) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let difference = (columns.len() - rows.len()) as u64;
    let longest = columns.len() as u64;
    let most = maximum.unwrap_or(longest).min(longest);
    if difference > most {
        return Ok(None);
    }
    if rows.is_empty() {
        return Ok(Some(difference));
    }
    let table = MatchTable::new(rows)?;
    let mut reach = REACH.max(difference.saturating_mul(2)).min(most);
    loop {
        let distance = table.last_column(columns.iter(), reach, progress).last();
        if distance <= reach {
            return Ok(Some(distance));
        }
        if reach == most {
            return Ok(None);
        }
        reach = reach.saturating_mul(2).min(most);
    }
}

/// The length of a longest common subsequence. 6 instructions for 64 cells.
///
/// # Errors
/// [`Error::Memory`](crate::Error::Memory).
pub(crate) fn lcs_length(a: &[u32], b: &[u32], progress: Progress<'_>) -> Result<u64> {
    let ((a, b), [prefix, suffix]) = trimmed(a, b);
    let common = (prefix + suffix) as u64;
    let (rows, columns) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    if rows.is_empty() {
        return Ok(common);
    }
    let table = MatchTable::new(rows)?;
    // A bit is 0 where the length grows from row to row; rows past the last one match nothing, and stay 1.
    let mut column = vec![!0; rows.len().div_ceil(ROWS)];
    let mut cells = 0;
    for &token in columns {
        table.lcs_step(token, &mut column, |_| ());
        cells += (column.len() * ROWS) as u64;
        if cells > CELLS {
            progress(std::mem::take(&mut cells));
        }
    }
    progress(cells);
    Ok(common + column.iter().map(|word| u64::from(word.count_zeros())).sum::<u64>())
}

/// The runs of matches of a cheapest script, in order.
///
/// # Errors
/// [`Error::Memory`](crate::Error::Memory), and those of `of_bytes`.
pub(super) fn runs(a: &[u32], b: &[u32], of_bytes: OfBytes<'_>, progress: Progress<'_>) -> Result<Vec<Run>> {
    let distance = distance(a, b, None, progress)?.unwrap_or(FAR);
    let mut runs: Vec<Run> = Vec::new();
    for run in threads::run(|| (Parts { of_bytes, progress }).solve([a, b], [0, 0], distance))? {
        match runs.last_mut() {
            _ if run.len == 0 => {}
            Some(last) if last.ends() == (run.a_start, run.b_start) => last.len += run.len,
            _ => runs.push(run),
        }
    }
    Ok(runs)
}

/// Both sequences without what they begin and end with in common, and how long these are.
fn trimmed<'s>(a: &'s [u32], b: &'s [u32]) -> ((&'s [u32], &'s [u32]), [usize; 2]) {
    let prefix = common_prefix(a, b);
    let a = &a[prefix..];
    let b = &b[prefix..];
    let suffix = common_suffix(a, b);
    ((&a[..a.len() - suffix], &b[..b.len() - suffix]), [prefix, suffix])
}

/// Hirschberg's recursion.
struct Parts<'p> {
    of_bytes: OfBytes<'p>,
    progress: Progress<'p>,
}

impl Parts<'_> {
    /// The runs of parts that begin at these places and have this distance.
    fn solve(&self, [a, b]: [&[u32]; 2], [a_start, b_start]: [u64; 2], distance: u64) -> Result<Vec<Run>> {
        let ((x, y), [prefix, suffix]) = trimmed(a, b);
        let x_start = a_start + prefix as u64;
        let y_start = b_start + prefix as u64;
        let mut runs = vec![Run { a_start, b_start, len: prefix as u64 }];
        runs.extend(self.middle([x, y], [x_start, y_start], distance)?);
        let a_start = x_start + x.len() as u64;
        let b_start = y_start + y.len() as u64;
        runs.push(Run { a_start, b_start, len: suffix as u64 });
        Ok(runs)
    }

    fn middle(&self, [a, b]: [&[u32]; 2], [a_start, b_start]: [u64; 2], distance: u64) -> Result<Vec<Run>> {
        if a.is_empty() || b.is_empty() {
            return Ok(Vec::new());
        }
        if let Some([x, y]) = number(a, b)?.bytes() {
            let moved = |run: Run| Run { a_start: run.a_start + a_start, b_start: run.b_start + b_start, len: run.len };
            return Ok((self.of_bytes)(&x, &y)?.into_iter().map(moved).collect());
        }
        // More than 254 kinds are in both, so that both halves have symbols.
        let middle = b.len() / 2;
        let (left, right) = b.split_at(middle);
        let backwards: Vec<u32> = a.iter().rev().copied().collect();
        let column = |rows: &[u32], columns: &mut (dyn ExactSizeIterator<Item = &u32> + Send)| -> Result<Vec<u64>> {
            Ok(MatchTable::new(rows)?.last_column(columns, distance, self.progress).values(rows.len()))
        };
        let (forward, backward) =
            rayon::join(|| column(a, &mut left.iter()), || column(&backwards, &mut right.iter().rev()));
        let forward = forward?;
        let backward = backward?;
        let costs = forward.iter().zip(backward.iter().rev()).map(|(x, y)| x + y).enumerate();
        let row = costs.min_by_key(|&(row, cost)| (cost, row)).map_or(0, |(row, _)| row);
        let (x, y) = a.split_at(row);
        let (first, second) = rayon::join(
            || self.solve([x, left], [a_start, b_start], forward[row]),
            || self.solve([y, right], [a_start + row as u64, b_start + middle as u64], backward[a.len() - row]),
        );
        let mut runs = first?;
        runs.extend(second?);
        Ok(runs)
    }
}

/// Cells between two reports of progress.
const CELLS: u64 = 1 << 24;

/// In which rows each token is.
pub(super) struct MatchTable {
    /// For each token, where its words begin in `words`; and where the last one's end.
    starts: Vec<usize>,
    /// The blocks that have the token, in order, and the rows in each.
    words: Vec<(u32, u64)>,
    rows: usize,
}

impl MatchTable {
    pub(super) fn new(rows: &[u32]) -> Result<Self> {
        let kinds = rows.iter().max().map_or(0, |&most| most as usize + 1);
        memory::check::<usize>(kinds.saturating_mul(2), "the kinds of tokens")?;
        memory::check::<(u32, u64)>(rows.len(), "the places of tokens")?;
        // Tokens of a block that are equal have one word: the blocks are gone through twice, to count the words and to fill them.
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

    /// The words of a token from a block on.
    fn words_from(&self, token: u32, first: usize) -> &[(u32, u64)] {
        let bounds = self.starts.get(token as usize).zip(self.starts.get(token as usize + 1));
        let words = bounds.map_or(&[][..], |(&start, &end)| &self.words[start..end]);
        &words[words.partition_point(|&(block, _)| (block as usize) < first)..]
    }

    /// All columns of the table, each as the words of its blocks: where D increases and where it decreases from row to row.
    pub(super) fn columns(&self, columns: &[u32], progress: Progress<'_>) -> Result<Vec<(u64, u64)>> {
        let blocks = self.rows.div_ceil(ROWS);
        let mut all = Vec::new();
        memory::reserve(&mut all, blocks.saturating_mul(columns.len()), "the table of a script")?;
        let mut column = vec![Block::RISING; blocks];
        let mut cells = 0;
        for &token in columns {
            let mut words = self.words_from(token, 0).iter().copied().peekable();
            let mut step = Step::of(1);
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

    /// All columns of the LCS table: a bit is 0 where the length grows from row to row.
    pub(super) fn lcs_columns(&self, columns: &[u32], progress: Progress<'_>) -> Result<Vec<u64>> {
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

    /// The next column of the LCS table, whose token this is. `each` is called with its words in order.
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

    /// Calls `each` with D in the last row of each column, where D in the first row is 0, or grows by 1 from column to column. There must be a
    /// row.
    pub(super) fn last_row(
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
            let mut step = Step::of(if first_is_zero { 0 } else { 1 });
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

    /// The last column of the table with these columns, as far as it is within reach of the diagonal. There must be a row and a column.
    pub(super) fn last_column<'c>(
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
            let mut step = Step::of(1);
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

/// A column of the table.
pub(super) struct LastColumn {
    /// Blocks of rows, and D in the last row of each.
    blocks: Vec<(Block, u64)>,
    /// The first block that was computed.
    first: usize,
    /// How many columns the table has.
    columns: u64,
}

impl LastColumn {
    /// D in the last row.
    fn last(&self) -> u64 {
        self.blocks.last().map_or(self.columns, |&(_, below)| below)
    }

    /// D in all rows, the one above the first one included; [`FAR`] where it was not computed.
    pub(super) fn values(&self, rows: usize) -> Vec<u64> {
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

#[cfg(test)]
mod tests {
    use super::super::Comparison;
    use super::*;
    use crate::cpu::naive;

    fn check(a: &[u32], b: &[u32]) {
        let expected = naive::distance(a, b);
        let found = |maximum| distance(a, b, maximum, &|_| ()).unwrap();
        assert_eq!(found(None), Some(expected), "{a:?} {b:?}");
        for maximum in [0, expected.saturating_sub(1), expected, expected + 1, 1 << 40] {
            assert_eq!(found(Some(maximum)), Some(expected).filter(|&d| d <= maximum), "{a:?} {b:?} {maximum}");
        }
        let comparison = Comparison::new();
        assert_eq!(comparison.distance_of(a, b).unwrap(), expected);
        assert_eq!(comparison.clone().maximum(expected).within_of(a, b).unwrap(), Some(expected));
        let below = comparison.clone().maximum(expected.saturating_sub(1));
        assert_eq!(below.within_of(a, b).unwrap().is_some(), expected == 0);
        let script = comparison.script_of(a, b).unwrap();
        assert_eq!((script.distance(), script.a_len(), script.b_len()), (expected, a.len() as u64, b.len() as u64));
        for run in script.runs() {
            let (x, y, len) = (run.a_start as usize, run.b_start as usize, run.len as usize);
            assert_eq!(a[x..x + len], b[y..y + len]);
        }
    }

    #[test]
    fn random_tokens() {
        let mut random = fastrand::Rng::with_seed(1);
        for m in [0, 1, 5, 63, 64, 65, 300, 1500] {
            for n in [0, 1, 64, 130, 700, 1300] {
                for kinds in [2, 300, 1000, u32::MAX] {
                    let mut tokens = |len: usize| (0..len).map(|_| random.u32(..kinds) % kinds).collect::<Vec<_>>();
                    check(
                        &number(&tokens(m), &tokens(n)).unwrap().a,
                        &tokens(n).iter().map(|t| t % 2000).collect::<Vec<_>>(),
                    );
                }
            }
        }
    }

    /// Many kinds in both, few and many differences.
    #[test]
    fn similar_tokens() {
        let mut random = fastrand::Rng::with_seed(2);
        for (len, edits) in [(400, 3), (1000, 0), (1000, 40), (2000, 300), (2000, 2000)] {
            let a: Vec<u32> = (0..len).map(|_| random.u32(..1500)).collect();
            let mut b = a.clone();
            for _ in 0..edits {
                let at = random.usize(..b.len());
                match random.u8(..3) {
                    0 => b[at] = random.u32(..1500),
                    1 => b.insert(at, random.u32(..1500)),
                    _ => drop(b.remove(at)),
                }
            }
            check(&a, &b);
            check(&b, &a);
            // A long piece that only one side has: the path leaves the diagonal.
            b.splice(100..100, a[..300].iter().copied().rev());
            check(&a, &b);
        }
    }
}
