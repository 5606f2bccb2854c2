//! Columns of strings by Arrow's C data interface, as pyarrow, polars, pandas and DuckDB hand them over: nothing is copied.
//!
//! An object has `__arrow_c_stream__`, which gives a column in chunks, or `__arrow_c_array__`, which gives one chunk; both give capsules with
//! the interface's structures.

use arrow_array::cast::AsArray;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi};
use arrow_array::ffi_stream::{ArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::types::{ByteArrayType, ByteViewType};
use arrow_array::{Array, ArrayRef, GenericByteArray, GenericByteViewArray, make_array};
use arrow_buffer::ArrowNativeType;
use arrow_schema::{ArrowError, DataType};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use rayon::prelude::*;
use std::ffi::CStr;
use std::ptr::NonNull;

/// The chunks of a column of strings.
pub struct Column {
    chunks: Vec<ArrayRef>,
    /// Whether its items are text, in UTF-8, and not bytes.
    pub is_text: bool,
}

/// Whether an object has a column.
pub fn is_column(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    let py = object.py();
    Ok(object.hasattr(intern!(py, "__arrow_c_stream__"))? || object.hasattr(intern!(py, "__arrow_c_array__"))?)
}

impl Column {
    /// The column of an object that has one.
    pub fn of(object: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        let py = object.py();
        let chunks = if let Some(stream) = object.getattr_opt(intern!(py, "__arrow_c_stream__"))? {
            of_stream(&stream.call0()?)?
        } else if let Some(array) = object.getattr_opt(intern!(py, "__arrow_c_array__"))? {
            vec![of_array(array.call0()?.cast::<PyTuple>()?)?]
        } else {
            return Ok(None);
        };
        let mut is_text = true;
        for chunk in &chunks {
            match chunk.data_type() {
                DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => {}
                DataType::Binary | DataType::LargeBinary | DataType::BinaryView => is_text = false,
                other => {
                    return Err(PyTypeError::new_err(format!(
                        "a column of strings has the type string or binary of Arrow, not {other}: cast it first"
                    )));
                }
            }
        }
        Ok(Some(Self { chunks, is_text }))
    }

    /// How many strings.
    pub fn len(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.len()).sum()
    }

    /// All strings, in order, if there is no null and all are in ASCII or bytes: the fast way.
    pub fn plain(&self) -> Option<Vec<&[u8]>> {
        let mut all = Vec::with_capacity(self.len());
        for chunk in &self.chunks {
            if chunk.null_count() > 0 {
                return None;
            }
            match chunk.data_type() {
                DataType::Utf8 => plain(chunk.as_string::<i32>(), self.is_text, &mut all)?,
                DataType::LargeUtf8 => plain(chunk.as_string::<i64>(), self.is_text, &mut all)?,
                DataType::Binary => plain(chunk.as_binary::<i32>(), self.is_text, &mut all)?,
                DataType::LargeBinary => plain(chunk.as_binary::<i64>(), self.is_text, &mut all)?,
                DataType::Utf8View => plain_views(chunk.as_string_view(), self.is_text, &mut all)?,
                _ => plain_views(chunk.as_binary_view(), self.is_text, &mut all)?,
            }
        }
        Some(all)
    }

    /// All strings, in order; none where there is a null.
    pub fn strings(&self) -> Vec<Option<&[u8]>> {
        let mut all = Vec::with_capacity(self.len());
        for chunk in &self.chunks {
            match chunk.data_type() {
                DataType::Utf8 => all.extend(chunk.as_string::<i32>().iter().map(|text| text.map(str::as_bytes))),
                DataType::LargeUtf8 => all.extend(chunk.as_string::<i64>().iter().map(|text| text.map(str::as_bytes))),
                DataType::Utf8View => all.extend(chunk.as_string_view().iter().map(|text| text.map(str::as_bytes))),
                DataType::Binary => all.extend(chunk.as_binary::<i32>().iter()),
                DataType::LargeBinary => all.extend(chunk.as_binary::<i64>().iter()),
                _ => all.extend(chunk.as_binary_view().iter()),
            }
        }
        all
    }
}

/// Bytes that a thread looks at for a character beyond ASCII at a time.
const PART: usize = 1 << 18;

/// Adds the strings of a chunk without nulls, if they are in ASCII or need not be.
fn plain<'c, T: ByteArrayType>(chunk: &'c GenericByteArray<T>, is_text: bool, all: &mut Vec<&'c [u8]>) -> Option<()> {
    let offsets = chunk.value_offsets();
    let place = |at: usize| offsets[at].as_usize();
    let symbols = chunk.value_data().get(place(0)..place(chunk.len()))?;
    if is_text && !symbols.par_chunks(PART).all(<[u8]>::is_ascii) {
        return None;
    }
    let string = |at: usize| &symbols[place(at) - place(0)..place(at + 1) - place(0)];
    all.par_extend((0..chunk.len()).into_par_iter().map(string));
    Some(())
}

/// The same of a chunk whose strings are views.
fn plain_views<'c, T: ByteViewType>(
    chunk: &'c GenericByteViewArray<T>,
    is_text: bool,
    all: &mut Vec<&'c [u8]>,
) -> Option<()> {
    let from = all.len();
    let strings: Vec<&'c [u8]> = (0..chunk.len()).into_par_iter().map(|at| chunk.value(at).as_ref()).collect();
    all.extend(strings);
    (!is_text || all[from..].par_iter().all(|string| string.is_ascii())).then_some(())
}

/// The structure that a capsule of this name has.
fn structure<T>(capsule: &Bound<'_, PyAny>, name: &CStr) -> PyResult<NonNull<T>> {
    let capsule = capsule.cast::<PyCapsule>()?;
    Ok(capsule.pointer_checked(Some(name))?.cast())
}

fn of_array(capsules: &Bound<'_, PyTuple>) -> PyResult<ArrayRef> {
    let schema = structure::<FFI_ArrowSchema>(&capsules.get_item(0)?, c"arrow_schema")?;
    let array = structure::<FFI_ArrowArray>(&capsules.get_item(1)?, c"arrow_array")?;
    // SAFETY: by the interface a capsule of this name has such a structure; what is taken out of it is marked as released there, so that
    // only one of both releases it.
    let array = unsafe { FFI_ArrowArray::from_raw(array.as_ptr()) };
    // SAFETY: as above; the schema is only read, and stays the capsule's.
    made(array, unsafe { schema.as_ref() })
}

fn made(array: FFI_ArrowArray, schema: &FFI_ArrowSchema) -> PyResult<ArrayRef> {
    // SAFETY: array and schema belong together, as the producer of both says.
    let data = unsafe { from_ffi(array, schema) };
    Ok(make_array(data.map_err(|error| PyValueError::new_err(error.to_string()))?))
}

fn of_stream(capsule: &Bound<'_, PyAny>) -> PyResult<Vec<ArrayRef>> {
    let stream = structure::<FFI_ArrowArrayStream>(capsule, c"arrow_array_stream")?;
    // SAFETY: as for arrays: the stream is taken out of the capsule.
    let reader = unsafe { ArrayStreamReader::from_raw(stream.as_ptr()) };
    let failed = |error: ArrowError| PyValueError::new_err(error.to_string());
    reader.map_err(failed)?.collect::<Result<_, _>>().map_err(failed)
}
