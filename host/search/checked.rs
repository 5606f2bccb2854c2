//! Limits on insertions, deletions and substitutions, on top of an engine that knows k alone: the
//! engine finds candidates with at most k errors of any kind, and each candidate is checked against
//! the limits.
//!
//! Every occurrence within the limits has at most k errors, so no end is missed. A candidate is
//! checked by the definition itself ([`extent`](crate::infix::extent)), in O(m) for substitutions
//! alone and O(m a b) for up to a insertions and b deletions.

use super::ends::{FindEnds, TakeEnds};
use crate::device::Timings;
use crate::error::Result;
use crate::infix::End;
use crate::infix::allowed::Allowed;
use crate::infix::extent::Reader;
use crate::job::Progress;
use crate::text::{Pattern, Text};
use rayon::prelude::*;

/// Least number of candidates that a thread checks at a time.
const TOGETHER: usize = 1 << 8;

/// Largest number of candidates that wait for their check, about.
const WAITING: usize = 1 << 15;

/// Least gap between candidates of a file, in symbols, at which they are read separately.
const APART: u64 = 1 << 16;

/// Number of symbols of a file that are read at a time, approximately.
const PART: u64 = 64 << 20;

/// A pattern with limits.
pub(super) struct Check {
    backward: Reader,
    allowed: Allowed,
    /// Length of the longest occurrence, in symbols.
    reach: u64,
}

impl Check {
    /// Returns the check of a pattern; `None` if k is the only limit.
    pub(super) fn for_pattern(pattern: &Pattern, allowed: Allowed) -> Option<Self> {
        let backward = Reader::backward(pattern).within(allowed);
        let reach = pattern.len() as u64 + u64::from(allowed.insertions);
        backward.is_limited().then_some(Self { backward, allowed, reach })
    }

    /// Returns the candidate with the fewest errors of all occurrences that end there and are
    /// within the limits, or `None` if there is none.
    fn end(&self, text: &[u8], candidate: End) -> Option<End> {
        let before = &text[..candidate.end as usize];
        let (errors, _) = self.backward.best(before, self.allowed.errors)?;
        Some(End { errors, ..candidate })
    }

    /// Keeps the ends within the limits, for a text in memory. Runs on the threads of the current
    /// pool, and calls `progress` with 0 for each end, so that the caller can end the job.
    pub(super) fn keep(&self, text: &[u8], ends: &mut Vec<End>, progress: Progress<'_>) {
        let kept = |&end: &End| {
            progress(0);
            self.end(text, end)
        };
        *ends = if ends.len() <= TOGETHER {
            ends.iter().filter_map(kept).collect()
        } else {
            ends.par_iter().with_min_len(TOGETHER).filter_map(kept).collect()
        };
    }

    /// Keeps the ends within the limits, for a text in memory or in a file.
    fn keep_in(&self, text: &Text<'_>, ends: &mut Vec<End>, progress: Progress<'_>) -> Result<()> {
        if let Some(symbols) = text.in_memory() {
            self.keep(symbols, ends, progress);
            return Ok(());
        }
        let mut kept = Vec::new();
        for near in ends.chunk_by(|a, b| b.end - a.end < APART && a.end / PART == b.end / PART) {
            let (Some(first), Some(last)) = (near.first(), near.last()) else { continue };
            let from = first.end.saturating_sub(self.reach);
            let part = text.part(from..last.end)?;
            let mut some: Vec<End> = near.iter().map(|end| End { end: end.end - from, ..*end }).collect();
            self.keep(&part, &mut some, progress);
            kept.extend(some.into_iter().map(|end| End { end: end.end + from, ..end }));
        }
        *ends = kept;
        Ok(())
    }
}

/// An engine that knows k alone, and the checks of what it finds.
pub(super) struct CheckedEnds<'e> {
    engine: Box<dyn FindEnds + 'e>,
    /// One entry per pattern; `None` if k is the only limit.
    checks: Vec<Option<Check>>,
    progress: Progress<'e>,
}

impl<'e> CheckedEnds<'e> {
    /// Wraps an engine, given its patterns and their limits. Returns the engine itself if k is the
    /// only limit of every pattern.
    pub(super) fn wrap<'c>(
        engine: Box<dyn FindEnds + 'e>,
        patterns: impl Iterator<Item = (&'c Pattern, Allowed)>,
        progress: Progress<'e>,
    ) -> Box<dyn FindEnds + 'e> {
        let checks: Vec<_> = patterns.map(|(pattern, allowed)| Check::for_pattern(pattern, allowed)).collect();
        if checks.iter().any(Option::is_some) { Box::new(Self { engine, checks, progress }) } else { engine }
    }
}

/// Candidates that wait for their check, so that the threads share those of many patterns.
struct Waiting {
    /// The numbers of patterns, each with some of its candidates.
    all: Vec<(usize, Vec<End>)>,
    /// Number of candidates, plus one for each entry of `all`.
    size: usize,
    /// The size at which they are checked. It doubles each time, so that the first results of a
    /// search come early.
    most: usize,
}

impl Waiting {
    fn add(&mut self, number: usize, ends: Vec<End>) {
        self.size += 1 + ends.len();
        self.all.push((number, ends));
    }

    /// Checks the candidates, and passes those within the limits to `take`, in the order of
    /// [`add`](Self::add).
    fn check(
        &mut self,
        checks: &[Option<Check>],
        text: &Text<'_>,
        progress: Progress<'_>,
        take: TakeEnds<'_>,
    ) -> Result<()> {
        let keep = |(number, ends): &mut (usize, Vec<End>)| match &checks[*number] {
            Some(check) => check.keep_in(text, ends, progress),
            None => Ok(()),
        };
        self.all.par_iter_mut().try_for_each(keep)?;
        self.size = 0;
        self.most = WAITING.min(2 * self.most);
        self.all.drain(..).try_for_each(|(number, ends)| take(number, ends))
    }
}

impl FindEnds for CheckedEnds<'_> {
    fn each(&mut self, text: &Text<'_>, take: TakeEnds<'_>) -> Result<()> {
        let Self { engine, checks, progress } = self;
        let progress = *progress;
        let mut waiting = Waiting { all: Vec::new(), size: 0, most: 1 };
        engine.each(text, &mut |number, ends| {
            waiting.add(number, ends);
            if waiting.size < waiting.most { Ok(()) } else { waiting.check(checks, text, progress, take) }
        })?;
        waiting.check(checks, text, progress, take)
    }

    fn ran(&mut self) -> Vec<&'static str> {
        self.engine.ran()
    }

    fn timings(&mut self) -> Timings {
        self.engine.timings()
    }
}

/// Several engines that share the patterns.
pub(super) struct JoinedEngines<'e> {
    /// Each engine with the numbers of its patterns.
    engines: Vec<(Vec<usize>, Box<dyn FindEnds + 'e>)>,
}

impl<'e> JoinedEngines<'e> {
    /// Joins engines, given the numbers of their patterns.
    pub(super) fn join(mut engines: Vec<(Vec<usize>, Box<dyn FindEnds + 'e>)>) -> Box<dyn FindEnds + 'e> {
        let in_order = |numbers: &[usize]| numbers.iter().enumerate().all(|(index, &number)| index == number);
        match engines.pop() {
            Some((numbers, only)) if engines.is_empty() && in_order(&numbers) => only,
            last => {
                engines.extend(last);
                Box::new(Self { engines })
            }
        }
    }
}

impl FindEnds for JoinedEngines<'_> {
    fn each(&mut self, text: &Text<'_>, take: TakeEnds<'_>) -> Result<()> {
        self.engines
            .iter_mut()
            .try_for_each(|(numbers, engine)| engine.each(text, &mut |number, ends| take(numbers[number], ends)))
    }

    fn each_beyond(&mut self, text: &[u8], halo: u64, take: TakeEnds<'_>) -> Result<()> {
        self.engines.iter_mut().try_for_each(|(numbers, engine)| {
            engine.each_beyond(text, halo, &mut |number, ends| take(numbers[number], ends))
        })
    }

    fn count(&mut self, text: &Text<'_>) -> Result<u64> {
        self.engines.iter_mut().try_fold(0, |sum, (_, engine)| Ok(sum + engine.count(text)?))
    }

    fn ran(&mut self) -> Vec<&'static str> {
        self.engines.iter_mut().flat_map(|(_, engine)| engine.ran()).collect()
    }

    fn timings(&mut self) -> Timings {
        self.engines.iter_mut().fold(Timings::default(), |mut sum, (_, engine)| {
            sum += engine.timings();
            sum
        })
    }
}
