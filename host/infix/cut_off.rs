//! Distances up to a bound, by only those blocks of a column that can contain them. E. Ukkonen,
//! Finding approximate patterns in strings, Journal of Algorithms 6(1), 1985, in the blocks of
//! Myers (1999, section 4).
//!
//! A path with at most k errors goes only through cells of at most k. Below the last such cell in a
//! column nothing needs to be computed. Each column begins with the band of the column before,
//! which becomes a block longer or shorter.
//!
//! ```text
//! D ≤ k: ▓      rows  ▓▓▓▓▓▓▓▓▓▓▓▓▓▓     the computed blocks: about 2k rows in random text,
//!                     ▓▓▓░▓▓░▓▓▓▓▓░▓     all rows where the text is like the pattern
//!                     ▓░░  ░  ░▓▓▓ ░
//!                              ▓▓▓
//! ```
//!
//! If the match begins at the start of the text, blocks at the top are left out as well. Outside
//! the band, D is assumed to grow by 1 a step from the band's border: an upper bound that is more
//! than k there.

use super::end::End;
use super::myers;
use crate::cpu::myers::{Block, Step};
use crate::text::pattern::MatchWords;
use crate::threads;

/// Computed blocks of a column.
pub(super) struct CutOffBand<'p> {
    matches: &'p MatchWords,
    /// Number of rows.
    m: usize,
    blocks: Vec<Block>,
    /// The first and the last block.
    first: usize,
    last: usize,
    /// D in the row above the first block.
    above: i64,
    /// D in the last row of the last block.
    below: i64,
}

impl<'p> CutOffBand<'p> {
    /// Returns column 0, down to where D exceeds k.
    pub(super) fn new(matches: &'p MatchWords, m: usize, k: u32) -> Self {
        let last = (k as usize / 64).min(matches.words() - 1);
        let below = (64 * (last + 1)).min(m) as i64;
        Self { matches, m, blocks: vec![Block::RISING; matches.words()], first: 0, last, above: 0, below }
    }

    /// Moves to a column that has been kept.
    fn go_to(&mut self, column: KeptColumn<'_>) {
        let KeptColumn { blocks, first, above, below } = column;
        (self.first, self.last, self.above, self.below) = (first, first + blocks.len() - 1, above, below);
        self.blocks[first..=self.last].copy_from_slice(blocks);
    }

    /// Returns the number of rows of a block.
    fn rows(&self, block: usize) -> u32 {
        (self.m - 64 * block).min(64) as u32
    }

    /// Returns a lower bound on the cells of the column.
    fn least(&self) -> i64 {
        // D changes by at most 1 from row to row, so between two rows it is at least half of their
        // sum minus their distance.
        let rows = 64 * (self.last - self.first) as i64 + i64::from(self.rows(self.last));
        (self.above + self.below - rows).div_euclid(2)
    }

    /// Takes a symbol. Returns D in row m if that is at most k; k must not increase from call to
    /// call. `top` is the difference of D from column to column in row 0.
    #[inline(always)]
    pub(super) fn take(&mut self, symbol: u8, top: i32, k: i64) -> Option<i64> {
        let words = self.matches.mask(symbol);
        let mut step = Step::from_difference(if self.first == 0 { top } else { 1 });
        self.above += step.difference();
        for (block, &eq) in self.blocks[self.first..self.last].iter_mut().zip(&words[self.first..self.last]) {
            step = block.advance(eq, step, 63);
        }
        let rows = self.rows(self.last);
        step = self.blocks[self.last].advance(words[self.last], step, rows - 1);
        let left = self.below;
        self.below += step.difference();

        let next = self.last + 1;
        // The next row can be reached from the border row: by a match from the cell to the left, or
        // by an error from the cell in this column.
        if next < words.len() && (self.below < k || left <= k && words[next] & 1 == 1) {
            let rows = self.rows(next);
            self.blocks[next] = Block::RISING;
            let step = self.blocks[next].advance(words[next], step, rows - 1);
            self.below = left + i64::from(rows) + step.difference();
            self.last = next;
        } else {
            while self.last > self.first && self.below >= k + i64::from(self.rows(self.last)) {
                self.below -= self.blocks[self.last].rise(self.rows(self.last));
                self.last -= 1;
            }
        }
        while self.first < self.last && self.above > k + 64 {
            self.above += self.blocks[self.first].rise(64);
            self.first += 1;
        }
        (self.last + 1 == words.len()).then_some(self.below)
    }
}

/// Number of blocks that [`backwards`] keeps at a time: 4 MiB. Unit tests use so few that columns
/// of a few hundred symbols need several stretches.
const KEPT: usize = if cfg!(test) { 1 << 10 } else { 1 << 18 };

/// Unwinds if the job has been stopped; checks once in 4,096 columns.
fn check(column: usize) {
    if column.is_multiple_of(1 << 12) {
        threads::check();
    }
}

/// Visits the columns of the first `last` symbols with D of at most k, from the last one back to
/// column 0. `visit` receives the column's number, and some kept columns with the indices of this
/// column and the one before. Columns are computed twice if there are too many to keep at a time. D
/// rises by 1 a column in row 0.
pub(super) fn backwards(
    matches: &MatchWords,
    m: usize,
    k: u32,
    last: usize,
    symbol: impl Fn(usize) -> u8,
    mut visit: impl FnMut(usize, &KeptColumns, usize),
) {
    let widest = 2 * k as usize / 64 + 2;
    let kept = (KEPT / widest.min(matches.words())).max(last.isqrt() + 1);
    // The first column of each stretch that is kept as a whole.
    let starts: Vec<usize> = (0..=last).step_by(kept).collect();
    let mut band = CutOffBand::new(matches, m, k);
    let mut first_columns = KeptColumns::default();
    first_columns.keep(&band);
    for &start in starts.iter().skip(1) {
        for column in start - kept..start {
            check(column);
            band.take(symbol(column), 1, i64::from(k));
        }
        first_columns.keep(&band);
    }
    let mut columns = KeptColumns::default();
    let mut end = last;
    for (number, start) in starts.into_iter().enumerate().rev() {
        band.go_to(first_columns.get(number));
        columns.clear();
        columns.keep(&band);
        for column in start..end {
            check(column);
            band.take(symbol(column), 1, i64::from(k));
            columns.keep(&band);
        }
        for column in (start + 1..=end).rev() {
            if column.is_multiple_of(1 << 8) {
                threads::check();
            }
            visit(column, &columns, column - start);
        }
        end = start;
    }
    visit(0, &columns, 0);
}

/// Kept columns, with the blocks of each column's band.
#[derive(Default)]
pub(super) struct KeptColumns {
    blocks: Vec<Block>,
    columns: Vec<ColumnExtent>,
}

/// Position of a column's blocks.
#[derive(Clone, Copy)]
struct ColumnExtent {
    /// Index of the first block, among the blocks of all columns.
    at: usize,
    first: usize,
    last: usize,
    above: i64,
    below: i64,
}

impl KeptColumns {
    /// Removes all columns.
    pub(super) fn clear(&mut self) {
        self.blocks.clear();
        self.columns.clear();
    }

    /// Adds the current column of a band.
    pub(super) fn keep(&mut self, band: &CutOffBand<'_>) {
        let CutOffBand { first, last, above, below, .. } = *band;
        self.columns.push(ColumnExtent { at: self.blocks.len(), first, last, above, below });
        self.blocks.extend_from_slice(&band.blocks[first..=last]);
    }

    /// Returns the column that was added as number `number`.
    pub(super) fn get(&self, number: usize) -> KeptColumn<'_> {
        let ColumnExtent { at, first, last, above, below } = self.columns[number];
        KeptColumn { blocks: &self.blocks[at..=at + last - first], first, above, below }
    }
}

/// A kept column.
#[derive(Clone, Copy)]
pub(super) struct KeptColumn<'c> {
    blocks: &'c [Block],
    first: usize,
    above: i64,
    below: i64,
}

impl<'c> KeptColumn<'c> {
    /// Returns the band's last row, out of m.
    fn end(&self, m: usize) -> usize {
        (64 * (self.first + self.blocks.len())).min(m)
    }

    /// Returns D in row m, if the band includes it.
    pub(super) fn last_row(&self, m: usize) -> Option<i64> {
        (self.end(m) == m).then_some(self.below)
    }

    /// Returns true if D in the row below is greater by 1.
    pub(super) fn rises(&self, row: usize) -> bool {
        let block = (row / 64).checked_sub(self.first).and_then(|block| self.blocks.get(block));
        block.is_some_and(|block| block.rises(row as u32 % 64))
    }

    /// Returns an iterator over D row by row, from the last of m rows up.
    pub(super) fn values(&self, m: usize) -> Values<'c> {
        Values { column: *self, row: self.end(m), value: self.below }
    }
}

/// D in the rows of a column, upwards.
pub(super) struct Values<'c> {
    column: KeptColumn<'c>,
    row: usize,
    value: i64,
}

impl Values<'_> {
    /// Returns D in a row that is not below the row of the previous call; `None` outside the band.
    /// In row 0 it is `top`.
    pub(super) fn at(&mut self, row: usize, top: usize) -> Option<i64> {
        if row == 0 {
            return Some(top as i64);
        }
        let KeptColumn { blocks, first, .. } = self.column;
        if row > self.row || row <= 64 * first {
            return None;
        }
        while self.row > row {
            // Row r is bit r - 1.
            let block = (self.row - 1) / 64;
            let start = row.max(64 * block);
            self.value -= blocks[block - first].rise_between(start as u32 % 64, (self.row - 64 * block) as u32);
            self.row = start;
        }
        Some(self.value)
    }
}

/// Returns the edit distance of a pattern with m positions, not 0, and a text, if it is at most k.
/// Takes about (2k / 64 + 2) steps of 17 instructions a symbol, and fewer if the distance is found
/// to exceed k early.
pub(crate) fn last_within(symbols: impl Iterator<Item = u8>, matches: &MatchWords, m: usize, k: u32) -> Option<u64> {
    let mut band = CutOffBand::new(matches, m, k);
    let mut distance = Some(m as i64);
    for symbol in symbols {
        distance = band.take(symbol, 1, i64::from(k));
        if band.least() > i64::from(k) {
            return None;
        }
    }
    distance.filter(|&distance| distance <= i64::from(k)).map(i64::cast_unsigned)
}

/// Returns the fewest errors of any column, and the first column with them, if they are at most
/// `bound`. `top` as for [`Band::take`]; m is not 0. A block and symbol costs about 17
/// instructions, and there are about 2 `bound` / 64 blocks in random text.
pub(crate) fn least_within(
    symbols: impl Iterator<Item = u8>,
    matches: &MatchWords,
    m: usize,
    top: i32,
    bound: u32,
) -> Option<(u32, u64)> {
    let mut k = i64::from(bound);
    let mut least = None;
    if m as i64 <= k {
        (least, k) = (Some((m as u32, 0)), m as i64 - 1);
    }
    let mut band = CutOffBand::new(matches, m, k as u32);
    for (j, symbol) in (1..).zip(symbols) {
        if let Some(errors) = band.take(symbol, top, k)
            && errors <= k
        {
            (least, k) = (Some((errors as u32, j)), errors - 1);
            if errors == 0 {
                break;
            }
        }
    }
    least
}

/// Finds the ends of occurrences with at most k errors of a pattern with m positions. Takes about
/// 17 instructions a symbol for each block that may hold a cell of at most k: about 2k / 64 blocks
/// in random text, and at most all blocks of m rows. `tell` receives the number of symbols done
/// since its last call.
pub(crate) fn ends(
    symbols: impl Iterator<Item = u8>,
    matches: &MatchWords,
    m: usize,
    k: u32,
    on_progress: &dyn Fn(u64),
) -> Vec<End> {
    if k / 32 + 1 >= matches.words() as u32 {
        return myers::ends_by(symbols, matches, m, k, on_progress);
    }
    let mut found = Vec::new();
    let mut band = CutOffBand::new(matches, m, k);
    for (j, symbol) in (1u64..).zip(symbols) {
        if let Some(errors) = band.take(symbol, 0, i64::from(k))
            && errors <= i64::from(k)
        {
            found.push(End { end: j, errors: errors as u32 });
        }
        if j.is_multiple_of(myers::PROGRESS_INTERVAL) {
            on_progress(myers::PROGRESS_INTERVAL);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::sellers;
    use super::*;
    use crate::text::Pattern;

    /// Computes the last row of the matrix by its recurrence; row 0 rises by `top` a column.
    fn last_row(pattern: &[u8], text: &[u8], top: u32) -> Vec<u32> {
        let mut column: Vec<u32> = (0..=pattern.len() as u32).collect();
        let mut row = vec![pattern.len() as u32];
        for symbol in text {
            let mut diagonal = column[0];
            column[0] += top;
            for (i, own) in pattern.iter().enumerate() {
                let left = column[i + 1];
                column[i + 1] = (diagonal + u32::from(own != symbol)).min(left + 1).min(column[i] + 1);
                diagonal = left;
            }
            row.push(column[pattern.len()]);
        }
        row
    }

    #[track_caller]
    fn check(pattern: &[u8], text: &[u8]) {
        let m = pattern.len();
        let matches = Pattern::literal(pattern).match_words();
        for top in [0, 1] {
            let row = last_row(pattern, text, top);
            let distance = row[text.len()];
            for bound in [0, 1, distance / 2, distance.saturating_sub(1), distance, distance + 1, 2 * distance] {
                let found = last_within(text.iter().copied(), &matches, m, bound);
                let expected = (distance <= bound).then_some(u64::from(distance));
                assert!(top == 0 || found == expected, "m = {m}, bound {bound}: {found:?}, not {expected:?}");
            }
            let least = *row.iter().min().unwrap();
            let first = row.iter().position(|errors| *errors == least).unwrap() as u64;
            let bounds =
                [0, 1, least / 2, least.saturating_sub(1), least, least + 1, 2 * least, m as u32, 3 * m as u32];
            for bound in bounds {
                let found = least_within(text.iter().copied(), &matches, m, top as i32, bound);
                assert_eq!(found, (least <= bound).then_some((least, first)), "m = {m}, top = {top}, bound {bound}");
                let found = ends(text.iter().copied(), &matches, m, bound, &|_| ());
                let expected = sellers::ends(text, &Pattern::literal(pattern), bound);
                assert!(top == 1 || found == expected, "m = {m}, bound {bound}");
            }
        }
    }

    #[test]
    fn within_any_bound() {
        let mut random = fastrand::Rng::with_seed(5);
        for case in 0..400 {
            let m = [random.usize(1..64), 64, 128, 192, random.usize(65..400)][case % 5];
            let symbols = random.u8(1..6);
            let pattern: Vec<u8> = (0..m).map(|_| random.u8(..symbols)).collect();
            let mut text: Vec<u8> = (0..random.usize(0..900)).map(|_| random.u8(..symbols)).collect();
            if case % 3 > 0 {
                // The pattern with some errors, so that the band reaches the last row and leaves it
                // again.
                let at = random.usize(..=text.len());
                let rate = random.usize(2..40);
                let near: Vec<u8> = pattern
                    .iter()
                    .flat_map(|&symbol| match random.usize(..rate) {
                        0 => vec![],
                        1 => vec![symbol, random.u8(..symbols)],
                        _ => vec![symbol],
                    })
                    .collect();
                text.splice(at..at, near);
            }
            check(&pattern, &text);
        }
    }

    #[test]
    fn stretches_and_turns() {
        for (m, n) in [(1, 5), (65, 200), (130, 70), (200, 600)] {
            let turns = |len: usize, period: usize| (0..len).map(|i| (i / period % 2) as u8).collect::<Vec<u8>>();
            for (a, b) in [(1, 1), (1, 7), (64, 64), (64, 1), (m, 3), (3, n)] {
                check(&turns(m, a), &turns(n, b));
            }
        }
    }
}
