//! Characters as symbols: searches in UTF-8 texts and in texts with invalid bytes, checked against
//! Sellers' recurrence on characters.
#![cfg(feature = "io")]

use carrywave::best::Best;
use carrywave::io::sequence::{PartOptions, PartReader};
use carrywave::search::{Ends, Search};
use carrywave::text::characters::{CODES, CharacterPattern, TextPattern, code_pair};
use carrywave::text::{Pattern, Text};
use std::ops::Range;

/// A symbol of a text, a character or `None` for an invalid byte, with its bytes.
type Unit = (Option<char>, Range<usize>);

/// Splits a text into symbols, by the standard library.
fn units(text: &[u8]) -> Vec<Unit> {
    let (mut units, mut at) = (Vec::new(), 0);
    let mut add = |unit: Option<char>, bytes: usize| {
        units.push((unit, at..at + bytes));
        at += bytes;
    };
    for chunk in text.utf8_chunks() {
        chunk.valid().chars().for_each(|c| add(Some(c), c.len_utf8()));
        chunk.invalid().iter().for_each(|_| add(None, 1));
    }
    units
}

const LETTERS: [char; 14] =
    ['a', 'b', 'A', 'ü', 'Ü', 'σ', 'Σ', 'ς', 'k', '\u{212a}', '中', '\u{10ffff}', '\u{e000}', '\u{7ff}'];
const BROKEN: [&[u8]; 7] = [b"\xff", b"\x80", b"\xc3", b"\xe4\xb8", b"\xf0\x9f\x98", b"\xed\xa0\x80", b"\xc0\xaf"];

fn text(random: &mut fastrand::Rng, most: usize) -> Vec<u8> {
    let mut text = Vec::new();
    for _ in 0..random.usize(..=most) {
        match random.u8(..12) {
            0 => text.extend_from_slice(BROKEN[random.usize(..BROKEN.len())]),
            _ => text.extend_from_slice(LETTERS[random.usize(..LETTERS.len())].to_string().as_bytes()),
        }
    }
    text
}

/// Maps characters that differ only in case to one of them.
fn group(c: char) -> char {
    match c {
        'A' => 'a',
        'Ü' => 'ü',
        'Σ' | 'ς' => 'σ',
        '\u{212a}' => 'k',
        c => c,
    }
}

/// A pattern; `?` matches any symbol.
struct Given {
    symbols: Vec<char>,
    ignore_case: bool,
}

impl Given {
    fn random(random: &mut fastrand::Rng, m: usize, ignore_case: bool) -> Self {
        let mut letter = || if random.u8(..8) == 0 { '?' } else { LETTERS[random.usize(..LETTERS.len())] };
        Self { symbols: (0..m).map(|_| letter()).collect(), ignore_case }
    }

    fn pattern(&self) -> CharacterPattern {
        CharacterPattern::with_wildcard(&self.symbols.iter().collect::<String>(), Some('?'), self.ignore_case)
    }

    fn matches(&self, symbol: char, unit: Option<char>) -> bool {
        match unit {
            _ if symbol == '?' => true,
            Some(unit) if self.ignore_case => group(unit) == group(symbol),
            unit => unit == Some(symbol),
        }
    }

    /// Returns the ends with at most k errors, with their errors, by the definition.
    fn ends(&self, text: &[Unit], k: u32) -> Vec<(u64, u32)> {
        let mut column: Vec<u32> = (0..=self.symbols.len() as u32).collect();
        let mut found = Vec::new();
        for (end, (unit, _)) in (1..).zip(text) {
            let mut next = vec![0];
            for (i, &symbol) in self.symbols.iter().enumerate() {
                let through = column[i] + u32::from(!self.matches(symbol, *unit));
                next.push(through.min(column[i + 1] + 1).min(next[i] + 1));
            }
            column = next;
            let errors = column[self.symbols.len()];
            found.extend((errors <= k).then_some((end, errors)));
        }
        found
    }
}

/// Returns the byte offset of the end of the first `symbols` symbols; 0 before the first.
fn end_of(units: &[Unit], symbols: u64) -> u64 {
    (symbols as usize).checked_sub(1).map_or(0, |last| units[last].1.end as u64)
}

#[test]
fn ends_in_random_strings() {
    let mut random = fastrand::Rng::with_seed(18);
    for round in 0..300 {
        let text = text(&mut random, 40);
        let units = units(&text);
        let (m, k, ignore_case) = (random.usize(2..6), random.u32(..2), random.bool());
        let given: Vec<Given> = (0..3).map(|_| Given::random(&mut random, m, ignore_case)).collect();
        let search = Search::many(given.iter().map(Given::pattern)).errors(k).ends(Ends::All);
        let hits = search.hits(&text).unwrap();
        let in_characters = search.clone().positions_in_characters(true).hits(&text).unwrap();
        assert_eq!(search.count(&text).unwrap(), hits.len() as u64);
        for (hit, other) in hits.iter().zip(&in_characters) {
            let bytes = [other.start, other.end].map(|symbols| end_of(&units, symbols));
            assert_eq!((hit.start, hit.end, hit.pattern), (bytes[0], bytes[1], other.pattern));
        }
        for (number, given) in given.iter().enumerate() {
            let found = in_characters.iter().filter(|hit| hit.pattern == number).map(|hit| (hit.end, hit.errors));
            let mut found: Vec<_> = found.collect();
            found.sort_unstable();
            assert_eq!(found, given.ends(&units, k), "{round}: {:?} in {text:?}", given.symbols);
        }
        // The hits of a record do not depend on the other records.
        let mut cuts: Vec<usize> = (0..6).map(|_| random.usize(..=units.len())).collect();
        cuts.sort_unstable();
        let records: Vec<Range<usize>> = cuts
            .chunks(2)
            .map(|cut| end_of(&units, cut[0] as u64) as usize..end_of(&units, cut[1] as u64) as usize)
            .collect();
        let mut expected = Vec::new();
        for (record, range) in records.iter().enumerate() {
            let alone = search.hits(&text[range.clone()]).unwrap();
            expected.extend(alone.into_iter().map(|hit| carrywave::search::Hit { record, ..hit }));
        }
        assert_eq!(search.hits(Text::with_records(&text, &records).unwrap()).unwrap(), expected);
    }
}

/// Texts longer than a thread's piece, with characters and invalid bytes at the borders, and long
/// stretches of ASCII.
#[test]
fn long_texts() {
    let mut random = fastrand::Rng::with_seed(7);
    let search = Search::many(["ü", "中", "a"].map(|pattern| CharacterPattern::literal(pattern, false)));
    for letters in ["ü", "中", "aü", "a", "\u{10ffff}"] {
        let mut text: Vec<u8> = b"ab".repeat(random.usize(..50));
        while text.len() < 600_000 {
            match random.u16(..1000) {
                0 => text.extend(b"\x80".repeat(random.usize(..300))),
                1 => text.extend(b"ascii".repeat(random.usize(..2000))),
                _ => text.extend(letters.repeat(random.usize(..300)).into_bytes()),
            }
        }
        let units = units(&text);
        let number = |unit: &Unit| unit.0.and_then(|c| "ü中a".chars().position(|other| other == c));
        let expected = units.iter().filter_map(|unit| Some((number(unit)?, unit.1.clone())));
        let hits = search.hits(&text).unwrap();
        let found = hits.iter().map(|hit| (hit.pattern, hit.start as usize..hit.end as usize));
        assert!(found.eq(expected), "{letters}");
    }
}

/// A hit in a record: the record, its bytes, the pattern and the errors.
type HitInBytes = (usize, Range<u64>, usize, u32);

/// Returns the hits in a file that is read in parts of `symbols` bytes, and their symbols. A part
/// repeats up to `repeated` bytes of the part before.
fn streamed(search: &Search<'_>, file: &[u8], symbols: usize, repeated: usize) -> Vec<(HitInBytes, Vec<u8>)> {
    let options = PartOptions::default().raw(true).symbols(symbols).repeated(repeated);
    let reader = PartReader::from_reader("a text", std::io::Cursor::new(file.to_vec()), options).unwrap();
    let mut hits = search.prepare().unwrap().stream(reader);
    let found = hits.by_ref().map(|found| {
        let found = found.unwrap();
        let hit = found.hit;
        ((hit.record, hit.start..hit.end, hit.pattern, hit.errors), found.symbols().to_vec())
    });
    let found = found.collect();
    drop(hits.into_searcher());
    found
}

/// Returns the same hits for lines that are searched one by one.
fn in_lines(search: &Search<'_>, lines: &[Vec<u8>]) -> Vec<(HitInBytes, Vec<u8>)> {
    let mut all = Vec::new();
    for (record, line) in lines.iter().enumerate() {
        for hit in search.hits(line).unwrap() {
            let symbols = line[hit.start as usize..hit.end as usize].to_vec();
            all.push(((record, hit.start..hit.end, hit.pattern, hit.errors), symbols));
        }
    }
    all
}

/// Lines in parts of a few bytes have the same hits as the whole file, and no part ends within a
/// character.
#[test]
fn parts_of_any_size() {
    let mut random = fastrand::Rng::with_seed(3);
    for _ in 0..150 {
        let lines: Vec<Vec<u8>> = (0..random.usize(1..5)).map(|_| text(&mut random, 30)).collect();
        let file = lines.join(&b'\n');
        let given: Vec<Given> = (0..2).map(|_| Given::random(&mut random, 3, false)).collect();
        let search = Search::many(given.iter().map(Given::pattern)).errors(1).overlapping(true);
        let expected = in_lines(&search, &lines);
        for symbols in [1, 2, 3, 7, 20, 1000] {
            for repeated in [0, 4, 10] {
                let found = streamed(&search, &file, symbols, repeated);
                assert_eq!(found, expected, "parts of {symbols} bytes, {repeated} repeated, of {file:?}");
            }
        }
        // Searches in memory, too.
        let found = search.prepare().unwrap().hits_in_lines(&file).unwrap();
        let place = |hit: &carrywave::search::Hit| found.lines[hit.record].number as usize;
        let found: Vec<HitInBytes> =
            found.hits.iter().map(|hit| (place(hit), hit.start..hit.end, hit.pattern, hit.errors)).collect();
        assert!(found.iter().eq(expected.iter().map(|(hit, _)| hit)), "{file:?}");
    }
}

fn count(pattern: &str, ignore_case: bool, text: &str) -> u64 {
    let pattern = CharacterPattern::parse_classes(pattern, ignore_case).unwrap();
    Search::new(pattern).count(text).unwrap()
}

#[test]
fn classes_of_characters() {
    assert_eq!(count("[äö]l", false, "äl öl ül al"), 2);
    assert_eq!(count("[^a]l", false, "äl öl ül al"), 3);
    assert_eq!(count("[^ä]l", false, "äl öl ül al"), 3);
    assert_eq!(count("[^ä]l", true, "Äl öl ül al"), 3);
    assert_eq!(count("к[а-я]т", false, "кот кит кyт кЁт"), 2);
    assert_eq!(count("К[А-Я]т", true, "кот кит кyт кЁт"), 2);
    assert_eq!(count("M.ller", false, "Müller Miller Mller"), 2);
    assert_eq!(count("[[:alpha:]][[:digit:]]", false, "ü1 中2 -3 ü٣"), 2);
    // A class of very many characters shares one code.
    assert_eq!(count("[一-龥]国", false, "中国 美国 a国"), 2);
    assert_eq!(count("[一-龥中]国", false, "中国 美国 a国"), 2);
    assert!(CharacterPattern::parse_classes("[я-а]", false).unwrap_err().to_string().contains("я-а"));
}

/// Returns the length of an LCS and the edit distance, by the definition.
fn compared(a: &[char], b: &[char]) -> (u64, u64) {
    let mut lcs = vec![vec![0; b.len() + 1]; a.len() + 1];
    let mut distance: Vec<Vec<u64>> = (0..=a.len()).map(|i| (0..=b.len()).map(|j| (i + j) as u64).collect()).collect();
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let equal = a[i - 1] == b[j - 1];
            lcs[i][j] = if equal { lcs[i - 1][j - 1] + 1 } else { lcs[i - 1][j].max(lcs[i][j - 1]) };
            let through = distance[i - 1][j - 1] + u64::from(!equal);
            distance[i][j] = through.min(distance[i - 1][j] + 1).min(distance[i][j - 1] + 1);
        }
    }
    (lcs[a.len()][b.len()], distance[a.len()][b.len()])
}

#[test]
fn pairs_of_random_strings() {
    let mut random = fastrand::Rng::with_seed(11);
    for _ in 0..100 {
        let mut string =
            || (0..random.usize(..30)).map(|_| LETTERS[random.usize(..LETTERS.len())]).collect::<Vec<char>>();
        let (a, b) = (string(), string());
        let [in_a, in_b] = code_pair(&a.iter().collect::<String>(), &b.iter().collect::<String>()).unwrap();
        let lcs = carrywave::lcs::Comparison::new().alignment(&in_a, &in_b).unwrap();
        let distance = carrywave::distance::Comparison::new().distance(&in_a, &in_b).unwrap();
        assert_eq!((lcs.len(), distance), compared(&a, &b), "{a:?} {b:?}");
        for run in lcs.runs() {
            let [a_start, b_start, len] = [run.a_start, run.b_start, run.len].map(|place| place as usize);
            assert_eq!(a[a_start..a_start + len], b[b_start..b_start + len]);
        }
    }
}

#[test]
fn as_many_characters_as_there_are_codes() {
    let letters = |count: usize| ('\u{4e00}'..).take(count).collect::<String>();
    let pattern = |count: usize| CharacterPattern::literal(&letters(count), false);
    // More than CODES characters use the codes of ASCII, too, except those of line ends.
    let ascii: String = ('\0'..='\x7f').collect();
    for count in [CODES, CODES + 1, CODES + 126] {
        let text = format!("{ascii}{}{ascii}", letters(count + 1));
        let hits = Search::new(pattern(count)).positions_in_characters(true).hits(&text).unwrap();
        assert_eq!(hits.iter().map(|hit| (hit.start, hit.end)).collect::<Vec<_>>(), [(128, 128 + count as u64)]);
        let dense = Search::new(pattern(count)).errors(count as u32 - 1).ends(Ends::All);
        assert_eq!(dense.count(&ascii).unwrap(), 0);
    }
    // A class of other characters than the pattern's own needs a code, too, and there may be too
    // few.
    let classes = CharacterPattern::parse_classes(&format!("[^a]{}", letters(CODES + 127)), false).unwrap();
    let fault = Search::new(classes).count("text").unwrap_err().to_string();
    assert!(fault.contains("distinct non-ASCII characters") && fault.contains("--bytes"), "{fault}");
    // ASCII characters in the pattern keep their codes.
    let mixed = CharacterPattern::parse_classes(&format!("[^~]a{}[b-d].", letters(CODES + 100)), false).unwrap();
    for (text, expected) in [("-a中c-", 1), ("~a中c-", 0), ("-b中c-", 0), ("-a中a-", 0), ("中a中b\u{ff}", 1)] {
        let text = text.replace('中', &letters(CODES + 100));
        assert_eq!(Search::new(mixed.clone()).count(&text).unwrap(), expected, "{text}");
    }
}

/// Several patterns, of any number of different characters, have together the same ends as alone.
#[test]
fn groups_of_patterns() {
    let mut random = fastrand::Rng::with_seed(23);
    for kinds in [10, 300, 2000] {
        let letters: Vec<char> = ('\u{5000}'..).take(kinds).collect();
        let some = |random: &mut fastrand::Rng, len: usize| -> Vec<char> {
            (0..len).map(|_| letters[random.usize(..kinds)]).collect()
        };
        let given: Vec<Given> =
            (0..200).map(|number| Given { symbols: some(&mut random, 2 + number % 5), ignore_case: false }).collect();
        let mut text = some(&mut random, 300);
        for _ in 0..40 {
            text.extend(&given[random.usize(..200)].symbols);
        }
        let text: String = text.into_iter().collect();
        let units = units(text.as_bytes());
        let mut patterns: Vec<TextPattern> =
            given.iter().map(|given| TextPattern::Characters(given.pattern())).collect();
        patterns.insert(100, TextPattern::Bytes(Pattern::literal(b"\xe5\x80")));
        let search = Search::many(patterns.clone()).errors(1).ends(Ends::All);
        let hits = search.hits(&text).unwrap();
        assert_eq!(search.count(&text).unwrap(), hits.len() as u64);
        assert!(hits.is_sorted() && hits.iter().any(|hit| hit.pattern == 100));
        for (number, given) in given.iter().enumerate() {
            let number = number + usize::from(number >= 100);
            let of_pattern = hits.iter().filter(|hit| hit.pattern == number).map(|hit| (hit.end, hit.errors));
            let expected = given.ends(&units, 1).into_iter().map(|(end, errors)| (end_of(&units, end), errors));
            assert!(of_pattern.eq(expected), "{kinds} {number}");
        }
        // Positions counted in characters are undefined for a pattern of bytes.
        assert!(search.positions_in_characters(true).hits(&text).is_err());
    }
}

/// Lines in parts of any size have the hits that each group finds in the lines, in the same order.
#[test]
fn merged_hits_in_parts() {
    let mut random = fastrand::Rng::with_seed(31);
    for round in 0..60 {
        let lines: Vec<Vec<u8>> = (0..random.usize(1..6)).map(|_| text(&mut random, 40)).collect();
        let file = lines.join(&b'\n');
        // Each pattern is in a group of its own, since a filler between two patterns takes all
        // codes.
        let filler: String = ('\u{6000}'..).take(CODES).collect();
        let mut patterns: Vec<TextPattern> = Vec::new();
        for _ in 0..random.usize(1..4) {
            patterns.push(Given::random(&mut random, 3, false).pattern().into());
            patterns.push(CharacterPattern::literal(&filler, false).into());
        }
        if round % 2 == 0 {
            patterns.extend([Pattern::literal(b"\xcf\x83").into(), Pattern::literal(b"ab").into()]);
        }
        let overlapping = random.bool();
        let search = Search::many(patterns.clone()).errors(1).overlapping(overlapping);
        let mut expected = Vec::new();
        for (number, pattern) in patterns.into_iter().enumerate() {
            let alone = in_lines(&Search::new(pattern).errors(1).overlapping(overlapping), &lines);
            expected.extend(alone.into_iter().map(|((record, range, _, errors), symbols)| {
                ((record, range.start, range.end, number, errors), symbols)
            }));
        }
        expected.sort_unstable();
        let flat = |((record, range, number, errors), symbols): (HitInBytes, Vec<u8>)| {
            ((record, range.start, range.end, number, errors), symbols)
        };
        for symbols in [1, 2, 7, 20, 1000] {
            let found: Vec<_> = streamed(&search, &file, symbols, 0).into_iter().map(flat).collect();
            assert_eq!(found, expected, "parts of {symbols} bytes of {file:?}");
        }
        let found: Vec<_> = in_lines(&search, &lines).into_iter().map(flat).collect();
        assert_eq!(found, expected, "{file:?}");
    }
}

/// A pattern with more different characters than codes, some of them repeated, checked against the
/// definition.
#[test]
fn kinds_that_share_codes() {
    let rounds = if std::env::var_os("CARRYWAVE_LONG_TESTS").is_some() { 200 } else { 6 };
    let mut random = fastrand::Rng::with_seed(41);
    let (mut found, mut refused) = (0, 0);
    for round in 0..rounds {
        let kinds = [255, 300, 1000][round % 3];
        let letters: Vec<char> = ('\u{4e00}'..).take(kinds).collect();
        let mut symbols = letters.clone();
        random.shuffle(&mut symbols);
        for _ in 0..random.usize(..300) {
            symbols.insert(random.usize(..symbols.len()), letters[random.usize(..kinds)]);
        }
        let ignore_case = round % 4 == 1;
        if round % 4 == 2 {
            symbols[77] = '?';
        }
        let given = Given { symbols, ignore_case };
        let k = random.u32(..12);
        let mut text = String::new();
        for _ in 0..6 {
            let mut copy: Vec<char> =
                given.symbols.iter().map(|&symbol| if symbol == '?' { 'x' } else { symbol }).collect();
            // Also parts of the pattern in a row, and in another order.
            let place = random.usize(..copy.len());
            match random.u8(..4) {
                0 => copy.rotate_left(place),
                1 => copy.truncate(place.max(1)),
                _ => {}
            }
            for _ in 0..random.u32(..k + 3).min(copy.len() as u32) {
                let at = random.usize(..copy.len());
                match random.u8(..3) {
                    0 => drop(copy.remove(at)),
                    1 => copy.insert(at, letters[random.usize(..kinds)]),
                    _ => copy[at] = letters[random.usize(..kinds)],
                }
            }
            text.extend(copy);
            text.push_str(["", "ab", "é"][random.usize(..3)]);
        }
        // If two characters with the same code meet, the search returns an error instead of a wrong
        // hit.
        let search = Search::new(given.pattern()).errors(k).ends(Ends::All).positions_in_characters(true);
        let Ok(hits) = search.hits(&text) else {
            refused += 1;
            continue;
        };
        let ends: Vec<_> = hits.iter().map(|hit| (hit.end, hit.errors)).collect();
        assert_eq!(ends, given.ends(&units(text.as_bytes()), k), "{round}: {kinds} kinds, {k} errors");
        found += ends.len();
        // The nearest part.
        if round % 4 != 2 {
            let text = text.as_bytes();
            let nearest = Best::new(given.pattern());
            let Ok(best) = nearest.find(text) else {
                refused += 1;
                continue;
            };
            let part = &text[best.start as usize..best.end as usize];
            assert_eq!(nearest.align(&best, part).unwrap().errors(), u64::from(best.distance));
            let all = given.ends(&units(text), u32::MAX);
            let least = all.iter().map(|&(_, errors)| errors).min().unwrap();
            assert_eq!(best.distance, least, "{round}");
        }
    }
    assert!(found > rounds && refused * 20 <= rounds, "{found} {refused}");
}
