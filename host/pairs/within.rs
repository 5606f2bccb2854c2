//! The pairs of a list, or of two lists, that are near one another.

use super::comparison::{Pairs, Workload, longest};
use super::cost::ABOVE;
use super::cpu::pieces::{self, Candidates, Limits, Lists};
use super::kinds::AnyKinds;
use super::near::Near;
use super::nearest::locked;
use super::rows::Blocks;
use super::strings::{PairString, Symbols, symbols_of};
use super::thresholds::Matrix;
use crate::error::{Result, UsageFault};
use crate::memory;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

impl Pairs<'_> {
    /// Returns the pairs of a list's strings whose distance is at most the
    /// [`maximum`](Self::maximum), or whose similarity is at least the
    /// [`similarity`](Self::similarity), each once, with a before b, in the order of a and then of
    /// b.
    ///
    /// If strings are long compared with the maximum, the CPU compares only pairs that have a piece
    /// in common.
    ///
    /// ```
    /// use carrywave::pairs::Pairs;
    ///
    /// let near = Pairs::new().maximum(1).within(&["wave", "carry", "waves", "ware"])?;
    /// let found: Vec<_> = near.iter().map(|near| (near.a, near.b, near.distance)).collect();
    /// assert_eq!(found, [(0, 2, 1), (0, 3, 1)]);
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`listed`](Self::listed), and [`Usage`](crate::Error::Usage) with
    /// [`Empty`](UsageFault::Empty) without a maximum and a similarity.
    pub fn within<A: PairString>(&self, list: &[A]) -> Result<Vec<Near>> {
        let mut all = Vec::new();
        self.each_within(list, |near| collect(&mut all, near))?;
        Ok(all)
    }

    /// Like [`within`](Self::within), as in its [example](Self::within), for one part of the list
    /// after the other: calls `each` with the pairs of some strings a, in order.
    ///
    /// # Errors
    /// Errors of [`within`](Self::within), and errors of `each`, which end the job.
    pub fn each_within<A: PairString>(
        &self,
        list: &[A],
        mut each: impl FnMut(&[Near]) -> Result<()> + Send,
    ) -> Result<()> {
        let list = symbols_of(list)?;
        self.near_pairs(Lists { rows: &list, columns: &list, is_half: true }, &mut each)
    }

    /// Returns the pairs of a string of `a` and a string of `b` within the bounds of the job, as by
    /// [`within`](Self::within), in the order of `a` and then of `b`: a string similarity join.
    ///
    /// If strings are long compared with the maximum, the CPU compares only pairs that have a piece
    /// in common. It prepares the list `b`, so the longer list should be `b`.
    ///
    /// ```
    /// use carrywave::pairs::Pairs;
    ///
    /// let near = Pairs::new().maximum(1).join(&["wave", "carry"], &["curry", "waves", "ware"])?;
    /// let found: Vec<_> = near.iter().map(|near| (near.a, near.b, near.distance)).collect();
    /// assert_eq!(found, [(0, 1, 1), (0, 2, 1), (1, 0, 1)]);
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`within`](Self::within).
    pub fn join<A: PairString, B: PairString>(&self, a: &[A], b: &[B]) -> Result<Vec<Near>> {
        let mut all = Vec::new();
        self.each_join(a, b, |near| collect(&mut all, near))?;
        Ok(all)
    }

    /// Like [`join`](Self::join), as in its [example](Self::join), for one part of `a` after the
    /// other: calls `each` with the pairs of some strings of `a`, in order.
    ///
    /// # Errors
    /// Errors of [`within`](Self::within), and errors of `each`, which end the job.
    pub fn each_join<A: PairString, B: PairString>(
        &self,
        a: &[A],
        b: &[B],
        mut each: impl FnMut(&[Near]) -> Result<()> + Send,
    ) -> Result<()> {
        let (a, b) = (symbols_of(a)?, symbols_of(b)?);
        self.near_pairs(Lists { rows: &a, columns: &b, is_half: false }, &mut each)
    }

    fn near_pairs(&self, lists: Lists<'_>, each: &mut (dyn FnMut(&[Near]) -> Result<()> + Send)) -> Result<()> {
        let Lists { rows, columns, is_half } = lists;
        let longest_row = longest(rows);
        let job = self.limited([longest_row, longest(columns)])?;
        if job.maximum.is_none() {
            let reason = "near pairs need a bound; set one, such as `maximum(3)` or `similarity(0.9)`";
            return Err(UsageFault::Empty.error(reason));
        }
        let limits = Limits::new(job.cost, job.limit(), longest_row);
        let pieces_pay = job.algorithm.is_auto() && pieces::pays(&lists, limits);
        let is_named = job.algorithm.name() == pieces::ALGORITHM.about.name;
        let matrix = Matrix { a: rows, b: columns, is_half, maximum: job.maximum };
        let workload = if pieces_pay { Workload::OnCpu } else { Workload::Matrix(matrix) };
        job.on_engine(workload, |engine| {
            let candidates = match (is_named, pieces_pay && engine.engine.takes_candidates()) {
                (true, _) => Some(Candidates::new(lists, limits)?.unlimited()),
                (false, true) => Some(Candidates::new(lists, limits)?),
                (false, false) => None,
            };
            let mut way = if candidates.is_some() { Way::Candidates } else { Way::All };
            let mut blocks = Blocks::new(rows.len(), columns.len());
            while let Some(block) = blocks.next() {
                let (first, count) = (block.start, block.len());
                let pairs = count as f64 * lists.columns_of(first).len() as f64;
                let started = Instant::now();
                let found = match &candidates {
                    Some(some) if way.takes_candidates() => near_candidates(engine, &lists, some, first, count)?,
                    _ => None,
                };
                let (near, compared) = match found {
                    Some(found) => (found.near, Some(found.compared)),
                    None => (near_of_all(engine, &lists, first, count)?, None),
                };
                let cost = started.elapsed().as_secs_f64() / pairs;
                if !is_named {
                    way = way.next(compared.map(|compared| compared as f64 / pairs), cost);
                }
                blocks.adapt(count, near.len());
                each(&near)?;
            }
            Ok(())
        })
    }
}

/// Number of distances that are searched at once for a near pair.
const PART: usize = 64;

/// Share of the pairs that are candidates above which comparing all pairs may be faster.
const DOUBTFUL: f64 = 1.0 / 64.0;

/// The way to compare the next block of rows.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Way {
    /// Candidates only, while few pairs are candidates.
    Candidates,
    /// All pairs, once, to find out whether they cost less than candidates did, in seconds a pair.
    TestAll(f64),
    /// Candidates only: they are many, but they were faster.
    ManyCandidates,
    /// All pairs.
    All,
}

impl Way {
    fn takes_candidates(self) -> bool {
        matches!(self, Self::Candidates | Self::ManyCandidates)
    }

    /// Returns the way after a block, given the share of its pairs that were candidates, or `None`
    /// if all were compared, and its cost in seconds a pair.
    fn next(self, candidates: Option<f64>, cost: f64) -> Self {
        match (self, candidates) {
            (Self::Candidates, Some(share)) if share > DOUBTFUL => Self::TestAll(cost),
            (Self::TestAll(of_candidates), None) if of_candidates <= cost => Self::ManyCandidates,
            (way, Some(_)) => way,
            (_, None) => Self::All,
        }
    }
}

/// The near pairs among some candidates.
struct Found {
    near: Vec<Near>,
    /// Number of candidates.
    compared: usize,
}

/// Finds the near pairs of `count` rows from `first` on; `None` if comparing all pairs is faster.
fn near_candidates(
    engine: &AnyKinds<'_>,
    lists: &Lists<'_>,
    candidates: &Candidates<'_>,
    first: usize,
    count: usize,
) -> Result<Option<Found>> {
    let Some(candidates) = candidates.pairs(first, count, engine.progress)? else { return Ok(None) };
    engine.used.on_cpu(&pieces::ALGORITHM.about);
    let pairs: Vec<[Symbols<'_>; 2]> =
        candidates.iter().map(|pair| [lists.rows[pair.a], lists.columns[pair.b]]).collect();
    let distances = engine.listed(&pairs)?;
    let symbols = |list: &[Symbols<'_>]| list.iter().map(|string| string.len() as u64).sum::<u64>();
    let listed: u64 = pairs.iter().map(|[a, b]| (a.len() as u64).saturating_mul(b.len() as u64)).sum();
    let all = symbols(&lists.rows[first..first + count]).saturating_mul(symbols(lists.columns));
    let all = if lists.is_half { all / 2 } else { all };
    (engine.progress)(all.saturating_sub(listed));
    let compared = pairs.len();
    let near = candidates.into_iter().zip(distances).filter(|&(_, distance)| distance != ABOVE);
    let near = near.map(|(pair, distance)| Near { a: pair.a, b: pair.b, distance });
    let near = near.filter(|near| is_similar(engine, lists, near)).collect();
    Ok(Some(Found { near, compared }))
}

/// Computes the near pairs of `count` rows from `first` on, by comparing all pairs.
fn near_of_all(engine: &AnyKinds<'_>, lists: &Lists<'_>, first: usize, count: usize) -> Result<Vec<Near>> {
    let is_half = lists.is_half;
    let first_column = if is_half { first } else { 0 };
    let maximum = engine.limit.maximum.unwrap_or(ABOVE).min(ABOVE - 1);
    let found = Mutex::new(Ok(Vec::new()));
    engine.tile(&lists.rows[first..first + count], lists.columns_of(first), &|row, columns, distances| {
        let mut near = Vec::new();
        for (columns, distances) in columns.chunks(PART).zip(distances.chunks(PART)) {
            // The least distance of a part takes a few vector instructions, and most parts have no
            // near pair.
            if distances.iter().fold(ABOVE, |least, &distance| least.min(distance)) <= maximum {
                let is_near = |&(&b, &distance): &(&usize, &u32)| distance <= maximum && (b > row || !is_half);
                let pairs = columns.iter().zip(distances).filter(is_near);
                let pairs = pairs.map(|(b, &distance)| Near { a: first + row, b: first_column + b, distance });
                near.extend(pairs.filter(|near| is_similar(engine, lists, near)));
            }
        }
        if !near.is_empty() {
            append(&mut locked(&found), &near);
        }
    })?;
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner)?;
    found.sort_unstable();
    Ok(found)
}

/// Returns true if a pair is within the least similarity.
fn is_similar(engine: &AnyKinds<'_>, lists: &Lists<'_>, &Near { a, b, distance }: &Near) -> bool {
    engine.takes(distance, || [lists.rows[a].len(), lists.columns[b].len()])
}

/// Adds pairs.
fn collect(all: &mut Vec<Near>, near: &[Near]) -> Result<()> {
    memory::reserve(all, near.len(), "the pairs that are near")?;
    all.extend_from_slice(near);
    Ok(())
}

/// Adds pairs, or stores an error if there is no memory for them.
fn append(all: &mut Result<Vec<Near>>, near: &[Near]) {
    if let Ok(found) = all
        && let Err(error) = collect(found, near)
    {
        *all = Err(error);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_faster_way_stays() {
        let few = Some(0.001);
        let many = Some(0.1);
        assert_eq!(Way::Candidates.next(few, 1.0), Way::Candidates);
        assert_eq!(Way::Candidates.next(None, 1.0), Way::All);
        let test = Way::Candidates.next(many, 2.0);
        assert_eq!(test, Way::TestAll(2.0));
        assert_eq!(test.next(None, 3.0), Way::ManyCandidates);
        assert_eq!(test.next(None, 1.0), Way::All);
        assert_eq!(Way::ManyCandidates.next(many, 9.0), Way::ManyCandidates);
        assert_eq!(Way::ManyCandidates.next(None, 9.0), Way::All);
        assert_eq!(Way::All.next(None, 1.0), Way::All);
    }
}
