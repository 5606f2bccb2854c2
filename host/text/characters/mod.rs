//! Characters as symbols: in a text in UTF-8 each becomes one byte, its code, so that all that compares bytes compares characters.
//!
//! | file | what |
//! |---|---|
//! | `set` | sets of characters, and what `-i` adds to them |
//! | `pattern` | [`CharacterPattern`]: a set of characters for each position |
//! | `coded` | [`Coded`]: a text in codes, and where each of its symbols is among the bytes |
//! | `parts` | [`CodedParts`]: a text that comes in parts |
//! | `shared_codes` | patterns with more kinds of characters than there are codes |
//! | `groups` | [`PatternGroup`]: any number of patterns, in groups that have codes of their own |
//! | `pair` | [`code_pair`]: two strings to be compared with one another |
//! | `numbers` | [`numbers_of`]: strings of any number of kinds of characters |
//!
//! ASCII is its own code, so that a text in ASCII is searched as it is. All characters that no pattern tells apart have one code: those
//! that are in none of the patterns share a code that `.` alone matches, or `[^a]`; and so do those of `[а-я]`, where no pattern has one of them by
//! itself. A byte that is no part of a character in UTF-8 is a symbol by itself, which the same code stands for as for characters that
//! are in no pattern.
//!
//! ```
//! use carrywave::search::Search;
//! use carrywave::text::characters::{CharacterPattern, Characters};
//!
//! let pattern = CharacterPattern::literal("Muller", false);
//! let (characters, patterns) = Characters::of(&[pattern])?;
//! let text = characters.code("Herr Müller".as_bytes())?;
//! let hits = Search::many(patterns).errors(1).hits(text.symbols())?;
//! // One substitution; the hit's places are counted in characters, and these are its bytes.
//! assert_eq!((hits[0].errors, hits[0].start, hits[0].end), (1, 5, 11));
//! assert_eq!(text.bytes(5..11), 5..12);
//! # Ok::<(), carrywave::Error>(())
//! ```

mod coded;
mod groups;
mod numbers;
mod pair;
mod parts;
mod pattern;
mod set;
mod shared_codes;

use super::pattern::{Class, Pattern};
use crate::error::{Error, Result};
pub use coded::Coded;
use coded::is_ascii;
pub use groups::{PatternGroup, TextPattern};
pub use numbers::numbers_of;
pub use pair::{SHARED, code_pair, in_one_case};
pub use parts::{CodedParts, Located};
pub use pattern::CharacterPattern;
use set::{FIRST_BEYOND_ASCII, OTHER, Set};
use shared_codes::SharedCodes;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

/// The code of what no pattern names.
const REST: u8 = 255;
/// The first of the codes of other characters outside ASCII.
const FIRST: u8 = 128;
/// Kinds of characters outside ASCII that several patterns may have: one code outside ASCII for each.
pub const CODES: usize = (REST - FIRST) as usize;

/// A code for each character, made for some patterns.
#[derive(Clone)]
pub struct Characters {
    /// For each character how far its code is below [`REST`]: 0 for most, so that most of the table is never touched.
    below: Arc<Vec<u8>>,
    /// Codes of ASCII that other characters have: the characters of ASCII themselves have the code [`REST`].
    taken: Class,
    /// Positions of the longest pattern.
    longest: usize,
    /// `Some` if kinds of characters share codes.
    shared: Option<Shared>,
}

#[derive(Clone)]
struct Shared {
    codes: Arc<SharedCodes>,
    errors: u32,
}

impl std::fmt::Debug for Characters {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Characters").field("longest", &self.longest).finish_non_exhaustive()
    }
}

impl Characters {
    /// The codes for these patterns, and the patterns in codes. [`PatternGroup`] takes patterns with any number of kinds of characters together.
    ///
    /// Characters have one code where they are in the same sets of the patterns. A single pattern with more than [`CODES`] kinds of characters
    /// outside ASCII also uses the codes of ASCII characters that it does not name: some 240 codes in all. Time is linear in the patterns and
    /// the sizes of their sets, and in the number of characters outside ASCII that they have.
    ///
    /// # Errors
    /// [`Error::Usage`] if several patterns tell more than [`CODES`] kinds of characters outside ASCII apart, and [`Error::Pattern`] if a single one
    /// has more kinds than there are codes.
    pub fn of(patterns: &[CharacterPattern]) -> Result<(Self, Vec<Pattern>)> {
        let patterns: Vec<&CharacterPattern> = patterns.iter().collect();
        if let [pattern] = patterns[..] {
            return Self::of_one(pattern, 0);
        }
        Self::of_several(&patterns).ok_or_else(|| {
            Error::Usage(format!(
                "the patterns have more than {CODES} different characters outside ASCII: take `PatternGroup::of`, or search for fewer at a time"
            ))
        })
    }

    /// The codes for one pattern of several, by its number.
    fn of_one(pattern: &CharacterPattern, number: usize) -> Result<(Self, Vec<Pattern>)> {
        if let Some(coded) = Self::of_several(&[pattern]) {
            return Ok(coded);
        }
        let kinds = Kinds::new(&[pattern]);
        let codes = kinds.free_codes();
        kinds.codes(&codes).ok_or_else(|| {
            let found = kinds.all().len();
            Error::Pattern {
                number,
                reason: format!(
                    "has {found} different characters outside ASCII, and a search can tell {} apart: search for parts of it, or compare \
                     bytes (--bytes)",
                    codes.len()
                ),
            }
        })
    }

    /// Returns codes for the pattern with this number. If it has more kinds than there are codes, kinds share codes.
    fn of_many_kinds(pattern: &CharacterPattern, number: usize) -> Result<(Self, Vec<Pattern>)> {
        let refused = match Self::of_one(pattern, number) {
            Ok(coded) => return Ok(coded),
            Err(refused) => refused,
        };
        let kinds = Kinds::new(&[pattern]);
        let (codes, all) = (kinds.free_codes(), kinds.all());
        let mut positions: Vec<Vec<usize>> = vec![Vec::new(); kinds.sets.len()];
        for (position, set) in pattern.in_order().enumerate() {
            if let Some(&set) = kinds.numbers.get(set) {
                positions[set as usize].push(position);
            }
        }
        let of_kind = |members: &Vec<u32>| {
            let own = members.iter().filter(|&&set| !kinds.sets[set as usize].is_all());
            let mut own: Vec<usize> = own.flat_map(|&set| &positions[set as usize]).copied().collect();
            own.sort_unstable();
            own
        };
        let chosen = shared_codes::share(&all.iter().map(of_kind).collect::<Vec<_>>(), pattern.len(), &codes);
        let mut chosen = chosen.into_iter();
        let coded = kinds.codes_by(|_| chosen.next());
        let Some((mut characters, patterns)) = coded else { return Err(refused) };
        let codes = patterns.first().and_then(|coded| SharedCodes::new(pattern, coded, all.len())).ok_or(refused)?;
        characters.shared = Some(Shared { codes: Arc::new(codes), errors: 0 });
        Ok((characters, patterns))
    }

    /// The codes for several patterns, all outside ASCII; none if there are too few.
    fn of_several(patterns: &[&CharacterPattern]) -> Option<(Self, Vec<Pattern>)> {
        Kinds::new(patterns).codes(&(FIRST..REST).collect::<Vec<u8>>())
    }

    /// Returns true if a text is its own codes: in ASCII, and without characters whose codes others have. O(n) on all threads.
    fn keeps(&self, text: &[u8]) -> bool {
        is_ascii(text) && (self.taken.is_empty() || !text.iter().any(|&symbol| self.taken.contains(symbol)))
    }

    /// Returns true if every text in ASCII is its own codes.
    pub fn keep_ascii(&self) -> bool {
        self.taken.is_empty()
    }

    /// The code of a character, or of [`OTHER`].
    #[inline]
    fn code_of(&self, character: u32) -> u8 {
        if character < FIRST_BEYOND_ASCII {
            let own = character as u8;
            return if self.taken.contains(own) { REST } else { own };
        }
        REST - self.below.get(character as usize).copied().unwrap_or(0)
    }
}

/// The sets of some patterns, which tell kinds of characters apart.
struct Kinds<'p> {
    patterns: Vec<&'p CharacterPattern>,
    sets: Vec<&'p Set>,
    numbers: HashMap<&'p Set, u32>,
}

impl<'p> Kinds<'p> {
    fn new(patterns: &[&'p CharacterPattern]) -> Self {
        let mut numbers: HashMap<&Set, u32> = HashMap::new();
        let mut sets: Vec<&Set> = Vec::new();
        for set in patterns.iter().flat_map(|pattern| pattern.sets()) {
            numbers.entry(set).or_insert_with(|| {
                sets.push(set);
                sets.len() as u32 - 1
            });
        }
        Self { patterns: patterns.to_vec(), sets, numbers }
    }

    /// The sets that have what no pattern names.
    fn in_rest(&self) -> Vec<u32> {
        (0..).zip(&self.sets).filter(|(_, set)| set.contains(OTHER)).map(|(set, _)| set).collect()
    }

    /// Returns the kinds of characters outside ASCII that need a code, in the order of characters: for each the sets that have it.
    fn all(&self) -> Vec<Vec<u32>> {
        let mut all = Vec::new();
        let mut known = HashSet::from([self.in_rest()]);
        alike(&self.sets, |_, members| {
            if known.insert(members.clone()) {
                all.push(members);
            }
            true
        });
        all
    }

    /// Codes that the kinds of a single pattern may have: those outside ASCII, and those of characters of ASCII that the pattern does not tell from
    /// what it does not name, but for the ends of lines.
    fn free_codes(&self) -> Vec<u8> {
        let sets: Vec<(Class, bool)> = self.sets.iter().map(|set| (set.ascii(), set.contains(OTHER))).collect();
        let is_free = |symbol: &u8| {
            !b"\n\r".contains(symbol) && sets.iter().all(|(own, has_rest)| own.contains(*symbol) == *has_rest)
        };
        (FIRST..REST).chain((0..FIRST).filter(is_free)).collect()
    }

    /// A code for each kind; none if there are fewer codes than kinds.
    fn codes(&self, free: &[u8]) -> Option<(Characters, Vec<Pattern>)> {
        self.codes_by(|number| free.get(number).copied())
    }

    /// The codes that `code` gives the kinds, by their numbers in the order of characters.
    fn codes_by(&self, mut code: impl FnMut(usize) -> Option<u8>) -> Option<(Characters, Vec<Pattern>)> {
        let mut below = vec![0; OTHER as usize];
        let mut coded = vec![Class::default(); self.sets.len()];
        // For the sets that characters are in, the code of these characters.
        let mut codes: HashMap<Vec<u32>, u8> = HashMap::new();
        let in_rest = self.in_rest();
        in_rest.iter().for_each(|&set| coded[set as usize].insert(REST));
        codes.insert(in_rest, REST);
        let mut taken = Class::default();
        let all_have_one = alike(&self.sets, |characters, members| {
            let next = codes.len() - 1;
            let code = match codes.get(&members) {
                Some(&known) => known,
                None => {
                    let Some(code) = code(next) else { return false };
                    if code.is_ascii() {
                        taken.insert(code);
                    }
                    members.iter().for_each(|&set| coded[set as usize].insert(code));
                    codes.insert(members, code);
                    code
                }
            };
            if code != REST {
                below[characters.start as usize..characters.end as usize].fill(REST - code);
            }
            true
        });
        if !all_have_one {
            return None;
        }
        let class = |(set, coded): (&&Set, &Class)| {
            // Codes that are not in use are in it as well, as whatever takes it for what matches everything expects.
            if set.is_all() {
                return Class::ANY;
            }
            let own = set.ascii().symbols().filter(|&symbol| !taken.contains(symbol));
            Class::of_all(own.chain(coded.symbols()))
        };
        let classes: Vec<Class> = self.sets.iter().zip(&coded).map(class).collect();
        let of_codes = |pattern: &&CharacterPattern| {
            pattern.coded(|set| self.numbers.get(set).map_or(Class::ANY, |&set| classes[set as usize]))
        };
        let longest = self.patterns.iter().map(|pattern| pattern.len()).max().unwrap_or(0);
        let characters = Characters { below: Arc::new(below), taken, longest, shared: None };
        Some((characters, self.patterns.iter().map(of_codes).collect()))
    }
}

/// Calls `take` with ranges of characters outside ASCII, and the numbers of the sets that all of a range are in, until it returns false; whether
/// it took all.
fn alike(sets: &[&Set], mut take: impl FnMut(std::ops::Range<u32>, Vec<u32>) -> bool) -> bool {
    // Where a set begins and where it ends.
    let mut borders: Vec<(u32, u32, bool)> = Vec::new();
    for (number, set) in (0..).zip(sets) {
        for (first, last) in set.ranges().filter(|&(_, last)| last >= FIRST_BEYOND_ASCII) {
            borders.push((first.max(FIRST_BEYOND_ASCII), number, true));
            borders.push((last + 1, number, false));
        }
    }
    borders.sort_unstable();
    let (mut members, mut from) = (BTreeSet::new(), FIRST_BEYOND_ASCII);
    for (at, number, begins) in borders {
        if at > from {
            if !take(from..at.min(OTHER), members.iter().copied().collect()) {
                return false;
            }
            from = at;
        }
        if begins {
            members.insert(number)
        } else {
            members.remove(&number)
        };
    }
    from >= OTHER || take(from..OTHER, members.into_iter().collect())
}
