//! CRISPR guides with a PAM: all sites on both strands, checked against a comparison with every
//! part of the text.

mod common;

use carrywave::device::Cpu;
use carrywave::search::{Beyond, Ends, Hit, Search};
use carrywave::text::{Alphabet, Pattern, Strand};
use common::genomes;
use common::texts::reverse_complement;
use common::vectors::again_with_less;
use fastrand::Rng;
use std::path::PathBuf;
use std::time::Instant;

/// Number of bases of a guide.
const BASES: usize = 20;

/// Returns guides from positions where the text has the PAM after them, spread over the text; some
/// with bases changed.
fn guides(text: &[u8], count: usize, random: &mut Rng) -> Vec<Vec<u8>> {
    let has_pam = |at: &usize| {
        &text[at + BASES + 1..at + BASES + 3] == b"GG"
            && text[*at..at + BASES].iter().all(|base| b"ACGT".contains(base))
    };
    let next = |number: usize| (number * (text.len() - 2000) / count..text.len() - 30).find(has_pam).unwrap();
    (0..count)
        .map(|number| {
            let mut guide = text[next(number)..][..BASES].to_vec();
            for _ in 0..number % 4 {
                guide[random.usize(..BASES)] = b"ACGT"[random.usize(..4)];
            }
            guide
        })
        .collect()
}

/// Returns true if a base of the text matches a base of the pattern: in upper or lower case, U as
/// T.
fn is_base(text: u8, base: u8) -> bool {
    let upper = text.to_ascii_uppercase();
    (if upper == b'U' { b'T' } else { upper }) == base
}

/// Returns every site by comparing every part, with up to k mismatches in the bases and none in
/// NGG; on the reverse strand as CCN and the reverse complement.
fn sites(text: &[u8], guides: &[Vec<u8>], k: u32) -> Vec<Hit> {
    let mut found = Vec::new();
    let turned: Vec<Vec<u8>> = guides.iter().map(|guide| reverse_complement(guide)).collect();
    for (start, part) in text.windows(BASES + 3).enumerate() {
        let is_any = |base: u8| b"ACGTUN".contains(&base.to_ascii_uppercase());
        let forward = is_base(part[BASES + 1], b'G') && is_base(part[BASES + 2], b'G') && is_any(part[BASES]);
        let reverse = is_base(part[0], b'C') && is_base(part[1], b'C') && is_any(part[2]);
        for (is_there, guides, bases, strand) in
            [(forward, guides, &part[..BASES], Strand::Forward), (reverse, &turned[..], &part[3..], Strand::Reverse)]
        {
            for (pattern, guide) in guides.iter().enumerate().filter(|_| is_there) {
                let errors = guide.iter().zip(bases).filter(|(base, own)| !is_base(**own, **base)).count() as u32;
                if errors <= k {
                    let (start, end) = (start as u64, (start + BASES + 3) as u64);
                    found.push(Hit { record: 0, start, end, pattern, strand, errors, beyond: Beyond::NONE });
                }
            }
        }
    }
    found.sort();
    found
}

/// Returns a search for guides with NGG.
fn search(guides: &[Vec<u8>], k: u32) -> Search<'static> {
    let pattern = |guide: &Vec<u8>| {
        let symbols = [&guide[..], b"NGG"].concat();
        Pattern::parse(&symbols, Alphabet::Iupac).unwrap().with_fixed(BASES..BASES + 3).unwrap()
    };
    Search::many(guides.iter().map(pattern)).substitutions(k).both_strands(true).ends(Ends::All)
}

/// DNA with some lower case, U and N, and guides planted with mismatches: on each strand, at the
/// text's ends and at multiples of 2^17, the ends of the engine's pieces.
#[test]
fn planted_sites() {
    let mut random = Rng::with_seed(31);
    for (n, count) in [(400_000_usize, 3), (140_000, 20), (23, 4), (22, 4), (0, 9)] {
        let mut text: Vec<u8> = (0..n).map(|_| b"ACGT"[random.usize(..4)]).collect();
        let guides: Vec<Vec<u8>> =
            (0..count).map(|_| (0..BASES).map(|_| b"ACGT"[random.usize(..4)]).collect()).collect();
        let mut starts: Vec<usize> = vec![0, n.saturating_sub(23)];
        let borders = (1..=n >> 17).flat_map(|piece| (0..13).map(move |i| (piece << 17) + 60 * i - 400));
        starts.extend(borders.chain((0..40).map(|i| 100 + 50 * i)));
        for (number, start) in starts.into_iter().filter(|start| start + 23 <= n).enumerate() {
            let mut site = [&guides[number % count][..], b"AGG"].concat();
            (0..number % 7).for_each(|_| site[random.usize(..BASES)] = b"ACGTNacgtuR-"[random.usize(..12)]);
            let site = if number % 3 == 0 { reverse_complement(&site) } else { site };
            text[start..start + 23].copy_from_slice(&site);
        }
        for k in [0, 3, 5] {
            let expected = sites(&text, &guides, k);
            assert!(n < 1000 || expected.len() >= 8 + 8 * k as usize, "{} sites, k = {k}", expected.len());
            let search = search(&guides, k);
            assert_eq!(search.hits(&text).unwrap(), expected, "n = {n}, k = {k}");
            assert_eq!(search.count(&text).unwrap(), expected.len() as u64);
            let hits = search.clone().ends(Ends::Best).overlapping(true).hits(&text).unwrap();
            assert_eq!(hits, expected, "n = {n}, k = {k}, overlapping");
        }
    }
}

#[test]
fn mitochondria() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data/humanMito.fa");
    let text = genomes::symbols(&std::fs::read(path).unwrap());
    let mut found = 0;
    for seed in 0..4 {
        let guides = guides(&text, 10, &mut Rng::with_seed(seed));
        for k in [3, 5] {
            let expected = sites(&text, &guides, k);
            assert_eq!(search(&guides, k).hits(&text).unwrap(), expected, "k = {k}");
            found += expected.len();
        }
    }
    assert!(found > 60, "{found}");
}

/// The whole genome of E. coli, on one core; prints the time.
#[test]
#[ignore = "reads the genome from CARRYWAVE_DATA or ../shared/data"]
fn escherichia_coli() {
    let text = genomes::escherichia_coli();
    let one = Cpu::with_threads(1).unwrap();
    for (count, k) in [(20, 3), (20, 5), (200, 3), (1, 3), (1, 5)] {
        let guides = guides(&text, count, &mut Rng::with_seed(32));
        let search = search(&guides, k);
        let mut prepared = search.clone().on(&one).prepare().unwrap();
        let mut seconds: Vec<f64> = (0..5)
            .map(|_| {
                let started = Instant::now();
                prepared.hits(&text).unwrap();
                started.elapsed().as_secs_f64()
            })
            .collect();
        seconds.sort_by(f64::total_cmp);
        let hits = prepared.hits(&text).unwrap();
        println!("{count} guides, k = {k}: {} sites, {:.4} s", hits.len(), seconds[2]);
        if count <= 20 {
            assert_eq!(hits, sites(&text, &guides, k), "{count} guides, k = {k}");
        }
    }
}

#[test]
fn every_width_of_vectors() {
    again_with_less(&[]);
}
