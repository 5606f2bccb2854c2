//! A scorer with the arguments and results of rapidfuzz: one pair of strings.

use super::arguments::{Range, is_missing, kind, parameters, processor};
use super::texts;
use crate::errors::raised;
use crate::symbols::Numbers;
use crate::work::{Size, run};
use carrywave::pairs::PairString;
use carrywave::scorers::{self as library, Kind, Parameters, Score};
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyInt};

/// A scorer, and the kind of its scores.
pub struct Own {
    pub scorer: &'static library::Scorer,
    pub kind: Kind,
    /// The type of scores and of their limits.
    pub range: Range,
}

impl Own {
    /// Creates a scorer by its name in the library, and the name of the kind.
    pub fn new(name: &str, kind_name: &str) -> PyResult<Self> {
        let scorer = library::named(name).map_err(raised)?;
        let kind = kind(kind_name)?;
        let range = match (scorer.is_whole(kind), scorer.optimal(Kind::Similarity)) {
            (true, _) => Range::Whole,
            (false, Some(100.0)) => Range::Percent,
            (false, _) => Range::Share,
        };
        Ok(Self { scorer, kind, range })
    }

    /// Returns the score of two short strings by the default parameters.
    #[inline]
    pub fn short<'py>(&self, py: Python<'py>, a: &[u8], b: &[u8], limit: Option<Score>) -> PyResult<Bound<'py, PyAny>> {
        let score = self.scorer.score(self.kind, &a, &b, &DEFAULT, limit).map_err(raised)?;
        Ok(to_python(py, score))
    }

    /// Returns the score of any strings.
    pub fn any_score<'py>(
        &self,
        s1: &Bound<'py, PyAny>,
        s2: &Bound<'py, PyAny>,
        given_processor: Option<&Bound<'py, PyAny>>,
        score_cutoff: Option<&Bound<'py, PyAny>>,
        parameter: Option<&Bound<'py, PyAny>>,
        score_hint: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = s1.py();
        let parameters = parameters(self.scorer.name, parameter)?;
        if self.range != Range::Whole && (is_missing(s1) || is_missing(s2)) {
            return Ok(self.missing(py));
        }
        let processed = match processor(given_processor)? {
            Some(processor) => Some([processor.call1((s1,))?, processor.call1((s2,))?]),
            None => None,
        };
        let (s1, s2) = processed.as_ref().map_or((s1, s2), |[s1, s2]| (s1, s2));
        // Raises the error for objects without a length.
        s1.len()?;
        s2.len()?;
        let limit = self.range.limit(score_cutoff, "score_cutoff")?;
        self.range.limit(score_hint, "score_hint")?;
        let mut numbers = Numbers::of_any(true);
        let (a, b) = (texts::symbols_of(s1, &mut numbers)?, texts::symbols_of(s2, &mut numbers)?);
        let texts;
        let [a, b] = match (texts::narrow(&a), texts::narrow(&b)) {
            (Some(a), Some(b)) => [a, b],
            _ => {
                texts = texts::texts(&[&a, &b]);
                [texts[0].symbols(), texts[1].symbols()]
            }
        };
        let size = Size::from(self.scorer.cells(a.len(), b.len())).and((a.len() + b.len()) as u64);
        let score = run(py, size, None, |_| self.scorer.score(self.kind, &a, &b, &parameters, limit))?;
        Ok(to_python(py, score))
    }

    /// Returns the score of a missing string.
    fn missing<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        match self.range {
            Range::Percent => PyInt::new(py, 0).into_any(),
            _ => PyFloat::new(py, self.scorer.worst(self.kind).unwrap_or(0.0)).into_any(),
        }
    }
}

/// The parameters of a call without any.
const DEFAULT: Parameters = Parameters::DEFAULT;

/// Returns a score as an object of Python.
#[inline]
pub fn to_python(py: Python<'_>, score: Score) -> Bound<'_, PyAny> {
    match score {
        Score::Whole(score) => PyInt::new(py, score).into_any(),
        Score::Fraction(score) => PyFloat::new(py, score).into_any(),
    }
}
