//! The costs of alignments on the diagonals that they may reach, and the first of the cheapest
//! alignments.

use super::steps::Steps;
use crate::error::Result;
use crate::infix::allowed::Allowed;
use crate::memory;
use crate::text::{Class, Pattern};
use crate::threads;
use std::ops::Range;

/// Cost of a substitution; the lower bits count the gaps of an alignment.
pub(super) const SUBSTITUTION: u64 = 1 << 32;

/// Cost that means "no alignment", with room for additions.
const NONE: u64 = 1 << 62;

/// Cells of a row, in groups of `width`. Without limits on kinds there is one group, of diagonals
/// with j - i ascending. With limits there is a group for each number of insertions still to come,
/// descending, with a cell for each number of deletions still to come, ascending.
///
/// A symbol of the text alone leads to the cell `stride` later in the same row, a symbol of the
/// pattern alone to the previous cell of the group in the next row, and a pair to the same cell in
/// the next row.
#[derive(Debug)]
pub(super) struct States {
    groups: usize,
    width: usize,
    stride: usize,
    /// j - i of the first cell; it increases by one from cell to cell, and from group to group.
    first: i64,
    /// Cell of the ends of the pattern and the part.
    end: usize,
    /// Cells of their starts.
    starts: Vec<usize>,
}

impl States {
    /// Returns the cells with `beside` gaps of each kind more than necessary. `None` if more gaps
    /// are necessary than allowed.
    pub(super) fn new(m: usize, n: usize, allowed: Allowed, beside: i64) -> Option<Self> {
        let shift = n as i64 - m as i64;
        if allowed.is_any() {
            let first = shift.min(0) - beside;
            let width = (shift.max(0) + beside - first + 1) as usize;
            let end = (shift - first) as usize;
            let start = -first as usize;
            return Some(Self { groups: 1, width, stride: 1, first, end, starts: vec![start] });
        }
        let insertions = i64::from(allowed.insertions).min(shift.max(0) + beside);
        let deletions = i64::from(allowed.deletions).min((-shift).max(0) + beside);
        if insertions < shift || deletions < -shift {
            return None;
        }
        let width = deletions as usize + 1;
        let cell = |a: i64| (insertions - a) as usize * width + (a - shift) as usize;
        let starts = (shift.max(0)..=insertions.min(deletions + shift)).map(cell).collect();
        let groups = insertions as usize + 1;
        let end = insertions as usize * width;
        Some(Self { groups, width, stride: width, first: shift - insertions, end, starts })
    }

    fn len(&self) -> usize {
        self.groups * self.width
    }
}

pub(super) struct AlignmentTable<'t> {
    pub(super) pattern: &'t Pattern,
    pub(super) part: &'t [u8],
    pub(super) states: States,
    /// Cost of a gap.
    pub(super) gap: u64,
}

/// A cell of a row, and the cost of the best alignment from it on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Cell {
    cost: u64,
    at: usize,
}

/// The least cost within the limits.
pub(super) struct Solved {
    pub(super) cost: u64,
    /// First alignment with this cost, if the caller wants one with it.
    pub(super) steps: Option<Steps>,
}

impl AlignmentTable<'_> {
    /// Returns the row at the pattern's end, where only symbols of the text are left.
    fn last_row(&self) -> Vec<u64> {
        let States { stride, end, .. } = self.states;
        let mut cells = vec![NONE; self.states.len()];
        let most = if self.pattern.takes_insertion(self.pattern.len()) { self.part.len() } else { 0 };
        for (gaps, at) in (0..=end).rev().step_by(stride).take(most + 1).enumerate() {
            cells[at] = gaps as u64 * self.gap;
        }
        cells
    }

    /// Computes row i from row i + 1, in place.
    fn step(&self, i: usize, class: &Class, cells: &mut [u64]) {
        if i.is_multiple_of(1 << 8) {
            threads::check();
        }
        let States { groups, width, stride, first, .. } = self.states;
        let n = self.part.len() as i64;
        let is_fixed = self.pattern.is_fixed(i);
        let is_band = groups == 1 && stride == 1;
        let unless = |forbidden: bool, cost: u64| if forbidden { NONE } else { cost };
        let [substitution, deletion] = [SUBSTITUTION, self.gap].map(|cost| unless(is_fixed, cost));
        let insertion = unless(!self.pattern.takes_insertion(i), self.gap);
        for group in (0..groups).rev() {
            let row = group * width;
            // j of the group's first cell, and the cells that are within the part, or at its end.
            let start = i as i64 + first + group as i64;
            let from = (-start).clamp(0, width as i64) as usize;
            let to = (n - start + 1).clamp(0, width as i64) as usize;
            // The cell that a symbol of the text alone leads to; on diagonals it is the cell
            // computed last.
            let mut next = NONE;
            for number in (from..to).rev() {
                let at = row + number;
                let before = if number > 0 { cells[at - 1] } else { NONE };
                let mut best = before + deletion;
                if let Some(&symbol) = self.part.get((start + number as i64) as usize) {
                    if !is_band {
                        next = cells.get(at + stride).copied().unwrap_or(NONE);
                    }
                    let pair = if class.contains(symbol) { 0 } else { substitution };
                    best = best.min(cells[at] + pair).min(next + insertion);
                }
                next = best.min(NONE);
                cells[at] = next;
            }
        }
    }

    /// Finds the least cost within the limits, and if the caller wants that cost, the first
    /// alignment with it.
    pub(super) fn solve(
        &self,
        allowed: Allowed,
        kept: usize,
        is_wanted: impl Fn(u64) -> bool,
    ) -> Result<Option<Solved>> {
        let m = self.pattern.len();
        let len = self.states.len();
        // Number of rows kept at a time, and the first row of each such stretch.
        let stretch = (kept / len).max(m.isqrt() + 1);
        let tops: Vec<usize> = (0..m.max(1)).step_by(stretch).collect();
        memory::check::<u64>((stretch.min(m) + 1 + tops.len()).saturating_mul(len), "the alignment of a hit")?;
        let classes = self.pattern.classes();
        // The last row of each stretch, which is the first row of the next: from the pattern's end
        // up.
        let mut row = self.last_row();
        let mut last_rows = vec![row.clone()];
        for &top in tops.iter().skip(1).rev() {
            let bottom = m.min(top + stretch);
            (top..bottom).rev().for_each(|i| self.step(i, &classes[i], &mut row));
            last_rows.push(row.clone());
        }
        let mut steps = Steps::default();
        let mut place: Option<Cell> = None;
        let mut least = NONE;
        for &top in &tops {
            let bottom = m.min(top + stretch);
            let mut rows = vec![NONE; (bottom - top + 1) * len];
            let mut row = last_rows.pop().unwrap_or_default();
            rows[(bottom - top) * len..].copy_from_slice(&row);
            for i in (top..bottom).rev() {
                self.step(i, &classes[i], &mut row);
                rows[(i - top) * len..][..len].copy_from_slice(&row);
            }
            if top == 0 {
                let within = |cost: u64| {
                    let gaps = cost % SUBSTITUTION;
                    let of_gaps = gaps.saturating_mul(u64::from(allowed.gap));
                    cost < NONE && (cost / SUBSTITUTION).saturating_sub(of_gaps) <= u64::from(allowed.substitutions)
                };
                let starts = self.states.starts.iter().map(|&at| Cell { cost: rows[at], at });
                place = starts.filter(|start| within(start.cost)).min();
                least = place.map_or(NONE, |start| start.cost);
                if !is_wanted(least) {
                    return Ok(place.map(|start| Solved { cost: start.cost, steps: None }));
                }
            }
            let Some(start) = place else { return Ok(None) };
            place = Some(self.follow(&rows, top..bottom, start, &mut steps));
        }
        Ok(Some(Solved { cost: least, steps: Some(steps) }))
    }

    /// Follows the first alignment through some rows: from a cell of the first row, with its cost,
    /// to a cell of the last row, or to the end.
    fn follow(&self, rows: &[u64], range: Range<usize>, start: Cell, steps: &mut Steps) -> Cell {
        let Cell { mut cost, mut at } = start;
        let States { width, stride, first, .. } = self.states;
        let m = self.pattern.len();
        let len = self.states.len();
        let mut i = range.start;
        // The next stretch takes the symbols of the text alone that come before the last row's
        // symbol.
        while i < range.end || i == m && cost > 0 {
            let row = &rows[(i - range.start) * len..];
            let (row, next) = row.split_at(len);
            let number = at % width;
            let j = (i as i64 + first + (at / width + at % width) as i64) as usize;
            let is_fixed = self.pattern.is_fixed(i);
            if i < m && number > 0 && !is_fixed && next[at - 1] + self.gap == cost {
                steps.pattern_alone(i);
                (i, at, cost) = (i + 1, at - 1, cost - self.gap);
            } else if j < self.part.len()
                && at + stride < len
                && self.pattern.takes_insertion(i)
                && row[at + stride] + self.gap == cost
            {
                steps.text_alone(j);
                (at, cost) = (at + stride, cost - self.gap);
            } else {
                let is_match = self.pattern.classes()[i].contains(self.part[j]);
                steps.pair(i, j, is_match);
                (i, cost) = (i + 1, cost - if is_match { 0 } else { SUBSTITUTION });
            }
        }
        Cell { cost, at }
    }
}
