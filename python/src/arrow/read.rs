//! Reads arrays of strings from Arrow's structures, and checks every number before it is used.
//!
//! The interface gives sizes of buffers only for views. So the reader trusts two things: a buffer
//! of offsets has one more offset than the array has rows, and the buffer of the strings extends to
//! the last offset.

use super::abi::{Array, Schema};
use crate::shared::{append, copied, room};
use crate::signals::check_signals;
use carrywave::internal::threads;
use carrywave::io::output::Shortened;
use pyo3::exceptions::{PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use rayon::prelude::*;
use std::ffi::CStr;
use std::sync::atomic::{AtomicBool, Ordering};

/// The position of a string in its chunk's bytes.
#[derive(Clone, Copy)]
pub struct StringSpan {
    pub start: usize,
    pub len: usize,
}

/// The strings of an array, copied so that no other code can write them.
#[derive(Default)]
pub struct Chunk {
    pub bytes: Vec<u8>,
    /// The position of each string; `None` stands for a null.
    pub spans: Vec<Option<StringSpan>>,
    /// All strings are ASCII.
    pub is_ascii: bool,
}

impl Chunk {
    pub(super) fn new(bytes: Vec<u8>, spans: Vec<Option<StringSpan>>) -> Self {
        let is_ascii = threads::run(|| bytes.par_chunks(ASCII_PART).all(<[u8]>::is_ascii));
        Self { bytes, spans, is_ascii }
    }

    pub fn strings(&self) -> impl Iterator<Item = Option<&[u8]>> {
        self.spans.iter().map(|span| span.map(|span| self.string(span)))
    }

    pub fn string(&self, StringSpan { start, len }: StringSpan) -> &[u8] {
        &self.bytes[start..][..len]
    }
}

/// Bytes that a thread checks at a time for characters beyond ASCII.
const ASCII_PART: usize = 1 << 18;

/// The layout of an array of strings.
#[derive(Clone)]
pub enum Layout {
    /// All strings are null.
    Null,
    /// Offsets of 4 or 8 bytes.
    Offsets(usize),
    /// Views of 16 bytes.
    Views,
    /// Strings of one length.
    Fixed(usize),
    /// Indices into other strings: integers of 1 to 8 bytes.
    Dictionary { bytes: usize, signed: bool, values: Box<Layout> },
}

/// The content of the strings.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Content {
    Text,
    Bytes,
    /// All strings are null.
    Nothing,
}

impl Content {
    /// Returns true for text in UTF-8, false for bytes, and `None` if all items are null.
    pub fn is_text(self) -> Option<bool> {
        match self {
            Self::Text => Some(true),
            Self::Bytes => Some(false),
            Self::Nothing => None,
        }
    }
}

/// The type of a column of strings.
pub struct Type {
    pub layout: Layout,
    pub content: Content,
}

pub(super) fn wrong(what: &str) -> PyErr {
    PyValueError::new_err(format!("invalid Arrow data: {what}"))
}

impl Type {
    /// Reads a schema.
    pub fn from_schema(schema: &Schema) -> PyResult<Self> {
        if schema.format.is_null() {
            return Err(wrong("a schema without a format"));
        }
        // SAFETY: by the interface, the format ends in 0.
        let format = unsafe { CStr::from_ptr(schema.format) }.to_bytes();
        // SAFETY: by the interface, the pointer is null or a schema that lives as long as this one.
        if let Some(values) = unsafe { schema.dictionary.as_ref() } {
            let (bytes, signed) = match format {
                b"c" => (1, true),
                b"C" => (1, false),
                b"s" => (2, true),
                b"S" => (2, false),
                b"i" => (4, true),
                b"I" => (4, false),
                b"l" => (8, true),
                b"L" => (8, false),
                _ => return Err(wrong("the numbers of a dictionary are no integers")),
            };
            if !values.dictionary.is_null() {
                return Err(PyTypeError::new_err("a dictionary of dictionaries is no column of strings"));
            }
            let Self { layout, content } = Self::from_schema(values)?;
            return Ok(Self { layout: Layout::Dictionary { bytes, signed, values: Box::new(layout) }, content });
        }
        let (layout, content) = match format {
            b"n" => (Layout::Null, Content::Nothing),
            b"u" => (Layout::Offsets(4), Content::Text),
            b"U" => (Layout::Offsets(8), Content::Text),
            b"z" => (Layout::Offsets(4), Content::Bytes),
            b"Z" => (Layout::Offsets(8), Content::Bytes),
            b"vu" => (Layout::Views, Content::Text),
            b"vz" => (Layout::Views, Content::Bytes),
            _ => {
                let width = format.strip_prefix(b"w:").and_then(|width| str::from_utf8(width).ok()?.parse().ok());
                (Layout::Fixed(width.ok_or_else(|| not_strings(format))?), Content::Bytes)
            }
        };
        Ok(Self { layout, content })
    }
}

/// The error for a type that has no strings.
fn not_strings(format: &[u8]) -> PyErr {
    let name = match format {
        b"b" => "Boolean".into(),
        b"c" => "Int8".into(),
        b"s" => "Int16".into(),
        b"i" => "Int32".into(),
        b"l" => "Int64".into(),
        b"C" | b"S" | b"I" | b"L" => "an unsigned integer".into(),
        b"e" | b"f" | b"g" => "a float".into(),
        b"+s" => "struct: choose one of its columns".into(),
        [b'+', ..] => "a nested type".into(),
        other => format!("the type of the format '{}'", Shortened(&String::from_utf8_lossy(other))),
    };
    PyTypeError::new_err(format!(
        "a column of strings has a type of Arrow such as string, binary, their large and view forms, fixed_size_binary, null, or a dictionary of these, not {name}: cast it first"
    ))
}

/// The checked sizes of an array, and its buffers.
pub(super) struct Parts<'a> {
    py: Python<'a>,
    array: &'a Array,
    pub len: usize,
    pub offset: usize,
}

impl<'a> Parts<'a> {
    pub fn new(py: Python<'a>, array: &'a Array) -> PyResult<Self> {
        let size = |size: i64| usize::try_from(size).ok().filter(|&size| size <= MAX_ROWS);
        match (size(array.length), size(array.offset)) {
            (Some(len), Some(offset)) => Ok(Self { py, array, len, offset }),
            _ => Err(wrong("an array with a length or an offset that is out of range")),
        }
    }

    /// Returns the address of a buffer. It may be null only if nothing is read from the buffer.
    pub fn buffer(&self, number: usize) -> PyResult<*const u8> {
        let count = usize::try_from(self.array.n_buffers).unwrap_or(0);
        if number >= count || self.array.buffers.is_null() {
            return Err(wrong(&format!("an array has {count} buffers and lacks one")));
        }
        // SAFETY: the interface promises an address for each buffer.
        Ok(unsafe { self.array.buffers.add(number).read_unaligned() })
    }

    /// Copies `count` items of `size` bytes from a buffer, starting at the array's offset.
    fn items(&self, number: usize, size: usize, count: usize) -> PyResult<Vec<u8>> {
        let (Some(from), Some(bytes)) = (self.offset.checked_mul(size), count.checked_mul(size)) else {
            return Err(wrong("a buffer is larger than memory"));
        };
        if bytes == 0 {
            return Ok(Vec::new());
        }
        let start = self.buffer(number)?;
        if start.is_null() {
            return Err(wrong("a buffer is missing"));
        }
        // SAFETY: by the interface, the buffer has items for the array's offset and for its rows.
        unsafe { copied(self.py, start.wrapping_add(from), bytes) }
    }

    /// Returns true for each row that is not null; `None` if no row is null.
    pub fn validity(&self) -> PyResult<Option<Vec<bool>>> {
        if self.len == 0 || self.array.null_count == 0 {
            return Ok(None);
        }
        let start = self.buffer(0)?;
        if start.is_null() {
            return match self.array.null_count {
                ..=0 => Ok(None),
                count => Err(wrong(&format!("{count} nulls, and no buffer that says where"))),
            };
        }
        let (first, end) = (self.offset / 8, (self.offset + self.len).div_ceil(8));
        // SAFETY: by the interface, the buffer has a bit for each row and for each row before the
        // array's offset.
        let bits = unsafe { copied(self.py, start.wrapping_add(first), end - first) }?;
        let mut valid = room(self.len)?;
        valid.extend((self.offset % 8..).take(self.len).map(|bit| bits[bit / 8] >> (bit % 8) & 1 == 1));
        Ok(Some(valid))
    }

    /// Replaces the strings of null rows by `None`.
    fn with_nulls(&self, mut chunk: Chunk) -> PyResult<Chunk> {
        if let Some(valid) = self.validity()? {
            for (span, _) in chunk.spans.iter_mut().zip(valid).filter(|(_, valid)| !valid) {
                *span = None;
            }
        }
        Ok(chunk)
    }
}

/// Maximum number of rows of an array, and maximum offset: more rows do not fit in memory, and
/// products could overflow.
const MAX_ROWS: usize = isize::MAX.cast_unsigned() / 64;

/// Reads the strings of an array.
pub fn chunk(py: Python<'_>, array: &Array, layout: &Layout) -> PyResult<Chunk> {
    let parts = Parts::new(py, array)?;
    match layout {
        Layout::Null => {
            let mut spans = room(parts.len)?;
            spans.resize(parts.len, None);
            Ok(Chunk::new(Vec::new(), spans))
        }
        &Layout::Offsets(size) => parts.by_offsets(size),
        Layout::Views => parts.by_views(),
        &Layout::Fixed(len) => {
            let bytes = parts.items(1, len, parts.len)?;
            let mut spans = room(parts.len)?;
            spans.extend((0..parts.len).map(|row| Some(StringSpan { start: row * len, len })));
            parts.with_nulls(Chunk::new(bytes, spans))
        }
        Layout::Dictionary { bytes, signed, values } => parts.by_numbers(*bytes, *signed, values),
    }
}

impl Parts<'_> {
    /// Appends the end of each string to `ends`, counted from `start` on. Returns the place of the
    /// first string in the array's bytes. The array has rows.
    pub fn add_ends(&self, size: usize, start: u64, ends: &mut Vec<u64>) -> PyResult<usize> {
        let offsets = self.items(1, size, self.len + 1)?;
        if size == 4 {
            let offset = |bytes: &[u8; 4]| i32::from_ne_bytes(*bytes).into();
            ends_of(offsets.as_chunks().0, offset, start, ends)
        } else {
            ends_of(offsets.as_chunks().0, |bytes: &[u8; 8]| i64::from_ne_bytes(*bytes), start, ends)
        }
    }

    fn by_offsets(&self, size: usize) -> PyResult<Chunk> {
        if self.len == 0 {
            return Ok(Chunk::default());
        }
        let mut places = vec![0];
        let from = self.add_ends(size, 0, &mut places)?;
        let mut spans = room(self.len)?;
        let span = |ends: &[u64]| Some(StringSpan { start: ends[0] as usize, len: (ends[1] - ends[0]) as usize });
        threads::run(|| spans.par_extend(places.par_windows(2).map(span)));
        let len = places[self.len] as usize;
        let data = if len == 0 { std::ptr::null() } else { self.buffer(2)? };
        if len > 0 && data.is_null() {
            return Err(wrong("the buffer of the strings is missing"));
        }
        // SAFETY: by the interface, the buffer extends to the last offset, and `len` is the last
        // offset minus the first.
        let bytes = unsafe { copied(self.py, data.wrapping_add(from), len) }?;
        self.with_nulls(Chunk::new(bytes, spans))
    }

    fn by_views(&self) -> PyResult<Chunk> {
        let views = self.items(1, VIEW, self.len)?;
        let valid = self.validity()?;
        let sizes = if self.len == 0 { Vec::new() } else { self.sizes()? };
        let mut spans: Vec<Option<StringSpan>> = room(self.len)?;
        let mut bytes = Vec::new();
        for (row, view) in views.as_chunks::<VIEW>().0.iter().enumerate() {
            check_signals(self.py, row + 1)?;
            if valid.as_ref().is_some_and(|valid| !valid[row]) {
                spans.push(None);
                continue;
            }
            let number = |at: usize| i32::from_ne_bytes([view[at], view[at + 1], view[at + 2], view[at + 3]]);
            let len = usize::try_from(number(0)).map_err(|_| wrong("a view of a length below 0"))?;
            let start = bytes.len();
            if bytes.try_reserve(len).is_err() {
                room::<u8>(start.saturating_add(len))?;
            }
            if let Some(inline) = view.get(4..4 + len) {
                bytes.extend_from_slice(inline);
            } else {
                let buffer = usize::try_from(number(8)).ok().filter(|&buffer| buffer < sizes.len());
                let buffer = buffer.ok_or_else(|| wrong("a view into a buffer that is not there"))?;
                let from = usize::try_from(number(12)).map_err(|_| wrong("a view that begins before its buffer"))?;
                if from.checked_add(len).is_none_or(|end| end > sizes[buffer]) {
                    return Err(wrong("a view that ends behind its buffer"));
                }
                let data = self.buffer(2 + buffer)?;
                if data.is_null() {
                    return Err(wrong("a buffer of views is missing"));
                }
                // SAFETY: the buffer has as many bytes as its size says, and the view is within it.
                unsafe { append(&mut bytes, data.wrapping_add(from), len) };
                if bytes[start..][..4] != view[4..8] {
                    return Err(wrong("a view that has other first bytes than its string"));
                }
            }
            spans.push(Some(StringSpan { start, len }));
        }
        Ok(Chunk::new(bytes, spans))
    }

    /// Returns the sizes of the buffers that views point into.
    fn sizes(&self) -> PyResult<Vec<usize>> {
        let count = usize::try_from(self.array.n_buffers).ok().and_then(|all| all.checked_sub(3));
        let count = count.ok_or_else(|| wrong("views without the sizes of their buffers"))?;
        if count == 0 {
            return Ok(Vec::new());
        }
        let start = self.buffer(2 + count)?;
        if start.is_null() {
            return Err(wrong("views without the sizes of their buffers"));
        }
        let bytes = count.checked_mul(8).ok_or_else(|| wrong("more buffers than memory"))?;
        // SAFETY: by the interface, there is a size of eight bytes for each of these buffers.
        let sizes = unsafe { copied(self.py, start, bytes) }?;
        let size = |bytes: &[u8; 8]| {
            usize::try_from(i64::from_ne_bytes(*bytes)).map_err(|_| wrong("a buffer of a size below 0"))
        };
        sizes.as_chunks::<8>().0.iter().map(size).collect()
    }

    fn by_numbers(&self, bytes: usize, signed: bool, values: &Layout) -> PyResult<Chunk> {
        // SAFETY: by the interface, the pointer is null or an array that lives as long as this one.
        let dictionary = unsafe { self.array.dictionary.as_ref() }.ok_or_else(|| wrong("a dictionary is missing"))?;
        let values = chunk(self.py, dictionary, values)?;
        let numbers = self.items(1, bytes, self.len)?;
        let valid = self.validity()?;
        let mut spans = room(self.len)?;
        for (row, number) in numbers.chunks_exact(bytes).enumerate() {
            check_signals(self.py, row + 1)?;
            if valid.as_ref().is_some_and(|valid| !valid[row]) {
                spans.push(None);
                continue;
            }
            let span = index(number, signed).and_then(|number| values.spans.get(number));
            spans.push(*span.ok_or_else(|| wrong("the number of a string that its dictionary does not have"))?);
        }
        Ok(Chunk { spans, ..values })
    }
}

/// Appends the end of each string to `ends`, counted from `start` on. Returns the first offset.
fn ends_of<const SIZE: usize>(
    offsets: &[[u8; SIZE]],
    offset: impl Fn(&[u8; SIZE]) -> i64 + Sync,
    start: u64,
    ends: &mut Vec<u64>,
) -> PyResult<usize> {
    let first = offsets.first().map_or(0, &offset);
    let from = usize::try_from(first).map_err(|_| wrong("an offset of a string below 0"))?;
    let rise = AtomicBool::new(true);
    let end = |pair: &[[u8; SIZE]]| {
        let [before, end] = [offset(&pair[0]), offset(&pair[1])];
        if end < before {
            rise.store(false, Ordering::Relaxed);
        }
        start.wrapping_add(end.wrapping_sub(first).cast_unsigned())
    };
    let count = offsets.len().saturating_sub(1);
    ends.try_reserve_exact(count).map_err(|_| PyMemoryError::new_err(format!("no memory for {count} offsets")))?;
    threads::run(|| ends.par_extend(offsets.par_windows(2).map(end)));
    if rise.into_inner() { Ok(from) } else { Err(wrong("offsets of strings that fall")) }
}

/// Size of a view, in bytes.
const VIEW: usize = 16;

/// Returns the index of a row; `None` if it is negative.
fn index(bytes: &[u8], signed: bool) -> Option<usize> {
    let mut wide = [0; 8];
    let own = if cfg!(target_endian = "little") { 0 } else { 8 - bytes.len() };
    wide[own..own + bytes.len()].copy_from_slice(bytes);
    let number = u64::from_ne_bytes(wide);
    let is_negative = signed && number >> (8 * bytes.len() - 1) & 1 == 1;
    usize::try_from(number).ok().filter(|_| !is_negative)
}
