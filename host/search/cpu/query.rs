//! A pattern as the processor's algorithms take it: with what they make of it once.

use crate::text::{MatchWords, Pattern};
use std::sync::OnceLock;

/// A pattern, and how many errors are allowed.
#[derive(Debug)]
pub struct Query {
    /// The pattern, of at least one symbol.
    pub pattern: Pattern,
    /// k, less than m.
    pub k: u32,
    literal: Option<Vec<u8>>,
    matches: OnceLock<MatchWords>,
}

impl Query {
    /// Of a pattern.
    pub fn new(pattern: Pattern, k: u32) -> Self {
        Self { literal: pattern.as_literal(), pattern, k, matches: OnceLock::new() }
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
        self.matches.get_or_init(|| self.pattern.match_words())
    }
}
