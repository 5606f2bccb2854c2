//! Characters as symbols: searches in texts in UTF-8, and with bytes in them that are no UTF-8, against Sellers' recurrence on characters.
#![cfg(feature = "io")]

use carrywave::Result;
use carrywave::best::{Best, best_group};
use carrywave::io::sequence::{PartOptions, PartReader};
use carrywave::search::{Ends, MergedHits, Pattern, Search, merge};
use carrywave::text::characters::{
    CODES, CharacterPattern, Characters, CodedParts, PatternGroup, TextPattern, code_pair,
};
use std::ops::Range;

/// A symbol of a text, a character, or none for a byte that is in none; and its bytes.
type Unit = (Option<char>, Range<usize>);

/// The symbols of a text, by the standard library.
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

/// Those that are one letter without their case.
fn group(c: char) -> char {
    match c {
        'A' => 'a',
        'Ü' => 'ü',
        'Σ' | 'ς' => 'σ',
        '\u{212a}' => 'k',
        c => c,
    }
}

/// `?` is any symbol.
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

    /// Ends with at most k errors, and these, by the definition.
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

fn coded(given: &[Given]) -> Result<(Characters, Vec<Pattern>)> {
    Characters::of(&given.iter().map(Given::pattern).collect::<Vec<_>>())
}

#[test]
fn ends_in_random_strings() {
    let mut random = fastrand::Rng::with_seed(18);
    for round in 0..300 {
        let text = text(&mut random, 40);
        let units = units(&text);
        let (m, k, ignore_case) = (random.usize(2..6), random.u32(..2), random.bool());
        let given: Vec<Given> = (0..3).map(|_| Given::random(&mut random, m, ignore_case)).collect();
        let (characters, patterns) = coded(&given).unwrap();
        let text_coded = characters.code(&text).unwrap();
        assert_eq!(text_coded.symbols().len(), units.len());
        let hits = Search::many(patterns).errors(k).ends(Ends::All).hits(text_coded.symbols()).unwrap();
        for (number, given) in given.iter().enumerate() {
            let found = hits.iter().filter(|hit| hit.pattern == number).map(|hit| (hit.end, hit.errors));
            let mut found: Vec<_> = found.collect();
            found.sort_unstable();
            assert_eq!(found, given.ends(&units, k), "{round}: {:?} in {text:?}", given.symbols);
        }
        for (at, (_, bytes)) in units.iter().enumerate() {
            assert_eq!(text_coded.bytes(at..at + 1), *bytes);
        }
        let mut cuts: Vec<usize> = (0..6).map(|_| random.usize(..=units.len())).collect();
        cuts.sort_unstable();
        let byte = |symbol: usize| units.get(symbol).map_or(text.len(), |(_, bytes)| bytes.start);
        let ranges: Vec<Range<usize>> = cuts.chunks(2).map(|cut| cut[0]..cut[1]).collect();
        let bytes: Vec<Range<usize>> = ranges.iter().map(|range| byte(range.start)..byte(range.end)).collect();
        assert_eq!(text_coded.symbols_of(&bytes), ranges);
    }
}

/// Longer than what a thread takes, with characters and bytes that are none at the borders, and long stretches of ASCII.
#[test]
fn long_texts() {
    let mut random = fastrand::Rng::with_seed(7);
    let characters = Characters::of(&[CharacterPattern::literal("ü中", false)]).unwrap().0;
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
        let coded = characters.code(&text).unwrap();
        let expected = |unit: &Unit| match unit.0 {
            Some(c) if c.is_ascii() => c as u8,
            Some('ü') => 128,
            Some('中') => 129,
            _ => 255,
        };
        assert!(coded.symbols().iter().copied().eq(units.iter().map(expected)), "{letters}");
        for at in (0..units.len()).step_by(97) {
            assert_eq!(coded.bytes(at..at + 1), units[at].1, "{letters}");
        }
        let bytes: Vec<_> = units.iter().step_by(13).map(|unit| unit.1.clone()).collect();
        let symbols = (0..units.len()).step_by(13).map(|at| at..at + 1);
        assert!(coded.symbols_of(&bytes).into_iter().eq(symbols), "{letters}");
    }
}

/// Lines in parts of a few bytes have the hits that they have as a whole, and no part ends within a character.
#[test]
fn parts_of_any_size() {
    let mut random = fastrand::Rng::with_seed(3);
    for _ in 0..150 {
        let lines: Vec<Vec<u8>> = (0..random.usize(1..5)).map(|_| text(&mut random, 30)).collect();
        let file = lines.join(&b'\n');
        let given: Vec<Given> = (0..2).map(|_| Given::random(&mut random, 3, false)).collect();
        let (characters, patterns) = coded(&given).unwrap();
        let mut expected = Vec::new();
        for (record, line) in lines.iter().enumerate() {
            let coded = characters.code(line).unwrap();
            let hits = Search::many(patterns.clone()).errors(1).overlapping(true).hits(coded.symbols()).unwrap();
            for hit in hits {
                let bytes = coded.bytes(hit.start as usize..hit.end as usize);
                expected.push((record, hit.pattern, bytes.clone(), line[bytes].to_vec(), hit.errors));
            }
        }
        expected.sort_unstable_by_key(|hit| (hit.0, hit.2.start, hit.2.end, hit.1));
        for symbols in [1, 2, 3, 7, 20, 1000] {
            let options = PartOptions::default().raw(true).symbols(symbols);
            let reader = PartReader::from_reader("a text", std::io::Cursor::new(file.clone()), options).unwrap();
            let search = Search::many(patterns.clone()).errors(1).overlapping(true);
            let mut hits = search.prepare().unwrap().stream(CodedParts::new(reader, Some(characters.clone())));
            let mut found = Vec::new();
            while let Some(hit) = hits.next() {
                let hit = hit.unwrap();
                let place = hits.parts().locate(hit.hit.record, hit.hit.start..hit.hit.end, hit.symbols()).unwrap();
                let range = place.range.start as usize..place.range.end as usize;
                found.push((hit.hit.record, hit.hit.pattern, range, place.bytes, hit.hit.errors));
            }
            found.sort_unstable_by_key(|hit| (hit.0, hit.2.start, hit.2.end, hit.1));
            assert_eq!(found, expected, "parts of {symbols} bytes of {file:?}");
        }
    }
}

fn count(pattern: &str, ignore_case: bool, text: &str) -> u64 {
    let pattern = CharacterPattern::parse_classes(pattern, ignore_case).unwrap();
    let (characters, patterns) = Characters::of(&[pattern]).unwrap();
    Search::many(patterns).count(characters.code(text.as_bytes()).unwrap().symbols()).unwrap()
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
    // As many characters as there are, in one code.
    assert_eq!(count("[一-龥]国", false, "中国 美国 a国"), 2);
    assert_eq!(count("[一-龥中]国", false, "中国 美国 a国"), 2);
    assert!(CharacterPattern::parse_classes("[я-а]", false).unwrap_err().to_string().contains("я-а"));
}

/// The length of an LCS and the edit distance, by the definition.
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
    // More than these have the codes of ASCII, but for the ends of lines.
    let ascii: String = ('\0'..='\x7f').collect();
    for count in [CODES, CODES + 1, CODES + 126] {
        let text = format!("{ascii}{}{ascii}", letters(count + 1));
        let (characters, patterns) = Characters::of(&[pattern(count)]).unwrap();
        assert_eq!(characters.keep_ascii(), count == CODES);
        let coded = characters.code(text.as_bytes()).unwrap();
        let hits = Search::many(patterns.clone()).errors(0).hits(coded.symbols()).unwrap();
        assert_eq!(hits.iter().map(|hit| (hit.start, hit.end)).collect::<Vec<_>>(), [(128, 128 + count as u64)]);
        assert_eq!(coded.character(65), Some('A'));
        let only_ascii = characters.code(ascii.as_bytes()).unwrap();
        assert_eq!(
            Search::many(patterns).errors(count as u32 - 1).ends(Ends::All).count(only_ascii.symbols()).unwrap(),
            0
        );
        assert_eq!(only_ascii.bytes(3..7), 3..7);
    }
    let fault = Characters::of(&[pattern(CODES + 127)]).unwrap_err().to_string();
    assert!(fault.contains("254 different characters") && fault.contains("--bytes"), "{fault}");
    // Characters of ASCII that the pattern names keep their codes.
    let mixed = CharacterPattern::parse_classes(&format!("[^~]a{}[b-d].", letters(CODES + 100)), false).unwrap();
    let (characters, patterns) = Characters::of(&[mixed]).unwrap();
    for (text, expected) in [("-a中c-", 1), ("~a中c-", 0), ("-b中c-", 0), ("-a中a-", 0), ("中a中b\u{ff}", 1)] {
        let text = text.replace('中', &letters(CODES + 100));
        let coded = characters.code(text.as_bytes()).unwrap();
        assert_eq!(Search::many(patterns.clone()).count(coded.symbols()).unwrap(), expected, "{text}");
    }
}

/// Patterns of any number of kinds together have the ends that they have alone.
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
        let groups = PatternGroup::of(&patterns).unwrap();
        assert_eq!(groups.len() == 2, kinds == 10);
        let mut numbers: Vec<usize> = groups.iter().flat_map(|group| group.numbers.clone()).collect();
        numbers.sort_unstable();
        assert!(numbers.into_iter().eq(0..201));
        let (mut searched, mut of_bytes) = (Vec::new(), 0);
        for group in &groups {
            let coded = group.code(text.as_bytes()).unwrap();
            let hits = Search::many(group.patterns.clone()).errors(1).ends(Ends::All).hits(coded.symbols()).unwrap();
            match group.characters {
                Some(_) => searched.push((hits, &group.numbers[..])),
                None => of_bytes += hits.len(),
            }
        }
        assert!(of_bytes > 0);
        let hits = merge(searched);
        assert!(hits.is_sorted() && !hits.is_empty());
        for (number, given) in given.iter().enumerate() {
            let number = number + usize::from(number >= 100);
            let of_pattern = hits.iter().filter(|hit| hit.pattern == number).map(|hit| (hit.end, hit.errors));
            assert_eq!(of_pattern.collect::<Vec<_>>(), given.ends(&units, 1), "{kinds} {number}");
        }
    }
}

/// Lines in parts of any size have the hits that each group finds in the lines, in their order.
#[test]
fn merged_hits_in_parts() {
    let mut random = fastrand::Rng::with_seed(31);
    for round in 0..60 {
        let lines: Vec<Vec<u8>> = (0..random.usize(1..6)).map(|_| text(&mut random, 40)).collect();
        let file = lines.join(&b'\n');
        // Each pattern is in a group of its own.
        let given: Vec<Given> = (0..random.usize(1..4)).map(|_| Given::random(&mut random, 3, false)).collect();
        let mut groups: Vec<PatternGroup> = Vec::new();
        for (number, given) in given.iter().enumerate() {
            let mut own = PatternGroup::of(&[TextPattern::Characters(given.pattern())]).unwrap();
            own[0].numbers = vec![number];
            groups.append(&mut own);
        }
        if round % 2 == 0 {
            let mut bytes = PatternGroup::of_bytes(vec![Pattern::literal(b"\xcf\x83"), Pattern::literal(b"ab")]);
            bytes.numbers = vec![given.len(), given.len() + 1];
            groups.push(bytes);
        }
        let overlapping = random.bool();
        let search = |group: &PatternGroup| Search::many(group.patterns.clone()).errors(1).overlapping(overlapping);
        let mut expected = Vec::new();
        for group in &groups {
            for (record, line) in lines.iter().enumerate() {
                let coded = group.code(line).unwrap();
                for hit in search(group).hits(coded.symbols()).unwrap() {
                    let bytes = match group.characters {
                        Some(_) => coded.bytes(hit.start as usize..hit.end as usize),
                        None => hit.start as usize..hit.end as usize,
                    };
                    expected.push((record, bytes.start, bytes.end, group.numbers[hit.pattern], hit.errors));
                }
            }
        }
        expected.sort_unstable();
        for symbols in [1, 2, 7, 20, 1000] {
            let options = PartOptions::default().raw(true).symbols(symbols);
            let reader = PartReader::from_reader("a text", std::io::Cursor::new(file.clone()), options).unwrap();
            let searchers = groups.iter().map(|group| search(group).prepare()).collect::<Result<_>>().unwrap();
            let mut hits = MergedHits::new(&groups, searchers, reader);
            let mut found = Vec::new();
            while let Some(hit) = hits.next() {
                let mut hit = hit.unwrap();
                let located = hits.locate(&mut hit);
                let own = hit.found.hit;
                let bytes = located.map_or(own.start..own.end, |located| located.range);
                found.push((own.record, bytes.start as usize, bytes.end as usize, hit.pattern, own.errors));
            }
            if groups.len() == 1 {
                found.sort_unstable();
            }
            assert_eq!(found, expected, "parts of {symbols} bytes of {file:?}");
            assert_eq!(hits.into_searchers().len(), groups.len());
        }
    }
}

/// A pattern with more kinds of characters than there are codes, with kinds that come again, against the definition.
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
            // Parts of the pattern too, one after the other, and in another order.
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
        let mut groups = PatternGroup::of(&[TextPattern::Characters(given.pattern())]).unwrap();
        assert!(groups.len() == 1 && groups[0].shares_codes());
        let search = Search::many(groups[0].patterns.clone()).errors(k).ends(Ends::All);
        groups[0].set_errors(search.most_errors().unwrap());
        // Two kinds with one code that meet give an error, and no wrong hit.
        let Ok(coded) = groups[0].code(text.as_bytes()) else {
            refused += 1;
            continue;
        };
        let hits = search.hits(coded.symbols()).unwrap();
        let ends: Vec<_> = hits.iter().map(|hit| (hit.end, hit.errors)).collect();
        assert_eq!(ends, given.ends(&units(text.as_bytes()), k), "{round}: {kinds} kinds, {k} errors");
        found += ends.len();
        // The nearest part.
        if round % 4 != 2 {
            let (pattern, text) = (given.pattern(), text.as_bytes());
            let group = best_group(&pattern, text).unwrap();
            let Ok(coded) = group.code(text) else {
                refused += 1;
                continue;
            };
            let best = Best::new(group.patterns[0].clone()).find(coded.symbols()).unwrap();
            let all = given.ends(&units(text), u32::MAX);
            let least = all.iter().map(|&(_, errors)| errors).min().unwrap();
            assert_eq!(best.distance, least, "{round}");
        }
    }
    assert!(found > rounds && refused * 20 <= rounds, "{found} {refused}");
}
