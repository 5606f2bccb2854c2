//! The best match by every engine and algorithm, checked against the matrix by its recurrence.
#![cfg(all(feature = "published", feature = "simt"))]

mod common;

use carrywave::Error;
use carrywave::best::{Algorithm, Best, BestMatch, best};
use carrywave::device::{Cpu, Engine, EngineKind, Simt};
use carrywave::distance::distance;
use carrywave::search::ResidentText;
use carrywave::text::{Alphabet, Pattern, Text};
use common::devices::{devices, engines};
use common::oracle::edits;
use common::texts::{random, with_errors};
use std::sync::atomic::{AtomicU64, Ordering};

/// Returns every available engine with its algorithms, including `auto`.
fn all() -> Vec<(Box<dyn Engine>, Vec<Algorithm>)> {
    let with_algorithms = |engine: Box<dyn Engine>| {
        let algorithms = Algorithm::all_on(engine.kind()).chain([Algorithm::AUTO]).collect();
        (engine, algorithms)
    };
    engines().into_iter().map(with_algorithms).collect()
}

/// Errors and gaps of a cell, and the negative start of its part: the least cell is the best.
type Cell = (u32, u32, i64);

/// Computes the last row of Sellers' table: for each end, the best part that ends there.
fn last_row(pattern: &Pattern, text: &[u8]) -> Vec<Cell> {
    let (m, classes) = (pattern.len(), pattern.classes());
    let differ = |i: usize, j: usize| u32::from(!classes[i - 1].contains(text[j - 1]));
    let columns = edits::columns(
        (m, text.len()),
        // Among parts with the same end, the longest has the least start.
        |j| (0, 0, j as i64),
        |(errors, gaps, start)| (errors + 1, gaps + 1, start),
        |(errors, gaps, start), i, j| (errors + differ(i, j), gaps, start),
    );
    columns.map(|column| column[m]).collect()
}

/// Returns the least distance and the first end with it; then alternates between the best start of
/// that end and the best end of that start.
fn expected(pattern: &Pattern, text: &[u8]) -> (usize, u32, u64, u64) {
    let turned: Vec<u8> = text.iter().rev().copied().collect();
    let (by_end, by_start) = (last_row(pattern, text), last_row(&pattern.reversed(), &turned));
    let n = text.len() as i64;
    let distance = by_end.iter().min().unwrap().0;
    let mut end = by_end.iter().position(|cell| cell.0 == distance).unwrap() as i64;
    if distance as usize == pattern.len() {
        return (0, distance, 0, 0);
    }
    loop {
        let start = by_end[end as usize].2;
        let better = n - by_start[(n - start) as usize].2;
        if better == end {
            return (0, distance, start as u64, end as u64);
        }
        end = better;
    }
}

/// Returns a match as a tuple.
fn parts(BestMatch { record, distance, start, end, .. }: BestMatch) -> (usize, u32, u64, u64) {
    (record, distance, start, end)
}

#[track_caller]
fn check_pattern(pattern: &Pattern, text: &[u8]) {
    let expected = expected(pattern, text);
    for (engine, algorithms) in all() {
        for algorithm in algorithms {
            let found = Best::new(pattern.clone()).on(&*engine).algorithm(algorithm).find(text);
            let place = format!("{}, {algorithm}, m = {}, n = {}", engine.kind(), pattern.len(), text.len());
            assert_eq!(parts(found.expect(&place)), expected, "{place}");
        }
    }
}

#[track_caller]
fn check(pattern: &[u8], text: &[u8]) {
    check_pattern(&Pattern::literal(pattern), text);
}

#[test]
fn lengths_of_all_kinds() {
    let mut random = fastrand::Rng::with_seed(11);
    for m in [1, 2, 7, 32, 40, 65] {
        for n in [0, 1, m - 1, m, m + 1, 3 * m, 3 * m + 1, 5 * m + m / 3] {
            let symbols = random.u8(2..5);
            let [pattern, text] = [m, n].map(|len| (0..len).map(|_| random.u8(..symbols)).collect::<Vec<u8>>());
            check(&pattern, &text);
        }
    }
}

#[test]
fn all_equal_none_equal_and_in_turn() {
    for (m, n) in [(1, 9), (7, 40), (20, 20), (33, 90), (70, 20)] {
        let turns = |len: usize, first: u8| (0..len).map(|i| (i as u8 ^ first) & 1).collect::<Vec<u8>>();
        check(&vec![1; m], &vec![1; n]);
        check(&vec![1; m], &vec![2; n]);
        check(&turns(m, 0), &turns(n, 1));
        check(&turns(m, 0), &vec![1; n]);
        check(&vec![1; m], &turns(n, 0));
    }
}

/// Figure 3 has Y = aaabbbaa, but its text has Y = aaabbbbaa with the distance of the figure.
/// Checks both by the recurrence and by every engine.
#[test]
fn figure_3_and_the_y_of_its_text() {
    let x = b"ababa";
    for (y, expected, part) in [(&b"aaabbbaa"[..], 1, &b"abbba"[..]), (b"aaabbbbaa", 2, b"aaabb")] {
        let mut d = vec![vec![0; y.len() + 1]; x.len() + 1];
        for i in 1..=x.len() {
            d[i][0] = i;
            for j in 1..=y.len() {
                let differ = usize::from(x[i - 1] != y[j - 1]);
                d[i][j] = (d[i][j - 1] + 1).min(d[i - 1][j] + 1).min(d[i - 1][j - 1] + differ);
            }
        }
        assert_eq!(d[x.len()].iter().min(), Some(&expected));
        let found = best(x, y).unwrap();
        assert_eq!(found.distance as usize, expected);
        assert_eq!(&y[found.start as usize..found.end as usize], part);
        check(x, y);
    }
}

/// Section IV of Nakano's paper: three operations turn ababa into aaabbb. For strings without a
/// common symbol the paper gives n + m as the distance of the whole strings; with replacements it
/// is n. The distance to the nearest substring is m.
#[test]
fn section_4_distances() {
    let of = |x: &[u8], y: &[u8]| (distance(x, y).unwrap(), u64::from(best(x, y).unwrap().distance));
    assert_eq!(of(b"ababa", b"aaabbb").0, 3);
    for (m, n) in [(1, 1), (3, 5), (5, 5), (4, 20)] {
        assert_eq!(of(&vec![b'a'; m], &vec![b'b'; n]), (n as u64, m as u64));
        let y: Vec<u8> = (0..n as u8).collect();
        assert_eq!(of(&y[..m], &y), ((n - m) as u64, 0));
    }
}

/// The nearest part has the greatest possible length, nearly 2m, or is empty; it lies on every
/// border of the windows.
#[test]
fn parts_on_the_borders_of_windows() {
    let pattern = b"abcdefgh";
    // Between two symbols of the pattern is an extra one.
    let long = b"axbxcxdxexfxgxh";
    for start in 0..30 {
        let mut text = vec![b'-'; 45];
        text[start..start + long.len()].copy_from_slice(long);
        check(pattern, &text);
    }
    check(pattern, &[b'-'; 45]);
}

#[test]
fn symbols_that_stand_for_others() {
    let dna = Pattern::parse(b"GaTUAC", Alphabet::Dna).unwrap();
    check_pattern(&dna, b"ccccgattacnnGGUUTTACCcgaTtaC");
    let any = Pattern::parse(b"GA.NAC", Alphabet::Iupac).unwrap();
    let text = b"ccccgcttacnnGGUUTTACCcgaTtaC";
    let expected = expected(&any, text);
    for algorithm in Algorithm::all_on(EngineKind::Cpu) {
        assert_eq!(parts(Best::new(any.clone()).algorithm(algorithm).find(text).unwrap()), expected, "{algorithm}");
    }
    for engine in devices() {
        for algorithm in Algorithm::all_on(engine.kind()) {
            let found = Best::new(any.clone()).on(&*engine).algorithm(algorithm).find(text);
            if algorithm.name() == "myers" {
                assert_eq!(parts(found.unwrap()), expected, "{algorithm}");
                continue;
            }
            let error = found.unwrap_err();
            assert!(
                matches!(&error, Error::Unsupported { algorithm: name, .. } if name == algorithm.name()),
                "{error}"
            );
            assert!(error.to_string().contains("stands for several"), "{error}");
        }
    }
}

#[test]
fn records_are_apart() {
    let text = b"xxabcdexxxabxdexxabcde";
    let pattern = Pattern::literal(b"abcde");
    for (engine, algorithms) in all() {
        for algorithm in algorithms {
            let best = Best::new(pattern.clone()).on(&*engine).algorithm(algorithm);
            let found = |records: &[_]| parts(best.find(Text::with_records(text, records).unwrap()).unwrap());
            let place = format!("{}, {algorithm}", engine.kind());
            // The first of two equally good parts.
            assert_eq!(found(&[0..9, 10..22]), (0, 0, 2, 7), "{place}");
            // A border cuts the part.
            assert_eq!(found(&[0..5, 5..16]), (1, 1, 5, 10), "{place}");
            assert_eq!(found(&[0..5, 5..16, 16..16, 16..22]), (3, 0, 1, 6), "{place}");
            assert_eq!(found(std::slice::from_ref(&(3..3))), (0, 5, 0, 0), "{place}");
        }
    }
}

/// Patterns of several words, which occur in the text once, more often or not at all, with errors.
/// In some, symbols stand for several symbols.
#[test]
fn patterns_of_several_words_on_the_cpu() {
    patterns_of_several_words(&Cpu::new(), 90, |_, _| true);
}

/// Nakano's algorithms take longer: the tests above have shorter patterns.
#[test]
fn patterns_of_several_words_on_a_device() {
    let takes = |name: &str, literal: bool| name == "myers" || literal && name == "wavefront";
    patterns_of_several_words(&Simt::new(), 20, takes);
}

fn patterns_of_several_words(engine: &dyn Engine, cases: usize, takes: impl Fn(&str, bool) -> bool) {
    let mut seed = fastrand::Rng::with_seed(13);
    for case in 0..cases {
        let symbols = [2, 4, 26][case % 3];
        let m = seed.usize(60..350);
        let symbols_of_pattern = random(m, symbols, &mut seed);
        let mut text = random(seed.usize(0..2500), symbols, &mut seed);
        let errors = seed.usize(0..[3, 20, m][case % 7 % 3]);
        for _ in 0..case % 4 {
            let near = with_errors(&symbols_of_pattern, errors as u32, symbols, &mut seed);
            let at = seed.usize(..=text.len());
            text.splice(at..at, near);
        }
        let pattern = match case % 5 {
            0 => Pattern::with_wildcard(&symbols_of_pattern, 1),
            _ => Pattern::literal(&symbols_of_pattern),
        };
        let expected = expected(&pattern, &text);
        let literal = pattern.as_literal().is_some();
        for algorithm in Algorithm::all_on(engine.kind()).filter(|own| takes(own.name(), literal)) {
            let found = Best::new(pattern.clone()).on(engine).algorithm(algorithm).find(&text).unwrap();
            assert_eq!(parts(found), expected, "case {case}, {algorithm}, m = {m}, n = {}", text.len());
        }
    }
}

/// A text on a device, searched for several patterns, with and without records.
#[test]
fn texts_that_stay_on_a_device() {
    let mut random = fastrand::Rng::with_seed(14);
    let simt = Simt::new();
    for case in 0..12 {
        let symbols: Vec<u8> = (0..600).map(|_| b'a' + random.u8(..3)).collect();
        let border = random.usize(..=symbols.len());
        let records = [0..border, border..symbols.len()];
        let text = match case % 3 {
            0 => Text::from(&symbols),
            _ => Text::with_records(&symbols, &records).unwrap(),
        };
        let resident = ResidentText::new(&simt, text.clone()).unwrap();
        for m in [1, 20, 40] {
            // The nearest part may cross the border.
            let at = border.saturating_sub(random.usize(..2 * m)).min(symbols.len() - m);
            let pattern = Pattern::literal(&symbols[at..at + m]);
            let best = Best::new(pattern);
            let expected = best.find(text.clone()).unwrap();
            assert_eq!(best.find(&resident).unwrap(), expected, "case {case}, m = {m}");
            for algorithm in Algorithm::all_on(EngineKind::Simt) {
                let found = best.clone().on(&simt).algorithm(algorithm).find(&resident).unwrap();
                assert_eq!(found, expected, "case {case}, m = {m}, {algorithm}");
            }
        }
    }
}

/// A long text, cut into pieces for all cores, with the nearest part anywhere, and a pattern of
/// many words.
#[test]
fn long_texts_and_patterns() {
    let mut random = fastrand::Rng::with_seed(12);
    let mut text: Vec<u8> = (0..200_000).map(|_| random.u8(..4)).collect();
    for (m, at) in [(50, 16_384), (300, 65_536 - 200), (1000, 199_000)] {
        let mut pattern = text[at..at + m].to_vec();
        pattern[m / 2] = 9;
        pattern.remove(m / 3);
        let found = best(&pattern, &text).unwrap();
        assert_eq!((found.distance, found.start, found.end), (2, at as u64, (at + m) as u64));
    }
    // Too many errors for a band to pay off.
    text.truncate(2000);
    let pattern: Vec<u8> = (0..1500).map(|_| random.u8(..4)).collect();
    let of = Pattern::literal(&pattern);
    assert_eq!(parts(best(&pattern, &text).unwrap()), expected(&of, &text));
}

#[test]
fn progress_comes_to_the_whole_text() {
    let text = vec![b'a'; 100_000];
    for (engine, algorithms) in all() {
        let n = if engine.kind() == EngineKind::Cpu { text.len() } else { 100 };
        for algorithm in algorithms {
            let done = AtomicU64::new(0);
            let count = |symbols| {
                done.fetch_add(symbols, Ordering::Relaxed);
            };
            let best = Best::new(Pattern::literal(b"bab")).on(&*engine).algorithm(algorithm).on_progress(&count);
            best.find(&text[..n]).unwrap();
            assert_eq!(done.into_inner(), n as u64, "{}, {algorithm}", engine.kind());
        }
    }
}

#[test]
fn what_is_refused() {
    let of = |pattern: &[u8]| Best::new(Pattern::literal(pattern));
    let named = |name| Algorithm::named(name).unwrap();
    let simt = Simt::new();
    let empty = of(b"").find(b"abc").unwrap_err();
    assert!(matches!(&empty, Error::Usage { reason, .. } if reason.contains("empty")), "{empty}");
    // Algorithms of another engine.
    for (best, words) in [
        (of(b"a").on(&Cpu::new()).algorithm(named("dmm")), ["dmm", "cut-off"]),
        (of(b"a").on(&simt).algorithm(named("cut-off")), ["cut-off", "myers"]),
    ] {
        let error = best.find(b"abc").unwrap_err();
        assert!(matches!(error, Error::Unsupported { .. }), "{error}");
        assert!(words.iter().all(|word| error.to_string().contains(word)), "{error}");
    }
    // The simulator has 256 MiB of memory.
    let long = vec![b'a'; 10_000];
    for name in ["dmm", "umm"] {
        let error = of(&long).on(&simt).algorithm(named(name)).find(&long).unwrap_err();
        let Error::DeviceMemory { needed, free } = error else { panic!("{error}") };
        assert!(needed > 4 * 10_000 * 10_000 && free <= 256 << 20, "{needed} bytes of {free}");
    }
    let two = of(b"a").on(&Simt::several(2).unwrap()).find(b"abc").unwrap_err();
    assert!(matches!(two, Error::Unsupported { .. }) && two.to_string().contains("one GPU"), "{two}");
    for records in [&[2..4, 1..2][..], std::slice::from_ref(&(0..9))] {
        assert!(matches!(Text::with_records(b"abc", records), Err(Error::Usage { .. })), "{records:?}");
    }
    let none = of(b"a").find(Text::with_records(b"abc", &[]).unwrap());
    assert!(matches!(none, Err(Error::Usage { .. })), "{none:?}");
}
