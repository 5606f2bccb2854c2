//! `ResidentColumn`: strings in the memory of a GPU.

use super::rows::Rows;
use super::{cuda_array, dlpack};
use crate::arrow::{self, Arrays, RawColumn};
use crate::compared::Text;
use crate::engines::engine;
use crate::errors::raised;
use crate::strings::Held;
use crate::symbols::Kind;
use carrywave::device::Engine;
use carrywave::internal::ColumnBytes;
use carrywave::pairs::{self, ColumnAt};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use std::any::Any;
use std::sync::Arc;

/// Strings in the memory of a GPU: `cpdist` compares them there, as often as needed, without
/// copying them again. Other functions copy them to the host.
///
/// `strings` is a list, a column of Arrow, or an array of `uint8` on this GPU with a row for each
/// string (CuPy, PyTorch, Numba, JAX). A column or an array on the GPU is not copied: do not change
/// it meanwhile. `engine` is a `Gpu`, a `Simt` or the name of one.
///
/// >>> import carrywave
/// >>> gpu = carrywave.Simt()
/// >>> typed = carrywave.ResidentColumn(gpu, ["recieve", "adress"])
/// >>> carrywave.cpdist(typed, carrywave.ResidentColumn(gpu, ["receive", "address"])).tolist()
/// [2, 1]
#[pyclass(frozen, module = "carrywave")]
pub struct ResidentColumn {
    // Dropped before the memory that it uses.
    pub column: pairs::ResidentColumn,
    pub kind: Option<Kind>,
    pub engine: Arc<dyn Engine>,
    /// The memory of another library.
    _memory: Option<Box<dyn Any + Send + Sync>>,
}

#[pymethods]
impl ResidentColumn {
    #[new]
    #[pyo3(signature = (engine, strings))]
    fn of_strings(engine: &Bound<'_, PyAny>, strings: &Bound<'_, PyAny>) -> PyResult<Self> {
        let engine = self::engine(Some(engine))?
            .ok_or_else(|| PyValueError::new_err("strings stay on a Gpu, or a Simt: give one of them"))?;
        Self::of_any(&engine, strings)
    }

    fn __len__(&self) -> usize {
        self.column.len()
    }

    /// Address of the first string's symbols, for other code that uses the GPU.
    #[getter]
    fn address(&self) -> u64 {
        self.column.address()
    }

    /// Returns the strings as a list: `None` for each missing one.
    fn tolist<'py>(&self, py: Python<'py>) -> PyResult<Vec<Option<Bound<'py, PyAny>>>> {
        let column = self.on_host(py)?;
        let object = |bytes: &[u8]| match self.kind {
            Some(Kind::Text) => Ok(PyString::from_bytes(py, bytes)?.into_any()),
            _ => Ok(PyBytes::new(py, bytes).into_any()),
        };
        column.strings().map(|string| string.map(object).transpose()).collect()
    }

    fn __repr__(&self) -> String {
        format!("<ResidentColumn of {} strings>", self.column.len())
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err(
            "a ResidentColumn lies on a GPU of this process: send the strings, and make one where they are compared",
        ))
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }
}

impl ResidentColumn {
    /// Returns the column of strings that are in the memory of an engine's GPU, or copies strings
    /// there.
    fn of_any(engine: &Arc<dyn Engine>, strings: &Bound<'_, PyAny>) -> PyResult<Self> {
        match Foreign::from_object(strings)? {
            Some(foreign) => Self::of_foreign(engine, foreign, strings.py()),
            None => Self::uploaded(engine, strings),
        }
    }

    /// Returns the column of strings that another library keeps in the memory of an engine's GPU.
    pub fn of_foreign(
        engine: &Arc<dyn Engine>,
        Foreign { at, kind, memory }: Foreign,
        py: Python<'_>,
    ) -> PyResult<Self> {
        // SAFETY: the interfaces promise initialised memory, which the column keeps; the class's
        // documentation asks not to change it. The library checks that it is memory of this GPU.
        let column = py.detach(|| unsafe { pairs::ResidentColumn::at(&**engine, at) });
        Ok(Self { column: column.map_err(raised)?, kind, engine: engine.clone(), _memory: Some(memory) })
    }

    /// Copies strings of the host to an engine's GPU: bytes, or text in UTF-8.
    pub fn uploaded(engine: &Arc<dyn Engine>, strings: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = strings.py();
        let (kind, column) = match Arrays::from_object(strings)?.filter(Arrays::has_offsets) {
            Some(arrays) => {
                let column = RawColumn::new(py, arrays)?;
                let upload = || {
                    let symbols = column.copied(0..column.offsets[column.len()] as usize)?;
                    pairs::ResidentColumn::of_offsets(
                        &**engine,
                        &symbols,
                        column.offsets.clone(),
                        column.missing.clone(),
                    )
                };
                (column.is_text.map(Kind::of_column), py.detach(upload))
            }
            None => {
                let held = Held::from_object(strings)?;
                let Some((texts, kind)) = held.texts(py)? else {
                    return Err(PyTypeError::new_err("strings on a GPU are all str, or all bytes"));
                };
                let texts = texts.part(0..texts.len()).into_iter();
                let bytes = texts.map(|text| text.map(|text| encoded(text, kind)).transpose());
                let bytes: Vec<Option<Vec<u8>>> = bytes.collect::<PyResult<_>>()?;
                let upload = || {
                    let strings: Vec<Option<&[u8]>> = bytes.iter().map(Option::as_deref).collect();
                    pairs::ResidentColumn::new_with_missing(&**engine, &strings)
                };
                (kind, py.detach(upload))
            }
        };
        Ok(Self { column: column.map_err(raised)?, kind, engine: engine.clone(), _memory: None })
    }
}

/// Strings that another library keeps in the memory of a GPU.
pub struct Foreign {
    at: ColumnAt,
    kind: Option<Kind>,
    memory: Box<dyn Any + Send + Sync>,
}

impl Foreign {
    /// Returns the strings of an object; `None` if it has none in the memory of a GPU.
    pub fn from_object(object: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        let bytes = |rows: Rows, memory| Ok(Some(Self { at: rows.at(), kind: Some(Kind::Bytes), memory }));
        if let Some(rows) = cuda_array::rows(object)? {
            return bytes(rows, Box::new(object.clone().unbind()));
        }
        if let Some(column) = arrow::on_device(object)? {
            let kind = column.is_text.map(Kind::of_column);
            return Ok(Some(Self { at: column.at, kind, memory: Box::new(column.memory) }));
        }
        match dlpack::rows(object)? {
            Some((rows, taken)) => bytes(rows, Box::new(taken)),
            None => Ok(None),
        }
    }
}

/// Returns bytes, or text in UTF-8.
fn encoded(text: Text<'_>, kind: Option<Kind>) -> PyResult<Vec<u8>> {
    match text {
        Text::Bytes(bytes) if kind != Some(Kind::Text) || bytes.is_ascii() => Ok(bytes.into_owned()),
        Text::Bytes(latin) => Ok(latin.iter().map(|&byte| char::from(byte)).collect::<String>().into_bytes()),
        Text::Numbers(numbers) => {
            let text: Option<String> = numbers.iter().map(|&number| char::from_u32(number)).collect();
            let text = text.ok_or_else(|| PyValueError::new_err("strings on a GPU are text that UTF-8 can encode"))?;
            Ok(text.into_bytes())
        }
    }
}
