//! Exact search: every algorithm of every engine that takes k = 0 finds all occurrences, also
//! overlapping ones, of patterns of every period in repetitive and other texts. A new algorithm in
//! a table is covered by these tests automatically.
//!
//! | test | what |
//! |---|---|
//! | `patterns_of_every_period` | lengths around borders, all classes of periods, ten text kinds |
//! | `long_patterns` | patterns of 5,000 and 20,000 symbols |
//! | `several_patterns_at_once` | one search for patterns of different lengths |
//! | `records_chunks_and_resident_texts` | none across records' borders; chunks; resident texts |
//! | `any_repeats` | texts by a small grammar of repeats, and patterns cut from them |
//! | `generators_are_what_they_say` | properties of the texts themselves |

use crate::common::devices::{devices, engines, on_a_device};
use crate::common::oracle::exact::{period, starts};
use crate::common::texts::{binary_de_bruijn, de_bruijn, fibonacci, letters, part, repeated, text};
use crate::common::vectors::has_instructions_of;
use carrywave::Error;
use carrywave::device::{Engine, EngineKind};
use carrywave::internal::search::ends::FindEnds as _;
use carrywave::internal::search::gpu::{DeviceAlgorithm, DeviceEnds, ROUND};
use carrywave::search::{Algorithm, Ends, ResidentText, Search, Source, Tuning};
use carrywave::text::{Pattern, Text};
use proptest::prelude::*;
use simt_launch::Device;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

/// Algorithms that take ⌈m / 32⌉ word steps a symbol, so a long pattern takes minutes on the
/// simulator; and `auto`, which is one of the other algorithms.
const WORD_STEPS: [&str; 2] = ["myers", "auto"];

/// Product of the lengths of text and pattern above which they are left out on the simulator.
const LARGE: usize = 50_000_000;

/// Number of cases that each algorithm of each engine has run.
#[derive(Default)]
struct Taken(BTreeMap<(String, &'static str), usize>);

impl Taken {
    /// Runs a search by every algorithm of an engine, and by `auto`. Algorithms that refuse the
    /// search, and calls where `run` returns false, do not count.
    fn each(&mut self, engine: EngineKind, mut run: impl FnMut(Algorithm) -> carrywave::Result<bool>) {
        for algorithm in Algorithm::all_on(engine).chain([Algorithm::AUTO]) {
            let taken = self.0.entry((engine.to_string(), algorithm.name())).or_default();
            match run(algorithm) {
                Ok(has_run) => *taken += usize::from(has_run),
                Err(Error::Unsupported { .. }) if !algorithm.is_auto() => {}
                Err(error) => panic!("{algorithm}: {error}"),
            }
        }
    }

    /// Checks that every algorithm whose instructions this processor has ran at least `least`
    /// cases.
    fn finish(self, least: usize) {
        // `seeds` only takes patterns with errors, and `whole-records` finds nothing within a
        // record.
        let is_exact = |name: &str| !["seeds", "whole-records"].contains(&name) && has_instructions_of(name);
        // `guides` of devices only takes patterns with positions that must match.
        let is_for_guides = |engine: &str, name: &str| engine != "cpu" && name == "guides";
        let few = self
            .0
            .iter()
            .filter(|((engine, name), taken)| is_exact(name) && !is_for_guides(engine, name) && **taken < least);
        let few: Vec<_> = few.collect();
        assert!(!self.0.is_empty() && few.is_empty(), "fewer than {least} cases: {few:?}");
    }
}

/// Searches for patterns by every algorithm of an engine that takes them, in a text or in a copy on
/// a device.
fn check<'t>(
    taken: &mut Taken,
    (engine, kind): (Option<&dyn Engine>, EngineKind),
    source: impl Fn() -> Source<'t>,
    (text, records): (&[u8], &[Range<usize>]),
    patterns: &[Vec<u8>],
    place: &str,
) {
    let mut expected = Vec::new();
    for (record, range) in records.iter().enumerate() {
        for (number, pattern) in patterns.iter().enumerate() {
            expected.extend(starts(&text[range.clone()], pattern).into_iter().map(|start| (record, number, start)));
        }
    }
    expected.sort_unstable();
    let search = Search::many(patterns.iter().map(|pattern| Pattern::literal(pattern))).ends(Ends::All);
    let search = match engine {
        Some(engine) => search.on(engine),
        None => search,
    };
    taken.each(kind, |algorithm| {
        let lengths: Vec<usize> = patterns.iter().map(Vec::len).collect();
        let large = kind != EngineKind::Cpu && lengths.iter().any(|m| m * text.len() > LARGE);
        if large && WORD_STEPS.contains(&algorithm.name()) {
            return Ok(false);
        }
        let place = || format!("{algorithm} on {kind}, m = {lengths:?}, n = {}, {place}", text.len());
        let hits = search.clone().algorithm(algorithm).hits(source())?;
        let ends_where_it_should =
            |hit: &carrywave::search::Hit| hit.end == hit.start + patterns[hit.pattern].len() as u64 && hit.errors == 0;
        assert!(hits.iter().all(ends_where_it_should), "{}", place());
        let mut found: Vec<_> = hits.iter().map(|hit| (hit.record, hit.pattern, hit.start)).collect();
        found.sort_unstable();
        let difference = || {
            let (found, expected): (BTreeSet<_>, BTreeSet<_>) = (found.iter().collect(), expected.iter().collect());
            let some =
                |one: &BTreeSet<_>, other: &BTreeSet<_>| one.difference(other).take(5).copied().copied().collect();
            let (more, fewer): (Vec<(usize, usize, u64)>, Vec<_>) = (some(&found, &expected), some(&expected, &found));
            format!("{} of {}; should not be there: {more:?}, missing: {fewer:?}", found.len(), expected.len())
        };
        assert!(found == expected, "{}: {}", place(), difference());
        // Counts use different code.
        if expected.len() % 3 == 0 {
            let count = search.clone().algorithm(algorithm).count(source())?;
            assert_eq!(count, expected.len() as u64, "{}, counted", place());
        }
        Ok(true)
    });
}

/// Checks a text without records, on one engine.
fn check_text(taken: &mut Taken, engine: &dyn Engine, text: &[u8], patterns: &[Vec<u8>], place: &str) {
    let whole = 0..text.len();
    check(taken, (Some(engine), engine.kind()), || text.into(), (text, std::slice::from_ref(&whole)), patterns, place);
}

const TEXTS: usize = 10;

/// Returns a text of one of the types, by number; the last type has the pattern's own period.
fn text_of(kind: usize, n: usize, pattern: &[u8], seed: u64) -> (&'static str, Vec<u8>) {
    match kind {
        0 => ("random, 2 symbols", letters(n, 2, seed)),
        1 => ("random, 4 symbols", letters(n, 4, seed)),
        2 => ("random, 256 symbols", text(n, 256, seed)),
        3 => ("a^n", repeated(b"a", n)),
        4 => ("(ab)^n", repeated(b"ab", n)),
        5 => ("(a^15 b)^n", repeated(b"aaaaaaaaaaaaaaab", n)),
        6 => ("Fibonacci", fibonacci(n)),
        7 => ("de Bruijn", binary_de_bruijn(n)),
        8 => ("de Bruijn of 3 symbols", repeated(&de_bruijn(3, 6), n)),
        _ => ("the pattern's period", repeated(&pattern[..period(pattern)], n)),
    }
}

/// Replaces a symbol by another one that is frequent in the text.
fn changed(mut pattern: Vec<u8>, at: usize) -> Vec<u8> {
    pattern[at] = if pattern[at] == b'a' { b'b' } else { b'a' };
    pattern
}

const PATTERNS: usize = 17;

/// Returns a pattern of m symbols of one of the types, by number, for a text.
fn pattern_of(kind: usize, text: &[u8], m: usize, seed: u64) -> (&'static str, Vec<u8>) {
    // A period of p symbols: a run of one symbol and another, or a random one.
    let of_period = |p: usize| {
        let p = p.clamp(1, m);
        let run = [vec![b'a'; p - 1], vec![b'b']].concat();
        repeated(&if seed.is_multiple_of(2) { run } else { letters(p, 2, seed) }, m)
    };
    match kind {
        0 => ("in the text", part(text, m)),
        1 => ("first symbol changed", changed(part(text, m), 0)),
        2 => ("symbol in the middle changed", changed(part(text, m), m / 2)),
        3 => ("last symbol changed", changed(part(text, m), m - 1)),
        4 => ("a^(m-1) b", changed(repeated(b"a", m), m - 1)),
        5 => ("b a^(m-1)", changed(repeated(b"a", m), 0)),
        6 => ("a^m", repeated(b"a", m)),
        7 => ("period 2", repeated(b"ab", m)),
        8 => ("period 3", repeated(b"aab", m)),
        9 => ("period m / 3", of_period(m / 3)),
        10 => ("period m / 2", of_period(m / 2)),
        11 => ("period m / 2 + 1", of_period(m / 2 + 1)),
        12 => ("period m - 1", of_period(m - 1)),
        13 => ("random", letters(m, 2, seed)),
        14 => ("Fibonacci", fibonacci(m)),
        15 => ("period 21, Fibonacci", repeated(&fibonacci(21), m)),
        _ => ("the text's beginning", text.iter().copied().cycle().take(m).collect()),
    }
}

/// Writes a pattern over a text where it fits: at both ends, in the middle, and once more as close
/// to the middle as possible.
fn plant(text: &mut [u8], pattern: &[u8]) {
    let (n, m) = (text.len(), pattern.len());
    let middle = n / 2 / 16 * 16;
    for start in [0, middle, middle + period(pattern), n.saturating_sub(m)] {
        if start + m <= n {
            text[start..start + m].copy_from_slice(pattern);
        }
    }
}

/// Returns the class of a pattern's period.
fn class(pattern: &[u8]) -> &'static str {
    let (m, p) = (pattern.len(), period(pattern));
    match p {
        _ if p == m => "m",
        _ if p == m - 1 => "m - 1",
        1 => "1",
        2 => "2",
        3 => "3",
        _ if p == m / 2 => "m / 2",
        _ if p == m / 2 + 1 => "m / 2 + 1",
        _ if p < m / 2 => "less than m / 2",
        _ => "more than m / 2",
    }
}

/// Lengths around those of words, lanes and quarters of blocks.
const LENGTHS: [usize; 23] =
    [1, 2, 3, 7, 8, 9, 15, 16, 17, 30, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 255, 500, 1000];

#[test]
fn patterns_of_every_period() {
    let (mut taken, mut classes, mut found) = (Taken::default(), BTreeMap::<_, usize>::new(), 0);
    let engines = engines();
    for (i, m) in LENGTHS.into_iter().enumerate() {
        for kind in 0..TEXTS {
            // Combines every length with every type of text, and over all lengths every type of
            // text with every type of pattern.
            let number = TEXTS * i + kind;
            let n = [m, m + 1, 2 * m + 3, 700, 1025, 1600][(7 * i + 5 * kind) % 6].max(m);
            let (_, of) = text_of(kind % (TEXTS - 1), n, b"", number as u64);
            let (what, pattern) = pattern_of((3 * i + 5 * kind) % PATTERNS, &of, m, number as u64);
            let (place, mut text) = text_of(kind, n, &pattern, number as u64);
            let planted = number.is_multiple_of(3);
            if planted {
                plant(&mut text, &pattern);
            }
            *classes.entry(class(&pattern)).or_default() += 1;
            found += starts(&text, &pattern).len();
            let place = format!("{what} in {place}, planted: {planted}");
            for engine in &engines {
                check_text(&mut taken, &**engine, &text, std::slice::from_ref(&pattern), &place);
            }
        }
    }
    assert!(found > 10_000, "{found} occurrences");
    assert!(classes.len() == 9 && classes.values().all(|&patterns| patterns >= 5), "{classes:?}");
    taken.finish(20);
}

/// Counts the symbols that a comparison at every position examines.
fn comparisons(text: &[u8], pattern: &[u8]) -> usize {
    let agree = |start| text[start..].iter().zip(pattern).take_while(|(a, b)| a == b).count();
    (0..=text.len() - pattern.len()).map(agree).sum()
}

#[test]
fn long_patterns() {
    let mut taken = Taken::default();
    let engines = engines();
    for (number, (m, n, kind, of)) in [
        (5000, 60_000, 1, 0),
        (5000, 12_000, 0, 10),
        (5000, 12_000, 6, 0),
        (5000, 6000, 5, 3),
        (5000, 5400, 3, 6),
        (20_000, 60_000, 1, 9),
        (20_000, 21_000, 7, 0),
        (20_000, 20_010, 4, 7),
    ]
    .into_iter()
    .enumerate()
    {
        let (place, mut text) = text_of(kind, n, b"", number as u64);
        let (what, pattern) = pattern_of(of, &text, m, number as u64);
        if [0, 1].contains(&kind) {
            plant(&mut text, &pattern);
        }
        let place = format!("{what} in {place}");
        assert!(comparisons(&text, &pattern) < 20_000_000, "{place}: a long time on the simulator");
        for engine in &engines {
            check_text(&mut taken, &**engine, &text, std::slice::from_ref(&pattern), &place);
        }
    }
    let some = taken.0.values().filter(|taken| **taken > 0).count();
    assert!(some >= 5, "{:?}", taken.0);
}

#[test]
fn several_patterns_at_once() {
    let mut taken = Taken::default();
    let engines = engines();
    for (number, lengths) in
        [&[2, 3, 5][..], &[16, 17, 31], &[1, 33, 64, 8], &[65, 100, 2], &[300, 7, 300]].into_iter().enumerate()
    {
        for kind in [0, 3, 5, 6] {
            let (place, text) = text_of(kind, 900, b"", number as u64);
            let kinds = lengths.iter().enumerate().map(|(i, &m)| pattern_of((i + number) % PATTERNS, &text, m, 5).1);
            let mut patterns: Vec<Vec<u8>> = kinds.collect();
            // One pattern occurs twice.
            patterns.push(patterns[0].clone());
            for engine in &engines {
                check_text(&mut taken, &**engine, &text, &patterns, place);
            }
        }
    }
    taken.finish(4);
}

/// Searches in chunks of minimal size, by every algorithm of a device.
fn check_chunks<D: Device>(device: &Arc<D>, text: &[u8], pattern: &[u8], place: &str) {
    let expected = starts(text, pattern);
    for algorithm in DeviceAlgorithm::<D>::ALL {
        let what = (vec![Pattern::literal(pattern)], 0);
        let engine = DeviceEnds::new(vec![device.clone()], what, (Some(algorithm), Tuning::default()), &|_| ());
        let found = engine.and_then(|engine| engine.with_chunk(ROUND)?.all(&Text::from(text), 1));
        let place = format!("{}, m = {}, {place}", algorithm.about.name, pattern.len());
        match found {
            Ok(found) => {
                let found: Vec<u64> = found[0].iter().map(|end| end.end - pattern.len() as u64).collect();
                assert!(found == expected, "{place}: {} occurrences of {}", found.len(), expected.len());
            }
            Err(Error::Unsupported { .. }) => {}
            Err(error) => panic!("{place}: {error}"),
        }
    }
}

#[test]
fn records_chunks_and_resident_texts() {
    let (mut in_records, mut resident) = (Taken::default(), Taken::default());
    let (engines, devices) = (engines(), devices());
    // Records of one symbol, records that begin or end within an occurrence in the text, empty
    // records, and records with gaps between them.
    let records = [0..700, 700..701, 701..1000, 1000..1000, 1003..1500, 1510..2100];
    for (number, (m, kind, of)) in
        [(1, 3, 6), (3, 4, 0), (16, 0, 0), (32, 5, 0), (33, 6, 0), (64, 3, 6), (130, 4, 7), (300, 6, 0), (1100, 5, 0)]
            .into_iter()
            .enumerate()
    {
        let (place, text) = text_of(kind, 2100, b"", number as u64);
        let (_, pattern) = pattern_of(of, &text, m, number as u64);
        let patterns = std::slice::from_ref(&pattern);
        let with_records = Text::with_records(&text, &records).unwrap();
        for engine in &engines {
            let on = (Some(&**engine), engine.kind());
            check(&mut in_records, on, || (&with_records).into(), (&text, &records), patterns, place);
        }
        for device in &devices {
            let there = ResidentText::new(&**device, &with_records).unwrap();
            let on = (None, device.kind());
            check(&mut resident, on, || (&there).into(), (&text, &records), patterns, place);
        }
        on_a_device!(check_chunks(&text, &pattern, place));
    }
    in_records.finish(4);
    resident.finish(4);
}

/// Generates repeated words in a row, repeated again; and a part of the text, possibly with a
/// symbol changed.
fn repeats() -> impl Strategy<Value = (Vec<u8>, Vec<u8>)> {
    let word = prop::collection::vec(b'a'..b'd', 1..12);
    let repeats = (word.clone(), 1usize..40, word).prop_map(|(x, k, y)| [x.repeat(k), y].concat());
    let text = (prop::collection::vec(repeats, 1..5), 1usize..4).prop_map(|(parts, k)| parts.concat().repeat(k));
    let change = prop::option::of((any::<prop::sample::Index>(), b'a'..b'd'));
    (text, any::<prop::sample::Index>(), any::<prop::sample::Index>(), change).prop_map(|(text, from, m, change)| {
        let from = from.index(text.len());
        let mut pattern = text[from..from + 1 + m.index(text.len() - from)].to_vec();
        if let Some((at, symbol)) = change {
            let at = at.index(pattern.len());
            pattern[at] = symbol;
        }
        (text, pattern)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn any_repeats((text, pattern) in repeats()) {
        for engine in &engines() {
            check_text(&mut Taken::default(), &**engine, &text, std::slice::from_ref(&pattern), "repeats");
        }
    }
}

#[test]
fn generators_are_what_they_say() {
    for (symbols, order) in [(1, 3), (2, 1), (2, 2), (2, 10), (3, 5), (4, 4)] {
        let sequence = de_bruijn(symbols, order);
        assert_eq!(sequence.len(), usize::from(symbols).pow(order as u32), "{symbols} symbols, order {order}");
        let around = repeated(&sequence, sequence.len() + order - 1);
        assert_eq!(around.windows(order).collect::<BTreeSet<_>>().len(), sequence.len(), "a string is there twice");
    }
    for order in 2..=18 {
        for n in [1 << order, (1 << order) - (1 << order) / 3] {
            let text = binary_de_bruijn(n);
            let windows =
                text.windows(order).map(|window| window.iter().fold(0, |bits, b| 2 * bits + u32::from(b - b'a')));
            let mut there = vec![false; 1 << order];
            assert!(
                windows.clone().all(|window| !std::mem::replace(&mut there[window as usize], true)),
                "{order}, {n}"
            );
            assert_eq!((text.len(), windows.count()), (n, n - order + 1));
        }
    }
    // The word's other definition: a becomes ab, and b becomes a.
    let mut word = vec![b'a'];
    while word.len() < 1000 {
        word = word.iter().flat_map(|symbol| if *symbol == b'a' { &b"ab"[..] } else { b"a" }).copied().collect();
    }
    for n in [0, 1, 2, 3, 4, 21, 22, 1000] {
        assert_eq!(fibonacci(n), word[..n], "{n}");
    }
    assert_eq!((period(&fibonacci(21)), period(b"abaab"), period(b"a"), period(b"ab")), (13, 3, 1, 2));
    assert_eq!(repeated(b"abc", 7), b"abcabca");
    assert_eq!(starts(b"aaaa", b"aa"), [0, 1, 2]);
    assert!(starts(b"ab", b"abc").is_empty());
}
