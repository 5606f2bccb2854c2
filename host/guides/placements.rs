//! All alignments of a site: every placement of its bulges.
//!
//! The guide and the site are read from the PAM outwards. A table has, for each position of the
//! guide and each number of bases that are left for bulges, the fewest mismatches of the rest; so
//! every step that is taken leads to an alignment.

use crate::error::Result;
use crate::memory;
use smallvec::SmallVec;

/// Largest number of alignments of a site.
pub(super) const MOST: usize = 1000;

/// A column of an alignment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Column {
    Match,
    Mismatch,
    /// A base that the site alone has.
    Dna,
    /// A base that the guide alone has.
    Rna,
}

/// Limits on an alignment.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    pub mismatches: u32,
    pub dna_bulges: u32,
    pub rna_bulges: u32,
    pub edits: u32,
}

/// A guide and the bases beside its PAM, both from the PAM outwards.
pub(super) struct Placements<'s> {
    /// Number of bases of the guide, without the PAM.
    guide: usize,
    /// Number of bases beside the PAM.
    site: usize,
    /// Returns true if a base of the guide matches a base of the site.
    matches: &'s dyn Fn(usize, usize) -> bool,
    limits: Limits,
    /// The fewest mismatches of the rest, by [`Placements::cell`]; `u32::MAX` for none.
    fewest: Vec<u32>,
}

/// A point on the way to an alignment.
#[derive(Debug, Clone, Copy)]
struct Point {
    /// Number of bases of the guide so far.
    guide: usize,
    /// Number of bases in bulges so far.
    dna: u32,
    rna: u32,
    /// Number of mismatches so far; 0 in the table.
    mismatches: u32,
    /// The last column.
    last: Column,
}

impl<'s> Placements<'s> {
    pub fn new(guide: usize, site: usize, matches: &'s dyn Fn(usize, usize) -> bool, limits: Limits) -> Result<Self> {
        let Limits { dna_bulges, rna_bulges, edits, .. } = limits;
        let rna_bulges = rna_bulges.min(edits).min(guide as u32);
        let limits = Limits { dna_bulges: dna_bulges.min(edits), rna_bulges, ..limits };
        let widths = [guide, limits.dna_bulges as usize, rna_bulges as usize].map(|most| most.saturating_add(1));
        let cells = widths.into_iter().fold(3, usize::saturating_mul);
        let fewest = memory::filled(cells, u32::MAX, "the alignments of a site")?;
        let mut own = Self { guide, site, matches, limits, fewest };
        for at in (0..=guide).rev() {
            for dna in (0..=own.limits.dna_bulges).rev() {
                for rna in (0..=rna_bulges).rev() {
                    for last in [Column::Match, Column::Dna, Column::Rna] {
                        let point = Point { guide: at, dna, rna, mismatches: 0, last };
                        let ends = if at == guide { 0 } else { u32::MAX };
                        let steps = own.steps(point).filter_map(|(column, next)| {
                            own.fewest[own.cell(next)].checked_add(u32::from(column == Column::Mismatch))
                        });
                        let fewest = steps.min().unwrap_or(u32::MAX).min(ends);
                        let cell = own.cell(point);
                        own.fewest[cell] = fewest;
                    }
                }
            }
        }
        Ok(own)
    }

    fn cell(&self, Point { guide, dna, rna, last, .. }: Point) -> usize {
        let last = match last {
            Column::Match | Column::Mismatch => 0,
            Column::Dna => 1,
            Column::Rna => 2,
        };
        let row =
            (guide * (self.limits.dna_bulges as usize + 1) + dna as usize) * (self.limits.rna_bulges as usize + 1);
        3 * (row + rna as usize) + last
    }

    /// Returns the columns that may follow, each with the next point. A DNA bulge is never beside
    /// an RNA bulge, nor behind the whole guide.
    fn steps(&self, point: Point) -> impl Iterator<Item = (Column, Point)> + '_ {
        let Point { guide, dna, rna, mismatches, last } = point;
        // The table has points that no alignment reaches, with more RNA bulges than bases.
        let site = (guide + dna as usize).saturating_sub(rna as usize);
        let has = guide < self.guide;
        let pair = (has && site < self.site).then(|| {
            let column = if (self.matches)(guide, site) { Column::Match } else { Column::Mismatch };
            let mismatches = mismatches + u32::from(column == Column::Mismatch);
            (column, Point { guide: guide + 1, mismatches, last: Column::Match, ..point })
        });
        let is_dna = has && site < self.site && dna < self.limits.dna_bulges && last != Column::Rna;
        let of_site = is_dna.then(|| (Column::Dna, Point { dna: dna + 1, last: Column::Dna, ..point }));
        let is_rna = has && rna < self.limits.rna_bulges && last != Column::Dna;
        let of_guide =
            is_rna.then(|| (Column::Rna, Point { guide: guide + 1, rna: rna + 1, last: Column::Rna, ..point }));
        pair.into_iter().chain(of_site).chain(of_guide)
    }

    /// Returns all alignments, from the PAM outwards. If there are more than [`MOST`], those with
    /// fewer edits than the first one beyond; or [`MOST`] of those with the fewest.
    pub fn all(&self) -> Vec<Vec<Column>> {
        let mut known: Vec<Vec<Column>> = Vec::new();
        for edits in 0..=self.limits.edits {
            let mut found = self.within(edits);
            if found.len() > MOST {
                if known.is_empty() {
                    found.truncate(MOST);
                    known = found;
                }
                break;
            }
            known = found;
        }
        known
    }

    /// Returns alignments with up to `edits` edits: all, or more than [`MOST`].
    fn within(&self, edits: u32) -> Vec<Vec<Column>> {
        let (mut found, mut columns) = (Vec::new(), Vec::new());
        // The points on the way, each with the steps that are not taken yet.
        let start = Point { guide: 0, dna: 0, rna: 0, mismatches: 0, last: Column::Match };
        let mut way = vec![self.open_steps(start, edits)];
        if self.guide == 0 {
            found.push(Vec::new());
        }
        while let Some(open) = way.last_mut() {
            let Some((column, next)) = open.pop() else {
                way.pop();
                columns.pop();
                continue;
            };
            columns.push(column);
            if next.guide == self.guide {
                found.push(columns.clone());
                if found.len() > MOST {
                    break;
                }
            }
            way.push(self.open_steps(next, edits));
        }
        found
    }

    /// Returns the steps that lead to an alignment with up to `edits` edits, the first one last.
    fn open_steps(&self, point: Point, edits: u32) -> SmallVec<[(Column, Point); 3]> {
        let leads = |&(_, next): &(Column, Point)| {
            let least = self.fewest[self.cell(next)].checked_add(next.mismatches);
            least.is_some_and(|least| {
                least <= self.limits.mismatches && least.saturating_add(next.dna + next.rna) <= edits
            })
        };
        let mut open: SmallVec<[_; 3]> = self.steps(point).filter(leads).collect();
        open.reverse();
        open
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(guide: &[u8], site: &[u8], limits: [u32; 4]) -> Vec<String> {
        let [mismatches, dna_bulges, rna_bulges, edits] = limits;
        let matches = |i: usize, j: usize| guide[i] == site[j];
        let limits = Limits { mismatches, dna_bulges, rna_bulges, edits };
        let all = Placements::new(guide.len(), site.len(), &matches, limits).unwrap().all();
        let shown = |columns: Vec<Column>| columns.iter().map(|&column| b"=XDR"[column as usize] as char).collect();
        let mut all: Vec<String> = all.into_iter().map(shown).collect();
        all.sort();
        all
    }

    #[test]
    fn every_placement() {
        assert_eq!(all(b"AC", b"ACG", [0, 1, 1, 1]), ["==", "=R"]);
        assert_eq!(all(b"AC", b"AAC", [0, 1, 0, 1]), ["=D=", "D=="]);
        assert_eq!(all(b"AC", b"AAC", [1, 1, 0, 2]), ["=D=", "=X", "D=="]);
        assert_eq!(all(b"AC", b"A", [0, 0, 1, 1]), ["=R"]);
        assert_eq!(all(b"AC", b"AC", [0, 1, 1, 2]), ["==", "=R"]);
        assert_eq!(all(b"AC", b"", [0, 1, 1, 2]), [""; 0]);
    }

    #[test]
    fn at_most_1000() {
        let count = |limits| all(&[b'A'; 20], &[b'A'; 24], limits).len();
        // One bulge, beside any of the bases.
        assert_eq!(count([0, 1, 0, 1]), 1 + 20);
        assert_eq!(count([0, 2, 0, 2]), 1 + 20 + 210);
        // The third bulge would be too much.
        assert_eq!(count([0, 3, 0, 3]), 1 + 20 + 210);
    }
}
