//! The sites of guides by their definition: all alignments beside every match of the PAM.

use super::texts::reverse_complement;
use carrywave::guides::{Pam, PamSide, Site};
use carrywave::text::{Alphabet, Class, Pattern, Strand};
use std::collections::BTreeSet;

/// Limits: mismatches, bases in DNA bulges, bases in RNA bulges, and all of them.
#[derive(Debug, Clone, Copy)]
pub struct Most {
    pub mismatches: u32,
    pub dna: u32,
    pub rna: u32,
    pub edits: u32,
}

/// A site as a test compares it: start, end, strand, guide, mismatches, DNA and RNA bulges.
pub type Row = (u64, u64, Strand, usize, u32, u32, u32);

pub fn row_of(site: &Site) -> Row {
    (site.start, site.end, site.strand, site.guide, site.mismatches, site.dna_bulges, site.rna_bulges)
}

pub fn classes(codes: &[u8]) -> Vec<Class> {
    Pattern::parse(codes, Alphabet::Iupac).unwrap().classes().to_vec()
}

/// Returns all (mismatches, DNA bulges, RNA bulges) within the limits of alignments of a guide with
/// all of a part.
pub fn alignments(guide: &[Class], part: &[u8], most: Most) -> BTreeSet<(u32, u32, u32)> {
    let mut table = vec![vec![BTreeSet::new(); part.len() + 1]; guide.len() + 1];
    table[0][0].insert((0, 0, 0));
    for i in 0..=guide.len() {
        for j in 0..=part.len() {
            let mut cell: BTreeSet<(u32, u32, u32)> = table[i][j].clone();
            if i > 0 && j > 0 {
                let wrong = u32::from(!guide[i - 1].contains(part[j - 1]));
                cell.extend(table[i - 1][j - 1].iter().map(|&(s, d, r)| (s + wrong, d, r)));
            }
            if j > 0 {
                cell.extend(table[i][j - 1].iter().map(|&(s, d, r)| (s, d + 1, r)));
            }
            if i > 0 {
                cell.extend(table[i - 1][j].iter().map(|&(s, d, r)| (s, d, r + 1)));
            }
            cell.retain(|&(s, d, r)| s <= most.mismatches && d <= most.dna && r <= most.rna && s + d + r <= most.edits);
            table[i][j] = cell;
        }
    }
    table[guide.len()][part.len()].clone()
}

/// Returns the best site beside each match of the PAM on the forward strand: (start, end, guide,
/// mismatches, DNA bulges, RNA bulges).
pub fn on_one_strand(text: &[u8], guides: &[Vec<u8>], pam: &Pam, most: Most) -> Vec<Row> {
    let motif = classes(pam.codes().as_bytes());
    let mut found = Vec::new();
    for at in 0..(text.len() + 1).saturating_sub(motif.len()) {
        let end = at + motif.len();
        if !motif.iter().zip(&text[at..end]).all(|(class, &base)| class.contains(base)) {
            continue;
        }
        for (number, guide) in guides.iter().enumerate() {
            let guide = classes(guide);
            let (shortest, longest) = (guide.len() - most.rna as usize, guide.len() + most.dna as usize);
            let mut best: Option<(u32, u32, std::cmp::Reverse<usize>, Row)> = None;
            for len in shortest..=longest {
                let part = match pam.side() {
                    PamSide::After => at.checked_sub(len).map(|start| start..at),
                    PamSide::Before => Some(end..end + len).filter(|part| part.end <= text.len()),
                };
                let Some(part) = part else { continue };
                for (s, d, r) in alignments(&guide, &text[part.clone()], most) {
                    let (start, end) = (part.start.min(at) as u64, part.end.max(end) as u64);
                    let row = (start, end, Strand::Forward, number, s, d, r);
                    let found = (s + d + r, d + r, std::cmp::Reverse(len), row);
                    best = Some(best.map_or(found, |best| best.min(found)));
                }
            }
            found.extend(best.map(|(.., row)| row));
        }
    }
    found
}

/// Returns the sites on both strands.
pub fn expected(text: &[u8], guides: &[Vec<u8>], pam: &Pam, most: Most) -> Vec<Row> {
    let mut all = on_one_strand(text, guides, pam, most);
    let n = text.len() as u64;
    let turned = on_one_strand(&reverse_complement(text), guides, pam, most);
    let back = |(start, end, _, guide, s, d, r)| (n - end, n - start, Strand::Reverse, guide, s, d, r);
    all.extend(turned.into_iter().map(back));
    all.sort();
    all
}
