//! Strings for scorers: as bytes or 32-bit numbers, in the order of the original symbols.

use crate::compared::Text;
use crate::items::{Key, Keys};
use crate::symbols::{Numbers, Symbols};
use carrywave::pairs;
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::borrow::Cow;

/// Number of code points. Smaller keys are characters, and keep their numbers.
const CHARACTERS: u64 = 0x11_0000;

/// White space of Latin-1 that is not white space in bytes.
const LATIN_SPACES: [u8; 2] = [0x85, 0xa0];

/// Returns the symbols of an object.
pub fn symbols_of<'a, 'py>(object: &'a Bound<'py, PyAny>, numbers: &mut Numbers<'py>) -> PyResult<Symbols<'a>> {
    let (symbols, _) = Symbols::from_object(object, numbers)?;
    Ok(widened(object, symbols))
}

/// Returns the symbols of an object as numbers if they differ from its bytes: in rapidfuzz, a
/// `bytearray` is a sequence of code points, and U+0085 and U+00A0 separate words.
pub fn widened<'a>(object: &Bound<'_, PyAny>, symbols: Symbols<'a>) -> Symbols<'a> {
    match &symbols {
        // `bytes` are borrowed.
        Symbols::Latin(Cow::Owned(bytes))
            if !object.is_instance_of::<PyString>() && bytes.iter().any(|byte| LATIN_SPACES.contains(byte)) =>
        {
            Symbols::Characters(bytes.iter().map(|&byte| byte.into()).collect())
        }
        _ => symbols,
    }
}

/// Returns the symbols, if they are bytes or fit in 32 bits.
#[inline]
pub fn narrow<'s>(string: &'s Symbols<'_>) -> Option<pairs::Symbols<'s>> {
    Some(match string {
        Symbols::Bytes(bytes) | Symbols::Latin(bytes) => pairs::Symbols::Bytes(bytes),
        Symbols::Characters(numbers) | Symbols::Items(Keys::Narrow(numbers)) => pairs::Symbols::Numbers(numbers),
        Symbols::Items(_) => return None,
    })
}

/// Returns strings for comparison. If some have keys of more than 32 bits, all keys that are not
/// characters are numbered in ascending order, so words are sorted as before.
pub fn texts<'s>(strings: &[&'s Symbols<'s>]) -> Vec<Text<'s>> {
    let text = |string: &&'s Symbols<'s>| {
        Some(match narrow(string)? {
            pairs::Symbols::Bytes(bytes) => Text::Bytes(Cow::Borrowed(bytes)),
            pairs::Symbols::Numbers(numbers) => Text::Numbers(Cow::Borrowed(numbers)),
        })
    };
    if let Some(texts) = strings.iter().map(text).collect() {
        return texts;
    }
    // Keys by rapidfuzz's rule have at most 64 bits.
    let mut keys: Vec<u64> = Vec::new();
    for string in strings {
        if string.bytes().is_none() {
            keys.extend(string.wide().iter().map(|&key| key as u64).filter(|&key| key >= CHARACTERS));
        }
    }
    keys.sort_unstable();
    keys.dedup();
    let number = |&key: &Key| match keys.binary_search(&(key as u64)) {
        Ok(rank) => CHARACTERS as u32 + rank as u32,
        // Any other key is a character.
        Err(_) => key as u32,
    };
    let text = |string: &&'s Symbols<'s>| match string.bytes() {
        Some(bytes) => Text::Bytes(Cow::Borrowed(bytes)),
        None => Text::Numbers(string.wide().iter().map(number).collect()),
    };
    strings.iter().map(text).collect()
}
