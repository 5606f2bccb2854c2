//! Sites of guides in a genome with variants, checked against those in all haplotypes.

#![cfg(feature = "io")]

mod common;

use carrywave::error::{Error, InputFault};
use carrywave::guides::{Guides, Pam, PamSide, Variants};
use carrywave::io::sequence::{PartOptions, PartReader};
use carrywave::text::Strand;
use common::naive_sites::{Most, expected};
use fastrand::Rng;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;

/// An alternative allele: what it replaces, and its name in the results.
#[derive(Debug, Clone)]
struct Variant {
    line: usize,
    start: usize,
    end: usize,
    bases: Vec<u8>,
    shown: String,
}

/// A line of a VCF file and its alleles.
struct Line {
    text: String,
    alleles: Vec<Variant>,
}

fn text(bases: &[u8]) -> String {
    String::from_utf8_lossy(bases).into_owned()
}

/// Returns a random line at a position.
fn random_line(line: usize, record: &str, genome: &[u8], at: usize, random: &mut Rng) -> Line {
    let mut base = |not: u8| *b"ACGT".iter().filter(|&&base| base != not).nth(random.usize(..3)).unwrap();
    let first = genome[at];
    let (reference, alternatives) = match random_kind(at, line) {
        0 => (vec![first], vec![vec![base(first)]]),
        1 => {
            let one = base(first);
            let other = *b"ACGT".iter().find(|&&base| base != first && base != one).unwrap();
            (vec![first], vec![vec![one], vec![other]])
        }
        2 => (vec![first], vec![vec![first, base(0), base(0)]]),
        3 => (genome[at..at + 3].to_vec(), vec![vec![first]]),
        4 => (genome[at..at + 2].to_vec(), vec![vec![base(first), base(genome[at + 1])]]),
        // An insertion and a deletion in one line.
        _ => (genome[at..at + 2].to_vec(), vec![vec![first], vec![first, base(0), genome[at + 1]]]),
    };
    let shown = |alternative: &Vec<u8>| format!("{record}:{}:{}>{}", at + 1, text(&reference), text(alternative));
    let allele = |alternative: &Vec<u8>| {
        let prefix = reference.iter().zip(alternative).take_while(|(a, b)| a == b).count();
        let rest = [&reference[prefix..], &alternative[prefix..]];
        let suffix = rest[0].iter().rev().zip(rest[1].iter().rev()).take_while(|(a, b)| a == b).count();
        Variant {
            line,
            start: at + prefix,
            end: at + reference.len() - suffix,
            bases: alternative[prefix..alternative.len() - suffix].to_vec(),
            shown: shown(alternative),
        }
    };
    let alleles = alternatives.iter().map(allele).collect();
    let alternatives: Vec<String> = alternatives.iter().map(|own| text(own)).collect();
    let text = format!("{record}\t{}\t.\t{}\t{}\t.\t.\t.", at + 1, text(&reference), alternatives.join(","));
    Line { text, alleles }
}

/// All kinds of lines come up, at most positions.
fn random_kind(at: usize, line: usize) -> usize {
    (at * 7 + line) % 6
}

/// Returns true if one haplotype can have both, the first before the second.
fn are_apart(a: &Variant, b: &Variant) -> bool {
    a.line != b.line && a.end <= b.start && (a.start, a.end) != (b.start, b.end)
}

/// A base of a haplotype: its place in the reference (position behind it, number of inserted
/// bases), and the allele that it is part of.
#[derive(Debug, Clone, Copy)]
struct Base {
    base: u8,
    end: usize,
    inserted: usize,
    allele: Option<usize>,
}

/// Returns the bases of a haplotype, and its deletions: the number of bases before each.
fn haplotype(genome: &[u8], variants: &[Variant], chosen: &[usize]) -> (Vec<Base>, Vec<(usize, usize)>) {
    let (mut bases, mut deletions, mut at) = (Vec::new(), Vec::new(), 0);
    let reference =
        |from: usize, to: usize| (from..to).map(|at| Base { base: genome[at], end: at + 1, inserted: 0, allele: None });
    for &number in chosen {
        let Variant { start, end, bases: own, .. } = &variants[number];
        bases.extend(reference(at, *start));
        for (index, &base) in own.iter().enumerate() {
            let inserted = (index + 1).saturating_sub(end - start);
            bases.push(Base { base, end: (start + index + 1).min(*end), inserted, allele: Some(number) });
        }
        if own.is_empty() {
            deletions.push((bases.len(), number));
        }
        at = *end;
    }
    bases.extend(reference(at, genome.len()));
    (bases, deletions)
}

/// A site as a test compares it: start, end, strand, guide, mismatches, DNA and RNA bulges, and the
/// variants.
type Row = (usize, usize, Strand, usize, u32, u32, u32, Vec<String>);

/// What the sites of one PAM have in common: guide, strand, and place of the outermost base.
type Key = (usize, Strand, (usize, usize));

/// The best site of one PAM with some alleles: edits, bulges, missing bases, and the site.
type Best = (u32, u32, usize, Row);

/// Returns the sites with variants, from those in all haplotypes.
fn sites_in(
    haplotypes: &[Vec<usize>],
    genome: &[u8],
    variants: &[Variant],
    guides: &[Vec<u8>],
    pam: &Pam,
    most: Most,
) -> Vec<Row> {
    let mut best: BTreeMap<Key, BTreeMap<BTreeSet<usize>, Best>> = BTreeMap::new();
    for chosen in haplotypes {
        let (bases, deletions) = haplotype(genome, variants, chosen);
        let symbols: Vec<u8> = bases.iter().map(|base| base.base).collect();
        for (start, end, strand, guide, s, d, r) in expected(&symbols, guides, pam, most) {
            let (start, end) = (start as usize, end as usize);
            let mut covered: BTreeSet<usize> = bases[start..end].iter().filter_map(|base| base.allele).collect();
            covered.extend(deletions.iter().filter(|(at, _)| start < *at && *at < end).map(|(_, allele)| allele));
            let is_at_end = (strand == Strand::Forward) == (pam.side() == PamSide::After);
            let outer = bases[if is_at_end { end - 1 } else { start }];
            let (first, last) = (bases[start], bases[end - 1]);
            let names = covered.iter().map(|&allele| variants[allele].shown.clone()).collect();
            let from = if first.inserted == 0 { first.end - 1 } else { first.end };
            let row = (from, last.end, strand, guide, s, d, r, names);
            let new = (s + d + r, d + r, 1000 - (end - start), row);
            let known = best.entry((guide, strand, (outer.end, outer.inserted))).or_default();
            let site = known.entry(covered).or_insert_with(|| new.clone());
            *site = new.min(site.clone());
        }
    }
    let mut rows = Vec::new();
    for all in best.values() {
        for (covered, (edits, .., row)) in all {
            let is_needless = |(other, known): (&BTreeSet<usize>, &Best)| {
                other.len() < covered.len() && other.is_subset(covered) && known.0 <= *edits
            };
            if !covered.is_empty() && !all.iter().any(is_needless) {
                rows.push(row.clone());
            }
        }
    }
    rows.sort();
    rows
}

/// Returns all combinations of variants that a haplotype may have.
fn combinations(variants: &[Variant]) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    for number in 0..variants.len() {
        let fits = |chosen: &&Vec<usize>| chosen.iter().all(|&before| are_apart(&variants[before], &variants[number]));
        let longer: Vec<_> = all.iter().filter(fits).map(|chosen| [&chosen[..], &[number]].concat()).collect();
        all.extend(longer);
    }
    all
}

const HEADER: &str = "##fileformat=VCFv4.4\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO";

fn read(vcf: &str) -> carrywave::Result<Arc<Variants>> {
    let lines =
        PartReader::from_reader("a.vcf", std::io::Cursor::new(vcf.to_owned()), PartOptions::default().lines(true));
    Ok(Arc::new(Variants::read("a.vcf", lines?)?))
}

/// A record, its lines of VCF, and the haplotypes to compare with.
struct Record {
    name: String,
    genome: Vec<u8>,
    variants: Vec<Variant>,
    haplotypes: Vec<Vec<usize>>,
    lines: Vec<String>,
}

/// Returns a random record. With samples, the lines have phased genotypes of two samples.
fn random_record(name: &str, first_line: usize, samples: bool, random: &mut Rng) -> Record {
    let genome: Vec<u8> = (0..random.usize(40..90)).map(|_| b"ACGT"[random.usize(..4)]).collect();
    let mut positions: Vec<usize> = (0..random.usize(1..5)).map(|_| random.usize(..genome.len() - 3)).collect();
    positions.sort_unstable();
    let lines: Vec<Line> = (0..)
        .zip(&positions)
        .map(|(number, &at)| random_line(first_line + number, name, &genome, at, random))
        .collect();
    let mut variants: Vec<Variant> = lines.iter().flat_map(|line| line.alleles.clone()).collect();
    variants.sort_by_key(|own| (own.start, own.end, own.line));
    variants.dedup_by(|a, b| (a.start, a.end, &a.bases) == (b.start, b.end, &b.bases));
    let mut haplotypes = combinations(&variants);
    let mut lines: Vec<String> = lines.into_iter().map(|line| line.text).collect();
    if samples {
        let own: Vec<Vec<usize>> = (0..4).map(|_| haplotypes[random.usize(..haplotypes.len())].clone()).collect();
        for (number, line) in lines.iter_mut().enumerate() {
            let alternatives: Vec<&str> = line.split('\t').nth(4).unwrap().split(',').collect();
            let allele = |haplotype: &Vec<usize>| {
                let of_line = |&&own: &&usize| variants[own].line == first_line + number;
                let own = haplotype.iter().find(of_line).map(|&own| variants[own].shown.rsplit('>').next().unwrap());
                own.map_or(0, |own| 1 + alternatives.iter().position(|other| *other == own).unwrap())
            };
            let [a, b, c, d] = [0, 1, 2, 3].map(|haplotype| allele(&own[haplotype]));
            write!(line, "\tGT:DP\t{a}|{b}:7\t{c}|{d}").unwrap();
        }
        haplotypes = own;
        haplotypes.push(Vec::new());
    }
    Record { name: name.into(), genome, variants, haplotypes, lines }
}

/// Compares random guides in random genomes, read in small parts. Returns the number of sites.
fn check(seed: u64, samples: bool, part: usize) -> usize {
    let mut random = Rng::with_seed(seed);
    let first = random_record("one", 0, samples, &mut random);
    let second = random_record("two", 100, samples, &mut random);
    let records = [first, second];
    let guides: Vec<Vec<u8>> = (0..3).map(|_| (0..6).map(|_| b"ACGT"[random.usize(..4)]).collect()).collect();
    let pams = [("NG", PamSide::After), ("TV", PamSide::Before), ("GN", PamSide::Before), ("NAN", PamSide::After)];
    let (codes, side) = pams[seed as usize % 4];
    let pam = Pam::new(codes, side).unwrap();
    let mut vcf = HEADER.to_owned() + if samples { "\tFORMAT\tfirst\tsecond" } else { "" };
    let mut fasta = String::new();
    for record in &records {
        record.lines.iter().for_each(|line| vcf += &format!("\n{line}"));
        fasta += &format!(">{} something\n{}\n", record.name, text(&record.genome));
    }
    let variants = read(&(vcf + "\n")).unwrap();
    let mut found = 0;
    for (mismatches, dna, rna, edits) in [(1, 0, 0, 1), (1, 1, 1, 1), (2, 2, 1, 2), (0, 1, 0, 1)] {
        let most = Most { mismatches, dna, rna, edits };
        let job = Guides::new(&guides, pam.clone()).mismatches(mismatches).dna_bulges(dna).rna_bulges(rna).edits(edits);
        let options = PartOptions::default().symbols(part).repeated(part / 2);
        let reader = PartReader::from_reader("a.fa", std::io::Cursor::new(fasta.clone()), options).unwrap();
        let sites: Vec<_> =
            job.prepare().unwrap().stream_with_variants(reader, variants.clone()).map(Result::unwrap).collect();
        let alone = sites.iter().filter(|site| site.variants.is_empty()).count();
        for (number, record) in records.iter().enumerate() {
            let expected = sites_in(&record.haplotypes, &record.genome, &record.variants, &guides, &pam, most);
            let of_record = sites.iter().filter(|site| site.record == number && !site.variants.is_empty());
            let mut rows: Vec<Row> = of_record
                .map(|site| {
                    assert_eq!(site.name.as_deref(), Some(&*record.name));
                    let (start, end) = (site.start as usize, site.end as usize);
                    let (s, d, r) = (site.mismatches, site.dna_bulges, site.rna_bulges);
                    (start, end, site.strand, site.guide, s, d, r, site.variants.clone())
                })
                .collect();
            rows.sort();
            assert_eq!(rows, expected, "seed {seed}, {most:?}, {pam:?}\n{fasta}{:?}", record.lines);
            found += rows.len();
        }
        // Those of the genome come first, as without variants.
        assert!(sites[..alone].iter().all(|site| site.variants.is_empty()));
        let records: Vec<usize> = sites[alone..].iter().map(|site| site.record).collect();
        assert!(records.is_sorted());
        let options = PartOptions::default();
        let reader = PartReader::from_reader("a.fa", std::io::Cursor::new(fasta.clone()), options).unwrap();
        let without: Vec<_> = job_sites(&guides, &pam, most, reader);
        assert_eq!(sites[..alone], without);
    }
    found
}

fn job_sites(guides: &[Vec<u8>], pam: &Pam, most: Most, reader: PartReader) -> Vec<carrywave::guides::Site> {
    let Most { mismatches, dna, rna, edits } = most;
    let job = Guides::new(guides, pam.clone()).mismatches(mismatches).dna_bulges(dna).rna_bulges(rna).edits(edits);
    job.prepare().unwrap().stream(reader).map(Result::unwrap).collect()
}

#[test]
fn sites_are_those_of_all_combinations() {
    let found: usize = (0..60).map(|seed| check(seed, false, [1 << 20, 16][seed as usize % 2])).sum();
    assert!(found > 250, "{found}");
}

#[test]
fn sites_are_those_of_the_haplotypes_of_samples() {
    let found: usize = (0..60).map(|seed| check(seed, true, [1 << 20, 16][seed as usize % 2])).sum();
    assert!(found > 100, "{found}");
}

/// Lines that are no lines of VCF, and variants that do not fit the genome.
#[test]
fn wrong_files_are_refused() {
    for (body, words) in [
        ("one\t5\t.\tA\tG", "line 3 has 5 columns, but the header has 8"),
        ("one\tx5\t.\tA\tG\t.\t.\t.", "line 3: POS is `x5`"),
        ("one\t0\t.\tA\tG\t.\t.\t.", "line 3: POS is `0`"),
        ("one\t18446744073709551615\t.\tACG\tG\t.\t.\t.", "line 3: POS is"),
        ("one\t5\t.\t\tG\t.\t.\t.", "line 3: REF is ``"),
        ("one\t5\t.\tA\tG,?\t.\t.\t.", "line 3: ALT has `?`"),
        ("\t5\t.\tA\tG\t.\t.\t.", "line 3: CHROM is empty"),
        ("#CHROM\tPOS", "line 3 is no header"),
    ] {
        let error = read(&format!("{HEADER}\n{body}\n")).unwrap_err();
        assert!(matches!(error, Error::Input { fault: InputFault::Variants, .. }), "{error}");
        assert!(error.to_string().contains(words), "{error}");
    }
    for (vcf, words) in [("", "no header"), ("one\t5\t.\tA\tG\t.\t.\t.\n", "line 1 comes before the header")] {
        assert!(read(vcf).unwrap_err().to_string().contains(words));
    }
    let samples = format!("{HEADER}\tFORMAT\ta\none\t2\t.\tC\tG\t.\t.\t.\tGT\t0|2\n");
    assert!(read(&samples).unwrap_err().to_string().contains("line 3: the genotype `0|2` of sample 1"));
    for (body, words) in [
        ("one\t2\t.\tG\tA", "line 3: position 2 of one: REF is `G`, but the genome has `C`"),
        ("one\t8\t.\tTA\tT", "line 3: position 8 of one: it ends after the record, which has 8 bases"),
        ("one\t18446744073709551000\t.\tTA\tT", "line 3: position 18446744073709551000 of one: it ends after"),
    ] {
        let variants = read(&format!("{HEADER}\n{body}\t.\t.\t.\n")).unwrap();
        let reader = PartReader::from_reader("a.fa", &b">one\nACGTACGT\n"[..], PartOptions::default()).unwrap();
        let guides = Guides::new(["ACGTAC"], Pam::named("NG").unwrap()).mismatches(1).prepare().unwrap();
        let mut sites = guides.stream_with_variants(reader, variants);
        let error = sites.find_map(Result::err).unwrap();
        assert!(error.to_string().contains(words), "{error}");
        assert!(sites.next().is_none());
    }
}

/// Of more than 1024 combinations, those with the fewest alleles are searched.
#[test]
fn many_combinations() {
    let mut vcf = HEADER.to_owned();
    let genome = "A".repeat(40) + "TGG" + &"A".repeat(40);
    (0..20).for_each(|at| write!(vcf, "\none\t{}\t.\tA\tC\t.\t.\t.", 21 + at).unwrap());
    let reader =
        PartReader::from_reader("a.fa", std::io::Cursor::new(format!(">one\n{genome}\n")), PartOptions::default());
    let guides = Guides::new(["CCAAAAAAAAAAAAAAAAAA"], Pam::named("NGG").unwrap()).mismatches(0).prepare().unwrap();
    let mut sites = guides.stream_with_variants(reader.unwrap(), read(&vcf).unwrap());
    let site = sites.next().unwrap().unwrap();
    assert_eq!((site.start, &site.variants[..]), (20, &["one:21:A>C".to_string(), "one:22:A>C".into()][..]));
    assert!(sites.next().is_none() && sites.limited() > 0);
}
