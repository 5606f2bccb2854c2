//! Many strings with many: all pairs of two lists, or two lists side by side.

use super::arguments::parameters;
use super::lists::PAIR_CELLS;
use super::own::{Own, run_job};
use super::texts;
use super::together::Together;
use crate::arrays::Room;
use crate::compared::Text;
use crate::dtype::Dtype;
use crate::resident;
use crate::strings::{Held, Strings};
use crate::symbols::{Numbers, Symbols};
use crate::text_list::TextList;
use crate::work::Size;
use carrywave::Result;
use carrywave::internal::threads;
use carrywave::job::Progress;
use carrywave::pairs::{self, PairString, Pairs};
use carrywave::scorers::{Parameters, Score, sorted_words};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use rayon::prelude::*;
use std::sync::{Mutex, PoisonError};

/// Columns that are computed together.
const PART: usize = 256;
/// Number of parts of a row that a thread computes, if there are many rows.
const PARTS: usize = 16;

/// The strings of a list; a missing one stands as an empty one.
struct List<'a> {
    texts: Vec<Text<'a>>,
    lengths: Vec<u32>,
    is_missing: Vec<bool>,
}

/// A computation.
pub(super) struct Table<'a> {
    pub(super) scorer: &'a Own,
    pub(super) parameters: Parameters,
    pub(super) limit: Option<Score>,
    pub(super) multiplier: f64,
    pub(super) dtype: Dtype,
}

impl<'a> List<'a> {
    /// Returns text or bytes.
    fn of_texts(texts: Vec<Option<Text<'a>>>) -> Self {
        let is_missing = texts.iter().map(Option::is_none).collect();
        Self::new(texts.into_iter().map(|text| text.unwrap_or(Text::EMPTY)).collect(), is_missing)
    }

    fn new(texts: Vec<Text<'a>>, is_missing: Vec<bool>) -> Self {
        // A string of 2^30 symbols is too long for the functions that use its length.
        let lengths = texts.iter().map(|text| u32::try_from(text.symbols().len()).unwrap_or(u32::MAX)).collect();
        Self { texts, lengths, is_missing }
    }
}

impl Table<'_> {
    /// Returns a score as it is written.
    pub(super) fn value(&self, score: Score) -> f64 {
        score.value() * self.multiplier
    }

    /// Returns the score of a missing string.
    pub(super) fn missing(&self) -> f64 {
        self.scorer.scorer.worst(self.scorer.kind).unwrap_or(0.0) * self.multiplier
    }

    /// Computes scores of a string and others from distances of [`Pairs`], at most [`PART`]. Their
    /// lengths are those of `compared`.
    fn of_pairs(&self, compared: [&List<'_>; 2], row: usize, columns: &[usize], distances: &[u32], scores: &mut [f64]) {
        let mut lengths = [0; PART];
        let lengths = &mut lengths[..columns.len().min(PART)];
        lengths.iter_mut().zip(columns).for_each(|(length, &column)| *length = compared[1].lengths[column]);
        let (scorer, kind) = (self.scorer.scorer, self.scorer.kind);
        let m = compared[0].lengths[row] as usize;
        scorer.scores_of_pairs(kind, &self.parameters, self.limit, m, lengths, distances, scores);
        if self.multiplier != 1.0 {
            scores.iter_mut().for_each(|score| *score *= self.multiplier);
        }
    }

    /// Returns the score of two strings from a distance of [`Pairs`].
    fn of_pair(&self, a: &List<'_>, b: &List<'_>, at: usize, distance: Option<u32>) -> f64 {
        if a.is_missing[at] || b.is_missing[at] {
            return self.missing();
        }
        let lengths = [a.lengths[at] as usize, b.lengths[at] as usize];
        let distance = distance.map_or(u64::MAX, u64::from);
        let scorer = self.scorer.scorer;
        self.value(scorer.score_of_pair(self.scorer.kind, lengths, distance, &self.parameters, self.limit))
    }

    /// Returns the job for [`Pairs`], if it can compute this table.
    fn pairs<'p>(&self, lists: [&List<'_>; 2], progress: Progress<'p>) -> Option<Pairs<'p>> {
        let scorer = self.scorer.scorer;
        let pairs = Pairs::new().cost(scorer.pair_cost(&self.parameters)?).on_progress(progress);
        let longest = lists.map(|list| list.lengths.iter().max().map_or(0, |&length| length as usize));
        let maximum = scorer.pair_maximum(self.scorer.kind, longest, &self.parameters, self.limit);
        Some(match maximum {
            Some(maximum) => pairs.maximum(maximum),
            None => pairs,
        })
    }

    /// Returns both lists as [`Pairs`] compares them.
    fn prepared<'l>(&self, lists: [&'l List<'_>; 2]) -> Option<[Vec<Text<'l>>; 2]> {
        let sorted = |list: &'l List<'_>| {
            let text = |text: &Text<'_>| match sorted_words(text).symbols() {
                pairs::Symbols::Bytes(bytes) => Text::Bytes(bytes.to_vec().into()),
                pairs::Symbols::Numbers(numbers) => Text::Numbers(numbers.to_vec().into()),
            };
            list.texts.par_iter().map(text).collect()
        };
        self.scorer.scorer.compares_words().then(|| lists.map(sorted))
    }

    /// Computes all pairs.
    fn all(&self, a: &List<'_>, b: &List<'_>, is_half: bool, rows: &mut [u8], progress: Progress<'_>) -> Result<()> {
        let (size, columns) = (self.dtype.size, b.texts.len());
        if columns == 0 || a.texts.is_empty() {
            return Ok(());
        }
        if let Some(pairs) = self.pairs([a, b], progress) {
            let sorted = self.prepared([a, b]);
            let lists = sorted.map(|lists| {
                lists.map(|texts| {
                    let count = texts.len();
                    List::new(texts, vec![false; count])
                })
            });
            return match &lists {
                Some([x, y]) => self.all_by_pairs(pairs, [x, y], [a, b], rows),
                None => self.all_by_pairs(pairs, [a, b], [a, b], rows),
            };
        }
        // Several strings of similar length are compared at a time.
        let mut order: Vec<usize> = (0..columns).collect();
        order.sort_by_key(|&column| b.lengths[column]);
        let texts = Together::new(order.iter().map(|&column| b.texts[column].symbols()));
        let texts = texts.symbols();
        // Other threads end with this one.
        let stop = threads::stop();
        let any_is_missing = a.is_missing.contains(&true) || b.is_missing.contains(&true);
        let least = if a.texts.len() > 4 * rayon::current_num_threads() { PARTS } else { 1 };
        let row = |(number, row): (usize, &mut [u8])| -> Result<()> {
            let query = self.scorer.scorer.prepare(&a.texts[number], &self.parameters)?;
            let part = |(columns, texts): (&[usize], &[pairs::Symbols<'_>])| -> Result<Vec<f64>> {
                let mut scores = query.scores(self.scorer.kind, texts, self.limit)?;
                if self.multiplier != 1.0 {
                    scores.iter_mut().for_each(|score| *score *= self.multiplier);
                }
                if any_is_missing {
                    let gone = |column: usize| a.is_missing[number] || b.is_missing[column];
                    let gone = scores.iter_mut().zip(columns).filter(|(_, column)| gone(**column));
                    gone.for_each(|(score, _)| *score = self.missing());
                }
                progress(scores.len() as u64);
                Ok(scores)
            };
            let all = |order: &[usize], texts: &[pairs::Symbols<'_>], row: &mut [u8]| -> Result<()> {
                let parts = order.par_chunks(PART).zip(texts.par_chunks(PART)).with_min_len(least);
                let scores: Result<Vec<Vec<f64>>> = parts.map(|columns| stop.watch(|| part(columns))).collect();
                for (columns, scores) in order.chunks(PART).zip(scores?) {
                    self.dtype.write_scores(&scores, Some(columns), row);
                }
                Ok(())
            };
            if !is_half {
                return all(&order, &texts, row);
            }
            // The row of a half table begins at the diagonal.
            let own = order.iter().zip(&texts).filter(|(column, _)| **column >= number);
            let (order, texts): (Vec<usize>, Vec<pairs::Symbols<'_>>) = own.unzip();
            all(&order, &texts, row)
        };
        rows.par_chunks_mut(columns * size).enumerate().try_for_each(row)?;
        if is_half {
            mirror(rows, columns, size);
        }
        Ok(())
    }

    /// Computes all pairs of `compared`, which are made of `lists`.
    fn all_by_pairs(
        &self,
        pairs: Pairs<'_>,
        compared: [&List<'_>; 2],
        lists: [&List<'_>; 2],
        rows: &mut [u8],
    ) -> Result<()> {
        let (size, columns) = (self.dtype.size, lists[1].texts.len());
        // Two threads may have distances of one row.
        let matrix: Vec<Mutex<&mut [u8]>> = rows.chunks_exact_mut(columns * size).map(Mutex::new).collect();
        let any_is_missing = lists.iter().any(|list| list.is_missing.contains(&true));
        let is_gone = |row: usize, column: usize| lists[0].is_missing[row] || lists[1].is_missing[column];
        pairs.all_in_parts(&compared[0].texts, &compared[1].texts, |row, numbers, distances| {
            let mut places = matrix[row].lock().unwrap_or_else(PoisonError::into_inner);
            for (numbers, distances) in numbers.chunks(PART).zip(distances.chunks(PART)) {
                let mut scores = [0.0; PART];
                let scores = &mut scores[..numbers.len()];
                self.of_pairs(compared, row, numbers, distances, scores);
                if any_is_missing {
                    let gone = scores.iter_mut().zip(numbers).filter(|(_, column)| is_gone(row, **column));
                    gone.for_each(|(score, _)| *score = self.missing());
                }
                self.dtype.write_scores(scores, Some(numbers), &mut places);
            }
        })
    }

    /// Computes pairs side by side.
    fn side_by_side(&self, a: &List<'_>, b: &List<'_>, places: &mut [u8], progress: Progress<'_>) -> Result<()> {
        let size = self.dtype.size;
        if let Some(pairs) = self.pairs([a, b], progress)
            && !self.scorer.scorer.compares_words()
        {
            let both: Vec<(&Text<'_>, &Text<'_>)> = a.texts.iter().zip(&b.texts).collect();
            let distances = pairs.listed(&both)?;
            let part = |(part, (places, distances)): (usize, (&mut [u8], &[Option<u32>]))| {
                let number = |at: usize| part * PART + at;
                let score = |(at, distance): (usize, &Option<u32>)| self.of_pair(a, b, number(at), *distance);
                let scores: Vec<f64> = distances.iter().enumerate().map(score).collect();
                self.dtype.write_scores(&scores, None, places);
            };
            places.par_chunks_mut(PART * size).zip(distances.par_chunks(PART)).enumerate().for_each(part);
            return Ok(());
        }
        let stop = threads::stop();
        let part = |(part, places): (usize, &mut [u8])| {
            let mut scores = Vec::with_capacity(PART);
            for at in part * PART..a.texts.len().min((part + 1) * PART) {
                scores.push(if a.is_missing[at] || b.is_missing[at] {
                    self.missing()
                } else {
                    let scorer = self.scorer.scorer;
                    self.value(scorer.score(
                        self.scorer.kind,
                        &a.texts[at],
                        &b.texts[at],
                        &self.parameters,
                        self.limit,
                    )?)
                });
            }
            self.dtype.write_scores(&scores, None, places);
            progress(scores.len() as u64);
            Ok(())
        };
        places.par_chunks_mut(PART * size).enumerate().try_for_each(|places| stop.watch(|| part(places)))
    }
}

/// Copies the upper triangle of a matrix to the lower one.
fn mirror(rows: &mut [u8], columns: usize, size: usize) {
    for row in 1..columns {
        let (above, own) = rows.split_at_mut(row * columns * size);
        for column in 0..row {
            let from = (column * columns + row) * size;
            own[column * size..(column + 1) * size].copy_from_slice(&above[from..from + size]);
        }
    }
}

/// Returns strings of any kinds.
fn of_both<'a>(a: &'a Strings<'a>, b: &'a Strings<'a>) -> [TextList<'a>; 2] {
    let strings: Vec<&Symbols<'_>> = a.all.iter().chain(&b.all).flatten().collect();
    let mut texts = texts::texts(&strings).into_iter();
    [a, b].map(|list| {
        let texts = list.all.iter().map(|string| string.as_ref().and_then(|_| texts.next()));
        TextList::Texts(texts.collect())
    })
}

/// Reads strings. For an object without a length, the error is that of `len`.
fn strings<'a, 'py>(held: &'a Held<'py>, numbers: &mut Numbers<'py>) -> PyResult<Strings<'a>> {
    let strings = held.strings(numbers, true).or_else(|error| match held {
        Held::Objects(objects) => {
            let is_there = |object: &&Bound<'py, PyAny>| !super::arguments::is_missing(object);
            objects.iter().filter(is_there).try_for_each(|object| object.len().map(drop))?;
            Err(error)
        }
        Held::Copied(_) | Held::Column(_) => Err(error),
    })?;
    let Held::Objects(objects) = held else { return Ok(strings) };
    let widened = |(object, string): (_, Option<Symbols<'a>>)| string.map(|string| texts::widened(object, string));
    Ok(Strings { all: objects.iter().zip(strings.all).map(widened).collect(), kind: strings.kind })
}

/// Arguments of a table.
pub(super) struct TableArguments<'a, 'py> {
    pub parameter: Option<&'a Bound<'py, PyAny>>,
    pub score_cutoff: Option<&'a Bound<'py, PyAny>>,
    pub multiplier: f64,
    pub dtype: &'a str,
    /// True for lists side by side.
    pub is_listed: bool,
}

impl Own {
    /// Returns the array of the scores of two lists.
    pub(super) fn array<'py>(
        &self,
        queries: &Bound<'py, PyAny>,
        choices: &Bound<'py, PyAny>,
        arguments: &TableArguments<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = queries.py();
        let parameters = parameters(self.scorer.name, arguments.parameter)?;
        let limit = self.range.limit_of_many(arguments.score_cutoff)?;
        let dtype = Dtype::named(arguments.dtype).ok_or_else(|| PyTypeError::new_err("unsupported dtype"))?;
        let is_listed = arguments.is_listed;
        let is_same = queries.is(choices);
        let table = Table { scorer: self, parameters, limit, multiplier: arguments.multiplier, dtype };
        if is_listed
            && self.scorer.takes_columns(&parameters)
            && let Some([a, b]) = resident::both_on_gpu(queries, choices)?
        {
            return table.of_resident(py, [a.get(), b.get()]);
        }
        let (held_a, held_b) = (resident::held(queries)?, resident::held(choices)?);
        let both;
        let [a, b] = match [held_a.texts(py)?, held_b.texts(py)?] {
            [Some((a, _)), Some((b, _))] => [a, b],
            _ => {
                let mut numbers = Numbers::of_any(true);
                both = [strings(&held_a, &mut numbers)?, strings(&held_b, &mut numbers)?];
                of_both(&both[0], &both[1])
            }
        };
        if self.scorer.is_whole(self.kind) && [&a, &b].iter().any(|list| list.is_any_missing()) {
            return Err(PyValueError::new_err("passed unsupported element None"));
        }
        let is_even = parameters.weights.insertion == parameters.weights.deletion;
        let (rows, columns) = (a.len(), b.len());
        let count = if is_listed { rows } else { rows.saturating_mul(columns) };
        let [m, n] = py.detach(|| threads::run(|| [a.mean(), b.mean()]));
        let pair = self.scorer.cells(m, n).saturating_add(PAIR_CELLS);
        let size = Size::from(pair.saturating_mul(count as u64)).and_items(rows + columns);
        let mut room = Room::with_dtype(py, count, dtype.name, dtype.size)?;
        let bytes = room.bytes();
        let job = |progress: Progress<'_>| {
            let progress = |pairs: u64| progress(pairs.saturating_mul(pair));
            if !is_listed {
                let [a, b] = [&a, &b].map(|list| List::of_texts(list.part(0..list.len())));
                return table.all(&a, &b, is_same && is_even, bytes, &progress);
            }
            let part = |(part, places): (usize, &mut [u8])| {
                let first = part * TextList::PART;
                let rows = first..first + places.len() / dtype.size;
                let [a, b] = [&a, &b].map(|list| List::of_texts(list.part(rows.clone())));
                table.side_by_side(&a, &b, places, &progress)
            };
            bytes.par_chunks_mut(TextList::PART * dtype.size).enumerate().try_for_each(part)
        };
        run_job(py, size, Box::new(job))?;
        let shape = [rows, columns];
        room.array(if is_listed { &shape[..1] } else { &shape })
    }
}
