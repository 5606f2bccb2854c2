//! A pattern as the processor's algorithms take it: with what they make of it once.

use super::{filter, literal};
use crate::infix::allowed::Allowed;
use crate::text::{MatchWords, Pattern};
use once_cell::race::OnceBox;

/// A pattern, and how many errors are allowed.
#[derive(Debug)]
pub struct Query {
    /// The pattern, of at least one symbol.
    pub pattern: Pattern,
    /// k, less than m.
    pub k: u32,
    /// Which errors are allowed.
    pub allowed: Allowed,
    literal: Option<Vec<u8>>,
    matches: OnceBox<MatchWords>,
    places: OnceBox<filter::Places>,
    common: OnceBox<Vec<u32>>,
    finder: OnceBox<literal::Prepared>,
}

impl Query {
    /// Of a pattern with at most k errors of any kind.
    pub fn new(pattern: Pattern, k: u32) -> Self {
        Self::within(pattern, Allowed::any(k))
    }

    /// Of a pattern with limits by kind.
    pub fn within(pattern: Pattern, allowed: Allowed) -> Self {
        Self {
            literal: pattern.as_literal(),
            pattern,
            k: allowed.errors,
            allowed,
            matches: OnceBox::new(),
            places: OnceBox::new(),
            common: OnceBox::new(),
            finder: OnceBox::new(),
        }
    }

    /// m.
    pub fn len(&self) -> usize {
        self.pattern.len()
    }

    /// Whether the pattern is empty.
    pub fn is_empty(&self) -> bool {
        self.pattern.is_empty()
    }

    /// The symbols, if each position stands for one only.
    pub fn literal(&self) -> Option<&[u8]> {
        self.literal.as_deref()
    }

    /// For every symbol the positions that it matches.
    pub fn matches(&self) -> &MatchWords {
        self.matches.get_or_init(|| Box::new(self.pattern.match_words()))
    }

    /// Where `filter` compares the pattern with a text first: as is found in the first text that is searched.
    pub(super) fn places(&self, find: impl FnOnce() -> filter::Places) -> &filter::Places {
        self.places.get_or_init(|| Box::new(find()))
    }

    /// For each position of the symbols how many of those from there on are those of its beginning.
    pub(super) fn common_with_itself(&self) -> &[u32] {
        self.common.get_or_init(|| Box::new(filter::common_with_itself(self.literal().unwrap_or_default())))
    }

    /// What `literal` makes of the symbols.
    pub(super) fn finder(&self) -> &literal::Prepared {
        self.finder.get_or_init(|| Box::new(literal::Prepared::new(self.literal().unwrap_or_default())))
    }
}
