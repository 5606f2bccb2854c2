//! Two strings in codes: each character that both have gets a code of its own.

use super::set::Set;
use crate::error::Result;
use crate::text::numbered::{Numbered, number};
use crate::threads;
use rayon::prelude::*;
use std::collections::{BTreeSet, HashMap};

/// The most characters that both strings may share if each has a code of one byte. The other two
/// codes are for characters of one string alone.
pub const SHARED: usize = 254;

/// Codes two strings with one byte for each character, so that characters are equal if their codes
/// are. Each shared character has a code of its own (in ASCII the character itself), all characters
/// of `a` alone share a code, and all of `b` alone share another. `None` if the strings share more
/// than [`SHARED`] characters. O(m + n).
///
/// ```
/// use carrywave::text::characters::code_pair;
///
/// let [a, b] = code_pair("Müller", "Möller").unwrap();
/// // An LCS of bytes would have the first byte of ü and ö too.
/// assert_eq!(carrywave::lcs::Comparison::new().length(&a, &b)?, 5);
/// assert_eq!(carrywave::distance::Comparison::new().distance(&a, &b)?, 1);
/// # Ok::<(), carrywave::Error>(())
/// ```
pub fn code_pair(a: &str, b: &str) -> Option<[Vec<u8>; 2]> {
    let [in_a, in_b] = [a, b].map(occurring);
    let shared: Vec<char> = in_a.intersection(&in_b).copied().collect();
    if shared.len() > SHARED {
        return None;
    }
    let mut free = free_codes(&shared);
    let only_a = free.next()?;
    let only_b = free.next()?;
    let codes = codes(&shared, free);
    Some([code(a, &codes, only_a), code(b, &codes, only_b)])
}

/// Two strings whose symbols are characters, coded once for any number of comparisons.
///
/// ```
/// use carrywave::lcs::Comparison;
/// use carrywave::text::characters::CharacterPair;
///
/// let CharacterPair { codes: [a, b], numbered } = CharacterPair::new("Müller", "Möller")?;
/// let length = match &numbered {
///     Some(numbered) => Comparison::new().length_of_numbers(numbered)?,
///     None => Comparison::new().length(&a, &b)?,
/// };
/// assert_eq!(length, 5);
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CharacterPair {
    /// The strings as [`code_pair`] codes them. If `numbered` is there, different characters may
    /// share a code, and the codes are for views alone.
    pub codes: [Vec<u8>; 2],
    /// The characters as numbers, if the strings share more of them than there are codes.
    pub numbered: Option<Numbered>,
}

impl CharacterPair {
    /// Codes two strings. O(m + n). As in the [example](Self).
    ///
    /// # Errors
    /// [`Error::Memory`](crate::Error::Memory).
    pub fn new(a: &str, b: &str) -> Result<Self> {
        if let Some(codes) = code_pair(a, b) {
            return Ok(Self { codes, numbered: None });
        }
        let points = |text| threads::run(|| pieces(text).flat_map_iter(str::chars).map(u32::from).collect::<Vec<_>>());
        let points = [a, b].map(points);
        let numbered = number(&points[0], &points[1])?;
        // The low bits, so that characters of one block have different codes.
        let codes = points.map(|points| points.into_iter().map(|point| point as u8).collect());
        Ok(Self { codes, numbered: Some(numbered) })
    }
}

/// Returns a string with one case of each letter, by Unicode's simple case folding: of the
/// characters that are equal except for case, the one with the lowest code point, mostly a capital
/// letter. O(n).
///
/// ```
/// use carrywave::text::characters::in_one_case;
///
/// assert_eq!(in_one_case("Οδός"), in_one_case("οΔΌΣ"));
/// assert_eq!(in_one_case("Müller"), "MÜLLER");
/// ```
pub fn in_one_case(text: &str) -> String {
    let mut known = HashMap::new();
    let mut fold = |character: char| {
        *known.entry(character).or_insert_with(|| {
            let number = u32::from(character);
            let all = Set::new(vec![(number, number)]).in_all_cases();
            all.ranges().next().and_then(|(first, _)| char::from_u32(first)).unwrap_or(character)
        })
    };
    text.chars().map(&mut fold).collect()
}

/// Number of bytes of a text that a thread codes at a time.
const PIECE: usize = 1 << 18;

/// Cuts a text between characters into pieces of about [`PIECE`] bytes.
fn pieces(text: &str) -> impl ParallelIterator<Item = &str> {
    let border = |piece: usize| text.floor_char_boundary(piece.saturating_mul(PIECE));
    (0..text.len().div_ceil(PIECE)).into_par_iter().map(move |piece| &text[border(piece)..border(piece + 1)])
}

/// The characters that occur.
struct Seen(Vec<bool>);

impl Seen {
    fn new() -> Self {
        Self(vec![false; char::MAX as usize + 1])
    }

    fn with(mut self, text: &str) -> Self {
        text.chars().for_each(|character| self.0[character as usize] = true);
        self
    }

    fn and(mut self, other: Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(seen, other)| *seen |= other);
        self
    }

    fn characters(&self) -> impl Iterator<Item = char> {
        (0..).zip(&self.0).filter(|(_, seen)| **seen).filter_map(|(number, _)| char::from_u32(number))
    }
}

fn occurring(text: &str) -> BTreeSet<char> {
    if text.len() <= PIECE {
        return Seen::new().with(text).characters().collect();
    }
    let seen = threads::run(|| pieces(text).fold(Seen::new, Seen::with).reduce(Seen::new, Seen::and));
    seen.characters().collect()
}

/// Returns bytes that are not the code of an ASCII character in the list, the last first.
fn free_codes(characters: &[char]) -> impl Iterator<Item = u8> {
    let taken: BTreeSet<u8> = characters.iter().filter(|c| c.is_ascii()).map(|&c| c as u8).collect();
    (0..=255).rev().filter(move |code| !taken.contains(code))
}

/// Returns the code of each character.
fn codes(characters: &[char], mut free: impl Iterator<Item = u8>) -> HashMap<char, u8> {
    let code = |&c: &char| if c.is_ascii() { Some((c, c as u8)) } else { Some((c, free.next()?)) };
    characters.iter().filter_map(code).collect()
}

fn code(text: &str, codes: &HashMap<char, u8>, other: u8) -> Vec<u8> {
    // Avoids the map for most letters of most scripts.
    let mut first = [other; 0x800];
    for (&character, &code) in codes {
        if let Some(entry) = first.get_mut(character as usize) {
            *entry = code;
        }
    }
    let of = |c: char| first.get(c as usize).copied().unwrap_or_else(|| codes.get(&c).copied().unwrap_or(other));
    if text.len() <= PIECE {
        return text.chars().map(of).collect();
    }
    threads::run(|| pieces(text).flat_map_iter(str::chars).map(of).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LETTERS: [char; 9] = ['a', 'b', 'ü', 'Ü', 'т', '\u{4e2d}', '\u{1f600}', 'ÿ', 'þ'];

    #[test]
    fn characters_are_equal_where_codes_are() {
        let mut random = fastrand::Rng::with_seed(5);
        for _ in 0..100 {
            let mut string = || (0..random.usize(..8)).map(|_| LETTERS[random.usize(..9)]).collect::<String>();
            let (a, b) = (string(), string());
            let [in_a, in_b] = code_pair(&a, &b).unwrap();
            assert_eq!((in_a.len(), in_b.len()), (a.chars().count(), b.chars().count()));
            for (i, p) in a.chars().enumerate() {
                for (j, q) in b.chars().enumerate() {
                    assert_eq!(in_a[i] == in_b[j], p == q, "{a} {b}");
                }
            }
        }
    }

    #[test]
    fn codes_do_not_depend_on_the_threads() {
        let mut random = fastrand::Rng::with_seed(6);
        for letters in [9, 2000] {
            let letter =
                |number: usize| if letters == 9 { LETTERS[number] } else { ('\u{4e00}'..).nth(number).unwrap() };
            let mut string = || (0..2 * PIECE).map(|_| letter(random.usize(..letters))).collect::<String>();
            let (a, b) = (string(), string());
            let on = |threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| CharacterPair::new(&a, &b)).unwrap()
            };
            let expected = on(1);
            assert_eq!((expected.codes[0].len(), expected.numbered.is_some()), (2 * PIECE, letters == 2000));
            assert!(on(2) == expected && on(5) == expected, "{letters} letters");
        }
    }

    #[test]
    fn as_many_as_there_are_codes() {
        let letters = |from: char, count: usize| (from..).take(count).collect::<String>();
        let (most, more) = (letters('\u{4e00}', SHARED), letters('\u{4e00}', SHARED + 1));
        let [a, b] = code_pair(&format!("{most}xy"), &format!("z{most}")).unwrap();
        assert!(a[..SHARED] == b[1..] && a[SHARED] == a[SHARED + 1] && !a.contains(&b[0]) && !b.contains(&a[SHARED]));
        assert!(code_pair(&more, &more).is_none() && code_pair(&more, &most).is_some());
    }

    #[test]
    fn one_case_for_all() {
        for (one, other) in [("Straße", "STRA\u{1e9e}E"), ("300 \u{212a}", "300 k"), ("ж", "Ж")] {
            assert_eq!(in_one_case(one), in_one_case(other));
        }
        assert_ne!(in_one_case("ss"), in_one_case("ß"));
    }

    #[test]
    fn more_characters_than_codes_are_numbered() {
        let many: String = ('\u{4e00}'..).take(SHARED + 1).collect();
        let pair = CharacterPair::new(&many, &many).unwrap();
        let numbered = pair.numbered.unwrap();
        assert_eq!((numbered.kinds as usize, &numbered.a, pair.codes[0].len()), (SHARED + 1, &numbered.b, SHARED + 1));
        let few = CharacterPair::new("ab", "bc").unwrap();
        assert_eq!((Some(few.codes), few.numbered), (code_pair("ab", "bc"), None));
    }
}
