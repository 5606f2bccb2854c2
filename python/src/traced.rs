//! Scripts by the choice of edlib and of rapidfuzz, for the drop-ins.

use crate::symbols::Two;
use crate::work::run;
use carrywave::internal::{Choice, Step, traced as library};
use carrywave::io::output::Shortened;
use carrywave::text::numbered::number;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Returns the steps of a cheapest script, as letters of a CIGAR with numbers of symbols.
#[pyfunction]
pub fn traced(a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>, choice: &str) -> PyResult<Vec<(char, u64)>> {
    let choice = match choice {
        "hamming" => return Ok(crate::scorers::hamming_steps(&Two::new(a, b, true)?)),
        "edlib" => Choice::Edlib,
        "rapidfuzz" => Choice::Rapidfuzz,
        "rapidfuzz-indel" => Choice::RapidfuzzIndel,
        _ => return Err(PyValueError::new_err(format!("there is no choice '{}'", Shortened(choice)))),
    };
    let two = Two::new(a, b, true)?;
    let steps = run(a.py(), two.size(1), None, |progress| match two.bytes() {
        Some([a, b]) => library(&number(a, b)?, choice, progress),
        None => library(&two.numbered()?, choice, progress),
    })?;
    let letter = |step| match step {
        Step::Match => '=',
        Step::Substitute => 'X',
        Step::Delete => 'I',
        Step::Insert => 'D',
    };
    Ok(steps.into_iter().map(|(step, count)| (letter(step), count)).collect())
}
