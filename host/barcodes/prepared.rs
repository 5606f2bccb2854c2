//! Barcodes that are ready for many reads.

use super::index::{Candidate, Index, Query, Work, indexed_bases, keep_best};
use super::nearest::Nearest;
use super::packed::{PackedBarcode, PackedRead, Strings};
use super::place::Place;
use super::reach::{Span, edits, mismatches};
use crate::error::Result;
use rayon::prelude::*;

/// Fewest reads of a task.
const TASK: usize = 256;

/// Number of candidates at which duplicates of a barcode are removed for the first time.
const MANY: usize = 1 << 12;

/// Limits of the errors, and the place in the read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Greatest number of errors of the best barcode.
    pub errors: usize,
    /// Least number of errors that the second best has more than the best, at least 1.
    pub margin: usize,
    /// True if bases may be missing or added.
    pub gaps: bool,
    pub place: Place,
}

/// Barcodes that are ready for many reads ([`Barcodes::prepare`](super::Barcodes::prepare)).
///
/// ```
/// use carrywave::barcodes::Barcodes;
///
/// let barcodes = Barcodes::new(["ACGTACGT", "TTGCATGC"]).prepare()?;
/// assert_eq!((barcodes.len(), barcodes.is_empty()), (2, false));
/// assert_eq!(barcodes.nearest(b"TTGCAGCAAA")?.map(|nearest| nearest.barcode), Some(1));
/// let nearest = barcodes.assign(&["ACGTACGTAA", "CCCCCCCCCC"])?;
/// assert_eq!(nearest[0].as_ref().map(|nearest| nearest.errors), Some(0));
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Debug)]
pub struct PreparedBarcodes {
    /// The codes of each barcode's bases.
    codes: Strings,
    /// Bases of the shortest barcode.
    shortest: usize,
    limits: Limits,
    index: Index,
    /// Greatest number of bases of a barcode in the index.
    indexed: usize,
}

/// Memory for one read, used again for the next.
#[derive(Debug, Default)]
struct Scratch {
    read: PackedRead,
    work: Work,
}

impl PreparedBarcodes {
    /// Makes the index of at least one barcode. Each has more bases than the errors of a search.
    pub(super) fn new(codes: Strings, limits: Limits) -> Result<Self> {
        let most = limits.errors + limits.margin - 1;
        let indexed = indexed_bases(most);
        let packed: Vec<_> = codes.iter().map(|codes| PackedBarcode::new(&codes[..codes.len().min(indexed)])).collect();
        let shortest = codes.iter().map(<[u8]>::len).min().unwrap_or(0);
        let index = Index::new(&packed, shortest.min(indexed), limits.gaps, limits.errors, most)?;
        Ok(Self { codes, shortest, limits, index, indexed })
    }

    /// Returns the number of barcodes. As in the [example](Self).
    pub fn len(&self) -> usize {
        self.codes.len()
    }

    /// Returns true if there is no barcode. As in the [example](Self).
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the nearest barcode of a read; `None` if all have too many errors. As in the
    /// [example](Self).
    ///
    /// # Errors
    /// [`Error::Memory`](crate::Error::Memory) if the near barcodes do not fit into memory.
    pub fn nearest(&self, read: &[u8]) -> Result<Option<Nearest>> {
        self.nearest_with(read, &mut Scratch::default())
    }

    /// Returns the nearest barcode of each read, in the order of the reads. Works on rayon's
    /// threads; the result does not depend on their number. As in the [example](Self).
    ///
    /// # Errors
    /// As [`nearest`](Self::nearest).
    pub fn assign<R: AsRef<[u8]> + Sync>(&self, reads: &[R]) -> Result<Vec<Option<Nearest>>> {
        let nearest = |scratch: &mut Scratch, read: &R| self.nearest_with(read.as_ref(), scratch);
        reads.par_iter().with_min_len(TASK).map_init(Scratch::default, nearest).collect()
    }

    fn nearest_with(&self, read: &[u8], scratch: &mut Scratch) -> Result<Option<Nearest>> {
        let Limits { errors, margin, place, .. } = self.limits;
        let starts = place.starts(read.len());
        scratch.read.pack(read, &starts);
        for most in 0..=errors {
            self.find(read, most, scratch)?;
            // No barcode has fewer errors: the search with one error less has found none.
            let Some(&best) = scratch.work.found.first() else { continue };
            let Some(span) = self.span(best, read, most) else { continue };
            let ties = scratch.work.found.len();
            let second = match () {
                () if ties > 1 => Some(best.errors),
                () if margin == 1 => None,
                () => {
                    self.find(read, most + margin - 1, scratch)?;
                    let others = scratch.work.found.iter().filter(|other| other.barcode != best.barcode);
                    others.map(|other| other.errors).min()
                }
            };
            return Ok(Some(Nearest {
                barcode: best.barcode as usize,
                errors: best.errors,
                start: best.start,
                end: best.start + span.len,
                ties: ties as u32,
                second,
            }));
        }
        Ok(None)
    }

    /// Finds the barcodes with at most `most` errors, in the order of the list, each with its first
    /// start of those with the fewest errors.
    fn find(&self, read: &[u8], most: usize, scratch: &mut Scratch) -> Result<()> {
        let Scratch { read: packed, work } = scratch;
        work.found.clear();
        let mut many = MANY;
        for start in self.limits.place.starts(read.len()) {
            if !self.limits.gaps && read.len() - start < self.shortest {
                break;
            }
            let before = work.found.len();
            self.index.find(Query { read: packed, start, errors: most }, work)?;
            self.check(read, most, &mut work.found, before);
            if work.found.len() > many {
                keep_best(&mut work.found);
                many = MANY.max(2 * work.found.len());
            }
        }
        keep_best(&mut work.found);
        Ok(())
    }

    /// Completes the errors of the candidates from number `from` on that are longer than the index,
    /// and removes those with too many errors.
    fn check(&self, read: &[u8], most: usize, found: &mut Vec<Candidate>, from: usize) {
        let mut kept = from;
        for at in from..found.len() {
            let mut candidate = found[at];
            let len = self.codes.get(candidate.barcode as usize).len();
            if len > self.indexed || !self.limits.gaps && read.len() - candidate.start < len {
                let Some(span) = self.span(candidate, read, most) else { continue };
                candidate.errors = span.errors;
            }
            found[kept] = candidate;
            kept += 1;
        }
        found.truncate(kept);
    }

    /// Returns the errors of a candidate, and its length in the read; `None` if they are more than
    /// `most`.
    fn span(&self, candidate: Candidate, read: &[u8], most: usize) -> Option<Span> {
        let codes = self.codes.get(candidate.barcode as usize);
        let read = &read[candidate.start..];
        if self.limits.gaps { edits(codes, read, most) } else { mismatches(codes, read, most) }
    }
}
