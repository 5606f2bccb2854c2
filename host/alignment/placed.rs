//! Moves the gaps of a script as far to the right as possible.
//!
//! A script is a row of columns with gaps between them. A column has a symbol of A above a symbol
//! of B; a gap has symbols of one string. When a gap moves past a column, that column takes its
//! symbols from the diagonal to the left of the gap. The cost stays the same if each match is a
//! match there, too; a substitution never costs more there.
//!
//! ```text
//!   A   B - - B         B B - -
//!   B   B B A B         B B A B
//! ```
//!
//! Column 1 has B of A and the last B of B. When the gap moves past it, the column takes its
//! symbols from the gap's left diagonal, where it is a match, too: with the second symbol of B.
//!
//! The diagonal to the left of a gap decides where the gap stops; its length does not matter. A gap
//! that reaches the next gap takes it along for the rest of its own way. If the next gap can move
//! farther, the two separate again: a gap ends at the farthest stop of all gaps up to it. A gap of
//! the other kind stops it, one match before that gap, since an insertion beside a deletion would
//! be a substitution, which costs less.
//!
//! Each gap searches for its stop once, from its own position on. If another gap would take it
//! along to a position before its own start, a single check usually shows that it moves no farther.

use super::run::Run;

/// A gap and its position.
struct Gap {
    /// True for insertions of symbols of A, false for deletions of symbols of B.
    is_insertion: bool,
    /// Number of symbols.
    len: u64,
    /// Column after the gap.
    column: u64,
    /// Number of the run of matches after the gap.
    run: usize,
    /// Symbol of A in column 0, on the diagonal to the left of the gap; then that of B.
    a: u64,
    b: u64,
}

/// A run of matches in columns.
struct Matches {
    column: u64,
    len: u64,
}

/// A script in columns.
struct Columns {
    gaps: Vec<Gap>,
    runs: Vec<Matches>,
    count: u64,
}

impl Columns {
    /// Lays out a script's runs of matches; a gap comes after the substitutions beside it.
    fn new(runs: impl ExactSizeIterator<Item = Run>, a_len: u64, b_len: u64) -> Self {
        let end = Run { a_start: a_len, b_start: b_len, len: 0 };
        let mut columns = Self { gaps: Vec::new(), runs: Vec::with_capacity(runs.len()), count: 0 };
        let mut a = 0;
        let mut b = 0;
        let mut column = 0;
        for (number, run) in runs.chain(std::iter::once(end)).enumerate() {
            let x = run.a_start - a;
            let y = run.b_start - b;
            let substitutions = x.min(y);
            column += substitutions;
            if x != y {
                let diagonal = (a + substitutions - column, b + substitutions - column);
                let is_insertion = x > y;
                let len = x.abs_diff(y);
                columns.gaps.push(Gap { is_insertion, len, column, run: number, a: diagonal.0, b: diagonal.1 });
            }
            if run.len > 0 {
                columns.runs.push(Matches { column, len: run.len });
            }
            column += run.len;
            (a, b) = run.ends();
        }
        columns.count = column;
        columns
    }

    /// Returns the column at which a gap stops: the first match that would be lost on the diagonal
    /// to its left, or the limit.
    fn stop(&self, gap: &Gap, limit: u64, equal: &impl Fn(u64, u64) -> bool) -> u64 {
        for run in &self.runs[gap.run..] {
            let end = (run.column + run.len).min(limit);
            if let Some(stop) = (run.column..end).find(|&column| !equal(column + gap.a, column + gap.b)) {
                return stop;
            }
            if run.column + run.len >= limit {
                break;
            }
        }
        limit
    }

    /// Moves consecutive gaps of the same kind.
    fn move_block(&mut self, block: std::ops::Range<usize>, limit: u64, equal: &impl Fn(u64, u64) -> bool) {
        // The farthest stop so far.
        let mut farthest = 0;
        for number in block {
            let gap = &self.gaps[number];
            let is_reached = gap.column <= farthest;
            if !is_reached || farthest < limit && equal(farthest + gap.a, farthest + gap.b) {
                farthest = self.stop(gap, limit, equal).max(farthest);
            }
            self.gaps[number].column = farthest;
        }
    }

    /// Returns the last match before a column. There is a match between any two gaps.
    fn last_match_before(&self, column: u64) -> u64 {
        let behind = self.runs.partition_point(|run| run.column < column);
        let run = behind.checked_sub(1).and_then(|run| self.runs.get(run));
        run.map_or(0, |run| (run.column + run.len).min(column) - 1)
    }

    fn move_right(&mut self, equal: &impl Fn(u64, u64) -> bool) {
        let mut end = self.gaps.len();
        let mut limit = self.count;
        while let Some(last) = end.checked_sub(1) {
            let kind = self.gaps[last].is_insertion;
            let start = self.gaps[..end].iter().rposition(|gap| gap.is_insertion != kind).map_or(0, |other| other + 1);
            self.move_block(start..end, limit, equal);
            limit = self.last_match_before(self.gaps[start].column);
            end = start;
        }
    }

    /// Returns the runs of matches, with the gaps at their current positions.
    fn into_runs(self) -> Vec<Run> {
        let mut runs = Vec::with_capacity(self.runs.len() + self.gaps.len());
        let mut gaps = self.gaps.iter().peekable();
        let mut a = 0;
        let mut b = 0;
        for Matches { mut column, len } in self.runs {
            let end = column + len;
            while column < end {
                while let Some(gap) = gaps.next_if(|gap| gap.column <= column) {
                    *(if gap.is_insertion { &mut a } else { &mut b }) += gap.len;
                }
                let next = gaps.peek().map_or(end, |gap| gap.column.min(end));
                runs.push(Run { a_start: column + a, b_start: column + b, len: next - column });
                column = next;
            }
        }
        runs
    }
}

/// Returns the runs of matches of a script with its gaps as far to the right as possible, each
/// after the substitutions beside it. `equal` returns true if a symbol of A equals a symbol of B.
pub(super) fn rightmost(runs: &[Run], a_len: u64, b_len: u64, equal: impl Fn(u64, u64) -> bool) -> Vec<Run> {
    moved_right(runs.iter().copied(), a_len, b_len, equal)
}

fn moved_right(
    runs: impl ExactSizeIterator<Item = Run>,
    a_len: u64,
    b_len: u64,
    equal: impl Fn(u64, u64) -> bool,
) -> Vec<Run> {
    let mut columns = Columns::new(runs, a_len, b_len);
    columns.move_right(&equal);
    columns.into_runs()
}

/// Returns the runs with the gaps as far to the left as possible, by moving them to the right in
/// the reversed strings.
pub(super) fn leftmost(runs: &[Run], a_len: u64, b_len: u64, equal: impl Fn(u64, u64) -> bool) -> Vec<Run> {
    let turned = |run: &Run| {
        let (a_end, b_end) = run.ends();
        Run { a_start: a_len - a_end, b_start: b_len - b_end, len: run.len }
    };
    let backwards = runs.iter().rev().map(turned);
    let mut placed = moved_right(backwards, a_len, b_len, |a, b| equal(a_len - 1 - a, b_len - 1 - b));
    // In place, since there can be millions of runs.
    placed.iter_mut().for_each(|run| *run = turned(run));
    placed.reverse();
    placed
}
