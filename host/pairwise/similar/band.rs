//! The cheapest path in the rows around the guide, and its rivals: the cells where a path leaves
//! these rows.

use super::block::{CodedStrings, Deltas, Streams, VerticalDeltas, Words};
use super::bounds::Bounds;
use super::strip::{BLOCK, HorizontalDeltas};
use std::ops::Range;

/// A block's first column.
pub(super) struct Start {
    /// Bits of the rows where D rises, and of those where it falls, the last word first.
    pub(super) plus: Vec<u64>,
    pub(super) minus: Vec<u64>,
    /// D in the row above the first row.
    pub(super) top: i64,
}

/// Cells where a path leaves the rows of a band.
struct Exit {
    /// Lower bound on D in them.
    least: i64,
    /// Last of their columns.
    column: usize,
    /// Their rows. The diagonals of these rows in the last column are the diagonals of all of the
    /// cells.
    rows: Range<usize>,
}

/// The computed cheapest path in some rows.
pub(super) struct RowBand {
    /// Its cost.
    pub(super) distance: i64,
    /// For each block, the cells where a path leaves the rows.
    exits: Vec<Vec<Exit>>,
    /// For each block, its first column, if the script is wanted.
    pub(super) starts: Vec<Start>,
}

impl RowBand {
    /// Takes a column through all blocks, each with the words of `plan`.
    pub(super) fn new(
        strings: &CodedStrings,
        mut column: VerticalDeltas,
        plan: &[Range<usize>],
        script: bool,
        on_progress: &dyn Fn(u64),
    ) -> Self {
        let mut text = Streams::default();
        let mut exits = Vec::with_capacity(plan.len());
        let mut starts = Vec::new();
        for (block, range) in plan.iter().enumerate() {
            let columns = block * BLOCK..((block + 1) * BLOCK).min(strings.n);
            let mut out = to_the_right(&column, columns.start, range.start);
            column.extend(range.end);
            column.forget(range.start);
            if script {
                let Words { plus, minus } = column.words();
                starts.push(Start { plus: plus.to_vec(), minus: minus.to_vec(), top: column.top });
            }
            strings.streams(columns.clone(), &mut text);
            let last = range.end * 64;
            let bottom = if last < strings.m { column.bottom() } else { 0 };
            let deltas = column.advance(strings, &text, None);
            on_progress((range.len() * 64 * columns.len()) as u64);
            if last < strings.m {
                add_down(&mut out, &deltas, columns, last, bottom);
            }
            exits.push(out);
        }
        Self { distance: column.value(strings.m), exits, starts }
    }

    /// Returns, for each block, the least cost of a path that leaves the rows there.
    pub(super) fn exits(&self, bounds: &Bounds) -> Vec<i64> {
        let cost = |exit: &Exit| exit.least + bounds.rest(exit.column, exit.rows.clone());
        self.exits.iter().map(|exits| exits.iter().map(cost).min().unwrap_or(i64::MAX)).collect()
    }
}

/// Returns the exits to the right, into a block whose words start at `start`: from rows that it
/// does not have.
fn to_the_right(column: &VerticalDeltas, number: usize, start: usize) -> Vec<Exit> {
    let mut exits = Vec::new();
    let mut top = column.top;
    for word in column.range.start..start {
        let deltas = column.word(word);
        exits.push(Exit { least: deltas.least_from(top), column: number, rows: word * 64..word * 64 + 63 });
        top += deltas.rise();
    }
    exits
}

/// Adds the exits down, from the last row. D is `bottom` there before the first column.
fn add_down(exits: &mut Vec<Exit>, row: &HorizontalDeltas, columns: Range<usize>, last: usize, bottom: i64) {
    let mut d = bottom;
    for (word, first) in columns.clone().step_by(64).enumerate() {
        let end = (first + 64).min(columns.end);
        let mask = !0 >> (64 - (end - first));
        let deltas = Deltas { plus: row.plus[word] & mask, minus: row.minus[word] & mask };
        exits.push(Exit { least: deltas.least_from(d), column: end, rows: last..last + 64 });
        d += deltas.rise();
    }
}
