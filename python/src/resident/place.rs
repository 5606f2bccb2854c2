//! The place of strings: the host's memory, or a GPU's.

use super::column::{Foreign, ResidentColumn};
use crate::engines::engine;
use carrywave::device::Engine;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple};
use std::sync::Arc;

/// The place of the strings of an object.
pub enum Place<'py> {
    Host,
    Own(Bound<'py, ResidentColumn>),
    /// The memory of a GPU, which another library keeps.
    Foreign(Foreign),
}

impl<'py> Place<'py> {
    pub fn of(object: &Bound<'py, PyAny>) -> PyResult<Self> {
        // Most calls have lists.
        if object.is_exact_instance_of::<PyList>() || object.is_exact_instance_of::<PyTuple>() {
            return Ok(Self::Host);
        }
        if let Ok(column) = object.cast::<ResidentColumn>() {
            return Ok(Self::Own(column.clone()));
        }
        Ok(Foreign::from_object(object)?.map_or(Self::Host, Self::Foreign))
    }

    /// Returns the engine of the first column of these that has one, else the given engine, else
    /// that of GPU 0.
    pub fn engine(places: &[Self], given: Option<&Arc<dyn Engine>>, py: Python<'py>) -> PyResult<Arc<dyn Engine>> {
        let own = places.iter().find_map(|place| if let Self::Own(column) = place { Some(column) } else { None });
        match own.map(|column| &column.get().engine).or(given) {
            Some(engine) => Ok(engine.clone()),
            None => engine(Some(PyString::intern(py, "gpu").as_any()))?
                .ok_or_else(|| PyValueError::new_err("columns on a GPU need a Gpu as engine")),
        }
    }

    /// Returns the strings as a column of this engine's GPU; `None` if they are on the host.
    pub fn column(self, engine: &Arc<dyn Engine>, py: Python<'py>) -> PyResult<Option<Bound<'py, ResidentColumn>>> {
        match self {
            Self::Own(column) => Ok(Some(column)),
            Self::Foreign(foreign) => Bound::new(py, ResidentColumn::of_foreign(engine, foreign, py)?).map(Some),
            Self::Host => Ok(None),
        }
    }
}

/// Returns two columns in the memory of a GPU; `None` unless both are there.
pub fn both_on_gpu<'py>(
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
) -> PyResult<Option<[Bound<'py, ResidentColumn>; 2]>> {
    let py = a.py();
    let places = [Place::of(a)?, Place::of(b)?];
    if places.iter().any(|place| matches!(place, Place::Host)) {
        return Ok(None);
    }
    let engine = Place::engine(&places, None, py)?;
    let [a, b] = places.map(|place| place.column(&engine, py));
    Ok(a?.zip(b?).map(|(a, b)| [a, b]))
}

/// Returns true for strings in the memory of a GPU.
#[pyfunction]
pub fn is_on_gpu(strings: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(!matches!(Place::of(strings)?, Place::Host))
}
