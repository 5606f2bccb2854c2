//! LCS lengths of pairs of records. Short pairs are compared in batches: each pair by one thread,
//! or several pairs by the lanes of a vector. Long pairs are compared one by one, each by all
//! threads or a GPU.

use crate::lcs::arguments::StrandArgument;
use crate::lcs::strand::{Decision, longer};
use carrywave::Result;
use carrywave::lcs::Comparison;
use carrywave::pairs::Pairs;
use carrywave::text::Strand;
use rayon::prelude::*;

/// Number of cells above which all threads compare a single pair.
pub const LONG: u64 = 1 << 28;
/// Number of cells per batch of pairs.
const TOGETHER: u64 = 1 << 30;
/// Maximum number of pairs per batch.
const PAIRS: usize = 4096;

/// Indices of two records.
#[derive(Clone, Copy)]
pub struct RecordPair {
    pub a: usize,
    pub b: usize,
}

/// A pair of records, with its LCS length and strand.
#[derive(Clone, Copy)]
pub struct ComparedPair {
    pub records: RecordPair,
    pub strand: Strand,
    pub length: u64,
}

/// Two strings to compare.
type StringPair<'s> = (&'s [u8], &'s [u8]);

/// Compares records.
pub struct Comparer<'c> {
    /// The records of A.
    pub a: Vec<&'c [u8]>,
    /// The records of B, and their reverse complements if these are compared.
    pub b: [Vec<&'c [u8]>; 2],
    pub comparison: Comparison<'c>,
    /// Compares many short pairs. `None` if it does not support the chosen engine or algorithm.
    pub many: Option<Pairs<'c>>,
    pub strand: StrandArgument,
}

/// Returns the number of table cells of two strings.
pub fn cells(a: &[u8], b: &[u8]) -> u64 {
    (a.len() as u64).saturating_mul(b.len() as u64)
}

impl Comparer<'_> {
    /// Returns the number of table cells of a pair.
    pub fn cells(&self, pair: RecordPair) -> u64 {
        cells(self.a[pair.a], self.b[0][pair.b])
    }

    fn string_of_b(&self, b: usize, strand: Strand) -> &[u8] {
        self.b[strand as usize][b]
    }

    /// Compares pairs and passes the results to `take` in order, in batches.
    pub fn each(
        &self,
        pairs: impl Iterator<Item = RecordPair>,
        mut take: impl FnMut(&[ComparedPair]) -> Result<()>,
    ) -> Result<()> {
        let mut pairs = pairs.peekable();
        let mut together = Vec::new();
        let mut sum = 0u64;
        while let Some(pair) = pairs.next() {
            together.push(pair);
            sum = sum.saturating_add(self.cells(pair));
            let next = pairs.peek().map_or(u64::MAX, |&next| self.cells(next));
            if sum > LONG && together.len() == 1 || sum >= TOGETHER || next > LONG || together.len() == PAIRS {
                take(&self.compare(&together)?)?;
                together.clear();
                sum = 0;
            }
        }
        take(&self.compare(&together)?)
    }

    /// Returns the LCS lengths of pairs, each with its strand.
    pub fn compare(&self, pairs: &[RecordPair]) -> Result<Vec<ComparedPair>> {
        let strands: Vec<&[Strand]> = pairs.par_iter().map(|&pair| self.strands(pair)).collect();
        let compared: Vec<StringPair<'_>> = pairs
            .iter()
            .zip(&strands)
            .flat_map(|(pair, strands)| {
                strands.iter().map(|&strand| (self.a[pair.a], self.string_of_b(pair.b, strand)))
            })
            .collect();
        let lengths = match &self.many {
            Some(many) if pairs.len() > 1 => {
                let distances = many.listed(&compared)?;
                compared.iter().zip(distances).map(|(pair, distance)| length(pair, distance.unwrap_or(0))).collect()
            }
            _ => compared.iter().map(|(a, b)| self.comparison.length(a, b)).collect::<Result<Vec<_>>>()?,
        };
        let mut lengths = lengths.into_iter();
        let mut result = |(&records, strands): (&RecordPair, &&[Strand])| match **strands {
            [strand] => Some(ComparedPair { records, strand, length: lengths.next()? }),
            _ => {
                let forward = lengths.next()?;
                let reverse = lengths.next()?;
                Some(ComparedPair { records, strand: longer(forward, reverse), length: forward.max(reverse) })
            }
        };
        Ok(pairs.iter().zip(&strands).filter_map(&mut result).collect())
    }

    /// Returns the strands to compare for a pair: both if the quick estimate is not decisive.
    fn strands(&self, pair: RecordPair) -> &'static [Strand] {
        const BOTH: &[Strand] = &[Strand::Forward, Strand::Reverse];
        match self.strand {
            StrandArgument::Forward => &BOTH[..1],
            StrandArgument::Reverse => &BOTH[1..],
            StrandArgument::Auto => match Decision::about(self.a[pair.a], self.b[0][pair.b]) {
                Decision::One(Strand::Forward, _) => &BOTH[..1],
                Decision::One(Strand::Reverse, _) => &BOTH[1..],
                Decision::Both(_) => BOTH,
            },
        }
    }
}

/// Returns the LCS length of two strings, given their indel distance.
fn length((a, b): &StringPair<'_>, distance: u32) -> u64 {
    ((a.len() + b.len()) as u64).saturating_sub(distance.into()) / 2
}
