//! Search with transpositions: by the definition, on every engine.

use carrywave::device::{Cpu, Engine, Simt};
use carrywave::error::Error;
use carrywave::search::{Ends, Search};
use carrywave::text::characters::CharacterPattern;
use carrywave::text::{Pattern, Strand, Text};

/// Returns the distance of optimal string alignment.
fn osa(a: &[u8], b: &[u8]) -> usize {
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let diagonal = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = diagonal.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

/// Returns the ends in a text with at most k errors, and the errors of each.
fn ends(pattern: &[u8], text: &[u8], k: usize) -> Vec<(u64, u32)> {
    let errors = |end: usize| (0..=end).map(|start| osa(pattern, &text[start..end])).min().unwrap_or(pattern.len());
    let all = (1..=text.len()).map(|end| (end as u64, errors(end) as u32));
    all.filter(|&(_, errors)| errors as usize <= k).collect()
}

/// Returns a pattern, and a text with parts near it.
fn strings(random: &mut fastrand::Rng, m: usize, letters: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let string = |random: &mut fastrand::Rng, len: usize| -> Vec<u8> {
        (0..len).map(|_| letters[random.usize(..letters.len())]).collect()
    };
    let pattern = string(random, m);
    let mut text = string(random, 9);
    for _ in 0..4 {
        let filling = string(random, 5);
        let mut part = pattern.clone();
        for _ in 0..random.usize(..4) {
            let at = random.usize(..part.len() - 1);
            match random.usize(..4) {
                0 => drop(part.remove(at)),
                1 => part.insert(at, letters[0]),
                _ => part.swap(at, at + 1),
            }
        }
        text.extend(part);
        text.extend(filling);
    }
    (pattern, text)
}

fn engines() -> [Box<dyn Engine>; 2] {
    [Box::new(Cpu::new()), Box::new(Simt::new())]
}

#[test]
fn ends_and_errors_are_those_of_the_definition() {
    let mut random = fastrand::Rng::with_seed(1);
    let mut found = 0;
    for round in 0..60 {
        let letters: &[u8] = [&b"AC"[..], b"ACGT", b"abcdefgh"][round % 3];
        let k = 1 + round % 2;
        let m = random.usize(2 * k + 1..14);
        let (pattern, text) = strings(&mut random, m, letters);
        for engine in &engines()[..if round % 6 == 0 { 2 } else { 1 }] {
            let search = Search::new(Pattern::literal(&pattern)).errors(k as u32).transpositions(true).on(&**engine);
            let all = search.clone().ends(Ends::All).hits(&text[..]).unwrap();
            let of_all: Vec<_> = all.iter().map(|hit| (hit.end, hit.errors)).collect();
            assert_eq!(of_all, ends(&pattern, &text, k), "{pattern:?} {text:?} {k}");
            let best = search.hits(&text[..]).unwrap();
            for hits in [&all, &best] {
                for hit in hits {
                    assert_eq!(osa(&pattern, &text[hit.start as usize..hit.end as usize]), hit.errors as usize);
                }
            }
            assert!(best.is_sorted_by(|one, next| one.end <= next.start), "{best:?}");
            found += of_all.len();
        }
    }
    assert!(found > 500, "{found}");
}

/// The hits of the reverse strand are those of the reverse complement in the reversed text.
#[test]
fn both_strands_mirror_each_other() {
    let mut random = fastrand::Rng::with_seed(2);
    for _ in 0..30 {
        let (pattern, text) = strings(&mut random, 9, b"ACGT");
        let search = Search::new(Pattern::literal(&pattern)).errors(1).transpositions(true).both_strands(true);
        let complement = |&symbol: &u8| b"TGCA"[b"ACGT".iter().position(|&own| own == symbol).unwrap()];
        let turned: Vec<u8> = text.iter().rev().map(complement).collect();
        for ends in [Ends::Best, Ends::All] {
            let key =
                |start: u64, end: u64, strand: Strand, errors: u32| (start, end, strand == Strand::Reverse, errors);
            let n = text.len() as u64;
            let here = search.clone().ends(ends).hits(&text[..]).unwrap();
            let mut here: Vec<_> = here.iter().map(|hit| key(hit.start, hit.end, hit.strand, hit.errors)).collect();
            let there = search.clone().ends(ends).hits(&turned[..]).unwrap();
            let mut there: Vec<_> = there
                .iter()
                .map(|hit| (n - hit.end, n - hit.start, hit.strand == Strand::Forward, hit.errors))
                .collect();
            here.sort_unstable();
            there.sort_unstable();
            assert_eq!(here, there, "{pattern:?} {text:?}");
        }
    }
}

/// Records, whole records, characters, and patterns with limits of their own.
#[test]
fn records_characters_and_limits() {
    let search =
        |pattern: &str, k| Search::new(CharacterPattern::literal(pattern, false)).errors(k).transpositions(true);
    let told = |search: &Search<'_>, text: &str| {
        let hits = search.hits(text.as_bytes()).unwrap();
        hits.iter().map(|hit| (hit.start, hit.end, hit.errors)).collect::<Vec<_>>()
    };
    assert_eq!(told(&search("receive", 1), "I recieve, he receives"), [(2, 9, 1), (14, 21, 0)]);
    assert_eq!(told(&search("日本語辞書", 1).positions_in_characters(true), "この本日語辞書"), [(2, 7, 1)]);
    let lines = "receive\nrecieve\nrecieves\n";
    let ranges: Vec<_> = [0..7, 8..15, 16..24].into();
    let text = Text::with_records(lines.as_bytes(), &ranges).unwrap();
    let hits = search("receive", 1).whole_records(true).hits(text).unwrap();
    assert_eq!(hits.iter().map(|hit| (hit.record, hit.errors)).collect::<Vec<_>>(), [(0, 0), (1, 1)]);
    // A pattern that is shorter than its errors matches whole records.
    let hits = search("ab", 1).whole_records(true).hits(Text::with_records(b"ba\nxy\n", &[0..2, 3..5]).unwrap());
    assert_eq!(hits.unwrap().len(), 1);
    // A transposition counts as a substitution.
    let no_gaps = search("receive", 2).insertions(0).deletions(0);
    assert_eq!(told(&no_gaps.clone().substitutions(1), "xx recieve"), [(3, 10, 1)]);
    assert_eq!(told(&no_gaps.substitutions(0), "xx recieve"), []);
    // Fixed positions are not exchanged.
    let fixed = CharacterPattern::literal("receive", false).with_fixed([3]).unwrap();
    assert_eq!(told(&Search::new(fixed).errors(1).transpositions(true), "xx recieve"), []);
}

#[test]
fn what_transpositions_exclude_is_refused() {
    let search = |pattern: &[u8]| Search::new(Pattern::literal(pattern)).errors(2).transpositions(true);
    let error = search(b"wave").hits(b"wave").unwrap_err();
    assert!(matches!(error, Error::Pattern { .. }) && error.to_string().contains("at most 1"), "{error}");
    assert!(search(b"waves").hits(b"wave").is_ok());
    assert!(search(b"waves").aligner().unwrap_err().to_string().contains("transposition"));
}
