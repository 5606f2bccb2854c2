//! Engines: the hardware that jobs run on. They stay open as long as Python keeps them, or until
//! they are closed.

use crate::errors::raised;
use carrywave::device::{self, Engine};
use carrywave::internal::threads::generation;
use carrywave::io::output::Shortened;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// An engine; `None` after it was closed.
struct Slot(Mutex<Option<Arc<dyn Engine>>>);

impl Slot {
    fn new(engine: impl Engine + 'static) -> Self {
        Self(Mutex::new(Some(Arc::new(engine))))
    }

    fn get(&self) -> PyResult<Arc<dyn Engine>> {
        let slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        slot.clone().ok_or_else(|| PyValueError::new_err("this engine was closed"))
    }

    fn close(&self, py: Python<'_>) {
        // The lock is held only together with the interpreter's lock, which a forking thread holds.
        // Closing takes time, so it comes after the lock is released.
        let engine = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        py.detach(|| drop(engine));
    }
}

/// The processor, with one thread per core, or with `threads` threads of its own.
///
/// >>> import carrywave
/// >>> carrywave.distance("kitten", "sitting", engine=carrywave.Cpu(threads=2))
/// 3
#[pyclass(frozen, module = "carrywave")]
pub struct Cpu(Slot, Option<usize>);

/// An NVIDIA GPU, or `count` GPUs from that number on, which can access one another's memory. It
/// stays open until it is closed or no longer used. Opening takes a few tenths of a second, and
/// each kernel is compiled at its first use. Raises NoGpu if there is none.
#[pyclass(frozen, module = "carrywave")]
pub struct Gpu(Slot, usize, usize);

/// Simulated GPUs: the processor runs the kernels of a GPU. Every memory access is checked, which
/// takes about ten thousand times as long. A `seed` makes blocks and warps take turns in a random
/// order.
///
/// >>> import carrywave
/// >>> carrywave.lcs_length("ABCBDAB", "BDCABA", engine=carrywave.Simt())
/// 4
#[pyclass(frozen, module = "carrywave")]
pub struct Simt(Mutex<OfProcess>, usize, Option<u64>);

/// The generation ([`carrywave::internal::threads::generation`]) of the process that a simulator
/// belongs to, and the simulator.
type OfProcess = (u64, Arc<dyn Engine>);

/// Returns the number of NVIDIA GPUs; 0 if there is no driver.
#[pyfunction]
pub fn gpu_count() -> usize {
    device::Gpu::count().unwrap_or(0)
}

#[pymethods]
impl Cpu {
    #[new]
    #[pyo3(signature = (threads=None))]
    fn new(threads: Option<usize>) -> PyResult<Self> {
        let cpu = threads.map_or_else(|| Ok(device::Cpu::new()), device::Cpu::with_threads).map_err(raised)?;
        Ok(Self(Slot::new(cpu), threads))
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> (Py<PyAny>, (Option<usize>,)) {
        (slf.get_type().into_any().unbind(), (slf.get().1,))
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __repr__(&self) -> String {
        self.1.map_or_else(|| "Cpu()".into(), |threads| format!("Cpu(threads={threads})"))
    }
}

#[pymethods]
impl Gpu {
    #[new]
    #[pyo3(signature = (number=0, *, count=1))]
    fn new(py: Python<'_>, number: usize, count: usize) -> PyResult<Self> {
        let slot = py.detach(|| match count {
            1 => device::Gpu::open(number).map(Slot::new),
            _ => device::Gpus::open(number, count).map(Slot::new),
        });
        Ok(Self(slot.map_err(raised)?, number, count))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, ())> {
        let options = PyDict::new(slf.py());
        options.set_item("count", slf.get().2)?;
        again(slf.get_type().as_any(), slf.get().1, &options)
    }

    /// Returns a dictionary with the GPU's name, multiprocessors, memory in bytes and the like.
    fn describe<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let gpu = py.detach(|| device::Gpu::open(self.1)).map_err(raised)?;
        let about = gpu.describe().map_err(raised)?;
        let dict = PyDict::new(py);
        dict.set_item("name", about.name)?;
        dict.set_item("multiprocessors", about.multiprocessors)?;
        dict.set_item("memory", about.memory)?;
        Ok(dict)
    }

    /// Closes the engine. Its memory is freed once no text and no job uses it.
    fn close(&self, py: Python<'_>) {
        self.0.close(py);
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __exit__(&self, py: Python<'_>, _kind: &Bound<'_, PyAny>, _value: &Bound<'_, PyAny>, _trace: &Bound<'_, PyAny>) {
        self.close(py);
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __repr__(&self) -> String {
        match self.2 {
            1 => format!("Gpu({})", self.1),
            count => format!("Gpu({}, count={count})", self.1),
        }
    }
}

#[pymethods]
impl Simt {
    #[new]
    #[pyo3(signature = (count=1, *, seed=None))]
    fn new(count: usize, seed: Option<u64>) -> PyResult<Self> {
        Ok(Self(Mutex::new((generation(), simulated(count, seed)?)), count, seed))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, ())> {
        let options = PyDict::new(slf.py());
        options.set_item("seed", slf.get().2)?;
        again(slf.get_type().as_any(), slf.get().1, &options)
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __repr__(&self) -> String {
        format!("Simt({})", self.1)
    }
}

impl Simt {
    /// Returns the simulator. A forked process gets a new one, because a thread of the parent may
    /// have locked the old one.
    fn get(&self) -> PyResult<Arc<dyn Engine>> {
        let mut of_process = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if of_process.0 != generation() {
            let old = std::mem::replace(&mut *of_process, (generation(), simulated(self.1, self.2)?));
            std::mem::forget(old);
        }
        Ok(of_process.1.clone())
    }
}

fn simulated(count: usize, seed: Option<u64>) -> PyResult<Arc<dyn Engine>> {
    match (count, seed) {
        (1, Some(seed)) => Ok(Arc::new(device::Simt::with_schedule(seed))),
        (_, None) => Ok(Arc::new(device::Simt::several(count).map_err(raised)?)),
        _ => Err(PyValueError::new_err("a seed is for one simulated GPU")),
    }
}

/// Returns the function that pickle calls to open an engine again in another process.
fn again<'py>(
    kind: &Bound<'py, PyAny>,
    number: usize,
    options: &Bound<'py, PyDict>,
) -> PyResult<(Bound<'py, PyAny>, ())> {
    let partial = kind.py().import("functools")?.getattr("partial")?;
    Ok((partial.call((kind, number), Some(options))?, ()))
}

/// The GPU of `engine="gpu"`, opened when it is first needed and then kept.
static GPU: OnceLock<Arc<dyn Engine>> = OnceLock::new();

/// Returns the engine of an argument, which is an engine or a name; `None` if the argument is not
/// given.
pub fn engine(argument: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Arc<dyn Engine>>> {
    let Some(argument) = argument.filter(|argument| !argument.is_none()) else { return Ok(None) };
    if let Ok(cpu) = argument.cast::<Cpu>() {
        return cpu.get().0.get().map(Some);
    }
    if let Ok(gpu) = argument.cast::<Gpu>() {
        return gpu.get().0.get().map(Some);
    }
    if let Ok(simt) = argument.cast::<Simt>() {
        return simt.get().get().map(Some);
    }
    let Ok(name) = argument.cast::<PyString>() else {
        return Err(PyTypeError::new_err("an engine is a Cpu, a Gpu, a Simt, or one of 'auto', 'cpu', 'gpu', 'simt'"));
    };
    match name.to_str()? {
        "auto" => Ok(None),
        "cpu" => Ok(Some(Arc::new(device::Cpu::new()))),
        "gpu" => match GPU.get() {
            Some(gpu) => Ok(Some(gpu.clone())),
            None => {
                let gpu: Arc<dyn Engine> = Arc::new(device::Gpu::when_needed(0).map_err(raised)?);
                Ok(Some(GPU.get_or_init(|| gpu).clone()))
            }
        },
        "simt" => Ok(Some(Arc::new(device::Simt::new()))),
        name => Err(PyValueError::new_err(format!(
            "there is no engine '{}': one of 'auto', 'cpu', 'gpu', 'simt'",
            Shortened(name)
        ))),
    }
}
