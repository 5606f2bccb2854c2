//! A site, and its alignment with the guide.

use super::alignments::Alignments;
use super::placements::{Column, Limits, Placements};
use crate::alignment::Operation;
use crate::error::Result;
use crate::search::{Aligner, Hit, PatternAlignment};
use crate::text::{Strand, Text, complement};
use rayon::prelude::*;
use std::ops::Range;

/// A site of a guide: a match of the PAM, and the best alignment of the guide beside it. As in the
/// [example](crate::guides).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Site {
    /// Number of the record, 0-based; 0 for a text without records.
    pub record: usize,
    /// Name of the record, if the text comes from a reader and the record has a name.
    pub name: Option<String>,
    /// Start in the record, 0-based, on the forward strand.
    pub start: u64,
    /// End in the record, exclusive, on the forward strand. The PAM is part of the site.
    pub end: u64,
    /// The strand on which the site reads like the guide.
    pub strand: Strand,
    /// Number of the guide, 0-based.
    pub guide: usize,
    /// Number of mismatches.
    pub mismatches: u32,
    /// Number of bases that the site alone has.
    pub dna_bulges: u32,
    /// Number of bases that the guide alone has.
    pub rna_bulges: u32,
    /// The guide with the codes of the PAM, 5' to 3', with `-` at a DNA bulge.
    pub guide_row: String,
    /// The bases of the site, 5' to 3', with `-` at an RNA bulge and mismatches in lower case. As
    /// long as `guide_row`.
    pub dna_row: String,
    /// Columns of the PAM in both rows.
    pub pam: Range<usize>,
    /// The alternative alleles that the site covers, such as `chr1:12345:A>G` with a position from
    /// 1; empty for a site of the text itself.
    pub variants: Vec<String>,
}

impl Site {
    /// Returns the number of mismatches and of bases in bulges. As in the
    /// [example](crate::guides).
    pub fn edits(&self) -> u32 {
        self.mismatches + self.dna_bulges + self.rna_bulges
    }

    /// Returns the columns of the alignment from the PAM outwards, without the PAM. `is_before` is
    /// true if the PAM is before the site.
    fn columns(&self, is_before: bool) -> Vec<Column> {
        let rows = self.guide_row.bytes().zip(self.dna_row.bytes()).enumerate();
        let column = |(_, row): (usize, (u8, u8))| match row {
            (b'-', _) => Column::Dna,
            (_, b'-') => Column::Rna,
            (_, base) if base.is_ascii_lowercase() => Column::Mismatch,
            _ => Column::Match,
        };
        let mut columns: Vec<Column> = rows.filter(|(at, _)| !self.pam.contains(at)).map(column).collect();
        if !is_before {
            columns.reverse();
        }
        columns
    }
}

/// The guides and the aligner, which turn a hit of a search into a site.
#[derive(Debug)]
pub(super) struct Rows {
    /// The guides with their PAM, 5' to 3', in upper case.
    pub guides: Vec<Vec<u8>>,
    /// Number of codes of the PAM.
    pub pam: usize,
    /// Number of bases of the longest site.
    pub longest: u64,
    /// True if the search is for the reverse complements of the guides.
    pub is_turned: bool,
    pub aligner: Aligner,
    pub alignments: Alignments,
    pub limits: Limits,
}

impl Rows {
    /// Returns the chosen alignments of a hit, which is at `range` in a text.
    pub fn sites_of(&self, hit: &Hit, text: &[u8], range: Range<usize>, name: Option<&str>) -> Result<Vec<Site>> {
        let best = self.site(hit, &text[range.clone()], name)?;
        match self.alignments {
            Alignments::Best => Ok(vec![best]),
            Alignments::All => self.all(best, hit, &Outwards { text, range, strand: hit.strand }),
        }
    }

    /// Returns all alignments of a hit, given the best. Those with fewer edits come first.
    fn all(&self, best: Site, hit: &Hit, bases: &Outwards<'_>) -> Result<Vec<Site>> {
        let Some(pattern) = self.aligner.pattern(hit.pattern) else { return Ok(vec![best]) };
        let classes = pattern.classes();
        let own = classes.len() - self.pam;
        let matches = |guide: usize, site: usize| classes[own - 1 - guide].contains(bases.base(self.pam + site));
        let site = bases.len() - self.pam;
        let mut all = Placements::new(own, site, &matches, self.limits)?.all();
        let columns = best.columns(self.is_turned);
        if !all.contains(&columns) {
            all.push(columns);
        }
        let mut sites: Vec<Site> = all.iter().map(|columns| self.placed(&best, columns, bases)).collect();
        sites.sort_by(|a, b| {
            let rank = |site: &Site| (site.edits(), site.dna_bulges + site.rna_bulges, site.start, site.end);
            rank(a).cmp(&rank(b)).then_with(|| (&a.guide_row, &a.dna_row).cmp(&(&b.guide_row, &b.dna_row)))
        });
        Ok(sites)
    }

    /// Returns the site with other columns beside the PAM, which are given from the PAM outwards.
    fn placed(&self, best: &Site, columns: &[Column], bases: &Outwards<'_>) -> Site {
        let guide = &self.guides[best.guide];
        let (mut guide_row, mut dna_row) = (Vec::new(), Vec::new());
        let (mut of_guide, mut of_site) = (0, 0);
        for &column in std::iter::repeat_n(&Column::Match, self.pam).chain(columns) {
            if column == Column::Dna {
                guide_row.push(b'-');
            } else {
                guide_row.push(guide[if self.is_turned { of_guide } else { guide.len() - 1 - of_guide }]);
                of_guide += 1;
            }
            if column == Column::Rna {
                dna_row.push(b'-');
            } else {
                let base = bases.base(of_site).to_ascii_uppercase();
                let base = if self.is_turned { complement(base) } else { base };
                dna_row.push(if column == Column::Mismatch { base.to_ascii_lowercase() } else { base });
                of_site += 1;
            }
        }
        if !self.is_turned {
            guide_row.reverse();
            dna_row.reverse();
        }
        let count = |wanted| columns.iter().filter(|&&column| column == wanted).count() as u32;
        let pam = if self.is_turned { 0 } else { guide_row.len() - self.pam };
        let [guide_row, dna_row] = [guide_row, dna_row].map(|row| String::from_utf8_lossy(&row).into_owned());
        let (start, end) = match bases.strand {
            Strand::Forward => (best.end - of_site as u64, best.end),
            Strand::Reverse => (best.start, best.start + of_site as u64),
        };
        Site {
            start,
            end,
            mismatches: count(Column::Mismatch),
            dna_bulges: count(Column::Dna),
            rna_bulges: count(Column::Rna),
            guide_row,
            dna_row,
            pam: pam..pam + self.pam,
            ..best.clone()
        }
    }

    /// Returns the best site of a hit. `part` is the text of the hit.
    fn site(&self, hit: &Hit, part: &[u8], name: Option<&str>) -> Result<Site> {
        let alignment = self.aligner.align(hit, part)?;
        let strand = match (hit.strand, self.is_turned) {
            (Strand::Forward, false) | (Strand::Reverse, true) => Strand::Forward,
            (Strand::Reverse, false) | (Strand::Forward, true) => Strand::Reverse,
        };
        let [guide, dna] = rows(&self.guides[hit.pattern], part, &alignment, strand);
        // There are no bulges in the PAM.
        let start = if self.is_turned { 0 } else { guide.len() - self.pam };
        let text = |row: Vec<u8>| String::from_utf8_lossy(&row).into_owned();
        Ok(Site {
            record: hit.record,
            name: name.map(str::to_owned),
            start: hit.start,
            end: hit.end,
            strand,
            guide: hit.pattern,
            mismatches: alignment.substitutions() as u32,
            dna_bulges: alignment.insertions() as u32,
            rna_bulges: alignment.deletions() as u32,
            guide_row: text(guide),
            dna_row: text(dna),
            pam: start..start + self.pam,
            variants: Vec::new(),
        })
    }

    /// Returns the position of the outermost base of a site's PAM.
    pub fn outer(&self, site: &Site) -> u64 {
        let is_at_end = (site.strand == Strand::Forward) != self.is_turned;
        if is_at_end { site.end - 1 } else { site.start }
    }

    /// Returns the sites of the hits in a text.
    pub fn sites(&self, text: &Text<'_>, hits: &[Hit]) -> Result<Vec<Site>> {
        let sites = |hit: &Hit| {
            let record = text.records().map_or(0..text.len(), |records| {
                let Range { start, end } = records[hit.record];
                start as u64..end as u64
            });
            let around = if self.alignments == Alignments::All { self.longest } else { 0 };
            let from = hit.start.saturating_sub(around);
            let to = hit.end.saturating_add(around).min(record.end - record.start);
            let part = text.part(record.start + from..record.start + to)?;
            self.sites_of(hit, &part, (hit.start - from) as usize..(hit.end - from) as usize, None)
        };
        let all: Vec<Vec<Site>> = hits.par_iter().map(sites).collect::<Result<_>>()?;
        Ok(all.into_iter().flatten().collect())
    }
}

/// The bases of a text from the outermost base of a hit's PAM on, as the pattern is read from its
/// end.
struct Outwards<'t> {
    text: &'t [u8],
    /// The hit.
    range: Range<usize>,
    strand: Strand,
}

impl Outwards<'_> {
    fn len(&self) -> usize {
        match self.strand {
            Strand::Forward => self.range.end,
            Strand::Reverse => self.text.len() - self.range.start,
        }
    }

    fn base(&self, at: usize) -> u8 {
        match self.strand {
            Strand::Forward => self.text[self.range.end - 1 - at],
            Strand::Reverse => complement(self.text[self.range.start + at]),
        }
    }
}

/// Returns the rows of the guide and of the site, 5' to 3' along the guide. The alignment runs
/// along the forward strand, and `strand` is the site's.
fn rows(guide: &[u8], part: &[u8], alignment: &PatternAlignment, strand: Strand) -> [Vec<u8>; 2] {
    let turned = |row: &[u8]| -> Vec<u8> { row.iter().rev().map(|&symbol| complement(symbol)).collect() };
    let along = if strand == Strand::Forward { guide.to_vec() } else { turned(guide) };
    let upper = part.to_ascii_uppercase();
    let (mut guide_row, mut dna_row) = (Vec::new(), Vec::new());
    for operation in alignment.operations() {
        let len = operation.len() as usize;
        match *operation {
            Operation::Match(run) => {
                guide_row.extend(&along[run.a_start as usize..][..len]);
                dna_row.extend(&upper[run.b_start as usize..][..len]);
            }
            Operation::Substitution { a_start, b_start, .. } => {
                guide_row.extend(&along[a_start as usize..][..len]);
                dna_row.extend(upper[b_start as usize..][..len].to_ascii_lowercase());
            }
            Operation::Deletion { b_start, .. } => {
                guide_row.extend(std::iter::repeat_n(b'-', len));
                dna_row.extend(&upper[b_start as usize..][..len]);
            }
            Operation::Insertion { a_start, .. } => {
                guide_row.extend(&along[a_start as usize..][..len]);
                dna_row.extend(std::iter::repeat_n(b'-', len));
            }
        }
    }
    match strand {
        Strand::Forward => [guide_row, dna_row],
        Strand::Reverse => [turned(&guide_row), turned(&dna_row)],
    }
}
