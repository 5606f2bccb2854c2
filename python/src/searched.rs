//! Texts to search.

use std::borrow::Cow;
use std::ops::Range;

/// A text to search.
pub enum Searched<'t> {
    /// Text in UTF-8, or bytes.
    One(&'t [u8]),
    /// Strings of a list or a column, each a record, without a copy.
    Ascii(Vec<&'t [u8]>),
    /// Other strings, each a record.
    Strings(Vec<Cow<'t, [u8]>>),
}

/// A text in one piece, and its records.
pub type Joined<'t> = (Cow<'t, [u8]>, Option<Vec<Range<usize>>>);

impl Searched<'_> {
    /// Returns the text in one piece.
    pub fn joined(&self) -> Joined<'_> {
        match self {
            Self::One(text) => ((*text).into(), None),
            Self::Ascii(strings) => joined(strings),
            Self::Strings(strings) => joined(strings),
        }
    }
}

/// Joins strings, and returns the range of each.
fn joined<'t>(strings: &[impl AsRef<[u8]>]) -> Joined<'t> {
    let mut symbols = Vec::with_capacity(strings.iter().map(|string| string.as_ref().len()).sum());
    let mut records = Vec::with_capacity(strings.len());
    for string in strings {
        let start = symbols.len();
        symbols.extend_from_slice(string.as_ref());
        records.push(start..symbols.len());
    }
    (symbols.into(), Some(records))
}
