//! Search through the public interface, checked against a plain Sellers table.
#![cfg(all(feature = "published", feature = "simt"))]

mod common;

use carrywave::Error;
use carrywave::algorithm::About;
use carrywave::device::{EngineKind, Simt};
use carrywave::internal::infix::End;
use carrywave::internal::search::cpu::{ALGORITHMS, CpuEnds, Query};
use carrywave::internal::search::ends::FindEnds as _;
use carrywave::job::Recorder;
use carrywave::search::{Algorithm, Beyond, Ends, Hit, ResidentText, Search};
use carrywave::text::parts::{Part, PartRecord, Parts};
use carrywave::text::{Alphabet, Class, Pattern, Strand, Text};
use common::oracle::occurrences::{Rule, occurrences};
use common::oracle::sellers::sellers;
use common::texts::{random, reverse_complement, with_errors};
use common::vectors::{again_with_less, has_instructions_of};
use std::sync::atomic::{AtomicU64, Ordering};

/// Returns true if the algorithm's entry says that it takes a pattern with k errors.
fn takes(about: &About, pattern: &Pattern, k: u32) -> bool {
    let limits = about.limits;
    !limits.whole_records
        && limits.symbols.is_none_or(|most| pattern.len() as u64 <= most)
        && limits.errors.is_none_or(|most| k <= most)
        && (limits.gaps || k == 0)
        && (limits.classes || pattern.as_literal().is_some())
}

/// Returns every algorithm of the CPU that takes the pattern and k, and `auto`.
fn algorithms(pattern: &Pattern, k: u32) -> Vec<Algorithm> {
    let query = Query::new(pattern.clone(), k);
    let rows = ALGORITHMS.iter().filter(|row| {
        takes(&row.about, pattern, k) && (row.check)(&query).is_ok() && has_instructions_of(row.about.name)
    });
    rows.map(|row| Algorithm::named(row.about.name).unwrap()).chain([Algorithm::AUTO]).collect()
}

/// Returns the ends by the CPU's engine, which cuts a text into pieces.
fn ends(text: &[u8], pattern: &Pattern, k: u32, algorithm: Algorithm) -> Vec<End> {
    let mut engine = CpuEnds::new(vec![pattern.clone()], k, algorithm, &|_| ()).unwrap();
    let mut all = Vec::new();
    let take = &mut |_, ends: Vec<End>| {
        all.extend(ends);
        Ok(())
    };
    engine.each(&Text::from(text), take).unwrap();
    all
}

#[track_caller]
fn check(text: &[u8], pattern: &Pattern, k: u32) -> usize {
    let expected = sellers(text, pattern, k);
    for algorithm in algorithms(pattern, k) {
        let found = ends(text, pattern, k, algorithm);
        let first = found.iter().zip(&expected).find(|(a, b)| a != b);
        let (m, n) = (pattern.len(), text.len());
        assert!(
            found == expected,
            "{algorithm:?}, m = {m}, n = {n}, k = {k}: {first:?}, {} {}",
            found.len(),
            expected.len()
        );
    }
    expected.len()
}

#[test]
fn every_algorithm_on_random_texts_with_planted_patterns() {
    let mut seed = fastrand::Rng::with_seed(7);
    let mut found = 0;
    for m in (1..=130).chain([191, 192, 193, 500]) {
        for symbols in [2, 4, 20, 256] {
            let k = seed.u32(0..=8).min(m as u32 - 1);
            let n = if m == 500 { 3000 } else { seed.usize(0..1500) };
            let symbols_of_pattern = random(m, symbols, &mut seed);
            let mut text = random(n, symbols, &mut seed);
            for _ in 0..3 {
                let errors = seed.u32(0..=k + 1);
                let copy = with_errors(&symbols_of_pattern, errors, symbols, &mut seed);
                if copy.len() <= text.len() {
                    let at = seed.usize(0..=text.len() - copy.len());
                    text[at..at + copy.len()].copy_from_slice(&copy);
                }
            }
            found += check(&text, &Pattern::literal(&symbols_of_pattern), k);
        }
    }
    assert!(found > 1000, "{found} ends");
}

#[test]
fn every_k_on_classes() {
    let mut seed = fastrand::Rng::with_seed(8);
    for k in 0..=17 {
        for m in [k as usize + 1, 20, 64, 65, 70] {
            let class = |_| match seed.u8(..8) {
                0 => Class::ANY,
                1 => Class::default(),
                2 => Class::from_symbols([0, 3, 200]),
                _ => Class::from_symbol(seed.u8(..4)),
            };
            let pattern = Pattern::new((0..m.max(k as usize + 1)).map(class).collect());
            let mut text = random(700, 4, &mut seed);
            text.extend([200, 255, 0, 128].repeat(3));
            check(&text, &pattern, k);
        }
    }
}

#[test]
fn texts_of_no_and_few_symbols() {
    let pattern = Pattern::literal(b"abcdefgh");
    for n in 0..=9 {
        for k in 0..=7 {
            check(&b"abcdefghi"[..n], &pattern, k);
        }
    }
    assert!(check(b"", &pattern, 7) == 0 && check(b"c", &pattern, 7) == 1);
}

/// Occurrences with insertions that reach back as far as possible, and that end right after the
/// borders of the engine's pieces (512 Ki symbols, and 512 more).
#[test]
fn occurrences_at_borders_of_pieces() {
    let mut seed = fastrand::Rng::with_seed(9);
    let piece = 8 * ((64 << 10) + 64);
    for (m, k) in [(9, 2), (40, 5), (64, 8), (100, 1)] {
        let symbols: Vec<u8> = (0..m).map(|i| i as u8).collect();
        let pattern = Pattern::literal(&symbols);
        let mut longest = symbols.clone();
        longest.splice(m / 2..m / 2, vec![255; k]);
        let mut text = vec![200; 3 * piece];
        let mut expected = Vec::new();
        let mut plant = |border: usize| {
            // The first end of the next piece, then others near the border.
            let mut end = border + 1;
            for _ in 0..3 {
                text[end - longest.len()..end].copy_from_slice(&longest);
                expected.push(end as u64);
                end += 2 * longest.len() + seed.usize(0..9);
            }
        };
        plant(piece);
        plant(2 * piece);
        let expected: Vec<(u64, u32)> = expected.iter().map(|&end| (end, k as u32)).collect();
        for algorithm in algorithms(&pattern, k as u32) {
            let found = ends(&text, &pattern, k as u32, algorithm);
            let found: Vec<_> = found.iter().map(|end| (end.end, end.errors)).collect();
            assert_eq!(found, expected, "{algorithm:?}, m = {m}, k = {k}");
        }
    }
}

#[test]
fn progress_adds_up() {
    let done = AtomicU64::new(0);
    let progress = |symbols: u64| {
        done.fetch_add(symbols, Ordering::Relaxed);
    };
    let patterns = [b"ACGT".as_slice(), b"AAAC"].map(|p| Pattern::parse(p, Alphabet::Dna).unwrap());
    let text = vec![b'A'; 1_200_000];
    // ACGT is its own reverse complement.
    let found =
        Search::many(patterns.to_vec()).errors(1).both_strands(true).on_progress(&progress).count(&text).unwrap();
    assert_eq!(done.into_inner(), 4 * text.len() as u64);
    assert_eq!(found, 1_200_000 / 4, "as many as there is room for of AAAC with an error");
}

/// A long pattern leaves a text in one piece, which takes long to finish.
#[test]
fn progress_is_told_within_a_piece() {
    let mut random = fastrand::Rng::with_seed(8);
    let mut bases = |n: usize| -> Vec<u8> { (0..n).map(|_| b"ACGT"[random.usize(..4)]).collect() };
    let (pattern, text) = (Pattern::literal(&bases(100_000)), bases(1_000_000));
    let told = std::sync::Mutex::new(Vec::new());
    let progress = |symbols: u64| told.lock().unwrap().push(symbols);
    Search::new(pattern).errors(16).ends(Ends::All).on_progress(&progress).count(&text).unwrap();
    let told = told.into_inner().unwrap();
    assert_eq!(told.iter().sum::<u64>(), text.len() as u64);
    assert!(told.len() > 5, "{told:?}");
}

/// Returns the borders of records, some empty, some adjacent.
fn records(text: &[u8], random: &mut fastrand::Rng) -> Vec<std::ops::Range<usize>> {
    let mut borders: Vec<usize> = (0..2 * random.usize(0..5)).map(|_| random.usize(0..=text.len())).collect();
    borders.sort();
    borders.chunks(2).map(|pair| pair[0]..pair[1]).collect()
}

/// Checks hits against the definition, from the errors and gaps of every part of every record.
#[test]
fn hits_are_as_they_are_defined() {
    let mut seed = fastrand::Rng::with_seed(10);
    let mut found = [0; 3];
    for case in 0..600 {
        let m = seed.usize(1..9);
        let k = seed.u32(0..m.min(4) as u32);
        let symbols = seed.usize(1..4);
        let pattern = Pattern::literal(&random(m, symbols, &mut seed));
        let text = random(seed.usize(0..80), symbols, &mut seed);
        let records = if case % 2 == 0 { std::iter::once(0..text.len()).collect() } else { records(&text, &mut seed) };
        for (i, rule) in [Rule::EachEnd, Rule::Overlapping, Rule::Apart].into_iter().enumerate() {
            let mut expected = Vec::new();
            for (record, range) in records.iter().enumerate() {
                for part in occurrences(&text[range.clone()], &pattern, k, rule, Strand::Forward) {
                    expected.push(part.hit(record, 0, Strand::Forward));
                }
            }
            expected.sort();
            let ends = if rule == Rule::EachEnd { Ends::All } else { Ends::Best };
            let search = Search::new(pattern.clone()).errors(k).ends(ends).overlapping(rule == Rule::Overlapping);
            let place = format!("{rule:?}, {text:?}, {:?}, k = {k}, {records:?}", pattern.as_literal());
            let parts = Text::with_records(&text, &records).unwrap();
            assert_eq!(search.hits(&parts).unwrap(), expected, "{place}");
            assert_eq!(search.count(&parts).unwrap(), expected.len() as u64, "{place}");
            found[i] += expected.len();
        }
    }
    assert!(found[0] > found[1] && found[1] > found[2] && found[2] > 1000, "{found:?}");
}

/// The hits in a text and those in its reverse complement are mirror images, for all options.
#[test]
fn strands_are_mirror_images() {
    let mut seed = fastrand::Rng::with_seed(14);
    let mut found = 0;
    for case in 0..800 {
        let letters: &[u8] = if case % 4 == 0 { b"AT" } else { b"ACGTN" };
        let mut symbols = |len: usize| -> Vec<u8> { (0..len).map(|_| letters[seed.usize(..letters.len())]).collect() };
        let text = symbols(60);
        let mut given = symbols(case % 9 + 2);
        if case % 3 == 0 {
            // A pattern that is its own reverse complement.
            given.extend(reverse_complement(&given));
        }
        let k = seed.u32(0..given.len().min(4) as u32);
        let pattern = Pattern::parse(&given, Alphabet::Iupac).unwrap();
        let own = pattern.reverse_complement() == pattern;
        for (ends, overlapping) in [(Ends::Best, false), (Ends::Best, true), (Ends::All, false)] {
            let search = Search::new(pattern.clone()).errors(k).both_strands(true).ends(ends).overlapping(overlapping);
            let hits = search.hits(&text).unwrap();
            let mirrored = |hit: &Hit| {
                let n = text.len() as u64;
                let strand = if hit.strand == Strand::Forward { Strand::Reverse } else { Strand::Forward };
                // Such a pattern matches on both strands at the same position; the hit is reported
                // on the forward strand.
                let twice = hits.iter().any(|other| (other.start, other.end) == (hit.start, hit.end)) && own;
                let strand = if twice { None } else { Some(strand) };
                (n - hit.end, n - hit.start, hit.errors, strand)
            };
            let mut expected: Vec<_> = hits.iter().map(mirrored).collect();
            let turned = search.hits(reverse_complement(&text)).unwrap();
            let mut other: Vec<_> =
                turned.iter().map(|hit| (hit.start, hit.end, hit.errors, (!own).then_some(hit.strand))).collect();
            expected.sort();
            other.sort();
            let (text, given) = (String::from_utf8_lossy(&text), String::from_utf8_lossy(&given));
            assert_eq!(other, expected, "{given} in {text}, k = {k}, {ends:?}, overlapping {overlapping}");
            assert_eq!(search.count(text.as_bytes()).unwrap(), hits.len() as u64);
            found += hits.len();
        }
    }
    assert!(found > 5000, "{found} hits");
}

#[test]
fn mismatches_at_the_ends_keep_the_length() {
    let hits = |pattern: &[u8], k, text: &[u8]| -> Vec<_> {
        let hits = Search::new(Pattern::literal(pattern)).errors(k).hits(text).unwrap();
        hits.iter().map(|hit| (hit.start, hit.end, hit.errors)).collect()
    };
    // edlib, TRE and sassy return 3 to 10 too.
    assert_eq!(hits(b"GATTACA", 1, b"TTTCATTACATTT"), [(3, 10, 1)]);
    assert_eq!(hits(b"GATTACA", 1, b"TTTGATTACTTTT"), [(3, 10, 1)]);
    assert_eq!(hits(b"wrld", 1, b"hello world"), [(7, 11, 1)]);
    // A position is reported once.
    assert_eq!(hits(b"Habakuk", 2, b"And Habakkuk saw"), [(4, 12, 1)]);
    assert_eq!(hits(b"abcd", 2, b"xxabcdxxxxxxabdxx"), [(2, 6, 0), (12, 15, 1)]);
}

#[test]
fn both_strands_and_several_patterns() {
    let pattern = |symbols: &[u8]| Pattern::parse(symbols, Alphabet::Dna).unwrap();
    let search = Search::many(vec![pattern(b"GGATT"), pattern(b"AATT")]).both_strands(true);
    let found: Vec<_> = search.hits(b"ccAATCCccaatt").unwrap();
    let hit =
        |start, end, pattern, strand| Hit { record: 0, start, end, pattern, strand, errors: 0, beyond: Beyond::NONE };
    // AATT is its own reverse complement.
    assert_eq!(found, [hit(2, 7, 0, Strand::Reverse), hit(9, 13, 1, Strand::Forward)]);
}

#[test]
fn what_cannot_be_searched_for_is_refused() {
    let usage = |search: Search<'_>, word: &str| {
        let error = search.hits(b"text").unwrap_err();
        let is_refused = matches!(error, Error::Usage { .. } | Error::Pattern { .. });
        assert!(is_refused && error.to_string().contains(word), "{error}");
    };
    let literal = |symbols: &[u8]| Search::new(Pattern::literal(symbols));
    usage(literal(b""), "empty");
    usage(Search::many([] as [Pattern; 0]), "no pattern");
    usage(literal(b"abc").errors(3), "at most 2");
    usage(literal(b"abc").errors(u32::MAX), "at most 2");
    usage(literal(b"abc").tuning("alpha=4".parse().unwrap()), "name the algorithm");
    // The error names the algorithm that refuses a search.
    let refuses = |search: Search<'_>, name: &str, words: &[&str]| {
        let error = search.algorithm(Algorithm::named(name).unwrap()).hits(b"text").unwrap_err();
        assert!(matches!(&error, Error::Unsupported { algorithm, .. } if algorithm == name), "{error:?}");
        words.iter().for_each(|word| assert!(error.to_string().contains(word), "no {word}: {error}"));
    };
    let simt = |search: Search<'static>| search.on(&Simt::new());
    refuses(literal(b"abc").errors(1), "shift-or", &["exact matches only"]);
    refuses(literal(b"abc").errors(1), "literal", &["exact matches only"]);
    refuses(Search::new(Pattern::new(vec![Class::ANY])), "literal", &["plain symbols"]);
    refuses(simt(literal(b"abc")), "sellers", &["not available on simt; available: ", "packed"]);
    refuses(simt(literal(&[b'a'; 65])), "shift-or", &["up to 64 symbols, not 65"]);
    refuses(simt(literal(&[b'a'; 65])), "wu-manber", &["up to 64 symbols"]);
    refuses(literal(b"abc").errors(1), "mismatches", &["substitutions only"]);
    refuses(literal(b"abc"), "scan", &["not available on cpu; available: ", "segments"]);
    refuses(literal(b"abc"), "xbitpar", &["not available on cpu; available: ", "segments"]);
    refuses(simt(literal(&[b'a'; 65])), "gbpr", &["up to 64 symbols"]);
    refuses(simt(literal(&[b'a'; 4097])), "xbitpar", &["up to 4,096 symbols"]);
    refuses(literal(&[b'a'; 50]).errors(16), "segments", &["up to 15 errors"]);
    refuses(literal(&[b'a'; 100_000]).errors(90_000), "wu-manber", &["words of state"]);
    refuses(literal(b"abc").tuning("alpha=4".parse().unwrap()), "myers", &["alpha", "CPU"]);
    for records in [&[3..4, 1..2][..], std::slice::from_ref(&(2..5)), &[0..3, 2..4]] {
        assert!(matches!(Text::with_records(b"text", records), Err(Error::Usage { .. })), "{records:?}");
    }
}

/// An algorithm takes inputs up to the limits of its entry, and refuses one symbol or one error
/// more.
#[test]
fn limits_are_what_the_entries_say() {
    let mut limited = 0;
    for row in ALGORITHMS.iter().filter(|row| has_instructions_of(row.about.name)) {
        let algorithm = Algorithm::named(row.about.name).unwrap();
        let answers = |pattern: &Pattern, k| {
            let search = Search::new(pattern.clone()).errors(k).algorithm(algorithm);
            match search.count(b"text") {
                Ok(_) => true,
                Err(Error::Unsupported { .. }) => false,
                Err(error) => panic!("{algorithm}: {error}"),
            }
        };
        let long = Pattern::literal(&[b'a'; 100]);
        for (pattern, k) in [
            (&long, row.about.limits.errors.unwrap_or(98)),
            (&long, row.about.limits.errors.unwrap_or(98) + 1),
            (&Pattern::new(vec![Class::ANY, Class::from_symbol(b'a')]), 0),
        ] {
            if (row.check)(&Query::new(pattern.clone(), k)).is_err() {
                assert!(!answers(pattern, k), "{algorithm}, k = {k}");
                continue;
            }
            assert_eq!(answers(pattern, k), takes(&row.about, pattern, k), "{algorithm}, k = {k}");
            limited += u32::from(!takes(&row.about, pattern, k));
        }
    }
    assert!(limited >= 3, "{limited}");
}

/// Starts, strands and records are computed by the job: a device's hits equal the CPU's, both in a
/// text that is copied for each search and in a resident text.
#[test]
fn a_device_gives_the_same_hits() {
    let text = b"ccGATTACAccGATTTACAggTGTAATCccGATACA".repeat(40);
    let records = [0..500, 501..text.len()];
    let text = Text::with_records(&text, &records).unwrap();
    let simt = Simt::new();
    let resident = ResidentText::new(&simt, &text).unwrap();
    for k in [0, 1, 2] {
        let pattern = Pattern::literal(b"GATTACA");
        let search = Search::new(pattern.clone()).errors(k).both_strands(true);
        let expected = search.clone().hits(&text).unwrap();
        assert!(!expected.is_empty());
        // On the other strand a position may stand for two symbols, T or U.
        let strands = [pattern.clone(), pattern.reverse_complement()];
        let takes = |algorithm: &Algorithm| {
            // Pieces need at least four symbols each: see tests/device_search/pieces.rs. Guides
            // have positions that must match.
            !["pieces", "guides"].contains(&algorithm.name())
                && strands.iter().all(|strand| takes(algorithm.about(EngineKind::Simt).unwrap(), strand, k))
        };
        let algorithms: Vec<_> = Algorithm::all_on(EngineKind::Simt).filter(takes).collect();
        assert!(algorithms.len() >= 6, "{algorithms:?}");
        for algorithm in algorithms.into_iter().chain([Algorithm::AUTO]) {
            let search = search.clone().algorithm(algorithm);
            let device = search.clone().on(&simt);
            assert_eq!(device.hits(&text).unwrap(), expected, "{algorithm}, k = {k}");
            assert_eq!(search.hits(&resident).unwrap(), expected, "{algorithm}, k = {k}, a text that stays there");
            let all = search.clone().both_strands(false).ends(Ends::All);
            let ends = Search::new(pattern.clone()).errors(k).ends(Ends::All).count(&text).unwrap();
            let counts = [all.count(&resident).unwrap(), all.on(&simt).count(&text).unwrap()];
            assert_eq!(counts, [ends; 2], "{algorithm}, k = {k}");
        }
    }
}

#[test]
fn names_of_algorithms() {
    for algorithm in Algorithm::all().chain([Algorithm::AUTO]) {
        assert_eq!(algorithm.to_string().parse::<Algorithm>().unwrap(), algorithm);
    }
    let error = "grep".parse::<Algorithm>().unwrap_err();
    assert!(matches!(&error, Error::UnknownName { .. }) && error.to_string().contains("wu-manber"), "{error}");
}

#[test]
fn every_width_of_vectors() {
    again_with_less(&["device"]);
}

/// Checks the report of a search: the names, and the symbols in its progress.
#[test]
fn reports() {
    let text = b"ACGTTGCAAC".repeat(2000);
    let done = AtomicU64::new(0);
    let progress = |symbols: u64| _ = done.fetch_add(symbols, Ordering::Relaxed);
    let recorder = Recorder::new();
    let patterns = [&b"ACGTTGC"[..], b"GTTGCAA", b"ACGT"].map(Pattern::literal);
    let search = Search::many(patterns).errors(1).both_strands(true).on_progress(&progress).recorder(&recorder);
    let check = |engine: EngineKind| {
        let report = recorder.take().unwrap();
        assert_eq!(report.done, done.swap(0, Ordering::Relaxed), "{report}");
        assert_eq!(report.done, 6 * 20_000, "{report}");
        assert!(report.ran.iter().all(|ran| ran.engine == engine) && report.total >= report.kernels, "{report}");
        assert_eq!(report.done_by_kernels, if engine == EngineKind::Cpu { 0 } else { report.done });
        let known = |name: &str| Algorithm::named(name).unwrap().about(engine).is_some();
        assert!(!report.ran.is_empty() && report.ran.iter().all(|ran| known(ran.algorithm)), "{report}");
        report.ran.iter().map(|ran| ran.algorithm).collect::<Vec<_>>()
    };
    let all = search.hits(&text).unwrap();
    check(EngineKind::Cpu);
    for name in ["myers", "seeds", "sellers"] {
        let search = search.clone().algorithm(name.parse().unwrap());
        assert_eq!(search.hits(&text).unwrap(), all);
        // If pieces without errors are everywhere, another algorithm takes over.
        assert_eq!(check(EngineKind::Cpu)[0], name);
        search.count(&text).unwrap();
        assert_eq!(check(EngineKind::Cpu)[0], name);
    }
    let mut stream = search.prepare().unwrap().stream(Whole(Some(text.clone())));
    assert_eq!(stream.by_ref().count(), all.len());
    check(EngineKind::Cpu);
    let simt = Simt::new();
    assert_eq!(search.clone().on(&simt).hits(&text).unwrap(), all);
    check(EngineKind::Simt);
    // Longer than a slice of the CPU's search.
    let long = text.repeat(4);
    let resident = ResidentText::new(&simt, &long).unwrap();
    let alone = Search::new(Pattern::literal(b"ACGTTGC")).errors(1);
    assert_eq!(alone.hits(&resident).unwrap(), alone.hits(&long).unwrap());
    assert_eq!(Search::new(Pattern::literal(b"a")).recorder(&recorder).count(b"").unwrap(), 0);
    let nothing = recorder.take().unwrap();
    assert_eq!((nothing.done, nothing.ran.len()), (0, 0));
}

/// A text in one part.
struct Whole(Option<Vec<u8>>);

impl Parts for Whole {
    fn next_part(&mut self) -> Result<Option<Part>, Error> {
        let part = |symbols: Vec<u8>| {
            let record = PartRecord {
                number: 0,
                name: None,
                range: 0..symbols.len(),
                before: 0,
                place: 0,
                is_whole: true,
                fastq: None,
            };
            Part { symbols, records: vec![record] }
        };
        Ok(self.0.take().map(part))
    }
}

/// A pattern as long as an algorithm takes, with more errors than it takes: `auto` takes another.
#[test]
fn auto_takes_any_number_of_errors() {
    let mut random = fastrand::Rng::with_seed(31);
    let text: Vec<u8> = (0..600).map(|_| b"ACGT"[random.usize(..4)]).collect();
    let pattern = Pattern::literal(&text[100..160]).with_fixed(0..32).unwrap();
    for k in [31, 32, 40] {
        let search = Search::new(pattern.clone()).errors(k).substitutions(k).insertions(1).deletions(0).ends(Ends::All);
        let expected = search.clone().hits(&text).unwrap();
        assert!(!expected.is_empty());
        assert_eq!(search.on(&Simt::new()).hits(&text).unwrap(), expected, "k = {k}");
    }
}
