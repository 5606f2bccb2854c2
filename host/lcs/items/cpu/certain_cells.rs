//! Divides the table at cells that a longest common subsequence certainly passes.
//!
//! The guide is a common subsequence that is nearly a longest one: the longest chain of tokens that
//! occur once in each sequence, and what short searches find between them. As a path through the
//! table, it goes down for a token of A alone, to the right for a token of B alone, and both for a
//! match:
//!
//! ```text
//!      B   u x x v    Another path leaves the guide at a cell and returns at a later one.
//!   A    ·            Between them it is above the guide (at its upper right) or below it.
//!   u      ·          A token that has no match on that side is a difference there. If the tokens
//!   y      · · ·      without a match are at least as many as the differences of the guide between
//!   v            ·    the two cells, the other path is not better than the guide.
//! ```
//!
//! The slack of a side at a cell is the number of tokens before the cell that have no match on that
//! side, minus the differences of the guide up to the cell. A cell is certain if on both sides no
//! cell before it has more slack than any cell after it. Then each path that goes around the cell
//! can go along the guide instead. So a longest common subsequence passes the cell, and the same
//! one passes all certain cells. The table between two certain cells is divided in the same way.
//!
//! Files with many unique lines, such as lists, have many certain cells, even if half of their
//! lines differ. Two lists of packages, with 840,000 and 880,000 lines that both have, leave
//! 2.8 % of the cells after the first division, and 1.5 % for bit-vectors.
//!
//! **Cost**: O((m + n) log (m + n)), and the tables between certain cells.

use super::algorithm::CpuAlgorithm;
use super::bit_parallel;
use crate::algorithm::About;
use crate::alignment::Run;
use crate::error::Result;
use crate::lcs::items::chains::ascending;
use crate::lcs::items::kept::{Kept, greatest, kept, push, put_back};
use crate::lcs::items::plan::{Matches, MatchesPlan};
use crate::memory;
use crate::pairwise::furthest::{self, Budget, common_prefix, common_suffix};
use crate::text::numbered;
use crate::threads;
use rayon::prelude::*;
use std::ops::Range;

/// The algorithm's entry.
pub const ALGORITHM: CpuAlgorithm = CpuAlgorithm {
    about: About::new(
        "certain-cells",
        "the table is divided at cells that an LCS certainly passes, then bit-vectors; for mostly unique tokens",
        "this project, with the anchors of B. Cohen's patience diff",
        "(m + n) log (m + n), and the tables between such cells",
    ),
    matches: |plan| {
        match divide(plan)? {
            Some(division) => division.solve(plan, &by_bit_vectors),
            None => by_bit_vectors(plan),
        }
        .map(Some)
    },
};

/// Steps of the search between two tokens of the guide, for each token there. With fewer, more
/// searches give up.
const STEPS_PER_TOKEN: u64 = 64;
/// Maximum cells of a table that is solved by furthest-reaching paths at once.
const SMALL_CELLS: u64 = 1 << 16;
/// Minimum cells of a table that is solved by all threads, after the others.
const LARGE_CELLS: u64 = 1 << 28;
/// Steps of furthest-reaching paths before their first estimate, and cells that take the time of a
/// step.
const MIN_STEPS: u64 = 1 << 18;
const CELLS_PER_STEP: u64 = 64;
/// Maximum tokens of both sequences: slacks are 32-bit numbers.
const MOST_TOKENS: u64 = 1 << 30;

/// Solves a table that is not divided any more.
pub type Rest<'r> = &'r (dyn Fn(&MatchesPlan<'_>) -> Result<Matches> + Sync);

fn by_bit_vectors(plan: &MatchesPlan<'_>) -> Result<Matches> {
    let found = (bit_parallel::ALGORITHM.matches)(plan)?;
    found.ok_or_else(|| bit_parallel::ALGORITHM.about.unsupported("did not terminate".into()))
}

/// A cell of the table: the numbers of tokens of both sequences before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Cell {
    x: usize,
    y: usize,
}

/// A table between two certain cells.
#[derive(Debug, Clone)]
struct Part {
    a: Range<usize>,
    b: Range<usize>,
}

impl Part {
    fn cells(&self) -> u64 {
        (self.a.len() as u64).saturating_mul(self.b.len() as u64)
    }
}

/// A table that is divided at certain cells.
pub struct Division {
    /// Matches between neighbouring certain cells.
    runs: Vec<Run>,
    parts: Vec<Part>,
}

/// Divides a table, on one thread. `None` if the parts would have nearly as many cells.
///
/// # Errors
/// [`Error::Memory`](crate::Error::Memory).
pub fn divide(plan: &MatchesPlan<'_>) -> Result<Option<Division>> {
    let &MatchesPlan { a, b, .. } = plan;
    if plan.tokens() > MOST_TOKENS {
        return Ok(None);
    }
    // A cell, and for both sides its slack and a minimum; chains take less.
    memory::check::<[u64; 4]>(a.len() + b.len(), "cells that the LCS passes")?;
    let places = [Places::of(a, plan.kinds)?, Places::of(b, plan.kinds)?];
    let guide = guide(a, b, &places);
    let cells = certain(a, b, &places, &guide);
    let mut runs = Vec::new();
    let mut parts = Vec::new();
    for (from, to) in cells.iter().zip(cells.iter().skip(1)) {
        let part = Part { a: from.x..to.x, b: from.y..to.y };
        if (part.a.len(), part.b.len()) == (1, 1) && a[from.x] == b[from.y] {
            push(&mut runs, Run { a_start: from.x as u64, b_start: from.y as u64, len: 1 });
        } else if !part.a.is_empty() && !part.b.is_empty() {
            parts.push(part);
        }
    }
    let left: u64 = parts.iter().map(Part::cells).sum();
    log::debug!("lcs of tokens: {} parts with {left} of {} cells", parts.len(), plan.cells());
    Ok((left <= plan.cells() / 4 * 3).then_some(Division { runs, parts }))
}

impl Division {
    /// Solves the parts: small ones on all threads side by side, and large ones by `rest` unless
    /// they are divided again.
    ///
    /// # Errors
    /// The errors of `rest`, and [`Error::Memory`](crate::Error::Memory).
    pub fn solve(self, plan: &MatchesPlan<'_>, rest: Rest<'_>) -> Result<Matches> {
        let Self { mut runs, parts } = self;
        let (large, small): (Vec<Part>, Vec<Part>) = parts.into_iter().partition(|part| part.cells() >= LARGE_CELLS);
        let solved = small.par_iter().map(|part| part.solve(plan, &by_bit_vectors)).collect::<Result<Vec<_>>>();
        let mut length = runs.iter().map(|run| run.len).sum();
        let mut add = |found: Matches| {
            length += found.length;
            runs.extend(found.runs);
        };
        solved?.into_iter().for_each(&mut add);
        for part in large {
            add(part.solve(plan, rest)?);
        }
        if plan.only_length {
            return Ok(Matches::of_length(length));
        }
        runs.par_sort_unstable_by_key(|run| run.a_start);
        let mut joined = Vec::with_capacity(runs.len());
        runs.into_iter().for_each(|run| push(&mut joined, run));
        Ok(Matches { runs: joined, length })
    }
}

impl Part {
    /// Finds the matches of this part of the plan's table, at their positions in the whole table.
    fn solve(&self, plan: &MatchesPlan<'_>, rest: Rest<'_>) -> Result<Matches> {
        let a = &plan.a[self.a.clone()];
        let b = &plan.b[self.b.clone()];
        let mut found = if self.cells() <= SMALL_CELLS {
            let unlimited = Budget { first: u64::MAX, most: u64::MAX };
            Matches::from(furthest::runs(a, b, unlimited).unwrap_or_default())
        } else {
            inner(a, b, plan, rest)?
        };
        for run in &mut found.runs {
            run.a_start += self.a.start as u64;
            run.b_start += self.b.start as u64;
        }
        Ok(found)
    }
}

/// Finds the matches of two slices of the plan's sequences.
fn inner(a: &[u32], b: &[u32], plan: &MatchesPlan<'_>, rest: Rest<'_>) -> Result<Matches> {
    let numbered = numbered::number(a, b)?;
    let most = greatest(&numbered.a, &numbered.b) as usize;
    let Kept { a, b, kinds, pairs, differences } = kept(&numbered.a, &numbered.b, most)?;
    let own = MatchesPlan { a: &a.tokens, b: &b.tokens, kinds, pairs, differences, ..*plan };
    if own.a.is_empty() {
        return Ok(Matches::of_length(0));
    }
    let steps = (own.cells() / CELLS_PER_STEP).max(MIN_STEPS);
    let few = match furthest::least_steps(own.a, own.b, differences) {
        least if least > steps => None,
        _ => furthest::runs(own.a, own.b, Budget { first: MIN_STEPS, most: steps }),
    };
    let found = match few {
        Some(runs) => Matches::from(runs),
        None => match divide(&own)? {
            Some(division) => division.solve(&own, rest)?,
            None => rest(&own)?,
        },
    };
    let mut runs = Vec::new();
    if !plan.only_length {
        put_back(&found.runs, [&a, &b], 0, &mut runs);
    }
    Ok(Matches { runs, length: found.length })
}

/// First and last place of each token in a sequence. All tokens occur.
struct Places {
    first: Vec<u32>,
    last: Vec<u32>,
}

impl Places {
    fn of(tokens: &[u32], kinds: u32) -> Result<Self> {
        let mut first = memory::filled(kinds as usize, u32::MAX, "places of tokens")?;
        let mut last = memory::filled(kinds as usize, 0, "places of tokens")?;
        for (place, &token) in (0u32..).zip(tokens) {
            let first = &mut first[token as usize];
            *first = place.min(*first);
            last[token as usize] = place;
        }
        Ok(Self { first, last })
    }

    fn first(&self, token: u32) -> usize {
        self.first[token as usize] as usize
    }

    fn last(&self, token: u32) -> usize {
        self.last[token as usize] as usize
    }

    fn is_once(&self, token: u32) -> bool {
        self.first(token) == self.last(token)
    }
}

/// Returns the matches of the guide.
fn guide(a: &[u32], b: &[u32], [of_a, of_b]: &[Places; 2]) -> Vec<Run> {
    let once = a.iter().enumerate().filter(|&(_, &token)| of_a.is_once(token) && of_b.is_once(token));
    let pairs: Vec<(usize, usize)> = once.map(|(x, &token)| (x, of_b.first(token))).collect();
    let mut runs = Vec::new();
    let (mut x, mut y) = (0, 0);
    for (next_x, next_y) in ascending(&pairs).into_iter().chain([(a.len(), b.len())]) {
        threads::check();
        between(&a[x..next_x], &b[y..next_y], Cell { x, y }, &mut runs);
        if next_x < a.len() {
            push(&mut runs, Run { a_start: next_x as u64, b_start: next_y as u64, len: 1 });
        }
        (x, y) = (next_x + 1, next_y + 1);
    }
    runs
}

/// Adds matches of two slices that start at a cell: a longest common subsequence if a short search
/// finds one, and otherwise the common ends.
fn between(a: &[u32], b: &[u32], Cell { x, y }: Cell, runs: &mut Vec<Run>) {
    if a.is_empty() || b.is_empty() {
        return;
    }
    let steps = STEPS_PER_TOKEN * (a.len() + b.len()) as u64;
    let run = |x: usize, y: usize, len: usize| Run { a_start: x as u64, b_start: y as u64, len: len as u64 };
    match furthest::runs(a, b, Budget { first: steps, most: steps }) {
        Some(found) => {
            found.iter().for_each(|r| push(runs, run(x + r.a_start as usize, y + r.b_start as usize, r.len as usize)));
        }
        None => {
            let before = common_prefix(a, b);
            let after = common_suffix(&a[before..], &b[before..]);
            push(runs, run(x, y, before));
            push(runs, run(x + a.len() - after, y + b.len() - after, after));
        }
    }
}

/// The path of the guide: its cells, and for each of them the slack above and below.
struct Path {
    cells: Vec<Cell>,
    slacks: Vec<[i32; 2]>,
}

impl Path {
    /// Goes on to a cell, where the slacks have changed by this.
    fn go(&mut self, cell: Cell, [above, below]: [i32; 2]) {
        let [a, b] = self.slacks.last().copied().unwrap_or_default();
        self.cells.push(cell);
        self.slacks.push([a + above, b + below]);
    }
}

/// Returns the certain cells of the guide, in order, among them the first and the last of the
/// table.
fn certain(a: &[u32], b: &[u32], places: &[Places; 2], guide: &[Run]) -> Vec<Cell> {
    let Path { cells, slacks } = path(a, b, places, guide);
    // The least slack after each cell.
    let mut least = [i32::MAX; 2];
    let after = slacks.iter().rev().map(|slack| {
        let after = least;
        least = [least[0].min(slack[0]), least[1].min(slack[1])];
        after
    });
    let after: Vec<[i32; 2]> = after.collect();
    // The greatest slack before each cell.
    let mut greatest = [i32::MIN; 2];
    let is_certain = slacks.iter().zip(after.iter().rev()).map(|(slack, after)| {
        let is_certain = greatest[0] <= after[0] && greatest[1] <= after[1];
        greatest = [greatest[0].max(slack[0]), greatest[1].max(slack[1])];
        is_certain
    });
    cells.iter().zip(is_certain).filter(|(_, is_certain)| *is_certain).map(|(&cell, _)| cell).collect()
}

/// Returns the path of the guide. Between two matches it first takes the tokens of A, then those of
/// B.
///
/// A path above the guide matches a token of A with a token of B beyond the guide's place, and a
/// token of B with one of A before the guide's place. Below, it is the reverse.
fn path(a: &[u32], b: &[u32], [of_a, of_b]: &[Places; 2], guide: &[Run]) -> Path {
    let mut path = Path { cells: vec![Cell { x: 0, y: 0 }], slacks: vec![[0; 2]] };
    let (mut x, mut y) = (0, 0);
    let end = Run { a_start: a.len() as u64, b_start: b.len() as u64, len: 0 };
    for run in guide.iter().chain([&end]) {
        while x < run.a_start as usize {
            // Tokens of B from the place on are above.
            let above = i32::from(of_b.last(a[x]) < y) - 1;
            let below = i32::from(of_b.first(a[x]) >= y) - 1;
            x += 1;
            path.go(Cell { x, y }, [above, below]);
        }
        while y < run.b_start as usize {
            let above = i32::from(of_a.first(b[y]) >= x) - 1;
            let below = i32::from(of_a.last(b[y]) < x) - 1;
            y += 1;
            path.go(Cell { x, y }, [above, below]);
        }
        for _ in 0..run.len {
            let token = a[x];
            let above = i32::from(of_b.last(token) <= y) + i32::from(of_a.first(token) >= x);
            let below = i32::from(of_b.first(token) >= y) + i32::from(of_a.last(token) <= x);
            x += 1;
            y += 1;
            path.go(Cell { x, y }, [above, below]);
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alignment::runs::CommonSubsequence;
    use crate::pairwise::recurrence::lcs_length;

    /// A sequence of mostly unique tokens among frequent ones, and a copy of it with tokens
    /// deleted, inserted and moved.
    fn lists(len: usize, changed: f64, random: &mut fastrand::Rng) -> [Vec<u32>; 2] {
        let frequent = random.u32(1..5);
        let is_unique = random.f64();
        let token = |random: &mut fastrand::Rng| {
            if random.f64() < is_unique { random.u32(5..3 * len as u32 + 6) } else { random.u32(..frequent) }
        };
        let a: Vec<u32> = (0..len).map(|_| token(random)).collect();
        let mut b = Vec::new();
        for &old in &a {
            match random.f64() / changed {
                0.0..0.4 => (),
                0.4..0.8 => b.extend([token(random), old]),
                0.8..1.0 => {
                    let place = b.len() - random.usize(..=b.len().min(20));
                    b.insert(place, old);
                }
                _ => b.push(old),
            }
        }
        [a, b]
    }

    /// The plan for two sequences as `matches` makes it, with tokens that both have.
    fn with_plan<R>(a: &[u32], b: &[u32], only_length: bool, job: impl FnOnce(&MatchesPlan<'_>) -> R) -> R {
        let Kept { a, b, kinds, pairs, differences } = kept(a, b, greatest(a, b) as usize).unwrap();
        let budget = Budget { first: u64::MAX, most: u64::MAX };
        let progress = &|_| ();
        let (a, b) = (&a.tokens[..], &b.tokens[..]);
        job(&MatchesPlan { a, b, kinds, pairs, differences, budget, only_length, progress })
    }

    #[test]
    fn divided_tables_give_a_longest_common_subsequence() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut divided = 0;
        for round in 0..1500 {
            let len = [3, 30, 120, 600][round % 4];
            let changed = [0.05, 0.3, 0.6, 1.0][random.usize(..4)];
            let [a, b] = lists(len, changed, &mut random);
            with_plan(&a, &b, false, |plan| {
                let expected = lcs_length(plan.a, plan.b);
                let Some(division) = divide(plan).unwrap() else { return };
                divided += 1;
                let found = division.solve(plan, &by_bit_vectors).unwrap();
                assert_eq!(found.length, expected, "{a:?} {b:?}");
                let lcs = CommonSubsequence::new(found.runs.clone(), plan.a.len() as u64, plan.b.len() as u64).unwrap();
                assert_eq!((lcs.runs(), lcs.len()), (&found.runs[..], expected), "runs are maximal");
                for run in lcs.runs() {
                    let (x, y, len) = (run.a_start as usize, run.b_start as usize, run.len as usize);
                    assert_eq!(plan.a[x..x + len], plan.b[y..y + len]);
                }
            });
        }
        assert!(divided > 700, "{divided}");
    }

    /// Parts large enough to be numbered and divided again, on one and on several threads.
    #[test]
    fn large_parts_are_divided_again() {
        let mut random = fastrand::Rng::with_seed(2);
        let [mut a, mut b] = lists(6000, 0.6, &mut random);
        // A stretch with nothing unique in common, whose tokens are not in order.
        a.extend((0..900).map(|_| random.u32(..40)));
        b.extend((0..700).map(|_| random.u32(..40)));
        a.extend(20_000..20_100);
        b.extend(20_000..20_100);
        let runs = [1, 2].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            with_plan(&a, &b, false, |plan| {
                let division = divide(plan).unwrap().unwrap();
                assert!(division.parts.iter().any(|part| part.cells() > SMALL_CELLS));
                let found = pool.install(|| division.solve(plan, &by_bit_vectors)).unwrap();
                assert_eq!(found.length, lcs_length(plan.a, plan.b));
                found.runs
            })
        });
        assert_eq!(runs[0], runs[1]);
        let length =
            with_plan(&a, &b, true, |plan| divide(plan).unwrap().unwrap().solve(plan, &by_bit_vectors)).unwrap();
        assert_eq!((length.length, length.runs.len()), (runs[0].iter().map(|run| run.len).sum(), 0));
    }

    /// Every certain cell is on a longest common subsequence, and the same one passes all.
    #[test]
    fn certain_cells_are_on_one_longest_common_subsequence() {
        let mut random = fastrand::Rng::with_seed(3);
        let mut inner = 0;
        for round in 0..3000 {
            let [a, b] = lists([2, 5, 9, 25][round % 4], [0.3, 1.0][round / 4 % 2], &mut random);
            with_plan(&a, &b, false, |plan| {
                if plan.a.is_empty() {
                    return;
                }
                let places = [plan.a, plan.b].map(|tokens| Places::of(tokens, plan.kinds).unwrap());
                let cells = certain(plan.a, plan.b, &places, &guide(plan.a, plan.b, &places));
                assert_eq!(cells[0], Cell { x: 0, y: 0 });
                assert_eq!(cells[cells.len() - 1], Cell { x: plan.a.len(), y: plan.b.len() });
                let between = |pair: &[Cell]| lcs_length(&plan.a[pair[0].x..pair[1].x], &plan.b[pair[0].y..pair[1].y]);
                let sum: u64 = cells.windows(2).map(between).sum();
                assert_eq!(sum, lcs_length(plan.a, plan.b), "{a:?} {b:?}");
                inner += cells.len() - 2;
            });
        }
        assert!(inner > 3000, "{inner}");
    }
}
