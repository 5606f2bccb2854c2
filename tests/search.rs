//! Search through the public interface, against a plain Sellers table.

#[path = "oracle/occurrences.rs"]
mod oracle_of_hits;

use carrywave::Error;
use carrywave::align::infix::End;
use carrywave::lcs::Engine;
use carrywave::search::cpu::CpuEnds;
use carrywave::search::ends::Ends as _;
use carrywave::search::{Algorithm, Alphabet, Class, Ends, Hit, Pattern, Search, Strand};
use oracle_of_hits::{Rule, occurrences};

/// The last row of Sellers' table, at most k, from the whole table and nothing else.
fn oracle(text: &[u8], pattern: &Pattern, k: u32) -> Vec<End> {
    let (m, n) = (pattern.len(), text.len());
    let mut table = vec![vec![0u32; n + 1]; m + 1];
    for i in 1..=m {
        table[i][0] = i as u32;
        for j in 1..=n {
            let mismatch = u32::from(!pattern.classes()[i - 1].contains(text[j - 1]));
            let ways = [table[i - 1][j - 1] + mismatch, table[i - 1][j] + 1, table[i][j - 1] + 1];
            table[i][j] = ways.into_iter().min().unwrap();
        }
    }
    (1..=n).filter(|&j| table[m][j] <= k).map(|j| End { end: j as u64, errors: table[m][j] }).collect()
}

/// Every algorithm that takes the pattern and k.
fn algorithms(pattern: &Pattern, k: u32) -> Vec<Algorithm> {
    let mut all = vec![Algorithm::Auto, Algorithm::Sellers, Algorithm::WuManber, Algorithm::Myers];
    if k == 0 {
        all.push(Algorithm::ShiftOr);
        if pattern.as_literal().is_some() {
            all.push(Algorithm::Literal);
        }
    }
    #[cfg(target_arch = "x86_64")]
    if k <= 15 && is_x86_feature_detected!("avx2") {
        all.push(Algorithm::Segments);
    }
    all
}

#[track_caller]
fn check(text: &[u8], pattern: &Pattern, k: u32) -> usize {
    let expected = oracle(text, pattern, k);
    for algorithm in algorithms(pattern, k) {
        let found = CpuEnds { algorithm, progress: &|_| () }.ends(text, pattern, k).unwrap();
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

fn random(len: usize, symbols: usize, random: &mut fastrand::Rng) -> Vec<u8> {
    (0..len).map(|_| random.usize(..symbols) as u8).collect()
}

/// The pattern with so many insertions, deletions and substitutions.
fn with_errors(pattern: &[u8], errors: u32, symbols: usize, random: &mut fastrand::Rng) -> Vec<u8> {
    let mut copy = pattern.to_vec();
    for _ in 0..errors {
        let at = random.usize(..=copy.len());
        let symbol = random.usize(..symbols) as u8;
        match random.u8(..3) {
            0 => copy.insert(at, symbol),
            1 if at < copy.len() => drop(copy.remove(at)),
            _ if at < copy.len() => copy[at] = symbol,
            _ => copy.push(symbol),
        }
    }
    copy
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
                2 => Class::of_all([0, 3, 200]),
                _ => Class::of(seed.u8(..4)),
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

/// Occurrences with insertions that reach back as far as they can, ending right behind the borders of pieces
/// (512 Ki symbols and 512 more): those that the engine cuts the text into.
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
            let found = CpuEnds { algorithm, progress: &|_| () }.ends(&text, &pattern, k as u32).unwrap();
            let found: Vec<_> = found.iter().map(|end| (end.end, end.errors)).collect();
            assert_eq!(found, expected, "{algorithm:?}, m = {m}, k = {k}");
        }
    }
}

#[test]
fn progress_adds_up() {
    let done = std::sync::atomic::AtomicU64::new(0);
    let progress = |symbols: u64| {
        done.fetch_add(symbols, std::sync::atomic::Ordering::Relaxed);
    };
    let patterns = [b"ACGT".as_slice(), b"AAAC"].map(|p| Pattern::parse(p, Alphabet::Dna).unwrap());
    let text = vec![b'A'; 1_200_000];
    // ACGT is its own reverse complement.
    let found =
        Search::many(patterns.to_vec()).errors(1).both_strands(true).on_progress(&progress).count(&text).unwrap();
    assert_eq!(done.into_inner(), 4 * text.len() as u64);
    assert_eq!(found, 1_200_000 / 4, "as many as there is room for of AAAC with an error");
}

/// A long pattern leaves a text in one piece, of which it takes a while to see the end.
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

/// Borders of records, some empty, some touching.
fn records(text: &[u8], random: &mut fastrand::Rng) -> Vec<std::ops::Range<usize>> {
    let mut borders: Vec<usize> = (0..2 * random.usize(0..5)).map(|_| random.usize(0..=text.len())).collect();
    borders.sort();
    borders.chunks(2).map(|pair| pair[0]..pair[1]).collect()
}

/// Hits by the definition, from the errors and gaps of every part of every record.
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
            assert_eq!(search.hits_in(&text, &records).unwrap(), expected, "{place}");
            assert_eq!(search.count_in(&text, &records).unwrap(), expected.len() as u64, "{place}");
            found[i] += expected.len();
        }
    }
    assert!(found[0] > found[1] && found[1] > found[2] && found[2] > 1000, "{found:?}");
}

/// The hits in a text and those in its reverse complement are mirror images, whatever is asked for.
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
            // Its own reverse complement.
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
                // A place that such a pattern has on both strands is told as one on the forward strand.
                let twice = hits.iter().any(|other| (other.start, other.end) == (hit.start, hit.end)) && own;
                let strand = if twice { None } else { Some(strand) };
                (n - hit.end, n - hit.start, hit.errors, strand)
            };
            let mut expected: Vec<_> = hits.iter().map(mirrored).collect();
            let turned = search.hits(&reverse_complement(&text)).unwrap();
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

fn reverse_complement(symbols: &[u8]) -> Vec<u8> {
    let complement = |symbol: &u8| match symbol {
        b'A' => b'T',
        b'C' => b'G',
        b'G' => b'C',
        b'T' => b'A',
        other => *other,
    };
    symbols.iter().rev().map(complement).collect()
}

#[test]
fn mismatches_at_the_ends_keep_the_length() {
    let hits = |pattern: &[u8], k, text: &[u8]| -> Vec<_> {
        let hits = Search::new(Pattern::literal(pattern)).errors(k).hits(text).unwrap();
        hits.iter().map(|hit| (hit.start, hit.end, hit.errors)).collect()
    };
    // edlib, TRE and sassy have 3 to 10 too.
    assert_eq!(hits(b"GATTACA", 1, b"TTTCATTACATTT"), [(3, 10, 1)]);
    assert_eq!(hits(b"GATTACA", 1, b"TTTGATTACTTTT"), [(3, 10, 1)]);
    assert_eq!(hits(b"wrld", 1, b"hello world"), [(7, 11, 1)]);
    // A place is told once.
    assert_eq!(hits(b"Habakuk", 2, b"And Habakkuk saw"), [(4, 12, 1)]);
    assert_eq!(hits(b"abcd", 2, b"xxabcdxxxxxxabdxx"), [(2, 6, 0), (12, 15, 1)]);
}

#[test]
fn both_strands_and_several_patterns() {
    let pattern = |symbols: &[u8]| Pattern::parse(symbols, Alphabet::Dna).unwrap();
    let search = Search::many(vec![pattern(b"GGATT"), pattern(b"AATT")]).both_strands(true);
    let found: Vec<_> = search.hits(b"ccAATCCccaatt").unwrap();
    let hit = |start, end, pattern, strand| Hit { record: 0, start, end, pattern, strand, errors: 0 };
    // AATT is its own reverse complement.
    assert_eq!(found, [hit(2, 7, 0, Strand::Reverse), hit(9, 13, 1, Strand::Forward)]);
}

#[test]
fn what_cannot_be_searched_for_is_refused() {
    let refuses = |search: Search<'_>, word: &str| {
        let error = search.hits(b"text").unwrap_err();
        assert!(matches!(error, Error::Usage(_)) && error.to_string().contains(word), "{error}");
    };
    let literal = |symbols: &[u8]| Search::new(Pattern::literal(symbols));
    refuses(literal(b""), "empty");
    refuses(Search::many(vec![]), "no pattern");
    refuses(literal(b"abc").errors(3), "at most 2");
    refuses(literal(b"abc").errors(u32::MAX), "at most 2");
    refuses(literal(b"abc").errors(1).algorithm(Algorithm::ShiftOr), "shift-or");
    refuses(literal(b"abc").errors(1).algorithm(Algorithm::Literal), "literal");
    refuses(Search::new(Pattern::new(vec![Class::ANY])).algorithm(Algorithm::Literal), "shift-or");
    refuses(literal(b"abc").engine(Engine::Simt).algorithm(Algorithm::Sellers), "simt has no algorithm sellers");
    let long = literal(&[b'a'; 65]).engine(Engine::Simt);
    refuses(long.clone().algorithm(Algorithm::ShiftOr), "1 to 64 symbols, not 65; myers takes longer");
    refuses(long.algorithm(Algorithm::WuManber), "1 to 64 symbols");
    refuses(literal(b"abc").algorithm(Algorithm::Scan), "scan is for the engines gpu and simt");
    refuses(literal(b"abc").algorithm(Algorithm::XBitPar), "xbitpar is for the engines gpu and simt");
    refuses(
        literal(&[b'a'; 65]).engine(Engine::Simt).algorithm(Algorithm::Gbpr),
        "gbpr takes patterns of 1 to 64 symbols",
    );
    refuses(
        literal(&[b'a'; 4097]).engine(Engine::Simt).algorithm(Algorithm::XBitPar),
        "xbitpar takes patterns of 1 to 4096 symbols",
    );
    refuses(literal(&[b'a'; 50]).errors(16).algorithm(Algorithm::Segments), "at most 15");
    refuses(literal(&[b'a'; 100_000]).errors(90_000).algorithm(Algorithm::WuManber), "words of state");
    let backwards = [3..4, 1..2];
    assert!(literal(b"a").hits_in(b"text", &backwards).is_err());
    assert!(literal(b"a").hits_in(b"text", std::slice::from_ref(&(2..5))).is_err());
}

/// Starts, strands and records are the job's: a device's hits are the CPU's.
#[test]
fn a_device_gives_the_same_hits() {
    let text = b"ccGATTACAccGATTTACAggTGTAATCccGATACA".repeat(40);
    let records = [0..500, 501..text.len()];
    for k in [0, 1, 2] {
        let pattern = Pattern::literal(b"GATTACA");
        let search = Search::new(pattern).errors(k).both_strands(true);
        let expected = search.clone().hits_in(&text, &records).unwrap();
        assert!(!expected.is_empty());
        for algorithm in [
            Algorithm::Auto,
            Algorithm::WuManber,
            Algorithm::Packed,
            Algorithm::Myers,
            Algorithm::Scan,
            Algorithm::Gbpr,
            Algorithm::XBitPar,
        ] {
            let device = search.clone().engine(Engine::Simt).algorithm(algorithm);
            assert_eq!(device.hits_in(&text, &records).unwrap(), expected, "{algorithm}, k = {k}");
        }
    }
}

#[test]
fn names_of_algorithms() {
    for (name, algorithm) in Algorithm::NAMES {
        assert_eq!((name.parse::<Algorithm>().unwrap(), algorithm.to_string()), (algorithm, name.to_string()));
    }
    assert!("grep".parse::<Algorithm>().unwrap_err().to_string().contains("wu-manber"));
}
