//! Any number of patterns of characters, in groups that have codes of their own.
//!
//! A text in codes has one byte for each symbol, so one search distinguishes
//! [`CODES`](super::CODES) kinds of characters outside ASCII. Patterns that together have more
//! kinds are split into groups, and each group's search has the text in its own codes:
//!
//! ```text
//! patterns     中国  美国  …  a name  |  …      |  bytes that are no UTF-8
//! groups       up to 127 kinds        |  up to… |  one group: symbols are bytes
//! ```
//!
//! So no pattern changes the symbols of another. A single pattern with more kinds gets its own
//! group, where kinds [share codes](super::shared_codes).

use super::codes::Characters;
use super::pattern::CharacterPattern;
use super::text_pattern::TextPattern;
use crate::error::Result;
use crate::text::pattern::Pattern;

/// Patterns that one search looks for, in codes that they share.
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
    /// Splits patterns into groups: in the order of their numbers, with as many in a group as there
    /// are codes for, and patterns of bytes in one group. Time is linear in the patterns, the sizes
    /// of their sets and the number of their characters outside ASCII, times a logarithm if there
    /// are several groups.
    ///
    /// # Errors
    /// [`Error::Pattern`](crate::Error::Pattern) for a pattern with a class such as `[^a]` and more
    /// than about 240 kinds of characters.
    pub fn from_patterns(patterns: &[TextPattern]) -> Result<Vec<Self>> {
        let mut of_characters = Vec::new();
        let mut bytes = Self { characters: None, patterns: Vec::new(), numbers: Vec::new() };
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
        // Nearly always one group has all patterns; otherwise the next group has about the same
        // number as the group before.
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

    /// Returns a group of the longest run of first patterns that fits the codes, and their number;
    /// tries `guess` first.
    fn first(patterns: &[(usize, &CharacterPattern)], guess: usize) -> Result<(Self, usize)> {
        // More patterns never have fewer kinds: the count doubles while the patterns fit, and then
        // a binary search finds the border.
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
}
