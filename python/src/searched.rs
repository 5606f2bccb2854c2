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
    /// Strings in ASCII or of bytes, each a record.
    Ascii(Vec<&'t [u8]>),
    /// Other strings, each a record.
    Strings(Vec<Cow<'t, [u8]>>),
}

/// The codes of a text, and its records.
pub type InCodes<'t> = (Cow<'t, [u8]>, Option<Vec<Range<usize>>>);

impl Searched<'_> {
    /// The size of the job of coding it.
    pub fn size(&self) -> Size {
        match self {
            Self::One(text) => Size::from(text.len() as u64),
            Self::Ascii(strings) => size_of_strings(strings),
            Self::Strings(strings) => size_of_strings(strings),
        }
    }

    pub fn code(&self, group: &PatternGroup) -> carrywave::Result<InCodes<'_>> {
        match self {
            Self::One(text) => Ok((group.code(text)?.into_symbols(), None)),
            Self::Ascii(strings) if group.keeps_ascii() => joined(strings, |string, symbols| {
                symbols.extend_from_slice(string);
                Ok(())
            }),
            Self::Ascii(strings) => joined(strings, |string, symbols| code_to(group, string, symbols)),
            Self::Strings(strings) => joined(strings, |string, symbols| code_to(group, string, symbols)),
        }
    }
}

fn size_of_strings(strings: &[impl AsRef<[u8]>]) -> Size {
    let symbols: usize = strings.iter().map(|string| string.as_ref().len()).sum();
    Size::from(symbols as u64).and_items(strings.len())
}

fn code_to(group: &PatternGroup, string: &[u8], symbols: &mut Vec<u8>) -> carrywave::Result<()> {
    symbols.extend_from_slice(group.code(string)?.symbols());
    Ok(())
}

/// Strings one after the other, each as `add` adds it, and the range of each.
fn joined<'t>(
    strings: &[impl AsRef<[u8]>],
    add: impl Fn(&[u8], &mut Vec<u8>) -> carrywave::Result<()>,
) -> carrywave::Result<InCodes<'t>> {
    let mut symbols = Vec::with_capacity(strings.iter().map(|string| string.as_ref().len()).sum());
    let mut records = Vec::with_capacity(strings.len());
    for string in strings {
        let start = symbols.len();
        add(string.as_ref(), &mut symbols)?;
        records.push(start..symbols.len());
    }
    Ok((symbols.into(), Some(records)))
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
