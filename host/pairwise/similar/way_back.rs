//! Traces a cheapest path from the end back through the blocks, each computed once more around the
//! path.

use super::band::{RowBand, Start};
use super::block::{CodedStrings, Kept, Streams, VerticalDeltas};
use super::costs::Costs;
use super::strip::{BLOCK, GROUP};
use crate::alignment::Run;
use std::ops::Range;

/// A path through some columns.
pub(crate) struct Path {
    /// Row at the first column.
    pub(crate) row: usize,
    /// Matches of the path, in order.
    pub(crate) runs: Vec<Run>,
}

/// A known column of a full edit distance table.
pub(crate) struct KnownColumn<'c> {
    /// D above the first row.
    pub(crate) top: u64,
    /// Bits of the rows where D grows by 1, and of those where it falls by 1, 64 rows to a word.
    pub(crate) plus: &'c [u64],
    pub(crate) minus: &'c [u64],
}

/// Traces a path back through some columns of a full edit distance table: from its last cell, where
/// D is `distance`, to the first column, which is known. Returns `None` if no path from its rows
/// has this cost.
pub(crate) fn way_back(a: &[u8], b: &[u8], first: &KnownColumn<'_>, distance: u64) -> Option<Path> {
    let strings = CodedStrings::new(a, b, Costs::Levenshtein);
    let words = a.len().div_ceil(64).next_multiple_of(GROUP);
    let reversed = |bits: &[u64], past: u64| {
        let mut bits: Vec<u64> = bits.iter().copied().chain(std::iter::repeat(past)).take(words).collect();
        bits.reverse();
        bits
    };
    let mut column = VerticalDeltas::new(&strings);
    column.set(0, &reversed(first.plus, !0), &reversed(first.minus, 0));
    column.top = first.top.cast_signed();
    let plan = vec![0..words; b.len().div_ceil(BLOCK)];
    let band = RowBand::new(&strings, column, &plan, true, &|_| ());
    (band.distance == distance.cast_signed()).then(|| band.path(&strings, &plan, a, b))
}

impl RowBand {
    /// Traces the cheapest path.
    pub(super) fn path(&self, strings: &CodedStrings, plan: &[Range<usize>], a: &[u8], b: &[u8]) -> Path {
        let mut path = Backwards {
            strings,
            a,
            b,
            runs: Vec::new(),
            i: strings.m,
            d: self.distance,
            column: VerticalDeltas::new(strings),
            text: Streams::default(),
            kept: Kept::default(),
        };
        for (block, range) in plan.iter().enumerate().rev() {
            let columns = block * BLOCK..((block + 1) * BLOCK).min(strings.n);
            path.climb(range.end * 64);
            if !path.matches(range.start * 64, &columns) {
                let top = path.compute(&self.starts[block], range, &columns);
                path.follow(top * 64, &columns);
            }
        }
        path.runs.reverse();
        Path { row: path.i, runs: path.runs }
    }
}

/// A path that is traced from its end to its start.
struct Backwards<'p> {
    strings: &'p CodedStrings,
    a: &'p [u8],
    b: &'p [u8],
    /// Matches so far, the last first.
    runs: Vec<Run>,
    /// Number of rows above the current cell, and D there.
    i: usize,
    d: i64,
    /// Buffers for computing blocks.
    column: VerticalDeltas,
    text: Streams,
    kept: Kept,
}

impl Backwards<'_> {
    /// Moves up to a block's last row: below it D rises by 1 from row to row.
    fn climb(&mut self, last: usize) {
        if self.i > last {
            self.d -= (self.i - last) as i64;
            self.i = last;
        }
    }

    /// Goes through a block whose symbols all match, without its table, since matching costs least.
    /// Returns false if they do not all match.
    fn matches(&mut self, top: usize, columns: &Range<usize>) -> bool {
        let above = self.i.saturating_sub(columns.len());
        let matches =
            above >= top && self.i - above == columns.len() && self.a[above..self.i] == self.b[columns.clone()];
        if matches {
            self.add(Run { a_start: above as u64, b_start: columns.start as u64, len: columns.len() as u64 });
            self.i = above;
        }
        matches
    }

    /// Computes the cells of a block: first the words that the path probably stays in, then all
    /// rows down to the path's end if it does not. Returns the first word.
    fn compute(&mut self, start: &Start, range: &Range<usize>, columns: &Range<usize>) -> usize {
        self.strings.streams(columns.clone(), &mut self.text);
        let end = self.i.div_ceil(64).max(range.start + 1);
        let near = end.saturating_sub(GROUP).max(range.start);
        for first in [near, range.start] {
            start.put(&mut self.column, range.start, first, (end - first).next_multiple_of(GROUP));
            self.column.advance(self.strings, &self.text, Some(&mut self.kept));
            // D where the path leaves the block is the same only if the path, or one of the same
            // cost, stays in these words.
            if self.column.value(self.i) == self.d {
                return first;
            }
        }
        range.start
    }

    /// Follows the path from the last column of a block to the first, in rows from `top` on.
    fn follow(&mut self, top: usize, columns: &Range<usize>) {
        let a = self.a;
        let b = self.b;
        let mut i = self.i;
        let mut j = columns.end;
        while j > columns.start {
            if i == top {
                // Goes along the row above the first.
                self.d -= (j - columns.start) as i64;
                j = columns.start;
                break;
            }
            if a[i - 1] == b[j - 1] {
                let ended = i as u64;
                while i > top && j > columns.start && a[i - 1] == b[j - 1] {
                    (i, j) = (i - 1, j - 1);
                }
                self.add(Run { a_start: i as u64, b_start: j as u64, len: ended - i as u64 });
                continue;
            }
            self.d -= 1;
            match self.kept.bits(i - 1, j - 1 - columns.start) {
                (true, _) => i -= 1,
                (false, true) => j -= 1,
                (false, false) => (i, j) = (i - 1, j - 1),
            }
        }
        debug_assert_eq!(j, columns.start, "the way back ends at the block's first column");
        self.i = i;
    }

    /// Adds a run in front of those found so far.
    fn add(&mut self, run: Run) {
        match self.runs.last_mut() {
            Some(next) if (run.a_start + run.len, run.b_start + run.len) == (next.a_start, next.b_start) => {
                *next = Run { len: run.len + next.len, ..run };
            }
            _ => self.runs.push(run),
        }
    }
}

impl Start {
    /// Copies `words` words of this column, whose own start is `start`, into another one from the
    /// word `first` on.
    fn put(&self, column: &mut VerticalDeltas, start: usize, first: usize, words: usize) {
        let count = self.plus.len();
        // The last word comes first: the words from `first` to `first + words`, or fewer.
        let offset = count - (first - start);
        if words <= offset {
            column.set(first, &self.plus[offset - words..offset], &self.minus[offset - words..offset]);
        } else {
            let padded = |fill: u64, bits: &[u64]| [&vec![fill; words - offset][..], &bits[..offset]].concat();
            column.set(first, &padded(!0, &self.plus), &padded(0, &self.minus));
        }
        let ones = |words: &[u64]| words[offset..].iter().map(|word| i64::from(word.count_ones())).sum::<i64>();
        column.top = self.top + ones(&self.plus) - ones(&self.minus);
    }
}
