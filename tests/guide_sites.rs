//! Sites of CRISPR guides with mismatches and bulges, checked against all alignments beside every
//! match of the PAM.

mod common;

use carrywave::device::{Cpu, Engine, Simt};
use carrywave::error::{Error, UsageFault};
use carrywave::guides::{Guides, Pam, PamSide, Site};
use carrywave::search::Algorithm;
use carrywave::text::{Strand, Text};
use common::genomes;
use common::naive_sites::{Most, Row, classes, expected, row_of};
use common::texts::reverse_complement;
use common::vectors::{again_with_less, has_instructions_of};
use fastrand::Rng;

/// Checks the rows of a site's alignment.
fn check_rows(text: &[u8], guide: &[u8], pam: &Pam, site: &Site) {
    let whole = match pam.side() {
        PamSide::Before => [pam.codes().as_bytes(), guide].concat(),
        PamSide::After => [guide, pam.codes().as_bytes()].concat(),
    };
    let part = &text[site.start as usize..site.end as usize];
    let part = if site.strand == Strand::Forward { part.to_vec() } else { reverse_complement(part) };
    let without = |row: &str| row.replace('-', "").to_ascii_uppercase().into_bytes();
    assert_eq!(without(&site.guide_row), whole.to_ascii_uppercase());
    assert_eq!(without(&site.dna_row), part.to_ascii_uppercase());
    assert_eq!(site.guide_row.len(), site.dna_row.len());
    let (mut mismatches, mut dna, mut rna) = (0, 0, 0);
    for (code, base) in site.guide_row.bytes().zip(site.dna_row.bytes()) {
        match (code, base) {
            (b'-', _) => dna += 1,
            (_, b'-') => rna += 1,
            _ => {
                let matches = classes(&[code])[0].contains(base);
                assert_eq!(matches, base.is_ascii_uppercase(), "{site:?}");
                mismatches += u32::from(!matches);
            }
        }
    }
    assert_eq!((mismatches, dna, rna), (site.mismatches, site.dna_bulges, site.rna_bulges), "{site:?}");
}

/// Returns a random text with sites of the guides in it: in either case, with some other letters.
fn random_text(n: usize, guides: &[Vec<u8>], random: &mut Rng) -> Vec<u8> {
    let mut text: Vec<u8> = (0..n).map(|_| b"ACGT"[random.usize(..4)]).collect();
    for number in 0..n / 60 {
        let mut site = guides[number % guides.len()].clone();
        for _ in 0..random.usize(..4) {
            let at = random.usize(..site.len());
            match random.u8(..3) {
                0 => site[at] = b"ACGTNacgt"[random.usize(..9)],
                1 => site.insert(at, b"ACGT"[random.usize(..4)]),
                _ => drop(site.remove(at)),
            }
        }
        let site = [b"TTTA", &site[..], b"AGG"].concat();
        let site = if random.bool() { site } else { reverse_complement(&site) };
        let at = random.usize(..n - site.len());
        text[at..at + site.len()].copy_from_slice(&site);
    }
    text
}

/// Checks the sites in random texts of n symbols. Returns their number.
fn check(engine: &dyn Engine, algorithm: Algorithm, rounds: u64, n: usize) -> usize {
    let mut found = 0;
    for seed in 0..rounds {
        let mut random = Rng::with_seed(seed);
        let length = random.usize(12..24);
        // Some guides have an N, none as part of the PAM.
        let base = |at: usize, random: &mut Rng| match random.u8(..30) {
            0 if (3..length - 3).contains(&at) => b'N',
            other => b"ACGT"[usize::from(other % 4)],
        };
        let guides: Vec<Vec<u8>> =
            (0..random.usize(1..6)).map(|_| (0..length).map(|at| base(at, &mut random)).collect()).collect();
        let pams = [("NGG", PamSide::After), ("TTTV", PamSide::Before), ("NG", PamSide::After), ("T", PamSide::Before)];
        let (codes, side) = pams[seed as usize % 4];
        let pam = Pam::new(codes, side).unwrap();
        let text = random_text(n, &guides, &mut random);
        for (mismatches, dna, rna, edits) in
            [(0, 0, 0, 0), (3, 0, 0, 3), (3, 1, 1, 3), (4, 2, 2, 4), (0, 1, 0, 1), (1, 0, 2, 3)]
        {
            let most = Most { mismatches, dna, rna, edits };
            let expected = expected(&text, &guides, &pam, most);
            let job = Guides::new(&guides, pam.clone()).mismatches(mismatches).dna_bulges(dna).rna_bulges(rna);
            let sites = job.clone().edits(edits).on(engine).algorithm(algorithm).sites(&text);
            if matches!(&sites, Err(Error::Unsupported { .. })) {
                // The classes of N and of a base are not disjoint.
                assert!(!algorithm.is_auto() && guides.iter().any(|guide| guide.contains(&b'N')));
                continue;
            }
            let sites = sites.unwrap();
            let mut rows: Vec<Row> = sites.iter().map(row_of).collect();
            rows.sort();
            assert_eq!(rows, expected, "seed {seed}, {pam:?}, {most:?}");
            sites.iter().for_each(|site| check_rows(&text, &guides[site.guide], &pam, site));
            found += sites.len();
        }
    }
    found
}

#[test]
fn sites_are_those_of_all_alignments() {
    assert!(check(&Cpu::new(), Algorithm::AUTO, 16, 1200) > 300);
}

/// Sites side by side in vectors, with more sites than a vector has bits, and in texts that end
/// anywhere beside them.
#[test]
fn sites_in_vectors() {
    if has_instructions_of("guides") {
        let guides = Algorithm::named("guides").unwrap();
        assert!(check(&Cpu::new(), guides, 24, 1200) > 240);
        assert!(check(&Cpu::new(), guides, 2, 9000) > 100);
        assert!(check(&Cpu::new(), guides, 100, 70) > 10);
    }
}

#[test]
fn every_width_of_vectors() {
    again_with_less(&["simulator"]);
}

#[test]
fn sites_on_the_simulator() {
    assert!(check(&Simt::new(), Algorithm::AUTO, 4, 400) > 20);
}

/// Largest number of bases in each kind of bulge, in the table below.
const BULGES: usize = 2;

/// The fewest mismatches of a guide beside a PAM, by bases in DNA bulges and in RNA bulges; `None`
/// for no alignment. `outwards` are the bases from the PAM on.
type Fewest = [[Option<u32>; BULGES + 1]; BULGES + 1];

/// Computes the table of a guide beside a PAM, symbol by symbol of the guide.
fn fewest(guide: &[u8], outwards: &[u8]) -> Fewest {
    let mut cells: Fewest = [[None; BULGES + 1]; BULGES + 1];
    for (dna, cell) in cells.iter_mut().enumerate() {
        cell[0] = (dna <= outwards.len()).then_some(0);
    }
    for (i, &base) in guide.iter().enumerate() {
        let above = cells;
        for dna in 0..=BULGES {
            for rna in 0..=BULGES {
                // The number of bases of the site up to here.
                let used = (i + 1 + dna).checked_sub(rna).filter(|&used| (1..=outwards.len()).contains(&used));
                let pair = used.and_then(|used| Some(above[dna][rna]? + u32::from(outwards[used - 1] != base)));
                let of_guide = rna.checked_sub(1).and_then(|rna| above[dna][rna]);
                let of_site = used.and(dna.checked_sub(1)).and_then(|dna| cells[dna][rna]);
                cells[dna][rna] = pair.into_iter().chain(of_guide).chain(of_site).min();
            }
        }
    }
    cells
}

/// Returns the mismatches, DNA bulges and RNA bulges of the best alignment within the limits.
fn best(table: &Fewest, most: Most) -> Option<(u32, u32, u32)> {
    let all = (0..=most.dna).flat_map(|dna| (0..=most.rna).map(move |rna| (dna, rna)));
    let all = all.filter_map(|(dna, rna)| Some((table[dna as usize][rna as usize]?, dna, rna)));
    let within = all.filter(|&(s, dna, rna)| s <= most.mismatches && s + dna + rna <= most.edits);
    within.min_by_key(|&(s, dna, rna)| (s + dna + rna, dna + rna, BULGES as u32 + rna - dna))
}

/// Compares the sites of guides in the genome of E. coli, within each of the limits, with the best
/// alignment beside every PAM; prints the number of sites. `loosest` includes all of the limits.
fn compare_in_genome(count: usize, loosest: Most, limits: &[Most]) {
    let text = genomes::escherichia_coli().to_ascii_uppercase();
    let n = text.len();
    let mut random = Rng::with_seed(9);
    let guides: Vec<Vec<u8>> = (0..count)
        .map(|number| {
            let at = (random.usize(..n - 30)..n).find(|at| &text[at + 21..at + 23] == b"GG").unwrap();
            let mut guide = text[at..at + 20].to_vec();
            (0..number % 5).for_each(|_| guide[random.usize(..20)] = b"ACGT"[random.usize(..4)]);
            guide
        })
        .collect();
    // For each PAM, the table of each guide that may have a site there.
    let mut tables = Vec::new();
    for (strand, text) in [(Strand::Forward, text.clone()), (Strand::Reverse, reverse_complement(&text))] {
        for at in (0..n - 2).filter(|&at| &text[at + 1..at + 3] == b"GG") {
            let outwards: Vec<u8> = text[at.saturating_sub(22)..at].iter().rev().copied().collect();
            for (number, guide) in guides.iter().enumerate() {
                let turned: Vec<u8> = guide.iter().rev().copied().collect();
                let table = fewest(&turned, &outwards);
                if best(&table, loosest).is_some() {
                    tables.push((strand, at as u64, number, table));
                }
            }
        }
    }
    for &most in limits {
        let row = |&(strand, at, guide, ref table): &(Strand, u64, usize, Fewest)| -> Option<Row> {
            let (s, dna, rna) = best(table, most)?;
            let (start, end) = (at - 20 - u64::from(dna) + u64::from(rna), at + 3);
            let (start, end) = match strand {
                Strand::Forward => (start, end),
                Strand::Reverse => (n as u64 - end, n as u64 - start),
            };
            Some((start, end, strand, guide, s, dna, rna))
        };
        let mut expected: Vec<Row> = tables.iter().filter_map(row).collect();
        expected.sort();
        let job = Guides::new(&guides, Pam::named("SpCas9").unwrap()).mismatches(most.mismatches).edits(most.edits);
        let sites = job.dna_bulges(most.dna).rna_bulges(most.rna).sites(&text).unwrap();
        println!("{most:?}: {} sites", sites.len());
        let mut found: Vec<Row> = sites.iter().map(row_of).collect();
        found.sort();
        assert_eq!(found, expected, "{most:?}");
    }
}

/// 20 guides, mismatches from 0 to 6 with up to two bulges of each kind.
#[test]
#[ignore = "reads the genome from CARRYWAVE_DATA or ../shared/data"]
fn escherichia_coli() {
    let bulges = || (0..=2).flat_map(|dna| (0..=2).map(move |rna| (dna, rna)));
    let of = |mismatches: u32| {
        bulges().map(move |(dna, rna)| Most { mismatches, dna, rna, edits: mismatches.max(dna).max(rna) })
    };
    let limits: Vec<Most> = (0..=6).flat_map(of).collect();
    compare_in_genome(20, Most { mismatches: 6, dna: 2, rna: 2, edits: 6 }, &limits);
}

/// 60 guides with other limits for each kind.
#[test]
#[ignore = "reads the genome from CARRYWAVE_DATA or ../shared/data"]
fn sixty_guides_in_escherichia_coli() {
    let most = Most { mismatches: 4, dna: 2, rna: 1, edits: 5 };
    compare_in_genome(60, most, &[most]);
}

/// Each site is reported once for its PAM, and a DNA bulge is never beyond the PAM.
#[test]
fn one_site_for_each_pam() {
    let guides = [b"GACGCATAAAGATGAGACGC".to_vec()];
    let alone = b"ccGACGCATAAAGATGAGACGCAGGttt";
    let sites = Guides::new(&guides, Pam::named("NGG").unwrap()).dna_bulges(2).sites(alone).unwrap();
    assert_eq!(sites.iter().map(|site| (site.start, site.end)).collect::<Vec<_>>(), [(2, 25)]);
    let text = b"ccGACGCATAAAGATGAGACGCAGGGGtt";
    let sites = Guides::new(&guides, Pam::named("NGG").unwrap()).dna_bulges(2).sites(text).unwrap();
    let told: Vec<_> = sites.iter().map(|site| (site.start, site.end, site.edits())).collect();
    // The PAMs AGG, GGG and GGG: the guide is next to the first one, and one or two bases before
    // the others.
    assert_eq!(told, [(2, 25, 0), (2, 26, 1), (2, 27, 2)]);
}

#[test]
fn records_are_apart() {
    let text = b"GACGCATAAAGATGAGACGCAGGGACGCATAAAGATGAGACGCAGG";
    let guides = Guides::new(["GACGCATAAAGATGAGACGC"], Pam::named("SpCas9").unwrap()).mismatches(0);
    let records = [0..23, 23..46];
    let sites = guides.sites(Text::with_records(text, &records).unwrap()).unwrap();
    assert_eq!(sites.iter().map(|site| (site.record, site.start)).collect::<Vec<_>>(), [(0, 0), (1, 0)]);
    let records = [0..30, 30..46];
    assert_eq!(guides.sites(Text::with_records(text, &records).unwrap()).unwrap().len(), 1);
}

/// A guide may be given with the codes of the PAM, which are not searched for twice.
#[test]
fn guides_with_their_pam() {
    let text = b"ttGACGCATAAAGATGAGACGCAGGtt";
    let pam = Pam::named("NGG").unwrap();
    for guide in ["GACGCATAAAGATGAGACGC", "gacgcataaagatgagacgcngg"] {
        let sites = Guides::new([guide], pam.clone()).sites(text).unwrap();
        assert_eq!((sites.len(), sites[0].guide_row.as_str()), (1, "GACGCATAAAGATGAGACGCNGG"));
    }
    // These bases may be the guide's own.
    let own = Guides::new(["GACGCATAAAGATGAGACGG"], Pam::new("GG", PamSide::After).unwrap());
    assert_eq!(own.sites(b"GACGCATAAAGATGAGACGGGG").unwrap()[0].end, 22);
}

#[test]
fn wrong_guides_are_refused() {
    let pam = || Pam::named("NGG").unwrap();
    let refused = |guides: Guides<'_>| guides.sites(b"ACGT").unwrap_err();
    let wrong = refused(Guides::new(["ACGTACGT", "ACGXACGT"], pam()));
    assert!(matches!(wrong, Error::Pattern { number: 1, fault: UsageFault::Syntax, .. }), "{wrong}");
    let none = refused(Guides::new([""; 0], pam()));
    assert!(matches!(none, Error::Usage { fault: UsageFault::Empty, .. }), "{none}");
    let short = refused(Guides::new(["A"], pam()));
    assert!(matches!(short, Error::Pattern { number: 0, fault: UsageFault::Range, .. }), "{short}");
    assert!(matches!(Pam::named("SpCas8"), Err(Error::UnknownName { .. })));
}
