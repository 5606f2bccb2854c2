//! Sets of characters.

use crate::text::class::Class;
use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};

/// Number of a byte that is not part of a character in UTF-8: one more than the last character.
pub(super) const OTHER: u32 = 0x11_0000;
/// The first character outside ASCII.
pub(super) const FIRST_BEYOND_ASCII: u32 = 0x80;

/// A set of characters, and of [`OTHER`].
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Set {
    /// First and last character of each range, in order, with a gap between two ranges.
    ranges: Vec<(u32, u32)>,
}

impl Set {
    /// Returns the set of all characters and [`OTHER`].
    pub fn all() -> Self {
        Self { ranges: vec![(0, OTHER)] }
    }

    /// Creates a set of inclusive ranges, in any order.
    pub fn new(mut ranges: Vec<(u32, u32)>) -> Self {
        ranges.sort_unstable();
        let mut joined: Vec<(u32, u32)> = Vec::with_capacity(ranges.len());
        for (first, last) in ranges {
            match joined.last_mut() {
                Some(before) if first <= before.1.saturating_add(1) => before.1 = before.1.max(last),
                _ => joined.push((first, last)),
            }
        }
        Self { ranges: joined }
    }

    /// Adds the other cases of its letters, by Unicode's simple case folding.
    pub fn in_all_cases(self) -> Self {
        let ranges = self.ranges.iter().flat_map(|&(first, last)| without_surrogates(first, last));
        let mut class = ClassUnicode::new(ranges.map(|(first, last)| ClassUnicodeRange::new(first, last)));
        if let Err(fault) = class.try_case_fold_simple() {
            // The Unicode table is missing; the manifest requires it.
            log::debug!("{fault}");
        }
        let folded = class.iter().map(|range| (u32::from(range.start()), u32::from(range.end())));
        Self::new(folded.chain(self.ranges.iter().copied()).collect())
    }

    /// Returns the complement of the set.
    pub fn negated(&self) -> Self {
        let mut ranges = Vec::with_capacity(self.ranges.len() + 1);
        let mut from = 0;
        for &(first, last) in &self.ranges {
            if from < first {
                ranges.push((from, first - 1));
            }
            from = last + 1;
        }
        if from <= OTHER {
            ranges.push((from, OTHER));
        }
        Self { ranges }
    }

    /// Returns the first and the last character of each range, in order.
    pub fn ranges(&self) -> impl Iterator<Item = (u32, u32)> {
        self.ranges.iter().copied()
    }

    pub fn contains(&self, character: u32) -> bool {
        let behind = self.ranges.partition_point(|&(first, _)| first <= character);
        behind > 0 && character <= self.ranges[behind - 1].1
    }

    pub fn is_all(&self) -> bool {
        self.ranges == [(0, OTHER)]
    }

    /// Returns true if the set is one character.
    pub fn is_one(&self) -> bool {
        matches!(self.ranges[..], [(first, last)] if first == last && first != OTHER)
    }

    /// Returns true if all members are in ASCII.
    pub fn is_in_ascii(&self) -> bool {
        self.ranges.last().is_none_or(|&(_, last)| last < FIRST_BEYOND_ASCII)
    }

    /// Returns its members in ASCII.
    pub fn ascii(&self) -> Class {
        let ascii = self.ranges().take_while(|&(first, _)| first < FIRST_BEYOND_ASCII);
        Class::from_symbols(ascii.flat_map(|(first, last)| first as u8..=last.min(FIRST_BEYOND_ASCII - 1) as u8))
    }
}

/// Returns a range without the numbers that are not characters.
fn without_surrogates(first: u32, last: u32) -> impl Iterator<Item = (char, char)> {
    let part = |from: u32, to: u32| {
        let first = first.max(from);
        let last = last.min(to);
        if first <= last { char::from_u32(first).zip(char::from_u32(last)) } else { None }
    };
    part(0, 0xd7ff).into_iter().chain(part(0xe000, OTHER - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(characters: &str) -> Set {
        Set::new(characters.chars().map(|c| (u32::from(c), u32::from(c))).collect())
    }

    #[test]
    fn cases_of_letters() {
        let folded = |character: &str| set(character).in_all_cases();
        assert_eq!(folded("ü"), set("üÜ"));
        for sigma in ["Σ", "σ", "ς"] {
            assert_eq!(folded(sigma), set("Σσς"));
        }
        // The Kelvin sign, and the long s.
        assert_eq!(folded("k"), set("kK\u{212a}"));
        assert_eq!(folded("S"), set("sS\u{17f}"));
        assert_eq!(folded("1"), set("1"));
        // Simple folding maps one character to one character.
        assert_eq!(folded("ß"), set("ßẞ"));
    }

    #[test]
    fn what_is_not_in_a_set() {
        assert_eq!(Set::all().negated(), Set::new(vec![]));
        assert!(Set::new(vec![]).negated().is_all());
        let most = set("äa").negated();
        assert!(most.contains(OTHER) && most.contains(0) && most.contains(u32::from('b')));
        assert!(!most.contains(u32::from('a')) && !most.contains(u32::from('ä')));
        assert_eq!(most.negated(), set("aä"));
        // Includes surrogates, which are not characters.
        assert!(most.clone().in_all_cases().is_all());
    }

    #[test]
    fn ranges_are_joined() {
        assert_eq!(Set::new(vec![(5, 9), (0, 3), (4, 4), (7, 8)]), Set::new(vec![(0, 9)]));
        assert!(set("ab").is_in_ascii() && !set("aü").is_in_ascii());
        assert!(set("b").is_one() && !set("bc").is_one() && !set("").is_one());
        assert_eq!(set("abü").ascii(), Class::from_symbols(*b"ab"));
    }
}
