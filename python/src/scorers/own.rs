//! A scorer with the arguments and results of rapidfuzz: one pair of strings.

use super::arguments::{Range, is_missing, kind, parameters, processed};
use super::texts;
use crate::errors::raised;
use crate::symbols::{Numbers, short_texts, with_short_texts};
use crate::work::{Size, run};
use carrywave::Result;
use carrywave::job::Progress;
use carrywave::pairs::{PairString, Symbols};
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

/// Arguments of a call besides the strings.
pub struct Arguments<'a, 'py> {
    pub processor: Option<&'a Bound<'py, PyAny>>,
    pub score_cutoff: Option<&'a Bound<'py, PyAny>>,
    /// The scorer's own argument.
    pub parameter: Option<&'a Bound<'py, PyAny>>,
    pub score_hint: Option<&'a Bound<'py, PyAny>>,
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

    /// Returns the score of two strings.
    #[inline]
    pub fn score<'py>(
        &self,
        [s1, s2]: [&Bound<'py, PyAny>; 2],
        arguments: &Arguments<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        // Most calls compare two short texts.
        let is_plain = arguments.processor.is_none() && arguments.parameter.is_none() && arguments.score_hint.is_none();
        if is_plain && let Some([a, b]) = short_texts(s1, s2) {
            return self.short_score(s1.py(), [&a, &b], arguments.score_cutoff);
        }
        self.any_score([s1, s2], arguments, is_plain)
    }

    /// Returns the score of two short strings by the default parameters.
    #[inline]
    fn short_score<'py>(
        &self,
        py: Python<'py>,
        [a, b]: [&impl PairString; 2],
        score_cutoff: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let limit = self.range.limit(score_cutoff, "score_cutoff")?;
        let score = self.scorer.score(self.kind, a, b, &Parameters::DEFAULT, limit);
        score.map(|score| to_python(py, score)).map_err(raised)
    }

    #[inline(never)]
    fn any_score<'py>(
        &self,
        [s1, s2]: [&Bound<'py, PyAny>; 2],
        arguments: &Arguments<'_, 'py>,
        is_plain: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = s1.py();
        let short = |[a, b]: [Symbols<'_>; 2]| self.short_score(py, [&a, &b], arguments.score_cutoff);
        if is_plain && let Some(score) = with_short_texts(s1, s2, short) {
            return score;
        }
        let parameters = parameters(self.scorer.name, arguments.parameter)?;
        if self.range != Range::Whole && (is_missing(s1) || is_missing(s2)) {
            return Ok(self.missing(py));
        }
        let [s1, s2] = &processed(arguments.processor, [s1, s2])?;
        let limit = self.range.limit(arguments.score_cutoff, "score_cutoff")?;
        self.range.limit(arguments.score_hint, "score_hint")?;
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
        let mut score = Score::Whole(0);
        let result = &mut score;
        run_job(
            py,
            size,
            Box::new(|_| {
                *result = self.scorer.score(self.kind, &a, &b, &parameters, limit)?;
                Ok(())
            }),
        )?;
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

/// A job that writes its results to its captures.
pub type Job<'j> = Box<dyn FnOnce(Progress<'_>) -> Result<()> + Send + 'j>;

/// Runs a job like [`run`]. The function is compiled once for all scorers.
pub fn run_job(py: Python<'_>, size: Size, job: Job<'_>) -> PyResult<()> {
    run(py, size, None, job)
}

/// Returns a score as an object of Python.
#[inline]
pub fn to_python(py: Python<'_>, score: Score) -> Bound<'_, PyAny> {
    match score {
        Score::Whole(score) => PyInt::new(py, score).into_any(),
        Score::Fraction(score) => PyFloat::new(py, score).into_any(),
    }
}
