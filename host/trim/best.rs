//! The best of all adapters.

use super::adapter::{Adapter, Kind};
use super::alignment::Column;
use super::anchored::{Group, Member, Memory};
use super::found::Found;
use std::cmp::Reverse;
use std::ops::Range;
use std::sync::Arc;

/// Adapters. If matches are equal, the first adapter is chosen.
#[derive(Debug, Clone)]
pub(super) struct BestOf {
    pub adapters: Vec<Adapter>,
    singles: Vec<usize>,
    groups: Vec<Group>,
}

/// Memory of a search.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    column: Column,
    /// One for each group.
    memories: Vec<Memory>,
}

/// A match, of a single adapter or of a linked one. The match of a linked 3' adapter has positions
/// in the read without the 5' adapter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Matched {
    /// Number of the adapter.
    pub number: usize,
    pub front: Option<Found>,
    pub back: Option<Found>,
    /// Symbols of the read that the 5' adapter, and the 3' adapter, remove.
    pub removed: [usize; 2],
    /// Symbol before the 3' adapter.
    pub adjacent: Option<u8>,
}

/// Rank of a match: by its score, then by fewer errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank {
    score: i64,
    fewer_errors: Reverse<usize>,
}

impl Rank {
    /// Returns the rank of two matches together.
    pub fn and(self, other: Self) -> Self {
        Self { score: self.score + other.score, fewer_errors: Reverse(self.fewer_errors.0 + other.fewer_errors.0) }
    }
}

impl Matched {
    /// Returns the match of a 5' adapter in a read, and of a 3' adapter in what is left of it.
    fn new(number: usize, read: &[u8], front: Option<Found>, back: Option<Found>) -> Self {
        let rest = front.as_ref().map_or(read, |front| &read[front.kept(read.len())]);
        let removed = [
            front.as_ref().map_or(0, |found| found.removed(read.len())),
            back.as_ref().map_or(0, |found| found.removed(rest.len())),
        ];
        let before = back.as_ref().and_then(|found| found.read.start.checked_sub(1));
        Self { number, front, back, removed, adjacent: before.map(|at| rest[at]) }
    }

    fn single(number: usize, read: &[u8], found: Found) -> Self {
        match found.is_front {
            true => Self::new(number, read, Some(found), None),
            false => Self::new(number, read, None, Some(found)),
        }
    }

    /// Returns the matches, the 5' adapter's first.
    fn both(&self) -> impl Iterator<Item = &Found> {
        self.front.iter().chain(&self.back)
    }

    /// Returns the symbols of a read that the adapter matches, for linked adapters those of both
    /// with a comma.
    pub fn symbols(&self, read: &[u8], is_linked: bool) -> Vec<u8> {
        let rest = self.front.as_ref().map_or(read, |front| &read[front.kept(read.len())]);
        let of = |found: &Option<Found>, part: &[u8]| {
            found.as_ref().map_or(Vec::new(), |found| part[found.read.clone()].to_vec())
        };
        let [front, back] = [of(&self.front, read), of(&self.back, rest)];
        [front, if is_linked { b",".to_vec() } else { Vec::new() }, back].concat()
    }

    /// Returns the sum of the scores.
    pub fn score(&self) -> i64 {
        self.both().map(|found| found.score).sum()
    }

    /// Returns the rank among all matches; the best is the greatest.
    pub fn rank(&self) -> Rank {
        Rank { score: self.score(), fewer_errors: Reverse(self.both().map(|found| found.errors).sum()) }
    }

    /// Returns the part of a read of `len` symbols that stays.
    pub fn kept(&self, len: usize) -> Range<usize> {
        self.both().fold(0..len, |part, found| {
            let kept = found.kept(part.len());
            part.start + kept.start..part.start + kept.end
        })
    }

    /// Returns the part of a read of `len` symbols that stays if the adapters stay.
    pub fn retained(&self, len: usize) -> Range<usize> {
        match (&self.front, &self.back) {
            (Some(front), Some(back)) => front.read.start..back.read.end + front.read.end,
            (Some(only), None) | (None, Some(only)) => only.retained(len),
            (None, None) => 0..len,
        }
    }
}

impl BestOf {
    /// Returns the adapters, ready for a search.
    pub fn new(adapters: Vec<Adapter>) -> Self {
        let mut singles = Vec::new();
        let mut fronts = Vec::new();
        let mut backs = Vec::new();
        for (number, adapter) in adapters.iter().enumerate() {
            match &adapter.kind {
                Kind::Single(single) if Group::takes(single) => {
                    let members = if single.place.is_front() { &mut fronts } else { &mut backs };
                    members.push(Member { number, adapter: Arc::clone(single) });
                }
                _ => singles.push(number),
            }
        }
        let mut groups = Vec::new();
        if fronts.len() < 2 && backs.len() < 2 {
            singles = (0..adapters.len()).collect();
        } else {
            for (members, is_front) in [(fronts, true), (backs, false)] {
                match &members[..] {
                    [] => {}
                    [only] => singles.push(only.number),
                    _ => groups.push(Group::new(members, is_front)),
                }
            }
        }
        Self { adapters, singles, groups }
    }

    /// Returns the best match in a read.
    pub fn find(&self, read: &[u8], scratch: &mut Scratch) -> Option<Matched> {
        let mut best: Option<Matched> = None;
        let mut take = |matched: Matched| {
            if best.as_ref().is_none_or(|best| matched.rank() > best.rank()) {
                best = Some(matched);
            }
        };
        for &number in &self.singles {
            if let Some(matched) = self.find_one(number, read, scratch) {
                take(matched);
            }
        }
        scratch.memories.resize_with(self.groups.len(), Memory::default);
        for (group, memory) in self.groups.iter().zip(&mut scratch.memories) {
            if let Some((number, found)) = group.find(read, &mut scratch.column, memory) {
                take(Matched::single(number, read, found));
            }
        }
        best
    }

    /// Returns the match of one adapter.
    pub fn find_one(&self, number: usize, read: &[u8], scratch: &mut Scratch) -> Option<Matched> {
        let column = &mut scratch.column;
        let linked = match &self.adapters[number].kind {
            Kind::Single(adapter) => {
                return adapter.find_with(read, column).map(|found| Matched::single(number, read, found));
            }
            Kind::Linked(linked) => linked,
        };
        let front = linked.front.find_with(read, column);
        if front.is_none() && linked.needs_front {
            return None;
        }
        let rest = front.as_ref().map_or(read, |front| &read[front.kept(read.len())]);
        let back = linked.back.find_with(rest, column);
        if back.is_none() && (linked.needs_back || front.is_none()) {
            return None;
        }
        Some(Matched::new(number, read, front, back))
    }
}
