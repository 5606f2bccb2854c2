//! Exact pieces of an adapter. An alignment with t errors contains, of any t + 1 pieces of the
//! aligned part of the adapter, one without an error.

use super::alignment::Aligner;
use super::grams::Grams;
use super::scan::{Diagonals, ExactOverlap, Group, Scan};
use std::ops::Range;

/// The pieces for all alignments that are allowed.
#[derive(Debug, Clone)]
pub(super) struct Pieces {
    /// Pieces of the whole adapter.
    whole: Vec<Scan>,
    /// Their grams, if that is faster.
    grams: Option<Grams>,
    /// Pieces of its starts, for alignments over the end of the read, and the starts themselves for
    /// those without an error.
    over_end: Option<OverEdge>,
    /// Pieces of its ends, for alignments over the start of the read.
    over_start: Option<OverEdge>,
}

#[derive(Debug, Clone)]
struct OverEdge {
    scans: Vec<Scan>,
    exact: Option<ExactOverlap>,
}

/// Parts of a read that may be aligned.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sight {
    pub diagonals: Diagonals,
    /// Longest exact overlaps with the end and the start of the read; 0 for none. They have no
    /// diagonal.
    pub exact_end: usize,
    pub exact_start: usize,
}

impl Pieces {
    /// Returns the pieces, or `None` if the adapter is too long or has too many errors.
    pub fn new(aligner: &Aligner) -> Option<Self> {
        if aligner.len > 64 {
            return None;
        }
        let all = 0..aligner.len;
        let group = Group { pieces: split(all.clone(), aligner.allowed(all) + 1)?, reach: aligner.len + aligner.most };
        let grams = Grams::new(aligner, &group.pieces);
        let whole = Scan::pack(aligner, vec![group])?;
        let edge = |is_end| OverEdge::new(aligner, is_end);
        Some(Self {
            whole,
            grams,
            over_end: if aligner.free.adapter_end { Some(edge(true)?) } else { None },
            over_start: if aligner.free.adapter_start { Some(edge(false)?) } else { None },
        })
    }

    /// Finds the pieces of a read. O(n).
    pub fn find(&self, aligner: &Aligner, read: &[u8]) -> Sight {
        let mut sight = Sight { diagonals: Diagonals::NONE, exact_end: 0, exact_start: 0 };
        let found = &mut sight.diagonals;
        let window = aligner.widest_window(read.len());
        match &self.grams {
            None => self.whole.iter().for_each(|scan| scan.within(read, window.clone(), found)),
            Some(grams) => grams.parts(&read[window.clone()], |part| {
                let part = window.start + part.start..window.start + part.end;
                self.whole.iter().for_each(|scan| scan.within(read, part.clone(), found));
            }),
        }
        if let Some(edge) = &self.over_end {
            edge.scans.iter().for_each(|scan| scan.at_end(read, found));
            sight.exact_end = edge.exact.as_ref().map_or(0, |exact| exact.longest(read.iter()));
        }
        if let Some(edge) = &self.over_start {
            edge.scans.iter().for_each(|scan| scan.at_start(read, found));
            sight.exact_start = edge.exact.as_ref().map_or(0, |exact| exact.longest(read.iter().rev()));
        }
        sight
    }
}

impl OverEdge {
    /// Returns the pieces for alignments of the adapter's starts, or ends, of all lengths.
    fn new(aligner: &Aligner, is_end: bool) -> Option<Self> {
        let part = |len: usize| if is_end { 0..len } else { aligner.len - len..aligner.len };
        let mut groups: Vec<Group> = Vec::new();
        let mut exact = None;
        let mut len = aligner.overlap.max(1);
        while len < aligner.len {
            let errors = aligner.allowed(part(len));
            let next = (len..aligner.len).find(|len| aligner.allowed(part(*len)) > errors).unwrap_or(aligner.len);
            if errors == 0 {
                let position = |bit: usize| if is_end { bit } else { aligner.len - 1 - bit };
                exact = Some(ExactOverlap::new(aligner, len..next, position));
            } else {
                groups.push(Group { pieces: split(part(len), errors + 1)?, reach: next - 1 + errors });
            }
            len = next;
        }
        Some(Self { scans: Scan::pack(aligner, groups)?, exact })
    }
}

/// Splits positions into `count` pieces of almost the same length; `None` if one would be empty.
fn split(positions: Range<usize>, count: usize) -> Option<Vec<Range<usize>>> {
    if count > positions.len() {
        return None;
    }
    let bound = |number: usize| positions.start + positions.len() * number / count;
    Some((0..count).map(|number| bound(number)..bound(number + 1)).collect())
}
