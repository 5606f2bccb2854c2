//! Several anchored adapters of one end, such as barcodes: a read has the nearest, and none if two
//! are equally near.

use super::adapter::SingleAdapter;
use super::alignment::Column;
use super::found::Found;
use foldhash::fast::RandomState;
use hashbrown::HashMap;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Most errors of an adapter that is compared with others.
const MOST: usize = 3;

/// Ends of reads whose adapters are kept.
const KEPT: usize = 1 << 15;

/// Anchored adapters of one end.
#[derive(Debug, Clone)]
pub(super) struct Group {
    members: Vec<Member>,
    is_front: bool,
    /// Lengths that a match may have.
    lens: RangeInclusive<usize>,
}

/// An adapter of a group, and its number among all adapters.
#[derive(Debug, Clone)]
pub(super) struct Member {
    pub number: usize,
    pub adapter: Arc<SingleAdapter>,
}

/// The nearest adapter of a group.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nearest {
    /// Position among the members.
    member: usize,
    /// Length of the match.
    len: usize,
    matches: i64,
    errors: usize,
}

/// Results for ends of reads that have been seen.
pub(super) type Memory = HashMap<Vec<u8>, Option<Nearest>, RandomState>;

impl Group {
    /// Returns true if an adapter can be in a group.
    pub fn takes(adapter: &SingleAdapter) -> bool {
        adapter.place.is_anchored() && !adapter.finder.has_codes && adapter.finder.aligner.most <= MOST
    }

    /// Returns the group of these adapters, all of one end.
    pub fn new(members: Vec<Member>, is_front: bool) -> Self {
        let lens = |member: &Member| {
            let aligner = &member.adapter.finder.aligner;
            let gaps = if aligner.gap == 1 { aligner.most } else { 0 };
            aligner.len.saturating_sub(gaps)..=aligner.len + gaps
        };
        let least = members.iter().map(|member| *lens(member).start()).min().unwrap_or(0);
        let most = members.iter().map(|member| *lens(member).end()).max().unwrap_or(0);
        Self { members, is_front, lens: least.max(1)..=most }
    }

    /// Returns the nearest adapter, by its number among all adapters. O(m^2) for each adapter of
    /// the group, if the end of the read is new.
    pub fn find(&self, read: &[u8], column: &mut Column, memory: &mut Memory) -> Option<(usize, Found)> {
        let affix = self.affix(read, *self.lens.end());
        let nearest = match memory.get(affix) {
            Some(nearest) => *nearest,
            None => {
                let nearest = self.nearest(affix, column);
                if memory.len() == KEPT {
                    memory.clear();
                }
                memory.insert(affix.to_vec(), nearest);
                nearest
            }
        }?;
        let Member { number, adapter } = &self.members[nearest.member];
        let read = if self.is_front { 0..nearest.len } else { read.len() - nearest.len..read.len() };
        let adapter = 0..adapter.finder.aligner.len;
        let found = Found { adapter, read, score: nearest.matches, errors: nearest.errors, is_front: self.is_front };
        Some((*number, found))
    }

    /// Returns the end of a read where the adapters are.
    fn affix<'r>(&self, read: &'r [u8], len: usize) -> &'r [u8] {
        let len = len.min(read.len());
        if self.is_front { &read[..len] } else { &read[read.len() - len..] }
    }

    /// Returns the nearest adapter of an end, of all lengths.
    fn nearest(&self, affix: &[u8], column: &mut Column) -> Option<Nearest> {
        let mut best: Option<Nearest> = None;
        for len in self.lens.clone().rev().filter(|len| *len <= affix.len()) {
            let Some(nearest) = self.nearest_of(self.affix(affix, len), column) else { continue };
            let is_better = best.is_none_or(|best| {
                nearest.matches > best.matches || (nearest.matches == best.matches && nearest.errors < best.errors)
            });
            if is_better {
                best = Some(nearest);
            }
        }
        best
    }

    /// Returns the adapter with most matches to a whole string, if it is the only one. An N of the
    /// string is an A here, and a mismatch in the result.
    fn nearest_of(&self, string: &[u8], column: &mut Column) -> Option<Nearest> {
        let mut whole = string.to_ascii_uppercase();
        let has_n = whole.contains(&b'N');
        whole.iter_mut().filter(|symbol| **symbol == b'N').for_each(|symbol| *symbol = b'A');
        if whole.iter().any(|symbol| !b"ACGT".contains(symbol)) {
            return None;
        }
        let mut best: Option<Nearest> = None;
        let mut is_tie = false;
        for (member, Member { adapter, .. }) in self.members.iter().enumerate() {
            let Some((errors, matches)) = adapter.finder.whole(&whole, column) else { continue };
            match best {
                Some(best) if matches < best.matches => continue,
                Some(best) if matches == best.matches => is_tie = true,
                _ => {}
            }
            best = Some(Nearest { member, len: string.len(), matches, errors });
        }
        let nearest = best.filter(|_| !is_tie)?;
        if !has_n {
            return Some(nearest);
        }
        let found = self.members[nearest.member].adapter.find_with(string, column)?;
        Some(Nearest { matches: found.score, errors: found.errors, ..nearest })
    }
}
