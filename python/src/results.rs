//! The results `Lcs` and `Alignment`. They can be compared, copied, and sent to other processes.

use crate::arrays::Room;
use crate::checksum::Checksum;
use crate::errors::raised;
use crate::signals::check_signals;
use carrywave::alignment::Run;
use carrywave::distance::{EditScript, Placement};
use carrywave::lcs::CommonSubsequence;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyList, PyMemoryView, PySlice, PyString};
use std::hash::{Hash, Hasher};

/// A longest common subsequence of two strings, and its positions in both. Two results are equal if
/// their runs and the lengths of their strings are equal.
#[pyclass(frozen, eq, hash, module = "carrywave")]
pub struct Lcs {
    pub lcs: CommonSubsequence,
    /// Start of the rotation of the second string; 0 if it is not circular.
    #[pyo3(get)]
    pub rotation: u64,
    /// Checksum of the first string; `None` if it came from a process with other hashes.
    pub checksum: Option<Checksum>,
}

impl PartialEq for Lcs {
    fn eq(&self, other: &Self) -> bool {
        self.lcs == other.lcs && self.rotation == other.rotation
    }
}

impl Hash for Lcs {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.lcs.runs(), self.lcs.a_len(), self.lcs.b_len(), self.rotation).hash(state);
    }
}

/// A cheapest script that turns one string into another, or into a part of it. Two results are
/// equal if their operations and positions are equal.
#[pyclass(frozen, eq, hash, module = "carrywave")]
pub struct Alignment {
    pub script: EditScript,
    #[pyo3(get)]
    pub start: u64,
    #[pyo3(get)]
    pub end: u64,
}

impl PartialEq for Alignment {
    fn eq(&self, other: &Self) -> bool {
        let places = |one: &Self| (one.start, one.end, one.script.a_len(), one.script.b_len());
        places(self) == places(other) && self.script.operations().eq(other.script.operations())
    }
}

impl Hash for Alignment {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.script.runs(), self.start, self.end).hash(state);
    }
}

/// Packs runs as bytes: their starts in both strings and their lengths.
fn packed(runs: &[Run]) -> Vec<u8> {
    runs.iter().flat_map(|run| [run.a_start, run.b_start, run.len]).flat_map(u64::to_le_bytes).collect()
}

fn unpacked(runs: &[u8]) -> Vec<Run> {
    let numbers: Vec<u64> = runs.as_chunks::<8>().0.iter().map(|&bytes| u64::from_le_bytes(bytes)).collect();
    let run = |&[a_start, b_start, len]: &[u64; 3]| Run { a_start, b_start, len };
    numbers.as_chunks::<3>().0.iter().map(run).collect()
}

/// Restores an LCS from the fields for `pickle`.
#[pyfunction]
pub fn restored_lcs(
    runs: &[u8],
    a_len: u64,
    b_len: u64,
    rotation: u64,
    checksum: Option<(u32, bool)>,
) -> PyResult<Lcs> {
    let lcs = CommonSubsequence::new(unpacked(runs), a_len, b_len).map_err(raised)?;
    let checksum = checksum.map(|(value, mixed)| Checksum { value, mixed, is_portable: true });
    Ok(Lcs { lcs, rotation, checksum })
}

/// Restores an alignment from the fields for `pickle`.
#[pyfunction]
pub fn restored_alignment(
    runs: &[u8],
    a_len: u64,
    b_len: u64,
    is_rightmost: bool,
    start: u64,
    end: u64,
) -> PyResult<Alignment> {
    let script = EditScript::new(unpacked(runs), a_len, b_len).map_err(raised)?;
    let placement = if is_rightmost { Placement::Rightmost } else { Placement::Leftmost };
    Ok(Alignment { script: script.with_placement(placement), start, end })
}

/// Returns the function that restores a result from its fields.
pub fn restorer<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("carrywave._carrywave")?.getattr(name)
}

/// Creates an array with one row (start in A, start in B, length) per run of matches.
fn runs<'py>(py: Python<'py>, runs: &[Run], b_start: u64) -> PyResult<Bound<'py, PyAny>> {
    let mut room = Room::new::<i64>(py, runs.len().saturating_mul(3))?;
    for (row, run) in room.bytes().chunks_exact_mut(24).zip(runs) {
        for (place, number) in row.chunks_exact_mut(8).zip([run.a_start, run.b_start + b_start, run.len]) {
            place.copy_from_slice(&number.cast_signed().to_ne_bytes());
        }
    }
    room.array(&[runs.len(), 3])
}

type LcsParts<'py> = (Bound<'py, PyBytes>, u64, u64, u64, Option<(u32, bool)>);
type AlignmentParts<'py> = (Bound<'py, PyBytes>, u64, u64, bool, u64, u64);

#[pymethods]
impl Lcs {
    /// Number of symbols.
    #[getter]
    fn length(&self) -> u64 {
        self.lcs.len()
    }

    fn __len__(&self) -> usize {
        self.lcs.len() as usize
    }

    /// Number of symbols of the first string.
    #[getter]
    fn a_len(&self) -> u64 {
        self.lcs.a_len()
    }

    /// Number of symbols of the second string.
    #[getter]
    fn b_len(&self) -> u64 {
        self.lcs.b_len()
    }

    /// Length divided by that of the longer string; `None` if both strings are empty.
    #[getter]
    fn identity(&self) -> Option<f64> {
        self.lcs.identity()
    }

    /// Runs of matches: an array with one row (start in A, start in B, length) per run.
    #[getter]
    fn runs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        runs(py, self.lcs.runs(), self.rotation)
    }

    /// `=`, `I` (only in A) and `D` (only in B), each after its number of symbols.
    #[getter]
    fn cigar(&self) -> String {
        self.lcs.cigar()
    }

    /// Returns the subsequence itself, taken from the first string: `str` for a `str`, `bytes` for
    /// `bytes` and for a view of bytes, `bytearray` for a `bytearray`, otherwise a list of items.
    /// Raises ValueError for any other string.
    fn subsequence<'py>(&self, a: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = a.py();
        let (expected, len) = (self.lcs.a_len(), a.len()?);
        if len as u64 != expected {
            return Err(PyValueError::new_err(format!(
                "the subsequence is taken out of the first string, which has {expected} symbols, and this one has {len}"
            )));
        }
        if let Some(checksum) = &self.checksum
            && !checksum.is_of(a)?
        {
            return Err(PyValueError::new_err(
                "the subsequence is taken out of the first string: this one is as long, but has other symbols",
            ));
        }
        let parts = PyList::empty(py);
        for (number, run) in self.lcs.runs().iter().enumerate() {
            check_signals(py, number + 1)?;
            let (start, end) = (run.a_start as isize, (run.a_start + run.len) as isize);
            parts.append(a.get_item(PySlice::new(py, start, end, 1))?)?;
        }
        if a.is_instance_of::<PyString>() {
            return PyString::new(py, "").call_method1("join", (parts,));
        }
        if a.is_instance_of::<PyByteArray>() {
            return PyByteArray::new(py, b"").call_method1("join", (parts,));
        }
        let is_view_of_bytes = a.is_instance_of::<PyMemoryView>() && a.getattr("format")?.eq("B")?;
        if a.is_instance_of::<PyBytes>() || is_view_of_bytes {
            return PyBytes::new(py, b"").call_method1("join", (parts,));
        }
        let items = PyList::empty(py);
        for part in parts {
            items.call_method1("extend", (part,))?;
        }
        Ok(items.into_any())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, LcsParts<'py>)> {
        let checksum = self.checksum.filter(|checksum| checksum.is_portable);
        let checksum = checksum.map(|checksum| (checksum.value, checksum.mixed));
        let runs = PyBytes::new(py, &packed(self.lcs.runs()));
        Ok((restorer(py, "restored_lcs")?, (runs, self.lcs.a_len(), self.lcs.b_len(), self.rotation, checksum)))
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __repr__(&self) -> String {
        format!("Lcs(length={}, a_len={}, b_len={})", self.lcs.len(), self.lcs.a_len(), self.lcs.b_len())
    }
}

#[pymethods]
impl Alignment {
    /// Number of insertions, deletions and substitutions.
    #[getter]
    fn distance(&self) -> u64 {
        self.script.distance()
    }

    /// `=`, `X`, `I` (a symbol of A only) and `D` (a symbol of B only), each after its number of
    /// symbols.
    #[getter]
    fn cigar(&self) -> String {
        self.script.cigar()
    }

    /// Operations of the CIGAR as a list of pairs (letter, number of symbols).
    #[getter]
    fn operations(&self) -> Vec<(char, u64)> {
        self.script.operations().map(|operation| (char::from(operation.letter()), operation.len())).collect()
    }

    /// Runs of matches: an array with one row (start in A, start in B, length) per run.
    #[getter]
    fn runs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        runs(py, self.script.runs(), self.start)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, AlignmentParts<'py>)> {
        let script = &self.script;
        let is_rightmost = script.placement() == Placement::Rightmost;
        let runs = PyBytes::new(py, &packed(script.runs()));
        let parts = (runs, script.a_len(), script.b_len(), is_rightmost, self.start, self.end);
        Ok((restorer(py, "restored_alignment")?, parts))
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __repr__(&self) -> String {
        format!("Alignment(distance={}, start={}, end={})", self.script.distance(), self.start, self.end)
    }
}
