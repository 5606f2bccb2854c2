//! Scores of two columns in the memory of a GPU, side by side.

use super::own::run_job;
use super::tables::Table;
use crate::arrays::Room;
use crate::resident::{BeyondAscii, ResidentColumn};
use crate::work::Size;
use carrywave::Result;
use carrywave::internal::threads;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::prelude::*;

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
        let write = |first: usize, scores: &[f64], places: &mut [u8]| {
            let score = |(row, score): (usize, &f64)| match any_is_missing && is_missing(row) {
                true => self.missing(),
                false => score * self.multiplier,
            };
            self.dtype.write_scores(&(first..).zip(scores).map(score).collect::<Vec<f64>>(), None, places);
        };
        scorer.write_scores_of_columns(kind, [a, b], &self.parameters, self.limit, places, write)?;
        let texts = BeyondAscii::of(columns)?;
        threads::run(|| {
            let pairs = texts.pairs()?;
            let score = |(x, y)| Ok(self.value(scorer.score(kind, x, y, &self.parameters, self.limit)?));
            let scores: Vec<f64> = pairs.par_iter().map(|(x, y)| (x, y)).map(score).collect::<Result<_>>()?;
            self.dtype.write_scores(&scores, Some(&texts.rows), places);
            Ok(())
        })
    }
}
