//! The bases of a haplotype around its alternative alleles, and their positions in the reference.

use super::allele::Allele;
use super::paths::Path;
use super::place::Place;
use super::windows::RecordWindows;
use std::ops::Range;

/// A haplotype: the reference with the alleles of a path.
///
/// ```text
/// reference  CCGA    TTGCA
/// haplotype  CCGAxxxxTT-CA     the place of the second x is (4, 2)
/// ```
#[derive(Debug)]
pub(super) struct Haplotype {
    pieces: Vec<Piece>,
}

/// Bases that are an allele's, or the reference's.
#[derive(Debug)]
struct Piece {
    /// Positions in the haplotype.
    range: Range<u64>,
    /// Positions in the reference.
    replaced: Range<u64>,
    allele: Option<usize>,
}

impl Haplotype {
    /// Makes the haplotype of a path, with all bases that a site may cover, and adds its bases to
    /// `text`. `None` if they are not all in the windows.
    pub fn new(path: &Path, alleles: &[Allele], windows: &RecordWindows, text: &mut Vec<u8>) -> Option<Self> {
        let mut own = Self { pieces: Vec::with_capacity(2 * path.alleles.len() + 1) };
        let mut position = path.start;
        for &allele in &path.alleles {
            let replaced = alleles[allele].replaced();
            let before = windows.bases(position..replaced.start)?;
            own.push(before, position..replaced.start, None);
            text.extend_from_slice(before);
            let bases = alleles[allele].bases();
            own.push(bases, replaced.clone(), Some(allele));
            text.extend_from_slice(bases);
            position = replaced.end;
        }
        let end = position.saturating_add(path.left).min(windows.len());
        let behind = windows.bases(position..end)?;
        own.push(behind, position..end, None);
        text.extend_from_slice(behind);
        Some(own)
    }

    fn push(&mut self, bases: &[u8], replaced: Range<u64>, allele: Option<usize>) {
        let start = self.pieces.last().map_or(0, |piece| piece.range.end);
        self.pieces.push(Piece { range: start..start + bases.len() as u64, replaced, allele });
    }

    /// Returns the alleles that a part of the haplotype covers: at least one of their bases, or the
    /// bases on both sides of a deletion.
    pub fn covered(&self, part: &Range<u64>) -> Vec<usize> {
        let is_covered = |piece: &&Piece| {
            let Range { start, end } = piece.range;
            part.start < end && start < part.end
        };
        self.pieces.iter().filter(is_covered).filter_map(|piece| piece.allele).collect()
    }

    /// Returns the place of a base.
    pub fn place(&self, at: u64) -> Place {
        let number = self.pieces.partition_point(|piece| piece.range.end <= at);
        let Some(piece) = self.pieces.get(number) else { return Place { end: 0, inserted: 1 } };
        let offset = at - piece.range.start;
        let replaced = piece.replaced.end - piece.replaced.start;
        match offset.checked_sub(replaced) {
            None => Place::of(piece.replaced.start + offset),
            Some(behind) => Place { end: piece.replaced.end, inserted: behind + 1 },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_covered_alleles() {
        let piece = |range, replaced, allele| Piece { range, replaced, allele };
        // An insertion of 3 bases at 4, a deletion of 6..9, and a substitution at 10.
        let pieces = vec![
            piece(0..4, 0..4, None),
            piece(4..7, 4..4, Some(0)),
            piece(7..9, 4..6, None),
            piece(9..9, 6..9, Some(1)),
            piece(9..10, 9..10, None),
            piece(10..11, 10..11, Some(2)),
        ];
        let own = Haplotype { pieces };
        let places: Vec<_> = (3..11).map(|at| own.place(at)).map(|place| (place.end, place.inserted)).collect();
        assert_eq!(places, [(4, 0), (4, 1), (4, 2), (4, 3), (5, 0), (6, 0), (10, 0), (11, 0)]);
        assert_eq!((own.place(3).start(), own.place(4).start(), own.place(7).start()), (3, 4, 4));
        for (part, covered) in
            [(0..4, &[][..]), (0..5, &[0]), (6..9, &[0]), (7..9, &[]), (8..10, &[1]), (9..10, &[]), (0..11, &[0, 1, 2])]
        {
            assert_eq!(own.covered(&part), covered, "{part:?}");
        }
    }
}
