//! All alignments of the sites of guides, checked against every way to align a guide beside a match
//! of its PAM.

#![cfg(feature = "io")]

mod common;

use carrywave::guides::{Alignments, Guides, Pam, PamSide, Site};
use carrywave::io::sequence::{PartOptions, PartReader};
use carrywave::text::Strand;
use common::naive_sites::{Most, classes};
use common::texts::reverse_complement;
use fastrand::Rng;

/// An alignment as a test compares it: start, end, strand, guide, and the rows.
type Row = (usize, usize, Strand, usize, String, String);

/// Columns of an alignment so far, as the guide is read.
#[derive(Debug, Clone, Default)]
struct Rows {
    guide: Vec<u8>,
    dna: Vec<u8>,
    mismatches: u32,
    dna_bulges: u32,
    rna_bulges: u32,
}

/// Adds all alignments of a guide with all of a part, within the limits, without a DNA bulge beside
/// an RNA bulge.
fn align(guide: &[u8], part: &[u8], rows: &Rows, most: Most, found: &mut Vec<Rows>) {
    let Rows { mismatches, dna_bulges, rna_bulges, .. } = *rows;
    if mismatches > most.mismatches
        || dna_bulges > most.dna
        || rna_bulges > most.rna
        || mismatches + dna_bulges + rna_bulges > most.edits
    {
        return;
    }
    if guide.is_empty() && part.is_empty() {
        found.push(rows.clone());
    }
    let with = |code: u8, base: u8| {
        let mut rows = rows.clone();
        rows.guide.push(code);
        rows.dna.push(base);
        rows
    };
    if let ([code, guide @ ..], [base, part @ ..]) = (guide, part) {
        let mut rows = with(*code, *base);
        if !classes(&[*code])[0].contains(*base) {
            rows.mismatches += 1;
            rows.dna.last_mut().unwrap().make_ascii_lowercase();
        }
        align(guide, part, &rows, most, found);
    }
    if let [base, part @ ..] = part
        && rows.dna.last() != Some(&b'-')
    {
        align(guide, part, &Rows { dna_bulges: dna_bulges + 1, ..with(b'-', *base) }, most, found);
    }
    if let [code, guide @ ..] = guide
        && rows.guide.last() != Some(&b'-')
    {
        align(guide, part, &Rows { rna_bulges: rna_bulges + 1, ..with(*code, b'-') }, most, found);
    }
}

/// Returns all alignments on the forward strand.
fn on_one_strand(text: &[u8], guides: &[Vec<u8>], pam: &Pam, most: Most) -> Vec<Row> {
    let motif = classes(pam.codes().as_bytes());
    let codes = pam.codes().as_bytes();
    let mut all = Vec::new();
    for at in 0..=text.len() - motif.len() {
        let end = at + motif.len();
        if !motif.iter().zip(&text[at..end]).all(|(class, &base)| class.contains(base)) {
            continue;
        }
        for (number, guide) in guides.iter().enumerate() {
            for len in guide.len().saturating_sub(most.rna as usize)..=guide.len() + most.dna as usize {
                let part = match pam.side() {
                    PamSide::After => at.checked_sub(len).map(|start| start..at),
                    PamSide::Before => Some(end..end + len).filter(|part| part.end <= text.len()),
                };
                let Some(part) = part else { continue };
                let mut found = Vec::new();
                align(guide, &text[part.clone()], &Rows::default(), most, &mut found);
                for Rows { guide, dna, .. } in found {
                    // A DNA bulge at the far end is no part of a site.
                    let far = if pam.side() == PamSide::After { guide.first() } else { guide.last() };
                    if far == Some(&b'-') {
                        continue;
                    }
                    let rows = match pam.side() {
                        PamSide::After => [[&guide[..], codes].concat(), [&dna[..], &text[at..end]].concat()],
                        PamSide::Before => [[codes, &guide[..]].concat(), [&text[at..end], &dna[..]].concat()],
                    };
                    let [guide, dna] = rows.map(|row| String::from_utf8(row).unwrap());
                    all.push((part.start.min(at), part.end.max(end), Strand::Forward, number, guide, dna));
                }
            }
        }
    }
    all
}

fn expected(text: &[u8], guides: &[Vec<u8>], pam: &Pam, most: Most) -> Vec<Row> {
    let mut all = on_one_strand(text, guides, pam, most);
    let n = text.len();
    let turned = on_one_strand(&reverse_complement(text), guides, pam, most);
    let back = |(start, end, _, number, guide, dna)| (n - end, n - start, Strand::Reverse, number, guide, dna);
    all.extend(turned.into_iter().map(back));
    all.sort();
    all
}

fn rows_of(sites: &[Site]) -> Vec<Row> {
    let row = |site: &Site| {
        let Site { start, end, strand, guide, guide_row, dna_row, .. } = site.clone();
        (start as usize, end as usize, strand, guide, guide_row, dna_row)
    };
    let mut rows: Vec<Row> = sites.iter().map(row).collect();
    rows.sort();
    rows
}

/// Asserts that two lists in order are equal; else shows the rows that one of them alone has.
fn assert_same(found: &[Row], expected: &[Row], about: &str) {
    let without = |a: &[Row], b: &[Row]| a.iter().filter(|row| !b.contains(row)).cloned().collect::<Vec<_>>();
    let (more, fewer) = (without(found, expected), without(expected, found));
    assert!(
        found == expected,
        "{about}: {} rows, not {}; {more:?} alone found, {fewer:?} not",
        found.len(),
        expected.len()
    );
}

/// Random guides and texts, in memory and in small parts.
#[test]
fn alignments_are_all_placements() {
    let mut count = 0;
    for seed in 0..40 {
        let mut random = Rng::with_seed(seed);
        let length = random.usize(5..9);
        let base = |at: usize, random: &mut Rng| {
            if at == 2 { b"ACGTN"[random.usize(..5)] } else { b"ACGT"[random.usize(..4)] }
        };
        let guides: Vec<Vec<u8>> = (0..3).map(|_| (0..length).map(|at| base(at, &mut random)).collect()).collect();
        let text: Vec<u8> = (0..random.usize(60..150)).map(|_| b"ACGT"[random.usize(..4)]).collect();
        let pams = [("NGG", PamSide::After), ("TV", PamSide::Before), ("NG", PamSide::After), ("T", PamSide::Before)];
        let (codes, side) = pams[seed as usize % 4];
        let pam = Pam::new(codes, side).unwrap();
        for (mismatches, dna, rna, edits) in [(1, 0, 0, 1), (2, 1, 1, 2), (3, 2, 2, 3), (3, 2, 0, 3), (2, 0, 2, 2)] {
            let most = Most { mismatches, dna, rna, edits };
            let expected = expected(&text, &guides, &pam, most);
            let job = Guides::new(&guides, pam.clone()).mismatches(mismatches).dna_bulges(dna).rna_bulges(rna);
            let job = job.edits(edits).alignments(Alignments::All);
            let sites = job.sites(&text).unwrap();
            assert_same(&rows_of(&sites), &expected, &format!("seed {seed}, {most:?}, {pam:?}"));
            for site in &sites {
                let (mismatches, dna, rna) = (site.mismatches, site.dna_bulges, site.rna_bulges);
                let dashes = |row: &str| row.bytes().filter(|&byte| byte == b'-').count() as u32;
                assert_eq!([dna, rna], [&site.guide_row, &site.dna_row].map(|row| dashes(row)));
                assert_eq!(mismatches, site.dna_row.bytes().filter(u8::is_ascii_lowercase).count() as u32);
                assert_eq!(&site.guide_row[site.pam.clone()], codes);
            }
            let fasta = [b">one\n", &text[..], b"\n"].concat();
            let options = PartOptions::default().symbols(32).repeated(16);
            let reader = PartReader::from_reader("a.fa", std::io::Cursor::new(fasta), options).unwrap();
            let streamed: Vec<Site> = job.prepare().unwrap().stream(reader).map(Result::unwrap).collect();
            assert_same(&rows_of(&streamed), &expected, &format!("seed {seed}, {most:?}, {pam:?}, in parts"));
            count += sites.len();
        }
    }
    assert!(count > 5000, "{count}");
}

/// The best alignment of each site is among all, even if a DNA bulge is beside an RNA bulge there.
#[test]
fn the_best_is_among_all() {
    let mut count = 0;
    for seed in 0..20 {
        let mut random = Rng::with_seed(seed);
        let guide: Vec<u8> = (0..7).map(|_| b"ACGT"[random.usize(..4)]).collect();
        let text: Vec<u8> = (0..200).map(|_| b"ACGT"[random.usize(..4)]).collect();
        let job = Guides::new([guide], Pam::named("NG").unwrap()).mismatches(0).dna_bulges(1).rna_bulges(1).edits(2);
        let best = rows_of(&job.sites(&text).unwrap());
        let all = rows_of(&job.alignments(Alignments::All).sites(&text).unwrap());
        assert!(best.iter().all(|row| all.binary_search(row).is_ok()), "seed {seed}: {best:?}\n{all:?}");
        count += best.len();
    }
    assert!(count > 4, "{count}");
}

/// A site with very many alignments has those with the fewest edits.
#[test]
fn at_most_1000_for_a_site() {
    let text = "A".repeat(24) + "TGG";
    let job = Guides::new(["A".repeat(20)], Pam::named("NGG").unwrap()).mismatches(0).dna_bulges(4);
    let sites = job.alignments(Alignments::All).sites(&text).unwrap();
    assert_eq!((sites.len(), sites.iter().map(Site::edits).max()), (1 + 20 + 210, Some(2)));
}
