//! The kernel for mismatches on the simulator, checked against a comparison symbol by symbol: more
//! patterns than a pass takes, with and without fixed positions, in texts that end anywhere in a
//! tile.

use crate::common::texts::reverse_complement;
use carrywave::device::Simt;
use carrywave::search::{Algorithm, Beyond, Ends, Hit, Search};
use carrywave::text::{Alphabet, Pattern, Strand};
use fastrand::Rng;

/// Returns the hits of a pattern, by the definition.
fn sites(text: &[u8], pattern: &Pattern, k: u32, (number, strand): (usize, Strand)) -> Vec<Hit> {
    let m = pattern.len();
    let errors = |part: &[u8]| {
        let wrong: Vec<usize> = (0..m).filter(|&i| !pattern.classes()[i].contains(part[i])).collect();
        (wrong.len() <= k as usize && !wrong.iter().any(|&i| pattern.is_fixed(i))).then_some(wrong.len() as u32)
    };
    let found = text.windows(m).enumerate().filter_map(|(at, part)| Some((at as u64, errors(part)?)));
    found
        .map(|(start, errors)| Hit {
            record: 0,
            start,
            end: start + m as u64,
            pattern: number,
            strand,
            errors,
            beyond: Beyond::NONE,
        })
        .collect()
}

fn bases(n: usize, random: &mut Rng) -> Vec<u8> {
    (0..n).map(|_| b"ACGT"[random.usize(..4)]).collect()
}

#[test]
fn many_guides_in_texts_of_any_length() {
    let mut random = Rng::with_seed(31);
    let simt = Simt::new();
    let mut found = 0;
    for (case, n) in [33, 1023, 1024, 1056, 2100].into_iter().enumerate() {
        let mut text = bases(n, &mut random);
        // Other codes, and letters of both cases that are not bases of a guide.
        for _ in 0..n / 50 {
            text[random.usize(..n)] = b"Nnacgt*R"[random.usize(..8)];
        }
        let (m, count) = [(23, 2), (32, 3), (20, 300), (1, 2), (23, 140)][case];
        let guides: Vec<Pattern> = (0..count)
            .map(|i| {
                let mut guide = bases(m, &mut random);
                if m >= 20 {
                    // Plants the guide in the text, on one of the strands, with up to two
                    // mismatches.
                    let at = random.usize(..n - m + 1);
                    let mut site = guide.clone();
                    site[m - 2..].copy_from_slice(b"GG");
                    site[i % 17] = b'A';
                    site[(3 * i) % 18] = b'C';
                    let site = if i % 2 == 0 { site } else { reverse_complement(&site) };
                    text[at..at + m].copy_from_slice(&site);
                    guide[m - 3..].copy_from_slice(b"NGG");
                }
                let pattern = Pattern::parse(&guide, Alphabet::Iupac).unwrap();
                // Fixed parts of three shapes, so that there are several groups.
                match i % 3 {
                    _ if m < 20 => pattern,
                    0 => pattern.with_fixed(m - 3..m).unwrap(),
                    1 => pattern.with_fixed([0, m - 2, m - 1]).unwrap(),
                    _ => pattern,
                }
            })
            .collect();
        let k = [3, 2, 1, 0, 3][case];
        let search = Search::many(guides.clone()).substitutions(k).ends(Ends::All).both_strands(true).on(&simt);
        let search = search.algorithm(Algorithm::named("mismatches").unwrap());
        let hits = search.hits(&text).unwrap();
        let mut expected = Vec::new();
        for (number, guide) in guides.iter().enumerate() {
            expected.extend(sites(&text, guide, k, (number, Strand::Forward)));
            expected.extend(sites(&text, &guide.reverse_complement(), k, (number, Strand::Reverse)));
        }
        expected.sort();
        assert_eq!(hits, expected, "case {case}");
        assert_eq!(search.count(&text).unwrap(), expected.len() as u64, "case {case}");
        found += expected.len();
    }
    assert!(found > 500, "{found}");
}
