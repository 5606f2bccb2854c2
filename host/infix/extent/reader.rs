//! A pattern, and the direction of reading it and texts.

use crate::infix::allowed::Allowed;
use crate::text::pattern::{MatchWords, Pattern};

/// A pattern, and the direction of reading it and texts.
#[derive(Debug, Clone)]
pub(crate) struct Reader {
    pub(super) pattern: Pattern,
    pub(super) matches: MatchWords,
    pub(super) backward: bool,
    /// Limits on errors, if there are others than a number: kinds are limited, or some positions of
    /// the pattern are fixed.
    pub(super) limited: Option<Allowed>,
}

impl Reader {
    /// Reads from an occurrence's start to its end.
    pub(crate) fn forward(pattern: &Pattern) -> Self {
        Self { matches: pattern.match_words(), pattern: pattern.clone(), backward: false, limited: None }
    }

    /// Reads from an occurrence's end to its start.
    pub(crate) fn backward(pattern: &Pattern) -> Self {
        let pattern = pattern.reversed();
        Self { matches: pattern.match_words(), pattern, backward: true, limited: None }
    }

    /// Limits the errors of occurrences by kind.
    pub(crate) fn within(self, allowed: Allowed) -> Self {
        let limited = (!allowed.is_any() || self.pattern.has_fixed()).then_some(allowed);
        Self { limited, ..self }
    }

    /// Returns true if there are limits other than the number of errors.
    pub(crate) fn is_limited(&self) -> bool {
        self.limited.is_some()
    }

    /// Returns the pattern's positions by symbol, in reading order.
    pub(crate) fn matches(&self) -> &MatchWords {
        &self.matches
    }

    /// Returns the text's symbol with this number, 0-based, in reading order.
    #[inline(always)]
    pub(super) fn symbol(&self, text: &[u8], number: usize) -> u8 {
        text[if self.backward { text.len() - 1 - number } else { number }]
    }
}
