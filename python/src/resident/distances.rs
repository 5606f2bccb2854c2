//! `ResidentDistances`: distances in the memory of a GPU.

use super::dlpack;
use crate::arrays::array;
use crate::errors::raised;
use carrywave::device::{Engine, EngineKind};
use carrywave::pairs;
use pyo3::exceptions::PyBufferError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;

/// Distances in the memory of a GPU, of `int32`: one per pair. `torch.from_dlpack`, `cupy.asarray`
/// and the like use them there. `numpy()` copies them to the host.
#[pyclass(frozen, module = "carrywave")]
pub struct ResidentDistances {
    distances: pairs::ResidentDistances,
    /// True for the memory of a simulated GPU, which no other library can use.
    is_simulated: bool,
}

impl ResidentDistances {
    pub fn new(distances: pairs::ResidentDistances, engine: &Arc<dyn Engine>) -> Self {
        Self { distances, is_simulated: engine.kind() == EngineKind::Simt }
    }

    fn check(&self) -> PyResult<()> {
        match self.is_simulated {
            true => Err(PyBufferError::new_err("these distances are in the memory of a simulated GPU: call numpy()")),
            false => Ok(()),
        }
    }

    fn downloaded(&self, py: Python<'_>) -> PyResult<Vec<u32>> {
        py.detach(|| self.distances.download()).map_err(raised)
    }
}

#[pymethods]
impl ResidentDistances {
    fn __len__(&self) -> usize {
        self.distances.len()
    }

    fn __repr__(&self) -> String {
        format!("<ResidentDistances of {} pairs>", self.distances.len())
    }

    /// Returns the distances as an array of NumPy.
    fn numpy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, self.downloaded(py)?.into_iter().map(u32::cast_signed))
    }

    /// Returns the distances as a list.
    fn tolist(&self, py: Python<'_>) -> PyResult<Vec<u32>> {
        self.downloaded(py)
    }

    #[getter]
    fn __cuda_array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.check()?;
        let interface = PyDict::new(py);
        interface.set_item("shape", (self.distances.len(),))?;
        interface.set_item("typestr", if cfg!(target_endian = "little") { "<i4" } else { ">i4" })?;
        interface.set_item("data", (self.distances.address(), false))?;
        interface.set_item("version", 3)?;
        Ok(interface)
    }

    fn __dlpack_device__(&self) -> PyResult<(i32, i32)> {
        self.check()?;
        Ok((dlpack::CUDA, self.distances.ordinal() as i32))
    }

    #[pyo3(signature = (*, stream=None, max_version=None, dl_device=None, copy=None))]
    fn __dlpack__(
        slf: &Bound<'_, Self>,
        stream: Option<&Bound<'_, PyAny>>,
        max_version: Option<&Bound<'_, PyAny>>,
        dl_device: Option<(i32, i32)>,
        copy: Option<bool>,
    ) -> PyResult<Py<PyAny>> {
        // The distances are there already, and a consumer of any version takes the old structure.
        let _ = (stream, max_version);
        let own = Self::__dlpack_device__(slf.get())?;
        if copy == Some(true) || dl_device.is_some_and(|device| device != own) {
            return Err(PyBufferError::new_err(
                "these distances are not copied: use them on their GPU, or call numpy()",
            ));
        }
        let distances = &slf.get().distances;
        dlpack::capsule(slf.py(), distances.address(), distances.len(), own.1, slf.clone().into_any().unbind())
    }
}
