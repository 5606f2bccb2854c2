//! The pairs of a list that may be near, found by common pieces: if strings are long compared with
//! the maximum, few pairs remain to be compared.

use super::algorithm::{CpuAlgorithm, Way};
use super::signatures::{Signature, Signatures};
use crate::algorithm::About;
use crate::error::Result;
use crate::job::Progress;
use crate::memory;
use crate::pairs::cost::Cost;
use crate::pairs::limit::Limit;
use crate::pairs::strings::Symbols;
use crate::pairwise::pieces::{Pieces, Scratch, Sieve};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The algorithm's entry.
pub const ALGORITHM: CpuAlgorithm = CpuAlgorithm {
    about: About::new(
        "pieces",
        "with at most k edits, only pairs that share one of k + 1 pieces and most symbols; `auto` compares these",
        "Li, Deng, Wang, Feng 2011; Bartolini, Ciaccia, Patella 2002; Ukkonen 1992",
        "the pieces, and the pairs that share one",
    ),
    way: Way::Pieces,
};

/// Numbers of columns and of rows below which all are compared at once.
const FEW: usize = 256;
const FEW_ROWS: usize = 32;
/// Least length of the pieces of a string of mean length for more edits than [`SMALL`]: k² look-ups
/// take long, and shorter pieces leave out few pairs.
const SHORTEST: usize = 4;
/// Up to this number of edits, pieces of any length are tried.
const SMALL: u32 = 8;
/// Upper bound on the symbols of the longest string: each takes memory for hashes.
const LONGEST: usize = 1 << 24;
/// With more than one candidate in this many pairs, comparing all pairs is faster.
const SHARE: usize = 4;

/// Finds pairs that may be near, for some rows at a time.
pub(in crate::pairs) struct Candidates<'l> {
    lists: Lists<'l>,
    /// Pieces of the columns.
    pieces: Pieces,
    /// Signatures of the strings of the pieces.
    of_pieces: Signatures,
    /// Signatures of the columns, and of the rows if they are another list.
    columns: Vec<Signature>,
    rows: Vec<Signature>,
    limits: Limits,
    /// Upper bound on the candidates, as a divisor of the number of pairs.
    share: usize,
}

/// Two strings that may be near: numbers of a row and of a column.
#[derive(Debug, Clone, Copy)]
pub(in crate::pairs) struct Candidate {
    pub(in crate::pairs) a: usize,
    pub(in crate::pairs) b: usize,
}

/// Returns true if comparing the pairs that share a piece should be faster than comparing all.
pub(in crate::pairs) fn pays(lists: &Lists<'_>, limits: Limits) -> bool {
    let list = lists.columns;
    if list.len() < FEW || lists.rows.len() < FEW_ROWS {
        return false;
    }
    let symbols: u64 = list.iter().map(|string| string.len() as u64).sum();
    let needed = list.iter().map(|string| {
        let edits = limits.edits(string.len());
        let shortest = if edits <= SMALL { 1 } else { SHORTEST };
        (u64::from(edits) + 1) * shortest as u64
    });
    needed.fold(0, u64::saturating_add) <= symbols && takes(list, limits).is_ok()
}

/// Returns an error for lists whose pieces cannot be counted or take too much memory.
fn takes(list: &[Symbols<'_>], limits: Limits) -> Result<()> {
    let longest = list.iter().map(|string| string.len()).max().unwrap_or(0);
    let pieces = list.iter().map(|string| u64::from(limits.edits(string.len())) + 1).fold(0, u64::saturating_add);
    if longest > LONGEST || u32::try_from(pieces).is_err() {
        let reason = format!("supports strings of up to {LONGEST} symbols and fewer than 2^32 pieces, not {pieces}");
        return Err(ALGORITHM.about.unsupported(reason));
    }
    Ok(())
}

/// The lists whose near pairs are wanted.
#[derive(Clone, Copy)]
pub(in crate::pairs) struct Lists<'l> {
    pub(in crate::pairs) rows: &'l [Symbols<'l>],
    pub(in crate::pairs) columns: &'l [Symbols<'l>],
    /// True if both are one list: each string is compared with those after it.
    pub(in crate::pairs) is_half: bool,
}

impl<'l> Lists<'l> {
    /// Returns the columns that rows from `first` on are compared with.
    pub(in crate::pairs) fn columns_of(&self, first: usize) -> &'l [Symbols<'l>] {
        if self.is_half { &self.columns[first..] } else { self.columns }
    }
}

/// Bounds on the distances of near strings of two lists.
#[derive(Debug, Clone, Copy)]
pub(in crate::pairs) struct Limits {
    cost: Cost,
    limit: Limit,
    /// Length of the longest row.
    longest: usize,
}

impl Limits {
    /// Makes the bounds, given the length of the longest row.
    pub(in crate::pairs) fn new(cost: Cost, limit: Limit, longest: usize) -> Self {
        Self { cost, limit, longest }
    }

    /// Returns a bound on the edits between a column of m symbols and a row near it.
    fn edits(&self, m: usize) -> u32 {
        self.cost.edits(self.limit.of_one(self.cost, m, self.longest).unwrap_or(u32::MAX))
    }

    /// Returns a bound on the distance of near strings of m and n symbols.
    fn of(&self, m: usize, n: usize) -> u32 {
        self.limit.of(self.cost, m, n).unwrap_or(u32::MAX)
    }
}

impl<'l> Candidates<'l> {
    /// Prepares lists for finding pairs within some limits.
    ///
    /// # Errors
    /// [`Error::Unsupported`](crate::Error::Unsupported) for too many pieces,
    /// [`Error::Memory`](crate::Error::Memory).
    pub(in crate::pairs) fn new(lists: Lists<'l>, limits: Limits) -> Result<Self> {
        takes(lists.columns, limits)?;
        // Each edit changes one piece.
        let pieces = Pieces::new(lists.columns, |column| limits.edits(lists.columns[column].len()))?;
        let signatures = |list: &[Symbols<'_>]| -> Result<Vec<Signature>> {
            memory::check::<Signature>(list.len(), "the signatures of strings")?;
            Ok(list.par_iter().map(|&string| Signature::new(string)).collect())
        };
        let rows = if lists.is_half { Vec::new() } else { signatures(lists.rows)? };
        let columns = signatures(lists.columns)?;
        let of_pieces = Signatures::new(pieces.strings(), |string| columns[string as usize])?;
        Ok(Self { lists, pieces, of_pieces, columns, rows, limits, share: SHARE })
    }

    /// Removes the bound on the number of candidates.
    pub(in crate::pairs) fn unlimited(self) -> Self {
        Self { share: 1, ..self }
    }

    /// Finds the pairs that may be near, of `count` rows from `first` on; `None` if comparing all
    /// pairs is faster. Calls `progress` with 0 for each row, so that the caller can end the job.
    ///
    /// # Errors
    /// [`Error::Memory`](crate::Error::Memory).
    pub(in crate::pairs) fn pairs(
        &self,
        first: usize,
        count: usize,
        progress: Progress<'_>,
    ) -> Result<Option<Vec<Candidate>>> {
        let Lists { rows, is_half, .. } = self.lists;
        let most = count.saturating_mul(self.lists.columns_of(first).len()) / self.share;
        let all = AtomicUsize::new(0);
        let of_row = |(scratch, found): &mut (Scratch, Vec<u32>), a: usize| {
            progress(0);
            if all.load(Ordering::Relaxed) > most {
                return Vec::new();
            }
            let signature = if is_half { self.columns[a] } else { self.rows[a] };
            let sieve = NearRow { candidates: self, signature, n: rows[a].len() };
            let from = if is_half { a as u32 + 1 } else { 0 };
            self.pieces.candidates(&rows[a], from, scratch, &sieve, found);
            all.fetch_add(found.len(), Ordering::Relaxed);
            found.iter().map(|&b| Candidate { a, b: b as usize }).collect()
        };
        let of_rows = (first..first + count).into_par_iter().with_min_len(16);
        let of_rows: Vec<Vec<Candidate>> = of_rows.map_init(Default::default, of_row).collect();
        let all = all.into_inner();
        if all > most {
            log::debug!("more than {most} pairs have a piece in common: all are compared");
            return Ok(None);
        }
        memory::check::<(Candidate, [Symbols<'_>; 2])>(all, "pairs that may be near")?;
        Ok(Some(of_rows.into_iter().flatten().collect()))
    }
}

/// The columns that may be near a row, by their signatures.
struct NearRow<'c> {
    candidates: &'c Candidates<'c>,
    signature: Signature,
    /// Length of the row.
    n: usize,
}

impl Sieve for NearRow<'_> {
    fn pieces(&self, m: usize, pieces: Range<usize>) -> u64 {
        let Candidates { of_pieces, limits, .. } = self.candidates;
        of_pieces.near(self.signature, pieces, limits.cost, limits.of(self.n, m))
    }

    fn string(&self, m: usize, string: u32) -> bool {
        let Candidates { columns, limits, .. } = self.candidates;
        self.signature.may_be_near(columns[string as usize], limits.cost, limits.of(self.n, m))
    }
}
