//! Strings of any object for jobs of the host: those in the memory of a GPU are copied.

use super::column::ResidentColumn;
use super::place::Place;
use crate::arrow::StringColumn;
use crate::engines::engine;
use crate::errors::raised;
use crate::strings::Held;
use crate::symbols::Kind;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple};

/// Returns the strings of an object.
pub fn held<'py>(object: &Bound<'py, PyAny>) -> PyResult<Held<'py>> {
    let py = object.py();
    // Most calls have lists.
    if object.is_exact_instance_of::<PyList>() || object.is_exact_instance_of::<PyTuple>() {
        return Held::from_object(object);
    }
    let place = Place::of(object)?;
    let engine = match (place.engine(), &place) {
        (Some(engine), _) => Some(engine.clone()),
        (None, Place::Foreign(_)) => engine(Some(PyString::intern(py, "gpu").as_any()))?,
        _ => None,
    };
    match engine.map(|engine| place.column(&engine, py)).transpose()?.flatten() {
        Some(column) => Ok(Held::Column(column.get().on_host(py)?)),
        None => Held::from_object(object),
    }
}

impl ResidentColumn {
    /// Copies the strings.
    pub(super) fn on_host(&self, py: Python<'_>) -> PyResult<StringColumn> {
        let is_text = self.kind.map(|kind| kind == Kind::Text);
        let (symbols, offsets) = py.detach(|| self.column.download()).map_err(raised)?;
        Ok(StringColumn::of_offsets(symbols, &offsets, self.column.missing(), is_text))
    }
}
