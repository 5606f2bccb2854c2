//! A pattern for a text whose symbols are characters, or bytes.

use super::pattern::CharacterPattern;
use crate::error::{Result, UsageFault};
use crate::text::pattern::{Pattern, check_memory};

/// A pattern of characters or of bytes: a [`Search`](crate::search::Search) and a
/// [`Best`](crate::best::Best) take either.
///
/// ```
/// use carrywave::search::Search;
/// use carrywave::text::Pattern;
/// use carrywave::text::characters::{CharacterPattern, TextPattern};
///
/// let patterns: [TextPattern; 2] =
///     [CharacterPattern::literal("ü", true).into(), Pattern::literal(b"\xff").into()];
/// assert_eq!(Search::many(patterns).count(b"\xc3\x9c and \xff")?, 2);
/// // The same methods for both.
/// let word = TextPattern::from(CharacterPattern::literal("für", false)).with_fixed([0])?;
/// assert_eq!((word.len(), word.is_empty()), (3, false));
/// assert_eq!(Search::new(word).errors(1).count("für, fur, tür")?, 2);
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextPattern {
    /// A pattern whose symbols are characters.
    Characters(CharacterPattern),
    /// A pattern whose symbols are bytes: for a pattern or a text that is not UTF-8.
    Bytes(Pattern),
}

impl From<Pattern> for TextPattern {
    fn from(pattern: Pattern) -> Self {
        Self::Bytes(pattern)
    }
}

impl From<CharacterPattern> for TextPattern {
    fn from(pattern: CharacterPattern) -> Self {
        Self::Characters(pattern)
    }
}

impl TextPattern {
    /// Returns the number of positions, in characters or bytes. As in the [example](Self).
    pub fn len(&self) -> usize {
        match self {
            Self::Characters(pattern) => pattern.len(),
            Self::Bytes(pattern) => pattern.len(),
        }
    }

    /// Returns true if the pattern has no position. As in the [example](Self).
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Fixes positions (0-based), as [`Pattern::with_fixed`] does. As in the [example](Self).
    ///
    /// # Errors
    /// As [`Pattern::with_fixed`].
    pub fn with_fixed(self, positions: impl IntoIterator<Item = usize>) -> Result<Self> {
        match self {
            Self::Characters(pattern) => pattern.with_fixed(positions).map(Self::Characters),
            Self::Bytes(pattern) => pattern.with_fixed(positions).map(Self::Bytes),
        }
    }

    /// Returns true if any position must match.
    pub(crate) fn has_fixed(&self) -> bool {
        match self {
            Self::Characters(pattern) => pattern.has_fixed(),
            Self::Bytes(pattern) => pattern.has_fixed(),
        }
    }

    /// Returns, for each position, true if it can mismatch: N, X, a dot and a wildcard cannot.
    pub(crate) fn mismatchable(&self) -> Vec<bool> {
        match self {
            Self::Characters(pattern) => pattern.in_order().map(|set| !set.is_all()).collect(),
            Self::Bytes(pattern) => (0..pattern.len()).map(|position| pattern.can_mismatch(position)).collect(),
        }
    }

    /// Returns the number of positions that can mismatch: all but N, X, a dot and a wildcard.
    /// [Shares of errors](crate::search::Search::errors_percent) refer to this number. O(m). As in
    /// the [example](crate::search::Search).
    pub fn mismatchable_len(&self) -> usize {
        self.mismatchable().into_iter().filter(|&can_mismatch| can_mismatch).count()
    }

    /// Returns an error for positions that must match.
    pub(crate) fn refuse_fixed(&self) -> Result<()> {
        if self.has_fixed() {
            return Err(UsageFault::Combination.error("fixed positions are supported by searches only"));
        }
        Ok(())
    }

    /// Checks that there is memory for its match words: in both directions, and for a search
    /// itself.
    pub(crate) fn check_memory(&self) -> Result<()> {
        check_memory(self.len())
    }
}
