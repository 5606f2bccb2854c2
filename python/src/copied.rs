//! Texts of a list, copied from Python's objects if they are short: these then need no references
//! while other threads run, and the symbols lie together in memory.

use crate::signals::check_signals;
use crate::symbols::Kind;
use crate::text::{copy_code_points, known_ascii, latin};
use carrywave::pairs::{PairString, Symbols};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple};
use std::borrow::Borrow;

/// Maximum mean number of characters. Copies of longer texts take more time than references.
const SHORT: usize = 64;
/// Number that is added to the number of texts, so that a short list may have a longer text.
const SPARE: usize = 64;

/// A list of texts. Some may be missing.
#[derive(Default)]
pub struct Copied {
    items: Vec<Item>,
    bytes: Vec<u8>,
    numbers: Vec<u32>,
}

/// A place in the bytes or numbers of all texts.
#[derive(Clone, Copy)]
enum Item {
    Missing,
    /// Characters of one byte each.
    Latin {
        start: usize,
        len: u32,
    },
    Wide {
        start: usize,
        len: u32,
    },
}

/// A text.
pub enum Characters<'c> {
    /// One byte for each character.
    Latin(&'c [u8]),
    /// Code points, some above 255.
    Wide(&'c [u32]),
}

impl PairString for Characters<'_> {
    #[inline]
    fn symbols(&self) -> Symbols<'_> {
        match self {
            Self::Latin(bytes) => Symbols::Bytes(bytes),
            Self::Wide(numbers) => Symbols::Numbers(numbers),
        }
    }
}

impl Copied {
    /// Copies a list or a tuple of short texts and None; `None` for any other object.
    pub fn from_object(object: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        if let Ok(list) = object.cast_exact::<PyList>() {
            Self::from_items(object.py(), list.iter())
        } else if let Ok(tuple) = object.cast_exact::<PyTuple>() {
            Self::from_items(object.py(), tuple.iter())
        } else {
            Ok(None)
        }
    }

    /// Copies short texts and None; `None` if there are others.
    pub fn from_items<'py>(
        py: Python<'py>,
        items: impl ExactSizeIterator<Item: Borrow<Bound<'py, PyAny>>>,
    ) -> PyResult<Option<Self>> {
        let mut copied = Self { items: Vec::with_capacity(items.len()), ..Self::default() };
        for item in items {
            let item = item.borrow();
            let item = match item.cast_exact::<PyString>() {
                Ok(text) => match copied.add(text)? {
                    Some(item) => item,
                    None => return Ok(None),
                },
                Err(_) if item.is_none() => Item::Missing,
                Err(_) => return Ok(None),
            };
            copied.items.push(item);
            check_signals(py, copied.items.len())?;
        }
        Ok(Some(copied))
    }

    /// Copies a text, unless the texts so far are too long for that.
    #[inline]
    fn add(&mut self, text: &Bound<'_, PyString>) -> PyResult<Option<Item>> {
        let start = self.bytes.len();
        let free = (SHORT * (self.items.len() + SPARE)).saturating_sub(self.bytes.len() + self.numbers.len());
        if let Some(ascii) = known_ascii(text) {
            let len = u32::try_from(ascii.len()).ok().filter(|_| ascii.len() <= free);
            return Ok(len.map(|len| {
                self.bytes.extend_from_slice(ascii);
                Item::Latin { start, len }
            }));
        }
        let count = text.len()?;
        let Some(len) = u32::try_from(count).ok().filter(|_| count <= free) else { return Ok(None) };
        let first = self.numbers.len();
        self.numbers.resize(first + count, 0);
        copy_code_points(text, &mut self.numbers[first..])?;
        let Some(own) = latin(&self.numbers[first..]) else { return Ok(Some(Item::Wide { start: first, len })) };
        self.bytes.extend(own);
        self.numbers.truncate(first);
        Ok(Some(Item::Latin { start, len }))
    }

    /// Returns the kind of the texts; `None` if all are missing.
    pub fn kind(&self) -> Option<Kind> {
        self.items.iter().any(|item| !matches!(item, Item::Missing)).then_some(Kind::Text)
    }

    /// Returns the texts, in order.
    pub fn texts(&self) -> impl ExactSizeIterator<Item = Option<Characters<'_>>> {
        self.items.iter().map(|&item| self.text(item))
    }

    /// Returns the number of texts, with those that are missing.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Returns a text; `None` if it is missing.
    pub fn get(&self, number: usize) -> Option<Characters<'_>> {
        self.text(self.items[number])
    }

    fn text(&self, item: Item) -> Option<Characters<'_>> {
        match item {
            Item::Missing => None,
            Item::Latin { start, len } => Some(Characters::Latin(&self.bytes[start..start + len as usize])),
            Item::Wide { start, len } => Some(Characters::Wide(&self.numbers[start..start + len as usize])),
        }
    }
}
