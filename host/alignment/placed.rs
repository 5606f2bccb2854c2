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
//!
//! Several threads move the gaps of a long script, each those of a part. A part ends at a long run
//! of matches that has gaps of unlike kinds on its sides. Hardly any gap gets through such a run.
//! If one does, one thread moves the gaps of the whole script.

use super::run::Run;
use crate::threads;
use rayon::prelude::*;
use std::ops::Range;

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

/// A part of a script, in columns.
struct Columns {
    /// The end of the run before the part, in A and in B.
    start: (u64, u64),
    gaps: Vec<Gap>,
    runs: Vec<Matches>,
    count: u64,
}

impl Columns {
    /// Lays out runs of matches that come after another run; a gap comes after the substitutions
    /// beside it.
    fn new(before: Run, runs: impl Iterator<Item = Run>) -> Self {
        let (mut a, mut b) = before.ends();
        let most = runs.size_hint().0;
        let mut columns = Self { start: (a, b), gaps: Vec::new(), runs: Vec::with_capacity(most), count: 0 };
        let mut column = 0;
        for (number, run) in runs.enumerate() {
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
    fn move_block(&mut self, block: Range<usize>, limit: u64, equal: &impl Fn(u64, u64) -> bool) {
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

    /// Returns the last match before a gap, which may have moved. There is a match between any two
    /// gaps.
    fn last_match_before(&self, gap: &Gap) -> u64 {
        let moved_past = self.runs[gap.run..].iter().take_while(|run| run.column < gap.column).count();
        let run = (gap.run + moved_past).checked_sub(1).and_then(|run| self.runs.get(run));
        run.map_or(0, |run| (run.column + run.len).min(gap.column) - 1)
    }

    /// Moves all gaps, those of the last block up to a limit.
    fn move_right(&mut self, mut limit: u64, equal: &impl Fn(u64, u64) -> bool) {
        let mut end = self.gaps.len();
        while let Some(last) = end.checked_sub(1) {
            let kind = self.gaps[last].is_insertion;
            let start = self.gaps[..end].iter().rposition(|gap| gap.is_insertion != kind).map_or(0, |other| other + 1);
            self.move_block(start..end, limit, equal);
            limit = self.last_match_before(&self.gaps[start]);
            end = start;
        }
    }

    /// Returns the runs of matches, with the gaps at their current positions.
    fn into_runs(self) -> Vec<Run> {
        let mut runs = Vec::with_capacity(self.runs.len() + self.gaps.len());
        let mut gaps = self.gaps.iter().peekable();
        let (mut a, mut b) = self.start;
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

/// Returns the run before another one, or an empty one at the start of both strings.
fn before(runs: &[Run], number: usize) -> Run {
    number.checked_sub(1).map_or(Run { a_start: 0, b_start: 0, len: 0 }, |before| runs[before])
}

/// Returns the kind of the gap before a run: true for insertions; `None` if there is no gap.
fn gap_before(runs: &[Run], number: usize) -> Option<bool> {
    let (a, b) = before(runs, number).ends();
    let Run { a_start, b_start, .. } = runs[number];
    (a_start - a != b_start - b).then_some(a_start - a > b_start - b)
}

/// Returns the numbers of the first runs of about `parts` parts, and the number of runs.
fn borders(runs: &[Run], parts: usize) -> Vec<usize> {
    let each = runs.len() / parts;
    let window = WINDOW.min(each / 4);
    let can_begin = |&number: &usize| {
        let kind = gap_before(runs, number);
        let before = (number - window..number).rev().find_map(|other| gap_before(runs, other));
        kind.is_some() && before.is_some() && kind != before
    };
    let near = |first: usize| (first..first + window).filter(can_begin).max_by_key(|&number| before(runs, number).len);
    let begins = (1..parts).filter_map(|part| near(part * each));
    std::iter::once(0).chain(begins).chain([runs.len()]).collect()
}

/// A part of a script whose gaps have moved.
struct Moved {
    runs: Vec<Run>,
    /// True if its first gap has moved.
    first_moves: bool,
    /// True if a gap has moved to the last match of the part.
    reaches_end: bool,
}

impl Moved {
    /// Moves the gaps before the runs of a part; the last part includes the gap after its last run.
    fn of(runs: &[Run], part: Range<usize>, end: Run, equal: &impl Fn(u64, u64) -> bool) -> Self {
        let is_last = part.end == runs.len();
        let end = is_last.then_some(end);
        let mut columns = Columns::new(before(runs, part.start), runs[part].iter().copied().chain(end));
        let first = columns.gaps.first().map(|gap| gap.column);
        // The next part begins with a gap of the other kind.
        let limit = if is_last { columns.count } else { columns.count - 1 };
        columns.move_right(limit, equal);
        let first_moves = columns.gaps.first().map(|gap| gap.column) != first;
        let reaches_end = columns.gaps.last().is_some_and(|gap| gap.column >= limit);
        Self { runs: columns.into_runs(), first_moves, reaches_end }
    }
}

/// Moves the gaps of a script by `moved`, in parts by several threads, and returns its runs. Not
/// generic, so that it is compiled once.
fn in_parts(runs: &[Run], parts: usize, moved: &(dyn Fn(Range<usize>) -> Moved + Sync)) -> Vec<Run> {
    if parts > 1 {
        let borders = borders(runs, parts);
        let parts: Vec<_> = threads::run(|| borders.par_windows(2).map(|ends| moved(ends[0]..ends[1])).collect());
        if parts.windows(2).all(|two| !(two[0].reaches_end && two[1].first_moves)) {
            return parts.iter().map(|part| &part.runs[..]).collect::<Vec<_>>().concat();
        }
    }
    moved(0..runs.len()).runs
}

/// Returns the number of parts of a script: 1 if it is short.
fn parts_of(runs: usize) -> usize {
    if runs < 2 * PART { 1 } else { threads::run(|| (runs / PART).min(4 * rayon::current_num_threads())) }
}

/// Number of runs of matches among which a part of a script begins.
const WINDOW: usize = 1 << 10;

/// Lower bound on the runs of matches of a part.
const PART: usize = 1 << 14;

/// Returns the runs of matches of a script with its gaps as far to the right as possible, each
/// after the substitutions beside it. `equal` returns true if a symbol of A equals a symbol of B.
pub(super) fn rightmost(runs: &[Run], a_len: u64, b_len: u64, equal: impl Fn(u64, u64) -> bool + Sync) -> Vec<Run> {
    let end = Run { a_start: a_len, b_start: b_len, len: 0 };
    in_parts(runs, parts_of(runs.len()), &|part| Moved::of(runs, part, end, &equal))
}

/// Returns the runs with the gaps as far to the left as possible, by moving them to the right in
/// the reversed strings.
pub(super) fn leftmost(runs: &[Run], a_len: u64, b_len: u64, equal: impl Fn(u64, u64) -> bool + Sync) -> Vec<Run> {
    let turned = |runs| turned(runs, a_len, b_len);
    turned(&rightmost(&turned(runs), a_len, b_len, |a, b| equal(a_len - 1 - a, b_len - 1 - b)))
}

/// Returns the runs of the reversed strings.
fn turned(runs: &[Run], a_len: u64, b_len: u64) -> Vec<Run> {
    let turned = |run: &Run| {
        let (a_end, b_end) = run.ends();
        Run { a_start: a_len - a_end, b_start: b_len - b_end, len: run.len }
    };
    if runs.len() < 2 * PART {
        return runs.iter().rev().map(turned).collect();
    }
    threads::run(|| runs.par_iter().rev().with_min_len(PART).map(turned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lcs::CommonSubsequence;

    /// Scripts of random strings: in those of few kinds of symbols, gaps move far.
    #[test]
    fn parts_move_like_the_whole() {
        let mut random = fastrand::Rng::with_seed(3);
        let (mut divided, mut at_once) = (0, 0);
        for case in 0..600 {
            let kinds = [2, 3, 4, 20][case % 4];
            let mut string = |len: usize| (0..len).map(|_| random.u8(..kinds)).collect::<Vec<_>>();
            let (a, b) = (string(400), string(420));
            // Any common subsequence is a script: pairs each symbol with the next equal one.
            let mut runs = Vec::new();
            let (mut x, mut y) = (0, 0);
            while x < a.len() && y < b.len() {
                if a[x] == b[y] {
                    runs.push(Run { a_start: x as u64, b_start: y as u64, len: 1 });
                    (x, y) = (x + 1, y + 1);
                } else {
                    *(if random.bool() { &mut x } else { &mut y }) += 1;
                }
            }
            let runs = CommonSubsequence::new(runs, a.len() as u64, b.len() as u64).unwrap();
            let end = Run { a_start: a.len() as u64, b_start: b.len() as u64, len: 0 };
            let runs = runs.runs();
            let equal = |x: u64, y: u64| a[x as usize] == b[y as usize];
            let moved = |part| Moved::of(runs, part, end, &equal);
            let whole = in_parts(runs, 1, &moved);
            for parts in [2, 3, 7] {
                let borders = borders(runs, parts);
                let each: Vec<_> = borders.windows(2).map(|ends| moved(ends[0]..ends[1])).collect();
                let joined: Vec<Run> = each.iter().flat_map(|part| part.runs.clone()).collect();
                let is_stopped = each.windows(2).all(|two| !(two[0].reaches_end && two[1].first_moves));
                *(if is_stopped { &mut divided } else { &mut at_once }) += usize::from(borders.len() > 2);
                assert!(!is_stopped || joined == whole, "{case}: {parts} parts");
                assert_eq!(in_parts(runs, parts, &moved), whole, "{case}: {parts} parts");
            }
        }
        assert!(divided > 300 && at_once > 30, "{divided} in parts, {at_once} at once");
    }
}
