//! Strings of any object for jobs of the host: those in the memory of a GPU are copied.

use super::column::ResidentColumn;
use super::place::Place;
use crate::arrow::StringColumn;
use crate::errors::raised;
use crate::strings::Held;
use crate::symbols::Kind;
use pyo3::prelude::*;

/// Returns the strings of an object.
pub fn held<'py>(object: &Bound<'py, PyAny>) -> PyResult<Held<'py>> {
    let place = Place::of(object)?;
    if matches!(place, Place::Host) {
        return Held::from_object(object);
    }
    let py = object.py();
    let engine = Place::engine(std::slice::from_ref(&place), None, py)?;
    match place.column(&engine, py)? {
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
