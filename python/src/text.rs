//! The characters of a `str`, without storing anything in it. `PyUnicode_AsUTF8AndSize` returns the
//! UTF-8 of a `str`, but keeps it in each object that is not ASCII until the object is freed.

use crate::shared::room;
use crate::surrogates::{Marks, stood_in};
use pyo3::exceptions::{PyMemoryError, PyUnicodeEncodeError};
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyString};
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};

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
    // ASCII text is stored as UTF-8, so nothing is copied.
    match is_ascii(text) {
        Some(true) => text.to_str().map(Some),
        Some(false) => Ok(None),
        None => match text.call_method0(intern!(text.py(), "isascii"))?.is_truthy()? {
            true => text.to_str().map(Some),
            false => Ok(None),
        },
    }
}

/// Returns the characters of a text whose state says that it is ASCII; `None` for any other text.
#[inline]
pub fn known_ascii<'a>(text: &'a Bound<'_, PyString>) -> Option<&'a [u8]> {
    if is_ascii(text) == Some(true) { text.to_str().ok().map(str::as_bytes) } else { None }
}

/// Characters, in one byte each if all fit.
pub enum CodePoints {
    Latin(Vec<u8>),
    Wide(Vec<u32>),
}

/// Number of characters to copy at a time.
const PART: usize = 1 << 16;

/// Returns all characters of a text, including lone surrogates.
pub fn code_points(text: &Bound<'_, PyString>) -> PyResult<CodePoints> {
    let len = text.len()?;
    let mut part = vec![0; len.min(PART)];
    if len <= PART {
        copy_code_points(text, &mut part)?;
        return Ok(match latin(&part).map(Iterator::collect) {
            Some(latin) => CodePoints::Latin(latin),
            None => CodePoints::Wide(part),
        });
    }
    let mut all = CodePoints::Latin(room(len)?);
    for start in (0..len).step_by(PART) {
        let end = len.min(start + PART);
        // SAFETY: the object is a string and the positions are within it; the call returns a new
        // string or null.
        let piece = unsafe {
            let piece = ffi::PyUnicode_Substring(text.as_ptr(), start.cast_signed(), end.cast_signed());
            Bound::from_owned_ptr_or_err(text.py(), piece)?.cast_into_unchecked::<PyString>()
        };
        let part = &mut part[..end - start];
        copy_code_points(&piece, part)?;
        if let CodePoints::Latin(known) = &mut all {
            if let Some(latin) = latin(part) {
                known.extend(latin);
                continue;
            }
            let mut wide = room(len)?;
            wide.extend(known.iter().map(|&byte| u32::from(byte)));
            all = CodePoints::Wide(wide);
        }
        if let CodePoints::Wide(known) = &mut all {
            known.extend_from_slice(part);
        }
        text.py().check_signals()?;
    }
    Ok(all)
}

/// Copies the characters of a text that has the length of `to`.
pub fn copy_code_points(text: &Bound<'_, PyString>, to: &mut [u32]) -> PyResult<()> {
    if to.is_empty() {
        return Ok(());
    }
    // SAFETY: there is room for all characters of the text; no 0 is added.
    let copied = unsafe { ffi::PyUnicode_AsUCS4(text.as_ptr(), to.as_mut_ptr(), to.len().cast_signed(), 0) };
    match copied.is_null() {
        true => Err(PyErr::take(text.py()).unwrap_or_else(|| PyMemoryError::new_err("the characters of a str"))),
        false => Ok(()),
    }
}

/// Returns characters as one byte each, if all fit.
pub fn latin(characters: &[u32]) -> Option<impl Iterator<Item = u8>> {
    let all = characters.iter().fold(0, |all, character| all | character);
    (all < 0x100).then(|| characters.iter().map(|&character| character as u8))
}

/// Returns true if a text's state says that it is compact ASCII; `None` if the state cannot be
/// read, and for an instance of a subclass.
///
/// The stable ABI has no function for this, and a method of the object would take as long as a
/// short comparison. In all versions of CPython so far, the state of a `str` follows its reference
/// count, type, length and hash (PEP 393). The first call checks this with known strings.
#[inline]
fn is_ascii(text: &Bound<'_, PyString>) -> Option<bool> {
    match KNOWN.load(Ordering::Relaxed) {
        AS_EXPECTED => {}
        OTHERWISE => return None,
        _ => check(text.py()),
    }
    if KNOWN.load(Ordering::Relaxed) != AS_EXPECTED {
        return None;
    }
    let state = state(text);
    (state & COMPACT != 0).then_some(state & ASCII != 0)
}

const COMPACT: u32 = 1 << 5;
const ASCII: u32 = 1 << 6;

/// Result of the check that the state is at the expected address; 0 before the check.
static KNOWN: AtomicU8 = AtomicU8::new(0);
const AS_EXPECTED: u8 = 1;
const OTHERWISE: u8 = 2;

fn state(text: &Bound<'_, PyString>) -> u32 {
    // SAFETY: a `str` has at least five words, and is aligned for them. This is the first half of
    // the fifth word. Some of its bits are written by atomic operations.
    unsafe { &*text.as_ptr().cast::<usize>().add(4).cast::<AtomicU32>() }.load(Ordering::Relaxed)
}

#[cold]
fn check(py: Python<'_>) {
    let is_right = |text: &str| {
        let state = state(&PyString::new(py, text));
        state & COMPACT != 0 && (state & ASCII != 0) == text.is_ascii()
    };
    let known = ["a", "carrywave", "", "é", "carrywavé", "字", "carry波", "𝄞"].into_iter().all(is_right);
    KNOWN.store(if known && cfg!(target_endian = "little") { AS_EXPECTED } else { OTHERWISE }, Ordering::Relaxed);
}
