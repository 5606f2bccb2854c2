//! One pair of strings in all modes, with all types of equality, on every available engine.
#![cfg(feature = "simt")]
mod common;

use carrywave::Error;
use carrywave::device::{Cpu, Engine, Simt};
use carrywave::distance::{Algorithm, Comparison, Mode, PlacedScript};
use carrywave::text::Equality;
use common::devices::{devices, engines};
use common::oracle::edits;
use common::texts::{relative, text};
use std::ops::Range;

const MODES: [Mode; 4] = [Mode::Global, Mode::Prefix, Mode::Suffix, Mode::Infix];

/// Computes the last row of the table of `a` (the rows) and `b` by the recurrence: D of `a` and
/// each prefix of `b`, or of the nearest part that ends there.
fn last_row(a: &[u8], b: &[u8], anywhere: bool, equal: &dyn Fn(u8, u8) -> bool) -> Vec<u64> {
    let top = |j: usize| if anywhere { 0 } else { j as u64 };
    let replaced = |cell: u64, i: usize, j: usize| cell + u64::from(!equal(a[i - 1], b[j - 1]));
    edits::columns((a.len(), b.len()), top, |cell| cell + 1, replaced).map(|column| column[a.len()]).collect()
}

fn reversed(text: &[u8]) -> Vec<u8> {
    text.iter().rev().copied().collect()
}

/// Returns the distance, and for each end the longest part with that distance; in suffix mode the
/// mirror image of the places of the reversed strings in prefix mode.
fn places(a: &[u8], b: &[u8], mode: Mode, equal: &dyn Fn(u8, u8) -> bool) -> (u64, Vec<Range<u64>>) {
    if mode == Mode::Suffix {
        let n = b.len() as u64;
        let (distance, prefixes) = places(&reversed(a), &reversed(b), Mode::Prefix, equal);
        return (distance, prefixes.iter().rev().map(|prefix| n - prefix.end..n).collect());
    }
    let row = last_row(a, b, mode == Mode::Infix, equal);
    if mode == Mode::Global {
        return (row[b.len()], std::iter::once(0..b.len() as u64).collect());
    }
    let distance = *row.iter().min().unwrap();
    if a.is_empty() {
        return (0, std::iter::once(0..0).collect());
    }
    let start = |end: usize| match mode {
        Mode::Infix => {
            let row = last_row(&reversed(a), &reversed(&b[..end]), false, equal);
            end - (0..=end).rev().find(|&length| row[length] == distance).unwrap()
        }
        _ => 0,
    };
    let ends = (0..=b.len()).filter(|&end| row[end] == distance);
    (distance, ends.map(|end| start(end) as u64..end as u64).collect())
}

/// A relation by its definition, and as the library's type.
type Relation = (&'static str, fn(u8, u8) -> bool, Equality);

fn relations() -> Vec<Relation> {
    /// Returns the nucleotides that a code stands for, as bits A, C, G, T.
    fn bits(symbol: u8) -> usize {
        b"-ACMGRSVTWYHKDBN".iter().position(|&code| code == symbol.to_ascii_uppercase()).unwrap_or(0)
    }
    vec![
        ("exact", |x, y| x == y, Equality::exact()),
        ("case", |x, y| x.eq_ignore_ascii_case(&y), Equality::exact().ignore_case()),
        ("iupac", |x, y| x == y || bits(x) & bits(y) > 0, Equality::exact().iupac()),
        (
            "a chain",
            |x, y| x == y || matches!((x, y), (b'A', b'C') | (b'C', b'A') | (b'C', b'G') | (b'G', b'C')),
            Equality::exact().group(b"AC").group(b"CG"),
        ),
    ]
}

#[track_caller]
fn check(comparison: &Comparison, a: &[u8], b: &[u8], mode: Mode, (name, equal, equality): &Relation, place: &str) {
    let what = format!("{place}, {mode}, {name}: {} × {}", a.len(), b.len());
    let comparison = comparison.clone().mode(mode).equality(equality.clone());
    let (distance, expected) = places(a, b, mode, equal);
    assert_eq!(comparison.distance(a, b).unwrap(), distance, "{what}");
    let found = comparison.places(a, b).unwrap();
    assert_eq!((found.distance, &found.places), (distance, &expected), "{what}");
    let mut ends: Vec<u64> = expected.iter().map(|place| place.end).collect();
    ends.dedup();
    let found = comparison.ends(a, b).unwrap();
    assert_eq!((found.distance, found.ends), (distance, ends), "{what}");
    for maximum in [0, distance / 2, distance.saturating_sub(1), distance, distance + 1, 3 * distance, u64::MAX] {
        let within = (distance <= maximum).then_some(distance);
        assert_eq!(comparison.clone().maximum(maximum).within(a, b).unwrap(), within, "{what}, at most {maximum}");
    }
    let PlacedScript { script, place, .. } = comparison.script_with_place(a, b).unwrap();
    assert_eq!((script.distance(), &place), (distance, &expected[0]), "{what}");
    let part = &b[place.start as usize..place.end as usize];
    assert_eq!((script.a_len() as usize, script.b_len() as usize), (a.len(), part.len()), "{what}");
    for run in script.runs() {
        let (x, y) = (run.a_start as usize, run.b_start as usize);
        assert!((0..run.len as usize).all(|i| equal(a[x + i], part[y + i])), "{what}: {run:?}");
    }
}

/// Returns nucleotide codes in upper and lower case.
fn codes(len: usize, symbols: usize, seed: u64) -> Vec<u8> {
    text(len, symbols, seed).into_iter().map(|symbol| b"ACGTacgtNRYnKE-*"[usize::from(symbol)]).collect()
}

#[test]
fn short_and_longer_strings_on_the_cpu() {
    let (comparison, by_words) =
        (Comparison::new().on(&Cpu::new()), Comparison::new().algorithm(Algorithm::named("bit-parallel").unwrap()));
    let by_cells = Comparison::new().algorithm(Algorithm::named("dp").unwrap());
    let mut seed = 0;
    for m in [0, 1, 2, 20, 64, 65, 130] {
        for n in [0, 1, 3, 40, 129, 300] {
            for symbols in [2, 4, 16] {
                seed += 1;
                let (a, b) = (codes(m, symbols, seed), codes(n, symbols, 1000 + seed));
                for mode in MODES {
                    for relation in &relations() {
                        check(&comparison, &a, &b, mode, relation, "auto");
                        if seed % 5 == 0 {
                            check(&by_words, &a, &b, mode, relation, "words");
                            check(&by_cells, &a, &b, mode, relation, "dp");
                        }
                    }
                }
            }
        }
    }
}

/// Similar strings: the minimum is at few positions, and bands are narrow.
#[test]
fn a_pattern_with_errors_in_a_text() {
    for seed in 0..12 {
        let (m, n) = (150 + 97 * seed as usize, 2500);
        let mut b = text(n, 4, seed);
        let a = relative(&b[300..300 + m], m, 4, 100 + seed);
        if seed % 3 == 0 {
            b.truncate(300 + m / 2);
        }
        for mode in MODES {
            check(&Comparison::new(), &a, &b, mode, &relations()[0], "auto");
            check(&Comparison::new(), &a, &b, mode, &relations()[3], "auto");
        }
    }
}

/// Texts that are cut into pieces, with a pattern that lies across a cut.
#[test]
fn a_text_in_pieces() {
    let mut b = text(1 << 20, 4, 3);
    let a = relative(&text(100, 4, 4), 100, 4, 5);
    for at in [(1 << 18) - 50, (1 << 19) - 1, 900_000] {
        b[at..at + 100].copy_from_slice(&a);
        b[at + 40] ^= 1;
    }
    let places = Comparison::new().mode(Mode::Infix).places(&a, &b).unwrap();
    assert_eq!(places.distance, 1);
    let expected = [(1 << 18) - 50, (1 << 19) - 1, 900_000].map(|at| at..at + 100);
    assert_eq!(places.places, expected);
}

/// Checks the devices alone, and with the CPU for small parts.
#[test]
fn devices_as_the_cpu() {
    for engine in devices() {
        for (m, n, symbols) in [(1, 5, 4), (129, 33, 2), (70, 1100, 20)] {
            let b = text(n, symbols, m as u64);
            let a = relative(&b[n / 3..], m, symbols, 77);
            for mode in MODES {
                let comparison = Comparison::new().on(&*engine);
                let place = engine.kind().to_string();
                check(&comparison, &a, &b, mode, &relations()[0], &place);
                let comparison = comparison.thresholds(1 << 14, 1 << 12);
                check(&comparison, &a, &b, mode, &relations()[1], &place);
            }
        }
    }
}

#[test]
fn devices_refuse_symbols_that_are_equal_to_two_that_differ() {
    let comparison = Comparison::new().equality(Equality::exact().iupac());
    for engine in engines() {
        let is_cpu = engine.kind() == Cpu::new().kind();
        let distance = |a: &[u8], b: &[u8]| comparison.clone().on(&*engine).distance(a, b);
        // Among these symbols, equality is transitive.
        assert_eq!(distance(b"ACGU", b"acgt").unwrap(), 0);
        match distance(b"ACNT", b"ACGT") {
            Ok(distance) => assert!(is_cpu && distance == 0),
            Err(Error::Unsupported { reason, .. }) => assert!(!is_cpu && reason.contains("the CPU"), "{reason}"),
            Err(error) => panic!("{error}"),
        }
    }
    let named = comparison.algorithm(Algorithm::named("wavefront").unwrap()).on(&Simt::new());
    assert!(named.distance(b"ACNT", b"ACGT").is_err());
}
