//! The table of codes: one for each character.

use super::set::FIRST_BEYOND_ASCII;
use super::utf8::is_ascii;
use crate::text::class::Class;
use std::sync::Arc;

/// The code of what no pattern names.
pub(super) const REST: u8 = 255;
/// The first of the codes of other characters outside ASCII.
pub(super) const FIRST: u8 = 128;
/// Kinds of characters outside ASCII that several patterns may have: one code outside ASCII for
/// each.
pub const CODES: usize = (REST - FIRST) as usize;

/// A code for each character.
#[derive(Clone)]
pub(super) struct CodeTable {
    /// For each character how far its code is below [`REST`]: 0 for most, so that most of the table
    /// is never touched.
    below: Arc<Vec<u8>>,
    /// Codes of ASCII that other characters have: the characters of ASCII themselves have the code
    /// [`REST`].
    taken: Class,
}

impl CodeTable {
    /// From how far the code of each character outside ASCII is below [`REST`], and the codes of
    /// ASCII that such characters have.
    pub(super) fn new(below: Vec<u8>, taken: Class) -> Self {
        Self { below: Arc::new(below), taken }
    }

    /// Returns true if a text is its own codes: in ASCII, and without characters whose codes others
    /// have. O(n) on all threads.
    pub(super) fn keeps(&self, text: &[u8]) -> bool {
        is_ascii(text) && (self.taken.is_empty() || !text.iter().any(|&symbol| self.taken.contains(symbol)))
    }

    /// Returns true if every text in ASCII is its own codes.
    #[inline]
    pub(super) fn keep_ascii(&self) -> bool {
        self.taken.is_empty()
    }

    /// The code of a character, or of a byte that begins none.
    #[inline]
    pub(super) fn code_of(&self, character: u32) -> u8 {
        if character < FIRST_BEYOND_ASCII {
            let own = character as u8;
            return if self.taken.contains(own) { REST } else { own };
        }
        REST - self.below.get(character as usize).copied().unwrap_or(0)
    }
}
