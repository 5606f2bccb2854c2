//! A string as the library compares it: bytes or code points, borrowed or owned.

use crate::copied::Characters;
use crate::symbols::Symbols;
use carrywave::pairs::{self, PairString};
use std::borrow::Cow;

/// A string for the library.
pub enum Text<'a> {
    Bytes(Cow<'a, [u8]>),
    Numbers(Cow<'a, [u32]>),
}

impl Text<'_> {
    pub const EMPTY: Self = Self::Bytes(Cow::Borrowed(&[]));

    /// Returns the text without a copy.
    pub fn borrowed(&self) -> Text<'_> {
        match self {
            Self::Bytes(bytes) => Text::Bytes(Cow::Borrowed(bytes)),
            Self::Numbers(numbers) => Text::Numbers(Cow::Borrowed(numbers)),
        }
    }
}

impl<'a> From<Symbols<'a>> for Text<'a> {
    /// Converts bytes and text; items become an empty text.
    fn from(symbols: Symbols<'a>) -> Self {
        match symbols {
            Symbols::Bytes(bytes) | Symbols::Latin(bytes) => Self::Bytes(bytes),
            Symbols::Characters(characters) => Self::Numbers(characters.into()),
            Symbols::Items(_) => Self::EMPTY,
        }
    }
}

impl<'a> From<Characters<'a>> for Text<'a> {
    fn from(characters: Characters<'a>) -> Self {
        match characters {
            Characters::Latin(bytes) => Self::Bytes(bytes.into()),
            Characters::Wide(numbers) => Self::Numbers(numbers.into()),
        }
    }
}

impl PairString for Text<'_> {
    fn symbols(&self) -> pairs::Symbols<'_> {
        match self {
            Self::Bytes(bytes) => pairs::Symbols::Bytes(bytes),
            Self::Numbers(numbers) => pairs::Symbols::Numbers(numbers),
        }
    }
}

impl PairString for &Text<'_> {
    fn symbols(&self) -> pairs::Symbols<'_> {
        (**self).symbols()
    }
}

/// Returns a string of a column of Arrow; `None` for text that is not UTF-8.
pub fn of_column(bytes: &[u8], is_text: bool) -> Option<Text<'_>> {
    if !is_text || bytes.is_ascii() {
        return Some(Text::Bytes(bytes.into()));
    }
    let text = std::str::from_utf8(bytes).ok()?;
    Some(Text::Numbers(text.chars().map(u32::from).collect()))
}
