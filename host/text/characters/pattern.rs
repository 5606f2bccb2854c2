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

/// Ranges of characters: first and last number of each.
type Characters = Vec<(u32, u32)>;

/// A pattern for texts of characters: a set of characters for each position.
///
/// ```
/// use carrywave::search::Search;
/// use carrywave::text::characters::CharacterPattern;
///
/// let hits =
///     Search::new(CharacterPattern::literal("Muller", false)).errors(1).hits("Herr Müller")?;
/// // One substitution; positions are those of bytes.
/// assert_eq!((hits[0].errors, hits[0].start, hits[0].end), (1, 5, 12));
/// // The first character must match.
/// let fixed = CharacterPattern::literal("müller", true).with_fixed([0])?;
/// assert_eq!(Search::new(fixed).errors(1).count("Müllers Fuller")?, 1);
/// // A position may match several characters.
/// let umlaut = CharacterPattern::parse_classes("M[üö]ller", false)?;
/// let any = CharacterPattern::with_wildcard("M?ller", Some('?'), false);
/// assert_eq!(Search::many([umlaut.clone(), any]).count("Müller, Möller, Miller")?, 5);
/// assert_eq!((umlaut.len(), umlaut.is_empty()), (6, false));
/// // A search for the bytes of a literal finds the same hits. The class has no such bytes.
/// assert!(
///     CharacterPattern::literal("Müller", false).is_same_in_bytes() && !umlaut.is_same_in_bytes()
/// );
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CharacterPattern {
    /// The distinct sets.
    sets: Vec<Set>,
    /// Index of the set of each position.
    positions: Vec<u32>,
    fixed: Fixed,
}

impl CharacterPattern {
    /// Creates a pattern whose characters stand for themselves. With `ignore_case` a character also
    /// matches its other cases, by Unicode's simple case folding: `Ü` and `ü`; `Σ`, `σ` and `ς`. As
    /// in the [example](Self).
    pub fn literal(pattern: &str, ignore_case: bool) -> Self {
        Self::with_wildcard(pattern, None, ignore_case)
    }

    /// Creates a pattern as [`literal`](Self::literal) does, except that `wildcard` matches any
    /// character. As in the [example](Self).
    pub fn with_wildcard(pattern: &str, wildcard: Option<char>, ignore_case: bool) -> Self {
        let set = |&character: &char| {
            if Some(character) == wildcard {
                return Set::all();
            }
            one(u32::from(character), ignore_case)
        };
        Self::new(pattern.chars(), set)
    }

    /// Parses a pattern with classes, each for one character, in the syntax of
    /// [`Pattern::parse_classes`]: `.`, `[äö]`, `[^a]` and `[а-я]`. The named classes alnum, alpha,
    /// lower, space and upper are those of Unicode; the others are those of ASCII. As in the
    /// [example](Self).
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

    /// Fixes positions (0-based), as [`Pattern::with_fixed`] does. As in the [example](Self).
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

    /// Returns the number of positions, in characters. As in the [example](Self).
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Returns true if the pattern has no position. As in the [example](Self).
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Returns true if an exact search for the same pattern of bytes finds the same occurrences: if
    /// each position matches one character, or ASCII characters alone. As in the [example](Self).
    pub fn is_same_in_bytes(&self) -> bool {
        self.sets.iter().all(|set| set.is_one() || set.is_in_ascii())
    }

    pub(super) fn sets(&self) -> impl Iterator<Item = &Set> {
        self.sets.iter()
    }

    /// Returns the pattern for one text: positions that match no character of the text match
    /// nothing.
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

    /// Returns the set of each position.
    pub(super) fn in_order(&self) -> impl Iterator<Item = &Set> {
        self.positions.iter().map(|&set| &self.sets[set as usize])
    }

    /// Returns the pattern of codes, given the class of codes of each set.
    pub(super) fn coded(&self, class: impl Fn(&Set) -> Class) -> Pattern {
        let classes: Vec<Class> = self.sets.iter().map(class).collect();
        Pattern::of_parts(self.positions.iter().map(|&set| classes[set as usize]).collect(), self.fixed.clone())
    }
}

fn one(character: u32, ignore_case: bool) -> Set {
    let set = Set::new(vec![(character, character)]);
    if ignore_case { set.in_all_cases() } else { set }
}

/// Name of a class, and its members in Unicode.
type Wide = (&'static str, fn(char) -> bool);

/// Returns the members of a named class: in Unicode for some names, in ASCII for the others.
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
