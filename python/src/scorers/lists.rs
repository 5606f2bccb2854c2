//! One string with many: the choices that are most similar to a query.
//!
//! Choices are read and compared in groups, so that a generator is not read much farther than
//! needed, and so that large groups are compared on several threads.

use super::arguments::{parameters, processor};
use super::choices::{Choice, Choices};
use super::own::{Own, run_job, to_python};
use super::texts;
use crate::copied::{Characters, Copied};
use crate::errors::raised;
use crate::symbols::{Numbers, Symbols};
use crate::work::Size;
use carrywave::internal::threads;
use carrywave::job::Progress;
use carrywave::pairs::PairString;
use carrywave::scorers::{Parameters, Prepared, Score};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use rayon::prelude::*;
use std::cmp::Ordering;

/// Choices in the first group, and at most in a group.
const FIRST_GROUP: usize = 64;
const LARGEST_GROUP: usize = 1 << 12;
/// Choices that a thread compares at a time.
const PART: usize = 256;

/// A choice with its score.
struct Found<'py> {
    score: Score,
    choice: Choice<'py>,
}

impl<'py> Found<'py> {
    fn tuple(self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let Choice { index, key, choice, .. } = self.choice;
        let key = key.map_or_else(|| index.into_pyobject(py).map(Bound::into_any), Ok)?;
        (choice, to_python(py, self.score), key).into_pyobject(py)
    }
}

/// A query, and how it is compared.
struct Query<'a, 'py> {
    symbols: Symbols<'a>,
    parameters: Parameters,
    /// `None` for symbols that are numbered anew with the choices of each group.
    prepared: Option<Prepared>,
    numbers: Numbers<'py>,
}

impl Own {
    fn is_within(&self, score: Score, limit: Option<Score>) -> bool {
        limit.is_none_or(|limit| match self.kind.higher_is_better() {
            true => score.value() >= limit.value(),
            false => score.value() <= limit.value(),
        })
    }

    /// Orders scores from the best on.
    fn order(&self, a: Score, b: Score) -> Ordering {
        let order = a.value().total_cmp(&b.value());
        if self.kind.higher_is_better() { order.reverse() } else { order }
    }

    fn is_optimal(&self, score: Score) -> bool {
        self.scorer.optimal(self.kind) == Some(score.value())
    }

    fn query<'a, 'py>(
        &self,
        query: &'a Bound<'py, PyAny>,
        parameter: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Query<'a, 'py>> {
        let parameters = parameters(self.scorer.name, parameter)?;
        let mut numbers = Numbers::of_any(true);
        query.len()?;
        let symbols = texts::symbols_of(query, &mut numbers)?;
        let prepared = texts::narrow(&symbols).map(|narrow| self.scorer.prepare(&narrow, &parameters));
        Ok(Query { prepared: prepared.transpose().map_err(raised)?, symbols, parameters, numbers })
    }

    /// Computes the scores of a query and the choices of a group, up to the first whose string
    /// cannot be read. Then the error is also returned.
    fn scores_of_group<'py>(
        &self,
        py: Python<'py>,
        query: &mut Query<'_, 'py>,
        group: &[Choice<'py>],
        limit: Option<Score>,
    ) -> PyResult<(Vec<Score>, PyResult<()>)> {
        if let Some(prepared) = &query.prepared
            && let Some(copied) = Copied::from_items(py, group.iter().map(Choice::string))?
        {
            let texts: Vec<Characters<'_>> = copied.texts().flatten().collect();
            return Ok((self.scores(py, query, prepared, &texts, limit)?, Ok(())));
        }
        let mut symbols = Vec::with_capacity(group.len() + 1);
        let mut end = Ok(());
        for choice in group {
            let string = choice.string();
            match string.len().and_then(|_| texts::symbols_of(string, &mut query.numbers)) {
                Ok(string) => symbols.push(string),
                Err(error) => {
                    end = Err(error);
                    break;
                }
            }
        }
        let mut strings: Vec<&Symbols<'_>> = symbols.iter().collect();
        let scores = match &query.prepared {
            Some(prepared) if strings.iter().all(|string| texts::narrow(string).is_some()) => {
                self.scores(py, query, prepared, &texts::texts(&strings), limit)?
            }
            _ => {
                strings.push(&query.symbols);
                let texts = texts::texts(&strings);
                let (texts, own) = texts.split_at(symbols.len());
                let prepared = self.scorer.prepare(&own[0], &query.parameters).map_err(raised)?;
                self.scores(py, query, &prepared, texts, limit)?
            }
        };
        Ok((scores, end))
    }

    /// Computes the scores of a query and some strings.
    fn scores(
        &self,
        py: Python<'_>,
        query: &Query<'_, '_>,
        prepared: &Prepared,
        strings: &[impl PairString + Sync],
        limit: Option<Score>,
    ) -> PyResult<Vec<Score>> {
        let symbols: usize = strings.iter().map(|string| string.symbols().len()).sum();
        let mean = symbols.div_ceil(strings.len().max(1));
        let cells = self
            .scorer
            .cells(query.symbols.len(), mean)
            .saturating_add(PAIR_CELLS)
            .saturating_mul(strings.len() as u64);
        let is_weighted = query.parameters.weights != Parameters::DEFAULT.weights;
        let mut scores = vec![Score::Whole(0); strings.len()];
        let result = &mut scores;
        let job = |progress: Progress<'_>| {
            let part = |(scores, strings): (&mut [Score], &[_])| {
                progress(cells / strings.len().max(1) as u64);
                if is_weighted {
                    // Distances may be greater than all whole numbers of f64.
                    for (place, string) in scores.iter_mut().zip(strings) {
                        *place = prepared.score(self.kind, string, limit)?;
                    }
                    return Ok(());
                }
                let is_whole = self.scorer.is_whole(self.kind);
                let score = |score: f64| if is_whole { Score::Whole(score as u64) } else { Score::Fraction(score) };
                let found = prepared.scores(self.kind, strings, limit)?;
                scores.iter_mut().zip(found).for_each(|(place, found)| *place = score(found));
                Ok(())
            };
            if cells < PARALLEL_CELLS {
                return part((result, strings));
            }
            // Other threads end with this one.
            let stop = threads::stop();
            let parts = result.par_chunks_mut(PART).zip(strings.par_chunks(PART));
            parts.try_for_each(|both| stop.watch(|| part(both)))
        };
        run_job(py, Size::from(cells), Box::new(job))?;
        Ok(scores)
    }

    /// Calls `each` with each choice and its score, in order, until it returns `None`. It returns
    /// the limit of the next scores.
    fn each<'py>(
        &self,
        query: &Bound<'py, PyAny>,
        choices: &Bound<'py, PyAny>,
        options: &Options<'_, 'py>,
        each: &mut dyn FnMut(Choice<'py>, Score) -> Option<Option<Score>>,
    ) -> PyResult<()> {
        let py = query.py();
        let mut query = self.query(query, options.parameter)?;
        let mut choices = Choices::new(choices)?;
        let mut limit = options.limit;
        let mut size = FIRST_GROUP;
        let mut group = Vec::new();
        loop {
            py.check_signals()?;
            let read = choices.read(options.processor, size, &mut group);
            let is_last = group.len() < size;
            size = (size * 4).min(LARGEST_GROUP);
            let (scores, compared) = self.scores_of_group(py, &mut query, &group, limit)?;
            for (choice, score) in group.drain(..).zip(scores) {
                match each(choice, score) {
                    Some(next) => limit = next,
                    None => return Ok(()),
                }
            }
            compared.and(read)?;
            if is_last {
                return Ok(());
            }
        }
    }

    /// Returns the first of the best choices.
    pub(super) fn best<'py>(
        &self,
        query: &Bound<'py, PyAny>,
        choices: &Bound<'py, PyAny>,
        options: &Options<'_, 'py>,
    ) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let mut best: Option<Found<'py>> = None;
        self.each(query, choices, options, &mut |choice, score| {
            let is_best = match &best {
                Some(best) => self.order(score, best.score).is_lt(),
                None => self.is_within(score, options.limit),
            };
            if is_best {
                best = Some(Found { score, choice });
                if self.is_optimal(score) {
                    return None;
                }
            }
            Some(best.as_ref().map_or(options.limit, |best| Some(best.score)))
        })?;
        best.map(|best| best.tuple(query.py())).transpose()
    }

    /// Returns the best choices, at most `most`, from the best on.
    pub(super) fn sorted<'py>(
        &self,
        query: &Bound<'py, PyAny>,
        choices: &Bound<'py, PyAny>,
        options: &Options<'_, 'py>,
        most: Option<usize>,
    ) -> PyResult<Vec<Bound<'py, PyTuple>>> {
        let most = most.unwrap_or(usize::MAX);
        let full = most.saturating_mul(2).max(SPARE);
        let mut found: Vec<Found<'py>> = Vec::new();
        let mut limit = options.limit;
        // Equal choices stay in their order.
        let sort = |found: &mut Vec<Found<'py>>| {
            found.sort_by(|a, b| self.order(a.score, b.score));
            found.truncate(most);
        };
        self.each(query, choices, options, &mut |choice, score| {
            if self.is_within(score, limit) {
                found.push(Found { score, choice });
                if found.len() == full {
                    sort(&mut found);
                    limit = found.last().map(|last| last.score).or(limit);
                }
            }
            Some(limit)
        })?;
        sort(&mut found);
        found.into_iter().map(|found| found.tuple(query.py())).collect()
    }
}

/// Choices that are kept before the best are chosen among them.
const SPARE: usize = 64;

/// Work of a pair besides the cells of its table.
pub(super) const PAIR_CELLS: u64 = 64;
/// Work that is divided among threads.
const PARALLEL_CELLS: u64 = 1 << 20;

/// Options of a search.
pub(super) struct Options<'a, 'py> {
    pub processor: Option<&'a Bound<'py, PyAny>>,
    pub limit: Option<Score>,
    pub parameter: Option<&'a Bound<'py, PyAny>>,
}

impl<'a, 'py> Options<'a, 'py> {
    pub fn new(
        scorer: &Own,
        given_processor: Option<&'a Bound<'py, PyAny>>,
        score_cutoff: Option<&Bound<'py, PyAny>>,
        parameter: Option<&'a Bound<'py, PyAny>>,
    ) -> PyResult<Self> {
        let limit = scorer.range.limit_of_many(score_cutoff)?;
        Ok(Self { processor: processor(given_processor)?, limit, parameter })
    }
}
