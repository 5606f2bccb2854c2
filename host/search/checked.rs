//! Ends within limits by kind, from those with at most k errors of any kind: an engine that knows k alone finds candidates, and at each of them
//! the limits are checked.
//!
//! Whatever is within the limits has at most k errors, so that no end is missed; the check of a candidate is the definition itself
//! ([`extent`](crate::infix::extent)), O(m) for mismatches alone and O(m a b) for up to a insertions and b deletions.

use super::ends::{FindEnds, TakeEnds};
use crate::device::Timings;
use crate::error::Result;
use crate::infix::End;
use crate::infix::allowed::Allowed;
use crate::infix::extent::Reader;
use crate::text::{Pattern, Text};
use rayon::prelude::*;

/// Candidates that a thread checks at a time.
const TOGETHER: usize = 1 << 8;

/// Symbols between candidates of a file from which on they are read apart.
const APART: u64 = 1 << 16;

/// Symbols of a file that are read at a time, about.
const PART: u64 = 64 << 20;

/// A pattern with limits.
pub(super) struct Check {
    backward: Reader,
    allowed: Allowed,
    /// Symbols of the longest occurrence.
    reach: u64,
}

impl Check {
    /// None where k alone is the limit.
    pub(super) fn of(pattern: &Pattern, allowed: Allowed) -> Option<Self> {
        let backward = Reader::backward(pattern).within(allowed);
        let reach = pattern.len() as u64 + u64::from(allowed.insertions);
        backward.is_limited().then_some(Self { backward, allowed, reach })
    }

    /// An end with the fewest errors of all that are within the limits, if there are any.
    fn end(&self, text: &[u8], candidate: End) -> Option<End> {
        let before = &text[..candidate.end as usize];
        let (errors, _) = self.backward.best(before, self.allowed.errors)?;
        Some(End { errors, ..candidate })
    }

    /// Keeps those ends that are within the limits, of a text in memory, by the threads of the current pool.
    pub(super) fn keep(&self, text: &[u8], ends: &mut Vec<End>) {
        if ends.len() <= TOGETHER {
            *ends = ends.iter().filter_map(|&end| self.end(text, end)).collect();
        } else {
            *ends = ends.par_iter().with_min_len(TOGETHER).filter_map(|&end| self.end(text, end)).collect();
        }
    }

    /// The same of any text.
    fn keep_in(&self, text: &Text<'_>, ends: &mut Vec<End>) -> Result<()> {
        if let Some(symbols) = text.in_memory() {
            self.keep(symbols, ends);
            return Ok(());
        }
        let mut kept = Vec::new();
        for near in ends.chunk_by(|a, b| b.end - a.end < APART && a.end / PART == b.end / PART) {
            let (Some(first), Some(last)) = (near.first(), near.last()) else { continue };
            let from = first.end.saturating_sub(self.reach);
            let part = text.part(from..last.end)?;
            let mut some: Vec<End> = near.iter().map(|end| End { end: end.end - from, ..*end }).collect();
            self.keep(&part, &mut some);
            kept.extend(some.into_iter().map(|end| End { end: end.end + from, ..end }));
        }
        *ends = kept;
        Ok(())
    }
}

/// An engine that knows k alone, with what it finds checked.
pub(super) struct CheckedEnds<'e> {
    engine: Box<dyn FindEnds + 'e>,
    /// For each pattern; none where k alone is the limit.
    checks: Vec<Option<Check>>,
}

impl<'e> CheckedEnds<'e> {
    /// With what is allowed of each pattern.
    pub(super) fn of<'c>(
        engine: Box<dyn FindEnds + 'e>,
        patterns: impl Iterator<Item = (&'c Pattern, Allowed)>,
    ) -> Box<dyn FindEnds + 'e> {
        let checks: Vec<_> = patterns.map(|(pattern, allowed)| Check::of(pattern, allowed)).collect();
        if checks.iter().any(Option::is_some) { Box::new(Self { engine, checks }) } else { engine }
    }
}

impl FindEnds for CheckedEnds<'_> {
    fn each(&mut self, text: &Text<'_>, take: TakeEnds<'_>) -> Result<()> {
        let Self { engine, checks } = self;
        engine.each(text, &mut |number, mut ends| {
            if let Some(check) = &checks[number] {
                check.keep_in(text, &mut ends)?;
            }
            take(number, ends)
        })
    }

    fn ran(&mut self) -> Vec<&'static str> {
        self.engine.ran()
    }

    fn timings(&mut self) -> Timings {
        self.engine.timings()
    }
}

/// Engines that have some of the patterns each.
pub(super) struct Shared<'e> {
    /// With the numbers of its patterns.
    engines: Vec<(Vec<usize>, Box<dyn FindEnds + 'e>)>,
}

impl<'e> Shared<'e> {
    /// Of engines with the numbers of their patterns.
    pub(super) fn of(mut engines: Vec<(Vec<usize>, Box<dyn FindEnds + 'e>)>) -> Box<dyn FindEnds + 'e> {
        match engines.pop() {
            Some((_, only)) if engines.is_empty() => only,
            last => {
                engines.extend(last);
                Box::new(Self { engines })
            }
        }
    }
}

impl FindEnds for Shared<'_> {
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
            let own = engine.timings();
            sum.kernels += own.kernels;
            sum.transfer += own.transfer;
            sum
        })
    }
}
