//! Scores of two strings, with the arguments and results of rapidfuzz.
//!
//! | file | what |
//! |---|---|
//! | `arguments` | limits, parameters, missing strings |
//! | `texts` | strings as the library's scorers take them |
//! | `own` | a scorer: one pair of strings |
//! | `lists` | one string with many: `extract` |
//! | `choices` | the choices of `lists` |
//! | `together` | short strings side by side in memory |
//! | `columns` | columns in the memory of a GPU, side by side |
//! | `tables` | many strings with many: `cdist` and `cpdist` |

mod arguments;
mod choices;
mod columns;
mod lists;
mod own;
mod tables;
mod texts;
mod together;

use crate::symbols::{Numbers, Symbols, Two};
use crate::work::Size;
use arguments::{given, is_missing, processed};
use carrywave::pairs::{self, PairString};
use carrywave::scorers as library;
use lists::Options;
use own::{Arguments, Own, run_job, to_python};
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple};
use tables::TableArguments;

/// A scorer, and the kind of its scores.
#[pyclass(frozen, module = "carrywave._carrywave")]
pub struct Scorer(Own);

#[pymethods]
impl Scorer {
    /// Creates a scorer by its name in the library, and the name of the kind.
    #[new]
    fn new(name: &str, kind_name: &str) -> PyResult<Self> {
        Own::new(name, kind_name).map(Self)
    }

    /// Computes the score of two strings.
    #[pyo3(signature = (s1, s2, *, processor=None, score_cutoff=None))]
    fn plain<'py>(
        &self,
        s1: &Bound<'py, PyAny>,
        s2: &Bound<'py, PyAny>,
        processor: Option<&Bound<'py, PyAny>>,
        score_cutoff: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.0.score([s1, s2], &Arguments { processor, score_cutoff, parameter: None, score_hint: None })
    }

    /// Computes the score of two strings by weights.
    #[pyo3(signature = (s1, s2, *, weights=None, processor=None, score_cutoff=None, score_hint=None))]
    fn weighted<'py>(
        &self,
        s1: &Bound<'py, PyAny>,
        s2: &Bound<'py, PyAny>,
        weights: Option<&Bound<'py, PyAny>>,
        processor: Option<&Bound<'py, PyAny>>,
        score_cutoff: Option<&Bound<'py, PyAny>>,
        score_hint: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.0.score([s1, s2], &Arguments { processor, score_cutoff, parameter: weights, score_hint })
    }

    /// Computes the score of two strings that may have two lengths.
    #[pyo3(signature = (s1, s2, *, pad=None, processor=None, score_cutoff=None))]
    fn padded<'py>(
        &self,
        s1: &Bound<'py, PyAny>,
        s2: &Bound<'py, PyAny>,
        pad: Option<&Bound<'py, PyAny>>,
        processor: Option<&Bound<'py, PyAny>>,
        score_cutoff: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.0.score([s1, s2], &Arguments { processor, score_cutoff, parameter: pad, score_hint: None })
    }

    /// Computes the score of two strings by a weight of the prefix.
    #[pyo3(signature = (s1, s2, *, prefix_weight=None, processor=None, score_cutoff=None))]
    fn with_prefix<'py>(
        &self,
        s1: &Bound<'py, PyAny>,
        s2: &Bound<'py, PyAny>,
        prefix_weight: Option<&Bound<'py, PyAny>>,
        processor: Option<&Bound<'py, PyAny>>,
        score_cutoff: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.0.score([s1, s2], &Arguments { processor, score_cutoff, parameter: prefix_weight, score_hint: None })
    }

    /// Computes the score of two strings by the scorer's own argument.
    fn with_argument<'py>(
        &self,
        s1: &Bound<'py, PyAny>,
        s2: &Bound<'py, PyAny>,
        score_cutoff: Option<&Bound<'py, PyAny>>,
        parameter: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.0.score([s1, s2], &Arguments { processor: None, score_cutoff, parameter, score_hint: None })
    }

    /// Returns a limit of scores as it is compared. Without a limit, returns None.
    fn cutoff<'py>(&self, value: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let limit = self.0.range.limit_of_many(Some(value))?;
        Ok(limit.map(|limit| to_python(value.py(), limit)))
    }

    /// Returns the first of the best choices, its score and its key; None if there is none.
    #[pyo3(signature = (query, choices, processor=None, score_cutoff=None, parameter=None, /))]
    fn best_choice<'py>(
        &self,
        query: &Bound<'py, PyAny>,
        choices: &Bound<'py, PyAny>,
        processor: Option<&Bound<'py, PyAny>>,
        score_cutoff: Option<&Bound<'py, PyAny>>,
        parameter: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyTuple>>> {
        self.0.best(query, choices, &Options::new(&self.0, processor, score_cutoff, parameter)?)
    }

    /// Returns the best choices, at most `limit`, each with its score and its key.
    #[pyo3(signature = (query, choices, processor=None, score_cutoff=None, parameter=None, limit=None, /))]
    fn best_choices<'py>(
        &self,
        query: &Bound<'py, PyAny>,
        choices: &Bound<'py, PyAny>,
        processor: Option<&Bound<'py, PyAny>>,
        score_cutoff: Option<&Bound<'py, PyAny>>,
        parameter: Option<&Bound<'py, PyAny>>,
        limit: Option<usize>,
    ) -> PyResult<Vec<Bound<'py, PyTuple>>> {
        self.0.sorted(query, choices, &Options::new(&self.0, processor, score_cutoff, parameter)?, limit)
    }

    /// Returns the scores of all pairs of two lists, or of lists side by side, as an array.
    #[pyo3(signature = (queries, choices, parameter, score_cutoff, multiplier, dtype, is_listed, /))]
    #[expect(clippy::too_many_arguments, reason = "they are the caller's")]
    fn table<'py>(
        &self,
        queries: &Bound<'py, PyAny>,
        choices: &Bound<'py, PyAny>,
        parameter: Option<&Bound<'py, PyAny>>,
        score_cutoff: Option<&Bound<'py, PyAny>>,
        multiplier: f64,
        dtype: &str,
        is_listed: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.0.array(queries, choices, &TableArguments { parameter, score_cutoff, multiplier, dtype, is_listed })
    }
}

/// Returns the best part of the longer string: its score, and the ranges of both strings; `None` if
/// the score is below the cutoff.
#[pyfunction]
#[pyo3(signature = (s1, s2, processor=None, score_cutoff=None))]
pub fn partial_ratio_alignment<'py>(
    s1: &Bound<'py, PyAny>,
    s2: &Bound<'py, PyAny>,
    processor: Option<&Bound<'py, PyAny>>,
    score_cutoff: Option<&Bound<'py, PyAny>>,
) -> PyResult<Option<Bound<'py, PyTuple>>> {
    let py = s1.py();
    if is_missing(s1) || is_missing(s2) {
        return Ok(None);
    }
    let [s1, s2] = &processed(processor, [s1, s2])?;
    let least = given(score_cutoff).map_or(Ok(0.0), |least| least.extract())?;
    let two = Two::new(s1, s2, true)?;
    let texts = texts::texts(&[&two.a, &two.b]);
    let (m, n) = (texts[0].symbols().len(), texts[1].symbols().len());
    let size = Size::from((m as u64).saturating_mul(n as u64).saturating_mul(m.min(n) as u64));
    let mut found = None;
    let result = &mut found;
    run_job(
        py,
        size,
        Box::new(|_| {
            *result = library::partial_ratio_alignment(&texts[0], &texts[1], least);
            Ok(())
        }),
    )?;
    let tuple = |found: library::PartialAlignment| {
        (found.score, found.a.start, found.a.end, found.b.start, found.b.end).into_pyobject(py)
    };
    found.map(tuple).transpose()
}

/// Converts a text to lower case, replaces symbols other than letters and digits by spaces, and
/// removes spaces at the ends.
#[pyfunction]
pub fn default_process<'py>(sentence: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyString>> {
    let py = sentence.py();
    let mut numbers = Numbers::of_any(true);
    let is_text = sentence.is_instance_of::<PyString>() || sentence.is_instance_of::<PyBytes>();
    if !is_text {
        return Err(PyTypeError::new_err("sentence must be a String"));
    }
    let (symbols, _) = Symbols::from_object(sentence, &mut numbers)?;
    let texts = texts::texts(&[&symbols]);
    let processed = library::default_process(&texts[0]);
    match processed.symbols() {
        pairs::Symbols::Bytes(bytes) if bytes.is_ascii() => {
            Ok(PyString::new(py, str::from_utf8(bytes).unwrap_or_default()))
        }
        pairs::Symbols::Bytes(bytes) => {
            Ok(PyString::new(py, &bytes.iter().map(|&byte| char::from(byte)).collect::<String>()))
        }
        pairs::Symbols::Numbers(numbers) => {
            let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
            let text = PyBytes::new(py, &bytes).call_method1(intern!(py, "decode"), ("utf-32-le", "surrogatepass"))?;
            Ok(text.cast_into::<PyString>()?)
        }
    }
}

/// Returns the steps that turn one string into the other by replacements, and by deletions or
/// insertions at the end, as letters of a CIGAR with numbers of symbols.
pub fn hamming_steps(two: &Two<'_>) -> Vec<(char, u64)> {
    let texts = texts::texts(&[&two.a, &two.b]);
    let numbers = |text: pairs::Symbols<'_>| -> Vec<u32> {
        match text {
            pairs::Symbols::Bytes(bytes) => bytes.iter().map(|&byte| byte.into()).collect(),
            pairs::Symbols::Numbers(numbers) => numbers.to_vec(),
        }
    };
    let (a, b) = (numbers(texts[0].symbols()), numbers(texts[1].symbols()));
    let mut steps: Vec<(char, u64)> = Vec::new();
    for (a, b) in a.iter().zip(&b) {
        let letter = if a == b { '=' } else { 'X' };
        match steps.last_mut() {
            Some((last, count)) if *last == letter => *count += 1,
            _ => steps.push((letter, 1)),
        }
    }
    let rest = a.len().abs_diff(b.len()) as u64;
    if rest > 0 {
        steps.push((if a.len() > b.len() { 'I' } else { 'D' }, rest));
    }
    steps
}
