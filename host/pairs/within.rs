//! The pairs of a list that are near one another.

use super::comparison::{Pairs, Workload};
use super::cost::ABOVE;
use super::cpu::pieces::{self, Candidates};
use super::kinds::AnyKinds;
use super::near::Near;
use super::nearest::locked;
use super::rows::Blocks;
use super::strings::{PairString, Symbols, symbols_of};
use super::thresholds::Matrix;
use crate::error::{Result, UsageFault};
use crate::memory;
use std::sync::{Mutex, PoisonError};

impl Pairs<'_> {
    /// Returns the pairs of a list's strings whose distance is at most the
    /// [`maximum`](Self::maximum), each once, with a before b, in the order of a and then of b.
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
    /// [`Empty`](UsageFault::Empty) without a maximum.
    pub fn within<A: PairString>(&self, list: &[A]) -> Result<Vec<Near>> {
        let mut all = Vec::new();
        self.each_within(list, |near| {
            memory::reserve(&mut all, near.len(), "the pairs that are near")?;
            all.extend_from_slice(near);
            Ok(())
        })?;
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
        let Some(maximum) = self.maximum else {
            let reason = "near pairs need a maximum distance; set one, such as `maximum(3)`";
            return Err(UsageFault::Empty.error(reason));
        };
        let list = symbols_of(list)?;
        let pieces_pay = self.algorithm.is_auto() && pieces::pays(&list, maximum);
        let is_named = self.algorithm.name() == pieces::ALGORITHM.about.name;
        let matrix = Matrix { a: &list, b: &list, is_half: true, maximum: self.maximum };
        let workload = if pieces_pay { Workload::OnCpu } else { Workload::Matrix(matrix) };
        self.on_engine(workload, |engine| {
            let mut candidates = match (is_named, pieces_pay && engine.engine.takes_candidates()) {
                (true, _) => Some(Candidates::new(&list, maximum)?.unlimited()),
                (false, true) => Some(Candidates::new(&list, maximum)?),
                (false, false) => None,
            };
            let mut blocks = Blocks::new(list.len(), list.len());
            while let Some(block) = blocks.next() {
                let first = block.start;
                let count = block.len();
                let near = match &candidates {
                    Some(some) => near_candidates(engine, &list, some, first, count)?,
                    None => None,
                };
                let near = match near {
                    Some(near) => near,
                    None => {
                        candidates = None;
                        near_of_all(engine, &list, first, count)?
                    }
                };
                blocks.adapt(count, near.len());
                each(&near)?;
            }
            Ok(())
        })
    }
}

/// Finds the near pairs of `count` strings from `first` on and the strings after each; `None` if
/// comparing all pairs is faster.
fn near_candidates(
    engine: &AnyKinds<'_>,
    list: &[Symbols<'_>],
    candidates: &Candidates<'_>,
    first: usize,
    count: usize,
) -> Result<Option<Vec<Near>>> {
    let Some(candidates) = candidates.pairs(first, count)? else { return Ok(None) };
    engine.used.on_cpu(&pieces::ALGORITHM.about);
    let pairs: Vec<[Symbols<'_>; 2]> = candidates.iter().map(|pair| [list[pair.a], list[pair.b]]).collect();
    let distances = engine.listed(&pairs)?;
    let symbols = |list: &[Symbols<'_>]| list.iter().map(|string| string.len() as u64).sum::<u64>();
    let listed: u64 = pairs.iter().map(|[a, b]| (a.len() as u64).saturating_mul(b.len() as u64)).sum();
    let all = symbols(&list[first..first + count]).saturating_mul(symbols(list)) / 2;
    (engine.progress)(all.saturating_sub(listed));
    let near = candidates.into_iter().zip(distances).filter(|&(_, distance)| distance != ABOVE);
    Ok(Some(near.map(|(pair, distance)| Near { a: pair.a, b: pair.b, distance }).collect()))
}

/// Computes the near pairs of `count` strings from `first` on and the strings after each, by
/// comparing all of them.
fn near_of_all(engine: &AnyKinds<'_>, list: &[Symbols<'_>], first: usize, count: usize) -> Result<Vec<Near>> {
    let maximum = engine.maximum.unwrap_or(ABOVE);
    let found = Mutex::new(Ok(Vec::new()));
    engine.tile(&list[first..first + count], &list[first..], &|row, columns, distances| {
        let near = columns.iter().zip(distances).filter(|&(&b, &d)| b > row && d <= maximum && d != ABOVE);
        let near: Vec<Near> = near.map(|(b, &distance)| Near { a: first + row, b: first + b, distance }).collect();
        if !near.is_empty() {
            append(&mut locked(&found), near);
        }
    })?;
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner)?;
    found.sort_unstable();
    Ok(found)
}

/// Adds pairs, or stores an error if there is no memory for them.
fn append(all: &mut Result<Vec<Near>>, near: Vec<Near>) {
    if let Ok(found) = all {
        match memory::reserve(found, near.len(), "the pairs that are near") {
            Ok(()) => found.extend(near),
            Err(error) => *all = Err(error),
        }
    }
}
