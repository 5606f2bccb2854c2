//! Any number of patterns of characters, in groups that have codes of their own.
//!
//! A text in codes has one byte for each symbol, so that one search tells [`CODES`](super::CODES) kinds of characters outside ASCII apart. Patterns
//! with more kinds together are searched for in several groups, and each group's search has the text in its own codes:
//!
//! ```text
//! patterns     中国  美国  …  a name  |  …      |  bytes that are no UTF-8
//! groups       up to 127 kinds        |  up to… |  one group: symbols are bytes
//! ```
//!
//! So no pattern changes the symbols of another one. A single pattern with more kinds gets its own group, where kinds
//! [share codes](super::shared_codes).

use super::coded::Coded;
use super::codes::Characters;
use super::pattern::CharacterPattern;
use crate::error::{Error, Result};
use crate::text::pattern::Pattern;

/// A pattern for a text in UTF-8.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextPattern {
    /// A pattern whose symbols are characters.
    Characters(CharacterPattern),
    /// A pattern whose symbols are bytes: one that is no UTF-8.
    Bytes(Pattern),
}

/// Patterns that one search looks for, in codes that they share.
///
/// ```
/// use carrywave::search::Search;
/// use carrywave::text::characters::{CharacterPattern, PatternGroup, TextPattern};
///
/// // 1,000 patterns, each of a character of its own and an `a`.
/// let names = ('\u{4e00}'..).take(1000).map(|name| CharacterPattern::literal(&format!("{name}a"), false));
/// let names: Vec<TextPattern> = names.map(TextPattern::Characters).collect();
/// let groups = PatternGroup::of(&names)?;
/// assert_eq!(groups.len(), 8);
/// let mut found = Vec::new();
/// for group in groups {
///     let text = group.code("\u{4e05}a \u{51e1}a".as_bytes())?;
///     let hits = Search::many(group.patterns.clone()).hits(text.symbols())?;
///     found.extend(hits.iter().map(|hit| (hit.start, group.numbers[hit.pattern])));
/// }
/// assert_eq!(found, [(0, 5), (3, 993)]);
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct PatternGroup {
    /// The codes; `None` if symbols are bytes.
    pub characters: Option<Characters>,
    /// The patterns in codes.
    pub patterns: Vec<Pattern>,
    /// The number of each pattern among all that were given.
    pub numbers: Vec<usize>,
}

impl PatternGroup {
    /// The groups of patterns: in the order of their numbers as many in a group as there are codes for, and those of bytes together. Time is linear
    /// in the patterns, the sizes of their sets and the number of characters outside ASCII that they have, times a logarithm where there are several
    /// groups.
    ///
    /// # Errors
    /// [`Error::Pattern`] for a pattern that has a class such as `[^a]` and more than some 240 kinds of characters.
    pub fn of(patterns: &[TextPattern]) -> Result<Vec<Self>> {
        let mut of_characters = Vec::new();
        let mut bytes = Self::of_bytes(Vec::new());
        for (number, pattern) in patterns.iter().enumerate() {
            match pattern {
                TextPattern::Characters(pattern) => of_characters.push((number, pattern)),
                TextPattern::Bytes(pattern) => {
                    bytes.patterns.push(pattern.clone());
                    bytes.numbers.push(number);
                }
            }
        }
        let mut groups = Vec::new();
        let mut rest = &of_characters[..];
        // Nearly always one group has all patterns; else the next group has about as many as the one before.
        let mut guess = rest.len();
        while !rest.is_empty() {
            let (group, count) = Self::first(rest, guess)?;
            groups.push(group);
            rest = &rest[count..];
            guess = count;
        }
        if !bytes.patterns.is_empty() {
            groups.push(bytes);
        }
        Ok(groups)
    }

    /// All of these patterns in one group, where symbols are bytes.
    pub fn of_bytes(patterns: Vec<Pattern>) -> Self {
        Self { characters: None, numbers: (0..patterns.len()).collect(), patterns }
    }

    /// A group of as many of the first patterns as there are codes for, and how many these are; `guess` is tried first.
    fn first(patterns: &[(usize, &CharacterPattern)], guess: usize) -> Result<(Self, usize)> {
        // More patterns never have fewer kinds: the count doubles while the patterns fit, and then the border is searched for.
        let mut fits = 0;
        let mut too_many = patterns.len() + 1;
        let mut found = None;
        let mut next = guess.clamp(1, patterns.len());
        while fits + 1 < too_many {
            let own: Vec<&CharacterPattern> = patterns[..next].iter().map(|&(_, pattern)| pattern).collect();
            match Characters::of_several(&own) {
                Some(coded) => (fits, found) = (next, Some(coded)),
                None => too_many = next,
            }
            let is_open = too_many > patterns.len();
            next = if is_open { (2 * fits).min(patterns.len()) } else { fits + (too_many - fits) / 2 };
        }
        let (number, pattern) = patterns[0];
        let (characters, coded) = match found {
            Some(coded) => coded,
            None => Characters::of_many_kinds(pattern, number)?,
        };
        let count = fits.max(1);
        let numbers = patterns[..count].iter().map(|&(number, _)| number).collect();
        Ok((Self { characters: Some(characters), patterns: coded, numbers }, count))
    }

    /// A text as this group's search takes it.
    ///
    /// # Errors
    /// [`Error::Memory`] if there is no memory for the codes.
    pub fn code<'t>(&self, text: &'t [u8]) -> Result<Coded<'t>> {
        match &self.characters {
            Some(characters) => characters.code(text),
            None => Ok(Coded::of_bytes(text)),
        }
    }

    /// Sets the most errors that the search allows. The codes of a text depend on it if the [group shares codes](Self::shares_codes); other groups
    /// ignore it.
    pub fn set_errors(&mut self, errors: u32) {
        if let Some(shared) = self.characters.as_mut().and_then(|characters| characters.shared.as_mut()) {
            shared.errors = errors;
        }
    }

    /// Returns true if the group has one pattern, with more kinds of characters than there are codes. Its texts are coded for a
    /// [number of errors](Self::set_errors), and each record is to be coded as a whole.
    pub fn shares_codes(&self) -> bool {
        self.characters.as_ref().is_some_and(|characters| characters.shared.is_some())
    }

    /// Numbers for the characters of the pattern and of a text, which are equal where characters match: for a group that shares codes, of a pattern
    /// without classes. Others have none.
    pub fn numbers_of(&self, text: &[u8]) -> Option<[Vec<u32>; 2]> {
        self.characters.as_ref()?.shared.as_ref()?.codes.numbers(text)
    }

    /// Returns true if every text in ASCII is its own codes.
    pub fn keeps_ascii(&self) -> bool {
        self.characters.as_ref().is_none_or(Characters::keep_ascii)
    }

    /// An error of this group's search, with the pattern's number among all.
    pub fn numbered(&self, error: Error) -> Error {
        match error {
            Error::Pattern { number, fault, reason } => {
                Error::Pattern { number: self.numbers.get(number).copied().unwrap_or(number), fault, reason }
            }
            error => error,
        }
    }
}
