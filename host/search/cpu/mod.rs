//! Search on the processor: one algorithm a file, and the engine that hands parts of the text to them on all cores. m is the pattern's
//! length, n the text's, k the errors allowed.

mod pieces;
mod query;
mod segment;

use super::ends::{Ends, Take};
use super::find::Algorithm;
use crate::algorithm::About;
use crate::align::infix::End;
use crate::device::EngineKind;
use crate::error::Result;
use crate::memory;
use crate::text::{Pattern, Text};
pub use query::Query;

/// Symbols of a file that are in memory at a time, at least.
const PART: u64 = 64 << 20;
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
    pub ends: FindEnds,
}

/// Finds the ends in a text, and calls a function with the number of symbols done since its last call.
type FindEnds = fn(&[u8], &Query, &dyn Fn(u64)) -> Vec<End>;

cpu_algorithms! {
    CpuAlgorithm;
    pub mod segments;
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
        let takes = |row: &Self| {
            row.about.check(query.len(), query.k, query.literal().is_some()).and_then(|()| (row.check)(query))
        };
        let row = if algorithm.is_auto() {
            let costs = ALGORITHMS.iter().filter_map(|row| Some(((row.cost)(query)?, row)));
            costs.filter(|(_, row)| takes(row).is_ok()).min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, row)| row)
        } else {
            ALGORITHMS.iter().find(|row| row.about.name == algorithm.name())
        };
        let row = row.ok_or_else(|| algorithm.missing_on(EngineKind::Cpu))?;
        takes(row)?;
        Ok(row)
    }
}

/// Called, from any thread, with the number of symbols done since its last call.
type Progress<'p> = &'p (dyn Fn(u64) + Sync);

/// The processor, ready to look for some patterns.
pub struct CpuEnds<'p> {
    queries: Vec<(Query, &'static CpuAlgorithm)>,
    /// m + k of the longest pattern.
    context: u64,
    part: u64,
    progress: Progress<'p>,
}

impl<'p> CpuEnds<'p> {
    /// For patterns with at most k errors, each of more than k symbols.
    ///
    /// # Errors
    /// [`Unsupported`](crate::Error::Unsupported) for an algorithm that the processor does not have, or that does not take one of them.
    pub fn new(patterns: Vec<Pattern>, k: u32, algorithm: Algorithm, progress: Progress<'p>) -> Result<Self> {
        let context = patterns.iter().map(Pattern::len).max().unwrap_or(0) as u64 + u64::from(k);
        let queries = patterns.into_iter().map(|pattern| {
            let query = Query::new(pattern, k);
            let row = CpuAlgorithm::of(algorithm, &query)?;
            Ok((query, row))
        });
        Ok(Self { queries: queries.collect::<Result<_>>()?, context, part: PART, progress })
    }

    /// The ends of a pattern in a text in memory.
    fn ends(&self, text: &[u8], number: usize, progress: Progress<'_>) -> Result<Vec<End>> {
        let (query, row) = &self.queries[number];
        let halo = query.len() + query.k as usize - 1;
        pieces::ends(text, halo, &|text, tell| (row.ends)(text, query, tell), progress)
    }

    /// Searches a text in parts, each with the m + k symbols before it.
    fn each_part(&self, text: &Text<'_>, take: Take<'_>) -> Result<()> {
        let part = self.part.max(HALOS * self.context);
        let mut symbols = Vec::new();
        let mut first = 0;
        while first < text.len() {
            let (from, end) = (first.saturating_sub(self.context), (first + part).min(text.len()));
            let len = (end - from) as usize;
            let more = len.saturating_sub(symbols.len());
            memory::reserve(&mut symbols, more, "a part of the text")?;
            symbols.resize(len, 0);
            text.read(from, &mut symbols)?;
            for number in 0..self.queries.len() {
                let share = pieces::Share::new(first - from, end - first, self.progress);
                let mut ends = self.ends(&symbols, number, &|symbols| share.add(symbols))?;
                // The others belong to the part before.
                ends.retain_mut(|found| {
                    found.end += from;
                    found.end > first
                });
                take(number, ends)?;
                share.finish();
            }
            first = end;
        }
        Ok(())
    }
}

impl Ends for CpuEnds<'_> {
    fn each(&mut self, text: &Text<'_>, take: Take<'_>) -> Result<()> {
        let Some(text) = text.in_memory() else { return self.each_part(text, take) };
        (0..self.queries.len()).try_for_each(|number| take(number, self.ends(text, number, self.progress)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::align::infix::sellers;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn parts_of_a_text_give_what_the_whole_gives() {
        let mut random = fastrand::Rng::with_seed(6);
        for (m, k) in [(1, 0), (7, 0), (9, 2), (20, 5), (70, 3)] {
            for n in [0, 1, m * 8, (m + k as usize) * 8, (m + k as usize) * 8 + 1, 3000] {
                let symbols: Vec<u8> = (0..n).map(|_| random.u8(..2)).collect();
                let pattern: Vec<u8> = (0..m).map(|_| random.u8(..2)).collect();
                let pattern = Pattern::literal(&pattern);
                let done = AtomicU64::new(0);
                let progress = |symbols| {
                    done.fetch_add(symbols, Ordering::Relaxed);
                };
                let engine = CpuEnds::new(vec![pattern.clone()], k, Algorithm::AUTO, &progress).unwrap();
                let mut found = Vec::new();
                let mut take = |_, ends| -> Result<()> {
                    found.extend::<Vec<End>>(ends);
                    Ok(())
                };
                CpuEnds { part: 1, ..engine }.each_part(&Text::from(&symbols[..]), &mut take).unwrap();
                assert_eq!(found, sellers::ends(&symbols, &pattern, k), "m = {m}, k = {k}, n = {n}");
                assert_eq!(done.load(Ordering::Relaxed), n as u64);
            }
        }
    }
}
