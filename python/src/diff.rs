//! Differences of two texts.

use crate::arrays::Room;
use crate::results::restorer;
use crate::surrogates::{self, Marks};
use crate::text::utf8;
use crate::work::{Size, run};
use carrywave::diff::{self as library, Comparison, Layout, WhiteSpace};
use carrywave::io::output::Shortened;
use carrywave::text::Unit;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use std::hash::{Hash, Hasher};

/// Options of the comparison.
#[derive(Clone, PartialEq, Eq, Hash, FromPyObject, IntoPyObject)]
#[pyo3(from_item_all)]
pub struct Options {
    unit: String,
    white_space: String,
    ignore_case: bool,
    ignore_blank_lines: bool,
    indent_heuristic: bool,
    patience: bool,
}

/// The differences of two texts: lines, words or characters. Two results are equal if their texts
/// and options are.
#[pyclass(frozen, eq, hash, module = "carrywave")]
pub struct Diff {
    texts: [Vec<u8>; 2],
    is_text: bool,
    /// True if other characters stand in for the texts' surrogates.
    has_surrogates: bool,
    options: Options,
    /// Start and end in A, start and end in B.
    changes: Vec<[usize; 4]>,
    counts: (u64, u64),
    lens: [usize; 2],
}

impl PartialEq for Diff {
    fn eq(&self, other: &Self) -> bool {
        self.is_text == other.is_text
            && self.has_surrogates == other.has_surrogates
            && self.options == other.options
            && self.changes == other.changes
            && self.texts == other.texts
    }
}

impl Hash for Diff {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.texts, self.is_text, &self.options).hash(state);
    }
}

impl Options {
    /// Returns the comparison, or an error for an unknown name.
    fn comparison(&self) -> PyResult<Comparison<'static>> {
        let unit = match self.unit.as_str() {
            "line" => Unit::Line,
            "word" => Unit::Word,
            "character" => Unit::Character,
            "grapheme" => Unit::Grapheme,
            unit => {
                return Err(PyValueError::new_err(format!(
                    "a unit is 'line', 'word', 'character' or 'grapheme', not '{}'",
                    Shortened(unit)
                )));
            }
        };
        let white_space = match self.white_space.as_str() {
            "kept" => WhiteSpace::Kept,
            "at-line-end" => WhiteSpace::AtLineEnd,
            "amount" => WhiteSpace::Amount,
            "all" => WhiteSpace::All,
            white_space => {
                let reason = format!(
                    "white space that is ignored is 'kept' (none), 'at-line-end', 'amount' or 'all', not '{}'",
                    Shortened(white_space)
                );
                return Err(PyValueError::new_err(reason));
            }
        };
        Ok(Comparison::new()
            .unit(unit)
            .white_space(white_space)
            .ignore_case(self.ignore_case)
            .ignore_blank_lines(self.ignore_blank_lines)
            .indent_heuristic(self.indent_heuristic)
            .anchors(self.patience))
    }
}

/// A text of the comparison, as bytes.
struct Given {
    bytes: Vec<u8>,
    is_text: bool,
    has_surrogates: bool,
}

impl Given {
    fn marks(&self) -> Marks {
        Marks::from_text(str::from_utf8(&self.bytes).unwrap_or_default(), self.has_surrogates)
    }
}

fn given(text: &Bound<'_, PyAny>) -> PyResult<Given> {
    if let Ok(text) = text.cast::<PyString>() {
        let utf8 = utf8(text)?;
        return Ok(Given { bytes: utf8.bytes().to_vec(), is_text: true, has_surrogates: utf8.has_surrogates() });
    }
    match text.cast::<PyBytes>() {
        Ok(bytes) => Ok(Given { bytes: bytes.as_bytes().to_vec(), is_text: false, has_surrogates: false }),
        Err(_) => Err(PyTypeError::new_err("texts are str or bytes; for lists of items take lcs")),
    }
}

/// Returns the size of a job that compares texts, including the time to find their symbols.
fn size([a, b]: &[Vec<u8>; 2]) -> Size {
    Size::from((a.len() as u64).saturating_mul(b.len() as u64)).and((a.len() as u64 + b.len() as u64) * 8)
}

/// Compares two texts by a shortest script, in lines, words, characters or graphemes.
///
/// `white_space` is the white space to ignore: "kept" (none), "at-line-end", "amount" or "all".
/// `patience=True` uses the lines that each text has once as fixed points; the script may then be
/// longer than the shortest.
///
/// >>> import carrywave
/// >>> diff = carrywave.diff("one\ntwo\n", "one\n2\nthree\n")
/// >>> diff.changes.tolist()
/// [[1, 2, 1, 3]]
/// >>> print(diff.unified("old", "new"), end="")
/// --- old
/// +++ new
/// @@ -1,2 +1,3 @@
///  one
/// -two
/// +2
/// +three
/// >>> print(carrywave.diff("a long way", "a longer way", unit="word").marked().splitlines()[-1])
/// a [-long-]{+longer+} way
#[pyfunction]
#[pyo3(signature = (a, b, *, unit="line", white_space="kept", ignore_case=false, ignore_blank_lines=false, indent_heuristic=true, patience=false, progress=None))]
#[expect(clippy::too_many_arguments, reason = "they are the caller's")]
pub fn diff(
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    unit: &str,
    white_space: &str,
    ignore_case: bool,
    ignore_blank_lines: bool,
    indent_heuristic: bool,
    patience: bool,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Diff> {
    let options = Options {
        unit: unit.into(),
        white_space: white_space.into(),
        ignore_case,
        ignore_blank_lines,
        indent_heuristic,
        patience,
    };
    let comparison = options.comparison()?;
    let [x, y] = [given(a)?, given(b)?];
    if x.is_text != y.is_text {
        return Err(PyTypeError::new_err("one text is str, the other bytes: encode or decode one of them"));
    }
    let has_surrogates = x.has_surrogates || y.has_surrogates;
    if has_surrogates {
        x.marks().and(y.marks())?;
    }
    let is_text = x.is_text;
    let texts = [x.bytes, y.bytes];
    let (changes, counts, lens) = run(a.py(), size(&texts), progress, |progress| {
        let diff = comparison.on_progress(progress).compare(&texts[0], &texts[1])?;
        let row = |change: &library::Change| [change.a.start, change.a.end, change.b.start, change.b.end];
        let changes = diff.changes().iter().map(row).collect();
        let library::UnitCounts { deleted, inserted } = diff.counts();
        Ok((changes, (deleted, inserted), [diff.a().len(), diff.b().len()]))
    })?;
    Ok(Diff { texts, is_text, has_surrogates, options, changes, counts, lens })
}

/// The fields for `pickle`.
#[derive(FromPyObject, IntoPyObject)]
#[pyo3(from_item_all)]
pub struct Parts<'py> {
    a: Bound<'py, PyBytes>,
    b: Bound<'py, PyBytes>,
    is_text: bool,
    has_surrogates: bool,
    options: Options,
    /// Numbers of eight bytes, the lowest byte first.
    changes: Bound<'py, PyBytes>,
    counts: (u64, u64),
    lens: [usize; 2],
}

fn packed(changes: &[[usize; 4]]) -> Vec<u8> {
    changes.iter().flatten().flat_map(|&number| (number as u64).to_le_bytes()).collect()
}

fn unpacked(changes: &[u8]) -> Vec<[usize; 4]> {
    let numbers: Vec<usize> =
        changes.as_chunks::<8>().0.iter().map(|&bytes| u64::from_le_bytes(bytes) as usize).collect();
    numbers.as_chunks::<4>().0.to_vec()
}

/// Restores a difference from the fields for `pickle`.
#[pyfunction]
pub fn restored_diff(parts: Parts<'_>) -> Diff {
    Diff {
        texts: [parts.a.as_bytes().to_vec(), parts.b.as_bytes().to_vec()],
        is_text: parts.is_text,
        has_surrogates: parts.has_surrogates,
        options: parts.options,
        changes: unpacked(parts.changes.as_bytes()),
        counts: parts.counts,
        lens: parts.lens,
    }
}

impl Diff {
    /// Returns the name of a text for output. For `bytes`, a surrogate in the name of a file
    /// becomes the byte that it stands for.
    fn name(&self, name: Option<&Bound<'_, PyString>>, default: &str) -> PyResult<Given> {
        let Some(name) = name else {
            return Ok(Given { bytes: default.into(), is_text: true, has_surrogates: false });
        };
        if self.is_text {
            return given(name);
        }
        let bytes = name.call_method1("encode", ("utf-8", "surrogateescape"))?.extract()?;
        Ok(Given { bytes, is_text: false, has_surrogates: false })
    }

    fn printed<'py>(
        &self,
        py: Python<'py>,
        has_surrogates: bool,
        print: impl FnOnce(&library::Diff<'_>, &mut Vec<u8>) -> std::io::Result<()> + Send,
    ) -> PyResult<Bound<'py, PyAny>> {
        let [a, b] = &self.texts;
        let comparison = self.options.comparison()?;
        let printed = run(py, size(&self.texts), None, |progress| {
            let diff = comparison.on_progress(progress).compare(a, b)?;
            let mut out = Vec::new();
            // Writing to memory does not fail.
            print(&diff, &mut out).map_err(|source| carrywave::Error::Io { path: "memory".into(), source })?;
            Ok(out)
        })?;
        Ok(if self.is_text {
            surrogates::text(py, &String::from_utf8_lossy(&printed), self.has_surrogates || has_surrogates)?.into_any()
        } else {
            PyBytes::new(py, &printed).into_any()
        })
    }
}

#[pymethods]
impl Diff {
    /// An array with one row (start in A, end in A, start in B, end in B) per change, in units.
    #[getter]
    fn changes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mut room = Room::new::<i64>(py, self.changes.len().saturating_mul(4))?;
        for (row, change) in room.bytes().chunks_exact_mut(32).zip(&self.changes) {
            for (place, &number) in row.chunks_exact_mut(8).zip(change) {
                place.copy_from_slice(&(number as i64).to_ne_bytes());
            }
        }
        room.array(&[self.changes.len(), 4])
    }

    /// Number of deleted units.
    #[getter]
    fn deleted(&self) -> u64 {
        self.counts.0
    }

    /// Number of inserted units.
    #[getter]
    fn inserted(&self) -> u64 {
        self.counts.1
    }

    /// Number of units of the first text.
    #[getter]
    fn a_len(&self) -> usize {
        self.lens[0]
    }

    /// Number of units of the second text.
    #[getter]
    fn b_len(&self) -> usize {
        self.lens[1]
    }

    fn __len__(&self) -> usize {
        self.changes.len()
    }

    /// Returns the difference in the format of `diff -u`.
    #[pyo3(signature = (a_name=None, b_name=None, *, context=3), text_signature = "($self, a_name='a', b_name='b', *, context=3)")]
    fn unified<'py>(
        &self,
        py: Python<'py>,
        a_name: Option<&Bound<'py, PyString>>,
        b_name: Option<&Bound<'py, PyString>>,
        context: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let [a, b] = [self.name(a_name, "a")?, self.name(b_name, "b")?];
        let header = Some([&a.bytes[..], &b.bytes[..]]);
        let layout = Layout { context, header, ..Layout::default() };
        let has_surrogates = a.has_surrogates || b.has_surrogates;
        if has_surrogates {
            let names = a.marks().and(b.marks())?;
            for text in &self.texts {
                names.and(Marks::from_text(str::from_utf8(text).unwrap_or_default(), self.has_surrogates))?;
            }
        }
        self.printed(py, has_surrogates, |diff, out| diff.write_unified(out, &layout))
    }

    /// Returns the difference in the format of `diff`.
    fn normal<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.printed(py, false, |diff, out| diff.write_normal(out, &Layout::default()))
    }

    /// Returns both texts as one, with deletions as `[-so-]` and insertions as `{+so+}`.
    fn marked<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.printed(py, false, |diff, out| diff.write_marked(out, &Layout::default()))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Parts<'py>,))> {
        let parts = Parts {
            a: PyBytes::new(py, &self.texts[0]),
            b: PyBytes::new(py, &self.texts[1]),
            is_text: self.is_text,
            has_surrogates: self.has_surrogates,
            options: self.options.clone(),
            changes: PyBytes::new(py, &packed(&self.changes)),
            counts: self.counts,
            lens: self.lens,
        };
        Ok((restorer(py, "restored_diff")?, (parts,)))
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __repr__(&self) -> String {
        format!("Diff(changes={}, deleted={}, inserted={})", self.changes.len(), self.counts.0, self.counts.1)
    }
}
