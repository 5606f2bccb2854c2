//! Search through the public interface, against a plain Sellers table.

use carrywave::Error;
use carrywave::engine::cpu::search::CpuEnds;
use carrywave::engine::ends::{End, Ends as _};
use carrywave::lcs::Engine;
use carrywave::search::{Algorithm, Alphabet, Class, Ends, Hit, Pattern, Search, Strand};

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
    assert_eq!(found, 1, "one run of adjacent ends of AAAC with an error");
}

/// Hits by the definition: every end of every record by the oracle, every start by the distance of pattern and part.
fn hits_by_definition(text: &[u8], records: &[std::ops::Range<usize>], pattern: &Pattern, k: u32) -> Vec<Hit> {
    let reversed = Pattern::new(pattern.classes().iter().rev().copied().collect());
    let mut hits = Vec::new();
    for (record, range) in records.iter().enumerate() {
        for End { end, errors } in oracle(&text[range.clone()], pattern, k) {
            let mut part: Vec<u8> = text[range.start..range.start + end as usize].to_vec();
            part.reverse();
            let start = (0..=part.len()).find(|&len| distance(&part[..len], &reversed) == errors).unwrap();
            hits.push(Hit { record, start: end - start as u64, end, pattern: 0, strand: Strand::Forward, errors });
        }
    }
    hits.sort();
    hits
}

fn distance(text: &[u8], pattern: &Pattern) -> u32 {
    let mut row: Vec<u32> = (0..=text.len() as u32).collect();
    for (i, class) in (1..).zip(pattern.classes()) {
        let above = row.clone();
        row[0] = i;
        for j in 1..=text.len() {
            let mismatch = u32::from(!class.contains(text[j - 1]));
            row[j] = (above[j - 1] + mismatch).min(above[j] + 1).min(row[j - 1] + 1);
        }
    }
    row[text.len()]
}

#[test]
fn records_are_not_crossed_and_starts_are_the_nearest() {
    let mut seed = fastrand::Rng::with_seed(10);
    let mut found = 0;
    for _ in 0..300 {
        let m = seed.usize(1..12);
        let k = seed.u32(0..m.min(5) as u32);
        let pattern = Pattern::literal(&random(m, 3, &mut seed));
        let text = random(seed.usize(0..200), 3, &mut seed);
        let mut borders: Vec<usize> = (0..2 * seed.usize(0..12)).map(|_| seed.usize(0..=text.len())).collect();
        borders.sort();
        // Empty records and records that touch are among them.
        let records: Vec<_> = borders.chunks(2).map(|pair| pair[0]..pair[1]).collect();
        let expected = hits_by_definition(&text, &records, &pattern, k);
        let search = Search::new(pattern).errors(k).ends(Ends::All);
        assert_eq!(search.hits_in(&text, &records).unwrap(), expected, "m = {m}, k = {k}, {records:?}");
        assert_eq!(search.count_in(&text, &records).unwrap(), expected.len() as u64);
        found += expected.len();
    }
    assert!(found > 2000, "{found} hits");
}

#[test]
fn best_ends_are_the_first_of_the_least_in_each_run() {
    let search = Search::new(Pattern::literal(b"abcd")).errors(2);
    let ends = |ends, text: &[u8]| -> Vec<_> {
        let hits = search.clone().ends(ends).hits(text).unwrap();
        hits.iter().map(|hit| (hit.start, hit.end, hit.errors)).collect()
    };
    let text = b"xxabcdxxxxxxabdxx";
    assert_eq!(
        ends(Ends::All, text),
        [(2, 4, 2), (2, 5, 1), (2, 6, 0), (2, 7, 1), (2, 8, 2), (12, 14, 2), (12, 15, 1), (12, 16, 2)]
    );
    assert_eq!(ends(Ends::Best, text), [(2, 6, 0), (12, 15, 1)]);
    assert_eq!(search.count(text).unwrap(), 2);
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
