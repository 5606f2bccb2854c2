//! Tests of the search for adapters against all alignments of small strings.

use super::adapter::{Adapter, AdapterEnd, SingleAdapter};
use super::ends::FreeEnds;
use super::found::Found;
use super::tolerance::AdapterSettings;
use fastrand::Rng;

/// Returns a random string over A, C, G, T.
fn bases(random: &mut Rng, len: usize) -> Vec<u8> {
    (0..len).map(|_| *random.choice(b"ACGT").unwrap()).collect()
}

/// Returns a random read that may have a changed part of an adapter.
fn read(random: &mut Rng, adapter: &[u8], most: usize) -> Vec<u8> {
    let len = random.usize(0..=most);
    let mut read = bases(random, len);
    if random.u8(..) < 200 {
        let from = random.usize(0..adapter.len());
        let to = random.usize(from..adapter.len()) + 1;
        let mut part = adapter[from..to].to_vec();
        for _ in 0..random.usize(0..3) {
            let at = random.usize(0..=part.len());
            match random.usize(0..3) {
                0 if at < part.len() => part[at] = *random.choice(b"ACGT").unwrap(),
                1 if at < part.len() => drop(part.remove(at)),
                _ => part.insert(at, *random.choice(b"ACGT").unwrap()),
            }
        }
        let at = random.usize(0..=read.len());
        read.splice(at..at, part);
    }
    read
}

/// Returns a random adapter of every kind, as it is written, and its end.
fn written(random: &mut Rng, most: usize) -> (String, AdapterEnd) {
    let len = random.usize(1..=most);
    let text = String::from_utf8(bases(random, len)).unwrap();
    let settings = ["", ";anywhere", ";rightmost"][random.usize(0..3)];
    match random.usize(0..8) {
        0 => (format!("^{text}"), AdapterEnd::FivePrime),
        1 => (format!("{text}$"), AdapterEnd::ThreePrime),
        2 => (format!("X{text}"), AdapterEnd::FivePrime),
        3 => (format!("{text}X"), AdapterEnd::ThreePrime),
        4 => (text, AdapterEnd::Either),
        5 => (text + settings, AdapterEnd::FivePrime),
        _ => (text + settings, AdapterEnd::ThreePrime),
    }
}

fn settings(random: &mut Rng) -> AdapterSettings {
    AdapterSettings {
        errors: [0.0, 0.1, 0.2, 0.34, 0.5][random.usize(0..5)],
        overlap: [1, 3, 5][random.usize(0..3)],
        indels: random.u8(..) < 200,
        ..AdapterSettings::default()
    }
}

fn parse(text: &str, end: AdapterEnd, settings: &AdapterSettings) -> SingleAdapter {
    let adapter = Adapter::parse(text, end, settings).unwrap();
    adapter.front().or(adapter.back()).unwrap().clone()
}

#[test]
fn pieces_change_no_result() {
    let mut random = Rng::with_seed(7);
    for _ in 0..4000 {
        let (text, end) = written(&mut random, 40);
        let settings = settings(&mut random);
        let adapter = parse(&text, end, &settings);
        let aligner = &adapter.finder.aligner;
        for _ in 0..10 {
            let read = read(&mut random, adapter.symbols().as_bytes(), 90);
            let mut given = read.clone();
            if adapter.finder.is_reversed {
                given.reverse();
            }
            let whole = aligner.align(&given, aligner.widest_window(given.len()), &mut Vec::new());
            let found = adapter.find(&read);
            let summary = found.as_ref().map(|found| {
                let mut ends = (found.adapter.clone(), found.read.clone());
                if adapter.finder.is_reversed {
                    ends.0 = aligner.len - ends.0.end..aligner.len - ends.0.start;
                    ends.1 = read.len() - ends.1.end..read.len() - ends.1.start;
                }
                (ends, found.score, found.errors)
            });
            let expected = whole.map(|whole| ((whole.adapter, whole.read), whole.score, whole.errors));
            assert_eq!(summary, expected, "{text} {settings:?} {}", String::from_utf8_lossy(&read));
        }
    }
}

/// Returns the edit distance, from its definition.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let least = (diagonal + usize::from(x != y)).min(row[j] + 1).min(row[j + 1] + 1);
            diagonal = std::mem::replace(&mut row[j + 1], least);
        }
    }
    row[b.len()]
}

/// Returns true if an alignment of a part of the adapter with a part of the read is allowed.
fn is_allowed(adapter: &SingleAdapter, read: &[u8], found: &Found) -> bool {
    let aligner = &adapter.finder.aligner;
    let symbols = &adapter.symbols().as_bytes()[found.adapter.clone()];
    let part = &read[found.read.clone()];
    let errors = match aligner.gap {
        1 => distance(symbols, part),
        _ if symbols.len() == part.len() => symbols.iter().zip(part).filter(|(a, b)| a != b).count(),
        _ => return false,
    };
    symbols.len() >= aligner.overlap && errors as f64 <= symbols.len() as f64 * aligner.rate
}

/// Returns all alignments that the ends of an adapter permit.
fn all(adapter: &SingleAdapter, n: usize) -> Vec<Found> {
    let len = adapter.finder.aligner.len;
    let mut free = adapter.place.free_ends();
    if adapter.finder.aligner.free == FreeEnds::ALL {
        free = FreeEnds::ALL;
    }
    let mut found = Vec::new();
    for start in 0..=len {
        for end in start..=len {
            for from in 0..=n {
                for to in from..=n {
                    let start_fits =
                        (start == 0 || (free.adapter_start && from == 0)) && (from == 0 || free.read_start);
                    let end_fits = (end == len || (free.adapter_end && to == n)) && (to == n || free.read_end);
                    if start_fits && end_fits {
                        found.push(Found { adapter: start..end, read: from..to, score: 0, errors: 0, is_front: false });
                    }
                }
            }
        }
    }
    found
}

#[test]
fn a_match_is_allowed_and_exists_if_any_does() {
    let mut random = Rng::with_seed(3);
    let mut matches = 0;
    for _ in 0..600 {
        let (text, end) = written(&mut random, 9);
        let adapter = parse(&text, end, &settings(&mut random));
        let read = read(&mut random, adapter.symbols().as_bytes(), 12);
        let found = adapter.find(&read);
        let any = all(&adapter, read.len()).iter().any(|found| is_allowed(&adapter, &read, found));
        let context = format!("{text} {} {found:?}", String::from_utf8_lossy(&read));
        // The recurrence keeps one of several good starts, and only another may be allowed.
        assert!(found.is_none() || any, "{context}");
        if let Some(found) = found {
            matches += 1;
            assert!(is_allowed(&adapter, &read, &found), "{context}");
            assert!(
                all(&adapter, read.len())
                    .iter()
                    .any(|other| { (&other.adapter, &other.read) == (&found.adapter, &found.read) })
            );
        } else if adapter.place.is_anchored() {
            assert!(!any, "{context}");
        }
    }
    assert!(matches > 150, "{matches}");
}

#[test]
fn an_exact_adapter_is_found_wherever_it_is() {
    let mut random = Rng::with_seed(5);
    for len in [1, 5, 13, 33, 64, 65, 130] {
        let adapter = bases(&mut random, len);
        let text = String::from_utf8(adapter.clone()).unwrap();
        let back = parse(&text, AdapterEnd::ThreePrime, &AdapterSettings { errors: 0.0, ..Default::default() });
        for before in 0..40 {
            let mut read = vec![b'N'; before];
            read.extend_from_slice(&adapter);
            read.extend_from_slice(b"NNNN");
            assert_eq!(back.find(&read).unwrap().read, before..before + len);
            for over in 3..len.min(9) {
                let read = &read[..before + over];
                assert_eq!(back.find(read).unwrap().read, before..before + over);
            }
        }
    }
}

#[test]
fn codes_match_their_bases() {
    let settings = AdapterSettings { errors: 0.0, ..Default::default() };
    let adapter = parse("GNRTA", AdapterEnd::ThreePrime, &settings);
    assert_eq!(adapter.find(b"CCGTATA").unwrap().read, 2..7);
    assert_eq!(adapter.find(b"CCGTCTA"), None);
    let as_written = AdapterSettings { adapter_codes: false, ..settings };
    assert_eq!(parse("GNRTA", AdapterEnd::ThreePrime, &as_written).find(b"CCGTATA"), None);
    let reads = AdapterSettings { read_codes: true, ..settings };
    assert_eq!(parse("GTATA", AdapterEnd::ThreePrime, &reads).find(b"CCGNRTA").unwrap().read, 2..7);
    // An N is no error, and the rate counts the other symbols.
    let lenient = AdapterSettings { errors: 0.2, overlap: 9, ..Default::default() };
    let adapter = parse("ACGTNNNNN", AdapterEnd::ThreePrime, &lenient);
    assert_eq!(adapter.find(b"TTACCTAAAAA"), None);
    assert_eq!(adapter.find(b"TTACGTAAAAA").unwrap().read, 2..11);
}
