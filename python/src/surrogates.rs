//! Text with lone surrogates, which Python may have in file names. UTF-8 cannot encode a surrogate,
//! so each is replaced by an unassigned character of Unicode. Both are control characters by
//! Unicode's rules of segmentation, and neither has a case.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

/// The character that stands in for the first surrogate. U+E0400 to U+E0BFF are unassigned.
const FIRST: u32 = 0xe_0400;
const FIRST_SURROGATE: u32 = 0xd800;
const SURROGATES: u32 = 0x800;

/// Returns the character that stands in for a code point: the same character, unless it is a
/// surrogate.
fn stand_in(code_point: u32) -> char {
    char::from_u32(code_point)
        .or_else(|| char::from_u32(code_point.wrapping_sub(FIRST_SURROGATE).wrapping_add(FIRST)))
        .unwrap_or(char::REPLACEMENT_CHARACTER)
}

fn is_stand_in(character: char) -> bool {
    (FIRST..FIRST + SURROGATES).contains(&u32::from(character))
}

/// Returns the text of these code points, with other characters for surrogates.
pub fn stood_in(code_points: &[u32]) -> PyResult<String> {
    let mut own = code_points.iter().filter_map(|&code_point| char::from_u32(code_point));
    let has_surrogates = code_points.iter().any(|&code_point| char::from_u32(code_point).is_none());
    refuse(has_surrogates && own.any(is_stand_in))?;
    Ok(code_points.iter().copied().map(stand_in).collect())
}

/// Properties of a text: surrogates, and characters that elsewhere stand in for surrogates.
#[derive(Clone, Copy, Default)]
pub struct Marks {
    pub surrogates: bool,
    /// True if the text itself has characters that elsewhere stand in for surrogates.
    pub stand_ins: bool,
}

impl Marks {
    /// Returns the marks of a text. `has_surrogates` is true if other characters stand in for its
    /// surrogates.
    pub fn from_text(text: &str, has_surrogates: bool) -> Self {
        Self { surrogates: has_surrogates, stand_ins: !has_surrogates && text.chars().any(is_stand_in) }
    }

    /// Combines the marks of two texts. Fails if one has surrogates and the other has characters
    /// that stand in for surrogates.
    pub fn and(self, other: Self) -> PyResult<Self> {
        let both =
            Self { surrogates: self.surrogates || other.surrogates, stand_ins: self.stand_ins || other.stand_ins };
        refuse(both.surrogates && both.stand_ins)?;
        Ok(both)
    }
}

fn refuse(is_ambiguous: bool) -> PyResult<()> {
    let reason = "text with surrogates that stand alone cannot be compared with characters from U+E0400 to U+E0BFF, which \
                  Unicode does not assign";
    if is_ambiguous { Err(PyValueError::new_err(reason)) } else { Ok(()) }
}

/// Returns a `str`, with stand-in characters replaced by their surrogates.
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
