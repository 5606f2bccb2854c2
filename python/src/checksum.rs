//! Checksums of strings. A result uses its checksum to refuse any string other than the one it was
//! made from.
//!
//! A checksum does not depend on the type of the string: `bytes` and the list of their integers
//! have the same checksum.

use crate::items::{FAR_OTHER, FIRST_INTEGER, FIRST_OTHER, INTEGER_ZERO, Key, Keys, Numbers};
use crate::signals::check_signals;
use crate::symbols::Symbols;
use pyo3::intern;
use pyo3::prelude::*;

/// A checksum of a string's symbols.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Checksum {
    pub value: u32,
    /// True if strings are compared by the rule of `mixed=True`.
    pub mixed: bool,
    /// True if another process computes the same checksum. Python's hashes differ from process to
    /// process.
    pub is_portable: bool,
}

impl Checksum {
    /// Computes the checksum of an object with these symbols.
    pub fn new(object: &Bound<'_, PyAny>, symbols: &Symbols<'_>, mixed: bool) -> PyResult<Self> {
        let is_portable = !mixed || !matches!(symbols, Symbols::Items(_));
        match of_keys(symbols) {
            Some(value) => Ok(Self { value, mixed, is_portable }),
            None => Ok(Self { value: of_hashes(object)?, mixed, is_portable: false }),
        }
    }

    /// Returns true if a string has this checksum.
    pub fn is_of(&self, object: &Bound<'_, PyAny>) -> PyResult<bool> {
        let (symbols, _) = Symbols::from_object(object, &mut Numbers::of_any(self.mixed))?;
        Ok(Self::new(object, &symbols, self.mixed)?.value == self.value)
    }
}

/// Computes a checksum of the keys. Returns `None` if some keys depend on the order of the call's
/// items.
fn of_keys(symbols: &Symbols<'_>) -> Option<u32> {
    let is_lasting = |key: Key| !(Key::from(FIRST_OTHER)..Key::from(FIRST_INTEGER)).contains(&key) && key < FAR_OTHER;
    match symbols {
        Symbols::Items(Keys::Wide(keys)) => {
            let are_lasting = keys.iter().all(|&key| is_lasting(key));
            are_lasting.then(|| of_numbers(WIDE, keys, Key::to_le_bytes))
        }
        Symbols::Items(Keys::Long(keys)) => {
            let are_lasting = keys.iter().all(|&key| is_lasting(key.into()));
            are_lasting.then(|| of_numbers(LONG, keys, i64::to_le_bytes))
        }
        Symbols::Items(Keys::Narrow(keys)) if !keys.iter().all(|&key| is_lasting(key.into())) => None,
        Symbols::Items(Keys::Narrow(keys)) | Symbols::Characters(keys) => {
            // Symbols that fit in bytes have the checksum of these bytes.
            let zero = if keys.first().is_some_and(|&key| key >= INTEGER_ZERO) { INTEGER_ZERO } else { 0 };
            let byte = |&key: &u32| u8::try_from(key.checked_sub(zero)?).ok();
            Some(match keys.iter().map(byte).collect::<Option<Vec<u8>>>() {
                Some(bytes) => of_bytes(zero, &bytes),
                None => of_numbers(NARROW, keys, u32::to_le_bytes),
            })
        }
        bytes => Some(of_bytes(bytes.zero(), bytes.bytes().unwrap_or_default())),
    }
}

/// Initial values of the checksum, one for each width of keys.
const NARROW: u32 = 1;
const LONG: u32 = 2;
const WIDE: u32 = 3;

fn of_bytes(zero: u32, bytes: &[u8]) -> u32 {
    let start = if bytes.is_empty() { 0 } else { zero };
    let mut hasher = crc32fast::Hasher::new_with_initial(start);
    hasher.update(bytes);
    hasher.finalize()
}

fn of_numbers<T: Copy, const N: usize>(start: u32, numbers: &[T], to_bytes: impl Fn(T) -> [u8; N]) -> u32 {
    let mut hasher = crc32fast::Hasher::new_with_initial(start);
    for part in numbers.chunks(1 << 12) {
        let bytes: Vec<u8> = part.iter().flat_map(|&number| to_bytes(number)).collect();
        hasher.update(&bytes);
    }
    hasher.finalize()
}

/// Computes a checksum of Python's hashes of the items. A NaN counts as 0, because its hash depends
/// on its address.
fn of_hashes(object: &Bound<'_, PyAny>) -> PyResult<u32> {
    let mut hasher = crc32fast::Hasher::new();
    for (number, item) in object.try_iter()?.enumerate() {
        check_signals(object.py(), number + 1)?;
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
