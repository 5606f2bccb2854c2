//! One string with many: the choices that are most similar to a query.
//!
//! Choices are read and compared in groups, so that a generator is not read much farther than
//! needed, and so that large groups are compared on several threads.

use super::arguments::{is_missing, parameters, processor};
use super::own::{Own, run_job, to_python};
use super::texts;
use crate::errors::raised;
use crate::strings::Text;
use crate::symbols::Numbers;
use crate::work::Size;
use carrywave::internal::threads;
use carrywave::job::Progress;
use carrywave::pairs::PairString;
use carrywave::scorers::{Prepared, Score};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use rayon::prelude::*;

/// Choices in the first group, and at most in a group.
const FIRST_GROUP: usize = 64;
const LARGEST_GROUP: usize = 1 << 14;
/// Choices that a thread compares at a time.
const PART: usize = 256;

/// A choice with its key and the string to compare.
struct Choice<'py> {
    key: Bound<'py, PyAny>,
    choice: Bound<'py, PyAny>,
    /// `None` if it is the choice itself.
    processed: Option<Bound<'py, PyAny>>,
}

impl<'py> Choice<'py> {
    fn string(&self) -> &Bound<'py, PyAny> {
        self.processed.as_ref().unwrap_or(&self.choice)
    }

    fn found(self, score: Score) -> Found<'py> {
        Found { score, choice: self.choice, key: self.key }
    }
}

/// A choice within the limit.
struct Found<'py> {
    score: Score,
    choice: Bound<'py, PyAny>,
    key: Bound<'py, PyAny>,
}

impl<'py> Found<'py> {
    fn tuple(self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        (self.choice, to_python(py, self.score), self.key).into_pyobject(py)
    }
}

/// The choices of a list, a mapping or any other iterable.
enum Choices<'py> {
    List { list: Bound<'py, PyList>, next: usize },
    Iterator { iterator: Bound<'py, pyo3::types::PyIterator>, has_keys: bool, next: usize },
}

impl<'py> Choices<'py> {
    fn new(choices: &Bound<'py, PyAny>) -> PyResult<Self> {
        if let Ok(list) = choices.cast_exact::<PyList>() {
            return Ok(Self::List { list: list.clone(), next: 0 });
        }
        match choices.getattr_opt(intern!(choices.py(), "items"))? {
            Some(items) => Ok(Self::Iterator { iterator: items.call0()?.try_iter()?, has_keys: true, next: 0 }),
            None => Ok(Self::Iterator { iterator: choices.try_iter()?, has_keys: false, next: 0 }),
        }
    }

    /// Returns the next key and choice.
    fn next(&mut self, py: Python<'py>) -> PyResult<Option<(Bound<'py, PyAny>, Bound<'py, PyAny>)>> {
        let number = |number: &mut usize| {
            *number += 1;
            Ok::<_, PyErr>((*number - 1).into_pyobject(py)?.into_any())
        };
        match self {
            Self::List { list, next } => match list.get_item(*next) {
                Ok(choice) => Ok(Some((number(next)?, choice))),
                Err(_) => Ok(None),
            },
            Self::Iterator { iterator, has_keys, next } => {
                let Some(item) = iterator.next().transpose()? else { return Ok(None) };
                if *has_keys { item.extract().map(Some) } else { Ok(Some((number(next)?, item))) }
            }
        }
    }

    /// Reads choices that are not missing, at most `count`. Also returns the error that ended it.
    fn group(
        &mut self,
        py: Python<'py>,
        processor: Option<&Bound<'py, PyAny>>,
        count: usize,
    ) -> (Vec<Choice<'py>>, PyResult<()>) {
        let mut group = Vec::new();
        while group.len() < count {
            let next = self.next(py).and_then(|next| {
                let Some((key, choice)) = next else { return Ok(None) };
                if is_missing(&choice) {
                    return Ok(Some(None));
                }
                let processed = processor.map(|processor| processor.call1((&choice,))).transpose()?;
                let is_there = processed.as_ref().is_none_or(|string| !is_missing(string));
                Ok(Some(is_there.then_some(Choice { key, choice, processed })))
            });
            match next {
                Ok(Some(choice)) => group.extend(choice),
                Ok(None) => break,
                Err(error) => return (group, Err(error)),
            }
        }
        (group, Ok(()))
    }
}

impl Own {
    fn is_within(&self, score: Score, limit: Option<Score>) -> bool {
        limit.is_none_or(|limit| match self.kind.higher_is_better() {
            true => score.value() >= limit.value(),
            false => score.value() <= limit.value(),
        })
    }

    fn is_better(&self, score: Score, than: Score) -> bool {
        match self.kind.higher_is_better() {
            true => score.value() > than.value(),
            false => score.value() < than.value(),
        }
    }

    fn is_optimal(&self, score: Score) -> bool {
        self.scorer.optimal(self.kind) == Some(score.value())
    }

    /// Computes the scores of a query and a group of choices.
    fn scores(
        &self,
        py: Python<'_>,
        query: &Prepared,
        query_len: usize,
        texts: &[Text<'_>],
        limit: Option<Score>,
    ) -> PyResult<Vec<Score>> {
        let symbols: usize = texts.iter().map(|text| text.symbols().len()).sum();
        let mean = symbols.div_ceil(texts.len().max(1));
        let cells = self.scorer.cells(query_len, mean).saturating_add(PAIR_CELLS).saturating_mul(texts.len() as u64);
        let mut scores = vec![Score::Whole(0); texts.len()];
        let result = &mut scores;
        let job = |progress: Progress<'_>| {
            let part = |(scores, texts): (&mut [Score], &[Text<'_>])| {
                progress(cells / texts.len().max(1) as u64);
                for (place, text) in scores.iter_mut().zip(texts) {
                    *place = query.score(self.kind, text, limit)?;
                }
                Ok(())
            };
            if cells < PARALLEL_CELLS {
                return part((result, texts));
            }
            // Other threads end with this one.
            let stop = threads::stop();
            let parts = result.par_chunks_mut(PART).zip(texts.par_chunks(PART));
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
        let parameters = parameters(self.scorer.name, options.parameter)?;
        let mut numbers = Numbers::of_any(true);
        query.len()?;
        let query = texts::symbols_of(query, &mut numbers)?;
        let prepare = |text: &Text<'_>| self.scorer.prepare(text, &parameters).map_err(raised);
        let prepared = match texts::narrow(&query) {
            Some(_) => Some(prepare(&texts::texts(&[&query])[0])?),
            None => None,
        };
        let mut choices = Choices::new(choices)?;
        let mut limit = options.limit;
        let mut size = FIRST_GROUP;
        loop {
            py.check_signals()?;
            let (group, end) = choices.group(py, options.processor, size);
            let is_last = group.len() < size;
            size = (size * 4).min(LARGEST_GROUP);
            let mut symbols = Vec::with_capacity(group.len() + 1);
            let mut failed = end.err();
            for choice in &group {
                let string = choice.string();
                match string.len().and_then(|_| texts::symbols_of(string, &mut numbers)) {
                    Ok(string) => symbols.push(string),
                    Err(error) => {
                        failed = Some(error);
                        break;
                    }
                }
            }
            let count = symbols.len();
            let scores = match &prepared {
                Some(prepared) if symbols.iter().all(|string| texts::narrow(string).is_some()) => {
                    let strings: Vec<_> = symbols.iter().collect();
                    self.scores(py, prepared, query.len(), &texts::texts(&strings), limit)?
                }
                _ => {
                    let strings: Vec<_> = symbols.iter().chain([&query]).collect();
                    let texts = texts::texts(&strings);
                    let prepared = prepare(&texts[count])?;
                    self.scores(py, &prepared, query.len(), &texts[..count], limit)?
                }
            };
            drop(symbols);
            for (choice, score) in group.into_iter().zip(scores) {
                match each(choice, score) {
                    Some(next) => limit = next,
                    None => return Ok(()),
                }
            }
            if let Some(error) = failed {
                return Err(error);
            }
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
                Some(best) => self.is_better(score, best.score),
                None => self.is_within(score, options.limit),
            };
            if is_best {
                best = Some(choice.found(score));
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
        let mut found = Vec::new();
        self.each(query, choices, options, &mut |choice, score| {
            if self.is_within(score, options.limit) {
                found.push(choice.found(score));
            }
            Some(options.limit)
        })?;
        found.sort_by(|a, b| {
            let order = a.score.value().total_cmp(&b.score.value());
            if self.kind.higher_is_better() { order.reverse() } else { order }
        });
        found.truncate(most.unwrap_or(usize::MAX));
        found.into_iter().map(|found| found.tuple(query.py())).collect()
    }
}

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
