//! Every scorer against its definition, with strings of both widths and of all lengths up to 200.

use super::kind::{Kind, Score};
use super::parameters::{Parameters, Weights};
use super::scorer::Scorer;
use super::table::{SCORERS, named};
use super::{naive, partial_ratio_alignment};
use crate::pairs::{Cost, Symbols};

/// Expected score of a definition.
enum Expected {
    Distance { distance: u64, maximum: u64 },
    Similarity(f64),
}

fn expected(name: &str, a: &[u32], b: &[u32], parameters: &Parameters) -> Expected {
    let longest = a.len().max(b.len()) as u64;
    let of_longest = |distance| Expected::Distance { distance, maximum: longest };
    let reversed = |string: &[u32]| -> Vec<u32> { string.iter().rev().copied().collect() };
    Expected::Similarity(match name {
        "levenshtein" => {
            let Weights { insertion, deletion, replacement } = parameters.weights;
            let shortest = a.len().min(b.len()) as u64;
            let rest = if a.len() > b.len() { deletion } else { insertion } * (longest - shortest);
            let all = a.len() as u64 * deletion + b.len() as u64 * insertion;
            let maximum = all.min(shortest * replacement + rest);
            return Expected::Distance { distance: naive::levenshtein(a, b, parameters.weights), maximum };
        }
        "indel" => {
            return Expected::Distance { distance: naive::indel(a, b), maximum: (a.len() + b.len()) as u64 };
        }
        "lcs" => return of_longest(longest - ((a.len() + b.len()) as u64 - naive::indel(a, b)) / 2),
        "hamming" => return of_longest(naive::hamming(a, b)),
        "osa" => return of_longest(naive::osa(a, b)),
        "damerau" => return of_longest(naive::damerau(a, b)),
        "prefix" => return of_longest(longest - naive::prefix(a, b) as u64),
        "postfix" => return of_longest(longest - naive::prefix(&reversed(a), &reversed(b)) as u64),
        "jaro" => naive::jaro(a, b),
        "jaro-winkler" => {
            let jaro = naive::jaro(a, b);
            let prefix = naive::prefix(a, b).min(4) as f64;
            let increased = jaro + prefix * parameters.prefix_weight * (1.0 - jaro);
            if jaro > 0.7 { increased.min(1.0) } else { jaro }
        }
        "ratio" => naive::ratio(a, b),
        "quick-ratio" if a.is_empty() || b.is_empty() => 0.0,
        "quick-ratio" => naive::ratio(a, b),
        "partial-ratio" => naive::partial_ratio(a, b),
        "token-sort-ratio" => naive::of_sorted(a, b, naive::ratio),
        "token-set-ratio" => naive::token_set_ratio(a, b),
        "token-ratio" => naive::token_ratio(a, b),
        "partial-token-sort-ratio" => naive::of_sorted(a, b, naive::partial_ratio),
        "partial-token-set-ratio" => naive::partial_token_set_ratio(a, b),
        "partial-token-ratio" => naive::partial_token_ratio(a, b),
        "weighted-ratio" => naive::weighted_ratio(a, b),
        _ => panic!("{name} has no definition"),
    })
}

/// Returns the score of a kind, without a limit.
fn score(expected: &Expected, kind: Kind, optimal: f64) -> Score {
    match *expected {
        Expected::Distance { distance, maximum } => {
            let normalized = if maximum == 0 { 0.0 } else { distance as f64 / maximum as f64 };
            match kind {
                Kind::Distance => Score::Whole(distance),
                Kind::Similarity => Score::Whole(maximum - distance),
                Kind::NormalizedDistance => Score::Fraction(normalized),
                Kind::NormalizedSimilarity => Score::Fraction(1.0 - normalized),
            }
        }
        Expected::Similarity(similarity) => {
            let normalized = (optimal - similarity) / optimal;
            Score::Fraction(match kind {
                Kind::Distance => optimal - similarity,
                Kind::Similarity => similarity,
                Kind::NormalizedDistance => normalized,
                Kind::NormalizedSimilarity => 1.0 - normalized,
            })
        }
    }
}

/// Returns the expected score under a limit.
fn limited(scorer: &Scorer, kind: Kind, score: Score, limit: Score) -> Score {
    let is_within = match kind.higher_is_better() {
        true => score.value() >= limit.value(),
        false => score.value() <= limit.value(),
    };
    match (is_within, scorer.is_whole(kind), kind) {
        (true, ..) => score,
        (false, true, Kind::Distance) => Score::Whole(limit.value() as u64 + 1),
        (false, true, _) => Score::Whole(0),
        (false, false, _) if kind.higher_is_better() => Score::Fraction(0.0),
        (false, false, _) => Score::Fraction(1.0),
    }
}

const KINDS: [Kind; 4] = [Kind::Distance, Kind::Similarity, Kind::NormalizedDistance, Kind::NormalizedSimilarity];

/// Checks all kinds of scores of two strings, also prepared and with limits.
fn check(scorer: &Scorer, a: &[u32], b: &[u32], parameters: &Parameters, random: &mut fastrand::Rng) {
    let bytes =
        |string: &[u32]| -> Option<Vec<u8>> { string.iter().map(|&symbol| u8::try_from(symbol).ok()).collect() };
    let (narrow_a, narrow_b) = (bytes(a), bytes(b));
    let forms = |wide, narrow: &Option<Vec<u8>>| -> Vec<Symbols<'static>> {
        let wide: &'static [u32] = Vec::leak(<[u32]>::to_vec(wide));
        let narrow = narrow.clone().map(|bytes| Symbols::Bytes(Vec::leak(bytes)));
        std::iter::once(Symbols::Numbers(wide)).chain(narrow).collect()
    };
    let of = expected(scorer.name, a, b, parameters);
    let optimal = scorer.optimal(Kind::Similarity).unwrap_or(1.0);
    for x in forms(a, &narrow_a) {
        let prepared = scorer.prepare(&x, parameters).unwrap();
        for y in forms(b, &narrow_b) {
            for kind in KINDS {
                let expected = score(&of, kind, optimal);
                let label = format!("{} {kind:?} {a:?} {b:?} {parameters:?}", scorer.name);
                assert_eq!(scorer.score(kind, &x, &y, parameters, None).unwrap(), expected, "{label}");
                assert_eq!(prepared.score(kind, &y, None).unwrap(), expected, "prepared {label}");
                let limit = match expected {
                    Score::Whole(value) => Score::Whole((value + random.u64(..4)).saturating_sub(2)),
                    Score::Fraction(value) => Score::Fraction(value + random.f64() * 0.2 - 0.1),
                };
                let expected = limited(scorer, kind, expected, limit);
                assert_eq!(scorer.score(kind, &x, &y, parameters, Some(limit)).unwrap(), expected, "{limit:?} {label}");
                assert_eq!(prepared.score(kind, &y, Some(limit)).unwrap(), expected, "prepared {limit:?} {label}");
            }
        }
    }
}

fn string(random: &mut fastrand::Rng, len: usize, alphabet: u32) -> Vec<u32> {
    (0..len)
        .map(|_| match alphabet {
            // Words.
            0 => *random.choice(&[32, 97, 98, 32, 99, 100]).unwrap(),
            // Of white space, only the space: the two widths differ in others.
            1..=256 => Some(random.u32(..alphabet)).filter(|symbol| !SPACES.contains(symbol)).unwrap_or(97),
            // CJK, emoji and any numbers.
            300 => random.u32(0x4e00..0x4e20),
            400 => *random.choice(&[0x1f600, 0x1f601, 97, 233, 0x20ac]).unwrap(),
            _ => random.u32(..),
        })
        .collect()
}

const SPACES: [u32; 11] = [9, 10, 11, 12, 13, 28, 29, 30, 31, 0x85, 0xa0];
const ALPHABETS: [u32; 9] = [0, 0, 1, 2, 4, 256, 300, 400, 1000];

fn pair(random: &mut fastrand::Rng, longest: usize) -> [Vec<u32>; 2] {
    let alphabet = *random.choice(&ALPHABETS).unwrap();
    let len = random.usize(..=longest);
    let a = string(random, len, alphabet);
    let b = other(random, &a, longest, alphabet);
    [a, b]
}

/// Returns a string of any length up to `longest`, or one that is similar to `a`.
fn other(random: &mut fastrand::Rng, a: &[u32], longest: usize, alphabet: u32) -> Vec<u32> {
    if random.bool() {
        let len = random.usize(..=longest);
        return string(random, len, alphabet);
    }
    let mut b = a.to_vec();
    for _ in 0..random.usize(..5) {
        let at = random.usize(..=b.len());
        let other = string(random, 1, alphabet)[0];
        match random.u8(..4) {
            0 => b.insert(at, other),
            1 if at < b.len() => b[at] = other,
            2 if at + 1 < b.len() => b.swap(at, at + 1),
            _ => b.truncate(at.max(b.len() / 2)),
        }
    }
    b
}

fn parameters(random: &mut fastrand::Rng) -> Parameters {
    let mut weight = || random.u64(..4);
    let weights = Weights { insertion: weight(), deletion: weight(), replacement: weight() };
    let weights = if random.bool() { weights } else { Weights::UNIT };
    Parameters { weights, pad: true, prefix_weight: f64::from(random.u32(..11)) / 10.0 }
}

#[test]
fn short_strings_by_all_scorers() {
    let mut random = fastrand::Rng::with_seed(1);
    for _ in 0..60 {
        let [a, b] = pair(&mut random, 14);
        let parameters = parameters(&mut random);
        SCORERS.iter().for_each(|scorer| check(scorer, &a, &b, &parameters, &mut random));
    }
}

#[test]
fn long_strings() {
    let mut random = fastrand::Rng::with_seed(2);
    // The definitions of the others take too long.
    let slow = ["damerau", "weighted-ratio"];
    for number in 0..40 {
        let [a, b] = pair(&mut random, if number % 2 == 0 { 70 } else { 200 });
        let parameters = parameters(&mut random);
        let is_slow = |scorer: &Scorer| slow.contains(&scorer.name) || scorer.name.starts_with("partial");
        let scorers = SCORERS.iter().filter(|scorer| !is_slow(scorer));
        scorers.for_each(|scorer| check(scorer, &a, &b, &parameters, &mut random));
    }
}

#[test]
fn the_best_part() {
    let mut random = fastrand::Rng::with_seed(3);
    for (shorter, longer, rounds) in [(8, 20, 30), (66, 80, 2), (130, 134, 1)] {
        for _ in 0..rounds {
            let (a, b) = (string(&mut random, shorter, 2), string(&mut random, longer, 2));
            check(named("partial-ratio").unwrap(), &a, &b, &Parameters::default(), &mut random);
            let found = partial_ratio_alignment(&Symbols::Numbers(&b), &Symbols::Numbers(&a), 0.0).unwrap();
            let parts = [&b[found.a.clone()], &a[found.b.clone()]];
            assert_eq!(naive::ratio(parts[0], parts[1]), found.score);
        }
    }
}

#[test]
fn exchanges_that_are_edited_again() {
    let mut random = fastrand::Rng::with_seed(4);
    for _ in 0..100 {
        let [a, b] = pair(&mut random, 24);
        check(named("damerau").unwrap(), &a, &b, &Parameters::default(), &mut random);
    }
}

#[test]
fn faults_of_parameters() {
    let parameters = Parameters { pad: false, prefix_weight: 1.5, ..Parameters::default() };
    assert!(named("jaro-winkler").unwrap().prepare(&"a", &parameters).is_err());
    let parameters = Parameters { prefix_weight: 0.1, ..parameters };
    let hamming = named("hamming").unwrap();
    assert!(hamming.score(Kind::Distance, &"a", &"ab", &parameters, None).is_err());
    assert!(hamming.prepare(&"a", &parameters).unwrap().score(Kind::Distance, &"ab", None).is_err());
    let heavy = Weights { insertion: u64::MAX, deletion: u64::MAX - 1, replacement: u64::MAX };
    let heavy = Parameters { weights: heavy, ..Parameters::default() };
    for kind in KINDS {
        assert!(named("levenshtein").unwrap().score(kind, &"abc", &"de", &heavy, None).is_ok());
    }
}

#[test]
fn white_space_of_both_widths() {
    let score = |a: Symbols<'_>, b: Symbols<'_>| {
        let scorer = named("token-sort-ratio").unwrap();
        scorer.score(Kind::Similarity, &a, &b, &Parameters::default(), None).unwrap().value()
    };
    for space in SPACES {
        let narrow = [98, space as u8, 97];
        let wide = [98, space, 97];
        let is_narrow_space = space < 0x80;
        let expected = if is_narrow_space { 100.0 } else { score(Symbols::Bytes(b"bxa"), Symbols::Bytes(b"a b")) };
        assert_eq!(score(Symbols::Bytes(&narrow), Symbols::Bytes(b"a b")), expected);
        assert_eq!(score(Symbols::Numbers(&wide), Symbols::Bytes(b"a b")), 100.0);
    }
}

#[test]
fn many_strings_and_scores_from_distances() {
    let mut random = fastrand::Rng::with_seed(5);
    for round in 0..200 {
        // Lengths around those of words.
        let most = [20, 32, 33, 64, 65, 80][round % 6];
        let alphabet = *random.choice(&ALPHABETS).unwrap();
        let len = random.usize(..=most);
        let a = string(&mut random, len, alphabet);
        let others: Vec<Vec<u32>> = (0..37).map(|_| other(&mut random, &a, most, alphabet)).collect();
        let bytes = |string: &[u32]| -> Vec<u8> { string.iter().map(|&symbol| symbol as u8).collect() };
        let narrow: Vec<Vec<u8>> = others.iter().map(|other| bytes(other)).collect();
        let is_narrow = |string: &[u32]| string.iter().all(|&symbol| symbol < 256);
        let symbols = |(wide, narrow)| -> Symbols<'_> {
            let (wide, narrow): (&Vec<u32>, &Vec<u8>) = (wide, narrow);
            let is_bytes = is_narrow(wide) && wide.len() % 2 == round % 2;
            if is_bytes { Symbols::Bytes(narrow) } else { Symbols::Numbers(wide) }
        };
        let others: Vec<Symbols<'_>> = others.iter().zip(&narrow).map(symbols).collect();
        let a_bytes = bytes(&a);
        let a = symbols((&a, &a_bytes));
        for scorer in SCORERS {
            let kind = KINDS[random.usize(..4)];
            let parameters = parameters(&mut random);
            let limit = [None, Some(Score::Fraction(random.f64() * 40.0)), Some(Score::Fraction(random.f64()))]
                [random.usize(..3)];
            let single = |other: &Symbols<'_>| scorer.score(kind, &a, other, &parameters, limit).unwrap().value();
            let expected: Vec<f64> = others.iter().map(single).collect();
            let found = scorer.prepare(&a, &parameters).unwrap().scores(kind, &others, limit).unwrap();
            assert_eq!(found, expected, "{} {kind:?} {limit:?}", scorer.name);
            let Some(cost) = scorer.pair_cost(&parameters).filter(|_| !scorer.compares_words()) else { continue };
            let distance = |other: &Symbols<'_>| match cost {
                Cost::Levenshtein => naive::levenshtein(&a.to_numbers(), &other.to_numbers(), Weights::UNIT) as u32,
                Cost::Indel => naive::indel(&a.to_numbers(), &other.to_numbers()) as u32,
                Cost::Osa => naive::osa(&a.to_numbers(), &other.to_numbers()) as u32,
            };
            let longest = others.iter().map(|other| other.len()).max().unwrap_or(0);
            let most = scorer.pair_maximum(kind, [a.len(), longest], &parameters, limit).unwrap_or(u32::MAX);
            let known = |distance: u32| if distance <= most { distance } else { u32::MAX };
            let distances: Vec<u32> = others.iter().map(|other| known(distance(other))).collect();
            let lengths: Vec<u32> = others.iter().map(|other| other.len() as u32).collect();
            let mut found = vec![0.0; others.len()];
            scorer.scores_of_pairs(kind, &parameters, limit, a.len(), &lengths, &distances, &mut found);
            assert_eq!(found, expected, "{} {kind:?} {limit:?} by pairs", scorer.name);
        }
    }
}
