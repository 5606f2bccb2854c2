//! Checksums of strings, by which a result finds out that it is given another string than the one it is of.
//!
//! A checksum does not depend on what holds the symbols: it is the same of `bytes` and of the list of their integers.

use crate::items::{FIRST_INTEGER, FIRST_OTHER, Key, Keys, Numbers};
use crate::symbols::Symbols;
use pyo3::intern;
use pyo3::prelude::*;
use std::borrow::Cow;

/// A checksum of a string's symbols.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Checksum {
    pub value: u32,
    /// Whether strings are compared by the rule of `mixed=True`.
    pub mixed: bool,
    /// Whether another process has the same checksum of the same string: hashes of Python are not the same there.
    pub is_portable: bool,
}

/// Symbols of which the keys are made at a time.
const PART: usize = 1 << 12;

impl Checksum {
    /// That of an object with these symbols.
    pub fn new(object: &Bound<'_, PyAny>, symbols: &Symbols<'_>, mixed: bool) -> PyResult<Self> {
        let is_portable = !mixed || !matches!(symbols, Symbols::Items(_));
        match of_keys(symbols) {
            Some(value) => Ok(Self { value, mixed, is_portable }),
            None => Ok(Self { value: of_hashes(object)?, mixed, is_portable: false }),
        }
    }

    /// Whether a string has this checksum.
    pub fn is_of(&self, object: &Bound<'_, PyAny>) -> PyResult<bool> {
        let (symbols, _) = Symbols::of(object, &mut Numbers::of_any(self.mixed))?;
        Ok(Self::new(object, &symbols, self.mixed)?.value == self.value)
    }
}

/// A checksum of the keys; none where some depend on the order in which items were met.
fn of_keys(symbols: &Symbols<'_>) -> Option<u32> {
    let mut hasher = crc32fast::Hasher::new();
    let is_lasting = |key: Key| !(Key::from(FIRST_OTHER)..Key::from(FIRST_INTEGER)).contains(&key) && key < 1 << 99;
    match symbols {
        Symbols::Items(Keys::Wide(keys)) => {
            for &key in keys {
                hasher.update(&is_lasting(key).then_some(key)?.to_le_bytes());
            }
        }
        Symbols::Items(Keys::Long(keys)) => {
            for &key in keys {
                hasher.update(&is_lasting(key.into()).then_some(Key::from(key))?.to_le_bytes());
            }
        }
        Symbols::Items(Keys::Narrow(keys)) => {
            if !keys.iter().all(|&key| is_lasting(key.into())) {
                return None;
            }
            update(&mut hasher, keys.chunks(PART).map(Cow::Borrowed));
        }
        Symbols::Characters(keys) => update(&mut hasher, keys.chunks(PART).map(Cow::Borrowed)),
        bytes => {
            let (zero, symbols) = (bytes.zero(), bytes.bytes().unwrap_or_default());
            let key = |&byte: &u8| zero + u32::from(byte);
            update(&mut hasher, symbols.chunks(PART).map(|part| part.iter().map(key).collect()));
        }
    }
    Some(hasher.finalize())
}

fn update<'k>(hasher: &mut crc32fast::Hasher, parts: impl Iterator<Item = Cow<'k, [u32]>>) {
    let mut bytes = Vec::with_capacity(4 * PART);
    for part in parts {
        bytes.clear();
        bytes.extend(part.iter().flat_map(|key| key.to_le_bytes()));
        hasher.update(&bytes);
    }
}

/// A checksum of Python's hashes of the items. A NaN counts as 0, since its hash depends on where it lies.
fn of_hashes(object: &Bound<'_, PyAny>) -> PyResult<u32> {
    let mut hasher = crc32fast::Hasher::new();
    for item in object.try_iter()? {
        let item = item?;
        let is_number = item.ne(&item).unwrap_or(false);
        let hash = if is_number { 0 } else { hash(&item)? };
        hasher.update(&hash.to_le_bytes());
    }
    Ok(hasher.finalize())
}

fn hash(item: &Bound<'_, PyAny>) -> PyResult<isize> {
    match item.hash() {
        // A record of NumPy is compared as a tuple.
        Err(error) => item.call_method0(intern!(item.py(), "item")).map_err(|_| error)?.hash(),
        hash => hash,
    }
}
