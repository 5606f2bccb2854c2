//! Scripts by the choice of edlib and of rapidfuzz, for the drop-ins.

use crate::symbols::{Pair, Two};
use crate::work::run;
use carrywave::distance::global::{Choice, Step, traced as library};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The steps of a cheapest script, as letters of a CIGAR and how many symbols.
#[pyfunction]
pub fn traced(a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>, choice: &str) -> PyResult<Vec<(char, u64)>> {
    let choice = match choice {
        "edlib" => Choice::Edlib,
        "rapidfuzz" => Choice::Rapidfuzz,
        "rapidfuzz-indel" => Choice::RapidfuzzIndel,
        _ => return Err(PyValueError::new_err(format!("there is no choice '{choice}'"))),
    };
    let two = Two::new(a, b, true)?;
    let steps = run(a.py(), two.cells(), None, |_| match two.pair() {
        Pair::Bytes(a, b) => library(a, b, choice),
        Pair::Characters(a, b) => library(&a, &b, choice),
        Pair::Long(a, b) => library(&a, &b, choice),
        Pair::Items(a, b) => library(&a, &b, choice),
    })?;
    let letter = |step| match step {
        Step::Match => '=',
        Step::Substitute => 'X',
        Step::Delete => 'I',
        Step::Insert => 'D',
    };
    Ok(steps.into_iter().map(|(step, count)| (letter(step), count)).collect())
}
