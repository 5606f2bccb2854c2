//! Scores of two columns in the memory of a GPU, side by side.

use super::own::run_job;
use super::tables::Table;
use crate::arrays::Room;
use crate::compared::of_column;
use crate::engines::engine;
use crate::resident::{Place, ResidentColumn};
use crate::symbols::Kind;
use crate::work::Size;
use carrywave::Result;
use carrywave::error::UsageFault;
use carrywave::internal::threads;
use carrywave::scorers::Scorer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use rayon::prelude::*;
use std::sync::{Mutex, PoisonError};

/// Returns two columns; `None` unless both are in the memory of a GPU.
pub(super) fn columns<'py>(
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
) -> PyResult<Option<[Bound<'py, ResidentColumn>; 2]>> {
    let py = a.py();
    let places = [Place::of(a)?, Place::of(b)?];
    if places.iter().any(|place| matches!(place, Place::Host)) {
        return Ok(None);
    }
    let engine = match places.iter().find_map(Place::engine) {
        Some(engine) => Some(engine.clone()),
        None => engine(Some(PyString::intern(py, "gpu").as_any()))?,
    };
    let Some(engine) = engine else { return Ok(None) };
    let [a, b] = places.map(|place| place.column(&engine, py));
    Ok(a?.zip(b?).map(|(a, b)| [a, b]))
}

impl Table<'_> {
    /// Returns the array of the scores of two columns.
    pub(super) fn of_resident<'py>(
        &self,
        py: Python<'py>,
        [a, b]: [&ResidentColumn; 2],
    ) -> PyResult<Bound<'py, PyAny>> {
        let any_is_missing = [a, b].iter().any(|column| !column.column.missing().is_empty());
        if self.scorer.scorer.is_whole(self.scorer.kind) && any_is_missing {
            return Err(PyValueError::new_err("passed unsupported element None"));
        }
        let count = a.column.len();
        let mut room = Room::with_dtype(py, count, self.dtype.name, self.dtype.size)?;
        let bytes = room.bytes();
        run_job(py, Size::UNKNOWN, Box::new(|_| self.of_columns([a, b], bytes)))?;
        room.array(&[count])
    }

    /// Computes the scores of two columns of as many strings.
    pub(super) fn of_columns(&self, columns: [&ResidentColumn; 2], places: &mut [u8]) -> Result<()> {
        let (scorer, kind) = (self.scorer.scorer, self.scorer.kind);
        let [a, b] = columns.map(|column| &column.column);
        let missing = [a, b].map(|column| column.missing());
        let is_missing = |row: usize| missing.iter().any(|missing| missing.get(row) == Some(&true));
        let any_is_missing = missing.iter().any(|missing| !missing.is_empty());
        let size = self.dtype.size;
        let parts: Vec<Mutex<&mut [u8]>> = places.chunks_mut(Scorer::COLUMN_PART * size).map(Mutex::new).collect();
        scorer.scores_of_columns_in_parts(kind, [a, b], &self.parameters, self.limit, |first, scores| {
            let score = |(row, score): (usize, &f64)| match any_is_missing && is_missing(row) {
                true => self.missing(),
                false => score * self.multiplier,
            };
            let scores: Vec<f64> = (first..).zip(scores).map(score).collect();
            let mut part = parts[first / Scorer::COLUMN_PART].lock().unwrap_or_else(PoisonError::into_inner);
            self.dtype.write_scores(&scores, None, &mut part[first % Scorer::COLUMN_PART * size..]);
        })?;
        drop(parts);
        // The GPU has compared the bytes of text.
        let mut rows = Vec::new();
        for column in columns.into_iter().filter(|column| column.kind == Some(Kind::Text)) {
            rows.extend_from_slice(column.column.rows_beyond_ascii()?);
        }
        rows.sort_unstable();
        rows.dedup();
        rows.retain(|&row| !is_missing(row));
        let (of_a, of_b) = (a.strings(&rows)?, b.strings(&rows)?);
        let [is_text_a, is_text_b] = columns.map(|column| column.kind == Some(Kind::Text));
        threads::run(|| {
            let score = |(x, y): (&Vec<u8>, &Vec<u8>)| {
                let (Some(x), Some(y)) = (of_column(x, is_text_a), of_column(y, is_text_b)) else {
                    return Err(UsageFault::Syntax.error("a string of Arrow is not UTF-8"));
                };
                let score = scorer.score(kind, &x, &y, &self.parameters, self.limit)?;
                Ok(self.value(score))
            };
            let scores: Vec<f64> = of_a.par_iter().zip(&of_b).map(score).collect::<Result<_>>()?;
            self.dtype.write_scores(&scores, Some(&rows), places);
            Ok(())
        })
    }
}
