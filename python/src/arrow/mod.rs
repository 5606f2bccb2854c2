//! Columns of strings through Arrow's C data interface, from pyarrow, polars, pandas and DuckDB.
//! They are checked in full and copied, because the interface does not say whether another thread
//! may write the memory.
//!
//! An object has `__arrow_c_stream__`, which returns a column in chunks, or `__arrow_c_array__`,
//! which returns one chunk. Both return capsules with the interface's structures.

mod abi;
mod read;

use abi::{Array, Schema, Stream, Structure};
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use rayon::prelude::*;
use read::{Chunk, Content, Type};

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

impl StringColumn {
    /// Returns the column of an object; `None` if it has no column.
    pub fn from_object(object: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        let py = object.py();
        if let Some(stream) = object.getattr_opt(intern!(py, "__arrow_c_stream__"))? {
            let mut stream = Stream::taken(&stream.call0()?)?;
            let Type { layout, content } = Type::from_schema(&stream.schema()?)?;
            let mut chunks = Vec::new();
            while let Some(array) = stream.next()? {
                chunks.push(read::chunk(py, &array, &layout)?);
                py.check_signals()?;
            }
            return Ok(Some(Self { chunks, content }));
        }
        let Some(array) = object.getattr_opt(intern!(py, "__arrow_c_array__"))? else { return Ok(None) };
        let capsules = array.call0()?;
        let capsules = capsules.cast::<PyTuple>()?;
        if capsules.len() != 2 {
            return Err(PyTypeError::new_err("__arrow_c_array__ returns two capsules: of a schema and of an array"));
        }
        let (schema, array) = (Schema::taken(&capsules.get_item(0)?)?, Array::taken(&capsules.get_item(1)?)?);
        let Type { layout, content } = Type::from_schema(&schema)?;
        Ok(Some(Self { chunks: vec![read::chunk(py, &array, &layout)?], content }))
    }

    /// Returns true for text in UTF-8, false for bytes, and `None` if all items are null.
    pub fn is_text(&self) -> Option<bool> {
        match self.content {
            Content::Text => Some(true),
            Content::Bytes => Some(false),
            Content::Nothing => None,
        }
    }

    /// Returns the number of strings.
    pub fn len(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.spans.len()).sum()
    }

    /// Returns all strings, in order, if there are no nulls and all strings are bytes or ASCII: the
    /// fast path.
    pub fn plain(&self) -> Option<Vec<&[u8]>> {
        let is_ascii = |chunk: &Chunk| chunk.bytes.par_chunks(PART).all(<[u8]>::is_ascii);
        if self.content == Content::Text && !self.chunks.iter().all(is_ascii) {
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

    /// Converts all strings on the threads of the current rayon pool, in order; a null is `None`.
    pub fn converted<'a, T: Send>(&'a self, convert: impl Fn(Option<&'a [u8]>) -> T + Sync) -> Vec<T> {
        let mut all = Vec::with_capacity(self.len());
        for chunk in &self.chunks {
            all.par_extend(chunk.spans.par_iter().map(|&span| convert(span.map(|span| chunk.string(span)))));
        }
        all
    }

    /// Returns all strings, in order, with `None` for each null.
    pub fn strings(&self) -> impl Iterator<Item = Option<&[u8]>> {
        self.chunks.iter().flat_map(Chunk::strings)
    }
}

/// Bytes that a thread checks at a time for characters beyond ASCII.
const PART: usize = 1 << 18;
