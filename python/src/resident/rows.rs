//! Arrays of bytes with a row for each string.

use carrywave::pairs::{ColumnAt, OffsetsAt};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// Strings of one length, one after another, in the memory of a GPU.
pub struct Rows {
    address: u64,
    rows: usize,
    len: usize,
}

impl Rows {
    /// Returns the rows of an array of bytes. Strides are in bytes.
    pub fn new(address: u64, shape: &[usize], strides: Option<&[i64]>) -> PyResult<Self> {
        let &[rows, len] = shape else {
            return Err(PyTypeError::new_err(format!(
                "strings on a GPU are an array of two dimensions, with a row for each string, not of the shape {shape:?}"
            )));
        };
        let is_dense = |strides: &[i64]| {
            strides.len() == 2 && (len < 2 || strides[1] == 1) && (rows < 2 || strides[0] == len as i64)
        };
        if strides.is_some_and(|strides| !is_dense(strides)) && rows * len > 0 {
            return Err(PyValueError::new_err(
                "an array on a GPU has its rows one after another: copy it to such an array first",
            ));
        }
        Ok(Self { address, rows, len })
    }

    /// Returns the strings for the library.
    pub fn at(&self) -> ColumnAt {
        ColumnAt { rows: self.rows, symbols: self.address, offsets: OffsetsAt::Fixed(self.len), validity: None }
    }
}
