//! A pattern of characters.

use super::numbers::numbers_of;
use super::set::{OTHER, Set};
use crate::error::Result;
use crate::text::class::Class;
use crate::text::classes::{self, Item, Named};
use crate::text::fixed::Fixed;
use crate::text::pattern::Pattern;
use once_cell::race::OnceBox;
use std::collections::HashMap;

/// The first and the last number of a range of characters.
type Characters = Vec<(u32, u32)>;

/// A pattern for texts of characters: a set of characters for each position.
///
/// ```
/// use carrywave::search::Search;
/// use carrywave::text::characters::CharacterPattern;
///
/// let hits = Search::new(CharacterPattern::literal("Muller", false)).errors(1).hits("Herr Müller")?;
/// // One substitution; positions are those of bytes.
/// assert_eq!((hits[0].errors, hits[0].start, hits[0].end), (1, 5, 12));
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CharacterPattern {
    /// The different sets.
    sets: Vec<Set>,
    /// Which of them each position has.
    positions: Vec<u32>,
    fixed: Fixed,
}

impl CharacterPattern {
    /// Every character stands for itself, with `ignore_case` also for its other cases, by Unicode's simple case folding: `Ü` and `ü`, `Σ`, `σ`
    /// and `ς`.
    pub fn literal(pattern: &str, ignore_case: bool) -> Self {
        Self::with_wildcard(pattern, None, ignore_case)
    }

    /// The same with a character that stands for any.
    pub fn with_wildcard(pattern: &str, wildcard: Option<char>, ignore_case: bool) -> Self {
        let set = |&character: &char| {
            if Some(character) == wildcard {
                return Set::all();
            }
            one(u32::from(character), ignore_case)
        };
        Self::new(pattern.chars(), set)
    }

    /// A pattern with classes, each for one character, as [`Pattern::parse_classes`] reads them: `.`, `[äö]`, `[^a]` and `[а-я]`. Of the classes
    /// that have names alnum, alpha, lower, space and upper are those of Unicode, and the others those of ASCII.
    ///
    /// # Errors
    /// As [`Pattern::parse_classes`].
    pub fn parse_classes(pattern: &str, ignore_case: bool) -> Result<Self> {
        let points: Vec<u32> = pattern.chars().map(u32::from).collect();
        let items = classes::parse(&points)?;
        let set = |item: &Item| match item {
            Item::Any => Set::all(),
            &Item::One(character) => one(character, ignore_case),
            Item::Class { ranges, named, is_negated } => {
                let named = named.iter().flat_map(|&name| members(name));
                let set = Set::new(ranges.iter().copied().chain(named).collect());
                let set = if ignore_case { set.in_all_cases() } else { set };
                if *is_negated { set.negated() } else { set }
            }
        };
        Ok(Self::new(items.into_iter(), set))
    }

    fn new<T: Eq + std::hash::Hash>(items: impl Iterator<Item = T>, set: impl Fn(&T) -> Set) -> Self {
        let mut sets = Vec::new();
        let mut known = HashMap::new();
        let mut positions = Vec::new();
        for item in items {
            let number = *known.entry(item).or_insert_with_key(|item| {
                sets.push(set(item));
                sets.len() as u32 - 1
            });
            positions.push(number);
        }
        Self { sets, positions, fixed: Fixed::default() }
    }

    /// With positions, from 0, that must match, as [`Pattern::with_fixed`].
    ///
    /// # Errors
    /// As [`Pattern::with_fixed`].
    pub fn with_fixed(mut self, positions: impl IntoIterator<Item = usize>) -> Result<Self> {
        self.fixed = self.fixed.with(self.positions.len(), positions)?;
        Ok(self)
    }

    /// Returns true if any position must match.
    pub(super) fn has_fixed(&self) -> bool {
        !self.fixed.is_empty()
    }

    /// m, in characters.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether m is 0.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Whether without errors it is in a text where the same pattern of bytes is: if every position stands for one character, or for some of
    /// ASCII.
    pub fn is_same_in_bytes(&self) -> bool {
        self.sets.iter().all(|set| set.is_one() || set.is_in_ascii())
    }

    pub(super) fn sets(&self) -> impl Iterator<Item = &Set> {
        self.sets.iter()
    }

    /// Returns the pattern for one text: positions that match no character of the text match nothing.
    pub(crate) fn within(&self, text: &[u8]) -> Self {
        let mut numbers = numbers_of(text);
        numbers.sort_unstable();
        numbers.dedup();
        let occurs = |set: &Set| {
            set.is_all() || set.contains(OTHER) || {
                let in_range = |(first, last): (u32, u32)| {
                    numbers.get(numbers.partition_point(|&number| number < first)).is_some_and(|&number| number <= last)
                };
                set.ranges().any(in_range)
            }
        };
        let set = |set: &Set| if occurs(set) { set.clone() } else { Set::new(Vec::new()) };
        Self { sets: self.sets.iter().map(set).collect(), positions: self.positions.clone(), fixed: self.fixed.clone() }
    }

    /// The set of each position.
    pub(super) fn in_order(&self) -> impl Iterator<Item = &Set> {
        self.positions.iter().map(|&set| &self.sets[set as usize])
    }

    /// With the class of codes that each set has.
    pub(super) fn coded(&self, class: impl Fn(&Set) -> Class) -> Pattern {
        let classes: Vec<Class> = self.sets.iter().map(class).collect();
        Pattern::of_parts(self.positions.iter().map(|&set| classes[set as usize]).collect(), self.fixed.clone())
    }
}

fn one(character: u32, ignore_case: bool) -> Set {
    let set = Set::new(vec![(character, character)]);
    if ignore_case { set.in_all_cases() } else { set }
}

/// A class by its name, and its members in Unicode.
type Wide = (&'static str, fn(char) -> bool);

/// Those of Unicode that a name stands for, and of ASCII for other names.
fn members(name: Named) -> Characters {
    static WIDE: OnceBox<HashMap<&str, Characters>> = OnceBox::new();
    let wide = || {
        let wide: [Wide; 5] = [
            ("alnum", char::is_alphanumeric),
            ("alpha", char::is_alphabetic),
            ("lower", char::is_lowercase),
            ("space", char::is_whitespace),
            ("upper", char::is_uppercase),
        ];
        let of =
            |fits: fn(char) -> bool| ('\0'..=char::MAX).filter(|&c| fits(c)).map(u32::from).map(|c| (c, c)).collect();
        Box::new(wide.into_iter().map(|(name, fits)| (name, Set::new(of(fits)).ranges().collect())).collect())
    };
    match WIDE.get_or_init(wide).get(name.name) {
        Some(ranges) => ranges.clone(),
        None => (0..128).filter(|c| (name.fits)(c)).map(|c| (u32::from(c), u32::from(c))).collect(),
    }
}
