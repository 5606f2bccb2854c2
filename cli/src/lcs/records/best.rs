//! The best partner of each record of A: the record of B with the greatest identity.

use super::compare::{ComparedPair, Comparer, LONG, RecordPair};
use crate::lcs::arguments::StrandArgument;
use carrywave::Result;
use rayon::prelude::*;
use std::cmp::{Ordering, Reverse};

/// Number of records of A whose best partners are computed together.
const RECORDS_OF_A: usize = 64;
/// Maximum number of records of B compared with a record of A per round.
const CANDIDATES: usize = 32;

/// Finds best partners.
pub struct BestPartners<'c> {
    comparer: &'c Comparer<'c>,
    counts: SymbolCounts,
    /// Receives the number of cells of the pairs that are skipped.
    skip_cells: &'c (dyn Fn(u64) + Sync),
}

/// A record of B that is possibly the best partner.
#[derive(Clone, Copy)]
struct Candidate {
    b: usize,
    /// Upper bound on the identity.
    most: Identity,
}

impl<'c> BestPartners<'c> {
    pub fn new(comparer: &'c Comparer<'c>, skip_cells: &'c (dyn Fn(u64) + Sync)) -> Self {
        Self { comparer, counts: SymbolCounts::new(comparer), skip_cells }
    }

    /// Passes each record of A with its best partner to `take`, in batches.
    pub fn each(&self, mut take: impl FnMut(&[ComparedPair]) -> Result<()>) -> Result<()> {
        let Comparer { a, b, many, .. } = self.comparer;
        let numbers: Vec<usize> = (0..a.len()).collect();
        let longest = b[0].iter().map(|b| b.len()).max().unwrap_or(0) as u64;
        for numbers in numbers.chunks(RECORDS_OF_A) {
            let is_long = numbers.iter().any(|&number| (a[number].len() as u64).saturating_mul(longest) > LONG);
            let best = |&a: &usize| self.best(a);
            let pairs: Vec<Option<ComparedPair>> = if is_long || many.is_none() {
                numbers.iter().map(best).collect::<Result<_>>()?
            } else {
                numbers.par_iter().map(best).collect::<Result<_>>()?
            };
            take(&pairs.into_iter().flatten().collect::<Vec<_>>())?;
        }
        Ok(())
    }

    /// Returns a record of A with its best partner, the first one in case of a tie. Returns `None`
    /// if B has no records.
    fn best(&self, a: usize) -> Result<Option<ComparedPair>> {
        let candidate = |b: usize| Candidate { b, most: self.identity(a, b, self.counts.longest_lcs(a, b)) };
        let mut candidates: Vec<Candidate> = (0..self.comparer.b[0].len()).map(candidate).collect();
        // Highest upper bound first.
        candidates.sort_unstable_by_key(|candidate| (Reverse(candidate.most), candidate.b));
        let rank = |pair: &ComparedPair| (Reverse(self.identity(a, pair.records.b, pair.length)), pair.records.b);
        let mut best: Option<ComparedPair> = None;
        let mut rest = &candidates[..];
        while !rest.is_empty() {
            // The first candidate is compared alone, since its result rules out others. A long
            // candidate uses all threads by itself.
            let is_short = |candidate: &&Candidate| self.comparer.cells(RecordPair { a, b: candidate.b }) <= LONG;
            let short = rest.iter().take_while(is_short).take(CANDIDATES).count();
            let (now, later) = rest.split_at(if best.is_none() { 1 } else { short.max(1) });
            rest = later;
            let may_be_better = |candidate: &&Candidate| {
                best.as_ref().is_none_or(|best| (Reverse(candidate.most), candidate.b) < rank(best))
            };
            let (now, hopeless): (Vec<Candidate>, Vec<Candidate>) = now.iter().partition(may_be_better);
            self.skip(a, &hopeless);
            if now.is_empty() {
                // The candidates after them have lower bounds, so they cannot be better either.
                self.skip(a, rest);
                break;
            }
            let pairs: Vec<RecordPair> = now.iter().map(|candidate| RecordPair { a, b: candidate.b }).collect();
            best = best.into_iter().chain(self.comparer.compare(&pairs)?).min_by_key(rank);
        }
        Ok(best)
    }

    /// Returns the identity of two records whose LCS has the length `lcs`.
    fn identity(&self, a: usize, b: usize, lcs: u64) -> Identity {
        Identity { lcs, longer: self.comparer.a[a].len().max(self.comparer.b[0][b].len()) as u64 }
    }

    fn skip(&self, a: usize, candidates: &[Candidate]) {
        let cells = candidates.iter().map(|candidate| self.comparer.cells(RecordPair { a, b: candidate.b })).sum();
        (self.skip_cells)(cells);
    }
}

/// Length of an LCS over that of the longer string, which may be 0.
#[derive(Clone, Copy)]
struct Identity {
    lcs: u64,
    longer: u64,
}

impl Ord for Identity {
    fn cmp(&self, other: &Self) -> Ordering {
        let times = |one: u64, other: u64| u128::from(one) * u128::from(other.max(1));
        times(self.lcs, other.longer).cmp(&times(other.lcs, self.longer))
    }
}

impl PartialOrd for Identity {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Identity {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Identity {}

/// Symbol counts of each record. An LCS has a symbol at most as often as either string.
struct SymbolCounts {
    /// `symbols` counts for each record of A.
    a: Vec<u32>,
    /// Counts for each record of B, per compared strand.
    b: Vec<Vec<u32>>,
    symbols: usize,
}

impl SymbolCounts {
    fn new(comparer: &Comparer<'_>) -> Self {
        let Comparer { a, b, strand, .. } = comparer;
        let mut occurs = [false; 256];
        let lists = || [a, &b[0], &b[1]].into_iter();
        lists().flatten().flat_map(|string| string.iter()).for_each(|&symbol| occurs[usize::from(symbol)] = true);
        let mut place = [0; 256];
        let mut symbols = 0;
        for (place, _) in place.iter_mut().zip(occurs).filter(|(_, occurs)| *occurs) {
            *place = symbols;
            symbols += 1;
        }
        let count = |strings: &[&[u8]]| {
            let mut counts = vec![0u32; strings.len() * symbols];
            for (record, string) in strings.iter().enumerate() {
                string.iter().for_each(|&symbol| counts[record * symbols + place[usize::from(symbol)]] += 1);
            }
            counts
        };
        let strands = match strand {
            StrandArgument::Forward => &b[..1],
            StrandArgument::Reverse => &b[1..],
            StrandArgument::Auto => &b[..],
        };
        Self { a: count(a), b: strands.iter().map(|strings| count(strings)).collect(), symbols }
    }

    /// Returns an upper bound on the LCS length of two records.
    fn longest_lcs(&self, a: usize, b: usize) -> u64 {
        let own = &self.a[a * self.symbols..][..self.symbols];
        let shared = |counts: &Vec<u32>| {
            let other = &counts[b * self.symbols..][..self.symbols];
            own.iter().zip(other).map(|(&x, &y)| u64::from(x.min(y))).sum::<u64>()
        };
        self.b.iter().map(shared).max().unwrap_or(0)
    }
}
