//! The interface `__cuda_array_interface__`: arrays of CuPy, PyTorch, Numba and JAX.

use super::rows::Rows;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Returns the strings of an array of bytes in the memory of a GPU, one per row; `None` if the
/// object is no such array.
pub fn rows(object: &Bound<'_, PyAny>) -> PyResult<Option<Rows>> {
    // A column of strings of cuDF raises an exception here.
    let Ok(Some(interface)) = object.getattr_opt(intern!(object.py(), "__cuda_array_interface__")) else {
        return Ok(None);
    };
    let interface = interface.cast_into::<PyDict>()?;
    let field = |name: &str| {
        let value = interface.get_item(name)?.filter(|value| !value.is_none());
        value.ok_or_else(|| PyValueError::new_err(format!("an array's __cuda_array_interface__ lacks its {name}")))
    };
    let kind: String = field("typestr")?.extract()?;
    if kind != "|u1" {
        return Err(PyTypeError::new_err(format!(
            "strings on a GPU are an array of uint8 with a row for each string, not of the type {kind}"
        )));
    }
    let shape: Vec<usize> = field("shape")?.extract()?;
    let (address, _): (u64, bool) = field("data")?.extract()?;
    let strides = interface.get_item("strides")?.filter(|strides| !strides.is_none());
    let strides: Option<Vec<i64>> = strides.map(|strides| strides.extract()).transpose()?;
    Rows::new(address, &shape, strides.as_deref()).map(Some)
}
