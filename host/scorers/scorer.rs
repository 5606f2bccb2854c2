//! A scorer: its name, its range, and its functions for two strings and for one string with many.

use super::kind::{Kind, Score};
use super::of_pairs::{OfPairs, Strings, Value};
use super::pair_lanes::PairLanes;
use super::parameters::Parameters;
use super::text::Text;
use super::values::Values;
use crate::error::{Result, UsageFault};
use crate::pairs::{PairString, Symbols};
use std::sync::Arc;

/// Computes a distance. A result above the limit only means that the distance is above it.
pub(super) type Distance = fn(Symbols<'_>, Symbols<'_>, &Parameters, u64) -> u64;
/// Computes a similarity. A similarity below the limit is reported as 0.
pub(super) type Similarity = fn(Symbols<'_>, Symbols<'_>, &Parameters, f64) -> f64;
/// Writes the distances of strings, of fewer than 2^30 symbols, to one prepared string.
pub(super) type DistancesToOne = Box<dyn Fn(&[Symbols<'_>], &mut [u32]) + Send + Sync>;

/// [`Distance`] to one prepared string.
pub(super) struct DistanceToOne {
    pub(super) distance: Box<dyn Fn(Symbols<'_>, u64) -> u64 + Send + Sync>,
    /// Distances of several strings, if that is faster than one after the other. The maximum must
    /// be the length of the longer string.
    pub(super) many: Option<DistancesToOne>,
}
/// Writes the similarities of strings to one prepared string.
pub(super) type SimilaritiesToOne = Box<dyn Fn(&[Symbols<'_>], &mut [f64]) + Send + Sync>;

/// [`Similarity`] to one prepared string.
pub(super) struct SimilarityToOne {
    pub(super) similarity: Box<dyn Fn(Symbols<'_>, f64) -> f64 + Send + Sync>,
    /// Similarities of several strings, if that is faster than one after the other.
    pub(super) many: Option<SimilaritiesToOne>,
}

impl SimilarityToOne {
    /// Returns the similarity to one string at a time.
    pub(super) fn new(similarity: impl Fn(Symbols<'_>, f64) -> f64 + Send + Sync + 'static) -> Self {
        Self { similarity: Box::new(similarity), many: None }
    }
}

impl DistanceToOne {
    /// Returns the distance to a text, which is computed for one string after the other.
    pub(super) fn new(
        text: Text,
        distance: impl Fn(Symbols<'_>, Symbols<'_>, &Parameters, u64) -> u64 + Copy + Send + Sync + 'static,
    ) -> Self {
        let text = Arc::new(text);
        let of_many = text.clone();
        Self {
            distance: Box::new(move |other, most| distance(text.symbols(), other, &Parameters::DEFAULT, most)),
            many: Some(Box::new(move |others, distances| {
                for (place, &other) in distances.iter_mut().zip(others) {
                    *place = distance(of_many.symbols(), other, &Parameters::DEFAULT, u64::MAX) as u32;
                }
            })),
        }
    }
}

/// The functions of a scorer.
#[derive(Debug, Clone, Copy)]
pub(super) enum Measure {
    /// A distance in whole numbers, and its maximum for strings of two lengths.
    Distance {
        two: Distance,
        maximum: fn(usize, usize, &Parameters) -> u64,
        /// Prepares one string for many comparisons, where that is faster.
        prepare: Option<fn(Text, &Parameters) -> DistanceToOne>,
    },
    /// A similarity from 0 to `optimal`.
    Similarity { two: Similarity, optimal: f64, prepare: Option<fn(Text, &Parameters) -> SimilarityToOne> },
}

/// How the time of a scorer grows with the lengths m and n of the strings.
#[derive(Debug, Clone, Copy)]
pub(super) enum Growth {
    /// m + n.
    Linear,
    /// mn / 64.
    Words,
    /// mn.
    Cells,
    /// m^2 n / 64, m the shorter length.
    Windows,
}

/// A scorer of two strings: a row of the table [`SCORERS`](super::SCORERS).
///
/// ```
/// use carrywave::scorers::{Kind, Parameters, Score, named};
///
/// let (jaro, osa) = (named("jaro")?, named("osa")?);
/// let none = Parameters::default();
/// assert_eq!(osa.score(Kind::Distance, &"wave", &"wvae", &none, None)?, Score::Whole(1));
/// assert_eq!(osa.score(Kind::NormalizedSimilarity, &"wave", &"wvae", &none, None)?.value(), 0.75);
/// assert_eq!(osa.optimal(Kind::Distance), Some(0.0));
/// assert!(Kind::Similarity.higher_is_better() && !Kind::Similarity.is_normalized());
/// // Scores below the limit are 0.
/// let limit = Some(Score::Fraction(0.95));
/// assert_eq!(jaro.score(Kind::Similarity, &"wave", &"wvae", &none, limit)?.value(), 0.0);
/// // One string with many.
/// let wave = osa.prepare(&"wave", &none)?;
/// for (word, distance) in [("wave", 0), ("weave", 1), ("wvae", 1)] {
///     assert_eq!(wave.score(Kind::Distance, &word, None)?, Score::Whole(distance));
/// }
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Scorer {
    /// Name, for [`named`](super::named).
    pub name: &'static str,
    /// Meaning, and the source of the algorithm.
    pub about: &'static str,
    pub(super) growth: Growth,
    pub(super) measure: Measure,
    /// How the distances of many pairs give the scores; `None` if they do not.
    pub(super) of_pairs: Option<OfPairs>,
}

impl Scorer {
    /// Returns the score of equal strings, or `None` if it depends on their lengths.
    /// See the [example](Self).
    pub fn optimal(&self, kind: Kind) -> Option<f64> {
        match (kind, self.measure) {
            (Kind::Distance | Kind::NormalizedDistance, _) => Some(0.0),
            (Kind::NormalizedSimilarity, _) => Some(1.0),
            (Kind::Similarity, Measure::Distance { .. }) => None,
            (Kind::Similarity, Measure::Similarity { optimal, .. }) => Some(optimal),
        }
    }

    /// Returns the score of strings that have nothing in common, or `None` if it depends on their
    /// lengths. It is also the score of a pair beyond the limit, where it is not `None`.
    ///
    /// ```
    /// use carrywave::scorers::{Kind, named};
    ///
    /// assert_eq!(named("jaro")?.worst(Kind::Distance), Some(1.0));
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    pub fn worst(&self, kind: Kind) -> Option<f64> {
        match (kind, self.measure) {
            (Kind::Similarity | Kind::NormalizedSimilarity, _) => Some(0.0),
            (Kind::NormalizedDistance, _) => Some(1.0),
            (Kind::Distance, Measure::Distance { .. }) => None,
            (Kind::Distance, Measure::Similarity { optimal, .. }) => Some(optimal),
        }
    }

    /// Returns an estimate of the time for strings of m and n symbols, in cells of a table of 64
    /// cells per step. It is linear for `hamming`, `prefix`, `postfix`, `jaro` and `jaro-winkler`,
    /// 64 times the cells of the table for `damerau`, m times the cells for `weighted-ratio` and
    /// the partial ratios, m the shorter length, and the cells of the table for all others.
    ///
    /// ```
    /// use carrywave::scorers::named;
    ///
    /// assert_eq!(named("osa")?.cells(100, 1000), 100_000);
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    pub fn cells(&self, m: usize, n: usize) -> u64 {
        let (m, n) = (m as u64, n as u64);
        let cells = m.saturating_mul(n);
        match self.growth {
            Growth::Linear => m.saturating_add(n),
            Growth::Words => cells,
            Growth::Cells => cells.saturating_mul(64),
            Growth::Windows => cells.saturating_mul(m.min(n)),
        }
    }

    /// Returns true if scores of this kind are whole numbers.
    ///
    /// ```
    /// use carrywave::scorers::{Kind, named};
    ///
    /// assert!(named("osa")?.is_whole(Kind::Distance) && !named("jaro")?.is_whole(Kind::Distance));
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    pub fn is_whole(&self, kind: Kind) -> bool {
        matches!(self.measure, Measure::Distance { .. }) && !kind.is_normalized()
    }

    /// Computes the score of two strings.
    ///
    /// `limit` is the worst score of interest. A distance above it is reported as the limit plus 1,
    /// a normalized distance above it as 1, a similarity below it as 0. A smaller range may be
    /// faster. See the [example](Self).
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage): [`UsageFault::Mismatch`] for `hamming` without
    /// padding and two lengths, [`UsageFault::Range`] for a prefix weight outside 0 to 1.
    pub fn score(
        &self,
        kind: Kind,
        a: &impl PairString,
        b: &impl PairString,
        parameters: &Parameters,
        limit: Option<Score>,
    ) -> Result<Score> {
        self.check(parameters)?;
        self.score_of(kind, a.symbols(), b.symbols(), parameters, limit)
    }

    /// Prepares a string for comparisons with many others. Takes the memory of a copy, and of the
    /// tables of its symbols. See the [example](Self).
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage) with [`UsageFault::Range`] for a prefix weight outside
    /// 0 to 1.
    pub fn prepare(&self, string: &impl PairString, parameters: &Parameters) -> Result<Prepared> {
        self.check(parameters)?;
        let text = Text::new(string.symbols());
        let how = match self.measure {
            Measure::Distance { prepare: Some(prepare), .. } => How::Distance(prepare(text, parameters)),
            Measure::Similarity { prepare: Some(prepare), .. } => How::Similarity(prepare(text, parameters)),
            _ => How::Plain(text),
        };
        let of_whole = self.of_pairs.filter(|of_pairs| of_pairs.strings == Strings::Whole);
        let cost = of_whole.and_then(|of_pairs| of_pairs.cost(parameters));
        let lanes = cost.and_then(|cost| PairLanes::new(string.symbols(), cost));
        Ok(Prepared { scorer: *self, parameters: *parameters, len: string.symbols().len(), how, lanes })
    }

    pub(super) fn check(&self, parameters: &Parameters) -> Result<()> {
        match (0.0..=1.0).contains(&parameters.prefix_weight) {
            true => Ok(()),
            false => Err(UsageFault::Range.error("a prefix weight is from 0 to 1".to_owned())),
        }
    }

    #[inline]
    fn score_of(
        &self,
        kind: Kind,
        a: Symbols<'_>,
        b: Symbols<'_>,
        parameters: &Parameters,
        limit: Option<Score>,
    ) -> Result<Score> {
        self.check_lengths(a.len(), b.len(), parameters)?;
        Ok(match self.measure {
            Measure::Distance { two, maximum, .. } => {
                let maximum = || maximum(a.len(), b.len(), parameters);
                of_distance(kind, maximum, limit, |most| two(a, b, parameters, most))
            }
            Measure::Similarity { two, optimal, .. } => {
                of_similarity(kind, optimal, limit, |least| two(a, b, parameters, least))
            }
        })
    }

    #[inline]
    pub(super) fn check_lengths(&self, a: usize, b: usize, parameters: &Parameters) -> Result<()> {
        if parameters.pad || a == b || self.name != "hamming" {
            return Ok(());
        }
        Err(UsageFault::Mismatch.error("Sequences are not the same length.".to_owned()))
    }
}

/// Returns the score of a kind from a distance that `distance` computes up to a limit.
#[inline]
pub(super) fn of_distance(
    kind: Kind,
    maximum: impl Fn() -> u64,
    limit: Option<Score>,
    distance: impl Fn(u64) -> u64,
) -> Score {
    match kind {
        Kind::Distance => {
            let most = limit.map_or(u64::MAX, Score::whole);
            Score::Whole(distance(most).min(most.saturating_add(1)))
        }
        Kind::Similarity => {
            let (maximum, least) = (maximum(), limit.map_or(0, Score::whole));
            let similarity = match maximum.checked_sub(least) {
                Some(most) => maximum.saturating_sub(distance(most)),
                None => 0,
            };
            Score::Whole(if similarity >= least { similarity } else { 0 })
        }
        Kind::NormalizedDistance => {
            let most = limit.map_or(1.0, Score::value);
            let normalized = normalized(maximum(), most, distance);
            Score::Fraction(if normalized <= most { normalized } else { 1.0 })
        }
        Kind::NormalizedSimilarity => {
            let least = limit.map_or(0.0, Score::value);
            let similarity = 1.0 - normalized(maximum(), 1.0 - least + SLACK, distance);
            Score::Fraction(if similarity >= least { similarity } else { 0.0 })
        }
    }
}

/// Greater than all errors of rounding of a normalized score.
const SLACK: f64 = 1e-5;

/// Returns a distance divided by its maximum; 1 or more if it is above the limit.
#[inline]
fn normalized(maximum: u64, most: f64, distance: impl Fn(u64) -> u64) -> f64 {
    if maximum == 0 {
        return 0.0;
    }
    // Without a limit, which is the usual case, no product is rounded.
    let limit = if most >= 1.0 { maximum } else { ((maximum as f64 * most).ceil() as u64).min(maximum) };
    let distance = distance(limit);
    if distance > limit { 1.0 } else { distance as f64 / maximum as f64 }
}

/// Returns the score of a kind from a similarity that `similarity` computes from a limit up.
#[inline]
pub(super) fn of_similarity(kind: Kind, optimal: f64, limit: Option<Score>, similarity: impl Fn(f64) -> f64) -> Score {
    let limit = limit.map(Score::value);
    let within = |distance: f64| if distance <= limit.unwrap_or(optimal) { distance } else { 1.0 };
    Score::Fraction(match kind {
        Kind::Similarity => similarity(limit.unwrap_or(0.0)),
        Kind::Distance => within(optimal - similarity(0.0)),
        Kind::NormalizedDistance => within((optimal - similarity(0.0)) / optimal),
        Kind::NormalizedSimilarity => {
            let similarity = 1.0 - (optimal - similarity(0.0)) / optimal;
            if similarity >= limit.unwrap_or(0.0) { similarity } else { 0.0 }
        }
    })
}

/// How a prepared string is compared.
enum How {
    Plain(Text),
    Distance(DistanceToOne),
    Similarity(SimilarityToOne),
}

/// A string that is prepared for comparisons with many others, on any threads.
/// See the [example](Scorer).
pub struct Prepared {
    scorer: Scorer,
    parameters: Parameters,
    len: usize,
    how: How,
    /// For scores that the distances of pairs give.
    lanes: Option<PairLanes>,
}

impl Prepared {
    /// Computes the score of the prepared string and another, as [`Scorer::score`] does.
    /// See the [example](Scorer).
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage) with [`UsageFault::Mismatch`] for `hamming` without
    /// padding and two lengths.
    pub fn score(&self, kind: Kind, other: &impl PairString, limit: Option<Score>) -> Result<Score> {
        let (other, parameters) = (other.symbols(), &self.parameters);
        match (&self.how, self.scorer.measure) {
            (How::Distance(to_one), Measure::Distance { maximum, .. }) => {
                self.scorer.check_lengths(self.len, other.len(), parameters)?;
                let maximum = || maximum(self.len, other.len(), parameters);
                Ok(of_distance(kind, maximum, limit, |most| (to_one.distance)(other, most)))
            }
            (How::Similarity(similarity), Measure::Similarity { optimal, .. }) => {
                Ok(of_similarity(kind, optimal, limit, |least| (similarity.similarity)(other, least)))
            }
            (How::Plain(text), _) => self.scorer.score_of(kind, text.symbols(), other, parameters, limit),
            // `prepare` of a scorer returns the scorer's own type.
            _ => Ok(Score::Whole(0)),
        }
    }

    /// Computes the scores of the prepared string and others, in order, as
    /// [`score`](Self::score) does, but faster: by `levenshtein`, `indel`, `lcs`, `osa`, `ratio`,
    /// `jaro` and `jaro-winkler` for strings of at most 64 symbols, by `damerau` also for longer
    /// strings of bytes, by `hamming`, `prefix` and `postfix` for all. Strings of similar length
    /// should stand together.
    ///
    /// ```
    /// use carrywave::scorers::{Kind, Parameters, named};
    ///
    /// let wave = named("hamming")?.prepare(&"wave", &Parameters::DEFAULT)?;
    /// let others = ["wvae", "wave", "waves", "carry"];
    /// assert_eq!(wave.scores(Kind::Distance, &others, None)?, [2.0, 0.0, 1.0, 4.0]);
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`score`](Self::score).
    pub fn scores<S: PairString>(&self, kind: Kind, others: &[S], limit: Option<Score>) -> Result<Vec<f64>> {
        let mut scores = vec![0.0; others.len()];
        for (others, scores) in others.chunks(TOGETHER).zip(scores.chunks_mut(TOGETHER)) {
            if self.together(kind, others, limit, scores).is_some() {
                continue;
            }
            for (score, other) in scores.iter_mut().zip(others) {
                *score = self.score(kind, other, limit)?.value();
            }
        }
        Ok(scores)
    }

    /// Computes the scores of at most [`TOGETHER`] strings; `None` if the scorer compares them one
    /// after the other.
    fn together<S: PairString>(
        &self,
        kind: Kind,
        others: &[S],
        limit: Option<Score>,
        scores: &mut [f64],
    ) -> Option<()> {
        let mut strings = [Symbols::Bytes(&[]); TOGETHER];
        let strings = &mut strings[..others.len()];
        strings.iter_mut().zip(others).for_each(|(string, other)| *string = other.symbols());
        let (mut lengths, mut distances) = ([0; TOGETHER], [0; TOGETHER]);
        let (lengths, distances) = (&mut lengths[..strings.len()], &mut distances[..strings.len()]);
        lengths.iter_mut().zip(&*strings).for_each(|(length, string)| *length = string.len() as u32);
        let m = self.len;
        let is_short = strings.iter().all(|string| string.len().max(m) < 1 << 30);
        match (&self.how, self.scorer.measure) {
            _ if is_short && let Some(lanes) = &self.lanes => {
                lanes.distances(strings, distances);
                self.scorer.scores_of_pairs(kind, &self.parameters, limit, m, lengths, distances, scores);
            }
            (How::Distance(DistanceToOne { many: Some(many), .. }), _) if is_short && self.parameters.pad => {
                many(strings, distances);
                let is_whole = self.scorer.is_whole(kind);
                let values = Values { kind, value: Value::OfLonger, is_percent: false, is_whole, limit, m };
                values.scores(lengths, distances, scores);
            }
            (How::Similarity(SimilarityToOne { many: Some(many), .. }), Measure::Similarity { optimal, .. }) => {
                many(strings, scores);
                for score in scores {
                    let similarity = |least| if *score >= least { *score } else { 0.0 };
                    *score = of_similarity(kind, optimal, limit, similarity).value();
                }
            }
            _ => return None,
        }
        Some(())
    }
}

/// Number of scores that are computed together.
const TOGETHER: usize = 256;

impl std::fmt::Debug for Prepared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Prepared").field("scorer", &self.scorer.name).field("len", &self.len).finish_non_exhaustive()
    }
}
