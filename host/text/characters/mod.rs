//! Characters as symbols: in a text in UTF-8 each becomes one byte, its code, so that all that compares bytes compares characters.
//!
//! | file | what |
//! |---|---|
//! | `set` | sets of characters, and what `-i` adds to them |
//! | `pattern` | [`CharacterPattern`]: a set of characters for each position |
//! | `coded` | [`Coded`]: a text in codes, and where each of its symbols is among the bytes |
//! | `parts` | [`CodedParts`]: a text that comes in parts |
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
mod numbers;
mod pair;
mod parts;
mod pattern;
mod set;

use super::pattern::{Class, Pattern};
use crate::error::{Error, Result};
pub use coded::Coded;
pub use numbers::numbers_of;
pub use pair::{SHARED, code_pair, in_one_case};
pub use parts::{CodedParts, Located};
pub use pattern::CharacterPattern;
use set::{FIRST_BEYOND_ASCII, OTHER, Set};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// The code of what no pattern names.
const REST: u8 = 255;
/// The first of the codes of other characters outside ASCII.
const FIRST: u8 = 128;
/// How many of them there are.
pub const CODES: usize = (REST - FIRST) as usize;

/// A code for each character, made for some patterns.
#[derive(Clone)]
pub struct Characters {
    /// For each character how far its code is below [`REST`]: 0 for most, so that most of the table is never touched.
    below: Arc<Vec<u8>>,
    /// Positions of the longest pattern.
    longest: usize,
}

impl std::fmt::Debug for Characters {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Characters").field("longest", &self.longest).finish_non_exhaustive()
    }
}

impl Characters {
    /// The codes for these patterns, and the patterns in codes.
    ///
    /// Characters have one code where they are in the same sets of the patterns. Time is linear in the patterns and the sizes of their sets, and
    /// in the number of characters outside ASCII that they have.
    ///
    /// # Errors
    /// [`Error::Usage`] if the patterns tell more than [`CODES`] kinds of characters outside ASCII apart.
    pub fn of(patterns: &[CharacterPattern]) -> Result<(Self, Vec<Pattern>)> {
        let mut numbers: HashMap<&Set, u32> = HashMap::new();
        let mut sets: Vec<&Set> = Vec::new();
        for set in patterns.iter().flat_map(CharacterPattern::sets) {
            numbers.entry(set).or_insert_with(|| {
                sets.push(set);
                sets.len() as u32 - 1
            });
        }
        let mut below = vec![0; OTHER as usize];
        let mut classes: Vec<Class> = sets.iter().map(|set| set.ascii()).collect();
        // For the sets that characters are in, the code of these characters.
        let mut codes: HashMap<Vec<u32>, u8> = HashMap::new();
        let in_rest: Vec<u32> = (0..).zip(&sets).filter(|(_, set)| set.contains(OTHER)).map(|(set, _)| set).collect();
        in_rest.iter().for_each(|&set| classes[set as usize].insert(REST));
        codes.insert(in_rest, REST);
        for (characters, members) in alike(&sets) {
            let next = codes.len() - 1;
            let code = match codes.get(&members) {
                Some(&code) => code,
                None if next == CODES => {
                    return Err(Error::Usage(format!(
                        "the patterns have more than {CODES} different characters outside ASCII, and there are no more codes: search \
                         for fewer at a time, or compare bytes (--bytes)"
                    )));
                }
                None => {
                    let code = FIRST + next as u8;
                    members.iter().for_each(|&set| classes[set as usize].insert(code));
                    codes.insert(members, code);
                    code
                }
            };
            if code != REST {
                below[characters.start as usize..characters.end as usize].fill(REST - code);
            }
        }
        // Codes that are not in use are in it as well, as whatever takes it for what matches everything expects.
        for (class, _) in classes.iter_mut().zip(&sets).filter(|(_, set)| set.is_all()) {
            *class = Class::ANY;
        }
        let coded = |pattern: &CharacterPattern| {
            pattern.coded(|set| numbers.get(set).map_or(Class::ANY, |&set| classes[set as usize]))
        };
        let longest = patterns.iter().map(CharacterPattern::len).max().unwrap_or(0);
        Ok((Self { below: Arc::new(below), longest }, patterns.iter().map(coded).collect()))
    }

    /// The code of a character, or of [`OTHER`].
    #[inline]
    fn code_of(&self, character: u32) -> u8 {
        if character < FIRST_BEYOND_ASCII {
            return character as u8;
        }
        REST - self.below.get(character as usize).copied().unwrap_or(0)
    }
}

/// Characters outside ASCII in ranges, and the numbers of the sets that all of a range are in.
fn alike(sets: &[&Set]) -> Vec<(std::ops::Range<u32>, Vec<u32>)> {
    // Where a set begins and where it ends.
    let mut borders: Vec<(u32, u32, bool)> = Vec::new();
    for (number, set) in (0..).zip(sets) {
        for (first, last) in set.ranges().filter(|&(_, last)| last >= FIRST_BEYOND_ASCII) {
            borders.push((first.max(FIRST_BEYOND_ASCII), number, true));
            borders.push((last + 1, number, false));
        }
    }
    borders.sort_unstable();
    let mut found = Vec::new();
    let (mut members, mut from) = (BTreeSet::new(), FIRST_BEYOND_ASCII);
    for (at, number, begins) in borders {
        if at > from {
            found.push((from..at.min(OTHER), members.iter().copied().collect()));
            from = at;
        }
        if begins {
            members.insert(number)
        } else {
            members.remove(&number)
        };
    }
    if from < OTHER {
        found.push((from..OTHER, members.into_iter().collect()));
    }
    found
}
