//! The characters of a `str`, without storing anything in it. `PyUnicode_AsUTF8AndSize` returns the
//! UTF-8 of a `str`, but keeps it in each object that is not ASCII until the object is freed.

use crate::layout::{Stored, stored};
use crate::shared::room;
use crate::surrogates::{Marks, stood_in};
use pyo3::exceptions::{PyMemoryError, PyUnicodeEncodeError};
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyString};
use std::borrow::Cow;

/// A text in UTF-8.
pub enum Utf8<'a> {
    /// Python's own memory.
    Ascii(&'a str),
    /// A copy, freed with this.
    Encoded(PyBackedBytes),
    /// A copy. Other characters may stand in for surrogates.
    Owned { text: String, has_surrogates: bool },
}

impl Utf8<'_> {
    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Ascii(text) => text.as_bytes(),
            Self::Encoded(bytes) => bytes,
            Self::Owned { text, .. } => text.as_bytes(),
        }
    }

    pub fn text(&self) -> &str {
        match self {
            Self::Ascii(text) => text,
            Self::Encoded(bytes) => str::from_utf8(bytes).unwrap_or_default(),
            Self::Owned { text, .. } => text,
        }
    }

    /// Returns true if other characters stand in for surrogates.
    pub fn has_surrogates(&self) -> bool {
        matches!(self, Self::Owned { has_surrogates: true, .. })
    }

    pub fn marks(&self) -> Marks {
        if self.is_ascii() { Marks::default() } else { Marks::from_text(self.text(), self.has_surrogates()) }
    }

    /// Checks that the text can be compared with a text that has these marks.
    pub fn check(&self, marks: Marks) -> PyResult<()> {
        // Most texts need no scan.
        if marks.surrogates || marks.stand_ins && self.has_surrogates() {
            marks.and(self.marks())?;
        }
        Ok(())
    }

    pub fn is_ascii(&self) -> bool {
        matches!(self, Self::Ascii(_))
    }
}

/// Encodes a text in UTF-8, with other characters for its surrogates.
pub fn utf8<'a>(text: &'a Bound<'_, PyString>) -> PyResult<Utf8<'a>> {
    if let Some(ascii) = ascii(text)? {
        return Ok(Utf8::Ascii(ascii));
    }
    match text.call_method0(intern!(text.py(), "encode")) {
        Ok(bytes) => Ok(Utf8::Encoded(bytes.cast_into::<PyBytes>()?.into())),
        Err(error) if error.is_instance_of::<PyUnicodeEncodeError>(text.py()) => match code_points(text)? {
            CodePoints::Latin(_) => Err(error),
            CodePoints::Wide(code_points) => utf8_of(&code_points),
        },
        Err(error) => Err(error),
    }
}

/// Encodes code points in UTF-8, with other characters for surrogates.
pub fn utf8_of(code_points: &[u32]) -> PyResult<Utf8<'static>> {
    let has_surrogates = code_points.iter().any(|&code_point| char::from_u32(code_point).is_none());
    Ok(Utf8::Owned { text: stood_in(code_points)?, has_surrogates })
}

/// Returns the characters of an ASCII text, in Python's own memory.
#[inline]
pub fn ascii<'a>(text: &'a Bound<'_, PyString>) -> PyResult<Option<&'a str>> {
    match stored(text) {
        Some(Stored::Ascii(text)) => Ok(Some(text)),
        Some(_) => Ok(None),
        // ASCII text is stored as UTF-8, so nothing is copied.
        None => match text.call_method0(intern!(text.py(), "isascii"))?.is_truthy()? {
            true => text.to_str().map(Some),
            false => Ok(None),
        },
    }
}

/// Characters, in one byte each if all fit.
pub enum CodePoints<'a> {
    Latin(Cow<'a, [u8]>),
    Wide(Vec<u32>),
}

/// Returns all characters of a text, including lone surrogates.
pub fn code_points<'a>(text: &'a Bound<'_, PyString>) -> PyResult<CodePoints<'a>> {
    let wide = match stored(text) {
        Some(Stored::Ascii(text)) => return Ok(CodePoints::Latin(text.as_bytes().into())),
        Some(Stored::Latin(characters)) => return Ok(CodePoints::Latin(characters.into())),
        Some(Stored::Two(characters)) => widened(characters)?,
        Some(Stored::Four(characters)) => widened(characters)?,
        None => copied(text)?,
    };
    Ok(match latin(&wide).map(Iterator::collect) {
        Some(latin) => CodePoints::Latin(latin),
        None => CodePoints::Wide(wide),
    })
}

fn widened<T: Copy + Into<u32>>(characters: &[T]) -> PyResult<Vec<u32>> {
    let mut all = room(characters.len())?;
    all.extend(characters.iter().map(|&character| character.into()));
    Ok(all)
}

/// Returns the characters of a text whose layout is not known.
fn copied(text: &Bound<'_, PyString>) -> PyResult<Vec<u32>> {
    let len = text.len()?;
    let mut all = room(len)?;
    all.resize(len, 0);
    if len == 0 {
        return Ok(all);
    }
    // SAFETY: there is room for all characters of the text; no 0 is added.
    let copied = unsafe { ffi::PyUnicode_AsUCS4(text.as_ptr(), all.as_mut_ptr(), len.cast_signed(), 0) };
    match copied.is_null() {
        true => Err(PyErr::take(text.py()).unwrap_or_else(|| PyMemoryError::new_err("the characters of a str"))),
        false => Ok(all),
    }
}

/// Returns characters as one byte each, if all fit.
pub fn latin(characters: &[u32]) -> Option<impl Iterator<Item = u8>> {
    let all = characters.iter().fold(0, |all, character| all | character);
    (all < 0x100).then(|| characters.iter().map(|&character| character as u8))
}
