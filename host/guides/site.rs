//! A site, and its alignment with the guide.

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
}

impl Rows {
    /// Returns the site of a hit. `part` is the text of the hit.
    pub fn site(&self, hit: &Hit, part: &[u8], name: Option<&str>) -> Result<Site> {
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
        let site = |hit: &Hit| {
            let first = text.records().map_or(0, |records| records[hit.record].start as u64);
            let part = text.part(first + hit.start..first + hit.end)?;
            self.site(hit, &part, None)
        };
        hits.par_iter().map(site).collect()
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
