//! Search on the processor: one algorithm a file, and the engine that hands parts of the text to them on all cores. m is the pattern's
//! length, n the text's, k the errors allowed.

pub mod guides;
mod partition;
mod pieces;
mod query;
mod seeds;
mod segment;

use super::checked::Check;
use super::ends::{FindEnds, TakeEnds};
use super::find::Algorithm;
use crate::algorithm::About;
use crate::device::EngineKind;
use crate::error::Result;
use crate::infix::End;
use crate::infix::allowed::Allowed;
use crate::memory::{self, BlockSize};
use crate::text::{Pattern, Text};
use guides::Guides;
use partition::Partition;
use pieces::Share;
pub use query::Query;

/// Symbols of a file that are in memory at a time, at most, unless patterns are long.
const PART: usize = 32 << 20;
/// Symbols of the first part and of the smallest one, and the ends that a part should give.
const FIRST_PART: usize = 1 << 20;
const SMALLEST_PART: usize = 1 << 18;
const PART_ENDS: usize = 1 << 20;
/// Times what goes before a part that the part has at least, so that little is searched twice.
const HALOS: u64 = 8;

/// A way to search on the processor.
#[derive(Debug)]
pub struct CpuAlgorithm {
    /// What there is to know of it.
    pub about: About,
    /// Refuses what it does not take beside its limits, as on a processor without its instructions.
    pub check: fn(&Query) -> Result<()>,
    /// About how many instructions a symbol of the text takes, where `auto` may choose it; it takes the least.
    pub cost: fn(&Query) -> Option<f64>,
    /// The ends of occurrences in a text: those columns j of Sellers' table with D\[m\]\[j\] ≤ k. The last argument is called with the number of
    /// symbols done since its last call.
    pub ends: EndsOf,
    /// How many ends there are, where that takes less than to list them.
    pub count: Option<CountOf>,
}

/// Finds the ends in a text, and calls a function with the number of symbols done since its last call.
type EndsOf = fn(&[u8], &Query, &dyn Fn(u64)) -> Vec<End>;

/// Counts the ends in a text. Without errors, none of them is before its m-th symbol.
type CountOf = fn(&[u8], &Query) -> u64;

cpu_algorithms! {
    CpuAlgorithm;
    pub mod segments;
    pub mod mismatches;
    pub mod kmp;
    pub mod filter;
    pub mod literal;
    pub mod myers;
    pub mod wu_manber;
    pub mod shift_or;
    pub mod sellers;
}

impl CpuAlgorithm {
    /// The algorithm of a name, or for `auto` the one that should be fastest.
    ///
    /// # Errors
    /// [`Unsupported`](crate::Error::Unsupported) for one that the processor does not have or that does not take the query.
    fn of(algorithm: Algorithm, query: &Query) -> Result<&'static Self> {
        let row = if algorithm.is_auto() {
            Self::fastest(ALGORITHMS.iter().chain([&seeds::ALGORITHM]), query)
        } else {
            ALGORITHMS.iter().find(|row| row.about.name == algorithm.name())
        };
        let row = row.ok_or_else(|| algorithm.missing_on(EngineKind::Cpu))?;
        row.takes(query)?;
        Ok(row)
    }

    /// The one that should be fastest of those that have a name.
    fn listed(query: &Query) -> Option<&'static Self> {
        Self::fastest(ALGORITHMS.iter(), query)
    }

    fn fastest(rows: impl Iterator<Item = &'static Self>, query: &Query) -> Option<&'static Self> {
        let costs = rows.filter_map(|row| Some(((row.cost)(query)?, row)));
        costs.filter(|(_, row)| row.takes(query).is_ok()).min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, row)| row)
    }

    /// Refuses a query that it does not take.
    fn takes(&self, query: &Query) -> Result<()> {
        self.about.check(query.len(), query.k, query.literal().is_some())?;
        if !self.about.limits.gaps && query.allowed.has_gaps() {
            return Err(self
                .about
                .unsupported("finds substitutions alone: allow no insertions and no deletions".into()));
        }
        (self.check)(query)
    }

    /// How many ends there are in a text in memory, where they are not listed for that.
    fn count(&self, text: &[u8], query: &Query, progress: Progress<'_>) -> Option<u64> {
        let count = self.count.filter(|_| query.k == 0)?;
        Some(pieces::count(text, query.len() - 1, &|text| count(text, query), progress))
    }

    /// The ends in a text in memory, found in pieces of it on the current rayon pool.
    fn find(&self, text: &[u8], query: &Query, progress: Progress<'_>) -> Result<Vec<End>> {
        let halo = query.len() + query.k as usize - 1;
        pieces::ends(text, halo, &|text, tell| (self.ends)(text, query, tell), progress)
    }
}

/// Called, from any thread, with the number of symbols done since its last call.
type Progress<'p> = &'p (dyn Fn(u64) + Sync);

/// The processor, ready to look for some patterns.
pub struct CpuEnds<'p> {
    /// Patterns that are found in one pass over the text.
    together: Option<Partition>,
    /// Patterns of one form that are found in one pass over the text, by their numbers.
    guides: Vec<(Vec<usize>, Guides)>,
    /// Patterns that are searched for one after the other, by their numbers.
    alone: Vec<(usize, Query, &'static CpuAlgorithm)>,
    /// For each pattern what is left to check of its ends; none where k alone is the limit.
    checks: Vec<Option<Check>>,
    /// m + k of the longest pattern.
    context: u64,
    part: usize,
    progress: Progress<'p>,
}

impl<'p> CpuEnds<'p> {
    /// For patterns with at most k errors, each of more than k symbols.
    ///
    /// # Errors
    /// [`Unsupported`](crate::Error::Unsupported) for an algorithm that the processor does not have, or that does not take one of them.
    pub fn new(patterns: Vec<Pattern>, k: u32, algorithm: Algorithm, progress: Progress<'p>) -> Result<Self> {
        let patterns = patterns.into_iter().map(|pattern| (pattern, Allowed::any(k))).collect();
        Self::within(patterns, algorithm, progress)
    }

    /// The same with limits by kind, and the same k for all.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn within(wanted: Vec<(Pattern, Allowed)>, algorithm: Algorithm, progress: Progress<'p>) -> Result<Self> {
        let k = wanted.iter().map(|(_, allowed)| allowed.errors).max().unwrap_or(0);
        let mut checks: Vec<Option<Check>> =
            wanted.iter().map(|(pattern, allowed)| Check::of(pattern, *allowed)).collect();
        let context = wanted.iter().map(|(pattern, _)| pattern.len()).max().unwrap_or(0) as u64 + u64::from(k);
        let indexed = if algorithm.is_auto() && wanted.len() > 1 {
            let patterns: Vec<Pattern> = wanted.iter().map(|(pattern, _)| pattern.clone()).collect();
            Partition::new(&patterns, k)
        } else {
            None
        };
        // Those that the index leaves, in order.
        let (together, left) = indexed.unzip();
        let left = left.unwrap_or_else(|| (0..wanted.len()).collect());
        let (guides, left) = if algorithm.is_auto() { Guides::of(&wanted, left) } else { (Vec::new(), left) };
        for number in guides.iter().flat_map(|(numbers, _)| numbers) {
            checks[*number] = None;
        }
        let mut is_left = left.into_iter().peekable();
        let wanted = wanted.into_iter().enumerate().filter(|(number, _)| is_left.next_if_eq(number).is_some());
        let alone = wanted.map(|(number, (pattern, allowed))| {
            let query = Query::within(pattern, allowed);
            CpuAlgorithm::of(algorithm, &query).map(|row| (number, query, row))
        });
        let alone: Vec<(usize, Query, &CpuAlgorithm)> = alone.collect::<Result<_>>()?;
        for (number, _, _) in alone.iter().filter(|(_, _, row)| !row.about.limits.gaps) {
            // It keeps to the limits by itself.
            checks[*number] = None;
        }
        Ok(Self { together, guides, alone, checks, context, part: PART, progress })
    }

    /// The ends in a text in memory that are beyond its first `halo` symbols. `take` is given them with `from` added.
    fn beyond(&self, text: &[u8], halo: u64, from: u64, take: TakeEnds<'_>) -> Result<()> {
        let own = text.len() as u64 - halo;
        let mut take = |number: usize, mut ends: Vec<End>| {
            if halo > 0 {
                // The others belong to the part before.
                ends.retain(|found| found.end > halo);
            }
            if let Some(check) = &self.checks[number] {
                check.keep(text, &mut ends);
            }
            if from > 0 {
                ends.iter_mut().for_each(|found| found.end += from);
            }
            take(number, ends)
        };
        if let Some(partition) = &self.together {
            let progress = |symbols| (self.progress)(symbols * partition.count());
            let share = Share::new(halo, own, &progress);
            let found = partition.ends(text, &|symbols| share.add(symbols))?;
            share.finish();
            for (number, ends) in found.into_iter().enumerate().filter(|(_, ends)| !ends.is_empty()) {
                take(number, ends)?;
            }
        }
        for (numbers, guides) in &self.guides {
            for (number, ends) in numbers.iter().zip(guides.ends(text)?).filter(|(_, ends)| !ends.is_empty()) {
                take(*number, ends)?;
            }
            (self.progress)(own * guides.count() as u64);
        }
        self.alone.iter().try_for_each(|(number, query, row)| {
            let share = Share::new(halo, own, self.progress);
            let ends = row.find(text, query, &|symbols| share.add(symbols))?;
            share.finish();
            take(*number, ends)
        })
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
            && self.together.is_none()
            && self.guides.is_empty()
            && self.checks.iter().all(Option::is_none)
            && self.alone.iter().all(|(_, query, row)| row.count.is_some() && query.k == 0)
        {
            let each = self.alone.iter().filter_map(|(_, query, row)| row.count(symbols, query, self.progress));
            return Ok(each.sum());
        }
        let mut count = 0;
        self.each(text, &mut |_, ends| {
            count += ends.len() as u64;
            Ok(())
        })?;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infix::sellers;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// All ends of each pattern, in parts as small as they can be; and how many symbols were told of as done.
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
        // The last by seeds.
        for (m, k, sigma) in [(1, 0, 2), (7, 0, 2), (9, 2, 2), (20, 5, 2), (70, 3, 2), (100, 5, 4)] {
            for n in [0, 1, m * 8, (m + k as usize) * 8, (m + k as usize) * 8 + 1, 3000] {
                let symbols: Vec<u8> = (0..n).map(|_| random.u8(..sigma)).collect();
                let mut pattern: Vec<u8> = (0..m).map(|_| random.u8(..sigma)).collect();
                if sigma == 4 && n > 9 * (m + k as usize) {
                    // One that is over the border of two parts.
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

    /// Some in the index, some alone.
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
            assert_eq!(engine.together.map(|partition| partition.count()), Some(196), "k = {k}");
            let (found, done) = in_parts(&symbols, &patterns, k);
            for (pattern, found) in patterns.iter().zip(found) {
                assert_eq!(found, sellers::ends(&symbols, pattern, k), "k = {k}");
            }
            assert_eq!(done, 200 * 3000);
        }
    }
}
