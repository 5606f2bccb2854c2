//! Hirschberg's recursion (1975): an LCS in linear space, from last columns of LCS tables alone.
//!
//! ```text
//!            columns       The shorter string is the rows, the longer the columns. The longer is
//!          left  right     cut in the middle; the table of its left half runs forwards, that of
//!        +------+------+   its right half backwards. A longest common subsequence crosses the cut
//!   rows |  ↘   |      |   at a row i that maximises L1[i] + L2[m - i]; the two corners that
//!        |----- i      |   remain are solved the same way.
//!        |      |   ↖  |
//!        +------+------+   Work: mn for the first cut, half of that at each further level: 2mn.
//! ```
//!
//! One implementation serves every engine; only the LCS by published rules has a recursion of its
//! own. Equal first and last symbols are matched without a table, and small tables are solved
//! without recursion. Ties go to the least i, so every engine gives the same subsequence.
//!
//! The recursion goes level by level while its subproblems are large: all cuts of a level are one
//! request, so that a device can compute them together. Meanwhile the CPU solves the small ones.

use crate::alignment::Run;
use crate::error::{Error, Result};
use crate::pairwise::cuts::{CutRequest, Cuts, Part, Side};
use crate::threads;
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// Returns the runs of all lists in ascending order. The lists are copied in parallel.
fn in_order(mut lists: Vec<Vec<Run>>) -> Vec<Run> {
    // Most lists are ascending and do not overlap, so little is left to sort.
    lists.par_sort_unstable_by_key(|list| list.first().map(|run| run.a_start));
    let total = lists.iter().map(Vec::len).sum();
    let mut runs: Vec<Run> = Vec::with_capacity(total);
    let targets: Vec<_> = threads::parts_mut(runs.spare_capacity_mut(), lists.iter().map(Vec::len)).collect();
    targets.into_par_iter().zip(lists).for_each(|(target, list)| {
        target.write_copy_of_slice(&list);
    });
    // SAFETY: the targets are the first `total` elements, and each has been written.
    unsafe { runs.set_len(total) };
    runs.par_sort_unstable_by_key(|run| run.a_start);
    runs
}

/// Rules for the symbols of the recursion's strings.
pub(crate) trait Symbols<S>: Sync {
    /// Returns true if two symbols match.
    fn match_each_other(&self, a: S, b: S) -> bool;

    /// Solves a table without recursion: an LCS of two strings as maximal runs in ascending order.
    fn leaf(&self, a: &[S], b: &[S]) -> Vec<Run>;
}

/// Two strings, and the means to compute on them.
pub(crate) struct Recursion<'s, S, R> {
    pub a: &'s [S],
    pub b: &'s [S],
    /// Engine for the cuts of large subproblems, a level at a time.
    pub engine: &'s dyn Cuts,
    /// Engine for the other cuts.
    pub small: &'s dyn Cuts,
    /// Returns true if a subproblem of m × n symbols is large. The last argument is the cells of
    /// its level.
    pub is_large: &'s (dyn Fn(u64, u64, u64) -> bool + Sync),
    /// Upper bound on the cells of a table that is solved without recursion.
    pub leaf_cells: u64,
    /// Rules for the symbols.
    pub symbols: R,
}

/// A subproblem: a part of A and one of B.
#[derive(Debug, Clone)]
pub(super) struct Parts {
    pub a: Range<usize>,
    pub b: Range<usize>,
}

impl Parts {
    pub fn cells(&self) -> u64 {
        self.a.len() as u64 * self.b.len() as u64
    }

    /// Returns the request: the shorter part is the rows, the longer part the columns, which are
    /// cut in the middle. This gives few strips of many columns.
    pub fn request(&self) -> CutRequest {
        let a = Part { side: Side::A, range: self.a.clone() };
        let b = Part { side: Side::B, range: self.b.clone() };
        let (rows, columns) = if self.a.len() < self.b.len() { (a, b) } else { (b, a) };
        let middle = columns.range.len() / 2;
        CutRequest { rows, columns, middle }
    }

    /// Returns the two remaining parts if the request is cut at a row.
    pub fn cut(&self, request: &CutRequest, row: usize) -> [Parts; 2] {
        let (a, b) = match request.rows.side {
            Side::A => (row, request.middle),
            Side::B => (request.middle, row),
        };
        let a = self.a.start + a;
        let b = self.b.start + b;
        [Parts { a: self.a.start..a, b: self.b.start..b }, Parts { a: a..self.a.end, b: b..self.b.end }]
    }
}

impl<S: Copy + Sync, R: Symbols<S>> Recursion<'_, S, R> {
    /// Computes the runs of an LCS of the whole strings, in order.
    pub fn solve(&self) -> Result<Vec<Run>> {
        self.solve_parts(vec![Parts { a: 0..self.a.len(), b: 0..self.b.len() }])
    }

    /// Computes the runs of some consecutive parts, in order.
    pub(super) fn solve_parts(&self, mut level: Vec<Parts>) -> Result<Vec<Run>> {
        // There can be millions of runs, so they are not copied while others wait.
        let done = Mutex::new(Ok(Vec::new()));
        let add = |found: Result<Vec<Run>>| {
            let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
            match (&mut *done, found) {
                (Ok(all), Ok(found)) => all.push(found),
                (Ok(_), Err(error)) => *done = Err(error),
                (Err(_), _) => {}
            }
        };
        // In place: this thread waits for the engine, while the pool's threads solve the small
        // parts.
        rayon::in_place_scope(|scope| {
            while !level.is_empty() {
                let mut runs = Vec::new();
                let rest: Vec<Parts> = level.into_iter().filter_map(|parts| self.trim(parts, &mut runs)).collect();
                add(Ok(runs));
                let cells: u64 = rest.iter().map(Parts::cells).filter(|&cells| cells > self.leaf_cells).sum();
                let (large, small): (Vec<Parts>, Vec<Parts>) = rest.into_iter().partition(|parts| {
                    let m = parts.a.len() as u64;
                    let n = parts.b.len() as u64;
                    parts.cells() > self.leaf_cells && (self.is_large)(m, n, cells)
                });
                for parts in small {
                    let add = &add;
                    scope.spawn(move |_| add(self.middle(&parts)));
                }
                let requests: Vec<CutRequest> = large.iter().map(Parts::request).collect();
                level = Vec::new();
                if !requests.is_empty() {
                    match self.engine.cuts(&requests) {
                        Ok(cuts) => {
                            let cut = large.iter().zip(&requests).zip(cuts);
                            level = cut.flat_map(|((parts, request), cut)| parts.cut(request, cut.row)).collect();
                        }
                        Err(error) => add(Err(error)),
                    }
                }
            }
        });
        Ok(in_order(done.into_inner().unwrap_or_else(PoisonError::into_inner)?))
    }

    /// Solves a subproblem on the CPU, with its halves one after the other or in parallel.
    fn part(&self, parts: Parts) -> Result<Vec<Run>> {
        let mut runs = Vec::new();
        if let Some(rest) = self.trim(parts, &mut runs) {
            runs.extend(self.middle(&rest)?);
        }
        Ok(runs)
    }

    /// Matches equal first and last symbols, and solves parts with at most one symbol left. Returns
    /// the rest, if any.
    pub(super) fn trim(&self, parts: Parts, runs: &mut Vec<Run>) -> Option<Parts> {
        let Parts { mut a, mut b } = parts;
        let run = |a_start: usize, b_start: usize, len: usize| Run {
            a_start: a_start as u64,
            b_start: b_start as u64,
            len: len as u64,
        };
        let texts = |a: &Range<usize>, b: &Range<usize>| (&self.a[a.clone()], &self.b[b.clone()]);

        let equal = |x: S, y: S| self.symbols.match_each_other(x, y);
        let (x, y) = texts(&a, &b);
        let prefix = x.iter().zip(y).take_while(|&(&x, &y)| equal(x, y)).count();
        if prefix > 0 {
            runs.push(run(a.start, b.start, prefix));
        }
        (a.start, b.start) = (a.start + prefix, b.start + prefix);
        let (x, y) = texts(&a, &b);
        let suffix = x.iter().rev().zip(y.iter().rev()).take_while(|&(&x, &y)| equal(x, y)).count();
        (a.end, b.end) = (a.end - suffix, b.end - suffix);
        if suffix > 0 {
            runs.push(run(a.end, b.end, suffix));
        }

        let (x, y) = texts(&a, &b);
        match (x, y) {
            ([], _) | (_, []) => None,
            ([only], _) => {
                runs.extend(y.iter().position(|&s| equal(*only, s)).map(|j| run(a.start, b.start + j, 1)));
                None
            }
            (_, [only]) => {
                runs.extend(x.iter().position(|&s| equal(s, *only)).map(|i| run(a.start + i, b.start, 1)));
                None
            }
            _ => Some(Parts { a, b }),
        }
    }

    /// Solves two parts of at least two symbols that differ in their first and in their last
    /// symbols.
    fn middle(&self, parts: &Parts) -> Result<Vec<Run>> {
        if parts.cells() <= self.leaf_cells {
            let x = &self.a[parts.a.clone()];
            let y = &self.b[parts.b.clone()];
            let a = parts.a.start as u64;
            let b = parts.b.start as u64;
            let shifted = |r: Run| Run { a_start: r.a_start + a, b_start: r.b_start + b, ..r };
            return Ok(self.symbols.leaf(x, y).into_iter().map(shifted).collect());
        }
        let request = parts.request();
        let cut = self.small.cuts(std::slice::from_ref(&request))?;
        let [first, second] = match cut[..] {
            [cut] => parts.cut(&request, cut.row),
            _ => return Err(Error::Verification(format!("{} cuts of one subproblem", cut.len()))),
        };
        let (first, second) = rayon::join(|| self.part(first), || self.part(second));
        let mut runs = first?;
        runs.extend(second?);
        Ok(runs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_that_overlap_are_put_in_order() {
        let run = |a_start| Run { a_start, b_start: a_start, len: 1 };
        let list = |starts: &[u64]| starts.iter().copied().map(run).collect::<Vec<Run>>();
        let lists = vec![list(&[]), list(&[50, 3, 90]), list(&[7]), list(&[0, 60, 61]), list(&[])];
        assert_eq!(in_order(lists), list(&[0, 3, 7, 50, 60, 61, 90]));
        assert_eq!(in_order(Vec::new()), []);
    }
}
