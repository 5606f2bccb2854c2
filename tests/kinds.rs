//! Limits for types of errors, and positions that must match: searches checked against all
//! alignments of all parts of a text.
#![cfg(feature = "simt")]

mod common;

use carrywave::Error;
use carrywave::device::{EngineKind, Simt};
use carrywave::search::{Algorithm, Ends, Hit, ResidentText, Search};
use carrywave::text::{Alphabet, Pattern, Strand, Text};
use common::oracle::occurrences::{Limits, Rule, occurrences_within};
use common::texts::{random, reverse_complement};
use fastrand::Rng;

const RULES: [Rule; 3] = [Rule::EachEnd, Rule::Overlapping, Rule::Apart];

/// Returns a search by a rule.
fn search(patterns: Vec<Pattern>, rule: Rule) -> Search<'static> {
    let ends = if rule == Rule::EachEnd { Ends::All } else { Ends::Best };
    Search::many(patterns).ends(ends).overlapping(rule == Rule::Overlapping)
}

/// Returns a search by a rule, with all limits given.
fn within(patterns: Vec<Pattern>, [k, s, i, d]: Limits, rule: Rule) -> Search<'static> {
    search(patterns, rule).errors(k).substitutions(s).insertions(i).deletions(d)
}

/// Returns limits for a pattern of m symbols: any errors, mismatches only, and others.
fn limits(m: usize, random: &mut Rng) -> Limits {
    let k = random.u32(0..m.min(5) as u32);
    match random.u8(..4) {
        0 => [k, k, 0, 0],
        1 => [k, k, k, k],
        _ => [k, random.u32(0..=k), random.u32(0..=k), random.u32(0..=k)],
    }
}

/// Fixes some positions of the pattern, or none.
fn fixed(pattern: Pattern, random: &mut Rng) -> Pattern {
    let m = pattern.len();
    if random.bool() {
        return pattern;
    }
    pattern.with_fixed((0..m).filter(|_| random.u8(..3) == 0)).unwrap()
}

/// Returns the hits of a pattern on its strands, by the definition.
fn expected(text: &[u8], pattern: &Pattern, number: usize, limits: Limits, rule: Rule, both: bool) -> Vec<Hit> {
    let told = |pattern: &Pattern, strand| {
        let parts = occurrences_within(text, pattern, limits, rule, strand);
        parts.into_iter().map(move |part| part.hit(0, number, strand))
    };
    let mut hits: Vec<Hit> = told(pattern, Strand::Forward).collect();
    if both {
        let reverse = pattern.reverse_complement();
        hits.extend(told(&reverse, Strand::Reverse));
        if reverse == *pattern {
            hits.sort();
            hits.dedup_by_key(|hit| (hit.start, hit.end));
        }
    }
    hits
}

#[test]
fn hits_are_as_they_are_defined() {
    let mut seed = Rng::with_seed(21);
    let mut found = [0; 3];
    for case in 0..1200 {
        let m = seed.usize(1..9);
        let symbols = seed.usize(1..4);
        let pattern = fixed(Pattern::literal(&random(m, symbols, &mut seed)), &mut seed);
        let limits = limits(m, &mut seed);
        let text = random(seed.usize(0..50), symbols, &mut seed);
        for (i, rule) in RULES.into_iter().enumerate() {
            let mut expected = expected(&text, &pattern, 0, limits, rule, false);
            expected.sort();
            let search = within(vec![pattern.clone()], limits, rule);
            let place = format!("case {case}, {rule:?}, {text:?}, {pattern:?}, {limits:?}");
            assert_eq!(search.hits(&text).unwrap(), expected, "{place}");
            assert_eq!(search.count(&text).unwrap(), expected.len() as u64, "{place}");
            found[i] += expected.len();
        }
    }
    assert!(found[0] > found[1] && found[1] > found[2] && found[2] > 1200, "{found:?}");
}

/// Patterns of different lengths and alphabets, each with its own k, in texts on the CPU and on the
/// simulator.
#[test]
fn strands_and_several_patterns() {
    let mut seed = Rng::with_seed(22);
    let (simt, mut found) = (Simt::new(), 0);
    for case in 0..120 {
        let mut letters =
            |n: usize, letters: &[u8]| -> Vec<u8> { (0..n).map(|_| letters[seed.usize(..letters.len())]).collect() };
        let text = letters(60, if case % 3 == 0 { b"AT" } else { b"ACGT" });
        let given: Vec<Vec<u8>> = (0..3).map(|i| letters(3 + (case + 2 * i) % 6, b"ACGTNR")).collect();
        let pattern = |symbols: &Vec<u8>| Pattern::parse(symbols, Alphabet::Iupac).unwrap();
        let patterns: Vec<Pattern> = given.iter().map(|symbols| fixed(pattern(symbols), &mut seed)).collect();
        let [_, s, i, d] = [0; 4].map(|_: u32| seed.u32(0..3));
        let each: Vec<u32> = given.iter().map(|symbols| seed.u32(0..symbols.len().min(4) as u32)).collect();
        for rule in RULES {
            let mut expected: Vec<Hit> = (0..3)
                .flat_map(|number| expected(&text, &patterns[number], number, [each[number], s, i, d], rule, true))
                .collect();
            expected.sort();
            let search = search(patterns.clone(), rule).both_strands(true).substitutions(s).insertions(i).deletions(d);
            let search = search.errors_each(each.clone());
            let place = format!("case {case}, {rule:?}, {}, {patterns:?}", String::from_utf8_lossy(&text));
            assert_eq!(search.hits(&text).unwrap(), expected, "{place}, k = {each:?}, {s} {i} {d}");
            if case % 40 == 1 {
                assert_eq!(search.clone().on(&simt).hits(&text).unwrap(), expected, "{place}");
                let resident = ResidentText::new(&simt, &text).unwrap();
                assert_eq!(search.hits(&resident).unwrap(), expected, "{place}");
                assert_eq!(search.count(&resident).unwrap(), expected.len() as u64, "{place}");
            }
            found += expected.len();
        }
    }
    assert!(found > 2000, "{found}");
}

/// All algorithms of an engine respect the limits: a guide and its PAM, planted with errors of each
/// type, in records and in a file.
#[test]
fn every_algorithm_keeps_to_the_limits() {
    let mut seed = Rng::with_seed(23);
    let mut bases = |n: usize| -> Vec<u8> { (0..n).map(|_| b"ACGT"[seed.usize(..4)]).collect() };
    let guide = bases(20);
    let mut text = bases(1400);
    for number in 0..14 {
        let mut site = [&guide[..], b"TGG"].concat();
        for error in 0..number % 5 {
            site[3 * error + number % 3] ^= 6;
        }
        match number % 7 {
            5 => drop(site.remove(9)),
            6 => site[21] = b'C',
            _ => {}
        }
        if number % 2 == 0 {
            site = reverse_complement(&site);
        }
        text[100 * number..][..site.len()].copy_from_slice(&site);
    }
    let pattern = Pattern::parse(&[&guide[..], b"NGG"].concat(), Alphabet::Iupac).unwrap().with_fixed(20..23).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("text");
    std::fs::write(&path, &text).unwrap();
    let simt = Simt::new();
    let records = [0..510, 510..1005, 1100..1400];
    let in_records = Text::with_records(&text, &records).unwrap();
    for limits in [[0, 0, 0, 0], [2, 2, 0, 0], [3, 3, 0, 0], [3, 3, 1, 1], [3, 1, 0, 1]] {
        let search = within(vec![pattern.clone()], limits, Rule::Apart).both_strands(true);
        let mut expected = expected(&text, &pattern, 0, limits, Rule::Apart, true);
        expected.sort();
        assert!(expected.len() >= 2, "{limits:?}: {expected:?}");
        let recorded = search.hits(&in_records).unwrap();
        for engine in [EngineKind::Cpu, EngineKind::Simt] {
            for algorithm in Algorithm::all_on(engine).chain([Algorithm::AUTO]) {
                let mut search = search.clone().algorithm(algorithm);
                if engine == EngineKind::Simt {
                    // The simulator is slow.
                    if limits != [3, 3, 0, 0] && !algorithm.is_auto() {
                        continue;
                    }
                    search = search.on(&simt);
                }
                match search.hits(&text) {
                    Err(Error::Unsupported { .. }) => continue,
                    found => assert_eq!(found.unwrap(), expected, "{algorithm} of {engine}, {limits:?}"),
                }
                assert_eq!(search.hits(Text::open(&path).unwrap()).unwrap(), expected, "{algorithm} of {engine}");
                assert_eq!(search.hits(&in_records).unwrap(), recorded, "{algorithm} of {engine}");
            }
        }
    }
}

#[test]
fn what_is_not_given() {
    let hits = |search: Search<'_>, text: &str| search.count(text).unwrap();
    let abcdef = || Search::new(Pattern::literal(b"abcdef"));
    // Limits of types without k: k is their sum, and other types are not allowed.
    assert_eq!(hits(abcdef().substitutions(1), "abXdef"), 1);
    assert_eq!(hits(abcdef().substitutions(1), "abdef"), 0);
    assert_eq!(hits(abcdef().substitutions(1).deletions(1), "aXcdf"), 1);
    assert_eq!(hits(abcdef().substitutions(1).deletions(1), "aXYdf"), 0);
    // With k, a type without a limit is limited by k.
    assert_eq!(hits(abcdef().errors(2).substitutions(1), "axbcyedf"), 0);
    assert_eq!(hits(abcdef().errors(2).substitutions(1), "abcyzdef"), 1);
    assert_eq!(hits(abcdef().errors(2).substitutions(1), "abXYef"), 0);
    // A percentage of the length, rounded down.
    assert_eq!(hits(abcdef().errors_percent(16), "abXdef"), 0);
    assert_eq!(hits(abcdef().errors_percent(17), "abXdef"), 1);
    let usage = |search: Search<'_>, word: &str| {
        let error = search.hits("text").unwrap_err();
        let is_refused = matches!(error, Error::Usage { .. } | Error::Pattern { number: 0, .. });
        assert!(is_refused && error.to_string().contains(word), "{error}");
    };
    usage(abcdef().errors_percent(100), "at most 5");
    usage(abcdef().substitutions(3).insertions(3), "at most 5");
    usage(abcdef().errors_each(vec![1, 2]), "for 1 patterns");
    usage(Search::new(Pattern::literal(&[b'a'; 10_000])).errors(9_000).substitutions(10), "insertions and deletions");
    let fixed = Pattern::literal(b"ab").with_fixed([0]).unwrap();
    assert!(matches!(carrywave::best::Best::new(fixed).find(b"text"), Err(Error::Usage { .. })));
}
