//! The table of codes: one for each character.

use super::set::FIRST_BEYOND_ASCII;
use super::utf8::is_ascii;
use crate::text::class::Class;
use std::sync::Arc;

/// Code of characters that no pattern names.
pub(super) const REST: u8 = 255;
/// First code of other characters outside ASCII.
pub(super) const FIRST: u8 = 128;
/// Upper bound on the kinds of characters outside ASCII for several patterns: one code outside
/// ASCII for each.
pub const CODES: usize = (REST - FIRST) as usize;

/// A code for each character.
#[derive(Clone)]
pub(super) struct CodeTable {
    /// Difference between [`REST`] and the code of each character: 0 for most, so that most of the
    /// table is never touched.
    below: Arc<Vec<u8>>,
    /// ASCII codes that other characters use: these ASCII characters themselves have the code
    /// [`REST`].
    taken: Class,
}

impl CodeTable {
    /// Takes the difference between [`REST`] and the code of each character outside ASCII, and the
    /// ASCII codes that such characters use.
    pub(super) fn new(below: Vec<u8>, taken: Class) -> Self {
        Self { below: Arc::new(below), taken }
    }

    /// Returns true if a text is its own codes: in ASCII, and without characters whose codes others
    /// use. O(n) on all threads.
    pub(super) fn keeps(&self, text: &[u8]) -> bool {
        is_ascii(text) && (self.taken.is_empty() || !text.iter().any(|&symbol| self.taken.contains(symbol)))
    }

    /// Returns true if every text in ASCII is its own codes.
    #[inline]
    pub(super) fn keep_ascii(&self) -> bool {
        self.taken.is_empty()
    }

    /// Returns the code of a character, or of a byte that begins no character.
    #[inline]
    pub(super) fn code_of(&self, character: u32) -> u8 {
        if character < FIRST_BEYOND_ASCII {
            let own = character as u8;
            return if self.taken.contains(own) { REST } else { own };
        }
        REST - self.below.get(character as usize).copied().unwrap_or(0)
    }
}
