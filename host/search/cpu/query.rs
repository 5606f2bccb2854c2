//! A pattern as the CPU's algorithms take it.

use crate::infix::allowed::Allowed;
use crate::text::{MatchWords, Pattern};
use once_cell::race::OnceBox;

/// A pattern, and its limits on errors.
#[derive(Debug)]
pub struct Query {
    /// The pattern, of at least one symbol.
    pub pattern: Pattern,
    /// Upper bound on the insertions, deletions and substitutions of an occurrence, less than m: k,
    /// or more with transpositions.
    pub k: u32,
    /// The limits on errors.
    pub allowed: Allowed,
    literal: OnceBox<Option<Vec<u8>>>,
    matches: OnceBox<MatchWords>,
}

impl Query {
    /// Makes the query of a pattern with at most k errors of any kind.
    pub fn new(pattern: Pattern, k: u32) -> Self {
        Self::within(pattern, Allowed::any(k))
    }

    /// Makes the query of a pattern with limits by kind.
    pub fn within(pattern: Pattern, allowed: Allowed) -> Self {
        Self { pattern, k: allowed.edits(), allowed, literal: OnceBox::new(), matches: OnceBox::new() }
    }

    /// Returns m.
    pub fn len(&self) -> usize {
        self.pattern.len()
    }

    /// Returns true if the pattern is empty.
    pub fn is_empty(&self) -> bool {
        self.pattern.is_empty()
    }

    /// Returns the symbols, or `None` if a position stands for several symbols.
    pub fn literal(&self) -> Option<&[u8]> {
        self.literal.get_or_init(|| Box::new(self.pattern.as_literal())).as_deref()
    }

    /// Returns, for every symbol, the positions that it matches.
    pub fn matches(&self) -> &MatchWords {
        self.matches.get_or_init(|| Box::new(self.pattern.match_words()))
    }
}
