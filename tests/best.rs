//! The best match by every engine and algorithm, against the matrix by its recurrence.

use carrywave::Error;
#[cfg(feature = "gpu")]
use carrywave::device::gpu_present;
use carrywave::distance::{Algorithm, Best, BestMatch, best};
use carrywave::lcs::Engine;
use carrywave::search::{Alphabet, Pattern};

const ON_CPU: [Algorithm; 4] = [Algorithm::Auto, Algorithm::CutOff, Algorithm::Myers, Algorithm::Sellers];
const ON_DEVICES: [Algorithm; 4] = [Algorithm::Dmm, Algorithm::Umm, Algorithm::Umm3m, Algorithm::UmmN];

/// What computes here.
fn engines() -> Vec<(Engine, &'static [Algorithm])> {
    #[cfg_attr(not(feature = "gpu"), expect(unused_mut))]
    let mut engines = vec![(Engine::Cpu, &ON_CPU[..]), (Engine::Simt, &ON_DEVICES[..])];
    #[cfg(feature = "gpu")]
    if gpu_present() {
        engines.push((Engine::Gpu, &ON_DEVICES[..]));
    }
    engines
}

/// The errors and gaps of a cell and, negative, where its part begins: the least is the best.
type Cell = (u32, u32, i64);

/// The last row of Sellers' matrix: for each end the best part that ends there.
fn last_row(pattern: &Pattern, text: &[u8]) -> Vec<Cell> {
    let m = pattern.len();
    let gap = |(errors, gaps, start): Cell| (errors + 1, gaps + 1, start);
    // Of parts with one end the longest has the least start.
    let mut d: Vec<Vec<Cell>> = vec![(0..=text.len() as i64).map(|start| (0, 0, start)).collect()];
    for i in 1..=m {
        let mut row = vec![gap(d[i - 1][0])];
        for j in 1..=text.len() {
            let (errors, gaps, start) = d[i - 1][j - 1];
            let replaced = (errors + u32::from(!pattern.classes()[i - 1].contains(text[j - 1])), gaps, start);
            row.push(replaced.min(gap(d[i - 1][j])).min(gap(row[j - 1])));
        }
        d.push(row);
    }
    d.pop().unwrap()
}

/// The least distance and the first end; from there the best of that end, the best of its start, and so on.
fn expected(pattern: &Pattern, text: &[u8]) -> BestMatch {
    let turned: Vec<u8> = text.iter().rev().copied().collect();
    let (by_end, by_start) = (last_row(pattern, text), last_row(&pattern.reversed(), &turned));
    let n = text.len() as i64;
    let distance = by_end.iter().min().unwrap().0;
    let mut end = by_end.iter().position(|cell| cell.0 == distance).unwrap() as i64;
    if distance as usize == pattern.len() {
        return BestMatch { record: 0, distance, start: 0, end: 0 };
    }
    loop {
        let start = by_end[end as usize].2;
        let better = n - by_start[(n - start) as usize].2;
        if better == end {
            return BestMatch { record: 0, distance, start: start as u64, end: end as u64 };
        }
        end = better;
    }
}

#[track_caller]
fn check_pattern(pattern: &Pattern, text: &[u8]) {
    let expected = expected(pattern, text);
    for (engine, algorithms) in engines() {
        for &algorithm in algorithms {
            let found = Best::new(pattern.clone()).engine(engine).algorithm(algorithm).run(text);
            let place = format!("{engine}, {algorithm}, m = {}, n = {}", pattern.len(), text.len());
            assert_eq!(found.expect(&place), expected, "{place}");
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

/// The nearest part is as long as it may be, nearly 2m, or nothing; it lies on every border of the windows.
#[test]
fn parts_on_the_borders_of_windows() {
    let pattern = b"abcdefgh";
    // Each second symbol is between two of the pattern.
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
    let found = Best::new(any.clone()).run(text).unwrap();
    assert_eq!(found, expected(&any, text));
    for algorithm in ON_DEVICES {
        let error = Best::new(any.clone()).engine(Engine::Simt).algorithm(algorithm).run(text).unwrap_err();
        assert!(matches!(&error, Error::Usage(reason) if reason.contains("--engine cpu")), "{error}");
    }
}

#[test]
fn records_are_apart() {
    let text = b"xxabcdexxxabxdexxabcde";
    let pattern = Pattern::literal(b"abcde");
    for (engine, algorithms) in engines() {
        for &algorithm in algorithms {
            let best = Best::new(pattern.clone()).engine(engine).algorithm(algorithm);
            let found = |records: &[_]| {
                let BestMatch { record, distance, start, end } = best.run_in(text, records).unwrap();
                (record, distance, start, end)
            };
            // The first of two as good.
            assert_eq!(found(&[0..9, 10..22]), (0, 0, 2, 7), "{engine}, {algorithm}");
            // The border cuts it.
            assert_eq!(found(&[0..5, 5..16]), (1, 1, 5, 10), "{engine}, {algorithm}");
            assert_eq!(found(&[0..5, 5..16, 16..16, 16..22]), (3, 0, 1, 6), "{engine}, {algorithm}");
            assert_eq!(found(std::slice::from_ref(&(3..3))), (0, 5, 0, 0), "{engine}, {algorithm}");
        }
    }
}

/// Patterns of several words, which are in the text once, more often or not at all, with errors; some with symbols that stand for
/// others.
#[test]
fn patterns_of_several_words_on_the_cpu() {
    let mut random = fastrand::Rng::with_seed(13);
    for case in 0..90 {
        let symbols = [2, 4, 26][case % 3];
        let m = random.usize(60..350);
        let pattern: Vec<u8> = (0..m).map(|_| random.u8(..symbols)).collect();
        let mut text: Vec<u8> = (0..random.usize(0..2500)).map(|_| random.u8(..symbols)).collect();
        let errors = random.usize(0..[3, 20, m][case % 7 % 3]);
        for _ in 0..case % 4 {
            let mut near = pattern.clone();
            for _ in 0..errors {
                let place = random.usize(..near.len());
                match random.usize(..3) {
                    0 => near[place] = random.u8(..symbols),
                    1 => near.insert(place, random.u8(..symbols)),
                    _ if near.len() > 1 => drop(near.remove(place)),
                    _ => {}
                }
            }
            let at = random.usize(..=text.len());
            text.splice(at..at, near);
        }
        let pattern = if case % 5 == 0 { Pattern::with_wildcard(&pattern, 1) } else { Pattern::literal(&pattern) };
        let expected = expected(&pattern, &text);
        for algorithm in ON_CPU {
            let found = Best::new(pattern.clone()).engine(Engine::Cpu).algorithm(algorithm).run(&text).unwrap();
            assert_eq!(found, expected, "case {case}, {algorithm}, m = {m}, n = {}", text.len());
        }
    }
}

/// A long text, in pieces for all cores, with the nearest part anywhere, and a pattern of many words.
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
    // With more errors than a band would be worth.
    text.truncate(2000);
    let pattern: Vec<u8> = (0..1500).map(|_| random.u8(..4)).collect();
    let of = Pattern::literal(&pattern);
    assert_eq!(best(&pattern, &text).unwrap(), expected(&of, &text));
}

#[test]
fn progress_comes_to_the_whole_text() {
    let text = vec![b'a'; 100_000];
    for (engine, n) in [(Engine::Cpu, text.len()), (Engine::Simt, 100)] {
        let done = std::sync::atomic::AtomicU64::new(0);
        let count = |symbols| {
            done.fetch_add(symbols, std::sync::atomic::Ordering::Relaxed);
        };
        Best::new(Pattern::literal(b"bab")).engine(engine).on_progress(&count).run(&text[..n]).unwrap();
        assert_eq!(done.into_inner(), n as u64, "{engine}");
    }
}

#[test]
fn what_is_refused() {
    let usage = |best: Best<'_>, text: &[u8]| match best.run(text) {
        Err(Error::Usage(reason)) => reason,
        other => panic!("{other:?}"),
    };
    let of = |pattern: &[u8]| Best::new(Pattern::literal(pattern));
    assert!(usage(of(b""), b"abc").contains("empty"));
    assert!(usage(of(b"a").engine(Engine::Cpu).algorithm(Algorithm::Dmm), b"abc").contains("simt"));
    assert!(usage(of(b"a").engine(Engine::Simt).algorithm(Algorithm::Myers), b"abc").contains("umm-n"));
    // The simulator has 256 MiB.
    let long = vec![b'a'; 10_000];
    for algorithm in [Algorithm::Dmm, Algorithm::Umm] {
        let reason = usage(of(&long).engine(Engine::Simt).algorithm(algorithm), &long);
        assert!(reason.contains("MiB") && reason.contains("umm-3m"), "{reason}");
    }
    for records in [&[][..], &[2..4, 1..2], std::slice::from_ref(&(0..9))] {
        assert!(matches!(of(b"a").run_in(b"abc", records), Err(Error::Usage(_))), "{records:?}");
    }
}
