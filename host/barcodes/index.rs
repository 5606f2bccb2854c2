//! Barcodes in the order of their first bases, the head, and in the order of the bases behind
//! these, the tail.
//!
//! An alignment with at most K errors has at most ⌊K / 2⌋ in the head, or at most K − ⌊K / 2⌋ − 1
//! in the tail. So the strings within the first number of errors of the read's start are looked up
//! in the order of heads, and those within the second number in the order of tails, at each of the
//! positions where the tail may start. Each barcode that is found is compared with the read.

use super::packed::{PackedBarcode, PackedRead, WORD, Window, low_bases};
use super::reach::{packed_edits, packed_mismatches};
use super::variants::Variants;
use crate::error::Result;
use crate::memory;

/// Greatest number of bases of a key: a table of 4 MiB.
const MOST_KEY_BASES: usize = 10;

/// Cost of a look-up, in comparisons of a barcode with a read.
const LOOKUP_COST: f64 = 1.0;

/// A barcode within some errors of a read, at a start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Candidate {
    /// Number of the barcode.
    pub barcode: u32,
    /// Errors of the bases that the index has: of all of the barcode, unless it is longer.
    pub errors: u32,
    pub start: usize,
}

/// Barcodes in the order of some of their bases.
#[derive(Debug)]
struct Sorted {
    /// The bases that are the key.
    from: usize,
    len: usize,
    /// Number of barcodes with a lesser key, for each key, and of all barcodes.
    firsts: Vec<u32>,
    barcodes: Vec<PackedBarcode>,
    numbers: Vec<u32>,
}

impl Sorted {
    /// Sorts barcodes by `len` bases from base `from` on. O(barcodes + 4^len).
    fn new(all: &[PackedBarcode], from: usize, len: usize) -> Result<Self> {
        let key = |barcode: &PackedBarcode| barcode.bases(from, len) as usize;
        let mut firsts = memory::filled((1 << (2 * len)) + 1, 0u32, "the index of barcodes")?;
        for barcode in all {
            firsts[key(barcode) + 1] += 1;
        }
        for at in 1..firsts.len() {
            firsts[at] += firsts[at - 1];
        }
        let mut next = firsts.clone();
        let mut barcodes = memory::filled(all.len(), PackedBarcode::new(&[]), "the index of barcodes")?;
        let mut numbers = memory::filled(all.len(), 0u32, "the index of barcodes")?;
        for (number, barcode) in all.iter().enumerate() {
            let at = &mut next[key(barcode)];
            barcodes[*at as usize] = *barcode;
            // There are at most 2^32 - 1 barcodes: `Barcodes::prepare` has checked it.
            numbers[*at as usize] = number as u32;
            *at += 1;
        }
        Ok(Self { from, len, firsts, barcodes, numbers })
    }
}

/// Barcodes in both orders.
#[derive(Debug)]
pub struct Index {
    heads: Sorted,
    tails: Sorted,
    /// True if bases may be missing or added.
    gaps: bool,
    /// True for each number of errors with which it is faster to compare all barcodes.
    compares_all: Vec<bool>,
}

/// A search: one start of a read.
#[derive(Debug, Clone, Copy)]
pub struct Query<'r> {
    pub read: &'r PackedRead,
    pub start: usize,
    /// Greatest number of errors.
    pub errors: usize,
}

impl Index {
    /// Makes an index of at least one barcode, each of at least `shortest` bases, for searches with
    /// up to `most` errors, which is mostly `usual`.
    pub fn new(all: &[PackedBarcode], shortest: usize, gaps: bool, usual: usize, most: usize) -> Result<Self> {
        let count = all.len() as f64;
        let longest_key = ((count.log2() / 2.0) as usize + 2).min(MOST_KEY_BASES);
        let tail_of = |head: usize| (shortest - head).min(longest_key);
        let cost = |head: usize, errors: usize| {
            let found = |len: usize| LOOKUP_COST + count * 0.25f64.powi(len as i32);
            let cost = Variants { len: head, errors: errors / 2, gaps }.count() * found(head);
            let Some(in_tail) = tail_errors(errors) else { return cost };
            let tail = tail_of(head);
            let shifts = if gaps { 2 * errors + 1 } else { 1 };
            cost + shifts as f64 * Variants { len: tail, errors: in_tail, gaps }.count() * found(tail)
        };
        let best = (1..=shortest.min(longest_key)).min_by(|&a, &b| cost(a, usual).total_cmp(&cost(b, usual)));
        let head = best.unwrap_or(0);
        let compares_all = (0..=most).map(|errors| cost(head, errors) >= count.max(4.0)).collect();
        let heads = Sorted::new(all, 0, head)?;
        let tails = Sorted::new(all, head, tail_of(head))?;
        Ok(Self { heads, tails, gaps, compares_all })
    }

    /// Adds the barcodes within the errors at a start; some more than once, and of those that are
    /// longer than the index also some with more errors.
    pub fn find(&self, query: Query<'_>, found: &mut Vec<Candidate>) -> Result<()> {
        let Query { read, start, errors } = query;
        let window = read.window(start);
        let mut result = Ok(());
        let mut compare = |sorted: &Sorted, key: u64| {
            let own = sorted.firsts[key as usize] as usize..sorted.firsts[key as usize + 1] as usize;
            let list = sorted.barcodes[own.clone()].iter().zip(&sorted.numbers[own]);
            for (&barcode, &number) in list {
                if let Some(errors) = self.errors(barcode, window, errors) {
                    add(found, Candidate { barcode: number, errors, start }, &mut result);
                }
            }
        };
        if self.compares_all.get(errors).is_none_or(|&all| all) {
            (0..self.heads.firsts.len() as u64 - 1).for_each(|key| compare(&self.heads, key));
            return result;
        }
        let gaps = self.gaps;
        let heads = Variants { len: self.heads.len, errors: errors / 2, gaps };
        heads.each(window, &mut |key| compare(&self.heads, key));
        if let Some(in_tail) = tail_errors(errors) {
            let tails = Variants { len: self.tails.len, errors: in_tail, gaps };
            let shift = if gaps { errors } else { 0 };
            let middle = start + self.tails.from;
            for position in middle.saturating_sub(shift).max(start)..=middle + shift {
                tails.each(read.window(position), &mut |key| compare(&self.tails, key));
            }
        }
        result
    }

    /// Returns the errors of a barcode at the start of a window; `None` if they are more than
    /// `limit`.
    #[inline(always)]
    fn errors(&self, barcode: PackedBarcode, window: Window, limit: usize) -> Option<u32> {
        if self.gaps { packed_edits(barcode, window, limit) } else { packed_mismatches(barcode, window, limit) }
    }
}

/// Returns the most errors in the tail that the order of heads does not find; `None` if it finds
/// all.
fn tail_errors(errors: usize) -> Option<usize> {
    (errors - errors / 2).checked_sub(1)
}

#[cold]
fn add(found: &mut Vec<Candidate>, candidate: Candidate, result: &mut Result<()>) {
    match memory::reserve(found, 1, "the barcodes near a read") {
        Ok(()) => found.push(candidate),
        Err(error) => *result = Err(error),
    }
}

/// Greatest number of bases of a barcode in an index for some errors: a window has all bases of the
/// read that they may be beside.
pub fn indexed_bases(errors: usize) -> usize {
    WORD - 1 - errors
}

/// Keeps one of the candidates of each barcode: that with the fewest errors, then the first start.
pub fn keep_best(found: &mut Vec<Candidate>) {
    found.sort_unstable();
    found.dedup_by_key(|candidate| candidate.barcode);
}

// Keys have two bits for each base.
const _: () = assert!(low_bases(MOST_KEY_BASES) < u32::MAX as u64);
