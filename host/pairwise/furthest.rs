//! Furthest-reaching paths: a shortest script of insertions and deletions, in time that depends on
//! the script's length.
//!
//! E. W. Myers, An O(ND) difference algorithm and its variations (1986), with the refinement of its
//! section 4b, in linear space: paths from both ends of the table meet in the middle, and the parts
//! before and after the meeting cell are solved in the same way.
//!
//! The table has a column for each item of A and a row for each item of B. A path with d
//! differences ends as far along a diagonal (k = x - y) as possible. Among the paths with d + 1
//! differences, the one that ends furthest on a diagonal comes from one of the two neighbouring
//! diagonals, and then follows equal items. So it suffices to keep one number per diagonal.
//!
//! If paths meet on several diagonals at once, the one furthest into A is taken, at the end of the
//! path that advanced last. GNU diff makes the same choice, so its scripts are identical to these.

use crate::alignment::Run;
use crate::threads;
use std::ops::Range;

/// Number of steps between two checks whether the job must end.
const CHECK: u64 = 1 << 24;

/// Number of items compared at a time.
const CHUNK: usize = 8;

/// A limit of steps. A step is an advance of a path by one difference, or by up to eight equal
/// items.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Budget {
    /// Number of steps that are always allowed.
    pub first: u64,
    /// Upper bound on the steps in total. After the first steps, and each time that their number
    /// has doubled, the search goes on only if the expected total is within this bound. The
    /// expectation is from the progress of the paths, with differences assumed to be spread evenly.
    pub most: u64,
}

/// A part of the table: some items of each sequence.
struct Part {
    a: Range<usize>,
    b: Range<usize>,
}

/// A cell of the table: the numbers of items of both sequences before it.
struct Cell {
    x: usize,
    y: usize,
}

/// Returns the matches of a longest common subsequence, or `None` if the budget does not suffice.
///
/// The result is always a longest one: there are no heuristics. O((m + n) D) time at worst,
/// O(m + n + D²) expected, for D insertions and deletions; O(D) memory besides the runs.
pub(crate) fn runs<S: Copy + Eq>(a: &[S], b: &[S], budget: Budget) -> Option<Vec<Run>> {
    let limit = budget.first;
    let most = budget.most.max(budget.first);
    let mut search =
        Search { ahead: Front::default(), back: Front::default(), taken: 0, pause: limit.min(CHECK), limit, most };
    let mut runs = Vec::new();
    // Unsolved parts of the table, the first one on top. At most two for each halving of D.
    let mut parts = vec![Part { a: 0..a.len(), b: 0..b.len() }];
    while let Some(Part { a: mut part_a, b: mut part_b }) = parts.pop() {
        let rest_a = slice(a, &part_a);
        let rest_b = slice(b, &part_b);
        let before = common_prefix(rest_a, rest_b);
        push(&mut runs, part_a.start, part_b.start, before);
        part_a.start += before;
        part_b.start += before;
        let rest_a = slice(a, &part_a);
        let rest_b = slice(b, &part_b);
        let after = common_suffix(rest_a, rest_b);
        part_a.end -= after;
        part_b.end -= after;
        if !part_a.is_empty() && !part_b.is_empty() {
            let meeting = search.meeting(slice(a, &part_a), slice(b, &part_b))?;
            let x = part_a.start + meeting.x;
            let y = part_b.start + meeting.y;
            // The common end is a part of its own, so that none of its items is matched with an
            // earlier one.
            if after > 0 {
                parts.push(Part { a: part_a.end..part_a.end + after, b: part_b.end..part_b.end + after });
            }
            parts.push(Part { a: x..part_a.end, b: y..part_b.end });
            parts.push(Part { a: part_a.start..x, b: part_b.start..y });
        } else {
            push(&mut runs, part_a.end, part_b.end, after);
        }
    }
    Some(runs)
}

/// Returns a lower bound on the steps of [`runs`] for two sequences with at least `differences`
/// insertions and deletions.
///
/// Until paths from both ends meet, each end has advanced by half of the differences. With d
/// differences it has d + 1 diagonals to step on, as long as d is at most either length.
pub(crate) fn least_steps<S: Copy + Eq>(a: &[S], b: &[S], differences: u64) -> u64 {
    let before = common_prefix(a, b);
    let after = common_suffix(slice(a, &(before..a.len())), slice(b, &(before..b.len())));
    let shorter = (a.len().min(b.len()) - before - after) as u64;
    let half = (differences / 2).min(shorter);
    // Twice the sum of 2, 3 … half + 1.
    half.saturating_mul(half.saturating_add(3))
}

fn slice<'s, S>(items: &'s [S], part: &Range<usize>) -> &'s [S] {
    items.get(part.clone()).unwrap_or_default()
}

/// Adds a run, or extends the last one if the run continues it.
fn push(runs: &mut Vec<Run>, a_start: usize, b_start: usize, len: usize) {
    if len == 0 {
        return;
    }
    let a_start = a_start as u64;
    let b_start = b_start as u64;
    let len = len as u64;
    match runs.last_mut() {
        Some(last) if last.ends() == (a_start, b_start) => last.len += len,
        _ => runs.push(Run { a_start, b_start, len }),
    }
}

/// Returns the length of the longest common prefix of two slices.
#[inline]
pub(crate) fn common_prefix<S: Copy + Eq>(a: &[S], b: &[S]) -> usize {
    let chunks = a.as_chunks::<CHUNK>().0.iter().zip(b.as_chunks::<CHUNK>().0);
    let whole = chunks.take_while(|(a, b)| a == b).count() * CHUNK;
    let rest = a.get(whole..).unwrap_or_default().iter().zip(b.get(whole..).unwrap_or_default());
    whole + rest.take_while(|(a, b)| a == b).count()
}

/// Returns the length of the longest common suffix of two slices.
#[inline]
pub(crate) fn common_suffix<S: Copy + Eq>(a: &[S], b: &[S]) -> usize {
    let chunks = a.as_rchunks::<CHUNK>().1.iter().rev().zip(b.as_rchunks::<CHUNK>().1.iter().rev());
    let whole = chunks.take_while(|(a, b)| a == b).count() * CHUNK;
    let rest = |items: &[S]| items.len() - whole.min(items.len());
    let a = a.get(..rest(a)).unwrap_or_default();
    let b = b.get(..rest(b)).unwrap_or_default();
    whole + a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count()
}

/// Furthest paths from one end of the table.
#[derive(Default)]
struct Front {
    /// For each diagonal, x at the end of the furthest path on it, counted from the end of the
    /// table where the path starts. Diagonal k is at index `middle + k`.
    ends: Vec<isize>,
    middle: isize,
    /// Least and largest diagonal on which paths end with the current number of differences.
    low: isize,
    high: isize,
}

impl Front {
    /// Marks a diagonal without a path.
    const NONE: isize = -1;

    /// Adds a path without differences, which ends where it starts: the part's ends differ.
    fn start(&mut self) {
        if self.ends.is_empty() {
            self.ends = vec![Self::NONE; 64];
            self.middle = 32;
        }
        (self.low, self.high) = (0, 0);
        self.set(0, 0);
    }

    /// Returns the number of items of both sides that the path with most progress has passed.
    fn come(&self) -> isize {
        let ends = (self.low..=self.high).step_by(2).map(|diagonal| {
            let end = self.ends.get((self.middle + diagonal) as usize).copied().unwrap_or(Self::NONE);
            2 * end - diagonal
        });
        ends.max().unwrap_or(0)
    }

    fn set(&mut self, diagonal: isize, end: isize) {
        if let Some(place) = self.ends.get_mut((self.middle + diagonal) as usize) {
            *place = end;
        }
    }

    /// Makes room for the diagonals next to the outermost ones.
    fn reserve(&mut self) {
        if self.middle + self.low >= 2 && self.middle + self.high + 3 < self.ends.len() as isize {
            return;
        }
        let more = self.ends.len() / 2;
        let mut ends = vec![Self::NONE; self.ends.len() + 2 * more];
        if let Some(place) = ends.get_mut(more..more + self.ends.len()) {
            place.copy_from_slice(&self.ends);
        }
        self.middle += more as isize;
        self.ends = ends;
    }

    /// Advances by one difference on all diagonals of a table of m columns and n rows; `equal`
    /// counts the equal items after a cell. Returns the number of steps.
    #[inline(always)]
    fn advance(&mut self, m: isize, n: isize, equal: impl Fn(usize, usize) -> usize) -> u64 {
        self.reserve();
        // One more diagonal on each side, unless it is outside the table; then one fewer, since
        // only every second diagonal is stepped on.
        if self.low > -n {
            self.low -= 1;
            self.set(self.low - 1, Self::NONE);
        } else {
            self.low += 1;
        }
        if self.high < m {
            self.high += 1;
            self.set(self.high + 1, Self::NONE);
        } else {
            self.high -= 1;
        }
        let first = (self.middle + self.low - 1) as usize;
        let last = (self.middle + self.high + 1) as usize;
        let Some((below, row)) = self.ends.get_mut(first..=last).and_then(<[isize]>::split_first_mut) else { return 1 };
        let mut below = *below;
        let mut diagonal = self.low;
        let mut passed = 0;
        let steps = row.len() as u64 / 2;
        let (pairs, _) = row.as_chunks_mut::<2>();
        for [end, above] in pairs {
            // By an item of A from the diagonal below, or by an item of B from the diagonal above.
            let x = (below + 1).max(*above);
            let y = x - diagonal;
            let mut reached = x;
            // A path may leave the table: no equal items follow there, and it meets no other path.
            let run = equal(x as usize, y as usize);
            reached += run as isize;
            passed += run;
            *end = reached;
            below = *above;
            diagonal += 2;
        }
        steps + (passed / CHUNK) as u64
    }
}

/// Paths from both ends that have met, or passed each other, so that the end of either is on a
/// shortest path.
struct Meeting {
    diagonal: isize,
    /// Columns reached by the path from the start and by the path from the end.
    ahead: usize,
    back: usize,
}

impl Meeting {
    /// Returns the cell in a column of the diagonal.
    fn cell(&self, x: usize) -> Cell {
        Cell { x, y: (x as isize - self.diagonal) as usize }
    }
}

/// Search for the cell where paths from both ends meet.
struct Search {
    ahead: Front,
    back: Front,
    /// Number of steps taken.
    taken: u64,
    /// Number of steps before the next check whether the rest will suffice.
    limit: u64,
    /// Number of steps at which the job next checks whether it must end.
    pause: u64,
    /// Upper bound on the steps in total.
    most: u64,
}

impl Search {
    /// Returns a cell on a shortest path with half of its differences before it: a column and a
    /// row. The slices differ at both ends and are not empty.
    fn meeting<S: Copy + Eq>(&mut self, a: &[S], b: &[S]) -> Option<Cell> {
        let m = a.len() as isize;
        let n = b.len() as isize;
        let is_odd = (m - n) % 2 != 0;
        self.ahead.start();
        self.back.start();
        let before = self.taken;
        loop {
            let steps = self.ahead.advance(m, n, |x, y| snake_ahead(a, b, x, y));
            self.take(steps, before, m + n)?;
            // With an odd number of differences, a path has one more before the cell than after it.
            if is_odd && let Some(meeting) = self.met(m, n) {
                return Some(meeting.cell(meeting.ahead));
            }
            let steps = self.back.advance(m, n, |x, y| snake_back(a, b, x, y));
            self.take(steps, before, m + n)?;
            if !is_odd && let Some(meeting) = self.met(m, n) {
                return Some(meeting.cell(meeting.back));
            }
        }
    }

    /// Counts steps, in a part with `way` items on both sides together that was begun after
    /// `before` steps. Returns `None` if there are too many.
    #[inline(always)]
    fn take(&mut self, steps: u64, before: u64, way: isize) -> Option<()> {
        self.taken = self.taken.saturating_add(steps);
        if self.taken > self.pause { self.go_on(before, way) } else { Some(()) }
    }

    /// Raises the limit, if the expected total of steps is within the budget.
    #[cold]
    fn go_on(&mut self, before: u64, way: isize) -> Option<()> {
        threads::check();
        self.pause = self.taken.saturating_add(CHECK).min(self.limit);
        if self.taken <= self.limit {
            return Some(());
        }
        // Paths that go twice as far take four times as many steps, and the parts before and after
        // the meeting cell take the same number again.
        let come = (self.ahead.come() + self.back.come()).clamp(1, way.max(1)) as u128;
        let way = way as u128;
        let taken = u128::from(self.taken - before);
        let expected = u128::from(before) + 2 * (taken * way / come * way / come);
        let goes_on = self.taken <= self.most && expected <= u128::from(self.most);
        self.limit = self.taken.saturating_mul(2).min(self.most);
        self.pause = self.taken.saturating_add(CHECK).min(self.limit);
        goes_on.then_some(())
    }

    /// Returns the largest diagonal on which paths from both ends have met, or `None`.
    #[inline(always)]
    fn met(&self, m: isize, n: isize) -> Option<Meeting> {
        // Diagonal k from one end is diagonal m - n - k from the other.
        let low = self.ahead.low.max(m - n - self.back.high);
        let high = self.ahead.high.min(m - n - self.back.low);
        if low > high {
            return None;
        }
        // Every second diagonal has ends of this step, and they are the same ones from both sides.
        let ahead = self.ahead.ends.get((self.ahead.middle + low) as usize..=(self.ahead.middle + high) as usize)?;
        let from = m - n - high;
        let to = m - n - low;
        let back = self.back.ends.get((self.back.middle + from) as usize..=(self.back.middle + to) as usize)?;
        // An adapter that steps by two may be compiled separately from the loop, which then takes
        // three times as long.
        let (last_ahead, pairs_ahead) = ahead.as_rchunks::<2>();
        let (pairs_back, last_back) = back.as_chunks::<2>();
        let mut pairs = pairs_ahead.iter().rev().zip(pairs_back);
        let met = pairs.position(|([_, ahead], [back, _])| ahead + back >= m);
        let at = met.or_else(|| (last_ahead.first()? + last_back.first()? >= m).then_some(pairs_back.len()))?;
        let ahead = *ahead.get(ahead.len() - 1 - 2 * at)?;
        let back = *back.get(2 * at)?;
        Some(Meeting { diagonal: high - 2 * at as isize, ahead: ahead as usize, back: (m - back) as usize })
    }
}

/// Returns the number of equal items after a cell; 0 outside the table.
#[inline(always)]
fn snake_ahead<S: Copy + Eq>(a: &[S], b: &[S], x: usize, y: usize) -> usize {
    match (a.get(x), b.get(y)) {
        (Some(one), Some(other)) if one == other => following(a, b, x, y),
        _ => 0,
    }
}

/// Returns the number of equal items before a cell, whose position is counted from the ends; 0
/// outside the table.
#[inline(always)]
fn snake_back<S: Copy + Eq>(a: &[S], b: &[S], x: usize, y: usize) -> usize {
    // Outside the table the number wraps to an index outside any slice.
    match (a.get(a.len().wrapping_sub(x + 1)), b.get(b.len().wrapping_sub(y + 1))) {
        (Some(one), Some(other)) if one == other => preceding(a, b, x, y),
        _ => 0,
    }
}

// Most paths end at once, so this is a separate function to keep the loop small.
#[cold]
#[inline(never)]
fn following<S: Copy + Eq>(a: &[S], b: &[S], x: usize, y: usize) -> usize {
    common_prefix(a.get(x..).unwrap_or_default(), b.get(y..).unwrap_or_default())
}

#[cold]
#[inline(never)]
fn preceding<S: Copy + Eq>(a: &[S], b: &[S], x: usize, y: usize) -> usize {
    let before = |items: &'_ [S], back: usize| items.len().saturating_sub(back);
    common_suffix(a.get(..before(a, x)).unwrap_or_default(), b.get(..before(b, y)).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alignment::runs::CommonSubsequence;
    use crate::pairwise::recurrence::lcs_length;

    /// Returns a budget of `steps` steps.
    fn budget(steps: u64) -> Budget {
        Budget { first: steps, most: steps }
    }

    #[track_caller]
    fn check<S: Copy + Eq + std::fmt::Debug>(a: &[S], b: &[S]) {
        let runs = runs(a, b, budget(u64::MAX)).unwrap();
        for run in &runs {
            let x = run.a_start as usize;
            let y = run.b_start as usize;
            let len = run.len as usize;
            assert_eq!(a[x..x + len], b[y..y + len], "{a:?} {b:?}");
        }
        let lcs = CommonSubsequence::new(runs.clone(), a.len() as u64, b.len() as u64).unwrap();
        assert_eq!(lcs.runs(), runs, "runs are merged");
        assert_eq!(lcs.len(), lcs_length(a, b), "{a:?} {b:?}");
        let differences = (a.len() + b.len()) as u64 - 2 * lcs.len();
        if let Some(too_few) = least_steps(a, b, differences).checked_sub(1) {
            assert_eq!(super::runs(a, b, budget(too_few)), None, "{a:?} {b:?}");
        }
    }

    #[test]
    fn scripts_are_shortest_for_all_short_strings() {
        let string = |number: usize, len: usize| (0..len).map(|i| number >> i & 1).collect::<Vec<_>>();
        for m in 0..=6 {
            for n in 0..=6 {
                for pair in 0..1 << (m + n) {
                    check(&string(pair, m), &string(pair >> m, n));
                }
            }
        }
    }

    #[test]
    fn scripts_are_shortest_for_random_strings() {
        let mut random = fastrand::Rng::with_seed(1);
        for round in 0..3000 {
            let kinds = [1, 2, 3, 4, 20, 300, 100_000][random.usize(..7)];
            let most = if round % 30 == 0 { 700 } else { 60 };
            // Also wide and narrow tables.
            let m = random.usize(..most);
            let n = if random.bool() { random.usize(..most) } else { random.usize(..10) };
            let mut a: Vec<u32> = (0..m).map(|_| random.u32(..kinds)).collect();
            let mut b: Vec<u32> = (0..n).map(|_| random.u32(..kinds)).collect();
            if random.bool() {
                b = a.clone();
                for _ in 0..random.usize(..12) {
                    let at = random.usize(..=b.len());
                    match random.u8(..3) {
                        0 => b.insert(at, random.u32(..kinds)),
                        1 if at < b.len() => drop(b.remove(at)),
                        _ => b = [&b[at..], &b[..at]].concat(),
                    }
                }
            }
            if random.bool() {
                std::mem::swap(&mut a, &mut b);
            }
            check(&a, &b);
        }
    }

    #[test]
    fn a_budget_is_kept() {
        let mut random = fastrand::Rng::with_seed(2);
        let mut string = || (0..2000).map(|_| random.u8(..4)).collect::<Vec<_>>();
        let a = string();
        let b = string();
        assert_eq!(runs(&a, &b, budget(1000)), None);
        let differences = 2 * (2000 - lcs_length(&a, &b));
        assert!((400_000..4_000_000).contains(&least_steps(&a, &b, differences)), "{differences} differences");
        assert!(runs(&a, &b, budget(4_000_000)).is_some());
        // Equal ends cost nothing.
        assert_eq!(runs(&a, &a, budget(0)).map(|runs| runs.len()), Some(1));
        assert_eq!(runs(&a, &a[7..], budget(0)), Some(vec![Run { a_start: 7, b_start: 0, len: 1993 }]));
    }

    /// With a difference in every tenth line the search goes on; with little in common it gives up,
    /// though it may take the same number of steps.
    #[test]
    fn a_budget_grows_where_the_paths_come_far() {
        let mut random = fastrand::Rng::with_seed(3);
        let a: Vec<u32> = (0..20_000).map(|_| random.u32(..1000)).collect();
        let similar: Vec<u32> = a.iter().map(|&x| if random.u8(..10) == 0 { random.u32(..1000) } else { x }).collect();
        let other: Vec<u32> = (0..20_000).map(|_| random.u32(..1000)).collect();
        let taken = |b: &[u32], most| {
            let mut search =
                Search { ahead: Front::default(), back: Front::default(), taken: 0, pause: 0, limit: 100_000, most };
            (search.meeting(&a[..], b).is_some(), search.taken)
        };
        let (is_found, needed) = taken(&similar, 50_000_000);
        assert!(is_found && needed > 1_000_000, "{needed}");
        assert!(!taken(&similar, 150_000).0);
        // Hardly more than the first steps.
        let (is_found, tried) = taken(&other, 50_000_000);
        assert!(!is_found && tried < 110_000, "{tried}");
        let budget = Budget { first: 100_000, most: 50_000_000 };
        let lcs: u64 = runs(&a, &similar, budget).unwrap().iter().map(|run| run.len).sum();
        assert_eq!(lcs, lcs_length(&a, &similar));
        assert_eq!(runs(&a, &other, budget), None);
    }

    #[test]
    fn common_ends() {
        let text: Vec<u32> = (0..40).collect();
        for len in 0..40 {
            let mut other = text.clone();
            other[len] = 99;
            assert_eq!((common_prefix(&text, &other), common_suffix(&text, &other)), (len, 39 - len));
            assert_eq!((common_prefix(&text, &text[..len]), common_suffix(&text, &text[len..])), (len, 40 - len));
        }
    }
}
