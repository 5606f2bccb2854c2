//! Text with surrogates that stand alone, as file names in Python may have: UTF-8 has no form for these, so that each is stood in for by a
//! character that Unicode assigns to nothing.
//!
//! Both are control characters to Unicode's rules of segmentation, and neither has a case.

use crate::text::{CodePoints, Utf8, ascii, code_points};
use pyo3::exceptions::{PyUnicodeEncodeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

/// What stands in for the first surrogate; the others follow it. U+E0400 to U+E0BFF are unassigned.
const FIRST: u32 = 0xe_0400;
const FIRST_SURROGATE: u32 = 0xd800;
const SURROGATES: u32 = 0x800;

/// The character that stands in for a code point: itself, unless it is a surrogate.
pub fn stand_in(code_point: u32) -> char {
    char::from_u32(code_point)
        .or_else(|| char::from_u32(code_point.wrapping_sub(FIRST_SURROGATE).wrapping_add(FIRST)))
        .unwrap_or(char::REPLACEMENT_CHARACTER)
}

fn is_stand_in(character: char) -> bool {
    (FIRST..FIRST + SURROGATES).contains(&u32::from(character))
}

/// A text in UTF-8, with other characters for its surrogates.
pub fn utf8<'a>(text: &'a Bound<'_, PyString>) -> PyResult<Utf8<'a>> {
    if let Some(ascii) = ascii(text)? {
        return Ok(Utf8::Ascii(ascii));
    }
    match text.call_method0(intern!(text.py(), "encode")) {
        Ok(bytes) => Ok(Utf8::Encoded(bytes.cast_into::<PyBytes>()?.into())),
        Err(error) if error.is_instance_of::<PyUnicodeEncodeError>(text.py()) => match code_points(text)? {
            CodePoints::Wide(characters) => of_code_points(&characters),
            CodePoints::Latin(_) => Err(error),
        },
        Err(error) => Err(error),
    }
}

/// These code points in UTF-8.
pub fn of_code_points(code_points: &[u32]) -> PyResult<Utf8<'static>> {
    let text: String = code_points.iter().copied().map(stand_in).collect();
    let has_surrogates = code_points.iter().any(|&code_point| char::from_u32(code_point).is_none());
    if has_surrogates {
        let own = code_points.iter().filter_map(|&code_point| char::from_u32(code_point));
        refuse(own.into_iter().any(is_stand_in))?;
    }
    Ok(Utf8::Owned { text, has_surrogates })
}

/// Which of the characters that are not told apart a text has.
#[derive(Clone, Copy, Default)]
pub struct Marks {
    pub surrogates: bool,
    /// Characters of its own that are like those that stand in for surrogates.
    pub stand_ins: bool,
}

impl Marks {
    pub fn of(text: &Utf8<'_>) -> Self {
        let surrogates = text.has_surrogates();
        Self { surrogates, stand_ins: !surrogates && text.text().chars().any(is_stand_in) }
    }

    /// Those of two texts.
    pub fn and(self, other: Self) -> PyResult<Self> {
        let both =
            Self { surrogates: self.surrogates || other.surrogates, stand_ins: self.stand_ins || other.stand_ins };
        refuse(both.surrogates && both.stand_ins)?;
        Ok(both)
    }

    /// Makes sure that a text can be compared with one that has these.
    pub fn check(self, text: &Utf8<'_>) -> PyResult<()> {
        // Most texts need not be looked at.
        if self.surrogates || self.stand_ins && text.has_surrogates() {
            self.and(Self::of(text))?;
        }
        Ok(())
    }
}

fn refuse(is_ambiguous: bool) -> PyResult<()> {
    let reason = "text with surrogates that stand alone cannot be compared with characters from U+E0400 to U+E0BFF, which \
                  Unicode does not assign";
    if is_ambiguous { Err(PyValueError::new_err(reason)) } else { Ok(()) }
}

/// A text of Python, with the surrogates back that others stand in for.
pub fn text<'py>(py: Python<'py>, utf8: &str, has_surrogates: bool) -> PyResult<Bound<'py, PyString>> {
    if !has_surrogates {
        return Ok(PyString::new(py, utf8));
    }
    let back = |character: char| match u32::from(character) {
        code_point if is_stand_in(character) => code_point - FIRST + FIRST_SURROGATE,
        code_point => code_point,
    };
    let bytes: Vec<u8> = utf8.chars().flat_map(|character| back(character).to_le_bytes()).collect();
    let text = PyBytes::new(py, &bytes).call_method1("decode", ("utf-32-le", "surrogatepass"))?;
    Ok(text.cast_into::<PyString>()?)
}
