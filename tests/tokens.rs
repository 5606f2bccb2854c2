//! Sequences of any items: lines, words, characters, numbers, with alphabets of 1 to 100,000
//! symbols, on all engines, checked against the recurrence.
#![cfg(feature = "simt")]
mod common;

use carrywave::device::{Cpu, EngineKind};
use carrywave::diff;
use carrywave::internal::lcs::cpu::TokenColumns;
use carrywave::internal::lcs::gpu::WavefrontLcs;
use carrywave::internal::pairwise::{CutRequest, Cuts, Part, Side};
use carrywave::job::Recorder;
use carrywave::lcs::{Algorithm, CommonSubsequence, Comparison, ItemAlgorithm};
use carrywave::text::{Unit, Units};
use carrywave::{Error, lcs_of};
use common::devices::engines;
use common::oracle::lcs::length;
use proptest::prelude::*;

/// Checks that the LCS is a common subsequence of the expected length.
fn check<T: PartialEq + std::fmt::Debug>(lcs: &CommonSubsequence, a: &[T], b: &[T], expected: usize, what: &str) {
    assert_eq!((lcs.a_len(), lcs.b_len(), lcs.len()), (a.len() as u64, b.len() as u64, expected as u64), "{what}");
    for run in lcs.runs() {
        let (x, y, len) = (run.a_start as usize, run.b_start as usize, run.len as usize);
        assert_eq!(a[x..x + len], b[y..y + len], "{what}");
    }
}

/// Returns two sequences with `kinds` different items; if `related`, the second resembles the
/// first.
fn pair(m: usize, n: usize, kinds: u32, related: bool, seed: u64) -> (Vec<u32>, Vec<u32>) {
    let mut random = fastrand::Rng::with_seed(seed);
    // Few of many items, so that some match; the numbers are far apart.
    let some: Vec<u32> = (0..kinds.min(700)).map(|_| random.u32(..kinds) * 40_000).collect();
    let mut kind = || some[random.usize(..some.len())];
    let a: Vec<u32> = (0..m).map(|_| kind()).collect();
    let b = (0..n).map(|j| if related && j % 5 > 0 && m > 0 { a[j * m / n] } else { kind() }).collect();
    (a, b)
}

#[test]
fn alphabets_of_1_to_100_000_symbols_on_all_engines() {
    let engines = engines();
    let cases = (0usize..1500, 0usize..1500, 1u32..=100_000, 0u32..5, any::<bool>(), any::<u64>());
    let config = ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |((m, n, kinds, shift, related, seed) in cases)| {
        // Small alphabets are as frequent as large ones.
        let (a, b) = pair(m, n, (kinds >> (4 * shift)).max(1), related, seed);
        let expected = length(&a, &b);
        check(&lcs_of(&a, &b).unwrap(), &a, &b, expected, "auto");
        for engine in &engines {
            let lcs = Comparison::new().on(&**engine).alignment_of(&a, &b).unwrap();
            check(&lcs, &a, &b, expected, engine.kind().name());
        }
    });
}

/// Cuts of large alphabets by the GPU's kernels equal those by the CPU's strips.
#[test]
fn cuts_of_tokens_are_the_same_on_devices() {
    for (kinds, seed) in [(2, 1), (300, 2), (3000, 3), (60_000, 4), (100_000, 5)] {
        let (a, b) = pair(2100, 300, kinds, seed % 2 == 0, seed);
        let numbered = carrywave::text::numbered::number(&a, &b).unwrap();
        let (a, b) = (&numbered.a[..], &numbered.b[..]);
        let device = simt_launch::Simt::default();
        let devices = [&device];
        let simulated = WavefrontLcs::of_tokens(&devices, a, b, &|_| ()).unwrap();
        let cpu = TokenColumns::new([a, b], numbered.kinds as usize, &|_| ());
        let part = |side, range| Part { side, range };
        let requests = [
            CutRequest { rows: part(Side::A, 0..a.len()), columns: part(Side::B, 0..b.len()), middle: 140 },
            CutRequest { rows: part(Side::B, 5..b.len()), columns: part(Side::A, 900..1100), middle: 60 },
        ];
        assert_eq!(simulated.cuts(&requests).unwrap(), cpu.cuts(&requests).unwrap(), "{kinds} kinds");
    }
}

#[test]
fn a_named_algorithm_takes_up_to_256_kinds() {
    let (a, b) = pair(600, 500, 256, false, 7);
    let expected = length(&a, &b);
    for name in ["dp", "bit-parallel", "bands"] {
        let comparison = Comparison::new().algorithm(Algorithm::named(name).unwrap());
        check(&comparison.alignment_of(&a, &b).unwrap(), &a, &b, expected, name);
    }
    // Items of only one sequence do not count; 260 common items are too many for one algorithm, but
    // `auto` handles them.
    let dp = Comparison::new().algorithm(Algorithm::named("dp").unwrap());
    let many: Vec<u32> = (0..300).collect();
    check(&dp.alignment_of(&many, &many[50..]).unwrap(), &many, &many[50..], 250, "250 kinds");
    assert!(matches!(dp.alignment_of(&many, &many[40..]), Err(Error::Unsupported { .. })));
    check(&lcs_of(&many, &many[40..]).unwrap(), &many, &many[40..], 260, "260 kinds");
    // An algorithm that also takes sequences of items.
    let named = Comparison::new().algorithm(Algorithm::named("bit-parallel").unwrap());
    check(&named.alignment_of(&many, &many[40..]).unwrap(), &many, &many[40..], 260, "260 kinds by name");
    let edits = |name| carrywave::distance::Comparison::new().algorithm(name).distance_of(&many, &many[40..]);
    assert_eq!(edits(carrywave::distance::Algorithm::named("bit-parallel").unwrap()).unwrap(), 40);
    assert!(matches!(edits(carrywave::distance::Algorithm::named("dp").unwrap()), Err(Error::Unsupported { .. })));
}

/// Runs every algorithm for items by name, on every engine that has it, and checks that the report
/// names it.
#[test]
fn named_algorithms_for_items() {
    for engine in &engines() {
        for algorithm in ItemAlgorithm::all_on(engine.kind()) {
            for (m, n, kinds) in [(60, 80, 5), (300, 280, 700), (0, 9, 3)] {
                let (a, b) = pair(m, n, kinds, true, 11);
                let expected = length(&a, &b);
                let recorder = Recorder::new();
                let comparison = Comparison::new().on(&**engine).item_algorithm(algorithm).recorder(&recorder);
                check(&comparison.alignment_of(&a, &b).unwrap(), &a, &b, expected, algorithm.name());
                let report = recorder.take().unwrap();
                assert_eq!((report.done, report.total.is_zero()), ((m + n) as u64, false));
                let ran: Vec<_> = report.ran.iter().map(|ran| (ran.engine, ran.algorithm)).collect();
                assert!(ran == [(engine.kind(), algorithm.name())] || expected == 0 && ran.is_empty(), "{report}");
                assert_eq!(comparison.length_of(&a, &b).unwrap(), expected as u64);
            }
        }
        for algorithm in ItemAlgorithm::all().filter(|algorithm| algorithm.check_on(engine.kind()).is_err()) {
            let comparison = Comparison::new().on(&**engine).item_algorithm(algorithm);
            assert!(matches!(comparison.alignment_of(&[1], &[1]), Err(Error::Unsupported { .. })), "{algorithm}");
        }
    }
    assert!(matches!(ItemAlgorithm::named("dp"), Err(Error::UnknownName { .. })));
}

/// Both sequences are equal between the changes. The changes have the items outside a longest
/// common subsequence; those of `patience`, which has rules of its own, may have more.
#[test]
fn changes_of_items_by_every_algorithm() {
    let algorithms = || diff::Algorithm::all_on(EngineKind::Cpu).chain([diff::Algorithm::AUTO]);
    for seed in 0..60 {
        let kinds = [1, 3, 40, 3000][seed % 4];
        let (a, b) = pair(seed * 5 % 190, seed * 7 % 170, kinds, seed % 3 > 0, seed as u64);
        let shortest = a.len() + b.len() - 2 * length(&a, &b);
        for algorithm in algorithms() {
            let recorder = Recorder::new();
            let comparison = diff::Comparison::new().algorithm(algorithm).recorder(&recorder);
            let changes = comparison.changes_of(&a, &b).unwrap();
            let (mut made, mut from, mut changed) = (Vec::<u32>::new(), 0, 0);
            for change in &changes {
                made.extend(&a[from..change.a.start]);
                assert_eq!(made.len(), change.b.start, "{algorithm} {seed}");
                made.extend(&b[change.b.clone()]);
                from = change.a.end;
                changed += change.a.len() + change.b.len();
            }
            made.extend(&a[from..]);
            assert_eq!(made, b, "{algorithm} {seed}");
            let is_shortest = changed == shortest || algorithm.name() == "patience" && changed > shortest;
            assert!(is_shortest, "{algorithm} {seed}: {changed} for {shortest}");
            assert_eq!(recorder.report().unwrap().done, (a.len() + b.len()) as u64);
        }
    }
    let comparison = diff::Comparison::new().algorithm(diff::Algorithm::named("wavefront").unwrap());
    assert!(matches!(comparison.on(&Cpu::new()).changes_of(&[1], &[2]), Err(Error::Unsupported { .. })));
}

/// `auto` reports the algorithm that it chose: for few differences, for few pairs of equal items,
/// for few different items, and for many differences among mostly unique items.
#[test]
fn auto_reports_what_ran() {
    let ran = |a: &[u32], b: &[u32]| {
        let recorder = Recorder::new();
        Comparison::new().recorder(&recorder).alignment_of(a, b).unwrap();
        recorder.take().unwrap().algorithm().unwrap()
    };
    let (a, b) = pair(3000, 3000, 100_000, false, 3);
    assert_eq!(ran(&a, &[&a[1..], &[1]].concat()), "furthest-reaching");
    let (a, b) = ((0..60_000).map(|i| i * 7919 % 60_000).collect::<Vec<u32>>(), [a, b].concat().len() as u32);
    let c: Vec<u32> = (0..60_000).map(|i| i * 7 * b % 60_013).collect();
    assert_eq!(ran(&a, &c), "hunt-szymanski");
    // Groups of an item that occurs once and three of four frequent ones; a quarter differ.
    let list = |every: u32| {
        let mut random = fastrand::Rng::with_seed(every.into());
        let mut items = Vec::new();
        for group in 0..30_000 {
            let own = group % every == 0;
            items.push(if own { every * 100_000 + group } else { 10 + group });
            items.extend((0..3).map(|i| if own { random.u32(..4) } else { ((group * 7919) >> (2 * i)) % 4 }));
        }
        items
    };
    let (d, e) = (list(6), list(7));
    assert_eq!(ran(&d, &e), "certain-cells");
    let recorder = Recorder::new();
    let edits = carrywave::distance::Comparison::new().recorder(&recorder);
    let many: Vec<u32> = (0..300).collect();
    assert_eq!(edits.distance_of(&many, &[&[998], &many[1..299], &[999]].concat()).unwrap(), 2);
    let report = recorder.take().unwrap();
    assert_eq!((report.algorithm(), report.done > 0), (Some("bit-parallel"), true));
    let blocks = carrywave::distance::ItemAlgorithm::named("bit-parallel").unwrap();
    assert_eq!(edits.clone().item_algorithm(blocks).distance_of(b"kitten", b"sitting").unwrap(), 3);
    let of_simt = edits.on(&carrywave::device::Simt::new()).item_algorithm(blocks);
    assert!(matches!(of_simt.distance_of(b"a", b"b"), Err(Error::Unsupported { .. })));
}

#[test]
fn lines_words_characters_and_graphemes_of_a_text() {
    let (a, b) = ("Größe, cafe\u{301}\nzwei\n", "zwei\nGrösse, cafe\nzwei\n");
    for (unit, expected) in [(Unit::Line, 1), (Unit::Word, 5), (Unit::Character, 16), (Unit::Grapheme, 15)] {
        let (x, y) = (Units::new(a.as_bytes(), unit).unwrap(), Units::new(b.as_bytes(), unit).unwrap());
        let (x, y): (Vec<&[u8]>, Vec<&[u8]>) = (x.iter().collect(), y.iter().collect());
        assert_eq!(length(&x, &y), expected, "{unit:?}: what the recurrence says");
        check(&lcs_of(&x, &y).unwrap(), &x, &y, expected, &format!("{unit:?}"));
    }
    let (none, chars): (Vec<char>, Vec<char>) = (Vec::new(), "abc".chars().collect());
    check(&lcs_of(&none, &chars).unwrap(), &none, &chars, 0, "nothing");
}
