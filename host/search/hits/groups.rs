//! Hits from the ends of a pattern in a text whose ends come a few at a time.

use super::chains::{Chains, LONGEST_PIECE, Piece, Rest};
use super::choice::Chooser;
use super::hit::{Beyond, Choice, Hit, Occurrence};
use crate::error::Result;
use crate::infix::End;
use crate::infix::allowed::Allowed;
use crate::memory;
use crate::text::{Pattern, Strand, Text};

/// A pattern of a search, with its strands and limits.
#[derive(Debug, Clone)]
pub(in crate::search) struct Searched {
    /// Number of the pattern among the given ones.
    pub number: usize,
    /// The strands of the pattern: both if it is its own reverse complement.
    pub strands: &'static [Strand],
    /// The limits on the pattern's errors.
    pub allowed: Allowed,
}

impl Searched {
    /// Adds the hits of a piece of a chain, in its window of a record. Hits that may not overlap
    /// start, on each strand, at `first` or later.
    pub fn hits(&self, chooser: &Chooser, text: &[u8], piece: &Piece<'_>, first: [u64; 2], hits: &mut Vec<Hit>) {
        let (record, pattern, known) = (piece.record(), self.number, hits.len());
        for &strand in self.strands {
            let hit = |Occurrence { start, end, errors, .. }| Hit {
                record,
                start,
                end,
                pattern,
                strand,
                errors,
                beyond: Beyond::NONE,
            };
            let first = first[strand as usize];
            match chooser.alone(text, piece, strand) {
                Some(one) => hits.extend((one.start >= first).then(|| hit(one))),
                None => hits.extend(chooser.choose(text, piece, strand, first).into_iter().map(hit)),
            }
        }
        if self.strands.len() > 1 {
            // A part that is a hit on both strands is reported once, on the first strand.
            let mut own = hits.split_off(known);
            own.sort_unstable();
            own.dedup_by_key(|hit| (hit.start, hit.end));
            hits.append(&mut own);
        }
    }
}

/// The ends of a pattern in a text that comes in parts, in chains.
pub(in crate::search) struct Groups<'s> {
    searched: &'s Searched,
    chooser: Chooser,
    chains: Chains,
    /// The undecided part of the last chain.
    rest: Rest,
}

impl<'s> Groups<'s> {
    pub fn new(searched: &'s Searched, pattern: &Pattern, choice: Choice) -> Self {
        let chooser = Chooser::new(pattern, searched.allowed, choice);
        let chains = Chains::new(chooser.longest(), LONGEST_PIECE, choice);
        Self { searched, chooser, chains, rest: Rest::default() }
    }

    /// Takes ends that follow all earlier ones. Returns the hits that no later end can change.
    pub fn add(&mut self, text: &Text<'_>, ends: Vec<End>) -> Result<Vec<Hit>> {
        let known = ends.last().map(|last| (0, last.end));
        if known.is_none() {
            return Ok(Vec::new());
        }
        self.hits(text, ends, known)
    }

    /// Returns the remaining hits.
    pub fn finish(mut self, text: &Text<'_>) -> Result<Vec<Hit>> {
        self.hits(text, Vec::new(), None)
    }

    fn hits(&mut self, text: &Text<'_>, ends: Vec<End>, known: Option<(usize, u64)>) -> Result<Vec<Hit>> {
        let before = std::mem::take(&mut self.rest);
        let mut all = before.ends.clone();
        memory::reserve(&mut all, ends.len(), "the ends of occurrences")?;
        all.extend(ends.into_iter().map(|end| (0, end)));
        let (pieces, mut rest) = self.chains.pieces(&all, &before, known);
        let hits = self.chains.hits(&pieces, &before, rest.as_mut(), |piece, first, hits| {
            let window = text.part(self.chooser.window(piece))?;
            self.searched.hits(&self.chooser, &window, piece, first, hits);
            Ok(())
        })?;
        self.rest = rest.unwrap_or_default();
        Ok(hits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infix::allowed::Allowed;
    use crate::infix::sellers;
    use crate::search::{Ends, Search};
    use crate::text::Strand;

    /// Finds the hits of ends that come a few at a time, in pieces of `piece` symbols.
    fn in_parts(text: &[u8], pattern: &Pattern, k: u32, choice: Choice, piece: u64, seed: u64) -> Vec<Hit> {
        let mut random = fastrand::Rng::with_seed(seed);
        let searched = Searched { number: 0, strands: &[Strand::Forward], allowed: Allowed::any(k) };
        let ends = sellers::ends(text, pattern, k);
        let text = Text::from(text);
        let mut groups = Groups::new(&searched, pattern, choice);
        groups.chains = Chains::new(groups.chooser.longest(), piece, choice);
        let (mut found, mut rest) = (Vec::new(), &ends[..]);
        while !rest.is_empty() {
            let (some, later) = rest.split_at(random.usize(..=rest.len().min(4)));
            found.extend(groups.add(&text, some.to_vec()).unwrap());
            rest = later;
        }
        found.extend(groups.finish(&text).unwrap());
        found.sort_unstable();
        found
    }

    #[test]
    fn groups_that_come_in_parts() {
        let mut random = fastrand::Rng::with_seed(4);
        for seed in 0..300 {
            let symbols: Vec<u8> = (0..random.usize(..600)).map(|_| random.u8(..2)).collect();
            let pattern: Vec<u8> = (0..random.usize(2..6)).map(|_| random.u8(..2)).collect();
            let (pattern, k) = (Pattern::literal(&pattern), random.u32(..2));
            for (ends, overlapping, choice) in [
                (Ends::Best, false, Choice::NonOverlapping),
                (Ends::Best, true, Choice::Overlapping),
                (Ends::All, false, Choice::EachEnd),
            ] {
                let search = Search::new(pattern.clone()).errors(k).ends(ends).overlapping(overlapping);
                let expected = search.hits(&symbols).unwrap();
                assert_eq!(in_parts(&symbols, &pattern, k, choice, u64::MAX, seed), expected, "{choice:?}");
                let pieced = in_parts(&symbols, &pattern, k, choice, 1, seed);
                if choice == Choice::NonOverlapping {
                    assert!(pieced.windows(2).all(|pair| pair[0].end <= pair[1].start), "{pieced:?}");
                } else {
                    assert_eq!(pieced, expected, "{choice:?}");
                }
            }
        }
    }
}
