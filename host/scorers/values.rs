//! Scores from distances and lengths, many at a time.

use super::kind::{Kind, Score};
use super::of_pairs::Value;
use crate::cpu::vector::by_vectors;

/// Number of scores that are computed at a time.
const PART: usize = 256;

/// Scores of a string of `m` symbols that need no weights, and no function of the scorer.
pub(super) struct Values {
    pub(super) kind: Kind,
    pub(super) value: Value,
    /// True for a similarity from 0 to 100.
    pub(super) is_percent: bool,
    /// True for whole numbers.
    pub(super) is_whole: bool,
    pub(super) limit: Option<Score>,
    pub(super) m: usize,
}

impl Values {
    /// Computes scores from lengths and distances.
    pub(super) fn scores(&self, lengths: &[u32], distances: &[u32], scores: &mut [f64]) {
        by_vectors(
            #[inline(always)]
            || self.compute(lengths, distances, scores),
        );
    }

    #[inline(always)]
    fn compute(&self, lengths: &[u32], distances: &[u32], scores: &mut [f64]) {
        for ((lengths, distances), scores) in
            lengths.chunks(PART).zip(distances.chunks(PART)).zip(scores.chunks_mut(PART))
        {
            self.part(lengths, distances, scores);
        }
    }

    /// Does this for at most [`PART`] scores. First the distances, with the maxima beside them,
    /// then the scores: each loop is simple, and becomes vector instructions.
    #[inline(always)]
    fn part(&self, lengths: &[u32], distances: &[u32], scores: &mut [f64]) {
        let Self { kind, value, is_percent, is_whole, limit, m } = *self;
        let length = m as f64;
        let longest = |n: u32| length.max(f64::from(n));
        let mut maxima = [0.0; PART];
        let is_of_longer = matches!(value, Value::OfLonger | Value::Weighted | Value::OutsideLcs);
        for (maximum, &n) in maxima.iter_mut().zip(lengths) {
            *maximum = if is_of_longer { longest(n) } else { length + f64::from(n) };
        }
        for (score, &distance) in scores.iter_mut().zip(distances) {
            *score = f64::from(distance);
        }
        if value == Value::OutsideLcs {
            for (score, &n) in scores.iter_mut().zip(lengths) {
                *score = longest(n) - (length + f64::from(n) - *score) / 2.0;
            }
        }
        if value == Value::OfNonEmpty {
            for ((maximum, score), &n) in maxima.iter_mut().zip(scores.iter_mut()).zip(lengths) {
                // Nothing is similar to an empty string.
                if m == 0 || n == 0 {
                    (*maximum, *score) = (1.0, 1.0);
                }
            }
        }
        let limit = limit.map(|limit| if is_whole { limit.whole() as f64 } else { limit.value() });
        let (most, least) = (limit.unwrap_or(f64::INFINITY), limit.unwrap_or(0.0));
        let share = |distance: f64, maximum: f64| distance / maximum.max(1.0);
        match kind {
            Kind::Distance => map(scores, &maxima, |d, _| within(d, d <= most, most + 1.0)),
            Kind::Similarity if is_percent => map(scores, &maxima, |d, maximum| {
                let similarity = 1.0 - share(d, maximum);
                within(similarity * 100.0, similarity >= least / 100.0, 0.0)
            }),
            Kind::Similarity => map(scores, &maxima, |d, maximum| within(maximum - d, maximum - d >= least, 0.0)),
            Kind::NormalizedDistance => map(scores, &maxima, |d, maximum| {
                let share = share(d, maximum);
                within(share, share <= most, 1.0)
            }),
            Kind::NormalizedSimilarity => map(scores, &maxima, |d, maximum| {
                let similarity = 1.0 - share(d, maximum);
                within(similarity, similarity >= least, 0.0)
            }),
        }
    }
}

/// Computes scores from distances and their maxima.
#[inline(always)]
fn map(scores: &mut [f64], maxima: &[f64; PART], score: impl Fn(f64, f64) -> f64) {
    for (place, &maximum) in scores.iter_mut().zip(maxima) {
        *place = score(*place, maximum);
    }
}

/// Returns a score, or another one for a score beyond the limit.
#[inline(always)]
fn within(score: f64, is_within: bool, beyond: f64) -> f64 {
    if is_within { score } else { beyond }
}
