//! One string: what Python gives, as symbols that the library compares.
//!
//! | given | symbols |
//! |---|---|
//! | `str` | code points; a string in Latin-1 is one byte a symbol |
//! | `bytes`, `bytearray`, and other buffers of one byte an item | bytes, without a copy |
//! | buffers of larger integers, as arrays of NumPy | these integers |
//! | lists and other sequences | their items: integers, single characters as their code points, and anything that can be hashed |

use carrywave::text::numbered::{Numbered, number};
use pyo3::exceptions::{PyBufferError, PyTypeError};
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyFloat, PyInt, PyString};
use std::borrow::Cow;
use std::ffi::{CStr, c_char, c_int, c_void};

/// A string's symbols.
pub enum Symbols<'a> {
    /// Each is a byte.
    Bytes(Cow<'a, [u8]>),
    /// Each is a byte of a buffer of Python.
    Buffer(Buffer),
    /// Code points.
    Characters(Vec<u32>),
    /// Integers and numbers of other items.
    Items(Vec<i128>),
}

/// What a string's symbols stand for: those of different kinds are compared only if that is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Text,
    Bytes,
    Items,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Text => "str",
            Self::Bytes => "bytes",
            Self::Items => "a sequence of items",
        }
    }
}

/// The numbers of items that are neither integers nor characters: by Python's own equality, or by their hashes alone, as rapidfuzz has it.
pub struct Numbers<'py> {
    known: Option<Bound<'py, PyDict>>,
    by_hash: bool,
}

/// Numbers of such items begin where no integer of 64 bits is.
const FIRST_NUMBER: i128 = 1 << 64;

impl<'py> Numbers<'py> {
    pub fn new() -> Self {
        Self { known: None, by_hash: false }
    }

    /// For strings of any kinds, `mixed`, or not.
    pub fn of_any(mixed: bool) -> Self {
        Self { known: None, by_hash: mixed }
    }

    fn of(&mut self, item: &Bound<'py, PyAny>) -> PyResult<i128> {
        if let Ok(number) = item.cast::<PyInt>()
            && let Ok(number) = number.extract::<i64>()
            && (!self.by_hash || (-1..1 << 60).contains(&number))
        {
            return Ok(number.into());
        }
        if let Ok(text) = item.cast::<PyString>()
            && text.len()? == 1
        {
            // SAFETY: the string has a character at 0; it may be half a surrogate pair, which Rust's characters are not.
            return Ok(unsafe { ffi::PyUnicode_ReadChar(text.as_ptr(), 0) }.into());
        }
        if self.by_hash {
            return Ok(item.hash()? as i128);
        }
        if let Ok(number) = item.cast::<PyFloat>()
            && number.value().fract() == 0.0
            && number.value().abs() < 9e15
        {
            return Ok(number.value() as i128);
        }
        // Integers of NumPy and the like.
        if item.hasattr(intern!(item.py(), "__index__"))?
            && let Ok(number) = item.extract::<i64>()
        {
            return Ok(number.into());
        }
        let numbers = self.known.get_or_insert_with(|| PyDict::new(item.py()));
        let known = numbers.get_item(item)?.map(|number| number.extract::<usize>()).transpose()?;
        let number = known.unwrap_or_else(|| numbers.len());
        if known.is_none() {
            numbers.set_item(item, number)?;
        }
        Ok(FIRST_NUMBER + number as i128)
    }
}

impl<'a> Symbols<'a> {
    /// Those of an object.
    pub fn of<'py>(object: &'a Bound<'py, PyAny>, numbers: &mut Numbers<'py>) -> PyResult<(Self, Kind)> {
        if let Ok(text) = object.cast::<PyString>() {
            return Ok((of_text(text)?, Kind::Text));
        }
        match Self::of_buffer(object)? {
            Some(symbols) => Ok(symbols),
            None => Self::of_items(object, numbers),
        }
    }

    /// Those of bytes, and of a buffer of bytes or integers; none of anything else, and of a buffer that is to be gone through item by item as it is not
    /// contiguous.
    pub fn of_buffer(object: &'a Bound<'_, PyAny>) -> PyResult<Option<(Self, Kind)>> {
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(Some((Self::Bytes(Cow::Borrowed(bytes.as_bytes())), Kind::Bytes)));
        }
        // SAFETY: any object may be asked whether it has the protocol.
        if unsafe { PyObject_CheckBuffer(object.as_ptr()) } == 0 {
            return Ok(None);
        }
        let buffer = match Buffer::of(object) {
            Err(error) if !error.is_instance_of::<PyTypeError>(object.py()) => return Ok(None),
            buffer => buffer?,
        };
        Ok(match buffer.item {
            Item::Byte => Some((Self::Buffer(buffer), Kind::Bytes)),
            Item::Integer { .. } => Some((Self::Items(buffer.integers()), Kind::Items)),
            Item::Other => None,
        })
    }

    /// The items of a sequence, one by one.
    fn of_items<'py>(object: &Bound<'py, PyAny>, numbers: &mut Numbers<'py>) -> PyResult<(Self, Kind)> {
        // SAFETY: any object may be asked whether it has items in an order.
        if unsafe { ffi::PySequence_Check(object.as_ptr()) } == 0 {
            let kind = object.get_type().name().map_or_else(|_| "this".into(), |name| name.to_string());
            return Err(PyTypeError::new_err(format!(
                "a string is str, bytes, a buffer or a sequence of items, not {kind}"
            )));
        }
        let mut items = Vec::new();
        for item in object.try_iter()? {
            items.push(numbers.of(&item?)?);
        }
        Ok((Self::Items(items), Kind::Items))
    }

    /// The bytes, if each symbol is one.
    pub fn bytes(&self) -> Option<&[u8]> {
        match self {
            Self::Bytes(bytes) => Some(bytes),
            Self::Buffer(buffer) => Some(buffer.bytes()),
            Self::Characters(_) | Self::Items(_) => None,
        }
    }

    /// How many.
    pub fn len(&self) -> usize {
        match self {
            Self::Characters(characters) => characters.len(),
            Self::Items(items) => items.len(),
            bytes => bytes.bytes().map_or(0, <[u8]>::len),
        }
    }

    fn characters(&self) -> Option<Cow<'_, [u32]>> {
        match self {
            Self::Characters(characters) => Some(Cow::Borrowed(characters)),
            Self::Items(_) => None,
            bytes => bytes.bytes().map(|bytes| bytes.iter().map(|&byte| byte.into()).collect()),
        }
    }

    fn items(&self) -> Cow<'_, [i128]> {
        match self {
            Self::Items(items) => Cow::Borrowed(items),
            Self::Characters(characters) => characters.iter().map(|&character| character.into()).collect(),
            bytes => bytes.bytes().unwrap_or_default().iter().map(|&byte| byte.into()).collect(),
        }
    }
}

/// The symbols of a text: bytes, if all are in Latin-1.
fn of_text<'a>(text: &'a Bound<'_, PyString>) -> PyResult<Symbols<'a>> {
    let Ok(utf8) = text.to_str() else {
        // It has surrogates that stand alone.
        return of_surrogates(text);
    };
    if utf8.is_ascii() {
        return Ok(Symbols::Bytes(Cow::Borrowed(utf8.as_bytes())));
    }
    let bytes: Option<Vec<u8>> = utf8.chars().map(|character| u8::try_from(u32::from(character)).ok()).collect();
    Ok(match bytes {
        Some(bytes) => Symbols::Bytes(Cow::Owned(bytes)),
        None => Symbols::Characters(utf8.chars().map(u32::from).collect()),
    })
}

fn of_surrogates(text: &Bound<'_, PyString>) -> PyResult<Symbols<'static>> {
    let encoded = text.call_method1("encode", ("utf-32-le", "surrogatepass"))?;
    let encoded = encoded.cast::<PyBytes>()?.as_bytes();
    Ok(Symbols::Characters(encoded.as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect()))
}

/// Two strings in a form that both have.
pub enum Pair<'s> {
    Bytes(&'s [u8], &'s [u8]),
    Characters(Cow<'s, [u32]>, Cow<'s, [u32]>),
    Items(Cow<'s, [i128]>, Cow<'s, [i128]>),
}

/// Two strings as Python gave them.
pub struct Two<'a> {
    pub a: Symbols<'a>,
    pub b: Symbols<'a>,
}

impl Pair<'_> {
    /// Both as numbers.
    pub fn numbered(self) -> carrywave::Result<Numbered> {
        match self {
            Self::Bytes(a, b) => number(a, b),
            Self::Characters(a, b) => number(&a, &b),
            Self::Items(a, b) => number(&a, &b),
        }
    }
}

/// Two strings in the simplest form that both have.
#[inline]
pub fn pair<'s>(a: &'s Symbols<'_>, b: &'s Symbols<'_>) -> Pair<'s> {
    if let (Some(a), Some(b)) = (a.bytes(), b.bytes()) {
        return Pair::Bytes(a, b);
    }
    match (a.characters(), b.characters()) {
        (Some(a), Some(b)) => Pair::Characters(a, b),
        _ => Pair::Items(a.items(), b.items()),
    }
}

impl<'a> Two<'a> {
    /// The symbols of both; where `mixed` is not set both must be text, or bytes, or neither.
    #[inline]
    pub fn new<'py>(a: &'a Bound<'py, PyAny>, b: &'a Bound<'py, PyAny>, mixed: bool) -> PyResult<Self> {
        let mut numbers = Numbers::of_any(mixed);
        let (a, of_a) = Symbols::of(a, &mut numbers)?;
        let (b, of_b) = Symbols::of(b, &mut numbers)?;
        let differ = of_a != of_b && of_a != Kind::Items && of_b != Kind::Items;
        if differ && !mixed {
            let (a, b) = (of_a.name(), of_b.name());
            return Err(PyTypeError::new_err(format!(
                "one string is {a}, the other {b}: encode or decode one of them"
            )));
        }
        Ok(Self { a, b })
    }

    #[inline]
    pub fn pair(&self) -> Pair<'_> {
        pair(&self.a, &self.b)
    }

    /// Cells of their table.
    pub fn cells(&self) -> u64 {
        (self.a.len() as u64).saturating_mul(self.b.len() as u64)
    }
}

// The buffer protocol is in Python's stable ABI from 3.11 on; 3.10 has the same functions and the same structure.
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

/// `PyBUF_FORMAT`, and `PyBUF_C_CONTIGUOUS` with what it implies.
const FLAGS: c_int = 0x4 | 0x20 | 0x10 | 0x8;

/// What a buffer's items are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Item {
    Byte,
    Integer { signed: bool },
    Other,
}

/// A buffer of Python, which stays where it is, and as large as it is, until this is dropped. Nobody may write to it meanwhile, as with any
/// function of NumPy that runs without the interpreter's lock.
pub struct Buffer {
    view: Box<View>,
    item: Item,
}

// SAFETY: what a buffer shows may be read on any thread; it is released on one that has the interpreter's lock.
unsafe impl Send for Buffer {}
// SAFETY: as above.
unsafe impl Sync for Buffer {}

impl Buffer {
    fn of(object: &Bound<'_, PyAny>) -> PyResult<Self> {
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
        // SAFETY: the interpreter's lock is held, and the view is a `Py_buffer` that is released when it is dropped.
        if unsafe { PyObject_GetBuffer(object.as_ptr(), &mut *view, FLAGS) } != 0 {
            return Err(PyErr::take(object.py()).unwrap_or_else(|| PyBufferError::new_err("no contiguous buffer")));
        }
        let mut buffer = Self { view, item: Item::Other };
        if buffer.view.ndim > 1 {
            return Err(PyTypeError::new_err("a string is an array of one dimension"));
        }
        buffer.item = buffer.item();
        Ok(buffer)
    }

    fn item(&self) -> Item {
        let format = if self.view.format.is_null() {
            &b"B"[..]
        } else {
            // SAFETY: a format is a string that ends in 0, and lives as long as the view.
            unsafe { CStr::from_ptr(self.view.format) }.to_bytes()
        };
        let native = format.strip_prefix(b"@").or_else(|| format.strip_prefix(b"=")).unwrap_or(format);
        let native = if cfg!(target_endian = "little") { native.strip_prefix(b"<").unwrap_or(native) } else { native };
        match (native, self.view.itemsize) {
            (b"B" | b"b" | b"c" | b"?", 1) => Item::Byte,
            (b"h" | b"i" | b"l" | b"q", 2 | 4 | 8) => Item::Integer { signed: true },
            (b"H" | b"I" | b"L" | b"Q" | b"w" | b"u", 2 | 4 | 8) => Item::Integer { signed: false },
            _ => Item::Other,
        }
    }

    /// All bytes.
    pub fn bytes(&self) -> &[u8] {
        match usize::try_from(self.view.len) {
            Ok(len) if len > 0 && !self.view.buf.is_null() => {
                // SAFETY: a contiguous buffer has so many bytes from there on until it is released.
                unsafe { std::slice::from_raw_parts(self.view.buf.cast(), len) }
            }
            _ => &[],
        }
    }

    fn integers(&self) -> Vec<i128> {
        let signed = self.item == Item::Integer { signed: true };
        let integer = |bytes: &[u8]| -> i128 {
            let mut wide = [0; 8];
            wide[..bytes.len()].copy_from_slice(bytes);
            let (value, unused) = (u64::from_le_bytes(wide), 64 - 8 * bytes.len());
            if signed { ((value << unused).cast_signed() >> unused).into() } else { value.into() }
        };
        self.bytes().chunks_exact(self.view.itemsize.max(1).cast_unsigned()).map(integer).collect()
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: it was got from `PyObject_GetBuffer`, and no reference to its bytes is left. Buffers are dropped by functions that Python
        // called, when these hold the interpreter's lock again.
        unsafe { PyBuffer_Release(&mut *self.view) };
    }
}
