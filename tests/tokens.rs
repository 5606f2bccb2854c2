//! Sequences of anything: lines, words, characters, numbers, of alphabets from 1 symbol to 100,000, on all engines against the recurrence.
#![cfg(feature = "simt")]
mod common;

use carrywave::internal::lcs::cpu::TokenColumns;
use carrywave::internal::lcs::gpu::WavefrontLcs;
use carrywave::lcs::{Algorithm, CommonSubsequence, Comparison};
use carrywave::internal::pairwise::{CutRequest, Cuts, Part, Side};
use carrywave::text::{Unit, Units};
use carrywave::{Error, lcs_of};
use common::devices::engines;
use common::oracle::lcs::length;
use proptest::prelude::*;

/// It is a common subsequence of that length.
fn check<T: PartialEq + std::fmt::Debug>(lcs: &CommonSubsequence, a: &[T], b: &[T], expected: usize, what: &str) {
    assert_eq!((lcs.a_len(), lcs.b_len(), lcs.len()), (a.len() as u64, b.len() as u64, expected as u64), "{what}");
    for run in lcs.runs() {
        let (x, y, len) = (run.a_start as usize, run.b_start as usize, run.len as usize);
        assert_eq!(a[x..x + len], b[y..y + len], "{what}");
    }
}

/// Two sequences of so many kinds, the second a relative of the first where `related`.
fn pair(m: usize, n: usize, kinds: u32, related: bool, seed: u64) -> (Vec<u32>, Vec<u32>) {
    let mut random = fastrand::Rng::with_seed(seed);
    // Few of many kinds, so that some match; numbers far apart.
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
        // As often a small alphabet as a large one.
        let (a, b) = pair(m, n, (kinds >> (4 * shift)).max(1), related, seed);
        let expected = length(&a, &b);
        check(&lcs_of(&a, &b).unwrap(), &a, &b, expected, "auto");
        for engine in &engines {
            let lcs = Comparison::new().on(&**engine).alignment_of(&a, &b).unwrap();
            check(&lcs, &a, &b, expected, engine.kind().name());
        }
    });
}

/// Cuts of large alphabets by the GPU's kernels are those by the CPU's strips.
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
    // What only one of both has does not count; 260 kinds in common are too many for one algorithm, and not for the choice.
    let dp = Comparison::new().algorithm(Algorithm::named("dp").unwrap());
    let many: Vec<u32> = (0..300).collect();
    check(&dp.alignment_of(&many, &many[50..]).unwrap(), &many, &many[50..], 250, "250 kinds");
    assert!(matches!(dp.alignment_of(&many, &many[40..]), Err(Error::Unsupported { .. })));
    check(&lcs_of(&many, &many[40..]).unwrap(), &many, &many[40..], 260, "260 kinds");
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
