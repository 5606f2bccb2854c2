//! Reads FASTA, FASTQ and lines, compressed or not.

use crate::signals::check_signals;
use crate::work::run_apart;
use carrywave::io::sequence::{DocumentOptions, read_document};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::path::PathBuf;

/// Names, comments and symbols of records.
type Records<'py> = (Vec<String>, Vec<String>, Vec<Bound<'py, PyBytes>>);

/// Reads the records of a file: their names, comments and symbols.
#[pyfunction]
#[pyo3(signature = (path, *, lines=false))]
pub fn read_records<'py>(py: Python<'py>, path: PathBuf, lines: bool) -> PyResult<Records<'py>> {
    let document = run_apart(py, move || read_document(&path, DocumentOptions::default().lines(lines)))?;
    let symbols = |(number, range): (usize, &std::ops::Range<usize>)| {
        check_signals(py, number + 1)?;
        Ok(PyBytes::new(py, document.symbols.get(range.clone()).unwrap_or_default()))
    };
    let records: Vec<_> = document.records.iter().enumerate().map(symbols).collect::<PyResult<_>>()?;
    let or_empty = |names: &[String]| (0..records.len()).map(|at| names.get(at).cloned().unwrap_or_default()).collect();
    Ok((or_empty(&document.names), or_empty(&document.comments), records))
}
