//! A pattern as an engine looks for it: which of the given patterns it is, on which strands, and the hits of its ends.

use super::chains::Piece;
use super::choice::Chooser;
use super::hit::Hit;
use super::occurrence::Occurrence;
use crate::infix::allowed::Allowed;
use crate::text::Strand;

/// A pattern as it is searched for.
#[derive(Debug, Clone)]
pub(super) struct Searched {
    /// Its number among those that were given.
    pub number: usize,
    /// Which strands it stands for: both if it is its own reverse complement.
    pub strands: &'static [Strand],
    /// Which errors it may have.
    pub allowed: Allowed,
}

impl Searched {
    /// Adds the hits of a piece of a chain, in its window of a record. Hits that may not overlap begin, on each strand, at `first` or later.
    pub fn hits(&self, chooser: &Chooser, text: &[u8], piece: &Piece<'_>, first: [u64; 2], hits: &mut Vec<Hit>) {
        let (record, pattern, known) = (piece.record(), self.number, hits.len());
        for &strand in self.strands {
            let hit = |Occurrence { start, end, errors, .. }| Hit { record, start, end, pattern, strand, errors };
            let first = first[strand as usize];
            match chooser.alone(text, piece, strand) {
                Some(one) => hits.extend((one.start >= first).then(|| hit(one))),
                None => hits.extend(chooser.choose(text, piece, strand, first).into_iter().map(hit)),
            }
        }
        if self.strands.len() > 1 {
            // One place on both strands is one hit, on the first strand.
            let mut own = hits.split_off(known);
            own.sort_unstable();
            own.dedup_by_key(|hit| (hit.start, hit.end));
            hits.append(&mut own);
        }
    }
}
