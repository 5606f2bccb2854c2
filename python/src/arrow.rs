//! Columns of strings by Arrow's C data interface, as pyarrow, polars, pandas and DuckDB hand them over: nothing is copied.
//!
//! An object has `__arrow_c_stream__`, which gives a column in chunks, or `__arrow_c_array__`, which gives one chunk; both give capsules with
//! the interface's structures.

use arrow_array::cast::AsArray;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi};
use arrow_array::ffi_stream::{ArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::{Array, ArrayRef, make_array};
use arrow_schema::{ArrowError, DataType};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use std::ffi::CStr;
use std::ptr::NonNull;

/// The chunks of a column of strings.
pub struct Column {
    chunks: Vec<ArrayRef>,
    /// Whether its items are text, in UTF-8, and not bytes.
    pub is_text: bool,
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
