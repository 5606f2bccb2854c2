//! A pattern as the processor's algorithms take it.

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
    literal: OnceBox<Option<Vec<u8>>>,
    matches: OnceBox<MatchWords>,
}

impl Query {
    /// Of a pattern with at most k errors of any kind.
    pub fn new(pattern: Pattern, k: u32) -> Self {
        Self::within(pattern, Allowed::any(k))
    }

    /// Of a pattern with limits by kind.
    pub fn within(pattern: Pattern, allowed: Allowed) -> Self {
        Self { pattern, k: allowed.errors, allowed, literal: OnceBox::new(), matches: OnceBox::new() }
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
        self.literal.get_or_init(|| Box::new(self.pattern.as_literal())).as_deref()
    }

    /// For every symbol the positions that it matches.
    pub fn matches(&self) -> &MatchWords {
        self.matches.get_or_init(|| Box::new(self.pattern.match_words()))
    }
}
