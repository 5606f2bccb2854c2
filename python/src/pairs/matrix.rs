//! `cdist`: all strings of one list against all of another.

use super::Lists;
use super::options::PairOptions;
use crate::arrays::Room;
use crate::dtype::{Dtype, MISSING};
use crate::resident;
use crate::strings::Held;
use crate::symbols::Numbers;
use crate::work::run;
use carrywave::Result;
use carrywave::job::Progress;
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PySlice};
use rayon::prelude::*;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// Approximate size of the rows that are computed before they go to `out`, in bytes.
const BLOCK: usize = 64 << 20;

/// Holds two lists of strings from Python. Without a second list, the first is compared with
/// itself.
fn held<'py>(a: &Bound<'py, PyAny>, b: Option<&Bound<'py, PyAny>>) -> PyResult<(Held<'py>, Option<Held<'py>>)> {
    Ok((resident::held(a)?, b.filter(|b| !b.is_none()).map(resident::held).transpose()?))
}

/// Computes the distances of all strings of `a` to all of `b`, or to one another: a matrix of
/// `int32`, or of another `dtype`. Otherwise like `cpdist`.
///
/// `dtype` is one of int8 to int64, uint8 to uint64, float32 and float64. If the dtype could not
/// hold a distance, OverflowError is raised before anything is computed; it says which
/// `score_cutoff` the dtype needs. A missing distance is the greatest number of the dtype, or
/// infinity for floats.
///
/// With `out`, the rows are assigned to this array, some at a time, and it is returned. It has a
/// shape, one of these dtypes, and takes slices of rows: an array of NumPy, a `numpy.memmap` for a
/// matrix that is larger than memory, a dataset of h5py or zarr.
///
/// `engine=carrywave.Cpu(4)` takes four threads.
///
/// >>> import carrywave
/// >>> carrywave.cdist(["wave", "carry"], ["waves", "curry", "ware"]).tolist()
/// [[1, 5, 1], [4, 1, 3]]
/// >>> carrywave.cdist(["wave", None], ["waves", "curry"], dtype="uint8").tolist()
/// [[1, 5], [255, 255]]
/// >>> import numpy as np
/// >>> carrywave.cdist(["wave", "ware"], out=np.zeros((2, 2), "uint8")).tolist()
/// [[0, 1], [1, 0]]
#[pyfunction]
#[pyo3(signature = (a, b=None, *, scorer="levenshtein", score_cutoff=None, dtype=None, out=None, engine=None, progress=None, mixed=false))]
#[expect(clippy::too_many_arguments, reason = "they are the caller's")]
pub fn cdist<'py>(
    a: &Bound<'py, PyAny>,
    b: Option<&Bound<'py, PyAny>>,
    scorer: &str,
    score_cutoff: Option<u32>,
    dtype: Option<&Bound<'py, PyAny>>,
    out: Option<&Bound<'py, PyAny>>,
    engine: Option<&Bound<'py, PyAny>>,
    progress: Option<&Bound<'py, PyAny>>,
    mixed: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let py = a.py();
    let options = PairOptions::new(scorer, score_cutoff, engine)?;
    let (held_a, held_b) = held(a, b)?;
    let mut numbers = Numbers::of_any(mixed);
    let a = held_a.strings(&mut numbers, mixed)?;
    // A NaN of an array is not equal to itself, so the list is read again.
    let again = numbers.has_nan.then_some(&held_a);
    let other = held_b.as_ref().or(again).map(|held| held.strings(&mut numbers, mixed)).transpose()?;
    let b = other.as_ref().unwrap_or(&a);
    if !mixed {
        a.check(b)?;
    }
    let shape = [a.all.len(), b.all.len()];
    let out = out.filter(|out| !out.is_none()).map(|out| Out::new(out, shape, dtype)).transpose()?;
    let dtype = out.as_ref().map_or_else(|| Dtype::from_argument(py, dtype), |out| Ok(out.dtype))?;
    dtype.check(options.max_reported(&a, b))?;
    let size = options.table(&a, b);
    let matrix = |lists| Matrix { lists, options: &options, columns: shape[1], dtype };
    if let Some(out) = out {
        let object = out.object.clone().unbind();
        // The job has a thread of its own, which may take the interpreter's lock.
        run(py, size.and(u64::MAX), progress, |progress| {
            matrix(Lists::new(&a, b)?).assign(shape[0], &object, progress)
        })??;
        return Ok(out.object);
    }
    let mut room = Room::with_dtype(py, shape[0].saturating_mul(shape[1]), dtype.name, dtype.size)?;
    let bytes = room.bytes();
    run(py, size, progress, |progress| matrix(Lists::new(&a, b)?).fill(0..shape[0], bytes, progress))?;
    room.array(&shape)
}

/// The array of the caller for the distances.
struct Out<'py> {
    object: Bound<'py, PyAny>,
    dtype: Dtype,
}

impl<'py> Out<'py> {
    /// Reads the dtype of an array, and checks its shape.
    fn new(out: &Bound<'py, PyAny>, shape: [usize; 2], dtype: Option<&Bound<'py, PyAny>>) -> PyResult<Self> {
        let py = out.py();
        if dtype.is_some_and(|dtype| !dtype.is_none()) {
            return Err(PyValueError::new_err("out has a dtype of its own: leave out the argument dtype"));
        }
        let given: Vec<usize> = out.getattr(intern!(py, "shape"))?.extract()?;
        if given != shape {
            return Err(PyValueError::new_err(format!(
                "out has the shape {given:?}, but the distances have {shape:?}"
            )));
        }
        Ok(Self { object: out.clone(), dtype: Dtype::from_argument(py, Some(&out.getattr(intern!(py, "dtype"))?))? })
    }
}

/// A matrix of distances.
struct Matrix<'a> {
    lists: Lists<'a>,
    options: &'a PairOptions,
    columns: usize,
    dtype: Dtype,
}

impl Matrix<'_> {
    /// Writes some rows to memory.
    fn fill(&self, rows: Range<usize>, bytes: &mut [u8], progress: Progress<'_>) -> Result<()> {
        let Self { lists, options, columns, dtype } = self;
        let [row_places, column_places] = &lists.places;
        let own = row_places.partition_point(|&place| place < rows.start)
            ..row_places.partition_point(|&place| place < rows.end);
        let row_places = &row_places[own.clone()];
        let has_all_columns = column_places.len() == *columns;
        let row_size = (columns * dtype.size).max(1);
        // Two threads may have distances of one row.
        let matrix: Vec<Mutex<&mut [u8]>> = bytes.chunks_exact_mut(row_size).map(Mutex::new).collect();
        let locked = |row: usize| matrix[row].lock().unwrap_or_else(PoisonError::into_inner);
        if row_places.len() < rows.len() || !has_all_columns {
            let missing = vec![MISSING; *columns];
            (0..matrix.len()).into_par_iter().for_each(|row| {
                progress(0);
                dtype.write(&missing, None, &mut locked(row));
            });
        }
        let [a, b] = &lists.texts;
        options.pairs(progress).all_in_parts(&a[own], b, |row, numbers, distances| {
            let reported: Vec<i32> = distances.iter().map(|&distance| options.reported(distance)).collect();
            let places = match has_all_columns {
                true => Cow::Borrowed(numbers),
                false => Cow::Owned(numbers.iter().map(|&number| column_places[number]).collect()),
            };
            dtype.write(&reported, Some(&places), &mut locked(row_places[row] - rows.start));
        })
    }

    /// Assigns all rows to an array of Python, some at a time.
    fn assign(&self, rows: usize, out: &Py<PyAny>, progress: Progress<'_>) -> Result<PyResult<()>> {
        let row_size = self.columns * self.dtype.size;
        if row_size == 0 {
            return Ok(Ok(()));
        }
        let at_once = (BLOCK / row_size).max(1);
        let mut bytes = vec![0; at_once.min(rows) * row_size];
        for first in (0..rows).step_by(at_once) {
            let rows = first..rows.min(first + at_once);
            let bytes = &mut bytes[..rows.len() * row_size];
            self.fill(rows.clone(), bytes, progress)?;
            let assigned = Python::attach(|py| {
                let numpy = py.import(intern!(py, "numpy"))?;
                let part = PyBytes::new(py, bytes);
                let part = numpy.call_method1(intern!(py, "frombuffer"), (part, self.dtype.name))?;
                let part = part.call_method1(intern!(py, "reshape"), ((rows.len(), self.columns),))?;
                let slice = PySlice::new(py, rows.start.cast_signed(), rows.end.cast_signed(), 1);
                out.bind(py).set_item(slice, part)
            });
            if assigned.is_err() {
                return Ok(assigned);
            }
        }
        Ok(Ok(()))
    }
}
