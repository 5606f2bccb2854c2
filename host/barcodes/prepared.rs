//! Barcodes that are ready for many reads.

use super::index::{Candidate, Index, Query, Visit, Work, indexed_bases, keep_best};
use super::nearest::Nearest;
use super::packed::{PackedBarcode, PackedRead, Strings};
use super::place::Place;
use super::reach::{Span, edits, mismatches};
use crate::error::Result;
use crate::memory;
use rayon::prelude::*;
use std::ops::ControlFlow;

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
    /// Bases of the longest barcode.
    longest: usize,
    limits: Limits,
    index: Index,
    /// Greatest number of bases of a barcode in the index.
    indexed: usize,
}

impl PreparedBarcodes {
    /// Makes the index of at least one barcode. Each has more bases than the errors of a search.
    pub(super) fn new(codes: Strings, limits: Limits) -> Result<Self> {
        let most = limits.errors + limits.margin - 1;
        let indexed = indexed_bases(most);
        let packed: Vec<_> = codes.iter().map(|codes| PackedBarcode::new(&codes[..codes.len().min(indexed)])).collect();
        let shortest = codes.iter().map(<[u8]>::len).min().unwrap_or(0);
        let longest = codes.iter().map(<[u8]>::len).max().unwrap_or(0);
        let index = Index::new(&packed, shortest.min(indexed), limits.gaps, limits.errors, most)?;
        Ok(Self { codes, shortest, longest, limits, index, indexed })
    }

    /// Returns the number of barcodes. As in the [example](Self).
    pub fn len(&self) -> usize {
        self.codes.len()
    }

    /// Returns true if there is no barcode. As in the [example](Self).
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the nearest barcode of a read; `None` if all have too many errors. For many reads, a
    /// [`worker`](Self::worker) is faster. As in the [example](Self).
    ///
    /// # Errors
    /// [`Error::Memory`](crate::Error::Memory) if the near barcodes do not fit into memory.
    pub fn nearest(&self, read: &[u8]) -> Result<Option<Nearest>> {
        self.worker().nearest(read)
    }

    /// Returns a worker, whose memory is used again from read to read. As in the
    /// [example](Worker).
    pub fn worker(&self) -> Worker<'_> {
        Worker { barcodes: self, read: PackedRead::default(), work: Work::default(), found: Vec::new() }
    }

    /// Returns the nearest barcode of each read, in the order of the reads. Works on rayon's
    /// threads; the result does not depend on their number. As in the [example](Self).
    ///
    /// # Errors
    /// As [`nearest`](Self::nearest).
    pub fn assign<R: AsRef<[u8]> + Sync>(&self, reads: &[R]) -> Result<Vec<Option<Nearest>>> {
        let nearest = |worker: &mut Worker<'_>, read: &R| worker.nearest(read.as_ref());
        reads.par_iter().with_min_len(TASK).map_init(|| self.worker(), nearest).collect()
    }

    /// Returns a candidate with the errors of all its bases, also of those that the index lacks;
    /// `None` if they are too many.
    fn checked(&self, candidate: Candidate, read: &[u8], most: usize) -> Option<Candidate> {
        let is_whole = |len: usize| len <= self.indexed && (self.limits.gaps || len <= read.len() - candidate.start);
        if is_whole(self.longest) || is_whole(self.codes.get(candidate.barcode as usize).len()) {
            return Some(candidate);
        }
        Some(Candidate { errors: self.compared(candidate, read, most)?.errors, ..candidate })
    }

    /// Returns the bases of the read beside the best barcode.
    fn len_in_read(&self, best: Candidate, read: &[u8], most: usize) -> Option<usize> {
        // A barcode without errors is equal to its part of the read.
        if best.errors == 0 && self.shortest == self.longest {
            return Some(self.shortest);
        }
        Some(self.compared(best, read, most)?.len)
    }

    /// Returns the errors of a candidate, and its length in the read; `None` if they are more than
    /// `most`.
    fn compared(&self, candidate: Candidate, read: &[u8], most: usize) -> Option<Span> {
        let codes = self.codes.get(candidate.barcode as usize);
        let read = &read[candidate.start..];
        if self.limits.gaps { edits(codes, read, most) } else { mismatches(codes, read, most) }
    }
}

/// Finds the nearest barcodes of reads, one after another
/// ([`PreparedBarcodes::worker`]).
///
/// ```
/// use carrywave::barcodes::Barcodes;
///
/// let barcodes = Barcodes::new(["ACGTACGT", "TTGCATGC"]).prepare()?;
/// let mut worker = barcodes.worker();
/// assert_eq!(worker.nearest(b"ACGTACGTAA")?.map(|nearest| nearest.barcode), Some(0));
/// assert_eq!(worker.nearest(b"TTGCAGCAAA")?.map(|nearest| nearest.errors), Some(1));
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Debug)]
pub struct Worker<'b> {
    barcodes: &'b PreparedBarcodes,
    /// The bases of the read.
    read: PackedRead,
    work: Work,
    /// The barcodes that are found.
    found: Vec<Candidate>,
}

impl Worker<'_> {
    /// Returns the nearest barcode of a read, as [`PreparedBarcodes::nearest`]. As in the
    /// [example](Self).
    ///
    /// # Errors
    /// As [`PreparedBarcodes::nearest`].
    pub fn nearest(&mut self, read: &[u8]) -> Result<Option<Nearest>> {
        let Limits { errors, margin, place, .. } = self.barcodes.limits;
        // The bases that an alignment may reach.
        let reach = self.barcodes.longest.min(self.barcodes.indexed) + errors + margin;
        self.read.pack(read, &place.starts(read.len()), reach);
        for most in 0..=errors {
            self.find(read, most)?;
            // No barcode has fewer errors: the search with one error less has found none.
            let Some(&best) = self.found.first() else { continue };
            let Some(len) = self.barcodes.len_in_read(best, read, most) else { continue };
            let ties = self.found.len() as u32;
            let second = if ties > 1 { Some(best.errors) } else { self.second(read, best)? };
            return Ok(Some(Nearest {
                barcode: best.barcode as usize,
                errors: best.errors,
                start: best.start,
                end: best.start + len,
                ties,
                second,
            }));
        }
        Ok(None)
    }

    /// Finds the barcodes with at most `most` errors, in the order of the list, each with its first
    /// start of those with the fewest errors.
    fn find(&mut self, read: &[u8], most: usize) -> Result<()> {
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        let mut many = MANY;
        self.search(read, most, &mut |candidate| {
            memory::reserve(&mut found, 1, "the barcodes near a read")?;
            found.push(candidate);
            if found.len() > many {
                keep_best(&mut found);
                many = MANY.max(2 * found.len());
            }
            Ok(ControlFlow::Continue(()))
        })?;
        keep_best(&mut found);
        self.found = found;
        Ok(())
    }

    /// Returns the errors of the second best barcode, if they are less than the margin away from
    /// those of the best, which has no ties. The first barcode that a search finds ends it: the
    /// search with one error less has found none.
    fn second(&mut self, read: &[u8], best: Candidate) -> Result<Option<u32>> {
        let best_errors = best.errors as usize;
        for most in best_errors + 1..best_errors + self.barcodes.limits.margin {
            let mut is_found = false;
            self.search(read, most, &mut |candidate| {
                is_found = candidate.barcode != best.barcode;
                Ok(if is_found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
            })?;
            if is_found {
                return Ok(Some(most as u32));
            }
        }
        Ok(None)
    }

    /// Visits the barcodes with at most `most` errors, some more than once, until `visit` breaks.
    fn search(&mut self, read: &[u8], most: usize, visit: Visit<'_>) -> Result<()> {
        let Self { barcodes, read: packed, work, .. } = self;
        let Limits { gaps, place, .. } = barcodes.limits;
        let mut visit_checked = |candidate| match barcodes.checked(candidate, read, most) {
            Some(candidate) => visit(candidate),
            None => Ok(ControlFlow::Continue(())),
        };
        for start in place.starts(read.len()) {
            if !gaps && read.len() - start < barcodes.shortest {
                break;
            }
            let query = Query { read: packed, start, errors: most };
            if barcodes.index.find(query, work, &mut visit_checked)?.is_break() {
                break;
            }
        }
        Ok(())
    }
}
