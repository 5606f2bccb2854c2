//! How far an occurrence reaches from one of its ends: of all parts of a text that begin (or end) at a given place with a given
//! number of errors, the fewest there are, the one whose alignment has the fewest gaps, and of those the longest.
//!
//! G\[i\]\[j\] is the edit distance of the pattern's first i symbols and the text's first j, both taken from the given place on;
//! the parts in question are those j with G\[m\]\[j\] = d. A forward pass computes G in Myers' blocks, only where it is at most d
//! (see [`cut_off`](super::cut_off)). A backward pass then follows all alignments with d errors at once: a column at a time the
//! cells that any of them goes through, each with the fewest gaps from there to its end.
//!
//! ```text
//! text            j - 1     j
//!                   ·       ·
//! pattern  i - 1  · ▒ ───── · ·        a cell with the value v comes from
//!                   │ ╲     │            the diagonal      if the symbols match, or if v - 1 is there (a substitution),
//!          i      · ▒ ─── ▓ ▒ ·          the left          if v - 1 is there (a symbol more in the text: a gap),
//!                   ·       ·            above             if v - 1 is there (a symbol less: a gap).
//! ```
//!
//! Time O((m + d) ⌈d / 32⌉) for the forward pass, and as much again where its columns are too many to be kept; the backward pass
//! visits the cells of alignments alone, a few a column.

use super::cut_off::{Band, Columns};
use crate::search::pattern::{MatchWords, Pattern};

/// Blocks that the columns kept at a time have in all: 4 MiB.
const KEPT: usize = 1 << 18;

/// How far an occurrence reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Extent {
    /// Insertions and deletions of the alignment.
    pub gaps: u32,
    /// Symbols of the text.
    pub length: u64,
}

impl Extent {
    /// The fewer gaps the better, then the longer.
    fn or(self, other: Self) -> Self {
        let key = |extent: Self| (extent.gaps, std::cmp::Reverse(extent.length));
        if key(other) < key(self) { other } else { self }
    }
}

/// A pattern and a direction in which it and texts are read.
#[derive(Debug, Clone)]
pub(crate) struct Reader {
    pattern: Pattern,
    matches: MatchWords,
    backward: bool,
}

impl Reader {
    /// From an occurrence's start to its end.
    pub(crate) fn forward(pattern: &Pattern) -> Self {
        Self { matches: pattern.match_words(), pattern: pattern.clone(), backward: false }
    }

    /// From an occurrence's end to its start.
    pub(crate) fn backward(pattern: &Pattern) -> Self {
        let pattern = pattern.reversed();
        Self { matches: pattern.match_words(), pattern, backward: true }
    }

    /// The pattern's positions by symbol, in reading order.
    pub(crate) fn matches(&self) -> &MatchWords {
        &self.matches
    }

    /// The text's symbol with this number, from 0, in reading order.
    #[inline(always)]
    fn symbol(&self, text: &[u8], number: usize) -> u8 {
        text[if self.backward { text.len() - 1 - number } else { number }]
    }

    /// The fewest errors of all parts that begin where reading does, if they are at most `bound`.
    pub(crate) fn errors(&self, text: &[u8], bound: u32) -> Option<u32> {
        let m = self.pattern.len();
        let reach = text.len().min(m + bound as usize);
        let symbols = (0..reach).map(|number| self.symbol(text, number));
        super::cut_off::least_within(symbols, &self.matches, m, 1, bound).map(|(errors, _)| errors)
    }

    /// The best part of `text` that begins where reading does and has so many errors, the fewest there are. None if no part has.
    pub(crate) fn extent(&self, text: &[u8], errors: u32) -> Option<Extent> {
        self.without_gaps(text, errors).or_else(|| self.with_gaps(text, errors))
    }

    /// The part of m symbols, if it has so many mismatches.
    fn without_gaps(&self, text: &[u8], errors: u32) -> Option<Extent> {
        let m = self.pattern.len();
        if text.len() < m {
            return None;
        }
        let mut mismatches = 0;
        for (number, class) in self.pattern.classes().iter().enumerate() {
            mismatches += u32::from(!class.contains(self.symbol(text, number)));
            if mismatches > errors {
                return None;
            }
        }
        (mismatches == errors).then_some(Extent { gaps: 0, length: m as u64 })
    }

    fn with_gaps(&self, text: &[u8], errors: u32) -> Option<Extent> {
        let m = self.pattern.len();
        let last = text.len().min(m + errors as usize);
        let widest = 2 * errors as usize / 64 + 2;
        let kept = (KEPT / widest.min(self.matches.words())).max(1);
        // The first column of each stretch that is kept whole at a time, but for the last stretch the state is needed only once.
        let starts: Vec<usize> = (0..=last).step_by(kept).collect();
        let mut band = Band::new(&self.matches, m, errors);
        let mut states = Vec::with_capacity(starts.len());
        for pair in starts.windows(2) {
            states.push(band.clone());
            for column in pair[0] + 1..=pair[1] {
                band.take(self.symbol(text, column - 1), 1, i64::from(errors));
            }
        }
        states.push(band);
        let mut search = Alignments { reader: self, text, errors: i64::from(errors), cells: Vec::new(), best: None };
        let mut columns = Columns::default();
        let mut end = last;
        while let (Some(mut band), Some(start)) = (states.pop(), starts.get(states.len()).copied()) {
            columns.clear();
            columns.keep(&band);
            for column in start + 1..=end {
                band.take(self.symbol(text, column - 1), 1, i64::from(errors));
                columns.keep(&band);
            }
            for column in (start + 1..=end).rev() {
                search.step(column, &columns, column - start);
            }
            end = start;
        }
        search.first_column(&columns);
        search.best
    }
}

/// A cell that alignments go through.
#[derive(Debug, Clone, Copy)]
struct Cell {
    row: usize,
    /// G.
    errors: i64,
    /// What the best of them come to from here on: the gaps, and the length of the whole.
    rest: Extent,
}

/// Alignments with the fewest errors, followed backwards.
struct Alignments<'s> {
    reader: &'s Reader,
    text: &'s [u8],
    errors: i64,
    /// The cells of a column, from the last row up.
    cells: Vec<Cell>,
    best: Option<Extent>,
}

impl Alignments<'_> {
    /// From a column's cells to those of the column before. `columns` holds this column as number `kept`, and the one before.
    fn step(&mut self, column: usize, columns: &Columns, kept: usize) {
        let m = self.reader.pattern.len();
        let (here, left) = (columns.get(kept), columns.get(kept - 1));
        if here.last_row(m) == Some(self.errors) {
            let rest = Extent { gaps: 0, length: column as u64 };
            self.cells.insert(0, Cell { row: m, errors: self.errors, rest });
        }
        if self.cells.is_empty() {
            return;
        }
        let words = self.reader.matches.of(self.reader.symbol(self.text, column - 1));
        let mut left_values = left.values(m);
        let mut next: Vec<Cell> = Vec::with_capacity(self.cells.len() + 1);
        let mut cells = std::mem::take(&mut self.cells).into_iter().peekable();
        let mut above: Option<Cell> = None;
        loop {
            // The next cell upwards: one from before, one that the cell below leads to, or both.
            let cell = match (above.take(), cells.peek()) {
                (Some(one), Some(other)) if one.row == other.row => {
                    let rest = one.rest.or(other.rest);
                    cells.next();
                    Cell { rest, ..one }
                }
                (Some(one), _) => one,
                (None, Some(_)) => match cells.next() {
                    Some(cell) => cell,
                    None => break,
                },
                (None, None) => break,
            };
            let gap = Extent { gaps: cell.rest.gaps + 1, ..cell.rest };
            if cell.row == 0 {
                // All symbols up to here are more than the pattern has.
                let gaps = cell.rest.gaps + column as u32;
                self.keep(Extent { gaps, ..cell.rest });
                continue;
            }
            if left_values.at(cell.row, column - 1) == Some(cell.errors - 1) {
                add(&mut next, Cell { errors: cell.errors - 1, rest: gap, ..cell });
            }
            let bit = cell.row - 1;
            let row = cell.row - 1;
            if words[bit / 64] >> (bit % 64) & 1 == 1 {
                add(&mut next, Cell { row, ..cell });
            } else if left_values.at(row, column - 1) == Some(cell.errors - 1) {
                add(&mut next, Cell { row, errors: cell.errors - 1, ..cell });
            }
            if here.rises(row) {
                above = Some(Cell { row, errors: cell.errors - 1, rest: gap });
            }
        }
        self.cells = next;
    }

    /// Column 0, where G\[i\]\[0\] = i: the first i symbols of the pattern, deleted.
    fn first_column(&mut self, columns: &Columns) {
        if columns.get(0).last_row(self.reader.pattern.len()) == Some(self.errors) {
            self.keep(Extent { gaps: self.errors as u32, length: 0 });
        }
        for cell in std::mem::take(&mut self.cells) {
            self.keep(Extent { gaps: cell.rest.gaps + cell.row as u32, ..cell.rest });
        }
    }

    fn keep(&mut self, found: Extent) {
        self.best = Some(self.best.map_or(found, |best| best.or(found)));
    }
}

/// Adds a cell above the others, or joins it with the last one if that is the same.
fn add(cells: &mut Vec<Cell>, cell: Cell) {
    match cells.last_mut() {
        Some(last) if last.row == cell.row => last.rest = last.rest.or(cell.rest),
        _ => cells.push(cell),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The errors and gaps of every part that begins with the text: the recurrence, a gap costing one error and a bit more.
    fn by_recurrence(text: &[u8], pattern: &Pattern) -> Vec<(u32, u32)> {
        let gap = |cell: (u32, u32)| (cell.0 + 1, cell.1 + 1);
        let mut column: Vec<(u32, u32)> = (0..=pattern.len() as u32).map(|i| (i, i)).collect();
        let mut found = vec![column[pattern.len()]];
        for &symbol in text {
            let before = column.clone();
            column[0] = gap(before[0]);
            for (i, class) in pattern.classes().iter().enumerate() {
                let (errors, gaps) = before[i];
                let diagonal = (errors + u32::from(!class.contains(symbol)), gaps);
                column[i + 1] = diagonal.min(gap(column[i])).min(gap(before[i + 1]));
            }
            found.push(column[pattern.len()]);
        }
        found
    }

    #[track_caller]
    fn check(text: &[u8], pattern: &Pattern) {
        let of_length = by_recurrence(text, pattern);
        let (errors, gaps) = *of_length.iter().min().unwrap();
        let length = of_length.iter().rposition(|&found| found == (errors, gaps)).unwrap() as u64;
        let expected = Some(Extent { gaps, length });
        let place = format!("{text:?}, m = {}", pattern.len());
        let forward = Reader::forward(pattern);
        assert_eq!(forward.extent(text, errors), expected, "{place}");
        assert_eq!(forward.errors(text, errors), Some(errors), "{place}");
        assert_eq!(forward.errors(text, errors + 3), Some(errors), "{place}");
        if errors > 0 {
            assert_eq!(forward.errors(text, errors - 1), None, "{place}");
        }
        let turned: Vec<u8> = text.iter().rev().copied().collect();
        assert_eq!(Reader::backward(&pattern.reversed()).extent(&turned, errors), expected, "{place}, backward");
    }

    #[test]
    fn by_hand() {
        let extent = |pattern: &str, text: &str, errors| {
            Reader::backward(&Pattern::literal(pattern.as_bytes())).extent(text.as_bytes(), errors)
        };
        let found = |gaps, length| Some(Extent { gaps, length });
        assert_eq!(extent("abc", "xxabc", 0), found(0, 3));
        // "xbc", a substitution, and not "bc", a deletion.
        assert_eq!(extent("abc", "xxbc", 1), found(0, 3));
        // At the text's start there is nothing but "bc".
        assert_eq!(extent("abc", "bc", 1), found(1, 2));
        // "abxc" and "xc" would have two errors or more gaps.
        assert_eq!(extent("abc", "xabxc", 1), found(1, 4));
        // "aabc" has the insertion before the end of a run, where it may be in several places.
        assert_eq!(extent("aabbcc", "aaabbcc", 0), found(0, 6));
        assert_eq!(extent("abcabc", "abcxabc", 1), found(1, 7));
        assert_eq!(extent("ab", "", 2), found(2, 0));
        assert_eq!(extent("ab", "xx", 2), found(0, 2));
        assert_eq!(extent("ab", "xx", 1), None);
    }

    #[test]
    fn by_the_recurrence() {
        let mut random = fastrand::Rng::with_seed(5);
        for case in 0..3000 {
            let m = if case % 5 == 0 { random.usize(55..200) } else { random.usize(1..12) };
            let symbols = random.u8(1..5);
            let pattern: Vec<u8> = (0..m).map(|_| random.u8(..symbols)).collect();
            let mut text = pattern.clone();
            for _ in 0..random.usize(..=m / 3 + 1) {
                let at = random.usize(..=text.len());
                match random.u8(..3) {
                    0 => text.insert(at, random.u8(..symbols)),
                    1 if at < text.len() => drop(text.remove(at)),
                    _ if at < text.len() => text[at] = random.u8(..symbols),
                    _ => {}
                }
            }
            text.extend((0..random.usize(..20)).map(|_| random.u8(..symbols)));
            text.truncate(random.usize(text.len() / 2..=text.len() + m));
            let pattern = if case % 3 == 0 { Pattern::with_wildcard(&pattern, 1) } else { Pattern::literal(&pattern) };
            check(&text, &pattern);
        }
    }

    /// So many columns that they are computed twice, in stretches.
    #[test]
    fn long_patterns() {
        let mut random = fastrand::Rng::with_seed(6);
        for errors in [3, 400] {
            let pattern: Vec<u8> = (0..6000).map(|_| random.u8(..4)).collect();
            let mut text = pattern.clone();
            for _ in 0..errors {
                let at = random.usize(..text.len());
                match random.u8(..3) {
                    0 => text.insert(at, random.u8(..4)),
                    1 => drop(text.remove(at)),
                    _ => text[at] = random.u8(..4),
                }
            }
            text.extend([0; 99]);
            check(&text, &Pattern::literal(&pattern));
        }
    }
}
