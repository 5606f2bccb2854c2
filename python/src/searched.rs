//! Texts and answers of searches for patterns in groups that have codes of their own.

use crate::work::Size;
use carrywave::search::{Hit, merge};
use carrywave::text::characters::PatternGroup;
use std::borrow::Cow;
use std::ops::Range;

/// A text that is searched for each group of patterns in the group's codes.
pub enum Searched<'t> {
    /// Text, or bytes that are their own codes.
    One(&'t [u8]),
    /// Strings, each a record.
    Strings(Vec<Cow<'t, [u8]>>),
}

/// The codes of a text, and its records.
pub type InCodes<'t> = (Cow<'t, [u8]>, Option<Vec<Range<usize>>>);

impl Searched<'_> {
    /// The size of the job of coding it.
    pub fn size(&self) -> Size {
        match self {
            Self::One(text) => Size::from(text.len() as u64),
            Self::Strings(strings) => {
                let symbols: usize = strings.iter().map(|string| string.len()).sum();
                Size::from(symbols as u64).and_items(strings.len())
            }
        }
    }

    pub fn code(&self, group: &PatternGroup) -> carrywave::Result<InCodes<'_>> {
        match self {
            Self::One(text) => Ok((group.code(text)?.into_symbols(), None)),
            Self::Strings(strings) => {
                let mut symbols = Vec::with_capacity(strings.iter().map(|string| string.len()).sum());
                let mut records = Vec::with_capacity(strings.len());
                for string in strings {
                    let start = symbols.len();
                    symbols.extend_from_slice(group.code(string)?.symbols());
                    records.push(start..symbols.len());
                }
                Ok((symbols.into(), Some(records)))
            }
        }
    }
}

/// The result of a search in a text.
pub trait Answer: Send + Sized {
    /// The answer of all groups, each with the numbers of its patterns.
    fn of_all(groups: Vec<(Self, &[usize])>) -> Self;
}

impl Answer for Vec<Hit> {
    fn of_all(groups: Vec<(Self, &[usize])>) -> Self {
        merge(groups)
    }
}

impl Answer for u64 {
    fn of_all(groups: Vec<(Self, &[usize])>) -> Self {
        groups.into_iter().map(|(count, _)| count).sum()
    }
}
