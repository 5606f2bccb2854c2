//! Columns of strings through Arrow's C data interface, from pyarrow, polars, pandas and DuckDB.
//! They are checked in full and copied, because the interface does not say whether another thread
//! may write the memory.
//!
//! An object has `__arrow_c_stream__`, which returns a column in chunks, or `__arrow_c_array__`,
//! which returns one chunk. Both return capsules with the interface's structures.

mod abi;
mod device;
mod raw;
mod read;

pub use device::on_device;
pub use raw::RawColumn;
pub use read::{Chunk, StringSpan};

use abi::{Array, Schema, Stream, Structure};
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use rayon::prelude::*;
use read::{Content, Layout, Type};
use std::ops::Range;

/// The chunks of a column of strings.
pub struct StringColumn {
    chunks: Vec<Chunk>,
    content: Content,
}

/// Returns true if an object has a column.
pub fn is_column(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    let py = object.py();
    Ok(object.hasattr(intern!(py, "__arrow_c_stream__"))? || object.hasattr(intern!(py, "__arrow_c_array__"))?)
}

/// The arrays of an object, one after another.
pub struct Arrays {
    of: Type,
    from: Producer,
}

enum Producer {
    Stream(Stream),
    /// A single array, until it is taken.
    Array(Option<Array>),
}

impl Arrays {
    /// Returns the arrays of an object; `None` if it has no column.
    pub fn from_object(object: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        let py = object.py();
        if let Some(stream) = object.getattr_opt(intern!(py, "__arrow_c_stream__"))? {
            let mut stream = Stream::taken(&stream.call0()?)?;
            let of = Type::from_schema(&stream.schema()?)?;
            return Ok(Some(Self { of, from: Producer::Stream(stream) }));
        }
        let Some(array) = object.getattr_opt(intern!(py, "__arrow_c_array__"))? else { return Ok(None) };
        let capsules = array.call0()?;
        let capsules = capsules.cast::<PyTuple>()?;
        if capsules.len() != 2 {
            return Err(PyTypeError::new_err("__arrow_c_array__ returns two capsules: of a schema and of an array"));
        }
        let (schema, array) = (Schema::taken(&capsules.get_item(0)?)?, Array::taken(&capsules.get_item(1)?)?);
        Ok(Some(Self { of: Type::from_schema(&schema)?, from: Producer::Array(Some(array)) }))
    }

    /// Returns true if the strings of each array are one after another, with offsets.
    pub fn has_offsets(&self) -> bool {
        matches!(self.of.layout, Layout::Offsets(_))
    }

    fn next(&mut self) -> PyResult<Option<Array>> {
        match &mut self.from {
            Producer::Stream(stream) => stream.next(),
            Producer::Array(array) => Ok(array.take()),
        }
    }
}

impl StringColumn {
    /// Returns the column of an object; `None` if it has no column.
    pub fn from_object(object: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        Arrays::from_object(object)?.map(|arrays| Self::new(object.py(), arrays)).transpose()
    }

    /// Copies the strings of arrays.
    pub fn new(py: Python<'_>, mut arrays: Arrays) -> PyResult<Self> {
        let mut chunks = Vec::new();
        while let Some(array) = arrays.next()? {
            chunks.push(read::chunk(py, &array, &arrays.of.layout)?);
            py.check_signals()?;
        }
        Ok(Self { chunks, content: arrays.of.content })
    }

    /// Returns the column of strings one after another, with the place of each and the end of the
    /// last one. `missing` is true for rows without a string, or empty. `is_text` is false for
    /// bytes, and `None` if all items are null.
    pub fn of_offsets(bytes: Vec<u8>, offsets: &[u64], missing: &[bool], is_text: Option<bool>) -> Self {
        let span = |(row, ends): (usize, &[u64])| {
            let [start, end] = [ends[0], ends[1]].map(|end| end as usize);
            (missing.get(row) != Some(&true)).then_some(StringSpan { start, len: end - start })
        };
        let spans = offsets.windows(2).enumerate().map(span).collect();
        let content = match is_text {
            Some(true) => Content::Text,
            Some(false) => Content::Bytes,
            None => Content::Nothing,
        };
        Self { chunks: vec![Chunk::new(bytes, spans)], content }
    }

    /// Returns true for text in UTF-8, false for bytes, and `None` if all items are null.
    pub fn is_text(&self) -> Option<bool> {
        self.content.is_text()
    }

    /// Returns the number of strings.
    pub fn len(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.spans.len()).sum()
    }

    /// Returns all strings, in order, if there are no nulls and all strings are bytes or ASCII: the
    /// fast path.
    pub fn plain(&self) -> Option<Vec<&[u8]>> {
        if self.content == Content::Text && !self.chunks.iter().all(|chunk| chunk.is_ascii) {
            return None;
        }
        let mut all = Vec::with_capacity(self.len());
        for chunk in &self.chunks {
            let spans = &chunk.spans;
            if spans.par_iter().any(Option::is_none) {
                return None;
            }
            all.par_extend(spans.par_iter().map(|span| span.map_or(&[][..], |span| chunk.string(span))));
        }
        Some(all)
    }

    /// Returns true if each string is UTF-8.
    pub fn is_utf8(&self) -> bool {
        let is_utf8 = |chunk: &Chunk, span| std::str::from_utf8(chunk.string(span)).is_ok();
        self.chunks.iter().all(|chunk| {
            chunk.is_ascii || chunk.spans.par_iter().all(|span| span.is_none_or(|span| is_utf8(chunk, span)))
        })
    }

    /// Returns the places of some strings, in order, with `None` for each null.
    pub fn part(&self, rows: Range<usize>) -> impl Iterator<Item = (&Chunk, Option<StringSpan>)> {
        let mut end = 0;
        self.chunks.iter().flat_map(move |chunk| {
            let start = end;
            end += chunk.spans.len();
            let own = |row: usize| row.saturating_sub(start).min(chunk.spans.len());
            chunk.spans[own(rows.start)..own(rows.end)].iter().map(move |&span| (chunk, span))
        })
    }

    /// Returns all strings, in order, with `None` for each null.
    pub fn strings(&self) -> impl Iterator<Item = Option<&[u8]>> {
        self.chunks.iter().flat_map(Chunk::strings)
    }
}
