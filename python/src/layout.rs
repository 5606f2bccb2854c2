//! The characters of a `str` where Python stores them.
//!
//! The stable ABI has no function for this, and those that it has copy the characters or take as
//! long as a short comparison. In all versions of CPython so far, the state of a `str` follows its
//! reference count, type, length and hash, and the characters follow the state and up to four more
//! words (PEP 393). The first call checks this with known strings.

use carrywave::pairs::Symbols;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};

/// Characters in Python's own memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stored<'a> {
    Ascii(&'a str),
    /// Characters below 256, some above 127.
    Latin(&'a [u8]),
    /// Characters of two bytes.
    Two(&'a [u16]),
    /// Characters of four bytes.
    Four(&'a [u32]),
}

impl<'a> Stored<'a> {
    /// Returns the characters for comparison, widened into `room` if they have two bytes; `None` if
    /// there is too little room.
    pub fn symbols<'s>(self, room: &'s mut [u32]) -> Option<Symbols<'s>>
    where
        'a: 's,
    {
        Some(match self {
            Self::Ascii(text) => Symbols::Bytes(text.as_bytes()),
            Self::Latin(characters) => Symbols::Bytes(characters),
            Self::Two(characters) => {
                let room = room.get_mut(..characters.len())?;
                room.iter_mut().zip(characters).for_each(|(to, &character)| *to = character.into());
                Symbols::Numbers(room)
            }
            Self::Four(characters) => Symbols::Numbers(characters),
        })
    }

    /// Returns the number of characters.
    #[inline]
    pub fn len(&self) -> usize {
        match self {
            Self::Ascii(text) => text.len(),
            Self::Latin(characters) => characters.len(),
            Self::Two(characters) => characters.len(),
            Self::Four(characters) => characters.len(),
        }
    }
}

/// Returns the characters of a text; `None` if its layout is not known, as for an instance of a
/// subclass.
#[inline]
pub fn stored<'a>(text: &'a Bound<'_, PyString>) -> Option<Stored<'a>> {
    let layout = Layout::of(text.py())?;
    // SAFETY: the object is a `str`, and lives as long as the reference.
    unsafe { layout.read(text.as_ptr()) }
}

/// Returns the characters of a text that are stored in one byte each; `None` for any other text.
#[inline]
pub fn stored_bytes<'a>(text: &'a Bound<'_, PyString>) -> Option<&'a [u8]> {
    match stored(text)? {
        Stored::Ascii(text) => Some(text.as_bytes()),
        Stored::Latin(characters) => Some(characters),
        Stored::Two(_) | Stored::Four(_) => None,
    }
}

/// Words of a `str` before the state: reference count, type, length, hash.
const STATE: usize = 4;
/// Bits of the state.
const KIND: u32 = 7 << 2;
const ONE: u32 = 1 << 2;
const TWO: u32 = 2 << 2;
const FOUR: u32 = 4 << 2;
const COMPACT: u32 = 1 << 5;
const ASCII: u32 = 1 << 6;

/// Words before the characters of an ASCII text, and of any other: in Python 3.10 and 3.11, and
/// from 3.12 on.
const LAYOUTS: [(u8, usize); 2] = [(6, 9), (5, 7)];

/// Number of characters of known texts that are checked.
const FIRST: usize = 16;

/// Words before the characters of an ASCII text; 0 before the check.
static KNOWN: AtomicU8 = AtomicU8::new(0);
const UNKNOWN: u8 = u8::MAX;

/// Layout of texts in the memory of this Python: the words before the characters of an ASCII text.
#[derive(Clone, Copy)]
pub struct Layout(u8);

impl Layout {
    /// Returns the layout; `None` if it is not known.
    #[inline]
    pub fn of(py: Python<'_>) -> Option<Self> {
        let words = match KNOWN.load(Ordering::Relaxed) {
            0 => Self::check(py),
            words => words,
        };
        (words != UNKNOWN).then_some(Self(words))
    }

    /// Reads a text. Needs no lock: the memory that it reads does not change.
    ///
    /// # Safety
    /// The object must be a `str`, and must live as long as the result.
    #[inline]
    pub unsafe fn read<'a>(self, text: *mut ffi::PyObject) -> Option<Stored<'a>> {
        // SAFETY: the object is a `str`. If it is compact, it has `len` characters of its kind
        // after the words of its layout, which was checked with known texts.
        unsafe {
            let (len, state) = head(text);
            if state & COMPACT == 0 { None } else { self.first(text, len, state) }
        }
    }

    /// Returns the first characters of a compact text that has this state.
    ///
    /// # Safety
    /// The object must be a `str` that lives as long as the result, and `len` characters of the
    /// kind in `state` must fit in it after the words of the layout.
    #[inline]
    unsafe fn first<'a>(self, text: *mut ffi::PyObject, len: usize, state: u32) -> Option<Stored<'a>> {
        let start = text.cast::<usize>();
        // SAFETY: by the caller. The characters do not change while there is a reference to the
        // text. All bytes of an ASCII text are ASCII.
        unsafe {
            if state & ASCII != 0 {
                let bytes = std::slice::from_raw_parts(start.add(self.0.into()).cast(), len);
                return Some(Stored::Ascii(str::from_utf8_unchecked(bytes)));
            }
            let &(_, others) = LAYOUTS.iter().find(|layout| layout.0 == self.0)?;
            let start = start.add(others);
            match state & KIND {
                ONE => Some(Stored::Latin(std::slice::from_raw_parts(start.cast(), len))),
                TWO => Some(Stored::Two(std::slice::from_raw_parts(start.cast(), len))),
                FOUR => Some(Stored::Four(std::slice::from_raw_parts(start.cast(), len))),
                _ => None,
            }
        }
    }

    #[cold]
    fn check(py: Python<'_>) -> u8 {
        let words = Self::found(py).map_or(UNKNOWN, |layout| layout.0);
        KNOWN.store(words, Ordering::Relaxed);
        words
    }

    /// Finds the layout, and checks it with known texts.
    fn found(py: Python<'_>) -> Option<Self> {
        if cfg!(not(all(target_endian = "little", target_pointer_width = "64"))) {
            return None;
        }
        // `PyUnicode_AsUTF8AndSize` returns the address of the characters of an ASCII text. For
        // others, the first characters of long texts are compared: even if the layout is wrong,
        // what is read lies inside of the objects.
        let known = |first: &str| {
            let text = format!("{first}{}", "x".repeat(64));
            (PyString::new(py, &text), text)
        };
        let (ascii, _) = known("carrywave");
        let bytes = ascii.to_str().ok()?.as_ptr() as usize - ascii.as_ptr() as usize;
        let layout = LAYOUTS.iter().find(|layout| usize::from(layout.0) * size_of::<usize>() == bytes)?;
        let layout = Self(layout.0);
        let is_right = |(first, state): (&str, u32)| {
            let (object, text) = known(first);
            let code_points = text.chars().map(u32::from).take(FIRST);
            // SAFETY: the object is a `str`.
            let (len, found) = unsafe { head(object.as_ptr()) };
            if len != text.chars().count() || found & (KIND | COMPACT | ASCII) != state | COMPACT {
                return false;
            }
            // SAFETY: the object is a `str` that lives as long as the result. It has 64 characters
            // and more, so 16 of them and 9 words fit in it.
            match unsafe { layout.first(object.as_ptr(), FIRST, found) } {
                Some(Stored::Ascii(found)) => found == &text[..FIRST],
                Some(Stored::Latin(found)) => found.iter().map(|&c| u32::from(c)).eq(code_points),
                Some(Stored::Two(found)) => found.iter().map(|&c| u32::from(c)).eq(code_points),
                Some(Stored::Four(found)) => found.iter().copied().eq(code_points),
                None => false,
            }
        };
        let texts = [("", ONE | ASCII), ("carrywavé", ONE), ("carry波", TWO), ("𝄞", FOUR)];
        texts.into_iter().all(is_right).then_some(layout)
    }
}

/// Returns the third word of a text, its length, and the state.
///
/// # Safety
/// The object must be a `str`.
#[inline]
unsafe fn head(text: *mut ffi::PyObject) -> (usize, u32) {
    let start = text.cast::<usize>();
    // SAFETY: a `str` has at least five words, and is aligned for them. The state is the first half
    // of the fifth; some of its bits are written by atomic operations.
    unsafe { (*start.add(2), (*start.add(STATE).cast::<AtomicU32>()).load(Ordering::Relaxed)) }
}
