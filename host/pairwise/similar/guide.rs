//! The guide: a guess of the path of an alignment.

use super::seeds::{Diagonals, Point, Seeds};
use std::ops::Range;

/// At least one seed in this many must lie on the guide: at 25 % of errors one in 40 does.
const MIN_CHAINED: usize = 50;

/// A guess of the path of an alignment: points on it, ascending in both strings, from the first
/// corner of the table to the last.
#[derive(Debug)]
pub(super) struct Guide {
    points: Vec<Point>,
}

impl Guide {
    /// Follows the seeds, or goes straight ahead if there are none, as in short strings. `None` if
    /// hardly any seed has a position, as the guide would then be arbitrary.
    pub(super) fn new(seeds: &Seeds, m: usize, n: usize) -> Option<Self> {
        let chain = seeds.chain();
        if chain.len() * MIN_CHAINED < seeds.len() {
            return None;
        }
        let points =
            [Point { row: 0, column: 0 }].into_iter().chain(chain).chain([Point { row: m, column: n }]).collect();
        Some(Self { points })
    }

    /// Estimates the errors in `columns` columns, by the share of seeds on the guide.
    pub(super) fn errors(&self, seeds: &Seeds, columns: usize) -> u64 {
        let on_it = (self.points.len() - 2) as f64 / seeds.len() as f64;
        ((1.0 - on_it.powf(1.0 / seeds.k as f64)) * columns as f64) as u64
    }

    /// Returns the rows between which the alignment should pass, at columns that are multiples of
    /// `step` up to the last column; and the diagonals (row minus column) for each of the stretches
    /// between them.
    pub(super) fn stretches(&self, step: usize) -> Vec<Stretch> {
        let n = self.points.last().map_or(0, |point| point.column);
        let mut stretches = Vec::with_capacity(n.div_ceil(step));
        let mut at = 0;
        for start in (0..n).step_by(step) {
            let end = (start + step).min(n);
            while at + 2 < self.points.len() && self.points[at + 1].column < start {
                at += 1;
            }
            let first = self.rows(at, start);
            let mut diagonals = Diagonals::NONE;
            let mut see = |row: usize, column: usize| diagonals.add(row as i64 - column as i64);
            see(first.start, start);
            see(first.end, start);
            while at + 2 < self.points.len() && self.points[at + 1].column <= end {
                at += 1;
                let Point { row, column } = self.points[at];
                see(row, column);
            }
            let last = self.rows(at, end);
            see(last.start, end);
            see(last.end, end);
            stretches.push(Stretch { columns: start..end, rows: first.start..last.end, diagonals });
        }
        stretches
    }

    /// Returns the first and the last row at a column between a point and the next: between the
    /// diagonals of both.
    fn rows(&self, at: usize, column: usize) -> Range<usize> {
        let from = self.points[at];
        let to = self.points[at + 1];
        let column = column.clamp(from.column, to.column);
        let down = from.row + (column - from.column);
        let up = to.row.saturating_sub(to.column - column);
        down.min(up).clamp(from.row, to.row)..down.max(up).clamp(from.row, to.row)
    }
}

/// Some columns, and the rows of the guide there.
#[derive(Debug, Clone)]
pub(super) struct Stretch {
    pub(super) columns: Range<usize>,
    /// Rows from the first row at the first column to the last row at the last.
    pub(super) rows: Range<usize>,
    /// Diagonals, row minus column.
    pub(super) diagonals: Diagonals,
}
