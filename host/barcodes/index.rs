//! Barcodes in the order of their first bases, the head, and in the order of the bases behind
//! these, the tail.
//!
//! An alignment with at most K errors has at most ⌊K / 2⌋ in the head, or at most K − ⌊K / 2⌋ − 1
//! in the tail. So the strings within the first number of errors of the read's start are looked up
//! in the order of heads, and those within the second number in the order of tails, at each of the
//! positions where the tail may start. Each barcode that is found is compared with the read.

use super::exact::Exact;
use super::packed::{PackedBarcode, PackedRead, WORD, low_bases};
use super::reach::{Diagonals, WIDEST, packed_mismatches, width};
use super::variants::Variants;
use crate::error::Result;
use crate::memory;
use std::ops::{ControlFlow, Range};

/// Greatest number of bases of a key: a table of 4 MiB.
const MOST_KEY_BASES: usize = 10;

/// Barcodes that are copied before they are compared.
const BLOCK: usize = 1 << 8;

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
    /// Compares the barcodes with the keys in `work.keys`, and visits those that are near. The
    /// three loops over the keys wait for memory once each and not once for each key.
    #[inline(always)]
    fn compare(
        &self,
        start: usize,
        work: &mut Work,
        compare: &impl Fn(PackedBarcode) -> Option<u32>,
        visit: Visit<'_>,
    ) -> Result<ControlFlow<()>> {
        let Work { keys, ranges, positions, barcodes } = work;
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
                return Ok(ControlFlow::Continue(()));
            }
            for (&barcode, &position) in barcodes.iter().zip(positions.iter()) {
                if let Some(errors) = compare(barcode)
                    && visit(Candidate { barcode: self.numbers[position], errors, start })?.is_break()
                {
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
    }
}

/// A function that takes the barcodes that are found, and ends the search with a break.
pub type Visit<'v> = &'v mut dyn FnMut(Candidate) -> Result<ControlFlow<()>>;

/// Memory for searches, used again by the next one.
#[derive(Debug, Default)]
pub struct Work {
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
    /// Finds barcodes without errors.
    exact: Option<Exact>,
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
        // The search for the second best ends with the first barcode that it finds.
        let near = count * 0.25f64.powi(shortest as i32) * Variants { len: shortest, errors: most, gaps }.count();
        let sum = |head: usize| cost(head, usual) + cost(head, most) / near.max(1.0);
        let best = (1..=shortest.min(longest_key)).min_by(|&a, &b| sum(a).total_cmp(&sum(b)));
        let head = best.unwrap_or(0);
        let compares_all = (0..=most).map(|errors| cost(head, errors) >= count.max(4.0)).collect();
        let heads = Sorted::new(all, 0, head)?;
        let tails = Sorted::new(all, head, tail_of(head))?;
        let exact = Exact::new(all)?;
        Ok(Self { heads, tails, exact, gaps, compares_all })
    }

    /// Visits the barcodes within the errors at a start; some more than once, and of those that are
    /// longer than the index also some with more errors. Returns a break of `visit`.
    pub fn find(&self, query: Query<'_>, work: &mut Work, visit: Visit<'_>) -> Result<ControlFlow<()>> {
        if query.errors == 0
            && let Some(exact) = &self.exact
        {
            let start = query.start;
            let Some(barcode) = exact.get(query.read.window(start)) else { return Ok(ControlFlow::Continue(())) };
            return visit(Candidate { barcode, errors: 0, start });
        }
        match (self.gaps, query.errors) {
            (false, most) => {
                let window = query.read.window(query.start);
                self.find_by(query, work, |barcode| packed_mismatches(barcode, window, most), visit)
            }
            (true, 0) => self.find_within::<{ width(0) }>(query, work, visit),
            (true, 1) => self.find_within::<{ width(1) }>(query, work, visit),
            (true, 2) => self.find_within::<{ width(2) }>(query, work, visit),
            (true, 3) => self.find_within::<{ width(3) }>(query, work, visit),
            (true, _) => self.find_within::<WIDEST>(query, work, visit),
        }
    }

    fn find_within<const WIDTH: usize>(
        &self,
        query: Query<'_>,
        work: &mut Work,
        visit: Visit<'_>,
    ) -> Result<ControlFlow<()>> {
        let diagonals = Diagonals::<WIDTH>::new(query.read.window(query.start));
        self.find_by(query, work, |barcode| diagonals.edits(barcode, query.errors), visit)
    }

    /// Finds barcodes; `compare` returns the errors of one, if they are not too many.
    #[inline(always)]
    fn find_by(
        &self,
        query: Query<'_>,
        work: &mut Work,
        compare: impl Fn(PackedBarcode) -> Option<u32>,
        visit: Visit<'_>,
    ) -> Result<ControlFlow<()>> {
        let Query { read, start, errors } = query;
        if self.compares_all.get(errors).is_none_or(|&all| all) {
            let all = self.heads.barcodes.iter().zip(&self.heads.numbers);
            for (&barcode, &number) in all {
                if let Some(errors) = compare(barcode)
                    && visit(Candidate { barcode: number, errors, start })?.is_break()
                {
                    return Ok(ControlFlow::Break(()));
                }
            }
            return Ok(ControlFlow::Continue(()));
        }
        let gaps = self.gaps;
        let heads = Variants { len: self.heads.len, errors: errors / 2, gaps };
        work.keys.clear();
        heads.each(read.window(start), &mut |key| work.keys.push(key as u32));
        if self.heads.compare(start, work, &compare, visit)?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
        let Some(in_tail) = tail_errors(errors) else { return Ok(ControlFlow::Continue(())) };
        let shift = if gaps { errors } else { 0 };
        let middle = start + self.tails.from;
        work.keys.clear();
        for position in middle.saturating_sub(shift).max(start)..=middle + shift {
            // A shift takes as many errors in the head.
            let in_tail = in_tail.min(errors - position.abs_diff(middle));
            let tails = Variants { len: self.tails.len, errors: in_tail, gaps };
            tails.each(read.window(position), &mut |key| work.keys.push(key as u32));
        }
        self.tails.compare(start, work, &compare, visit)
    }
}

/// Returns the most errors in the tail that the order of heads does not find; `None` if it finds
/// all.
fn tail_errors(errors: usize) -> Option<usize> {
    (errors - errors / 2).checked_sub(1)
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

#[cfg(test)]
mod tests {
    use super::*;
    use fastrand::Rng;
    use std::collections::BTreeSet;

    #[test]
    fn look_ups_find_what_comparing_all_finds() {
        let mut random = Rng::with_seed(41);
        let mut by_errors = [0; 6];
        for round in 0..240 {
            let len = random.usize(6..14);
            let errors = round % 6;
            let mut all: Vec<Vec<u8>> = (0..300).map(|_| (0..len).map(|_| random.u8(0..4)).collect()).collect();
            all.sort();
            all.dedup();
            let packed: Vec<PackedBarcode> = all.iter().map(|codes| PackedBarcode::new(codes)).collect();
            let mut index = Index::new(&packed, len, round % 4 > 0, errors, errors).unwrap();
            let mut read: Vec<u8> = random.choice(&all).unwrap().iter().map(|&code| b"ACGT"[code as usize]).collect();
            for _ in 0..random.usize(0..=errors) {
                let at = random.usize(0..read.len());
                match random.usize(0..3) {
                    0 => read[at] = b'N',
                    1 => drop(read.remove(at)),
                    _ => read.insert(at, *random.choice(b"ACGT").unwrap()),
                }
            }
            read.extend((0..random.usize(0..12)).map(|_| *random.choice(b"ACGT").unwrap()));
            let mut window = PackedRead::default();
            window.pack(&read, &(0..1), read.len());
            let query = Query { read: &window, start: 0, errors };
            let mut found = |compares_all| {
                let mut found = BTreeSet::new();
                index.compares_all.fill(compares_all);
                if compares_all {
                    index.exact = None;
                }
                let visited = index.find(query, &mut Work::default(), &mut |candidate| {
                    found.insert(candidate);
                    Ok(ControlFlow::Continue(()))
                });
                assert!(visited.unwrap().is_continue());
                found
            };
            let looked_up = found(false);
            assert_eq!(looked_up, found(true), "{errors} errors, {}", String::from_utf8_lossy(&read));
            by_errors[errors] += looked_up.len();
        }
        assert!(by_errors.iter().all(|&count| count > 10), "{by_errors:?}");
    }
}
