//! Barcodes in the order of their first bases, the head, and in the order of the bases behind
//! these, the tail.
//!
//! An alignment with at most K errors has at most ⌊K / 2⌋ in the head, or at most K − ⌊K / 2⌋ − 1
//! in the tail. So the strings within the first number of errors of the read's start are looked up
//! in the order of heads, and those within the second number in the order of tails, at each of the
//! positions where the tail may start. Each barcode that is found is compared with the read.

use super::packed::{PackedBarcode, PackedRead, WORD, low_bases};
use super::reach::{Diagonals, WIDEST, packed_mismatches, width};
use super::variants::Variants;
use crate::error::Result;
use crate::memory;
use std::ops::Range;

/// Greatest number of bases of a key: a table of 4 MiB.
const MOST_KEY_BASES: usize = 10;

/// Barcodes that are copied before they are compared.
const BLOCK: usize = 1 << 10;

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

impl Sorted {
    /// Compares the barcodes with the keys in `work.keys`, and adds those that are near to
    /// `work.found`. The three loops over the keys wait for memory once each and not once for each
    /// key.
    #[inline(always)]
    fn compare(&self, start: usize, work: &mut Work, compare: &impl Fn(PackedBarcode) -> Option<u32>) -> Result<()> {
        let Work { keys, ranges, positions, barcodes, found } = work;
        ranges.clear();
        ranges.extend(keys.iter().map(|&key| self.firsts[key as usize]..self.firsts[key as usize + 1]));
        let mut ranges = ranges.iter();
        let mut rest = 0..0;
        loop {
            positions.clear();
            barcodes.clear();
            while positions.len() < BLOCK {
                if rest.is_empty() {
                    let Some(next) = ranges.next() else { break };
                    rest = next.start as usize..next.end as usize;
                }
                let own = rest.start..rest.end.min(rest.start + BLOCK - positions.len());
                rest.start = own.end;
                for position in own {
                    barcodes.push(self.barcodes[position]);
                    positions.push(position);
                }
            }
            if positions.is_empty() {
                return Ok(());
            }
            for (&barcode, &position) in barcodes.iter().zip(positions.iter()) {
                if let Some(errors) = compare(barcode) {
                    add(found, Candidate { barcode: self.numbers[position], errors, start })?;
                }
            }
        }
    }
}

/// Memory for searches, used again by the next one.
#[derive(Debug, Default)]
pub struct Work {
    /// The barcodes that are found.
    pub found: Vec<Candidate>,
    keys: Vec<u32>,
    ranges: Vec<Range<u32>>,
    /// Position in the order of the barcodes to compare.
    positions: Vec<usize>,
    barcodes: Vec<PackedBarcode>,
}

/// Barcodes in both orders.
#[derive(Debug)]
pub struct Index {
    heads: Sorted,
    tails: Sorted,
    /// True if bases may be missing or added.
    gaps: bool,
    /// By number of errors: true if comparing all barcodes is faster than the index.
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
    /// up to `usual` errors, and for second best barcodes with up to `most`.
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
        let sum = |head: usize| cost(head, usual) + cost(head, most);
        let best = (1..=shortest.min(longest_key)).min_by(|&a, &b| sum(a).total_cmp(&sum(b)));
        let head = best.unwrap_or(0);
        let compares_all = (0..=most).map(|errors| cost(head, errors) >= count.max(4.0)).collect();
        let heads = Sorted::new(all, 0, head)?;
        let tails = Sorted::new(all, head, tail_of(head))?;
        Ok(Self { heads, tails, gaps, compares_all })
    }

    /// Adds the barcodes within the errors at a start to `work.found`; some more than once, and of
    /// those that are longer than the index also some with more errors.
    pub fn find(&self, query: Query<'_>, work: &mut Work) -> Result<()> {
        match (self.gaps, query.errors) {
            (false, most) => {
                let window = query.read.window(query.start);
                self.find_by(query, work, |barcode| packed_mismatches(barcode, window, most))
            }
            (true, 0) => self.find_within::<{ width(0) }>(query, work),
            (true, 1) => self.find_within::<{ width(1) }>(query, work),
            (true, 2) => self.find_within::<{ width(2) }>(query, work),
            (true, 3) => self.find_within::<{ width(3) }>(query, work),
            (true, _) => self.find_within::<WIDEST>(query, work),
        }
    }

    fn find_within<const WIDTH: usize>(&self, query: Query<'_>, work: &mut Work) -> Result<()> {
        let diagonals = Diagonals::<WIDTH>::new(query.read.window(query.start));
        self.find_by(query, work, |barcode| diagonals.edits(barcode, query.errors))
    }

    /// Finds barcodes; `compare` returns the errors of one, if they are not too many.
    #[inline(always)]
    fn find_by(&self, query: Query<'_>, work: &mut Work, compare: impl Fn(PackedBarcode) -> Option<u32>) -> Result<()> {
        let Query { read, start, errors } = query;
        if self.compares_all.get(errors).is_none_or(|&all| all) {
            let all = self.heads.barcodes.iter().zip(&self.heads.numbers);
            for (&barcode, &number) in all {
                if let Some(errors) = compare(barcode) {
                    add(&mut work.found, Candidate { barcode: number, errors, start })?;
                }
            }
            return Ok(());
        }
        let gaps = self.gaps;
        let heads = Variants { len: self.heads.len, errors: errors / 2, gaps };
        work.keys.clear();
        heads.each(read.window(start), &mut |key| work.keys.push(key as u32));
        self.heads.compare(start, work, &compare)?;
        let Some(in_tail) = tail_errors(errors) else { return Ok(()) };
        let tails = Variants { len: self.tails.len, errors: in_tail, gaps };
        let shift = if gaps { errors } else { 0 };
        let middle = start + self.tails.from;
        work.keys.clear();
        for position in middle.saturating_sub(shift).max(start)..=middle + shift {
            tails.each(read.window(position), &mut |key| work.keys.push(key as u32));
        }
        self.tails.compare(start, work, &compare)
    }
}

/// Returns the most errors in the tail that the order of heads does not find; `None` if it finds
/// all.
fn tail_errors(errors: usize) -> Option<usize> {
    (errors - errors / 2).checked_sub(1)
}

#[cold]
fn add(found: &mut Vec<Candidate>, candidate: Candidate) -> Result<()> {
    memory::reserve(found, 1, "the barcodes near a read")?;
    found.push(candidate);
    Ok(())
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
