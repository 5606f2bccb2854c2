//! The CPU engine of a search: patterns with their algorithms, and texts in parts.

use super::ALGORITHMS;
use super::pieces::{InPieces, Share};
use super::query::Query;
use super::row::{CpuAlgorithm, Group, Offer, Rows, Takes, fastest};
use crate::algorithm::{About, Limits};
use crate::device::EngineKind;
use crate::error::Result;
use crate::infix::End;
use crate::infix::allowed::Allowed;
use crate::job::Progress;
use crate::memory::{self, BlockSize};
use crate::search::algorithm::Algorithm;
use crate::search::checked::Check;
use crate::search::ends::{FindEnds, TakeEnds};
use crate::text::{Pattern, Text};
use rayon::prelude::*;
use std::ops::RangeInclusive;

/// Largest number of symbols of a file in memory at a time, unless patterns are long.
const PART: usize = 32 << 20;
/// Lengths of texts, in symbols, that are searched for several patterns side by side. Shorter texts
/// are searched in less time than threads take to wake. In longer texts, the ends of several
/// patterns might take much memory.
const SIDE_BY_SIDE: RangeInclusive<usize> = 1 << 16..=PART;
/// Sizes of the first part and of the smallest one, in symbols, and the targeted number of ends per
/// part.
const FIRST_PART: usize = 1 << 20;
const SMALLEST_PART: usize = 1 << 18;
const PART_ENDS: usize = 1 << 20;
/// Least length of a part as a multiple of the context before it, so that little is searched twice.
const HALOS: u64 = 8;

/// The CPU engine, with its patterns.
pub struct CpuEnds<'p> {
    groups: Vec<Chosen>,
    /// For each pattern the check of its ends; `None` if k is the only limit, or if the algorithm
    /// itself keeps to the limits.
    checks: Vec<Option<Check>>,
    /// m + k of the longest pattern.
    context: u64,
    part: usize,
    progress: Progress<'p>,
}

/// Patterns that are searched for together, and their algorithm.
struct Chosen {
    about: &'static About,
    group: Group,
}

impl<'p> CpuEnds<'p> {
    /// Prepares patterns with at most k errors, each of more than k symbols.
    ///
    /// # Errors
    /// [`Unsupported`](crate::Error::Unsupported) for an algorithm that the CPU does not have, or
    /// that does not take one of the patterns.
    pub fn new(patterns: Vec<Pattern>, k: u32, algorithm: Algorithm, progress: Progress<'p>) -> Result<Self> {
        let patterns = patterns.into_iter().map(|pattern| (pattern, Allowed::any(k))).collect();
        Self::within(patterns, algorithm, progress)
    }

    /// Prepares patterns with limits by kind, and one k for all patterns.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn within(wanted: Vec<(Pattern, Allowed)>, algorithm: Algorithm, progress: Progress<'p>) -> Result<Self> {
        if algorithm.is_auto() {
            return Self::with(wanted, progress, |queries| chosen(queries, ALGORITHMS));
        }
        let row = ALGORITHMS.iter().find(|row| row.about.name == algorithm.name());
        let row = row.ok_or_else(|| algorithm.missing_on(EngineKind::Cpu))?;
        Self::by(row, wanted, progress)
    }

    /// Prepares patterns with limits by kind, for the algorithm of a row.
    ///
    /// # Errors
    /// [`Unsupported`](crate::Error::Unsupported) if the algorithm does not take one of the
    /// patterns.
    pub fn by(row: &'static CpuAlgorithm, wanted: Vec<(Pattern, Allowed)>, progress: Progress<'p>) -> Result<Self> {
        Self::with(wanted, progress, |queries| {
            queries.iter().try_for_each(|query| row.refuse(query))?;
            Ok(named(queries, row))
        })
    }

    fn with(
        wanted: Vec<(Pattern, Allowed)>,
        progress: Progress<'p>,
        choose: impl FnOnce(Vec<Query>) -> Result<Vec<Chosen>>,
    ) -> Result<Self> {
        let k = wanted.iter().map(|(_, allowed)| allowed.edits()).max().unwrap_or(0);
        let longest = wanted.iter().map(|(pattern, _)| pattern.len()).max().unwrap_or(0);
        let mut checks: Vec<Option<Check>> =
            wanted.iter().map(|(pattern, allowed)| Check::for_pattern(pattern, *allowed)).collect();
        let groups = choose(wanted.into_iter().map(|(pattern, allowed)| Query::within(pattern, allowed)).collect())?;
        let finds_gaps = |limits: &Limits| limits.gaps || limits.gaps_if_fixed;
        for own in groups.iter().filter(|own| !finds_gaps(&own.about.limits)) {
            // The algorithm itself keeps to the limits.
            own.group.numbers.iter().for_each(|&number| checks[number] = None);
        }
        Ok(Self { groups, checks, context: longest as u64 + u64::from(k), part: PART, progress })
    }

    /// Finds the ends beyond the first `halo` symbols of a text in memory, and adds `from` to the
    /// positions that `take` gets.
    fn beyond(&self, text: &[u8], halo: u64, from: u64, take: TakeEnds<'_>) -> Result<()> {
        let own = text.len() as u64 - halo;
        let find = |Chosen { group: Group { numbers, finder }, .. }: &Chosen| -> Result<Vec<Vec<End>>> {
            let progress = |symbols| (self.progress)(symbols * numbers.len() as u64);
            let share = Share::new(halo, own, &progress);
            let mut found = finder.ends(text, &|symbols| share.add(symbols))?;
            share.finish();
            numbers.par_iter().zip(&mut found).filter(|(_, ends)| !ends.is_empty()).for_each(|(&number, ends)| {
                if halo > 0 {
                    // Ends in the halo belong to the part before.
                    ends.retain(|found| found.end > halo);
                }
                if let Some(check) = &self.checks[number] {
                    check.keep(text, ends, self.progress);
                }
                if from > 0 {
                    ends.iter_mut().for_each(|found| found.end += from);
                }
            });
            Ok(found)
        };
        // One pattern keeps all threads busy in a long text, but not in a part.
        let together = if SIDE_BY_SIDE.contains(&text.len()) { rayon::current_num_threads() } else { 1 };
        for groups in self.groups.chunks(together) {
            let found: Vec<Vec<Vec<End>>> = match groups {
                [only] => vec![find(only)?],
                _ => groups.par_iter().map(find).collect::<Result<_>>()?,
            };
            for (Chosen { group, .. }, found) in groups.iter().zip(found) {
                for (&number, ends) in group.numbers.iter().zip(found) {
                    if !ends.is_empty() || group.numbers.len() == 1 {
                        take(number, ends)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Searches a text in parts, each with the m + k symbols before it.
    fn each_part(&self, text: &Text<'_>, take: TakeEnds<'_>) -> Result<()> {
        let least = HALOS * self.context;
        let mut part = BlockSize::new(self.part.min(FIRST_PART), self.part.min(SMALLEST_PART)..=self.part, PART_ENDS);
        let mut symbols = Vec::new();
        let mut first = 0;
        while first < text.len() {
            let from = first.saturating_sub(self.context);
            let end = first.saturating_add((part.get() as u64).max(least)).min(text.len());
            let len = (end - from) as usize;
            let more = len.saturating_sub(symbols.len());
            memory::reserve(&mut symbols, more, "a part of the text")?;
            symbols.resize(len, 0);
            text.read(from, &mut symbols)?;
            let mut found = 0;
            self.beyond(&symbols, first - from, from, &mut |number, ends: Vec<End>| {
                found += ends.len();
                take(number, ends)
            })?;
            part.adapt((end - first) as usize, found);
            first = end;
        }
        Ok(())
    }
}

impl FindEnds for CpuEnds<'_> {
    fn each(&mut self, text: &Text<'_>, take: TakeEnds<'_>) -> Result<()> {
        match text.in_memory() {
            Some(text) => self.beyond(text, 0, 0, take),
            None => self.each_part(text, take),
        }
    }

    fn each_beyond(&mut self, text: &[u8], halo: u64, take: TakeEnds<'_>) -> Result<()> {
        self.beyond(text, halo, 0, take)
    }

    fn count(&mut self, text: &Text<'_>) -> Result<u64> {
        if let Some(symbols) = text.in_memory()
            && self.checks.iter().all(Option::is_none)
            && self.groups.iter().all(|own| own.group.finder.counts())
        {
            let each = self.groups.iter().filter_map(|own| own.group.finder.count(symbols, self.progress));
            return Ok(each.sum());
        }
        let mut count = 0;
        self.each(text, &mut |_, ends| {
            count += ends.len() as u64;
            Ok(())
        })?;
        Ok(count)
    }

    fn ran(&mut self) -> Vec<&'static str> {
        let names = |own: &Chosen| std::iter::once(own.about.name).chain(own.group.finder.fallbacks_used());
        self.groups.iter().flat_map(names).collect()
    }
}

/// Chooses the algorithms that should be fastest: first those that take many patterns together,
/// then one for each remaining pattern.
fn chosen(queries: Vec<Query>, rows: Rows) -> Result<Vec<Chosen>> {
    let mut left: Vec<usize> = (0..queries.len()).collect();
    let mut groups = Vec::new();
    for row in rows {
        let Takes::Many { prepare } = row.takes else { continue };
        let offer = Offer { queries: &queries, left: &left, is_named: false, rows };
        let own = prepare(&offer);
        let mut taken: Vec<usize> = own.iter().flat_map(|group| group.numbers.iter().copied()).collect();
        taken.sort_unstable();
        left.retain(|number| taken.binary_search(number).is_err());
        groups.extend(own.into_iter().map(|group| Chosen { about: &row.about, group }));
    }
    let mut left = left.into_iter().peekable();
    let queries = queries.into_iter().enumerate().filter(|(number, _)| left.next_if_eq(number).is_some());
    for (number, query) in queries {
        let row = fastest(rows.iter(), &query).ok_or_else(|| Algorithm::AUTO.missing_on(EngineKind::Cpu))?;
        groups.extend(alone(number, query, row, rows));
    }
    Ok(groups)
}

/// Prepares all patterns for the algorithm of a row, which must take them.
fn named(queries: Vec<Query>, row: &'static CpuAlgorithm) -> Vec<Chosen> {
    match row.takes {
        Takes::One { .. } => {
            let queries = queries.into_iter().enumerate();
            queries.filter_map(|(number, query)| alone(number, query, row, ALGORITHMS)).collect()
        }
        Takes::Many { prepare } => {
            let left: Vec<usize> = (0..queries.len()).collect();
            let offer = Offer { queries: &queries, left: &left, is_named: true, rows: ALGORITHMS };
            prepare(&offer).into_iter().map(|group| Chosen { about: &row.about, group }).collect()
        }
        Takes::WholeRecords { .. } => Vec::new(),
    }
}

/// Prepares a single pattern for an algorithm that takes one at a time.
fn alone(number: usize, query: Query, row: &'static CpuAlgorithm, rows: Rows) -> Option<Chosen> {
    let Takes::One { prepare, .. } = row.takes else { return None };
    let finder = InPieces { m: query.len(), k: query.k, finder: prepare(query, rows) };
    Some(Chosen { about: &row.about, group: Group { numbers: vec![number], finder: Box::new(finder) } })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infix::sellers;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// Returns all ends of each pattern, searched in parts of the smallest size, and the number of
    /// symbols that progress reports.
    fn in_parts(symbols: &[u8], patterns: &[Pattern], k: u32) -> (Vec<Vec<End>>, u64) {
        let done = AtomicU64::new(0);
        let progress = |symbols| {
            done.fetch_add(symbols, Ordering::Relaxed);
        };
        let engine = CpuEnds::new(patterns.to_vec(), k, Algorithm::AUTO, &progress).unwrap();
        let mut found = vec![Vec::new(); patterns.len()];
        let mut take = |number: usize, ends| -> Result<()> {
            found[number].extend::<Vec<End>>(ends);
            Ok(())
        };
        CpuEnds { part: 1, ..engine }.each_part(&Text::from(symbols), &mut take).unwrap();
        (found, done.into_inner())
    }

    #[test]
    fn parts_of_a_text_give_what_the_whole_gives() {
        let mut random = fastrand::Rng::with_seed(6);
        // The last pattern is searched for by `seeds`.
        for (m, k, sigma) in [(1, 0, 2), (7, 0, 2), (9, 2, 2), (20, 5, 2), (70, 3, 2), (100, 5, 4)] {
            for n in [0, 1, m * 8, (m + k as usize) * 8, (m + k as usize) * 8 + 1, 3000] {
                let symbols: Vec<u8> = (0..n).map(|_| random.u8(..sigma)).collect();
                let mut pattern: Vec<u8> = (0..m).map(|_| random.u8(..sigma)).collect();
                if sigma == 4 && n > 9 * (m + k as usize) {
                    // A match across the border of two parts.
                    let at = 8 * (m + k as usize) - m / 2;
                    pattern.copy_from_slice(&symbols[at..at + m]);
                }
                let pattern = Pattern::literal(&pattern);
                let (found, done) = in_parts(&symbols, std::slice::from_ref(&pattern), k);
                assert_eq!(found, [sellers::ends(&symbols, &pattern, k)], "m = {m}, k = {k}, n = {n}");
                assert_eq!(done, n as u64);
            }
        }
    }

    /// Most patterns are in the index, some are searched for alone.
    #[test]
    fn many_patterns_in_parts_of_a_text() {
        let mut random = fastrand::Rng::with_seed(7);
        for k in [0, 1, 2] {
            let symbols: Vec<u8> = (0..3000).map(|_| random.u8(..4)).collect();
            let pattern = |number: usize| {
                let m = if number % 50 == 7 { 3 } else { 24 };
                let at = random.usize(..symbols.len() - m);
                Pattern::literal(&symbols[at..at + m])
            };
            let patterns: Vec<Pattern> = (0..200).map(pattern).collect();
            let engine = CpuEnds::new(patterns.clone(), k, Algorithm::AUTO, &|_| ()).unwrap();
            assert_eq!(engine.groups[0].group.numbers.len(), 196, "k = {k}");
            assert_eq!(engine.groups[0].about.name, "partition");
            let (found, done) = in_parts(&symbols, &patterns, k);
            for (pattern, found) in patterns.iter().zip(found) {
                assert_eq!(found, sellers::ends(&symbols, pattern, k), "k = {k}");
            }
            assert_eq!(done, 200 * 3000);
        }
    }
}
