//! What two texts differ in.

use crate::arrays::Room;
use crate::text::utf8;
use crate::work::run;
use carrywave::diff::{self as library, Comparison, Layout, WhiteSpace};
use carrywave::text::Unit;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

/// What two texts differ in: which lines, words or characters.
#[pyclass(frozen, module = "carrywave")]
pub struct Diff {
    texts: [Vec<u8>; 2],
    is_text: bool,
    comparison: Comparison<'static>,
    changes: Vec<library::Change>,
    counts: (u64, u64),
    lens: [usize; 2],
}

fn bytes(text: &Bound<'_, PyAny>) -> PyResult<(Vec<u8>, bool)> {
    if let Ok(text) = text.cast::<PyString>() {
        return Ok((utf8(text)?.bytes().to_vec(), true));
    }
    match text.cast::<PyBytes>() {
        Ok(bytes) => Ok((bytes.as_bytes().to_vec(), false)),
        Err(_) => Err(PyTypeError::new_err("texts are str or bytes; for lists of items take lcs")),
    }
}

/// What two texts differ in, by a shortest script: which lines, words, characters or graphemes.
///
/// `white_space` that is ignored is "kept" (none), "at-line-end", "amount" or "all". `patience=True` takes lines that both texts have once as fixed
/// points, and the script may be longer than the shortest.
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
    let unit = match unit {
        "line" => Unit::Line,
        "word" => Unit::Word,
        "character" => Unit::Character,
        "grapheme" => Unit::Grapheme,
        _ => {
            return Err(PyValueError::new_err(format!(
                "a unit is 'line', 'word', 'character' or 'grapheme', not '{unit}'"
            )));
        }
    };
    let white_space = match white_space {
        "kept" => WhiteSpace::Kept,
        "at-line-end" => WhiteSpace::AtLineEnd,
        "amount" => WhiteSpace::Amount,
        "all" => WhiteSpace::All,
        _ => {
            let reason = format!(
                "white space that is ignored is 'kept' (none), 'at-line-end', 'amount' or 'all', not '{white_space}'"
            );
            return Err(PyValueError::new_err(reason));
        }
    };
    let ((x, is_text), (y, other)) = (bytes(a)?, bytes(b)?);
    if is_text != other {
        return Err(PyTypeError::new_err("one text is str, the other bytes: encode or decode one of them"));
    }
    let comparison = Comparison::new()
        .unit(unit)
        .white_space(white_space)
        .ignore_case(ignore_case)
        .ignore_blank_lines(ignore_blank_lines)
        .indent_heuristic(indent_heuristic)
        .anchors(patience);
    let total = (x.len() as u64).saturating_mul(y.len() as u64);
    let (changes, counts, lens) = run(a.py(), total, progress, |progress| {
        let diff = comparison.clone().on_progress(progress).compare(&x, &y)?;
        Ok((diff.changes().to_vec(), diff.counts(), [diff.a().len(), diff.b().len()]))
    })?;
    Ok(Diff { texts: [x, y], is_text, comparison, changes, counts, lens })
}

impl Diff {
    fn printed<'py>(
        &self,
        py: Python<'py>,
        print: impl FnOnce(&library::Diff<'_>, &mut Vec<u8>) -> std::io::Result<()> + Send,
    ) -> PyResult<Bound<'py, PyAny>> {
        let [a, b] = &self.texts;
        let total = (a.len() as u64).saturating_mul(b.len() as u64);
        let printed = run(py, total, None, |progress| {
            let diff = self.comparison.clone().on_progress(progress).compare(a, b)?;
            let mut out = Vec::new();
            // Memory is written to, which does not fail.
            print(&diff, &mut out).map_err(|error| carrywave::Error::Usage(error.to_string()))?;
            Ok(out)
        })?;
        Ok(if self.is_text {
            PyString::new(py, &String::from_utf8_lossy(&printed)).into_any()
        } else {
            PyBytes::new(py, &printed).into_any()
        })
    }
}

#[pymethods]
impl Diff {
    /// An array with a row (start in A, end in A, start in B, end in B) for each change, in units.
    #[getter]
    fn changes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mut room = Room::new::<i64>(py, self.changes.len().saturating_mul(4))?;
        for (row, change) in room.bytes().chunks_exact_mut(32).zip(&self.changes) {
            let numbers = [change.a.start, change.a.end, change.b.start, change.b.end];
            for (place, number) in row.chunks_exact_mut(8).zip(numbers) {
                place.copy_from_slice(&(number as i64).to_ne_bytes());
            }
        }
        room.array::<i64>(&[self.changes.len(), 4])
    }

    /// How many units are deleted.
    #[getter]
    fn deleted(&self) -> u64 {
        self.counts.0
    }

    /// How many units are inserted.
    #[getter]
    fn inserted(&self) -> u64 {
        self.counts.1
    }

    /// How many units the first text has.
    #[getter]
    fn a_len(&self) -> usize {
        self.lens[0]
    }

    /// How many units the second text has.
    #[getter]
    fn b_len(&self) -> usize {
        self.lens[1]
    }

    fn __len__(&self) -> usize {
        self.changes.len()
    }

    /// The difference as `diff -u` prints it.
    #[pyo3(signature = (a_name="a", b_name="b", *, context=3))]
    fn unified<'py>(&self, py: Python<'py>, a_name: &str, b_name: &str, context: usize) -> PyResult<Bound<'py, PyAny>> {
        let layout = Layout { context, header: Some([a_name.as_bytes(), b_name.as_bytes()]), ..Layout::default() };
        self.printed(py, |diff, out| diff.write_unified(out, &layout))
    }

    /// The difference as `diff` prints it.
    fn normal<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.printed(py, |diff, out| diff.write_normal(out, &Layout::default()))
    }

    /// The texts as one, deletions marked as `[-so-]` and insertions as `{+so+}`.
    fn marked<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.printed(py, |diff, out| diff.write_marked(out, &Layout::default()))
    }

    fn __repr__(&self) -> String {
        format!("Diff(changes={}, deleted={}, inserted={})", self.changes.len(), self.counts.0, self.counts.1)
    }
}
