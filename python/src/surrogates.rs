//! Text with surrogates that stand alone, as file names in Python may have: UTF-8 has no form for these, so that each is stood in for by a
//! character that Unicode assigns to nothing.
//!
//! Both are control characters to Unicode's rules of segmentation, and neither has a case.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use std::borrow::Cow;

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

/// A text's code points, of which some are surrogates.
pub fn code_points(text: &Bound<'_, PyString>) -> PyResult<Vec<u32>> {
    let encoded = text.call_method1("encode", ("utf-32-le", "surrogatepass"))?;
    let encoded = encoded.cast::<PyBytes>()?.as_bytes();
    Ok(encoded.as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect())
}

/// A text in UTF-8.
pub struct Utf8<'a> {
    pub text: Cow<'a, str>,
    /// Whether others stand in for its surrogates.
    pub has_surrogates: bool,
}

/// A text in UTF-8, with other characters for its surrogates.
pub fn utf8<'a>(text: &'a Bound<'_, PyString>) -> PyResult<Utf8<'a>> {
    if let Ok(text) = text.to_str() {
        return Ok(Utf8 { text: Cow::Borrowed(text), has_surrogates: false });
    }
    let code_points = code_points(text)?;
    if code_points.iter().any(|&code_point| char::from_u32(code_point).is_some_and(is_stand_in)) {
        return Err(refused());
    }
    let text = code_points.into_iter().map(stand_in).collect();
    Ok(Utf8 { text: Cow::Owned(text), has_surrogates: true })
}

/// Refuses a text without surrogates in which the characters that stand in for those of another are.
pub fn check(utf8: &[u8]) -> PyResult<()> {
    match std::str::from_utf8(utf8).is_ok_and(|text| text.chars().any(is_stand_in)) {
        true => Err(refused()),
        false => Ok(()),
    }
}

fn refused() -> PyErr {
    PyValueError::new_err(
        "text with surrogates that stand alone cannot be compared with characters from U+E0400 to U+E0BFF, which Unicode \
         does not assign",
    )
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
