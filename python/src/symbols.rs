//! One string: a Python object as symbols that the library compares.
//!
//! | object | symbols |
//! |---|---|
//! | `str` | code points; one byte per symbol for a string in Latin-1 |
//! | `bytes` | bytes, without a copy |
//! | `bytearray`, other buffers of unsigned bytes | a copy that no code can write during the call |
//! | buffers of other numbers, such as arrays of NumPy | the keys of these numbers |
//! | lists and other sequences | the keys of their items |
//!
//! A key stands for an item, as `items` defines: a `str` is equal to the list of its characters,
//! and `bytes` to the list of their integers.

use crate::elements::Element;
pub use crate::items::Numbers;
use crate::items::{FIRST_INTEGER, FIRST_OTHER, INTEGER_ZERO, Key, Keys, Rule};
use crate::layout::{stored, stored_bytes};
use crate::shared::copied;
use crate::signals::SIGNAL_ITEMS;
use crate::text::{CodePoints, code_points};
use crate::work::Size;
use carrywave::pairs;
use carrywave::text::numbered::{Numbered, number};
use pyo3::exceptions::{PyBufferError, PyTypeError};
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyMemoryView, PyString};
use std::borrow::Cow;
use std::ffi::{CStr, c_char, c_int, c_void};

/// The symbols of a string.
pub enum Symbols<'a> {
    /// Bytes, each standing for an integer.
    Bytes(Cow<'a, [u8]>),
    /// Code points below 256.
    Latin(Cow<'a, [u8]>),
    /// Code points.
    Characters(Vec<u32>),
    /// The keys of items.
    Items(Keys),
}

/// Meaning of a string's symbols. Symbols of different kinds are compared only on request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Text,
    Bytes,
    Items,
}

impl Kind {
    /// Returns the kind of the strings of a column of Arrow.
    pub fn of_column(is_text: bool) -> Self {
        if is_text { Self::Text } else { Self::Bytes }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Text => "str",
            Self::Bytes => "bytes",
            Self::Items => "a sequence of items",
        }
    }
}

impl<'a> Symbols<'a> {
    /// Returns the symbols of an object.
    pub fn from_object<'py>(object: &'a Bound<'py, PyAny>, numbers: &mut Numbers<'py>) -> PyResult<(Self, Kind)> {
        if let Ok(text) = object.cast::<PyString>() {
            return Ok((of_text(text)?, Kind::Text));
        }
        let has_code_points = numbers.rule() == Rule::Rapidfuzz;
        if let Ok(bytes) = object.cast::<PyBytes>() {
            let bytes = Cow::Borrowed(bytes.as_bytes());
            return Ok((if has_code_points { Self::Latin(bytes) } else { Self::Bytes(bytes) }, Kind::Bytes));
        }
        // Requesting its buffer would take as long as a short comparison.
        if let Ok(array) = object.cast_exact::<PyByteArray>()
            && array.len() <= SHORT_ARRAY
        {
            let bytes = Cow::Owned(array.to_vec());
            return Ok((if has_code_points { Self::Latin(bytes) } else { Self::Bytes(bytes) }, Kind::Bytes));
        }
        match Elements::from_object(object)? {
            Some(Elements { element, bytes }) if element.is_byte() => {
                let bytes = Cow::Owned(bytes);
                Ok((if has_code_points { Self::Latin(bytes) } else { Self::Bytes(bytes) }, Kind::Bytes))
            }
            Some(Elements { element, bytes }) => {
                let is_array = object.get_type().name().is_ok_and(|name| name == "array");
                match element.keys(object.py(), &bytes, numbers, is_array)? {
                    Some(keys) => Ok((Self::Items(keys), Kind::Items)),
                    None => Self::of_items(object, numbers),
                }
            }
            None => Self::of_items(object, numbers),
        }
    }

    /// Returns the symbols of `bytes` or a buffer of bytes, and `None` for any other object.
    pub fn from_buffer(object: &'a Bound<'_, PyAny>) -> PyResult<Option<(Self, Kind)>> {
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(Some((Self::Bytes(Cow::Borrowed(bytes.as_bytes())), Kind::Bytes)));
        }
        let are_bytes = |found: &Elements| found.element.as_bytes(&found.bytes).is_some();
        let found = Elements::from_object(object)?.filter(are_bytes);
        Ok(found.map(|found| (Self::Bytes(Cow::Owned(found.bytes)), Kind::Bytes)))
    }

    /// Returns the items of a sequence, one by one.
    fn of_items<'py>(object: &Bound<'py, PyAny>, numbers: &mut Numbers<'py>) -> PyResult<(Self, Kind)> {
        // SAFETY: this check is valid for any object.
        if unsafe { ffi::PySequence_Check(object.as_ptr()) } == 0 {
            let kind = object.get_type().name().map_or_else(|_| "this".into(), |name| name.to_string());
            return Err(PyTypeError::new_err(format!(
                "a string is str, bytes, a buffer or a sequence of items, not {kind}"
            )));
        }
        let mut keys = Keys::new(0)?;
        for item in object.try_iter()? {
            let item = item?;
            match numbers.small(&item) {
                Some(key) => keys.push_narrow(key)?,
                None => keys.push(numbers.key(&item)?)?,
            }
            if keys.len() % SIGNAL_ITEMS == 0 {
                object.py().check_signals()?;
            }
        }
        Ok((Self::Items(keys), Kind::Items))
    }

    /// Returns the bytes, if each symbol is one byte.
    pub fn bytes(&self) -> Option<&[u8]> {
        match self {
            Self::Bytes(bytes) | Self::Latin(bytes) => Some(bytes),
            Self::Characters(_) | Self::Items(_) => None,
        }
    }

    /// Returns the number of symbols.
    pub fn len(&self) -> usize {
        match self {
            Self::Characters(characters) => characters.len(),
            Self::Items(keys) => keys.len(),
            bytes => bytes.bytes().map_or(0, <[u8]>::len),
        }
    }

    /// Returns the key of a byte 0, for strings whose symbols are bytes.
    pub fn zero(&self) -> u32 {
        if matches!(self, Self::Latin(_)) { 0 } else { INTEGER_ZERO }
    }

    /// Returns the keys, if each fits in 32 bits.
    pub fn narrow(&self) -> Option<Cow<'_, [u32]>> {
        match self {
            Self::Characters(keys) | Self::Items(Keys::Narrow(keys)) => Some(Cow::Borrowed(keys)),
            Self::Items(_) => None,
            bytes => bytes.bytes().map(|symbols| symbols.iter().map(|&byte| bytes.zero() + u32::from(byte)).collect()),
        }
    }

    /// Returns the keys, if each fits in 64 bits.
    fn long(&self) -> Option<Cow<'_, [i64]>> {
        match self {
            Self::Items(Keys::Long(keys)) => Some(Cow::Borrowed(keys)),
            other => other.narrow().map(|keys| keys.iter().map(|&key| key.into()).collect()),
        }
    }

    pub fn wide(&self) -> Cow<'_, [Key]> {
        match self {
            Self::Items(Keys::Wide(keys)) => Cow::Borrowed(keys),
            other => other.long().unwrap_or_default().iter().map(|&key| key.into()).collect(),
        }
    }
}

/// Returns the symbols of a text: one byte each if all are in Latin-1.
#[inline]
pub fn of_text<'a>(text: &'a Bound<'_, PyString>) -> PyResult<Symbols<'a>> {
    Ok(match code_points(text)? {
        CodePoints::Latin(characters) => Symbols::Latin(characters),
        CodePoints::Wide(characters) => Symbols::Characters(characters),
    })
}

/// Maximum length of a `bytearray` that is copied without using its buffer.
const SHORT_ARRAY: usize = 1 << 12;

/// Returns two texts of one byte a character whose table has few cells; `None` for anything else.
/// Most calls compare such texts, and take little longer than an empty call.
#[inline]
pub fn short_texts<'a>(a: &'a Bound<'_, PyAny>, b: &'a Bound<'_, PyAny>) -> Option<[&'a [u8]; 2]> {
    let a = stored_bytes(a.cast::<PyString>().ok()?)?;
    let b = stored_bytes(b.cast::<PyString>().ok()?)?;
    (a.len().saturating_mul(b.len()) < SHORT_CELLS).then_some([a, b])
}

/// Calls a function with two short texts of any characters; `None` for anything else.
pub fn with_short_texts<R>(
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    call: impl FnOnce([pairs::Symbols<'_>; 2]) -> R,
) -> Option<R> {
    let a = stored(a.cast::<PyString>().ok()?)?;
    let b = stored(b.cast::<PyString>().ok()?)?;
    if a.len().saturating_mul(b.len()) >= SHORT_CELLS {
        return None;
    }
    let [mut of_a, mut of_b] = [[0; SHORT_TEXT]; 2];
    Some(call([a.symbols(&mut of_a)?, b.symbols(&mut of_b)?]))
}

/// Maximum number of characters that [`with_short_texts`] widens.
const SHORT_TEXT: usize = 128;

/// Time of a cell if a vector has a cell in each byte, relative to one if a word has 64 cells.
pub const STEPS_OF_CELL: u64 = 8;

/// Maximum cells of a table that takes less time than choosing an algorithm for it.
pub const SHORT_CELLS: usize = 1 << 16;

/// Two strings from Python.
pub struct Two<'a> {
    pub a: Symbols<'a>,
    pub b: Symbols<'a>,
}

/// Returns keys as numbers from 0 on, if all keys belong to items that Python compares: these are
/// numbered in order of appearance.
fn dense(a: &[u32], b: &[u32]) -> Option<Numbered> {
    let mut kinds = 0;
    for &key in a.iter().chain(b) {
        let number = key.checked_sub(FIRST_OTHER).filter(|_| key < FIRST_INTEGER)?;
        kinds = kinds.max(number + 1);
    }
    let numbers = |keys: &[u32]| keys.iter().map(|&key| key - FIRST_OTHER).collect();
    Some(Numbered { a: numbers(a), b: numbers(b), kinds })
}

impl<'a> Two<'a> {
    /// Returns the symbols of both objects. Unless `mixed` is set, both must be text, or both
    /// bytes, or one must be a sequence of items.
    #[inline]
    pub fn new<'py>(a: &'a Bound<'py, PyAny>, b: &'a Bound<'py, PyAny>, mixed: bool) -> PyResult<Self> {
        // Texts need no keys.
        if let (Ok(a), Ok(b)) = (a.cast::<PyString>(), b.cast::<PyString>()) {
            return Ok(Self { a: of_text(a)?, b: of_text(b)? });
        }
        let mut numbers = Numbers::of_any(mixed);
        let (a, of_a) = Symbols::from_object(a, &mut numbers)?;
        let (b, of_b) = Symbols::from_object(b, &mut numbers)?;
        let differ = of_a != of_b && of_a != Kind::Items && of_b != Kind::Items;
        if differ && !mixed {
            let (a, b) = (of_a.name(), of_b.name());
            return Err(PyTypeError::new_err(format!(
                "one string is {a}, the other {b}: encode or decode one of them"
            )));
        }
        Ok(Self { a, b })
    }

    /// Returns both strings as bytes, if each symbol is a byte with the same meaning in both.
    #[inline]
    pub fn bytes(&self) -> Option<[&[u8]; 2]> {
        let both = [self.a.bytes()?, self.b.bytes()?];
        (self.a.zero() == self.b.zero()).then_some(both)
    }

    /// Returns both strings as numbers, by the library's table. Keys that are already such numbers
    /// are not looked up again.
    pub fn numbered(&self) -> carrywave::Result<Numbered> {
        let (a, b) = (&self.a, &self.b);
        if let (Some(a), Some(b)) = (a.narrow(), b.narrow()) {
            return dense(&a, &b).map_or_else(|| number(&a, &b), Ok);
        }
        match (a.long(), b.long()) {
            (Some(a), Some(b)) => number(&a, &b),
            _ => number(&a.wide(), &b.wide()),
        }
    }

    /// Returns the number of cells of their table.
    pub fn cells(&self) -> u64 {
        (self.a.len() as u64).saturating_mul(self.b.len() as u64)
    }

    /// Returns the size of a job that compares all rotations of the second string, and computes the
    /// table of one `times` times.
    pub fn size_of_rotation(&self, times: u64) -> Size {
        self.size(2 + times).and(self.cells().saturating_mul(2 * STEPS_OF_CELL))
    }

    /// Returns the size of a job that computes the table `times` times.
    pub fn size(&self, times: u64) -> Size {
        let items = self.a.len() + self.b.len();
        let size = Size::from(self.cells().saturating_mul(times));
        // Only items other than bytes are numbered.
        if self.a.bytes().is_some() && self.b.bytes().is_some() {
            size.and(items as u64)
        } else {
            size.and_items(items)
        }
    }
}

// The buffer protocol is in Python's stable ABI since 3.11; 3.10 has the same functions and the
// same structure.
unsafe extern "C" {
    fn PyObject_CheckBuffer(object: *mut ffi::PyObject) -> c_int;
    fn PyObject_GetBuffer(object: *mut ffi::PyObject, view: *mut View, flags: c_int) -> c_int;
    fn PyBuffer_Release(view: *mut View);
}

/// `Py_buffer`.
#[repr(C)]
struct View {
    buf: *mut c_void,
    obj: *mut ffi::PyObject,
    len: isize,
    itemsize: isize,
    readonly: c_int,
    ndim: c_int,
    format: *const c_char,
    shape: *mut isize,
    strides: *mut isize,
    suboffsets: *mut isize,
    internal: *mut c_void,
}

/// `PyBUF_FORMAT`, and `PyBUF_C_CONTIGUOUS` with the flags that it implies.
const FLAGS: c_int = 0x4 | 0x20 | 0x10 | 0x8;

/// A buffer of Python. Its address and size do not change until this value is dropped.
struct Buffer {
    view: Box<View>,
}

impl Buffer {
    fn from_object(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut view = Box::new(View {
            buf: std::ptr::null_mut(),
            obj: std::ptr::null_mut(),
            len: 0,
            itemsize: 0,
            readonly: 0,
            ndim: 0,
            format: std::ptr::null(),
            shape: std::ptr::null_mut(),
            strides: std::ptr::null_mut(),
            suboffsets: std::ptr::null_mut(),
            internal: std::ptr::null_mut(),
        });
        // SAFETY: the interpreter's lock is held, and the view is a `Py_buffer` that is released
        // when it is dropped.
        if unsafe { PyObject_GetBuffer(object.as_ptr(), &mut *view, FLAGS) } != 0 {
            return Err(PyErr::take(object.py()).unwrap_or_else(|| PyBufferError::new_err("no contiguous buffer")));
        }
        let buffer = Self { view };
        if buffer.view.ndim != 1 {
            return Err(PyTypeError::new_err("a string is an array of one dimension"));
        }
        Ok(buffer)
    }

    /// Returns the type of the elements, or `None` if only Python can read them.
    fn element(&self) -> Option<Element> {
        let format = if self.view.format.is_null() {
            &b"B"[..]
        } else {
            // SAFETY: a format ends in 0, and lives as long as the view.
            unsafe { CStr::from_ptr(self.view.format) }.to_bytes()
        };
        Element::new(format, usize::try_from(self.view.itemsize).ok()?)
    }

    /// Copies all bytes.
    fn copied(&self, py: Python<'_>) -> PyResult<Vec<u8>> {
        match usize::try_from(self.view.len) {
            // SAFETY: a contiguous buffer has `len` bytes from `buf` on until it is released.
            Ok(len) if !self.view.buf.is_null() => unsafe { copied(py, self.view.buf.cast(), len) },
            _ => Ok(Vec::new()),
        }
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: the view comes from `PyObject_GetBuffer`, no reference to its bytes is left, and
        // the function that made it holds the interpreter's lock.
        unsafe { PyBuffer_Release(&mut *self.view) };
    }
}

/// Type of a buffer's elements, and a copy of its bytes.
struct Elements {
    element: Element,
    bytes: Vec<u8>,
}

/// Returns true for a single number or date of NumPy, whose buffer would have the bytes of the
/// value.
fn is_scalar(object: &Bound<'_, PyAny>) -> bool {
    // SAFETY: this check is valid for any object.
    let is_sequence = unsafe { ffi::PySequence_Check(object.as_ptr()) } != 0;
    !is_sequence && object.get_type().module().is_ok_and(|module| module == "numpy")
}

impl Elements {
    /// Returns the elements of an object with the buffer protocol, or `None` if only Python can
    /// read them.
    fn from_object(object: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        // SAFETY: this check is valid for any object.
        if unsafe { PyObject_CheckBuffer(object.as_ptr()) } == 0 || is_scalar(object) {
            return Ok(None);
        }
        let buffer = match Buffer::from_object(object) {
            Err(error) if !error.is_instance_of::<PyTypeError>(object.py()) => return Self::gathered(object),
            buffer => buffer?,
        };
        let Some(element) = buffer.element() else { return Ok(None) };
        Ok(Some(Self { element, bytes: buffer.copied(object.py())? }))
    }

    /// Returns a contiguous copy of the elements of a buffer that is not contiguous.
    fn gathered(object: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        let py = object.py();
        let Ok(view) = py.get_type::<PyMemoryView>().call1((object,)) else { return Ok(None) };
        if view.getattr(intern!(py, "ndim"))?.extract::<usize>()? != 1 {
            return Err(PyTypeError::new_err("a string is an array of one dimension"));
        }
        let format: String = view.getattr(intern!(py, "format"))?.extract()?;
        let size = view.getattr(intern!(py, "itemsize"))?.extract()?;
        let Some(element) = Element::new(format.as_bytes(), size) else { return Ok(None) };
        let bytes = view.call_method0(intern!(py, "tobytes"))?.extract::<Vec<u8>>()?;
        Ok(Some(Self { element, bytes }))
    }
}
