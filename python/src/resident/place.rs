//! The place of strings: the host's memory, or a GPU's.

use super::column::{Foreign, ResidentColumn};
use carrywave::device::Engine;
use pyo3::prelude::*;
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
        if let Ok(column) = object.cast::<ResidentColumn>() {
            return Ok(Self::Own(column.clone()));
        }
        Ok(Foreign::from_object(object)?.map_or(Self::Host, Self::Foreign))
    }

    /// Returns the engine of a column.
    pub fn engine(&self) -> Option<&Arc<dyn Engine>> {
        if let Self::Own(column) = self { Some(&column.get().engine) } else { None }
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
